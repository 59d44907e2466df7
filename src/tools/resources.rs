//! The memory and progress of a tool.

use crate::memory::Memory;
use crate::progress::Progress;

/// The memory limit of a tool, and its progress, which may cancel it.
///
/// Tools also accept a reference to any [`Progress`]; the memory limit is then the default.
///
/// ```
/// use fourbook::Book;
/// use fourbook::tools::{Resources, stats::statistics};
///
/// let book = Book::from_bytes(include_bytes!("../../examples/4x4-d6.book"))?;
/// let resources = Resources { memory: Some(64 << 20), ..Resources::new(&()) };
/// assert!(statistics(&book, resources)? == statistics(&book, &())?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Receives progress events, and may cancel the tool.
    pub progress: &'a dyn Progress,
    /// The most memory to use, in bytes, the book's own bytes and the program left out; by default
    /// three quarters of the free memory when work begins. Values that do not fit go to a
    /// temporary file, which the system caches if there is room. The bits of the stored positions
    /// have to fit.
    pub memory: Option<u64>,
}

impl<'a> Resources<'a> {
    /// Resources with the default memory limit.
    pub fn new(progress: &'a dyn Progress) -> Self {
        Resources { progress, memory: None }
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
