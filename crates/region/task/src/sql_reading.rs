//! The database of EXEC SQL as a worker reads it by itself, kept from task to task.
//!
//! Not here: when it may be read so (`region/commands`), reading (`region/sql`).

use transom_region_sql::Reader;
use transom_wire::sql::{Request, SqlAnswer, SqlReading};

/// The database as this worker reads it.
#[derive(Default)]
pub struct Reading {
    /// The region was asked how; what could not be opened then is not tried again.
    asked: bool,
    reader: Option<Reader>,
}

impl Reading {
    /// The region has not been asked yet how it is read; it is from now on.
    pub fn asks(&mut self) -> bool {
        !std::mem::replace(&mut self.asked, true)
    }

    /// Opens it, as the region tells of it.
    pub fn open(&mut self, told: &SqlReading) {
        self.reader = Reader::open(told).ok();
    }

    /// Answers a statement of a unit of work that has changed nothing; `None`: the region is to be
    /// asked.
    pub fn read(&mut self, request: &Request) -> Option<SqlAnswer> {
        self.reader.as_mut()?.read(request)
    }

    /// Answers what is asked of a cursor that is open here; `None`: none is.
    pub fn of_cursor(&mut self, request: &Request) -> Option<SqlAnswer> {
        self.reader.as_mut()?.of_cursor(request)
    }

    /// Whatever waits must not keep a view of the database.
    pub fn rest(&mut self) {
        self.reader.iter_mut().for_each(Reader::rest);
    }

    /// The unit of work has ended, and its cursors here.
    pub fn unit_ended(&mut self) {
        self.reader.iter_mut().for_each(Reader::unit_ended);
    }

    /// The task has ended.
    pub fn task_ended(&mut self) {
        self.reader.iter_mut().for_each(Reader::task_ended);
    }
}
