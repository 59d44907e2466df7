//! The memory, progress and cancellation of a tool.

use crate::memory::Memory;
use crate::progress::Progress;
use crate::solver::Limits;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The memory limit, progress events and cancellation of a tool.
///
/// Tools also accept a reference to any [`Progress`]; the memory limit is then the default.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::{Resources, stats::statistics};
///
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// let resources = Resources::new(&()).with_memory(64 << 20);
/// assert!(statistics(&book, resources)? == statistics(&book, &())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    progress: &'a dyn Progress,
    memory: Option<u64>,
    cancel: Option<&'a Arc<AtomicBool>>,
}

impl<'a> Resources<'a> {
    /// Resources with the default memory limit: three quarters of the free memory when work begins.
    #[must_use]
    pub fn new(progress: &'a dyn Progress) -> Self {
        Resources { progress, memory: None, cancel: None }
    }

    /// The most memory to use, in bytes, the book's own bytes and the program left out. Values
    /// that do not fit go to a temporary file, which the system caches if there is
    /// room. The bits of the stored positions have to fit.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Resources { memory: Some(bytes), ..self }
    }

    /// These resources, with a flag that stops searches when another thread sets it to `true`.
    #[must_use]
    pub fn with_cancel(self, cancel: &'a Arc<AtomicBool>) -> Self {
        Resources { cancel: Some(cancel), ..self }
    }

    /// The limits of searches.
    pub(super) fn limits(&self) -> Limits {
        Limits { cancel: self.cancel.cloned(), ..Limits::default() }
    }

    pub(super) fn progress(&self) -> &'a dyn Progress {
        self.progress
    }

    /// The most memory to use.
    pub(super) fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| Memory::now().available / 4 * 3)
    }
}

impl<'a, P: Progress> From<&'a P> for Resources<'a> {
    fn from(progress: &'a P) -> Self {
        Resources::new(progress)
    }
}
