//! Statements for several rows: arrays to the engine and back.
//!
//! What: INSERT FOR n ROWS, and FETCH of a rowset; what is wrong with one row is a condition that
//! GET DIAGNOSTICS tells. Not here: arrays (`rows`), where a cursor is (`region/sql`).

use crate::statement::{Ran, Statement};
use transom_wire::sql::{Request, SqlAnswer, SqlCondition, SqlRow};

impl Statement<'_> {
    pub(crate) fn insert_rows(&mut self) -> Ran {
        let view = self.call.statement();
        let from = crate::from(&view, self.by.user());
        let text = view.text.to_owned();
        let count = match crate::wanted(self.call, "*N", view.cursor) {
            Ok(count) => count.unwrap_or(1),
            Err(answer) => return Ok(answer),
        };
        let rows = match crate::rows(self.call, self.by.host(), count) {
            Ok(rows) => rows,
            Err(answer) => return Ok(answer),
        };
        self.by.ask(&Request::InsertRows { from, text, rows })
    }

    pub(crate) fn fetch_rows(&mut self, cursor: String) -> Ran {
        let view = self.call.statement();
        let given = view.text.split_once(" FOR ").map_or("", |(_, rows)| rows);
        let rows = match crate::wanted(self.call, view.cursor, given) {
            Ok(rows) => rows.unwrap_or(0),
            Err(answer) => return Ok(answer),
        };
        let Some(to) = crate::direction(view.text, self.call) else {
            return Ok(SqlAnswer::of(-84, *b"42612"));
        };
        let request = Request::FetchRows {
            cursor,
            to,
            rows,
            most: crate::most(&view),
        };
        let mut answer = self.by.ask(&request)?;
        if answer.code < 0 {
            return Ok(answer);
        }
        let rows = std::mem::take(&mut answer.rows);
        let mut conditions = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            if let Some(wrong) = self.give_row(n, row, answer.conditions()) {
                // A value with its indicator was given in spite of it.
                answer.count -= u32::from(wrong.code < 0 && !row.values.is_empty());
                conditions.push(SqlCondition::of(n + 1, &wrong));
            }
        }
        if answer.code == 0 && !conditions.is_empty() {
            (answer.code, answer.state) = (354, *b"01668");
        }
        Ok(answer.of_rows(conditions))
    }

    /// Fills the elements of one row, from 0; what became of it.
    fn give_row(&mut self, n: usize, row: &SqlRow, holes: &[SqlCondition]) -> Option<SqlAnswer> {
        let view = self.call.statement();
        let mut items = crate::element(self.call, view, self.by.host(), n);
        if !row.values.is_empty() {
            return crate::give(&mut items, &row.values, &mut self.warnings);
        }
        if !crate::hole(&mut items) {
            return Some(SqlAnswer::of(-247, *b"24519"));
        }
        let hole = holes.iter().find(|hole| hole.row as usize == n + 1)?;
        Some(SqlAnswer {
            tokens: hole.tokens.clone(),
            ..SqlAnswer::of(hole.code, hole.state)
        })
    }
}
