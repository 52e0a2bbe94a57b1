//! What a program keeps of SQL: rows of its cursors that came in advance, and its last statement.

use std::collections::{HashMap, VecDeque};
use transom_wire::sql::{SqlAnswer, SqlCondition, SqlConditions, SqlRow};

/// Cursors by program and name.
#[derive(Default)]
pub struct ProgramSql {
    pub blocks: HashMap<String, Block>,
    /// Nothing is changed in the unit of work, as its last answer said.
    pub reads: bool,
    /// What became of the last statement.
    pub last: Option<Last>,
}

/// What GET DIAGNOSTICS tells of.
pub struct Last {
    pub rows: u32,
    /// The last row of a cursor was among those of a FETCH.
    pub end: bool,
    /// What became of the statement.
    whole: SqlCondition,
    /// Rows that were not as they should be.
    of_rows: Option<Box<SqlConditions>>,
}

impl Last {
    pub fn of(answer: SqlAnswer) -> Self {
        Self {
            rows: answer.count,
            end: answer.end,
            whole: SqlCondition {
                row: 0,
                code: answer.code,
                state: answer.state,
                tokens: answer.tokens,
            },
            of_rows: answer.conditions,
        }
    }

    /// What became of the statement, then of each row that was not as it should be.
    pub fn conditions(&self) -> impl Iterator<Item = &SqlCondition> {
        let of_rows = self.of_rows.as_ref().map_or(&[][..], |rows| &rows.all);
        std::iter::once(&self.whole).chain(of_rows)
    }
}

/// A cursor that was opened.
pub struct Block {
    /// Rows come in advance: nobody updates them or goes back.
    pub blocks: bool,
    hold: bool,
    /// Rows that were not fetched yet.
    pub rows: VecDeque<SqlRow>,
    /// There are no others.
    pub end: bool,
    /// How many to ask for next.
    pub next: u32,
}

impl Block {
    pub fn new(blocks: bool, hold: bool, next: u32) -> Self {
        Self {
            blocks,
            hold,
            rows: VecDeque::new(),
            end: false,
            next,
        }
    }
}

impl ProgramSql {
    /// The unit of work has ended: only a commit leaves cursors WITH HOLD.
    pub fn unit_ended(&mut self, rollback: bool) {
        self.blocks.retain(|_, block| block.hold && !rollback);
        self.reads = false;
    }
}
