//! Which transaction an input means.
//!
//! Order, as documented for CICS: the transaction RETURN TRANSID named; the terminal's own
//! transaction; the transaction of the key (TASKREQ); the first one to four characters typed.

use super::record::Terminal;
use transom_datastream::Aid;
use transom_types::TransId;
use transom_wire::definitions::UpperCase;
use transom_wire::inbound::InboundRecord;

/// What follows from an input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Run this transaction.
    Run(TransId),
    /// Nothing, but the user must be able to go on typing.
    Nothing,
}

/// Chooses; `of_key` knows TASKREQ.
pub(super) fn choose(
    terminal: &Terminal,
    record: &InboundRecord,
    of_key: impl Fn(u8) -> Option<TransId>,
) -> Choice {
    let Some(aid) = record.aid().filter(|_| record.is_read()) else {
        return Choice::Nothing;
    };
    if aid == Aid::NONE || !terminal.definition.tti {
        return Choice::Nothing;
    }
    let next = terminal.next.as_ref().map(|next| next.transid);
    let chosen = next
        .or(terminal.definition.transaction)
        .or_else(|| of_key(aid.0))
        .or_else(|| typed(terminal, record));
    chosen.map_or(Choice::Nothing, Choice::Run)
}

/// The transaction at the beginning of what was typed.
fn typed(terminal: &Terminal, record: &InboundRecord) -> Option<TransId> {
    let text = record.typed()?;
    let page = terminal.page();
    let name: Vec<u8> = text
        .iter()
        .map(|byte| page.to_latin1[usize::from(*byte)])
        .skip_while(|byte| *byte <= b' ')
        .take_while(|byte| *byte > b' ')
        .take(4)
        .collect();
    let name = match terminal.definition.upper_case {
        UpperCase::No => name,
        UpperCase::Yes | UpperCase::TransactionId => name.to_ascii_uppercase(),
    };
    (!name.is_empty()).then(|| TransId::from_field(&name))
}
