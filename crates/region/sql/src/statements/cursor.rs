//! Cursors: the rows of a query, and where the program is in them.
//!
//! Why all rows at OPEN: a statement of SQLite that is not finished keeps the database as it was
//! then, and the unit of work could not write any more; a cursor of PostgreSQL ends with its
//! transaction. So a cursor sees what was there when it was opened, and WITH HOLD costs nothing;
//! one that is sensitive has its rows read again by who fetches. Not here: reading rows.

use super::driver::Bound;
use super::plan::Plan;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use transom_wire::sql::{SqlCursor, SqlFetch, SqlRow};

/// Bytes of all rows of a cursor.
pub(crate) const BYTES_MAX: usize = 256 << 20;

/// A cursor that is open.
pub(super) struct Cursor {
    pub(super) from: SqlCursor,
    pub(super) rows: Vec<SqlRow>,
    /// Of each row, where rows are changed through the cursor or read again.
    pub(super) ids: Vec<i64>,
    /// The row it is at, or the first one of its rowset, from 1. 0: before the first row; one more
    /// than there are rows: after the last.
    at: usize,
    /// Rows it is at: one, or those of a rowset; 0: none.
    count: usize,
    /// It is at a rowset.
    at_rowset: bool,
    /// Rows of a rowset where FETCH says nothing of it.
    size: usize,
    /// Rows that were deleted through the cursor.
    gone: HashSet<usize>,
}

/// A cursor with what it was opened with.
pub(super) struct Opened {
    pub(super) cursor: Cursor,
    pub(super) plan: Arc<Plan>,
    /// Values of its parameters, where its rows are read again.
    pub(super) values: Vec<Bound<'static>>,
    /// Name of the prepared statement it is of, with its program.
    pub(super) prepared: Option<String>,
}

/// What FETCH found.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fetched {
    /// Which rows, from 0, and SQLCODE.
    Rows(Range<usize>, i32),
    /// It goes before the first row or after the last one, as it was told.
    Moved,
    /// +100
    None,
    /// +231: it is at no row.
    NoCurrent,
    /// The cursor only goes forward: -225.
    NotScrollable,
}

/// How many rows FETCH asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// One; and those behind it for the worker to keep.
    Row {
        /// All of them.
        block: usize,
    },
    /// A rowset; `None`: of as many as the one before.
    Rowset(Option<usize>),
}

/// Why no row is changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoRow {
    /// -508
    NotAtRow,
    /// -222
    Hole,
    /// -589
    NotAtRowset,
    /// -248
    NotInRowset,
    /// -20185
    NoRowsets,
}

impl Cursor {
    pub(super) fn new(from: &SqlCursor, rows: Vec<SqlRow>, ids: Vec<i64>) -> Self {
        Self {
            from: from.clone(),
            rows,
            ids,
            at: 0,
            count: 0,
            at_rowset: false,
            size: 1,
            gone: HashSet::new(),
        }
    }

    /// The values of rows; one that only goes forward never comes to them again.
    pub(super) fn give(&mut self, rows: Range<usize>) -> Vec<SqlRow> {
        let rows = &mut self.rows[rows];
        match self.from.scroll {
            true => rows.to_vec(),
            false => {
                let values = rows.iter_mut().map(|row| std::mem::take(&mut row.values));
                values.map(|values| SqlRow { values }).collect()
            }
        }
    }

    /// Rows of a rowset that FETCH asks for.
    pub(super) fn size(&self, wanted: Option<usize>) -> usize {
        wanted.unwrap_or(self.size)
    }

    /// Goes there.
    pub(super) fn fetch(&mut self, to: SqlFetch, wanted: Wanted) -> Fetched {
        if to != SqlFetch::Next && !self.from.scroll {
            return Fetched::NotScrollable;
        }
        if to == SqlFetch::Current && self.count == 0 {
            return Fetched::NoCurrent;
        }
        match wanted {
            Wanted::Row { block } => self.row(to, block),
            Wanted::Rowset(size) => {
                self.size = self.size(size);
                self.rowset(to, self.size)
            }
        }
    }

    fn row(&mut self, to: SqlFetch, block: usize) -> Fetched {
        // A row that is fetched by itself is a rowset of one.
        self.size = 1;
        let first = self.first(to, 1);
        match to {
            SqlFetch::Before | SqlFetch::After => {
                self.leave(first);
                Fetched::Moved
            }
            _ if self.enter(first, 1) => {
                self.at_rowset = false;
                // Where the program is in a block is not known here: at its end.
                let more = if to == SqlFetch::Next {
                    block.max(1)
                } else {
                    1
                };
                let last = (self.at + more - 1).min(self.rows.len());
                let found = self.at - 1..last;
                self.at = last;
                Fetched::Rows(found, 0)
            }
            _ => Fetched::None,
        }
    }

    fn rowset(&mut self, to: SqlFetch, size: usize) -> Fetched {
        let first = self.first(to, size);
        let behind = i64::try_from(size).unwrap_or(i64::MAX);
        let back = matches!(to, SqlFetch::Prior | SqlFetch::Last);
        // Going back a rowset ends where the one it comes from begins.
        let (first, wanted) = match first {
            ..1 if back => (1, first.saturating_add(behind) - 1),
            _ => (first, behind),
        };
        let wanted = usize::try_from(wanted).unwrap_or(0);
        if wanted == 0 {
            self.leave(0);
            return Fetched::None;
        }
        if !self.enter(first, wanted) {
            return Fetched::None;
        }
        self.at_rowset = true;
        let found = self.at - 1..self.at - 1 + self.count;
        let code = match (self.count < size, to) {
            (false, _) => 0,
            (true, SqlFetch::Prior) => 20237,
            (true, _) => 100,
        };
        Fetched::Rows(found, code)
    }

    /// The first row of what FETCH asks for; there may be none of this number.
    fn first(&self, to: SqlFetch, size: usize) -> i64 {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let (at, all) = (number(self.at), number(self.rows.len()));
        match to {
            SqlFetch::Next => at.saturating_add(number(self.count.max(1))),
            SqlFetch::Prior => at - number(size),
            SqlFetch::First => 1,
            SqlFetch::Last => all - number(size) + 1,
            SqlFetch::Current => at,
            SqlFetch::Before => 0,
            SqlFetch::After => all + 1,
            SqlFetch::Absolute(row) if row < 0 => all.saturating_add(row).saturating_add(1),
            SqlFetch::Absolute(row) => row,
            SqlFetch::Relative(rows) => at.saturating_add(rows),
        }
    }

    /// Is at these rows as far as there are such; `false`: there are none.
    fn enter(&mut self, first: i64, rows: usize) -> bool {
        let begin = usize::try_from(first).ok().filter(|n| *n > 0);
        let begin = begin.filter(|n| *n <= self.rows.len());
        let Some(begin) = begin else {
            self.leave(first);
            return false;
        };
        self.at = begin;
        self.count = rows.min(self.rows.len() - begin + 1);
        true
    }

    /// Is at no row: before the first or after the last one.
    fn leave(&mut self, first: i64) {
        self.at = if first < 1 { 0 } else { self.rows.len() + 1 };
        self.count = 0;
        self.at_rowset = false;
    }

    /// The last row of the result is one of these.
    pub(super) fn is_end(&self, rows: &Range<usize>) -> bool {
        rows.end == self.rows.len()
    }

    /// The rows, from 0, that a positioned change is for: that of its rowset, or all it is at.
    pub(super) fn changed(&self, row: Option<i64>) -> Result<Range<usize>, NoRow> {
        let Some(row) = row else {
            if self.count == 0 || self.ids.is_empty() {
                return Err(NoRow::NotAtRow);
            }
            return Ok(self.at - 1..self.at - 1 + self.count);
        };
        if !self.from.rowset {
            return Err(NoRow::NoRowsets);
        }
        if !self.at_rowset {
            return Err(NoRow::NotAtRowset);
        }
        let inside = usize::try_from(row)
            .ok()
            .filter(|n| (1..=self.count).contains(n));
        let inside = inside.ok_or(NoRow::NotInRowset)?;
        let row = self.at + inside - 2;
        Ok(row..row + 1)
    }

    /// The row of a number in its table; the error says why there is none.
    pub(super) fn row_id(&self, row: usize) -> Result<i64, NoRow> {
        let id = self.ids.get(row).ok_or(NoRow::NotAtRow)?;
        match (self.gone.contains(&row), self.from.sensitive) {
            (false, _) => Ok(*id),
            (true, false) => Err(NoRow::NotAtRow),
            (true, true) => Err(NoRow::Hole),
        }
    }

    /// The row is no more.
    pub(super) fn deleted(&mut self, row: usize) {
        self.gone.insert(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_wire::sql::SqlValue;

    fn cursor(rows: i64, scroll: bool) -> Cursor {
        let from = SqlCursor {
            name: "P.C".to_owned(),
            hold: false,
            update: false,
            scroll,
            sensitive: false,
            rowset: true,
        };
        let row = |n| SqlRow {
            values: vec![SqlValue::Integer(n)],
        };
        Cursor::new(&from, (1..=rows).map(row).collect(), (1..=rows).collect())
    }

    /// Numbers of the rows, from 1.
    fn numbers(cursor: &mut Cursor, to: SqlFetch, wanted: Wanted) -> Vec<usize> {
        match cursor.fetch(to, wanted) {
            Fetched::Rows(rows, _) => rows.map(|n| n + 1).collect(),
            _ => Vec::new(),
        }
    }

    const ROW: Wanted = Wanted::Row { block: 1 };
    const SAME: Wanted = Wanted::Rowset(None);

    fn of(rows: usize) -> Wanted {
        Wanted::Rowset(Some(rows))
    }

    #[test]
    fn a_cursor_goes_where_fetch_says() {
        let mut plain = cursor(3, false);
        let block = Wanted::Row { block: 2 };
        assert_eq!(numbers(&mut plain, SqlFetch::Next, block), [1, 2]);
        assert_eq!(plain.fetch(SqlFetch::Prior, ROW), Fetched::NotScrollable);
        assert_eq!(plain.fetch(SqlFetch::Next, block), Fetched::Rows(2..3, 0));
        assert_eq!(plain.fetch(SqlFetch::Next, ROW), Fetched::None);
        let mut free = cursor(3, true);
        assert_eq!(free.fetch(SqlFetch::Current, ROW), Fetched::NoCurrent);
        assert_eq!(numbers(&mut free, SqlFetch::Last, ROW), [3]);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, ROW), [2]);
        assert_eq!(numbers(&mut free, SqlFetch::Current, ROW), [2]);
        assert_eq!(numbers(&mut free, SqlFetch::Absolute(-3), ROW), [1]);
        assert_eq!(numbers(&mut free, SqlFetch::Relative(1), ROW), [2]);
        assert_eq!(free.fetch(SqlFetch::Relative(9), ROW), Fetched::None);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, ROW), [3]);
        assert_eq!(numbers(&mut free, SqlFetch::First, ROW), [1]);
        assert_eq!(free.fetch(SqlFetch::Prior, ROW), Fetched::None);
        assert_eq!(free.fetch(SqlFetch::After, ROW), Fetched::Moved);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, ROW), [3]);
        assert_eq!(free.fetch(SqlFetch::Before, ROW), Fetched::Moved);
        assert_eq!(numbers(&mut free, SqlFetch::Next, ROW), [1]);
    }

    /// The example of Db2's guide: rows and rowsets of one cursor over 15 rows.
    #[test]
    fn rows_and_rowsets_go_together_as_db2_documents() {
        let mut c = cursor(15, true);
        for (to, wanted, rows) in [
            (SqlFetch::First, ROW, 1..=1),
            (SqlFetch::First, SAME, 1..=1),
            (SqlFetch::First, of(5), 1..=5),
            (SqlFetch::Current, SAME, 1..=5),
            (SqlFetch::Current, ROW, 1..=1),
            (SqlFetch::Next, ROW, 2..=2),
            (SqlFetch::Next, SAME, 3..=3),
            (SqlFetch::Next, of(3), 4..=6),
            (SqlFetch::Next, SAME, 7..=9),
            (SqlFetch::Last, ROW, 15..=15),
            (SqlFetch::Last, of(2), 14..=15),
            (SqlFetch::Prior, SAME, 12..=13),
            (SqlFetch::Absolute(2), ROW, 2..=2),
            (SqlFetch::Absolute(2), of(3), 2..=4),
            (SqlFetch::Relative(2), ROW, 4..=4),
            (SqlFetch::Absolute(2), of(4), 2..=5),
            (SqlFetch::Relative(-1), ROW, 1..=1),
            (SqlFetch::Absolute(3), of(2), 3..=4),
        ] {
            let found = numbers(&mut c, to, wanted);
            assert_eq!(found, rows.collect::<Vec<_>>(), "{to:?} {wanted:?}");
        }
    }

    #[test]
    fn a_rowset_may_be_a_part() {
        let mut c = cursor(5, true);
        assert_eq!(c.fetch(SqlFetch::Next, of(3)), Fetched::Rows(0..3, 0));
        assert_eq!(c.fetch(SqlFetch::Next, SAME), Fetched::Rows(3..5, 100));
        assert_eq!(c.changed(Some(2)), Ok(4..5));
        assert_eq!(c.changed(Some(3)), Err(NoRow::NotInRowset));
        assert_eq!(c.changed(None), Ok(3..5));
        assert_eq!(c.fetch(SqlFetch::Next, SAME), Fetched::None);
        assert_eq!(c.changed(None), Err(NoRow::NotAtRow));
        assert_eq!(c.fetch(SqlFetch::Prior, of(2)), Fetched::Rows(3..5, 0));
        assert_eq!(c.fetch(SqlFetch::Prior, of(4)), Fetched::Rows(0..3, 20237));
        assert_eq!(c.fetch(SqlFetch::Prior, SAME), Fetched::None);
        assert_eq!(c.fetch(SqlFetch::Last, of(9)), Fetched::Rows(0..5, 100));
        assert_eq!(c.fetch(SqlFetch::Absolute(-9), SAME), Fetched::None);
        assert_eq!(c.fetch(SqlFetch::Next, of(2)), Fetched::Rows(0..2, 0));
        c.deleted(1);
        assert_eq!((c.row_id(0), c.row_id(1)), (Ok(1), Err(NoRow::NotAtRow)));
        c.from.sensitive = true;
        assert_eq!(c.row_id(1), Err(NoRow::Hole));
    }
}
