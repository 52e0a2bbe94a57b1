//! DFHAPRT: runs a transaction of a terminal in another region.
//!
//! What: asks its region to have the transaction run there, and ends as the task there did: with
//! its last output, its next transaction and its COMMAREA or channel, or with what the user is told
//! of its failure. Where the definition says DYNAMIC(YES) a program says where (`dynamic`). Not
//! here: sessions and what the task there asks of the terminal (`region/links`).

mod dynamic;
mod session;
mod way;

pub(crate) use dynamic::Dynamic;
pub(crate) use session::run as routing_session;

use transom_messages as messages;
use transom_region_commands::Executor;
use transom_types::{AbendCode, ProgramName, SysId, TransId};
use transom_wire::SUPPLIED;
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry};
use transom_wire::routing::RELAY;
use transom_workers::seam::{Host, Outcome};
use way::{Target, ended, send};

/// Where its program is found. Every region has the transaction, and nobody runs it: a relay task
/// is one of the user's own transaction.
pub(crate) const TRANSACTION: &str = "CRSR";
/// The same of a routing session.
pub(crate) const SESSION: &str = session::TRANSACTION;

/// Transactions and programs.
pub(crate) fn definitions() -> [(TransactionEntry, ProgramEntry); 2] {
    [
        definition(TRANSACTION, RELAY),
        definition(SESSION, session::PROGRAM),
    ]
}

fn definition(transid: &str, program: &[u8]) -> (TransactionEntry, ProgramEntry) {
    let program = ProgramName::from_field(program);
    let mut entry = ProgramEntry::new(program, &format!("{SUPPLIED}{transid}"));
    entry.concurrency = Concurrency::Threadsafe;
    let transid = TransId::from_field(transid.as_bytes());
    (TransactionEntry::new(transid, program), entry)
}

/// The program, at its start and whenever a routing program has ended.
pub(crate) fn run(
    kept: &mut Option<Box<Dynamic>>,
    executor: &mut Executor,
    host: &mut dyn Host,
) -> Outcome {
    if let Some(dynamic) = kept.take() {
        return dynamic.go_on(kept, executor, host);
    }
    let transid = executor.transid();
    let entry = TransactionEntry::find(host.shared(), transid);
    match entry.filter(TransactionEntry::is_routed) {
        // The routing program routes what users type; a START goes where the definition says, and
        // the program hears of it.
        Some(entry) if entry.dynamic => dynamic::begin(kept, executor, host, &entry),
        Some(entry) if !entry.is_remote() => dynamic::local(executor, host, entry.program),
        Some(entry) => {
            let target = Target::of(&entry, SysId::BLANK);
            let answer = send(executor, host, &target, None);
            ended(executor, host, transid, &target, answer)
        }
        None => {
            let text = messages::is::no_relay(transid).to_string();
            Outcome::Abend(AbendCode::from_field(b"ACRA"), text)
        }
    }
}
