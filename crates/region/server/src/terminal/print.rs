//! What a task wants of another terminal: its screen (ISSUE COPY), or paper (ISSUE PRINT).
//!
//! What: the other terminal belongs to the request until it has answered or printed. Why: a screen
//! is read from the terminal itself, the region keeps none. Not here: what the task makes of it
//! (worker side).

use super::super::replier::Replier;
use super::asks::{gone, not_found};
use super::record::{Delivered, Terminal};
use super::{Shared, Terminals, lock, run};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_datastream::scs;
use transom_datastream::{Aid, Command, LineLength, Wcc};
use transom_messages as messages;
use transom_region_api::Outcome;
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

/// Another terminal while it belongs to a request. Dropping it frees the terminal: the task that
/// asked may be purged at any time.
struct Held {
    terminals: Arc<Terminals>,
    terminal: Shared,
    serial: u64,
}

impl Held {
    /// The terminal is occupied by the request already.
    fn new(terminals: &Arc<Terminals>, terminal: &Shared) -> Self {
        let serial = lock(terminal).task.as_ref().map_or(0, |task| task.serial);
        Self {
            terminals: terminals.clone(),
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
}

impl Drop for Held {
    fn drop(&mut self) {
        self.let_go();
        run::go_on(&self.terminals, &self.terminal);
    }
}

/// Answers the buffer of terminal `from`. TERMIDERR: there is none, or it is busy; NOTAUTH 9:
/// another user's, and no rule lets the task's user see it.
pub(super) fn copy(
    terminals: &Arc<Terminals>,
    replier: Replier,
    own: &Shared,
    from: TermId,
    records: Vec<Vec<u8>>,
) {
    let own_user = {
        let mut own = lock(own);
        records.into_iter().for_each(|record| own.write(record));
        own.user
    };
    let Some(other) = terminals.find(from) else {
        return replier.answer(&not_found());
    };
    let arrived = {
        let mut other = lock(&other);
        if other.gone || other.task.is_some() || other.device.printer {
            return replier.answer(&not_found());
        }
        if !terminals
            .authority
            .may_see(&terminals.kernel, own_user, other.user)
        {
            return replier.answer(&RegionAnswer::refused(Resp::NOTAUTH, 9, ""));
        }
        other.occupy(TransId::from_field(COPYING));
        fetch(&mut other)
    };
    let held = Held::new(terminals, &other);
    let service = terminals.clone();
    replier.answer_with(async move {
        let (screen, typed) = arrived.screen(&service, &other).await;
        held.let_go();
        if let Some(typed) = typed {
            run::take(&service, &other, lock(&other), typed);
        }
        screen.map_or_else(not_found, |screen| RegionAnswer::with_data(screen.bytes))
    });
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
        terminals: &Terminals,
        terminal: &Shared,
    ) -> (Option<InboundRecord>, Option<InboundRecord>) {
        let first = terminals
            .kernel
            .clock
            .timeout(BUFFER_TIME, self.arrived)
            .await;
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
        let screen = terminals.kernel.clock.timeout(BEHIND_KEY_TIME, next).await;
        (screen.ok().and_then(Result::ok), Some(first))
    }
}

/// Prints the screen of the task's terminal. TERMERR: it has printers, and none is free.
pub(super) fn print(
    terminals: &Arc<Terminals>,
    replier: Replier,
    own: &Shared,
    records: Vec<Vec<u8>>,
) {
    let (partner, names) = {
        let mut own = lock(own);
        records.into_iter().for_each(|record| own.write(record));
        (own.definition.netname.clone(), own.definition.printers)
    };
    let printer = match free_printer(terminals, &partner, names) {
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
    let held = Held::new(terminals, &printer);
    let (service, own) = (terminals.clone(), own.clone());
    replier.answer_with(async move {
        let (screen, typed) = arrived.screen(&service, &own).await;
        let size = {
            let mut own = lock(&own);
            own.ahead = typed.or(own.ahead.take());
            own.size()
        };
        let Some(screen) = screen else {
            return gone();
        };
        held.let_go();
        let mut write = vec![Command::EraseWrite.byte(), 0];
        write.extend(screen.data());
        put(&service, &printer, scs::of_record(write, size, false));
        RegionAnswer::normal()
    });
}

/// Lines of text on a printer that belongs to the request; it is free again when it has confirmed
/// them.
fn put(terminals: &Arc<Terminals>, printer: &Shared, lines: Vec<u8>) {
    let mut terminal = lock(printer);
    let record = match terminal.scs() {
        true => lines,
        false => {
            let mut record = vec![Command::EraseWrite.byte(), start_print().byte()];
            record.extend(lines.get(1..).unwrap_or_default());
            record.push(END_OF_MESSAGE);
            record
        }
    };
    let (service, own) = (terminals.clone(), printer.clone());
    let done = Box::new(move |_: Outcome| {
        lock(&own).printing = false;
        run::go_on(&service, &own);
    });
    terminal.printing = terminal.deliver(vec![record], true, done) == Delivered::Later;
    drop(terminal);
    run::go_on(terminals, printer);
}

/// Why no printer of a terminal prints.
enum Printers {
    /// None is named, and none was started for the display.
    None,
    /// There are some.
    Busy,
}

/// The first free printer of a terminal, which belongs to the request from now on: one of its
/// definition, else one that was started for it.
fn free_printer(
    terminals: &Terminals,
    netname: &str,
    names: [Option<TermId>; 2],
) -> Result<Shared, Printers> {
    let service = terminals;
    let mut printers = Printers::None;
    for name in names.into_iter().flatten() {
        printers = Printers::Busy;
        if let Some(printer) = service.find(name).filter(take) {
            return Ok(printer);
        }
    }
    let all: Vec<Shared> = lock(&service.table).by_name.values().cloned().collect();
    for printer in all {
        if lock(&printer).partner.as_deref() == Some(netname) {
            printers = Printers::Busy;
            if take(&printer) {
                return Ok(printer);
            }
        }
    }
    Err(printers)
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
