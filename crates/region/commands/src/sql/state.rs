//! What a task keeps of SQL: rows of its cursors that came in advance.

use std::collections::{HashMap, VecDeque};
use transom_wire::sql::SqlRow;

/// Cursors by program and name.
#[derive(Default)]
pub(crate) struct TaskSql {
    pub(crate) blocks: HashMap<String, Block>,
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
