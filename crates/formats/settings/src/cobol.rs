//! `[cobol]`: what programs are compiled and run with.
//!
//! Names are those of the compiler options. Not here: options of one program, which its CBL and
//! PROCESS cards have.

use crate::kind::{AnyPath, Number, Word};
use std::path::PathBuf;

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
        /// Signs of DISPLAY. {values}. COMPAT: a negative sign over the last digit of binary and
        /// packed items, zoned items as they are. SEP: in front of the digits.
        dispsign: &'static str = "COMPAT", Word(&["COMPAT", "SEP"]);
        /// Code page of programs, copybooks and maps that are EBCDIC (they are recognised).
        /// {values}.
        source_codepage: &'static str = "IBM-037", Word(&[
            "IBM-037", "IBM-273", "IBM-277", "IBM-278", "IBM-280", "IBM-284", "IBM-285", "IBM-297", "IBM-500",
            "IBM-871", "IBM-1026", "IBM-1047", "IBM-1140", "IBM-1141", "IBM-1142", "IBM-1143", "IBM-1144",
            "IBM-1145", "IBM-1146", "IBM-1147", "IBM-1148", "IBM-1149",
        ]);
        /// When `transom run` compiles what changed. {values}. ALL: before the region starts.
        /// BACKGROUND: while it runs; a program that is needed before its turn is compiled then,
        /// and who needs it waits. Errors that only the compiler sees are told when they are found.
        build: &'static str = "ALL", Word(&["ALL", "BACKGROUND"]);
        /// Folder of compiled modules that system directories of one user share; a path without `/`
        /// at its begin is below the system directory. Each module is kept there by what it was
        /// made of, and taken from there in place of compiling it again. Nobody else may write
        /// there.
        module_store: Option<PathBuf> = None => "none", AnyPath;
        /// MiB of that folder, {values}; the modules that were not used longest go first.
        module_store_megabytes: u64 = 2_048, Number(16, 1_048_576);
    }
}
