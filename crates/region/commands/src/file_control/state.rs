//! What a task knows of the files it uses: browses, records held for update, changes.

use super::rid_kind::RidKind;
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
pub(crate) struct TaskFiles {
    pub(super) browses: Vec<Browse>,
    pub(super) held: Vec<HeldRecord>,
    /// Tables and base keys of records that REPEATABLE keeps as they are.
    pub(super) kept: HashSet<(String, Vec<u8>)>,
    /// Storage that READ SET handed out, by file.
    pub(super) areas: Vec<(FileName, Address)>,
    /// Tables of base records with changes that are not committed.
    pub(super) changed: Vec<String>,
    pub(super) last_token: u32,
}

/// A record read for update.
pub(super) struct HeldRecord {
    pub(super) file: FileName,
    /// `None`: without TOKEN.
    pub(super) token: Option<u32>,
    /// Base data set: other files may show the same record.
    pub(super) base: String,
    pub(super) position: Position,
}

impl TaskFiles {
    /// Takes the record that REWRITE, DELETE or UNLOCK means out of those held.
    pub(super) fn held(&self, file: FileName, token: Option<u32>) -> Option<usize> {
        self.held
            .iter()
            .position(|held| held.file == file && held.token == token)
    }

    /// The task uses this file: what it has begun it may end when others may not begin.
    pub(super) fn uses(&self, file: FileName, shape: Option<&FileShape>) -> bool {
        self.browses.iter().any(|browse| browse.file() == file)
            || self.held.iter().any(|held| held.file == file)
            || shape.is_some_and(|shape| self.changed.contains(&shape.base))
    }

    /// A change that belongs to the unit of work, or was made at once.
    pub(super) fn changed(&mut self, shape: &FileShape, recoverable: bool) {
        for browse in &mut self.browses {
            browse.forget_ahead(&shape.base);
        }
        if recoverable && !self.changed.contains(&shape.base) {
            self.changed.push(shape.base.clone());
        }
    }
}

/// A browse of a task.
pub(crate) struct Browse {
    pub(super) file: FileName,
    pub(super) reqid: i64,
    pub(super) kind: RidKind,
    pub(super) find: Find,
    /// Bytes of the generic key.
    pub(super) generic: Option<usize>,
    pub(super) place: Place,
    /// What RIDFLD held when the program saw it last.
    pub(super) shown: Vec<u8>,
    /// Table of the base records.
    pub(super) base: String,
    /// The record read last.
    pub(super) position: Position,
    pub(super) ahead: Batch,
    /// Batches read in this direction.
    pub(super) batches: usize,
    /// TOKEN of the record it holds for update.
    pub(super) token: Option<u32>,
}

/// Where a browse stands.
#[derive(Clone)]
pub(super) enum Place {
    /// At a key that was asked for.
    Key(Vec<u8>),
    /// Behind the last record.
    High,
    /// At the record read last, in this direction.
    On(Direction),
}

impl Browse {
    /// The file.
    pub(super) fn file(&self) -> FileName {
        self.file
    }

    /// Records read ahead may be old now.
    pub(super) fn forget_ahead(&mut self, base: &str) {
        if self.base == base {
            self.ahead.clear();
        }
    }
}
