//! Terminals: sessions, input, output, pseudo-conversations.
//!
//! What: [`Terminals`], one [`Terminal`] for each session, found by name; what doors call (`logon`,
//! `input`, `attention`, `logoff`), and `start_at` for tasks a START asks for. Reading order: here,
//! `directory` and `table` (who is there), `record` (one terminal), `choice` (which transaction an
//! input means), `run` (its task), `asks` (what the task wants of its terminal), `print` (what it
//! wants of others), `paging` (messages of several pages). Each is a struct with the handles it
//! uses; [`Terminals`] has them all. Not here: commands (worker side), telnet and TLS (doors).
//!
//! Locks: the table, then one terminal; neither is held while a task is started or an ask answered.

mod answers;
mod asks;
mod certificate;
mod choice;
mod directory;
mod events;
mod idle;
pub(crate) mod message;
mod names;
mod paging;
mod print;
mod record;
mod run;
mod table;

pub(crate) use events::TerminalEvents;

use super::config::TerminalConfig;
use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::starter::{Ending, NewTask, Starter, TaskEvents};
use asks::Asks;
use directory::Directory;
use events::Announcer;
use idle::IdleWatch;
use paging::deliver::Deliveries;
use print::Screens;
use record::{Limit, Shared, place_of};
use run::TerminalTasks;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{
    Attention, Logon, LogonRefused, Seat, SeatRefused, Session, Statistic, TerminalOutput,
};
use transom_region_monitoring::{Gauge, Gone};
use transom_security::Authority;
use transom_types::{AbendCode, TermId, UserId};
use transom_wire::definitions::TaskEntry;

/// Tasks that may wait for one terminal (START TERMID); more are refused.
pub(crate) const STARTS_MAX: usize = 100;

/// The service.
pub(crate) struct Terminals {
    kernel: Arc<Kernel>,
    pub(crate) directory: Arc<Directory>,
    announcer: Arc<Announcer>,
    tasks: Arc<TerminalTasks>,
    idle: Arc<IdleWatch>,
    deliveries: Arc<Deliveries>,
    asks: Asks,
    authority: Arc<Authority>,
    /// Sign-ons so far; tells one from the next.
    sign_ons: AtomicU64,
    /// Tasks that wait for one terminal, of all terminals the most.
    starts: Gauge,
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
    /// Takes over the configuration.
    pub(super) fn new(
        kernel: Arc<Kernel>,
        starter: Arc<dyn Starter>,
        authority: Arc<Authority>,
        config: TerminalConfig,
    ) -> Self {
        let directory = Arc::new(Directory::new(config));
        let tasks = Arc::new(TerminalTasks {
            kernel: kernel.clone(),
            starter: starter.clone(),
            directory: directory.clone(),
        });
        let idle = Arc::new(IdleWatch {
            kernel: kernel.clone(),
            directory: directory.clone(),
            tasks: tasks.clone(),
        });
        let deliveries = Deliveries::new(kernel.clone(), directory.clone(), tasks.clone());
        let (deliveries, announcer) = (Arc::new(deliveries), Arc::<Announcer>::default());
        let screens = Screens {
            kernel: kernel.clone(),
            authority: authority.clone(),
            directory: directory.clone(),
            tasks: tasks.clone(),
        };
        let asks = Asks {
            kernel: kernel.clone(),
            starter,
            directory: directory.clone(),
            announcer: announcer.clone(),
            deliveries: deliveries.clone(),
            screens,
        };
        Self {
            kernel,
            directory,
            announcer,
            tasks,
            idle,
            deliveries,
            asks,
            authority,
            sign_ons: AtomicU64::new(0),
            starts: Gauge::default(),
        }
    }

    /// Who hears of sessions, in this order.
    pub(super) fn subscribe<const N: usize>(&self, events: [Arc<dyn TerminalEvents>; N]) {
        self.announcer.subscribe(events);
    }

    /// Limits and counts.
    pub(crate) fn statistics(&self) -> Vec<Statistic> {
        let max = self.directory.config().terminals_max;
        let table = self.directory.table();
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
        drop(table);
        let counts = counts.map(|(name, value)| Statistic { name, value });
        let paging = self.deliveries.statistics();
        counts.into_iter().chain(paging).collect()
    }
}

impl Terminals {
    /// Answers a worker.
    pub(crate) fn answer(&self, replier: Replier, request: &[u8]) {
        self.asks.answer(replier, request);
    }

    /// Whether a client may have the LU it wants.
    pub(crate) fn seat(
        &self,
        seat: Seat<'_>,
        printer: bool,
    ) -> Result<Option<String>, SeatRefused> {
        let config = self.directory.config();
        self.directory.table().seat(config, seat, printer)
    }

    /// Tasks that do nothing but wait for a user to type.
    pub(crate) fn waiting_tasks(&self) -> Vec<u32> {
        let number = |terminal: &Shared| {
            let terminal = lock(terminal);
            let task = terminal.task.as_ref()?;
            let waits = task.waiting.is_some() || terminal.paging.retains();
            waits.then_some(task.number)
        };
        self.directory
            .sessions()
            .iter()
            .filter_map(number)
            .collect()
    }

    /// The user signed on at a terminal, `None` when nobody is; `None` too without such a terminal.
    pub(crate) fn user_at(&self, terminal: TermId) -> Option<UserId> {
        let found = self.directory.find(terminal)?;
        lock(&found).user
    }

    /// Where a task comes from: the client of its terminal or of its origin; empty: nobody's.
    pub(crate) fn place_of(&self, task_number: u32) -> String {
        let here = |terminal: &Shared| {
            let terminal = lock(terminal);
            let running = terminal.task.as_ref()?;
            (running.number == task_number).then(|| terminal.place())
        };
        let sessions = self.directory.sessions();
        let of_origin = || {
            let entry = TaskEntry::find(self.kernel.shared(), task_number)?;
            entry.association.origin_client().map(place_of)
        };
        let place = sessions.iter().find_map(here).or_else(of_origin);
        place.unwrap_or_default()
    }

    /// Signs a user off wherever one is signed on: what runs there ends, and what it would have
    /// gone on with is dropped.
    pub(crate) fn sign_off_user(&self, user: UserId) {
        for session in self.directory.sessions() {
            let task = {
                let mut terminal = lock(&session);
                if terminal.user != Some(user) || terminal.gone {
                    continue;
                }
                terminal.forget_user();
                terminal.task.as_ref().map(|task| task.number)
            };
            match task {
                Some(task) => {
                    self.asks.starter.purge(task, AbendCode::AKC3, false);
                }
                None => self.tasks.good_morning(&session),
            }
            self.watch_unsigned(&session);
        }
    }

    /// Signs a user on or, with `None`, off, at the terminal of a task; tasks begun from now on run
    /// under it. Without input for `idle` the user is signed off. `false`: the session in which the
    /// task began is over.
    pub(crate) fn set_user(
        &self,
        (terminal, task_number): (TermId, u32),
        user: Option<UserId>,
        idle: Option<Duration>,
    ) -> bool {
        let Some(found) = self.directory.find(terminal) else {
            return false;
        };
        let ticket = self.sign_ons.fetch_add(1, Ordering::Relaxed);
        let limit = idle.map(|idle| Limit { ticket, idle });
        {
            let mut own = lock(&found);
            // The name may belong to somebody else by now: a password takes its time to be checked.
            if !own.is_of(task_number) {
                return false;
            }
            own.user = user;
            own.limit = limit;
        }
        if user.is_none() {
            self.watch_unsigned(&found);
        }
        if let Some(idle) = idle {
            self.idle.watch(terminal, ticket, idle);
        }
        true
    }

    /// A session begins.
    pub(crate) fn logon(
        &self,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
    ) -> Result<Session, LogonRefused> {
        let config = self.directory.config();
        let certified = match &logon.certificate {
            Some(shown) => self.certified(shown, &logon.peer)?,
            None => None,
        };
        let logon = (logon, certified);
        let (session, terminal) = {
            let mut table = self.directory.table();
            match table.admit(config, logon, output, self.kernel.clock.now()) {
                Ok(admitted) => admitted,
                Err(refused) => {
                    table.refused += 1;
                    return Err(refused);
                }
            }
        };
        self.tell_preset(&terminal);
        self.watch_unsigned(&terminal);
        self.tasks.good_morning(&terminal);
        self.announcer
            .announce(|e| e.terminal_arrived(session.terminal));
        Ok(session)
    }

    /// A session at which nobody is signed on ends after a while, where authority is checked.
    fn watch_unsigned(&self, shared: &Shared) {
        let idle = self.directory.config().unsigned;
        let Some(idle) = idle.filter(|_| self.authority.checks().on) else {
            return;
        };
        let ticket = self.sign_ons.fetch_add(1, Ordering::Relaxed);
        let name = {
            let mut terminal = lock(shared);
            if terminal.user.is_some() || terminal.device.printer {
                return;
            }
            terminal.limit = Some(Limit { ticket, idle });
            terminal.definition.terminal
        };
        self.idle.watch(name, ticket, idle);
    }

    /// Says that a client is not signed on as its definition has it.
    fn tell_preset(&self, terminal: &Shared) {
        let terminal = lock(terminal);
        let definition = &terminal.definition;
        if let (Some(user), None) = (definition.user, terminal.user) {
            let (name, peer) = (definition.terminal, &terminal.peer);
            self.kernel
                .tell(messages::xs::preset_refused(name, user, peer));
        }
    }

    /// One inbound record.
    pub(crate) fn input(&self, terminal: TermId, record: Vec<u8>) {
        if let Some(terminal) = self.directory.find(terminal) {
            self.tasks.input(&terminal, record);
        }
    }

    /// ATTN is a SIGNAL for the task that waits for one; it interrupts nothing else, nor does
    /// SYSREQ. Without a task both leave a usable keyboard.
    pub(crate) fn attention(&self, terminal: TermId, attention: Attention) {
        let Some(terminal) = self.directory.find(terminal) else {
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

    /// The session is gone: who reads gets TERMERR, what waited for the terminal is dropped.
    pub(crate) fn logoff(&self, terminal: TermId) {
        let Some((dropped, counted)) = self.directory.table().remove(terminal) else {
            return;
        };
        self.kernel.gone(&Gone::Ended(counted));
        self.announcer
            .announce(|e| e.terminal_gone(terminal, &dropped));
    }

    /// Runs a task at a terminal, when the terminal is free (START TERMID, a trigger). The task's
    /// sections may hold anything but `Section::Terminal`.
    pub(crate) fn start_at(&self, terminal: TermId, task: NewTask) -> Result<(), NotStarted> {
        let found = self.directory.find(terminal);
        let terminal = found.ok_or(NotStarted::Absent)?;
        {
            let mut terminal = lock(&terminal);
            if !terminal.definition.ati || terminal.gone {
                return Err(NotStarted::Absent);
            }
            if terminal.starts.len() >= STARTS_MAX {
                self.starts.refused();
                return Err(NotStarted::Full);
            }
            terminal.starts.push_back(task);
            let waiting = terminal.starts.len() as u64;
            self.starts.see(waiting);
        }
        self.tasks.go_on(&terminal);
        Ok(())
    }

    /// The terminal is logged on, or is defined and may log on.
    pub(crate) fn exists(&self, terminal: TermId) -> bool {
        self.directory.find(terminal).is_some() || self.is_defined(terminal)
    }

    /// A TERMINAL definition has this name: the terminal exists whether it is logged on or not.
    pub(crate) fn is_defined(&self, terminal: TermId) -> bool {
        self.directory.table().is_defined(terminal)
    }
}

impl TaskEvents for Terminals {
    /// A task is over: what it was building for terminals goes.
    fn task_ended(&self, task_number: u32, _ending: Ending) {
        self.deliveries.task_ended(task_number);
    }
}
