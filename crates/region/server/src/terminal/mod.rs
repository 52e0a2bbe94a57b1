//! Terminals: sessions, input, output, pseudo-conversations.
//!
//! What: one [`Terminal`] for each session, found by name; what doors call ([`logon`], [`input`],
//! [`attention`], [`logoff`]), and [`start_at`] for tasks a START asks for. Reading order: here,
//! `table` (who is there), `record` (one terminal), `choice` (which transaction an input means),
//! `run` (its task), `asks` (what the task wants of its terminal), `print` (what it wants of
//! others), `paging` (messages of several pages). Not here: commands (worker side), telnet and TLS
//! (doors).
//!
//! Locks: the table, then one terminal; neither is held while a task is started or an ask answered.

mod asks;
mod choice;
mod idle;
mod message;
mod names;
mod paging;
mod print;
mod record;
mod run;
mod table;

pub(super) use asks::answer;
pub(super) use paging::BYTES_MAX as PAGE_BYTES_MAX;
use transom_messages as messages;

use super::gauge::Gauge;
use super::replier::lock;
use super::starter::NewTask;
use super::{Inner, TerminalConfig, interval, transient_data};
use record::Terminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use table::Table;
use transom_region_api::{
    Attention, Logon, LogonRefused, Seat, SeatRefused, Session, Statistic, TerminalOutput,
};
use transom_types::{TermId, TransId, UserId};
use transom_wire::terminal::Input;

/// Tasks that may wait for one terminal (START TERMID); more are refused.
pub(crate) const STARTS_MAX: usize = 100;
/// Terminals when nothing else is said.
pub(crate) const TERMINALS_MAX: usize = 10_000;

type Shared = Arc<Mutex<Terminal>>;

/// State of the service.
#[derive(Default)]
pub(crate) struct Terminals {
    config: OnceLock<TerminalConfig>,
    table: Mutex<Table>,
    /// Sign-ons so far; tells one from the next.
    sign_ons: AtomicU64,
    /// Tasks that wait for one terminal, of all terminals the most.
    starts: Gauge,
    paging: Mutex<paging::Book>,
}

/// Why a task was not started at a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotStarted {
    /// It is not logged on, or ATI(NO).
    Absent,
    /// Too many tasks wait for it.
    Full,
}

impl Terminals {
    fn config(&self) -> &TerminalConfig {
        self.config.get_or_init(TerminalConfig::default)
    }

    fn find(&self, terminal: TermId) -> Option<Shared> {
        lock(&self.table).by_name.get(&terminal).cloned()
    }

    fn by_netname(&self, netname: &str) -> Option<Shared> {
        let table = lock(&self.table);
        let name = table.by_netname.get(netname)?;
        table.by_name.get(name).cloned()
    }

    fn all(&self) -> Vec<TermId> {
        lock(&self.table).all()
    }

    /// Transaction of a key with TASKREQ.
    fn of_key(&self, aid: u8) -> Option<TransId> {
        let keys = &self.config().key_transactions;
        keys.iter().find(|(key, _)| *key == aid).map(|(_, t)| *t)
    }

    /// Limits and counts.
    pub(crate) fn statistics(&self) -> Vec<Statistic> {
        let max = self.config().terminals_max;
        let table = lock(&self.table);
        let counts = [
            ("terminals", table.by_name.len() as u64),
            ("terminals_peak", table.peak as u64),
            ("terminals_max", max as u64),
            ("logons", table.logons),
            ("logons_refused", table.refused),
            ("tasks_waiting_at_one_peak", self.starts.figures().1),
            ("tasks_waiting_at_one_max", STARTS_MAX as u64),
            ("times_at_waiting_max", self.starts.figures().2),
        ];
        let counts = counts.map(|(name, value)| Statistic { name, value });
        let bytes_max = self.config().paging.bytes_max;
        let paging = lock(&self.paging).statistics(bytes_max);
        counts.into_iter().chain(paging).collect()
    }
}

/// Installs the profiles and takes over the rest of the configuration; before the first logon.
pub(super) fn install(inner: &Inner, config: TerminalConfig) {
    for profile in &config.profiles {
        if !profile.install(inner.pool.shared()) {
            inner.tell(messages::sm::shared_full());
        }
    }
    lock(&inner.services.terminals.table).define(&config.definitions);
    let _set_once = inner.services.terminals.config.set(config);
}

/// A task is over: what it was building for terminals goes.
pub(super) fn task_ended(inner: &Inner, task_number: u32) {
    paging::task_ended(inner, task_number);
}

/// Whether a client may have the LU it wants.
pub(super) fn seat(
    inner: &Inner,
    seat: Seat<'_>,
    printer: bool,
) -> Result<Option<String>, SeatRefused> {
    let service = &inner.services.terminals;
    lock(&service.table).seat(service.config(), seat, printer)
}

/// Tasks that do nothing but wait for a user to type.
pub(super) fn waiting_tasks(inner: &Inner) -> Vec<u32> {
    let terminals: Vec<Shared> = {
        let table = lock(&inner.services.terminals.table);
        table.by_name.values().cloned().collect()
    };
    let number = |terminal: &Shared| {
        let terminal = lock(terminal);
        let task = terminal.task.as_ref()?;
        let waits = task.waiting.is_some() || terminal.paging.retains();
        waits.then_some(task.number)
    };
    terminals.iter().filter_map(number).collect()
}

/// The user signed on at a terminal, `None` when nobody is; `None` too without such a terminal.
pub(super) fn user_at(inner: &Inner, terminal: TermId) -> Option<UserId> {
    let found = inner.services.terminals.find(terminal)?;
    lock(&found).user
}

/// Signs a user on or, with `None`, off, at the terminal of a task; tasks begun from now on run
/// under it. Without input for `idle` the user is signed off. `false`: the session in which the
/// task began is over.
pub(super) fn set_user(
    inner: &Arc<Inner>,
    (terminal, task_number): (TermId, u32),
    user: Option<UserId>,
    idle: Option<Duration>,
) -> bool {
    let service = &inner.services.terminals;
    let Some(found) = service.find(terminal) else {
        return false;
    };
    let ticket = service.sign_ons.fetch_add(1, Ordering::Relaxed);
    let limit = idle.map(|idle| idle::Limit { ticket, idle });
    {
        let mut own = lock(&found);
        // The name may belong to somebody else by now: a password takes its time to be checked.
        if !own.is_of(task_number) {
            return false;
        }
        own.user = user;
        own.limit = limit;
    }
    if let Some(idle) = idle {
        idle::watch(inner, terminal, ticket, idle);
    }
    true
}

/// A session begins.
pub(super) fn logon(
    inner: &Arc<Inner>,
    logon: Logon,
    output: Arc<dyn TerminalOutput>,
) -> Result<Session, LogonRefused> {
    let service = &inner.services.terminals;
    let config = service.config();
    let (session, terminal) = {
        let mut table = lock(&service.table);
        match table.admit(config, logon, output, inner.clock.now()) {
            Ok(admitted) => admitted,
            Err(refused) => {
                table.refused += 1;
                return Err(refused);
            }
        }
    };
    run::good_morning(inner, &terminal);
    interval::terminal_arrived(inner, session.terminal);
    transient_data::terminal_arrived(inner, session.terminal);
    Ok(session)
}

/// One inbound record.
pub(super) fn input(inner: &Arc<Inner>, terminal: TermId, record: Vec<u8>) {
    if let Some(terminal) = inner.services.terminals.find(terminal) {
        run::input(inner, &terminal, record);
    }
}

/// ATTN is a SIGNAL for the task that waits for one; it interrupts nothing else, nor does SYSREQ.
/// Without a task both leave a usable keyboard.
pub(super) fn attention(inner: &Arc<Inner>, terminal: TermId, attention: Attention) {
    let Some(terminal) = inner.services.terminals.find(terminal) else {
        return;
    };
    let mut terminal = lock(&terminal);
    match &mut terminal.task {
        None => {
            terminal.locked = true;
            terminal.unlock();
        }
        Some(_) if attention == Attention::SysReq => {}
        Some(running) => match running.signalled.take() {
            Some(waiter) => {
                let _gone = waiter.send(());
            }
            None => terminal.signal = true,
        },
    }
}

/// The session is gone: a task that reads from the terminal gets TERMERR, and what waited for the
/// terminal is dropped.
pub(super) fn logoff(inner: &Arc<Inner>, terminal: TermId) {
    let Some(dropped) = lock(&inner.services.terminals.table).remove(terminal) else {
        return;
    };
    interval::terminal_gone(inner, terminal, &dropped);
}

/// Runs a task at a terminal, when the terminal is free (START TERMID, a trigger). The task's
/// sections may hold anything but `Section::Terminal`.
pub(crate) fn start_at(
    inner: &Arc<Inner>,
    terminal: TermId,
    task: NewTask,
) -> Result<(), NotStarted> {
    let found = inner.services.terminals.find(terminal);
    let terminal = found.ok_or(NotStarted::Absent)?;
    {
        let mut terminal = lock(&terminal);
        if !terminal.definition.ati || terminal.gone {
            return Err(NotStarted::Absent);
        }
        if terminal.starts.len() >= STARTS_MAX {
            inner.services.terminals.starts.refused();
            return Err(NotStarted::Full);
        }
        terminal.starts.push_back(task);
        let waiting = terminal.starts.len() as u64;
        inner.services.terminals.starts.see(waiting);
    }
    run::go_on(inner, &terminal);
    Ok(())
}

/// The terminal is logged on, or is defined and may log on.
pub(crate) fn exists(inner: &Inner, terminal: TermId) -> bool {
    inner.services.terminals.find(terminal).is_some() || is_defined(inner, terminal)
}

/// A TERMINAL definition has this name: the terminal exists whether it is logged on or not.
pub(crate) fn is_defined(inner: &Inner, terminal: TermId) -> bool {
    lock(&inner.services.terminals.table).is_defined(terminal)
}

/// A task that input of a terminal starts.
fn no_input() -> Input {
    Input::None
}
