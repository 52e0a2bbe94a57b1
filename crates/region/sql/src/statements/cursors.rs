//! Cursors of a session: OPEN, FETCH, and the rows a positioned change is for.

use super::answers::coded;
use super::cursor::{Cursor, Fetched, NoRow, Opened, Wanted};
use super::driver::{Bound, Driver};
use super::plan::Plan;
use super::run::How;
use super::session::Session;
use std::ops::Range;
use std::sync::Arc;
use transom_sql::{Count, Current, Kind};
use transom_wire::sql::{SqlAnswer, SqlCondition, SqlCursor, SqlFetch, SqlInput, SqlRow, SqlValue};

/// Cursors that are open at a time.
const CURSORS_MAX: usize = 1_000;

/// The rows a positioned change is for.
pub(super) struct Positioned {
    /// Cursor, with its program.
    pub(super) cursor: String,
    /// From 0.
    pub(super) rows: Range<usize>,
}

impl<D: Driver> Session<D> {
    /// The rows of WHERE CURRENT OF.
    pub(super) fn positioned(
        &self,
        program: &str,
        current: &Current,
        (plan, inputs): (&Plan, &[SqlInput]),
    ) -> Result<Positioned, SqlAnswer> {
        let name = format!("{program}.{}", current.cursor);
        let open = self.cursors.get(&name);
        let open = open.ok_or_else(|| coded(-507, Vec::new()))?;
        let row = match current.row {
            None => None,
            Some(Count::Number(row)) => Some(i64::from(row)),
            Some(Count::Host(host)) => Some(plan.number(host, inputs).unwrap_or(-1)),
        };
        let rows = open.cursor.changed(row);
        let verb = match plan.statement.kind {
            Kind::Delete { .. } => "DELETE",
            _ => "UPDATE",
        };
        let rows = rows.map_err(|why| no_row(&why, (verb, &current.cursor, row)))?;
        for row in rows.clone() {
            let id = open.cursor.row_id(row);
            id.map_err(|why| no_row(&why, (verb, &current.cursor, None)))?;
        }
        Ok(Positioned { cursor: name, rows })
    }

    /// Somebody else has deleted the row a cursor is at.
    pub(super) fn no_row(&self, cursor: &str) -> SqlAnswer {
        let open = self.cursors.get(cursor);
        let why = match open.is_some_and(|open| open.cursor.from.sensitive) {
            true => NoRow::Hole,
            false => NoRow::NotAtRow,
        };
        no_row(&why, ("", &bare(cursor), None))
    }

    /// A row of a cursor, in its table.
    pub(super) fn row_id(&self, cursor: &str, row: usize) -> Option<i64> {
        self.cursors.get(cursor)?.cursor.row_id(row).ok()
    }

    pub(super) fn open_cursor(
        &mut self,
        cursor: &SqlCursor,
        text: (&str, &Arc<str>),
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        self.can_open(cursor)?;
        let plan = self.plan(text, inputs)?;
        self.open_plan(cursor, plan, inputs)
    }

    /// It is not open, and there is room for one more.
    pub(super) fn can_open(&self, cursor: &SqlCursor) -> Result<(), SqlAnswer> {
        if self.cursors.contains_key(&cursor.name) {
            return Err(coded(-502, Vec::new()));
        }
        if self.cursors.len() >= CURSORS_MAX {
            return Err(D::RESOURCE.unavailable("00C90084", "too many cursors are open"));
        }
        Ok(())
    }

    /// Opens it, as [`Session::can_open`] allows it.
    pub(super) fn open_plan(
        &mut self,
        cursor: &SqlCursor,
        plan: Arc<Plan>,
        inputs: &[SqlInput],
    ) -> Result<SqlAnswer, SqlAnswer> {
        let prepared = matches!(plan.statement.kind, Kind::Query);
        let is_row = plan
            .rewritten
            .as_ref()
            .is_some_and(|written| written.row_id);
        let updates = cursor.update || prepared && is_row;
        if updates {
            // Nobody changes the rows between OPEN and the change through the cursor.
            self.driver.begin()?;
        }
        let values = match (&plan.rewritten, cursor.sensitive) {
            (Some(rewritten), true) => self.values(&plan, rewritten, inputs, None)?,
            _ => Vec::new(),
        };
        let values = values.into_iter().map(Bound::into_owned).collect();
        let how = How {
            locks: updates,
            ..How::default()
        };
        let mut ran = self.run_plan(&plan, inputs, how)?;
        if !updates && !cursor.sensitive {
            // Its rows go to the program in blocks: where it is in them is not known here.
            ran.ids.clear();
        }
        let opened = Opened {
            cursor: Cursor::new(cursor, ran.rows, ran.ids),
            plan,
            values,
            prepared: None,
        };
        self.cursors.insert(cursor.name.clone(), opened);
        Ok(SqlAnswer::done())
    }

    pub(super) fn fetch(
        &mut self,
        name: &str,
        to: SqlFetch,
        rows: u32,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let block = usize::try_from(rows).unwrap_or(1);
        let mut answer = self.fetched(name, to, Wanted::Row { block })?;
        if answer.rows.first().is_some_and(|row| row.values.is_empty()) {
            answer.rows.clear();
            let hole = coded(222, vec![bare(name)]);
            (answer.code, answer.state, answer.tokens) = (hole.code, hole.state, hole.tokens);
        }
        // Only a FETCH of several rows tells how many it gave.
        answer.count = 0;
        Ok(answer.of_rows(Vec::new()))
    }

    /// A rowset: no more than `most` rows, which is what the arrays of the program have room for.
    pub(super) fn fetch_rows(
        &mut self,
        name: &str,
        to: SqlFetch,
        (rows, most): (u32, u32),
    ) -> Result<SqlAnswer, SqlAnswer> {
        let open = self.cursors.get(name);
        let open = open.ok_or_else(|| coded(-501, Vec::new()))?;
        if !open.cursor.from.rowset {
            let clause = format!("{} ROWSET", word(to));
            return Err(coded(-249, vec![bare(name), clause]));
        }
        let wanted = usize::try_from(rows).ok().filter(|n| *n > 0);
        let size = open.cursor.size(wanted);
        if size > usize::try_from(most).unwrap_or(usize::MAX) {
            let tokens = vec![bare(name), size.to_string(), most.to_string()];
            return Err(coded(-246, tokens));
        }
        self.fetched(name, to, Wanted::Rowset(wanted))
    }

    fn fetched(
        &mut self,
        name: &str,
        to: SqlFetch,
        wanted: Wanted,
    ) -> Result<SqlAnswer, SqlAnswer> {
        let open = self.cursors.get_mut(name);
        let open = open.ok_or_else(|| coded(-501, Vec::new()))?;
        match open.cursor.fetch(to, wanted) {
            Fetched::Rows(rows, code) => {
                let end = open.cursor.is_end(&rows);
                let tokens = match code {
                    20237 => vec![bare(name)],
                    _ => Vec::new(),
                };
                let (rows, holes) = self.rows_of(name, rows)?;
                let found = rows.len() - holes.len();
                let answer = SqlAnswer {
                    end,
                    rows,
                    count: u32::try_from(found).unwrap_or(u32::MAX),
                    ..coded(code, tokens)
                };
                Ok(answer.of_rows(holes))
            }
            Fetched::Moved => Ok(SqlAnswer::done()),
            Fetched::None => Ok(SqlAnswer {
                end: true,
                ..SqlAnswer::of(100, *b"02000")
            }),
            Fetched::NoCurrent => Ok(coded(231, vec![bare(name)])),
            Fetched::NotScrollable => Err(coded(-225, vec![bare(name)])),
        }
    }

    /// Rows of an open cursor, read again where it is sensitive, and those that are holes: a hole
    /// has no values.
    fn rows_of(
        &mut self,
        name: &str,
        rows: Range<usize>,
    ) -> Result<(Vec<SqlRow>, Vec<SqlCondition>), SqlAnswer> {
        let mut holes = Vec::new();
        let Some(open) = self.cursors.get_mut(name) else {
            return Ok((Vec::new(), holes));
        };
        if !open.cursor.from.sensitive {
            return Ok((open.cursor.give(rows), holes));
        }
        let hole = coded(222, vec![bare(name)]);
        let mut out = Vec::with_capacity(rows.len());
        let (plan, values) = (open.plan.clone(), open.values.clone());
        let ids: Vec<Option<i64>> = rows.map(|row| open.cursor.row_id(row).ok()).collect();
        for (n, id) in ids.into_iter().enumerate() {
            let found = match id {
                Some(id) => self.read_again(&plan, &values, id)?,
                None => None,
            };
            out.push(found.unwrap_or_else(|| {
                holes.push(SqlCondition::of(n + 1, &hole));
                SqlRow { values: Vec::new() }
            }));
        }
        Ok((out, holes))
    }

    pub(super) fn close_cursor(&mut self, name: &str) -> Result<SqlAnswer, SqlAnswer> {
        match self.cursors.remove(name) {
            Some(_) => Ok(SqlAnswer::done()),
            None => Err(coded(-501, Vec::new())),
        }
    }
}

impl Plan {
    /// The number in a host variable.
    fn number(&self, host: usize, inputs: &[SqlInput]) -> Option<i64> {
        match &inputs.get(self.input_of(host)?)?.value {
            SqlValue::Integer(number) => Some(*number),
            SqlValue::Decimal {
                digits, scale: 0, ..
            } => i64::try_from(*digits).ok(),
            _ => None,
        }
    }
}

/// Why a positioned change has no row: what is to be done, with which cursor, for which row.
fn no_row(why: &NoRow, (verb, cursor, row): (&str, &str, Option<i64>)) -> SqlAnswer {
    let cursor = cursor.to_owned();
    match why {
        NoRow::NotAtRow => coded(-508, Vec::new()),
        NoRow::Hole => coded(-222, vec![cursor]),
        NoRow::NotAtRowset => coded(-589, vec![cursor]),
        NoRow::NoRowsets => coded(-20185, vec![cursor]),
        NoRow::NotInRowset => {
            let row = row.map_or_else(String::new, |row| row.to_string());
            coded(-248, vec![verb.to_owned(), cursor, row])
        }
    }
}

/// The name of a cursor without its program.
pub(super) fn bare(name: &str) -> String {
    name.rsplit('.').next().unwrap_or_default().to_owned()
}

fn word(to: SqlFetch) -> &'static str {
    match to {
        SqlFetch::Next => "NEXT",
        SqlFetch::Prior => "PRIOR",
        SqlFetch::First => "FIRST",
        SqlFetch::Last => "LAST",
        SqlFetch::Current => "CURRENT",
        SqlFetch::Before => "BEFORE",
        SqlFetch::After => "AFTER",
        SqlFetch::Absolute(_) => "ABSOLUTE",
        SqlFetch::Relative(_) => "RELATIVE",
    }
}
