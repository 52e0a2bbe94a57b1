//! Statements and functions of COBOL that GnuCOBOL carries out otherwise than Enterprise COBOL.
//!
//! What: DISPLAY, UNSTRING into numbers, FUNCTION ORD and CHAR, in C ([`start`] makes the linker
//! take it): the executable exports the functions of libcob that stand in for them, so modules find
//! these first. Why a room: each of them is whole in itself, and none knows processes or shared
//! memory. Not here: how numbers are read, computed and moved, which all of them and the commands
//! need (region/workers).

#![deny(unsafe_code)]

mod edge;

// Its C is what the C here stands on.
use transom_workers as _;

use std::ffi::OsString;

/// What a process that runs programs calls before any of them, with its arguments; those that are
/// left are answered. `dispsign=SEP`: DISPLAY shows signs in front of digits, else over the last.
pub fn start(mut args: Vec<OsString>) -> Vec<OsString> {
    let words = args.len();
    args.retain(|word| word != "dispsign=SEP");
    edge::start(args.len() < words);
    args
}
