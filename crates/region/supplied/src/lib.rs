//! Transactions every region has: sign-on, master terminal and so on, as programs of its own.
//!
//! What: [`Programs`] runs them, [`definitions`] names them; each is a file. They run as tasks in
//! workers, use the same commands as any program and keep nothing between inputs but a COMMAREA.

#![forbid(unsafe_code)]

mod abbreviation;
mod call;
mod clock;
mod definition;
mod edf;
mod good_morning;
mod interpreter;
mod latin;
mod master;
mod message_pages;
mod mirror;
mod page_retrieval;
mod panel;
mod prose;
mod queue_browser;
mod relay;
mod session;
mod sign_off;
mod sign_on;
mod trace_control;
mod words;
mod write_operator;

use interpreter::conversation::Interpreter;
use session::Session;
use transom_messages as messages;
use transom_region_commands::{Executor, SuppliedPrograms};
use transom_types::{AbendCode, ProgramName, TransId};
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry};
use transom_wire::{Module, SUPPLIED};
use transom_workers::seam::{Area, Host, Outcome};

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
    ("CETR", "DFHCETRA", trace_control::run),
    ("CEDF", "DFHEDFP", edf::control::terminal),
    ("CEDG", "DFHEDFPG", edf::control::terminal_read_only),
    ("CEDX", "DFHEDFPX", edf::control::transaction),
    ("CEDY", "DFHEDFPY", edf::control::transaction_read_only),
];

/// The supplied programs, as the executable hands them to its workers.
#[derive(Default)]
pub struct Programs {
    /// CECI of the running task that waits for the program it linked to.
    waiting: Option<Box<Interpreter>>,
    /// The LINK of a mirror, while its program runs.
    linked: Option<Box<mirror::Linked>>,
    /// A transaction whose routing program runs.
    routing: Option<Box<relay::Dynamic>>,
}

impl SuppliedPrograms for Programs {
    fn run(
        &mut self,
        executor: &mut Executor,
        host: &mut dyn Host,
        module: &Module,
        area: Area,
    ) -> Outcome {
        let name = module.path.strip_prefix(SUPPLIED).unwrap_or_default();
        if name == mirror::TRANSACTION {
            return mirror::run(&mut self.linked, executor, host);
        }
        if name == relay::TRANSACTION {
            return relay::run(&mut self.routing, executor, host);
        }
        if name == relay::SESSION {
            return relay::routing_session(executor, host);
        }
        let Some((_, _, program)) = TRANSACTIONS.iter().find(|row| row.0 == name) else {
            let text = messages::pg::not_supplied(module.program).to_string();
            return Outcome::Abend(AbendCode::APCT, text);
        };
        program(&mut Session::new(&mut self.waiting, executor, host, area))
    }

    fn task_ended(&mut self) {
        self.waiting = None;
        self.linked = None;
        self.routing = None;
    }
}

/// Definitions of the supplied transactions and programs.
pub fn definitions() -> impl Iterator<Item = (TransactionEntry, ProgramEntry)> {
    let own = TRANSACTIONS.iter().map(|(transid, program, _)| {
        let program = ProgramName::from_field(program.as_bytes());
        let mut entry = ProgramEntry::new(program, &format!("{SUPPLIED}{transid}"));
        entry.concurrency = Concurrency::Threadsafe;
        let transid = TransId::from_field(transid.as_bytes());
        let mut transaction = TransactionEntry::new(transid, program);
        // An operator must get in while applications fill the region.
        transaction.priority = 255;
        transaction.shutdown_enabled = true;
        // What they do is checked as the user's own commands are.
        transaction.cmdsec = transid.as_str() != "CEOT";
        transaction.ressec = matches!(transid.as_str(), "CECI" | "CEBR");
        (transaction, entry)
    });
    own.chain([mirror::definition()])
        .chain(relay::definitions())
}

/// What every worker process runs commands with, supplied programs among them; the executable hands
/// it to its zygote.
pub fn make_commands() -> Box<dyn transom_workers::seam::Commands> {
    let (programs, edf) = (Programs::default(), edf::Edf::default());
    Box::new(Executor::with_supplied(Box::new(programs), Box::new(edf)))
}
