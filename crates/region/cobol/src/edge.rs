//! The C side of statements.
//!
//! Why unsafe: one call of C; `edge/start.c` says what it does.

#![allow(unsafe_code)]

unsafe extern "C" {
    fn txm_cobol_start(separate_signs: i32);
}

pub(crate) fn start(separate_signs: bool) {
    // SAFETY: sets switches, before any program runs and before there is a second thread.
    unsafe { txm_cobol_start(separate_signs.into()) }
}
