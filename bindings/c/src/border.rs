//! Pointers of callers, turned into references and back.
//!
//! All functions here have the contract that the header states for every function: a pointer is
//! null or valid, other threads do not change its target during the call, and a handle comes from
//! the function that makes it and is freed once.

use crate::status::{Failure, Status};
use library::text::count;
use std::ffi::{CStr, c_char};
use std::path::Path;

/// Returns the target of a pointer.
///
/// # Safety
///
/// The pointer is null, or valid for reads as long as the reference lives.
pub(crate) unsafe fn read<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: by this function's contract; it is not null and aligned.
    Ok(unsafe { &*pointer })
}

/// Returns the target of a pointer, to change it.
///
/// # Safety
///
/// The pointer is null, or valid as long as the reference lives, and nothing else uses its target.
pub(crate) unsafe fn read_mut<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: by this function's contract; it is not null and aligned.
    Ok(unsafe { &mut *pointer })
}

/// Returns the target of a pointer that may be null.
///
/// # Safety
///
/// As [`read`].
pub(crate) unsafe fn read_if_given<'a, T>(
    pointer: *const T,
    name: &str,
) -> Result<Option<&'a T>, Failure> {
    // SAFETY: `pointer` is null or valid for reads.
    if pointer.is_null() { Ok(None) } else { unsafe { read(pointer, name) }.map(Some) }
}

/// Fails if a pointer is null or misaligned: one to write to is checked before the work is done.
pub(crate) fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    let found = match (pointer.is_null(), pointer.is_aligned()) {
        (true, _) => "a null pointer".to_owned(),
        (_, false) => format!("an address that is no multiple of {}", align_of::<T>()),
        _ => return Ok(()),
    };
    Err(Failure::argument(format!("expected a pointer for '{name}', found {found}")))
}

/// Fails if an array of the caller is null though not empty, misaligned, or longer than memory.
pub(crate) fn check_list<T>(pointer: *const T, length: usize, name: &str) -> Result<(), Failure> {
    let most = isize::MAX as usize / size_of::<T>();
    if length > most {
        let most = count(most, "value");
        let found = count(length, "value");
        let text = format!("expected at most {most} at '{name}', found {found}");
        return Err(Failure::argument(text));
    }
    if length == 0 { Ok(()) } else { check(pointer, name) }
}

/// Writes the result of a call.
///
/// # Safety
///
/// The pointer is null, or valid for writes.
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    check(pointer, name)?;
    // SAFETY: by this function's contract; it is not null and aligned.
    unsafe { pointer.write(value) };
    Ok(())
}

/// A list of callers.
///
/// # Safety
///
/// The pointer is null, or valid for reads of `length` values as long as the reference lives.
pub(crate) unsafe fn list<'a, T>(
    pointer: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    check_list(pointer, length, name)?;
    if length == 0 {
        return Ok(&[]);
    }
    // SAFETY: by this function's contract; it is not null and aligned, and the list is not
    // longer than memory.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Copies values of the library to an array of the caller, from the value with number `first` on.
///
/// # Safety
///
/// The pointer has passed [`check_list`] and is valid for writes of all these values, which
/// need not be initialised.
pub(crate) unsafe fn write_list<T: Copy>(pointer: *mut T, first: usize, values: &[T]) {
    if !values.is_empty() {
        // SAFETY: by this function's contract; values of the library do not overlap with those
        // of a caller.
        unsafe { pointer.add(first).copy_from_nonoverlapping(values.as_ptr(), values.len()) };
    }
}

/// Returns an empty list with room for `length` values.
pub(crate) fn room<T>(length: usize) -> Result<Vec<T>, Failure> {
    let mut list = Vec::new();
    list.try_reserve_exact(length).map_err(|_| {
        let bytes = count(length * size_of::<T>(), "byte");
        Failure::new(Status::NoMemory, format!("cannot reserve {bytes}; pass less at a time"))
    })?;
    Ok(list)
}

/// The most bytes of a text of callers: all others are mistakes, and would be copied and echoed.
const LONGEST_TEXT: usize = 1 << 14;

/// A text of callers.
///
/// # Safety
///
/// The pointer is null, or of a text that ends with a zero byte, valid for reads as long as
/// the reference lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    check(pointer, name)?;
    // SAFETY: by this function's contract; it is not null.
    let text = unsafe { CStr::from_ptr(pointer) };
    let bytes = text.count_bytes();
    if bytes > LONGEST_TEXT {
        let most = count(LONGEST_TEXT, "byte");
        let found = count(bytes, "byte");
        let text = format!("expected '{name}' to have at most {most}, found {found}");
        return Err(Failure::argument(text));
    }
    text.to_str().map_err(|error| {
        let valid = error.valid_up_to();
        Failure::argument(format!(
            "expected '{name}' to be UTF-8, found another byte after {valid}"
        ))
    })
}

/// A path of callers: any bytes on Unix, UTF-8 on other systems.
///
/// # Safety
///
/// As [`text`].
pub(crate) unsafe fn path<'a>(pointer: *const c_char, name: &str) -> Result<&'a Path, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        check(pointer, name)?;
        // SAFETY: by this function's contract; it is not null.
        let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
        Ok(Path::new(std::ffi::OsStr::from_bytes(bytes)))
    }
    #[cfg(not(unix))]
    // SAFETY: `pointer` is null or a text that ends with a zero byte.
    unsafe { text(pointer, name) }.map(Path::new)
}

/// A text of callers, or the default if the pointer is null.
///
/// # Safety
///
/// As [`text`].
pub(crate) unsafe fn text_or<'a>(
    pointer: *const c_char,
    name: &str,
    default: &'a str,
) -> Result<&'a str, Failure> {
    // SAFETY: `pointer` is null or a text that ends with a zero byte.
    if pointer.is_null() { Ok(default) } else { unsafe { text(pointer, name) } }
}

/// Writes the number of values to `length`, and copies them to a buffer for `capacity` values, unless
/// its pointer is null. `units` names the values and the buffer.
///
/// # Safety
///
/// The pointer of the buffer is null, or valid for writes of `capacity` values; that of the length is
/// null or valid for writes.
pub(crate) unsafe fn write_counted(
    values: &[u8],
    (pointer, capacity, units): (*mut u8, usize, &str),
    (length, name): (*mut usize, &str),
) -> Result<(), Failure> {
    // SAFETY: `length` is null or valid for writes.
    unsafe { write(length, name, values.len()) }?;
    if pointer.is_null() {
        return Ok(());
    }
    if values.len() > capacity {
        let needed = values.len();
        let text = format!("expected room for {needed} {units}, found room for {capacity}");
        return Err(Failure::new(Status::BufferTooSmall, text));
    }
    // SAFETY: the buffer has `capacity` bytes by this function's contract.
    unsafe { write_list(pointer, 0, values) };
    Ok(())
}

/// [`write_counted`] of a text and a zero byte.
///
/// # Safety
///
/// As [`write_counted`].
pub(crate) unsafe fn write_text(
    text: String,
    pointer: *mut c_char,
    capacity: usize,
    bytes: *mut usize,
) -> Result<(), Failure> {
    let buffer = (pointer.cast(), capacity, "bytes at 'text'");
    // SAFETY: by this function's contract.
    unsafe { write_counted(&[text.as_bytes(), &[0]].concat(), buffer, (bytes, "bytes")) }
}

/// Makes a value and writes its handle for callers.
///
/// # Safety
///
/// As [`write`].
pub(crate) unsafe fn give<T>(
    pointer: *mut *mut T,
    name: &str,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    check(pointer, name)?;
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: `pointer` is null or valid for writes.
    unsafe { write(pointer, name, handle) }
}

/// Frees a handle; a null pointer is fine.
///
/// # Safety
///
/// The pointer is null, or was made by [`give`] and not freed yet.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: `pointer` was made by [`give`] and not freed yet.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
