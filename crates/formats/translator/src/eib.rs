//! The exec interface block as COBOL sees it.
//!
//! Source: "EIB fields" of the CICS TS application programming reference; 85 bytes.

use crate::token::Token;

const TEXT: &str = include_str!("../../../../cobol/copy/DFHEIBLK.cpy");

/// Data description entries of the EIB.
pub(crate) fn entries() -> impl Iterator<Item = &'static str> {
    TEXT.lines()
        .filter(|l| !l.starts_with("      *"))
        .map(str::trim)
}

/// DFHCOMMAREA of a program that describes none.
pub(crate) const COMMAREA: &str = "01  DFHCOMMAREA PIC X(1).";

/// How contained programs find EIB and COMMAREA of the one around them.
pub(crate) const GLOBAL_POINTERS: &[&str] = &[
    "01  TXM-EIB-POINTER GLOBAL POINTER.",
    "01  TXM-COMMAREA-POINTER GLOBAL POINTER.",
];

/// A field of the EIB.
pub(crate) fn is_field(word: &str) -> bool {
    word.starts_with("EIB") && entries().any(|line| line.split_whitespace().nth(1) == Some(word))
}

/// Words only CICS gives a meaning.
pub(crate) fn is_named(token: &Token) -> bool {
    let word = token.upper();
    word == "DFHCOMMAREA" || word == "DFHEIBLK" || is_field(&word)
}
