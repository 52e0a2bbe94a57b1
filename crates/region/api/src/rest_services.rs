//! REST services of the database, as Db2 has them: one SQL statement under a name.
//!
//! What: making and dropping services, what there is, running one. Why values of JSON go in and
//! values of SQL come out: only the database knows the types of parameters, and only the door knows
//! how results are written. Not here: HTTP, JSON texts, who may do what.

use crate::programs::Reply;
use std::fmt;
use std::task::{Context, Poll};
use transom_sql::Type;
use transom_types::UserId;

/// The services of a database. All that is done is done for a user.
pub trait RestServices: Send + Sync {
    /// Makes a service; the answer is its name with its version.
    fn create(
        &self,
        by: UserId,
        new: NewRestService,
    ) -> Reply<Result<RestServiceName, RestFailure>>;

    /// Drops a version of a service, the default one where none is named.
    fn remove(&self, by: UserId, name: RestServiceName) -> Reply<Result<(), RestFailure>>;

    /// All that the user may run, by collection and name.
    fn all(&self, by: UserId) -> Reply<Result<Vec<RestServiceEntry>, RestFailure>>;

    /// One, with what it takes and gives.
    fn describe(
        &self,
        by: UserId,
        name: RestServiceName,
    ) -> Reply<Result<RestServiceDetails, RestFailure>>;

    /// Runs one in a unit of work of its own.
    fn run(
        &self,
        by: UserId,
        name: RestServiceName,
        given: Vec<(String, Given)>,
    ) -> Reply<Result<RestResult, RestFailure>>;
}

/// A service by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RestServiceName {
    /// Collection of its package.
    pub collection: String,
    /// Its own name.
    pub name: String,
    /// `None`: the default version.
    pub version: Option<String>,
}

/// `COLLECTION.NAME.(VERSION)`, as Db2 names packages.
impl fmt::Display for RestServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.collection, self.name)?;
        match &self.version {
            Some(version) => write!(f, ".({version})"),
            None => Ok(()),
        }
    }
}

/// What a service is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRestService {
    /// Its name; without a version it gets the first.
    pub name: RestServiceName,
    /// One SQL statement.
    pub statement: String,
    /// For people.
    pub description: Option<String>,
    /// Owner of its package; `None`: who makes it.
    pub owner: Option<String>,
    /// Schema of names without one; `None`: that of the database's settings.
    pub qualifier: Option<String>,
}

/// A service in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestServiceEntry {
    /// Its name with its version.
    pub name: RestServiceName,
    /// It is run where no version is named.
    pub is_default: bool,
    /// For people.
    pub description: Option<String>,
    /// Requests are taken.
    pub started: bool,
}

/// A service with what it takes and gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestServiceDetails {
    /// As in a list.
    pub entry: RestServiceEntry,
    /// What a request names, each once.
    pub parameters: Vec<RestColumn>,
    /// Columns of its rows; `None`: it changes rows and gives none.
    pub columns: Option<Vec<RestColumn>>,
}

/// A parameter, or a column of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestColumn {
    /// Its name in JSON.
    pub name: String,
    /// Its type.
    pub kind: Type,
    /// It may be null.
    pub nullable: bool,
}

/// A value of a request, as JSON has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// `null`
    Null,
    /// `true` or `false`
    Truth(bool),
    /// A number as it is written.
    Number(String),
    /// A string.
    Text(String),
    /// An array or an object.
    Structure,
}

/// What a service answered.
pub enum RestResult {
    /// Rows it changed.
    Count(u64),
    /// Rows it found, with the names of their columns.
    Rows(Vec<String>, Box<dyn RestRows>),
}

/// Rows that come in blocks. Dropping it ends the statement.
pub trait RestRows: Send {
    /// The next block; `None`: there is none behind the last one.
    fn poll_block(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<RestBlock, RestFailure>>>;
}

/// Some rows.
#[derive(Debug, Clone, PartialEq)]
pub struct RestBlock {
    /// Values in the order of the columns.
    pub rows: Vec<Vec<SqlDatum>>,
    /// No other block follows.
    pub last: bool,
}

/// A value of a result.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlDatum {
    /// No value.
    Null,
    /// SMALLINT, INTEGER, BIGINT.
    Integer(i64),
    /// DECIMAL and DECFLOAT: digits, and how many of them stand behind the point.
    Decimal(i128, u8),
    /// REAL and DOUBLE.
    Double(f64),
    /// Characters, and dates and times as Db2 writes them.
    Text(String),
}

/// Why something was not done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestFailure {
    /// There is no such service.
    Unknown,
    /// There is one of this name already.
    Exists,
    /// What was asked for makes no sense or is not done here: one sentence.
    Refused(String),
    /// A value of the request is missing or does not fit its parameter: one sentence.
    BadValue(String),
    /// The database refused.
    Sql {
        /// SQLCODE.
        code: i32,
        /// SQLSTATE.
        state: String,
        /// The text of the code.
        text: String,
    },
    /// The service is stopped.
    Stopped,
    /// Too many requests run. A retry is safe.
    Busy,
    /// There is no database. The text begins with its TXM identifier.
    Unavailable(String),
}
