//! Items of auxiliary storage that lie on disk: handed to the region, fetched and freed by their
//! token.
//!
//! Not here: where a token stands (`transom_wire::temporary_storage`), the file (region side).

use crate::command::{Cx, Fail};
use transom_types::Resp;
use transom_wire::requests::Domain;
use transom_wire::temporary_storage::{Token, ask};

/// Tokens of one request to free them.
const FREE_MAX: usize = 4_000;

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
