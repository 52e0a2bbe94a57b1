//! What a task keeps of SQL: rows of its cursors that came in advance, and its last statement.

use std::collections::{HashMap, VecDeque};
use transom_wire::sql::{SqlAnswer, SqlRow};

/// Cursors by program and name.
#[derive(Default)]
pub struct TaskSql {
    pub blocks: HashMap<String, Block>,
    /// What became of the last statement.
    pub last: Option<Last>,
}

/// What GET DIAGNOSTICS tells of.
pub struct Last {
    pub code: i32,
    pub state: [u8; 5],
    pub tokens: Vec<String>,
    pub rows: u32,
}

impl Last {
    pub fn of(answer: SqlAnswer) -> Self {
        Self {
            code: answer.code,
            state: answer.state,
            tokens: answer.tokens,
            rows: answer.count,
        }
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

impl TaskSql {
    /// The unit of work has ended: only a commit leaves cursors WITH HOLD.
    pub fn unit_ended(&mut self, rollback: bool) {
        self.blocks.retain(|_, block| block.hold && !rollback);
    }
}
