//! Items of auxiliary storage that lie on disk: handed to the region, fetched and freed by their
//! token.
//!
//! Not here: where a token stands (`transom_wire::temporary_storage`), the file (region side).

use transom_region_task::command::{Cx, Fail};
use transom_types::{Resp, TsQueueName};
use transom_wire::language::whole;
use transom_wire::temporary_storage::{Request, Token};

/// Tokens of one request to free them.
const FREE_MAX: usize = 4_000;

/// Hands an item to the region; `None`: it has no room either.
pub(crate) fn spill(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    data: &[u8],
) -> Result<Option<Token>, Fail> {
    match cx.ask(&Request::Spill(*name, data.to_vec())) {
        Ok(answer) => Ok(whole(&answer).map(|number| Token {
            number,
            bytes: data.len() as u32,
        })),
        Err(Fail::Raise(..)) => Ok(None),
        Err(abend) => Err(abend),
    }
}

/// An item's bytes; `None`: another task replaced or deleted it just now.
pub(crate) fn fetch(
    cx: &mut Cx<'_>,
    name: &TsQueueName,
    token: u64,
) -> Result<Option<Vec<u8>>, Fail> {
    match cx.ask(&Request::Fetch(*name, token)) {
        Ok(data) => Ok(Some(data)),
        Err(Fail::Raise(Resp::NOTFND, _)) => Ok(None),
        Err(fail) => Err(fail),
    }
}

/// Nobody can find these items any more.
pub fn free(cx: &mut Cx<'_>, name: &TsQueueName, tokens: &[u64]) -> Result<(), Fail> {
    for tokens in tokens.chunks(FREE_MAX) {
        cx.ask(&Request::Free(*name, tokens.to_vec()))?;
    }
    Ok(())
}
