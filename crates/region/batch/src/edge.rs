//! The C side of file statements.
//!
//! Why unsafe: calls of C; `edge/files.c`, `accept.c` and `sorts.c` there say what they do.

#![allow(unsafe_code)]

unsafe extern "C" {
    fn txm_accept_start();
    fn txm_sorts_start();
    fn txm_files_of_step() -> i32;
}

/// File statements of this process are those of a step from now on; `false`: libcob is another one.
pub(crate) fn files_of_step() -> bool {
    // SAFETY: the first two do nothing; the last looks up functions of libcob and sets a switch,
    // before any program runs.
    unsafe {
        txm_accept_start();
        txm_sorts_start();
        txm_files_of_step() != 0
    }
}
