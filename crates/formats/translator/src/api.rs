//! What goes in and what comes out of a translation.

use crate::LineMap;
use std::collections::BTreeMap;
use transom_commands::{CommandId, Status};
use transom_copybook::Layout;
use transom_messages::Problem;

/// A source file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// Name for messages, as the user knows the file.
    pub name: &'a str,
    /// Its text. Bytes that are not UTF-8 must have been read as ISO 8859-1.
    pub text: &'a str,
}

/// Where copybooks come from.
pub trait CopyLibrary {
    /// The member of this name (as written, without quotes) of COPY ... [IN library], or of
    /// EXEC SQL INCLUDE: its path for messages and its text.
    fn find(&self, name: &str, library: Option<&str>) -> Option<(String, String)>;
}

/// A library without members.
impl CopyLibrary for () {
    fn find(&self, _: &str, _: Option<&str>) -> Option<(String, String)> {
        None
    }
}

/// What COBOL does with binary fields that hold more digits than their PICTURE.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Truncation {
    /// TRUNC(STD) and TRUNC(OPT): cut to the PICTURE.
    #[default]
    Standard,
    /// TRUNC(BIN): use all bits.
    Binary,
}

/// What hexadecimal literals used with characters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HexLiterals {
    /// The bytes they are written with.
    #[default]
    Bytes,
    /// EBCDIC characters: X'40' is a blank.
    Ebcdic,
}

/// Settings of a translation. CBL and PROCESS cards in the source win.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// TRUNC.
    pub truncation: Truncation,
    /// SSRANGE: check subscripts and reference modification at run time.
    pub check_ranges: bool,
    /// Source format where the file does not say: `None` looks at the text.
    pub free_format: Option<bool>,
    /// How X'..' is read where it means characters.
    pub hex_literals: HexLiterals,
    /// Programs compare characters in the order of code page 037, not of their bytes.
    pub ebcdic_order: bool,
}

/// A translated source file.
#[derive(Debug, Clone)]
pub struct Translated {
    /// COBOL for cobc, free format, with `#line` directives that name the user's files. Write
    /// [`Translated::cobol_bytes`] to the file for cobc.
    pub cobol: String,
    /// Generated line to user's line.
    pub line_map: LineMap,
    /// All problems, in source order.
    pub problems: Vec<Problem>,
    /// Which commands are used and what becomes of them.
    pub coverage: Coverage,
    /// DFHCOMMAREA of the first program, where it describes one.
    pub commarea: Option<Layout>,
    /// Items that the first program gets containers into, or puts into them, by the containers'
    /// names.
    pub containers: BTreeMap<String, Vec<Layout>>,
    /// Programs of the file; the first is the one CICS runs.
    pub programs: Vec<ProgramInfo>,
    /// Flags for cobc, beyond `-m` and `-o`.
    pub compiler_flags: Vec<String>,
    /// Paths of all copybooks used, supplied ones too, each once, in order of first use.
    pub dependencies: Vec<String>,
    /// Members no library has, one for each COPY that names them.
    pub missing: Vec<String>,

    pub(crate) files: Vec<(String, String)>,
}

impl Translated {
    /// [`Translated::cobol`] in ISO 8859-1, the code page programs run in: what cobc must read.
    pub fn cobol_bytes(&self) -> Vec<u8> {
        self.cobol
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
            .collect()
    }

    /// Something is wrong that compiling cannot mend.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(|p| p.is_error())
    }
}

/// One program of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProgramInfo {
    /// PROGRAM-ID in upper case.
    pub name: String,
    /// Line of PROGRAM-ID.
    pub line: u32,
    /// It uses EXEC CICS, the EIB or DFHCOMMAREA: it takes EIB and COMMAREA as parameters.
    pub uses_cics: bool,
    /// It describes DFHCOMMAREA itself.
    pub has_commarea: bool,
    /// Number in the file of the program it is nested in.
    pub nested_in: Option<usize>,
    /// It has LOCAL-STORAGE.
    pub has_local_storage: bool,
    /// Paragraphs of HANDLE commands: label 1 is the first.
    pub labels: Vec<String>,
    /// Number of EXEC CICS commands.
    pub commands: usize,
}

/// Which commands a source uses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// In source order.
    pub uses: Vec<CommandUse>,
    /// EXEC SQL and other blocks that were not translated: kind, file, line.
    pub untranslated: Vec<(String, String, u32)>,
    /// EXEC SQL that names tables.
    pub sql: Vec<SqlUse>,
}

/// A statement of EXEC SQL as it is sent: each host variable is `:H`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlUse {
    /// PROGRAM-ID: its package.
    pub program: String,
    /// In Db2's dialect.
    pub text: String,
    /// File.
    pub file: String,
    /// Line of EXEC.
    pub line: u32,
}

/// One EXEC CICS command in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandUse {
    /// Number of the command.
    pub command: CommandId,
    /// `SEND MAP`.
    pub name: &'static str,
    /// What Transom does with it.
    pub status: Status,
    /// Options with what Transom does with them.
    pub options: Vec<(&'static str, Status)>,
    /// Options whose argument is a literal, with its text.
    pub literals: Vec<(&'static str, String)>,
    /// File.
    pub file: String,
    /// Line of EXEC.
    pub line: u32,
}
