//! `[cobol]`: what programs are compiled and run with.
//!
//! Names are those of the compiler options. Not here: options of one program, which its CBL and
//! PROCESS cards have.

use crate::kind::Word;

settings! {
    /// Compiler options of all programs.
    pub struct CobolSettings in "[cobol]" {
        /// Hexadecimal literals that are moved to, compared with or the VALUE of items of
        /// characters. {values}. EBCDIC: the characters of these bytes on z/OS, X'40' is a blank.
        /// BYTES: the bytes, with a message at each place. AUTO: as the order of the store is.
        hex_literals: &'static str = "AUTO", Word(&["AUTO", "EBCDIC", "BYTES"]);
        /// Comparisons of unsigned zoned items that hold blanks, low-values or letters. {values}.
        /// MIG: by their digits, as Enterprise COBOL 4 made them. PFD: as characters where sizes
        /// allow it, as version 6 may do; with valid data both are the same.
        zonedata: &'static str = "MIG", Word(&["MIG", "PFD"]);
        /// Zoned items that are sent or computed with must pass the class test NUMERIC. {values}.
        /// ABD: one that does not ends the task with ASRA, also where z/OS without NUMCHECK goes
        /// on.
        numcheck: &'static str = "NO", Word(&["NO", "ABD"]);
    }
}
