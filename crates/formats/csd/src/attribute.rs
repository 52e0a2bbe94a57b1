//! Kinds of resources, their attributes and what values those take.
//!
//! Source: the public CICS TS resource definition reference (attributes, ranges, defaults).

use crate::table;

/// Kind of a resource definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ResourceKind {
    /// ATOMSERVICE
    AtomService,
    /// BUNDLE
    Bundle,
    /// CONNECTION
    Connection,
    /// DB2CONN
    Db2Conn,
    /// DB2ENTRY
    Db2Entry,
    /// DB2TRAN
    Db2Tran,
    /// DOCTEMPLATE
    DocTemplate,
    /// DUMPCODE
    DumpCode,
    /// ENQMODEL
    EnqModel,
    /// FILE
    File,
    /// IPCONN
    IpConn,
    /// JOURNALMODEL
    JournalModel,
    /// JVMSERVER
    JvmServer,
    /// LIBRARY
    Library,
    /// LSRPOOL
    LsrPool,
    /// MAPSET
    MapSet,
    /// MQCONN
    MqConn,
    /// MQMONITOR
    MqMonitor,
    /// PARTITIONSET
    PartitionSet,
    /// PARTNER
    Partner,
    /// PIPELINE
    Pipeline,
    /// PROCESSTYPE
    ProcessType,
    /// PROFILE
    Profile,
    /// PROGRAM
    Program,
    /// SESSIONS
    Sessions,
    /// TCPIPSERVICE
    TcpipService,
    /// TDQUEUE
    TdQueue,
    /// TERMINAL
    Terminal,
    /// TRANCLASS
    TranClass,
    /// TRANSACTION
    Transaction,
    /// TSMODEL
    TsModel,
    /// TYPETERM
    TypeTerm,
    /// URIMAP
    UriMap,
    /// WEBSERVICE
    WebService,
}

impl ResourceKind {
    /// All kinds, in name order.
    pub fn all() -> impl Iterator<Item = Self> {
        table::KINDS.iter().map(|row| row.kind)
    }

    /// The keyword: `TRANSACTION`.
    pub fn keyword(self) -> &'static str {
        table::row_of(self).keyword
    }

    /// The kind of a keyword (upper case) or of an unambiguous abbreviation of one.
    pub fn by_keyword(word: &str) -> Option<Self> {
        let exact = table::KINDS.iter().find(|row| row.keyword == word);
        if let Some(row) = exact {
            return Some(row.kind);
        }
        let mut fits = table::KINDS
            .iter()
            .filter(|row| row.keyword.starts_with(word));
        match (fits.next(), fits.next()) {
            (Some(row), None) if word.len() >= 3 => Some(row.kind),
            _ => None,
        }
    }

    /// Most characters of a name of this kind.
    pub fn name_length(self) -> usize {
        table::row_of(self).name_length
    }

    /// Attributes of this kind only; [`common_attributes`] belong to every kind.
    pub fn attributes(self) -> &'static [Attribute] {
        table::row_of(self).attributes
    }

    /// The attribute of a keyword (upper case) or of an unambiguous abbreviation of one.
    pub fn attribute(self, word: &str) -> Option<&'static Attribute> {
        let all = || self.attributes().iter().chain(common_attributes());
        if let Some(exact) = all().find(|a| a.keyword == word) {
            return Some(exact);
        }
        let mut fits = all().filter(|a| a.keyword.starts_with(word));
        match (fits.next(), fits.next()) {
            (Some(attribute), None) if word.len() >= 2 => Some(attribute),
            _ => None,
        }
    }
}

/// Attributes every kind has: description, owner data, and the trail DFHCSDUP EXTRACT writes.
pub fn common_attributes() -> &'static [Attribute] {
    table::COMMON
}

/// One attribute of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Keyword.
    pub keyword: &'static str,
    /// What values it takes.
    pub rule: Rule,
    /// Value when the deck gives none; empty: none.
    pub default: &'static str,
}

/// What values an attribute takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// A name of at most so many characters, kept in upper case.
    Name(usize),
    /// A name that keeps its case.
    CaseName(usize),
    /// Text with blanks and case kept.
    Text(usize),
    /// A path, host, URI: case kept, no blanks.
    Path(usize),
    /// A whole number in this range, both ends included.
    Number(i64, i64),
    /// A number in the range, or one of the words.
    NumberOr(i64, i64, &'static [&'static str]),
    /// One of the words (abbreviations are accepted).
    OneOf(&'static [&'static str]),
    /// A name, or one of the words (abbreviations of the words are not).
    Any,
}
