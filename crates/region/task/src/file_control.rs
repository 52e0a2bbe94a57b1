//! What a task knows of the files it uses: browses, records held for update, changes.

use crate::rid_kind::RidKind;
use std::collections::HashSet;
use transom_datasets::{Batch, Find, Position};
use transom_recovery::Direction;
use transom_types::FileName;
use transom_wire::definitions::FileShape;
use transom_workers::seam::Address;

/// Browses and records held for update of one task; more raise INVREQ.
pub const HELD_MAX: usize = 10_000;

/// What a task knows of the files it uses.
#[derive(Default)]
pub struct TaskFiles {
    pub browses: Vec<Browse>,
    pub held: Vec<HeldRecord>,
    /// Tables and base keys of records that REPEATABLE keeps as they are.
    pub kept: HashSet<(String, Vec<u8>)>,
    /// Storage that READ SET handed out, by file.
    pub areas: Vec<(FileName, Address)>,
    /// Tables of base records with changes that are not committed.
    pub changed: Vec<String>,
    pub last_token: u32,
}

/// A record read for update.
pub struct HeldRecord {
    pub file: FileName,
    /// `None`: without TOKEN.
    pub token: Option<u32>,
    /// Base data set: other files may show the same record.
    pub base: String,
    pub position: Position,
    /// A REWRITE cannot be refused, as far as the region knows.
    pub sure: Option<Sure>,
}

/// As long as the worker has asked for nothing else, a record of the same length and key can be
/// written without waiting for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sure {
    /// Questions of the worker until then.
    pub asked: u64,
    /// Bytes of the record.
    pub length: usize,
}

impl TaskFiles {
    /// Takes the record that REWRITE, DELETE or UNLOCK means out of those held.
    pub fn held(&self, file: FileName, token: Option<u32>) -> Option<usize> {
        self.held
            .iter()
            .position(|held| held.file == file && held.token == token)
    }

    /// The task uses this file: what it has begun it may end when others may not begin.
    pub fn uses(&self, file: FileName, shape: Option<&FileShape>) -> bool {
        self.browses.iter().any(|browse| browse.file() == file)
            || self.held.iter().any(|held| held.file == file)
            || shape.is_some_and(|shape| self.changed.contains(&shape.base))
    }

    /// A change that belongs to the unit of work, or was made at once.
    pub fn changed(&mut self, shape: &FileShape, recoverable: bool) {
        for browse in &mut self.browses {
            browse.forget_ahead(&shape.base);
        }
        if recoverable && !self.changed.contains(&shape.base) {
            self.changed.push(shape.base.clone());
        }
    }
}

/// A browse of a task.
pub struct Browse {
    pub file: FileName,
    pub reqid: i64,
    pub kind: RidKind,
    pub find: Find,
    /// Bytes of the generic key.
    pub generic: Option<usize>,
    pub place: Place,
    /// What RIDFLD held when the program saw it last.
    pub shown: Vec<u8>,
    /// Table of the base records.
    pub base: String,
    /// The record read last.
    pub position: Position,
    pub ahead: Batch,
    /// Batches read in this direction.
    pub batches: usize,
    /// TOKEN of the record it holds for update.
    pub token: Option<u32>,
}

/// Where a browse stands.
#[derive(Clone)]
pub enum Place {
    /// At a key that was asked for.
    Key(Vec<u8>),
    /// Behind the last record.
    High,
    /// At the record read last, in this direction.
    On(Direction),
}

impl Browse {
    /// The file.
    pub fn file(&self) -> FileName {
        self.file
    }

    /// Records read ahead may be old now.
    pub fn forget_ahead(&mut self, base: &str) {
        if self.base == base {
            self.ahead.clear();
        }
    }
}
