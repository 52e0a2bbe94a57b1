//! Statements as values.
//!
//! What: what a text of statements says, checked. Why: who runs commands needs no syntax. Not here:
//! reading (`parse`), running.

use crate::name::Pattern;
use transom_messages::Problem;

/// A text of statements.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Script {
    /// In source order.
    pub statements: Vec<Statement>,
    /// Everything found, in source order. A statement with an error is [`StatementKind::Invalid`].
    pub problems: Vec<Problem>,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// First line, from 1.
    pub line: u32,
    /// Last line.
    pub last_line: u32,
    pub kind: StatementKind,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementKind {
    Command(Box<Command>),
    If {
        test: Test,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Set {
        register: Register,
        /// 0 to 16.
        value: u8,
    },
    /// Ends the run.
    Cancel,
    /// PARM: what it changes was used while reading.
    Parm,
    /// A command that cannot be run; its condition code is 12.
    Invalid,
    /// A broken IF, ELSE, DO, END or SET: the run ends with 16.
    Broken,
}

/// LASTCC or MAXCC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Register {
    Last,
    Max,
}

/// `MAXCC LE 8`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    pub register: Register,
    pub comparison: Comparison,
    pub value: u32,
}

/// How a condition code is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
}

impl Comparison {
    /// `left` compared with `right`.
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Greater => left > right,
            Comparison::Less => left < right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::LessOrEqual => left <= right,
        }
    }
}

/// A functional command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    DefineCluster(ClusterDef),
    DefineAix(AixDef),
    DefinePath(PathDef),
    /// Accepted with a notice: there is nothing to define here.
    DefineOther {
        kind: OtherKind,
        name: String,
    },
    BuildIndex(BuildIndex),
    Repro(Repro),
    Print(Print),
    ListCatalog(ListCatalog),
    Delete(Delete),
    Verify(Verify),
    Alter(Alter),
    Examine(Examine),
    Export(Export),
    Import(Import),
}

/// How records are found in a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Organization {
    /// KSDS: by key.
    Indexed,
    /// ESDS: by relative byte address.
    NonIndexed,
    /// RRDS: by relative record number.
    Numbered,
}

/// LOG of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Log {
    None,
    /// Changes are backed out.
    Undo,
    /// Changes are backed out and forward recovered.
    All,
}

/// DEFINE CLUSTER.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterDef {
    pub name: String,
    pub organization: Organization,
    /// Bytes, 1 to 255; 0 without key.
    pub key_len: u32,
    /// Bytes before the key.
    pub key_offset: u32,
    /// Bytes.
    pub average_len: u32,
    /// Bytes.
    pub max_len: u32,
    pub spanned: bool,
    /// It can be loaded again from empty.
    pub reuse: bool,
    pub log: Option<Log>,
    pub kept: Kept,
}

/// What the catalog keeps of a definition without using it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    pub data_name: Option<String>,
    pub index_name: Option<String>,
    pub retention: Option<Retention>,
    /// In the order given.
    pub listed: Vec<Listed>,
}

/// An attribute that is only listed: its name in LISTCAT and the value.
pub type Listed = (&'static str, String);

/// How long an entry may not be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retention {
    /// FOR: days from now.
    Days(u32),
    /// TO: year and day of the year, `2030.365`.
    Until(String),
}

/// DEFINE ALTERNATEINDEX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AixDef {
    pub name: String,
    /// The base cluster.
    pub relate: String,
    /// Bytes, 1 to 255.
    pub key_len: u32,
    /// Bytes before the key in a base record.
    pub key_offset: u32,
    pub unique: bool,
    /// Changes of the base change it.
    pub upgrade: bool,
    /// Bytes.
    pub average_len: u32,
    /// Bytes.
    pub max_len: u32,
    pub reuse: bool,
    pub kept: Kept,
}

/// DEFINE PATH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathDef {
    pub name: String,
    /// An alternate index or a cluster.
    pub entry: String,
    pub update: bool,
    pub kept: Kept,
}

/// What has no place in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKind {
    NonVsam,
    GenerationGroup,
    Alias,
    Catalog,
}

/// A data set in a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A DD name.
    Dd(String),
    /// A data set name; a member or generation in parentheses stays in it.
    Dataset(String),
}

/// BLDINDEX.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildIndex {
    pub base: Place,
    pub indexes: Vec<Place>,
}

/// A key in a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValue {
    /// As programs see it: characters in ISO 8859-1; bytes of X'..' as they are.
    pub bytes: Vec<u8>,
    /// Written with `*` at the end: the beginning of a key.
    pub generic: bool,
}

/// Which records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Range {
    pub from_key: Option<KeyValue>,
    pub to_key: Option<KeyValue>,
    /// Relative byte address.
    pub from_address: Option<u64>,
    pub to_address: Option<u64>,
    /// Relative record number.
    pub from_number: Option<u64>,
    pub to_number: Option<u64>,
    /// Records left out first.
    pub skip: u64,
    /// Most records.
    pub count: Option<u64>,
}

/// REPRO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repro {
    pub from: Place,
    pub to: Place,
    pub range: Range,
    /// A record with the key of an old one takes its place.
    pub replace: bool,
    /// The target is emptied first.
    pub reuse: bool,
    /// Records refused before the command gives up.
    pub error_limit: u32,
}

/// PRINT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Print {
    pub from: Place,
    pub to: Option<Place>,
    pub range: Range,
    pub format: PrintFormat,
}

/// How records are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintFormat {
    Character,
    Hex,
    Dump,
}

/// LISTCAT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListCatalog {
    /// Entries; empty: all.
    pub entries: Vec<Pattern>,
    pub all: bool,
    /// HISTORY: owner and dates.
    pub history: bool,
    /// CREATION: at least this many days ago.
    pub created: Option<u32>,
    /// EXPIRATION: in at most this many days.
    pub expires: Option<u32>,
    /// Types shown; empty: all.
    pub types: Vec<EntryType>,
}

/// What an entry of the catalog is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryType {
    Cluster,
    Data,
    Index,
    Aix,
    Path,
    NonVsam,
    GenerationGroup,
    Other,
}

/// DELETE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delete {
    pub entries: Vec<Pattern>,
    pub kind: Option<EntryType>,
    /// Entries whose retention has not ended go too.
    pub purge: bool,
}

/// VERIFY.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verify {
    pub place: Place,
}

/// ALTER; what is not given stays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alter {
    /// Entries and components.
    pub entry: Pattern,
    /// As many `*` as in `entry`.
    pub new_name: Option<Pattern>,
    /// Length and offset, bytes.
    pub keys: Option<(u32, u32)>,
    /// Average and maximum, bytes.
    pub record_size: Option<(u32, u32)>,
    pub upgrade: Option<bool>,
    pub unique: Option<bool>,
    pub update: Option<bool>,
    pub reuse: Option<bool>,
    /// Records can be read only.
    pub inhibit: Option<bool>,
    pub log: Option<Log>,
    /// Names in LISTCAT of what is taken away.
    pub nullify: Vec<&'static str>,
    pub kept: Kept,
}

/// EXAMINE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Examine {
    pub name: String,
    /// INDEXTEST.
    pub index: bool,
    /// DATATEST.
    pub data: bool,
    /// Faults named.
    pub limit: u32,
}

/// EXPORT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub name: String,
    pub to: Place,
    /// The source stays.
    pub temporary: bool,
    pub inhibit_source: bool,
    pub inhibit_target: bool,
    pub purge: bool,
}

/// IMPORT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    pub from: Place,
    /// Old and new names.
    pub names: Vec<(String, String)>,
    /// Records go into an entry that exists and is empty.
    pub into_empty: bool,
}
