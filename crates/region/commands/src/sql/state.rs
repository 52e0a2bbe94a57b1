//! What a task keeps of SQL: rows of its cursors that came in advance, and its last statement.

use std::collections::{HashMap, VecDeque};
use transom_wire::sql::{SqlAnswer, SqlRow};

/// Cursors by program and name.
#[derive(Default)]
pub(crate) struct TaskSql {
    pub(crate) blocks: HashMap<String, Block>,
    /// What became of the last statement.
    pub(crate) last: Option<Last>,
}

/// What GET DIAGNOSTICS tells of.
pub(crate) struct Last {
    pub(crate) code: i32,
    pub(crate) state: [u8; 5],
    pub(crate) tokens: Vec<String>,
    pub(crate) rows: u32,
}

impl Last {
    pub(crate) fn of(answer: SqlAnswer) -> Self {
        Self {
            code: answer.code,
            state: answer.state,
            tokens: answer.tokens,
            rows: answer.count,
        }
    }
}

/// A cursor that was opened.
pub(crate) struct Block {
    /// Rows come in advance: nobody updates them or goes back.
    pub(crate) blocks: bool,
    hold: bool,
    /// Rows that were not fetched yet.
    pub(crate) rows: VecDeque<SqlRow>,
    /// There are no others.
    pub(crate) end: bool,
    /// How many to ask for next.
    pub(crate) next: u32,
}

impl Block {
    pub(crate) fn new(blocks: bool, hold: bool, next: u32) -> Self {
        Self {
            blocks,
            hold,
            rows: VecDeque::new(),
            end: false,
            next,
        }
    }
}

impl TaskSql {
    /// The unit of work has ended: only a commit leaves cursors WITH HOLD.
    pub(crate) fn unit_ended(&mut self, rollback: bool) {
        self.blocks.retain(|_, block| block.hold && !rollback);
    }
}
