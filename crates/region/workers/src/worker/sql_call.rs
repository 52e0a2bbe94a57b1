//! One EXEC SQL call as commands see it.

use super::call::Bad;
use super::edge::{self, Argument};
use super::state::Worker;
use crate::seam::{Item, ItemKind, Outcome, SqlCall};
use std::cell::Cell;
use std::ffi::c_int;
use transom_commands::sql::{Role, View};
use transom_types::AbendCode;

/// libcob's field types and flags (common.h of GnuCOBOL 3.1).
const TYPE_DISPLAY: i32 = 0x10;
const TYPE_BINARY: i32 = 0x11;
const TYPE_PACKED: i32 = 0x12;
const TYPE_FLOAT: i32 = 0x13;
const TYPE_DOUBLE: i32 = 0x14;
const TYPE_NATIONAL: i32 = 0x40;
const TYPE_NATIONAL_EDITED: i32 = 0x41;
const FLAG_SIGN: u32 = 1;
const FLAG_SEPARATE: u32 = 2;
const FLAG_LEADING: u32 = 4;
const FLAG_SWAP: u32 = 0x20;

/// Descriptor and items of a call; lives as long as the call.
pub(crate) struct EdgeSqlCall<'a> {
    view: View<'a>,
    items: &'a [Argument],
    /// An item whose storage is not there was used; the task ends.
    bad: Cell<bool>,
}

impl<'a> EdgeSqlCall<'a> {
    pub(crate) fn new(view: View<'a>, items: &'a [Argument]) -> Self {
        Self {
            view,
            items,
            bad: Cell::new(false),
        }
    }

    /// An item without storage was used.
    pub(crate) fn was_bad(&self) -> bool {
        self.bad.get()
    }

    /// All of an item or nothing of it: a value has no use for a part.
    fn reach(&self, n: usize, write: bool) -> Option<&Argument> {
        let item = self.items.get(n)?;
        if item.size == 0 || edge::reach(item.data as usize, item.size, write) == item.size {
            return Some(item);
        }
        self.bad.set(true);
        None
    }
}

impl SqlCall for EdgeSqlCall<'_> {
    fn statement(&self) -> View<'_> {
        self.view
    }

    fn roles(&self) -> Vec<Role> {
        self.view.roles().collect()
    }

    fn item(&self, n: usize) -> Item {
        let Some(item) = self.items.get(n).filter(|item| !item.field.is_null()) else {
            return Item::NONE;
        };
        let has = |flag| item.flags & flag != 0;
        let kind = match item.kind {
            TYPE_DISPLAY => ItemKind::Zoned {
                separate: has(FLAG_SEPARATE),
                leading: has(FLAG_LEADING),
            },
            TYPE_BINARY => ItemKind::Binary {
                // One byte has no order.
                big: has(FLAG_SWAP),
            },
            TYPE_PACKED => ItemKind::Packed,
            TYPE_FLOAT => ItemKind::Float,
            TYPE_DOUBLE => ItemKind::Double,
            TYPE_NATIONAL | TYPE_NATIONAL_EDITED => ItemKind::National,
            _ => ItemKind::Text,
        };
        Item {
            kind,
            digits: item.digits,
            scale: item.scale,
            signed: has(FLAG_SIGN),
        }
    }

    fn bytes(&self, n: usize) -> &[u8] {
        match self.reach(n, false) {
            Some(item) if item.size > 0 => {
                // SAFETY: just touched, and the program is stopped. Only in storage that programs
                // share may another one store meanwhile: then bytes change between two looks;
                // nothing is found by them that Rust relies on (values are made byte by byte).
                unsafe { std::slice::from_raw_parts(item.data, item.size) }
            }
            _ => &[],
        }
    }

    fn bytes_mut(&mut self, n: usize) -> &mut [u8] {
        match self.reach(n, true).copied() {
            Some(item) if item.size > 0 => {
                // SAFETY: as above, and writable.
                unsafe { std::slice::from_raw_parts_mut(item.data, item.size) }
            }
            _ => &mut [],
        }
    }
}

impl Worker {
    /// Runs an SQL statement, which runs no program.
    pub(super) fn execute_sql(&mut self, descriptor: &[u8], arguments: &[Argument]) -> c_int {
        let view = View::new(descriptor).filter(|v| v.roles().count() == arguments.len());
        let outcome = match view {
            Some(view) => {
                let mut call = EdgeSqlCall::new(view, arguments);
                let outcome = self.commands.sql(&mut self.host, &mut call);
                let bad = call.was_bad().then_some(Bad::Input);
                self.after_command(outcome, bad, view.line)
            }
            None => {
                let text = "the descriptor of an SQL statement was overwritten";
                Outcome::Abend(AbendCode::ASRA, text.to_owned())
            }
        };
        match outcome {
            Outcome::Abend(code, text) => {
                self.pending = Some(self.abend(code, &text));
                edge::DO_UNWIND
            }
            _ => 0,
        }
    }
}
