//! COBOL with EXEC CICS and EXEC SQL in, COBOL for GnuCOBOL out.
//!
//! What: reads fixed and free format source, expands COPY and REPLACE, turns each EXEC CICS into a
//! `CALL 'TXMEXEC'` with a constant descriptor (see `transom_commands::abi`), inserts EIB and
//! DFHCOMMAREA, and says what is wrong at the user's own file, line and column. Why: cobc knows
//! nothing of CICS. Not here: files (copybooks come through [`CopyLibrary`]), running cobc, and
//! what commands do.

#![forbid(unsafe_code)]

mod api;
mod argument;
mod assemble;
mod blocks;
mod clauses;
mod collating;
mod command;
mod commarea;
mod comparands;
mod compiler;
mod computed;
mod copying;
mod coverage;
mod data;
mod declared;
mod depending;
mod documents;
mod eib;
mod elements;
mod flags;
mod generated;
mod hex;
mod language;
mod lexer;
mod linemap;
mod lines;
mod listing;
mod literals;
mod maps;
mod names;
mod national;
mod passed;
mod phrases;
mod pointers;
mod powers;
mod printer;
mod quotients;
mod receivers;
mod refuse;
mod replace;
mod reserved;
mod slack;
mod sorts;
mod sql;
mod structure;
mod supplied;
mod system;
mod table;
mod token;
mod transferred;
mod translate;
mod verbs;

pub use api::{
    CommandUse, CopyLibrary, Coverage, HexLiterals, Options, ProgramInfo, Source, SqlUse,
    Translated, Truncation,
};
pub use language::{Kind, Row, Status, cobol_page, language};
pub use linemap::{LineMap, Origin};
pub use system::system_copybook;
pub use transferred::other_values;
pub use translate::translate;
