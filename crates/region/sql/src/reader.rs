//! The database as a worker reads it by itself.
//!
//! What: answers statements of a task that has changed nothing, as its session in the region would
//! answer them; rows of a cursor stay where it was opened. What is not surely the same is asked of
//! the region. Why: a question costs twenty times what SQLite takes for a row (decision 0055). Not
//! here: which unit of work has changed nothing (`region/commands`), SQL.

use crate::sqlite::Reading;
use crate::statements::Session;
use transom_recovery::StoreError;
use transom_wire::sql::{Request, SqlAnswer, SqlReading};

/// A reader of one worker.
pub struct Reader {
    session: Session<Reading>,
    /// Pages were read since they were forgotten.
    has_read: bool,
}

impl Reader {
    /// Opens the database, as the region tells of it.
    ///
    /// # Errors
    /// The worker may not open it, or nobody has it open.
    pub fn open(told: &SqlReading) -> Result<Self, StoreError> {
        let session = Session::new(Reading::open(told)?);
        Ok(Self {
            session,
            has_read: false,
        })
    }

    /// Answers a statement of a unit of work that has changed nothing; `None`: the region is to be
    /// asked.
    pub fn read(&mut self, request: &Request) -> Option<SqlAnswer> {
        self.has_read = true;
        self.session.read(request)
    }

    /// Answers what is asked of a cursor that is open here; `None`: none is.
    pub fn of_cursor(&mut self, request: &Request) -> Option<SqlAnswer> {
        let cursor = match request {
            Request::Fetch { cursor, .. } | Request::FetchRows { cursor, .. } => cursor,
            Request::Close(cursor) => cursor,
            // -502
            Request::Open { cursor, .. } => &cursor.name,
            _ => return None,
        };
        match self.session.has_open(cursor) {
            true => self.session.read_cursor(request),
            false => None,
        }
    }

    /// The task does something else than reading: the view of the last statement is given up.
    pub fn rest(&mut self) {
        // What it has not given up it gives up with the next statement.
        let _ = self.session.driver().rest();
    }

    /// The unit of work has ended.
    pub fn unit_ended(&mut self) {
        self.session.close_all();
        self.rest();
    }

    /// The task has ended: nothing that its program could have stored over is used again.
    pub fn task_ended(&mut self) {
        self.unit_ended();
        if std::mem::take(&mut self.has_read) {
            // Pages are what is lost: those of the next commit are read anew in any case.
            let _ = self.session.driver().forget_pages();
        }
    }
}
