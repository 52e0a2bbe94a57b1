//! The C side of file statements.
//!
//! Why unsafe: one call of C; `edge/files.c` says what it does.

#![allow(unsafe_code)]

unsafe extern "C" {
    fn txm_files_of_step() -> i32;
}

/// File statements of this process are those of a step from now on; `false`: libcob is another one.
pub(crate) fn files_of_step() -> bool {
    // SAFETY: looks up functions of libcob and sets a switch, before any program runs.
    unsafe { txm_files_of_step() != 0 }
}
