//! Cursors: the rows of a query, and where the program is in them.
//!
//! Why all rows at OPEN: a statement of SQLite that is not finished keeps the database as it was
//! then, and the unit of work could not write any more. So a cursor sees what was there when it was
//! opened. Not here: reading rows.

use transom_wire::sql::{SqlCursor, SqlFetch, SqlRow};

/// Bytes of all rows of a cursor.
pub(super) const BYTES_MAX: usize = 256 << 20;

/// A cursor that is open.
pub(super) struct Cursor {
    pub(super) hold: bool,
    scroll: bool,
    rows: Vec<SqlRow>,
    /// Of each row, where rows are updated through the cursor.
    ids: Vec<i64>,
    /// 0: before the first row; n: at row n; beyond the last: after it.
    at: usize,
    /// The row was deleted through the cursor.
    gone: bool,
}

/// What FETCH found.
pub(super) enum Fetched {
    Rows(Vec<SqlRow>, bool),
    /// +100
    None,
    /// The cursor only goes forward: -225.
    NotScrollable,
}

impl Cursor {
    pub(super) fn new(from: &SqlCursor, rows: Vec<SqlRow>, ids: Vec<i64>) -> Self {
        Self {
            hold: from.hold,
            scroll: from.scroll,
            rows,
            ids,
            at: 0,
            gone: false,
        }
    }

    /// Goes there; the row it is at then, and up to `most` in all for NEXT.
    pub(super) fn fetch(&mut self, to: SqlFetch, most: u32) -> Fetched {
        if to != SqlFetch::Next && !self.scroll {
            return Fetched::NotScrollable;
        }
        let count = self.rows.len() as i64;
        let at = self.at as i64;
        let wanted = match to {
            SqlFetch::Next => at + 1,
            SqlFetch::Prior => at - 1,
            SqlFetch::First => 1,
            SqlFetch::Last => count,
            SqlFetch::Current => at,
            SqlFetch::Before => 0,
            SqlFetch::After => count + 1,
            SqlFetch::Absolute(row) if row < 0 => count.saturating_add(row).saturating_add(1),
            SqlFetch::Absolute(row) => row,
            SqlFetch::Relative(rows) => at.saturating_add(rows),
        };
        self.at = wanted.clamp(0, count + 1) as usize;
        self.gone &= to == SqlFetch::Current;
        let Some(first) = self.index() else {
            return Fetched::None;
        };
        let more = match to {
            SqlFetch::Next => (most.max(1) - 1) as usize,
            _ => 0,
        };
        let last = (first + more).min(self.rows.len() - 1);
        self.at = last + 1;
        let rows = self.rows[first..=last].to_vec();
        Fetched::Rows(rows, last + 1 == self.rows.len())
    }

    fn index(&self) -> Option<usize> {
        self.at.checked_sub(1).filter(|n| *n < self.rows.len())
    }

    /// Number of the row it is at, in its table; `None`: it is at none.
    pub(super) fn row_id(&self) -> Option<i64> {
        let id = self.ids.get(self.index()?)?;
        (!self.gone).then_some(*id)
    }

    /// The row it was at is no more.
    pub(super) fn deleted(&mut self) {
        self.gone = true;
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
        };
        let row = |n| SqlRow {
            values: vec![SqlValue::Integer(n)],
        };
        Cursor::new(&from, (1..=rows).map(row).collect(), Vec::new())
    }

    fn numbers(cursor: &mut Cursor, to: SqlFetch, most: u32) -> Vec<i64> {
        let Fetched::Rows(rows, _) = cursor.fetch(to, most) else {
            return Vec::new();
        };
        let number = |row: SqlRow| match row.values[0] {
            SqlValue::Integer(n) => n,
            _ => 0,
        };
        rows.into_iter().map(number).collect()
    }

    #[test]
    fn a_cursor_goes_where_fetch_says() {
        let mut plain = cursor(3, false);
        assert_eq!(numbers(&mut plain, SqlFetch::Next, 2), [1, 2]);
        assert!(matches!(
            plain.fetch(SqlFetch::Prior, 1),
            Fetched::NotScrollable
        ));
        assert!(matches!(
            plain.fetch(SqlFetch::Next, 9),
            Fetched::Rows(_, true)
        ));
        assert!(matches!(plain.fetch(SqlFetch::Next, 1), Fetched::None));
        let mut free = cursor(3, true);
        assert_eq!(numbers(&mut free, SqlFetch::Last, 1), [3]);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, 1), [2]);
        assert_eq!(numbers(&mut free, SqlFetch::Absolute(-3), 1), [1]);
        assert_eq!(numbers(&mut free, SqlFetch::Relative(1), 1), [2]);
        assert_eq!(numbers(&mut free, SqlFetch::Relative(9), 1), []);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, 1), [3]);
        assert_eq!(numbers(&mut free, SqlFetch::First, 1), [1]);
        assert_eq!(numbers(&mut free, SqlFetch::Prior, 1), []);
    }
}
