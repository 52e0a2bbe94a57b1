//! Cursors of a session: OPEN, FETCH, and the row one is at.

use super::cursor::{Cursor, Fetched};
use super::errors;
use super::session::Session;
use transom_sql::Kind;
use transom_wire::sql::{SqlAnswer, SqlCursor, SqlFetch, SqlInput};

/// Cursors that are open at a time.
const CURSORS_MAX: usize = 1_000;

impl Session {
    /// The row a cursor is at.
    pub(super) fn row_of(&self, cursor: &str) -> Result<i64, SqlAnswer> {
        let open = self.cursors.get(cursor);
        let open = open.ok_or_else(|| errors::coded(-507, Vec::new()))?;
        open.row_id().ok_or_else(|| errors::coded(-508, Vec::new()))
    }

    pub(super) fn open_cursor(
        &mut self,
        cursor: &SqlCursor,
        text: (&str, &std::sync::Arc<str>),
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        if self.cursors.contains_key(&cursor.name) {
            return Err(errors::coded(-502, Vec::new()));
        }
        if self.cursors.len() >= CURSORS_MAX {
            return Err(errors::unavailable("00C90084", "too many cursors are open"));
        }
        let plan = self.plan(text, inputs)?;
        let prepared = matches!(plan.statement.kind, Kind::Query);
        let prepared = prepared
            && plan
                .rewritten
                .as_ref()
                .is_some_and(|written| written.row_id);
        let updates = cursor.update || prepared;
        if updates {
            // Nobody changes the rows between OPEN and the change through the cursor.
            self.begin()?;
        }
        let mut ran = self.run_plan(&plan, inputs, None, None)?;
        if !updates {
            // Its rows go to the program in blocks: where it is in them is not known here.
            ran.ids.clear();
        }
        let open = Cursor::new(cursor, ran.rows, ran.ids);
        self.cursors.insert(cursor.name.clone(), open);
        Ok(SqlAnswer::done())
    }

    pub(super) fn fetch(
        &mut self,
        cursor: &str,
        to: SqlFetch,
        rows: u32,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let open = self.cursors.get_mut(cursor);
        let open = open.ok_or_else(|| errors::coded(-501, Vec::new()))?;
        match open.fetch(to, rows) {
            Fetched::Rows(rows, end) => Ok(SqlAnswer {
                rows,
                end,
                ..SqlAnswer::done()
            }),
            Fetched::None => Ok(SqlAnswer {
                end: true,
                ..SqlAnswer::of(100, *b"02000")
            }),
            Fetched::NotScrollable => Err(errors::coded(-225, Vec::new())),
        }
    }
}
