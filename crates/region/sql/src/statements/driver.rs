//! What an engine does for a session.

use super::answers::Resource;
use super::catalog::{Defined, Kept, Tables};
use super::plan::Plan;
use super::qualifiers::Qualifiers;
use rusqlite::Connection;
use std::borrow::Cow;
use transom_recovery::{StoreError, UowId};
use transom_sql::{Dialect, Rewritten, Type};
use transom_wire::sql::{SqlAnswer, SqlInput, SqlRow, SqlValue};

/// The statements of one task on an engine. Used by one thread at a time; blocks. An error is the
/// answer to the statement, and leaves the unit of work as it was before it.
pub(crate) trait Driver: Send {
    /// Whose text it runs.
    const DIALECT: Dialect;
    /// As SQLERRMC names it.
    const RESOURCE: Resource;
    /// What is committed can be read by others without a session.
    const IS_READ: bool = false;
    /// It waits for nothing within a unit of work, and knows which texts are short.
    const HAS_SHORT: bool = false;

    /// Schemas of names without one.
    fn qualifiers(&self) -> &Qualifiers;

    /// Another number when somebody has changed the schema.
    fn schema(&mut self) -> Result<i64, SqlAnswer>;

    /// What it knows of Db2's tables.
    fn tables(&mut self) -> Result<Tables, SqlAnswer>;

    /// A connection to the embedded engine, which knows local time.
    fn clock(&self) -> &Connection;

    /// The last number an INSERT of this session made.
    fn last_identity(&mut self) -> Result<Option<i64>, SqlAnswer>;

    /// From here on there is something to commit.
    fn begin(&mut self) -> Result<(), SqlAnswer>;

    /// It has begun.
    fn writes(&self) -> bool;

    /// Makes what a definition needs.
    fn before(&mut self, _defined: &Defined<'_>) -> Result<(), SqlAnswer> {
        Ok(())
    }

    /// A text takes a bounded number of steps, whatever there is in tables; asked of one that
    /// [`Driver::HAS_SHORT`].
    fn is_straight(&mut self, _text: &str) -> bool {
        false
    }

    /// Runs a text with its values; begins where it changes something.
    fn run(&mut self, run: &Run<'_>) -> Result<Ran, SqlAnswer>;

    /// A statement has run: writes what it changed beside tables.
    fn ran(&mut self) -> Result<(), SqlAnswer> {
        Ok(())
    }

    /// SAVEPOINT and its kin, without values.
    fn tell(&mut self, text: &str) -> Result<(), SqlAnswer>;

    /// Keys of rows pass each other: around the texts that do it.
    fn passing(&mut self, _at: Passing) -> Result<(), SqlAnswer> {
        Ok(())
    }

    /// LOCK TABLE, by the table's name in the engine.
    fn lock_table(&mut self, table: &str, exclusive: bool) -> Result<(), SqlAnswer>;

    /// Keeps what a definition made or dropped.
    fn keep(&mut self, defined: &Defined<'_>, kept: &[Kept]) -> Result<(), SqlAnswer>;

    /// The engine itself has given up the unit of work.
    fn lost(&self) -> bool;

    /// It has, and everybody is told.
    fn give_up(&mut self) {}

    /// Commits; with a mark of the unit of work where it decides.
    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError>;

    /// A unit of work is over that had nothing to commit.
    fn only_read(&mut self) {}

    /// Backs out.
    fn backout(&mut self) -> Result<(), StoreError>;

    /// The next task is another.
    fn reset(&mut self);

    /// As [`SqlSession::hurry`](crate::SqlSession::hurry).
    fn hurry(&mut self, _on: bool) -> bool {
        false
    }

    /// It has given up what it did in a hurry.
    fn gave_up(&self) -> bool {
        false
    }
}

/// Where an UPDATE is whose keys pass each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    Begins,
    /// Each row gets its new values.
    Back,
    Done,
    /// Nothing of it is to be left.
    Failed,
}

/// A text to run.
pub(crate) struct Run<'r> {
    pub(crate) plan: &'r Plan,
    pub(crate) rewritten: &'r Rewritten,
    /// Of the parameters of the text.
    pub(crate) values: &'r [Bound<'r>],
    /// At most so many rows.
    pub(crate) most: Option<usize>,
    /// Nobody else may change the rows until the unit of work ends.
    pub(crate) locks: bool,
}

/// The value of a parameter.
#[derive(Debug, Clone)]
pub(crate) enum Bound<'r> {
    /// Of the program.
    Input(Cow<'r, SqlInput>),
    /// Of a special register, with its type.
    Register(SqlValue, Type),
    /// The row a cursor is at.
    Row(Option<i64>),
}

impl Bound<'_> {
    /// For later.
    pub(crate) fn into_owned(self) -> Bound<'static> {
        match self {
            Self::Input(input) => Bound::Input(Cow::Owned(input.into_owned())),
            Self::Register(value, kind) => Bound::Register(value, kind),
            Self::Row(row) => Bound::Row(row),
        }
    }
}

/// What a statement did.
#[derive(Default)]
pub(crate) struct Ran {
    pub(crate) rows: Vec<SqlRow>,
    /// What identifies the rows in their table, where the rewriter asks for it.
    pub(crate) ids: Vec<i64>,
    /// Rows that were changed.
    pub(crate) changed: u64,
}

/// Bytes of a value in memory.
pub(crate) fn size(value: &SqlValue) -> usize {
    let data = match value {
        SqlValue::Text(text) => text.len(),
        SqlValue::Bytes(bytes) => bytes.len(),
        _ => 0,
    };
    data + size_of::<SqlValue>()
}
