//! What a task wants of another terminal: its screen (ISSUE COPY), or paper (ISSUE PRINT).
//!
//! What: the other terminal belongs to the request until it has answered or printed. Why: a screen
//! is read from the terminal itself, the region keeps none. Not here: what the task makes of it
//! (worker side).

use super::super::kernel::Kernel;
use super::super::replier::{Replier, lock};
use super::answers::{gone, not_found};
use super::directory::Directory;
use super::record::{Shared, Terminal};
use super::run::TerminalTasks;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_datastream::scs;
use transom_datastream::{Aid, Command, LineLength, Wcc};
use transom_messages as messages;
use transom_region_dispatcher::Clock;
use transom_security::Authority;
use transom_types::{Resp, TermId, TransId};
use transom_wire::inbound::InboundRecord;
use transom_wire::requests::RegionAnswer;

/// What occupies the other terminal, as INQUIRE TERMINAL shows it; CICS has the same names.
const COPYING: &[u8] = b"CSCY";
const PRINTING: &[u8] = b"CSPP";
/// How long a terminal may take to send its buffer.
const BUFFER_TIME: Duration = Duration::from_secs(10);
/// How long the buffer may take when an input came first: it is right behind.
const BEHIND_KEY_TIME: Duration = Duration::from_secs(1);
/// End of message: where a 3270 printer stops.
const END_OF_MESSAGE: u8 = 0x19;

/// Screens of terminals that tasks want.
pub(super) struct Screens {
    pub(super) kernel: Arc<Kernel>,
    pub(super) authority: Arc<Authority>,
    pub(super) directory: Arc<Directory>,
    pub(super) tasks: Arc<TerminalTasks>,
}

impl Screens {
    /// Answers the buffer of terminal `from`. TERMIDERR: there is none, or it is busy; NOTAUTH 9:
    /// another user's, and no rule lets the task's user see it.
    pub(super) fn copy(&self, replier: Replier, own: &Shared, from: TermId, records: Vec<Vec<u8>>) {
        let own_user = {
            let mut own = lock(own);
            records.into_iter().for_each(|record| own.write(record));
            own.user
        };
        let Some(other) = self.directory.find(from) else {
            return replier.answer(&not_found());
        };
        let arrived = {
            let mut other = lock(&other);
            if other.gone || other.task.is_some() || other.device.printer {
                return replier.answer(&not_found());
            }
            if !self.authority.may_see(own_user, other.user) {
                return replier.answer(&RegionAnswer::refused(Resp::NOTAUTH, 9, ""));
            }
            other.occupy(TransId::from_field(COPYING));
            fetch(&mut other)
        };
        let held = Held::new(&self.tasks, &other);
        let (tasks, clock) = (self.tasks.clone(), self.kernel.clock.clone());
        replier.answer_with(async move {
            let (screen, typed) = arrived.screen(&clock, &other).await;
            held.let_go();
            if let Some(typed) = typed {
                tasks.take(&other, lock(&other), typed);
            }
            screen.map_or_else(not_found, |screen| RegionAnswer::with_data(screen.bytes))
        });
    }

    /// Prints the screen of the task's terminal. TERMERR: it has printers, and none is free.
    pub(super) fn print(&self, replier: Replier, own: &Shared, records: Vec<Vec<u8>>) {
        let (partner, names) = {
            let mut own = lock(own);
            records.into_iter().for_each(|record| own.write(record));
            (own.definition.netname.clone(), own.definition.printers)
        };
        let printer = match self.free_printer(&partner, names) {
            Ok(printer) => printer,
            Err(Printers::Busy) => {
                let text = messages::zc::no_printer_free();
                return replier.answer(&RegionAnswer::refused(Resp::TERMERR, 0, text));
            }
            Err(Printers::None) => {
                // A printer that hangs on the display itself, if any.
                let mut own = lock(own);
                own.write(vec![Command::Write.byte(), start_print().byte()]);
                return replier.answer(&RegionAnswer::normal());
            }
        };
        let arrived = fetch(&mut lock(own));
        let held = Held::new(&self.tasks, &printer);
        let (own, clock) = (own.clone(), self.kernel.clock.clone());
        replier.answer_with(async move {
            let (screen, typed) = arrived.screen(&clock, &own).await;
            let size = {
                let mut own = lock(&own);
                own.ahead = typed.or(own.ahead.take());
                own.size()
            };
            let Some(screen) = screen else {
                return gone();
            };
            let mut write = vec![Command::EraseWrite.byte(), 0];
            write.extend(screen.data());
            held.print(scs::of_record(write, size, false));
            RegionAnswer::normal()
        });
    }

    /// The first free printer of a terminal, which belongs to the request from now on: one of its
    /// definition, else one that was started for it.
    fn free_printer(&self, netname: &str, names: [Option<TermId>; 2]) -> Result<Shared, Printers> {
        let mut printers = Printers::None;
        for name in names.into_iter().flatten() {
            printers = Printers::Busy;
            if let Some(printer) = self.directory.find(name).filter(take) {
                return Ok(printer);
            }
        }
        for printer in self.directory.sessions() {
            if lock(&printer).partner.as_deref() == Some(netname) {
                printers = Printers::Busy;
                if take(&printer) {
                    return Ok(printer);
                }
            }
        }
        Err(printers)
    }
}

/// Another terminal while it belongs to a request. Dropping it frees the terminal: the task that
/// asked may be purged at any time.
struct Held {
    tasks: Arc<TerminalTasks>,
    terminal: Shared,
    serial: u64,
}

impl Held {
    /// The terminal is occupied by the request already.
    fn new(tasks: &Arc<TerminalTasks>, terminal: &Shared) -> Self {
        let serial = lock(terminal).task.as_ref().map_or(0, |task| task.serial);
        Self {
            tasks: tasks.clone(),
            terminal: terminal.clone(),
            serial,
        }
    }

    /// It belongs to the request no more; what waits for it waits on.
    fn let_go(&self) {
        let mut terminal = lock(&self.terminal);
        if terminal.task.as_ref().map(|task| task.serial) == Some(self.serial) {
            terminal.task = None;
        }
    }

    /// Prints lines of text. The printer is free again when it has confirmed them.
    fn print(&self, lines: Vec<u8>) {
        self.let_go();
        let mut printer = lock(&self.terminal);
        let record = match printer.scs() {
            true => lines,
            false => {
                let mut record = vec![Command::EraseWrite.byte(), start_print().byte()];
                record.extend(lines.get(1..).unwrap_or_default());
                record.push(END_OF_MESSAGE);
                record
            }
        };
        self.tasks
            .end_job(&self.terminal, &mut printer, vec![record]);
        drop(printer);
        self.tasks.go_on(&self.terminal);
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.let_go();
        self.tasks.go_on(&self.terminal);
    }
}

/// The answer of a terminal that was asked for its screen.
struct Asked {
    arrived: oneshot::Receiver<InboundRecord>,
    /// Its user could press a key before it was asked.
    open: bool,
}

/// Asks a terminal for its buffer; the task it has takes the answer.
fn fetch(terminal: &mut Terminal) -> Asked {
    let open = !terminal.locked;
    let arrived = next_record(terminal);
    terminal.write(vec![Command::ReadBuffer.byte()]);
    Asked { arrived, open }
}

fn next_record(terminal: &mut Terminal) -> oneshot::Receiver<InboundRecord> {
    let (reader, arrived) = oneshot::channel();
    if let Some(running) = &mut terminal.task {
        running.waiting = Some(reader);
    }
    arrived
}

impl Asked {
    /// The screen, `None` when it did not come; and what the user had entered just before. Behind
    /// an input the buffer comes with the same key, so that only the order tells the two.
    async fn screen(
        self,
        clock: &Arc<dyn Clock>,
        terminal: &Shared,
    ) -> (Option<InboundRecord>, Option<InboundRecord>) {
        let first = clock.timeout(BUFFER_TIME, self.arrived).await;
        let Ok(Ok(first)) = first else {
            return (None, None);
        };
        if !self.open || first.aid() == Some(Aid::NONE) {
            return (Some(first), None);
        }
        let next = {
            let mut terminal = lock(terminal);
            if let Some(screen) = terminal.ahead.take() {
                return (Some(screen), Some(first));
            }
            next_record(&mut terminal)
        };
        let screen = clock.timeout(BEHIND_KEY_TIME, next).await;
        (screen.ok().and_then(Result::ok), Some(first))
    }
}

/// Why no printer of a terminal prints.
enum Printers {
    /// None is named, and none was started for the display.
    None,
    /// There are some.
    Busy,
}

/// Takes a printer, if it is one and free.
fn take(printer: &Shared) -> bool {
    let mut printer = lock(printer);
    let free = printer.device.printer
        && printer.definition.in_service
        && !printer.gone
        && !printer.printing
        && printer.task.is_none();
    if free {
        printer.occupy(TransId::from_field(PRINTING));
    }
    free
}

fn start_print() -> Wcc {
    Wcc {
        start_print: true,
        line: LineLength::AsWritten,
        ..Wcc::UNLOCK
    }
}
