//! Statements that only read, of a session that can do nothing else.
//!
//! What: SELECT INTO and cursors whose answer cannot differ from that of the session in the region,
//! as long as the unit of work has changed nothing. All others, and all that go wrong, are the
//! region's: what it answers is the answer. Not here: when a worker asks (`reader`), the engine.

use super::driver::Driver;
use super::plan::Plan;
use super::session::Session;
use transom_sql::{Kind, Value};
use transom_wire::sql::{Request, SqlAnswer, SqlCursor};

impl<D: Driver> Session<D> {
    /// Answers what only reads; `None`: who has the unit of work is to be asked.
    pub(crate) fn read(&mut self, request: &Request) -> Option<SqlAnswer> {
        match request {
            Request::Select { from, text, inputs } if !from.dynamic => {
                let schema = self.begin_for(from);
                let plan = self.plan((text, &schema), inputs).ok()?;
                if !plan.only_reads() {
                    return None;
                }
                good(self.select_row(&plan, inputs))
            }
            Request::Open {
                from,
                cursor,
                text,
                inputs,
            } if !from.dynamic && is_plain(cursor) => {
                let schema = self.begin_for(from);
                self.can_open(cursor).ok()?;
                let plan = self.plan((text, &schema), inputs).ok()?;
                if !plan.only_reads() {
                    return None;
                }
                good(self.open_plan(cursor, plan, inputs))
            }
            _ => None,
        }
    }

    /// Answers what is asked of a cursor that is open here; `None`: it is nothing of a cursor.
    pub(crate) fn read_cursor(&mut self, request: &Request) -> Option<SqlAnswer> {
        let answered = match request {
            Request::Fetch { cursor, to, rows } => self.fetch(cursor, *to, *rows),
            Request::FetchRows {
                cursor,
                to,
                rows,
                most,
            } => self.fetch_rows(cursor, *to, (*rows, *most)),
            Request::Close(cursor) => self.close_cursor(cursor),
            Request::Open { cursor, .. } => self.can_open(cursor).map(|()| SqlAnswer::done()),
            _ => return None,
        };
        Some(answered.unwrap_or_else(|answer| answer))
    }

    /// What it stands on.
    pub(crate) fn driver(&mut self) -> &mut D {
        &mut self.driver
    }

    /// A cursor of this name is open.
    pub(crate) fn has_open(&self, cursor: &str) -> bool {
        self.cursors.contains_key(cursor)
    }

    /// Closes all cursors.
    pub(crate) fn close_all(&mut self) {
        self.cursors.clear();
    }
}

impl Plan {
    /// It is one query whose result depends on its values and the database alone.
    fn only_reads(&self) -> bool {
        let kinds = matches!(
            self.statement.kind,
            Kind::SelectInto | Kind::DeclareCursor(_) | Kind::Query
        );
        let Some(rewritten) = &self.rewritten else {
            return false;
        };
        let mut parameters = rewritten.parameters.iter();
        kinds
            && rewritten.more.is_empty()
            && rewritten.otherwise.is_none()
            && !parameters.any(|one| matches!(one.value, Value::Register(_)))
    }
}

/// Its rows are those of OPEN, and it ends with the unit of work at the latest.
fn is_plain(cursor: &SqlCursor) -> bool {
    !cursor.hold && !cursor.update && !cursor.sensitive
}

/// An answer without anything to tell.
fn good(answer: Result<SqlAnswer, SqlAnswer>) -> Option<SqlAnswer> {
    answer
        .ok()
        .filter(|answer| answer.code >= 0 && answer.text.is_empty())
}
