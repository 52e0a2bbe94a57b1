//! Transactions every region has: sign-on, master terminal and so on, as programs of its own.
//!
//! What: [`run`] finds the program; each is a file. They run as tasks in workers, use the same
//! commands as any program and keep nothing between inputs but a COMMAREA.

mod call;
mod clock;
mod definition;
pub(crate) mod definition_request;
mod good_morning;
mod interpret;
mod interpreter;
mod master;
mod message_pages;
mod page_retrieval;
mod panel;
mod queue_browser;
mod session;
mod sign_off;
mod sign_on;
mod write_operator;

use crate::definitions::{Concurrency, ProgramEntry, TransactionEntry};
use crate::exec::Executor;
use session::Session;
use transom_types::{AbendCode, ProgramName, TransId};
use transom_workers::seam::{Area, Host, Module, Outcome, SUPPLIED};

/// A supplied program.
type Program = fn(&mut Session<'_>) -> Outcome;

/// Transactions, the program each starts, and what runs.
#[rustfmt::skip]
const TRANSACTIONS: &[(&str, &str, Program)] = &[
    ("CSGM", "DFHGMM", good_morning::run),
    ("CESN", "DFHSNP", sign_on::password),
    ("CESL", "DFHSNL", sign_on::phrase),
    ("CESF", "DFHSFP", sign_off::run),
    ("CEBR", "DFHEDFBR", queue_browser::run),
    ("CMAC", "DFHCMAC", message_pages::run),
    ("CWTO", "DFHCWTO", write_operator::run),
    ("CSPG", "DFHTPR", page_retrieval::run),
    ("CEDA", "DFHEDAP", definition::all),
    ("CEDB", "DFHEDBP", definition::without_install),
    ("CEDC", "DFHEDCP", definition::view_only),
    ("CECI", "DFHECIP", interpreter::run),
    ("CECS", "DFHECSP", interpreter::check_only),
    ("CEMT", "DFHEMTP", master::run),
    ("CEOT", "DFHEOTP", master::own_terminal),
    ("CETR", "DFHCETRA", master::trace),
];

/// Where a supplied program goes on after a LINK.
#[derive(Default)]
pub(crate) struct TaskSupplied {
    /// CECI that waits for the program it linked to.
    pub(crate) interpreter: Option<Box<interpreter::Interpreter>>,
}

/// Definitions of the supplied transactions and programs.
pub(crate) fn definitions() -> impl Iterator<Item = (TransactionEntry, ProgramEntry)> {
    TRANSACTIONS.iter().map(|(transid, program, _)| {
        let program = ProgramName::from_field(program.as_bytes());
        let mut entry = ProgramEntry::new(program, &format!("{SUPPLIED}{transid}"));
        entry.concurrency = Concurrency::Threadsafe;
        let transid = TransId::from_field(transid.as_bytes());
        let mut transaction = TransactionEntry::new(transid, program);
        // An operator must get in while applications fill the region.
        transaction.priority = 255;
        // What they do is checked as the user's own commands are.
        transaction.cmdsec = transid.as_str() != "CEOT";
        transaction.ressec = matches!(transid.as_str(), "CECI" | "CEBR");
        (transaction, entry)
    })
}

/// The transaction belongs to the region itself.
pub(crate) fn is_supplied(transid: TransId) -> bool {
    TRANSACTIONS.iter().any(|row| row.0 == transid.as_str())
}

/// Runs a supplied program.
pub(crate) fn run(
    executor: &mut Executor,
    host: &mut dyn Host,
    module: &Module,
    area: Area,
) -> Outcome {
    let name = module.path.strip_prefix(SUPPLIED).unwrap_or_default();
    let Some((_, _, program)) = TRANSACTIONS.iter().find(|row| row.0 == name) else {
        let text = format!("TXMPG0024E there is no supplied program {}", module.program);
        return Outcome::Abend(AbendCode::APCT, text);
    };
    program(&mut Session::new(executor, host, area))
}
