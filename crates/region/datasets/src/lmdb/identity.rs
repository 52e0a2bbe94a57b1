//! Which store this is, whatever folder it lies in.
//!
//! What: a number that a store gets once, by chance, and that its copies have too. Why beside the
//! number in the header (`header`): that one tells files apart that lie together, and a copy that
//! begins a life of its own gets another. Not here: who asks.

use super::error::translate;
use super::map::Tree;
use heed::{RoTxn, RwTxn};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use transom_recovery::StoreError;

const KEY: &[u8] = b"identity";

/// Number of a store and of all its copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity(pub u64);

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// The identity of a store; none: it has not got one yet.
pub(super) fn read(meta: Tree, txn: &RoTxn<'_>) -> Result<Option<Identity>, StoreError> {
    let stored = meta.get(txn, KEY).map_err(translate)?;
    let number = stored.and_then(|bytes| bytes.try_into().ok());
    Ok(number.map(|bytes| Identity(u64::from_be_bytes(bytes))))
}

/// Gives a store one.
pub(super) fn choose(meta: Tree, txn: &mut RwTxn<'_>) -> Result<(), StoreError> {
    let number = RandomState::new().build_hasher().finish();
    meta.put(txn, KEY, &number.to_be_bytes()).map_err(translate)
}
