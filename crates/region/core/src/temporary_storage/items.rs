//! Items of one queue in shared memory, and items that lie on disk because memory is nearly full.
//!
//! What: where an item stands in its group, and the tokens of items the region keeps on disk (`region::queues::spill`).
//! Item n stands at 2n, its token at 2n + 1, so that a group stays in the order of its items. Not here: who
//! decides what goes to disk (`writeq`).

use super::ask;
use crate::command::{Cx, Fail};
use crate::requests::Domain;
use transom_types::Resp;
use transom_workers::seam::{Group, Shared, Space};

/// Percent of shared storage in use from which on auxiliary items go to disk.
pub(crate) const SPILL_FROM_PERCENT: u8 = 70;
/// Shorter items stay in memory: a token takes nearly as much.
pub(crate) const SPILL_BYTES_MIN: usize = 128;
/// Bytes of a token: number, length of the item.
const TOKEN_BYTES: usize = 12;
/// Tokens of one request to free them.
const FREE_MAX: usize = 4_000;

/// An item on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    /// The region's number of it; never given twice.
    pub number: u64,
    /// Length of the item.
    pub bytes: u32,
}

/// Where an item lies.
pub(crate) enum Item<'a> {
    /// In memory.
    Here(&'a [u8]),
    /// On disk.
    Spilled(Token),
}

impl Item<'_> {
    /// Length of the item.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Here(data) => data.len(),
            Self::Spilled(token) => token.bytes as usize,
        }
    }

    /// Its token, when it is on disk.
    pub(crate) fn token(&self) -> Option<u64> {
        match self {
            Self::Here(_) => None,
            Self::Spilled(token) => Some(token.number),
        }
    }
}

/// What is to be written.
#[derive(Clone, Copy)]
pub(crate) enum New<'a> {
    /// Its bytes.
    Data(&'a [u8]),
    /// The token of bytes the region has.
    Token(Token),
}

impl New<'_> {
    /// Length of the item.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Data(data) => data.len(),
            Self::Token(token) => token.bytes as usize,
        }
    }
}

/// An item of a queue, from 1.
pub(crate) fn item(group: &dyn Group, n: u32) -> Option<Item<'_>> {
    if let Some(data) = group.get(data_slot(n)) {
        return Some(Item::Here(data));
    }
    let token = group.get(token_slot(n))?;
    Some(Item::Spilled(Token {
        number: u64::from_be_bytes(*token.first_chunk()?),
        bytes: u32::from_be_bytes(*token.last_chunk()?),
    }))
}

/// Stores an item in place of another one or behind the last; `false`: shared storage is full, nothing changed.
#[must_use]
pub(crate) fn put(group: &mut dyn Group, n: u32, new: New<'_>) -> bool {
    let (to, other) = match new {
        New::Data(_) => (data_slot(n), token_slot(n)),
        New::Token(_) => (token_slot(n), data_slot(n)),
    };
    let stored = match new {
        New::Data(data) => group.put(to, data),
        New::Token(token) => {
            let mut bytes = Vec::with_capacity(TOKEN_BYTES);
            bytes.extend_from_slice(&token.number.to_be_bytes());
            bytes.extend_from_slice(&token.bytes.to_be_bytes());
            group.put(to, &bytes)
        }
    };
    if stored {
        group.remove(other);
    }
    stored
}

/// Removes an item that was put just now.
pub(crate) fn remove(group: &mut dyn Group, n: u32) {
    group.remove(data_slot(n));
    group.remove(token_slot(n));
}

/// Deletes the queue; answers the tokens of its items, which the region has to free.
pub(crate) fn empty(group: &mut dyn Group) -> Vec<u64> {
    let tokens = group.items().into_iter().filter(|slot| slot % 2 == 1);
    let tokens = tokens.filter_map(|slot| item(group, slot / 2)?.token());
    let tokens = tokens.collect();
    group.remove_all();
    tokens
}

fn data_slot(n: u32) -> u32 {
    n.saturating_mul(2)
}

fn token_slot(n: u32) -> u32 {
    n.saturating_mul(2).saturating_add(1)
}

/// Items of auxiliary storage go to disk.
pub(crate) fn is_nearly_full(shared: &dyn Shared) -> bool {
    shared.percent_used() >= SPILL_FROM_PERCENT
}

/// Hands an item to the region; `None`: it has no room either.
pub(crate) fn spill(cx: &mut Cx<'_>, data: &[u8]) -> Result<Option<Token>, Fail> {
    let mut request = super::request(ask::SPILL, &[b' '; 16], data.len());
    request.raw(data);
    match cx.ask(Domain::TemporaryStorage, &request.0) {
        Ok(answer) => Ok(answer.first_chunk().map(|number| Token {
            number: u64::from_be_bytes(*number),
            bytes: data.len() as u32,
        })),
        Err(Fail::Raise(..)) => Ok(None),
        Err(abend) => Err(abend),
    }
}

/// An item's bytes; `None`: another task replaced or deleted it just now.
pub(crate) fn fetch(cx: &mut Cx<'_>, token: u64) -> Result<Option<Vec<u8>>, Fail> {
    let mut request = super::request(ask::FETCH, &[b' '; 16], 8);
    request.u64(token);
    match cx.ask(Domain::TemporaryStorage, &request.0) {
        Ok(data) => Ok(Some(data)),
        Err(Fail::Raise(Resp::NOTFND, _)) => Ok(None),
        Err(fail) => Err(fail),
    }
}

/// Nobody can find these items any more.
pub(crate) fn free(cx: &mut Cx<'_>, tokens: &[u64]) -> Result<(), Fail> {
    for tokens in tokens.chunks(FREE_MAX) {
        let mut request = super::request(ask::FREE, &[b' '; 16], tokens.len() * 8);
        for token in tokens {
            request.u64(*token);
        }
        cx.ask(Domain::TemporaryStorage, &request.0)?;
    }
    Ok(())
}

/// Deletes a queue that satisfies a condition; answers whether there was one and it did, and its tokens.
pub(crate) fn delete_if(
    shared: &dyn Shared,
    name: &[u8],
    condition: &dyn Fn(&super::Header) -> bool,
) -> (Option<bool>, Vec<u64>) {
    let (mut found, mut tokens) = (None, Vec::new());
    shared.with_group(Space::TsMain, name, &mut |group| {
        found = super::Header::read(group).map(|header| condition(&header));
        if found == Some(true) {
            tokens = empty(group);
        }
    });
    (found, tokens)
}
