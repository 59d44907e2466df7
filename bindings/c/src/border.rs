//! Pointers of callers, turned into references and back.
//!
//! All functions here have the contract that the header states for every function: a pointer is
//! null or valid, other threads do not change its target during the call, and a handle comes from
//! the function that makes it and is freed once.

use crate::status::{Failure, Status};
use std::ffi::{CStr, c_char};

fn null(name: &str) -> Failure {
    Failure::argument(format!("expected a pointer for '{name}', found a null pointer"))
}

/// Returns the target of a pointer.
///
/// # Safety
///
/// The pointer is null, or valid for reads as long as the reference lives.
pub(crate) unsafe fn read<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: as this function's contract says.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// Fails if a pointer is null: one to write to is checked before the work is done.
pub(crate) fn not_null<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() { Err(null(name)) } else { Ok(()) }
}

/// Writes the result of a call.
///
/// # Safety
///
/// The pointer is null, or valid for writes.
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    not_null(pointer, name)?;
    // SAFETY: as this function's contract says; it is not null.
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
    if length == 0 {
        return Ok(&[]);
    }
    not_null(pointer, name)?;
    // SAFETY: as this function's contract says; it is not null.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// An array of the caller to write to.
///
/// # Safety
///
/// The pointer is null, or valid for writes of `length` values, which are initialised, as long as
/// the reference lives.
pub(crate) unsafe fn list_out<'a, T>(
    pointer: *mut T,
    length: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if length == 0 {
        return Ok(&mut []);
    }
    not_null(pointer, name)?;
    // SAFETY: as this function's contract says; it is not null.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, length) })
}

/// A text of callers.
///
/// # Safety
///
/// The pointer is null, or of a text that ends with a zero byte, valid for reads as long as
/// the reference lives.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    not_null(pointer, name)?;
    // SAFETY: as this function's contract says; it is not null.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument(format!("expected '{name}' to be UTF-8")))
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
    // SAFETY: as this function's contract says.
    if pointer.is_null() { Ok(default) } else { unsafe { text(pointer, name) } }
}

/// Copies a text and a zero byte to a buffer of `capacity` bytes, unless the pointer is null, and
/// writes the length with that byte to `bytes`.
///
/// # Safety
///
/// The pointer is null, or valid for writes of `capacity` bytes; `bytes` is null or valid for
/// writes.
pub(crate) unsafe fn write_text(
    text: &str,
    pointer: *mut c_char,
    capacity: usize,
    bytes: *mut usize,
) -> Result<(), Failure> {
    // SAFETY: as this function's contract says.
    unsafe { write(bytes, "bytes", text.len() + 1) }?;
    if pointer.is_null() {
        return Ok(());
    }
    check_room(text.len() + 1, capacity, "text")?;
    // SAFETY: the buffer has `capacity` bytes by this function's contract, and the text is the
    // library's own, so they do not overlap.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr().cast(), pointer, text.len());
        pointer.add(text.len()).write(0);
    }
    Ok(())
}

/// Fails if a buffer of callers is too small.
pub(crate) fn check_room(needed: usize, capacity: usize, name: &str) -> Result<(), Failure> {
    if needed <= capacity {
        return Ok(());
    }
    let text = format!("expected room for {needed} values at '{name}', found room for {capacity}");
    Err(Failure::new(Status::BufferTooSmall, text))
}

/// Writes a handle for callers.
///
/// # Safety
///
/// As [`write`].
pub(crate) unsafe fn give<T>(pointer: *mut *mut T, name: &str, value: T) -> Result<(), Failure> {
    not_null(pointer, name)?;
    // SAFETY: as this function's contract says.
    unsafe { write(pointer, name, Box::into_raw(Box::new(value))) }
}

/// Frees a handle; a null pointer is fine.
///
/// # Safety
///
/// The pointer is null, or was made by [`give`] and not freed yet.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: as this function's contract says.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
