//! `[cobol]`: what programs are compiled and run with.
//!
//! Names are those of the compiler options. Not here: options of one program, which its CBL and
//! PROCESS cards have.

use crate::kind::Word;

settings! {
    /// Compiler options of all programs.
    pub struct CobolSettings in "[cobol]" {
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
