//! One terminal with its session.
//!
//! Why the little it keeps: an idle terminal costs no task, no worker and no screen image; only its
//! device, the next transaction and that one's COMMAREA or channel.

use super::super::starter::NewTask;
use super::paging::state::Session;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use transom_copybook::codepage::CodePage;
use transom_datastream::scs::SCS;
use transom_datastream::{Command, ScreenSize, Wcc};
use transom_region_api::{Delivery, Device, Done, Logon, Outcome, Payload, TerminalOutput};
use transom_types::{SysId, TcpClient, TermId, TransId, UserId, client_network};
use transom_wire::definitions::{TerminalDefinition, TerminalEntry, TerminalKind};
use transom_wire::inbound::InboundRecord;
use transom_wire::terminal::screen_size;
use transom_wire::terminal::{Facts, Input};

/// A terminal as all who use it share it.
pub(super) type Shared = Arc<Mutex<Terminal>>;

/// A session and what the region knows of its user.
pub(super) struct Terminal {
    pub(super) definition: TerminalDefinition,
    pub(super) device: Device,
    pub(super) peer: String,
    /// The same as addresses.
    pub(super) client: Option<TcpClient>,
    output: Arc<dyn TerminalOutput>,
    /// Signed-on user.
    pub(super) user: Option<UserId>,
    /// When the sign-on ends by itself.
    pub(super) limit: Option<Limit>,
    /// Last input, or the beginning of the session.
    pub(super) touched: Instant,
    /// The pseudo-conversation.
    pub(super) next: Option<Next>,
    /// The task that owns the terminal.
    pub(super) task: Option<Running>,
    /// One input typed while the task ran; another one is dropped, as a locked keyboard would.
    pub(super) ahead: Option<InboundRecord>,
    /// Tasks that wait for the terminal.
    pub(super) starts: VecDeque<NewTask>,
    /// Messages of several pages, and the one the user looks at.
    pub(super) paging: Session,
    /// The alternate screen size is in force.
    pub(super) alternate: bool,
    /// The keyboard is locked.
    pub(super) locked: bool,
    /// The session is over.
    pub(super) gone: bool,
    /// The user of the task that runs was signed off.
    pub(super) dismissed: bool,
    /// A printer has not confirmed the end of its job: it takes no task.
    pub(super) printing: bool,
    /// The Attn key was pressed and no task has seen it.
    pub(super) signal: bool,
    /// LU name of the display a printer belongs to.
    pub(super) partner: Option<String>,
    /// The terminal's user area (TCTUA).
    pub(super) user_area: Vec<u8>,
    pub(super) counts: Counts,
    serial: u64,
}

/// What is counted of a session: records that came, records sent, tasks begun.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) tasks: u64,
}

/// A sign-on that ends by itself.
pub(super) struct Limit {
    /// Tells this sign-on from the next one.
    pub(super) ticket: u64,
    /// Time without input.
    pub(super) idle: Duration,
}

/// What the next input starts.
pub(super) struct Next {
    pub(super) transid: TransId,
    pub(super) payload: Payload,
}

/// A task at a terminal.
pub(super) struct Running {
    /// Tells this task from the one before; task numbers come later.
    pub(super) serial: u64,
    /// Its number; 0 until it was accepted.
    pub(super) number: u32,
    pub(super) transid: TransId,
    /// It reads from the terminal.
    pub(super) waiting: Option<oneshot::Sender<InboundRecord>>,
    /// It waits for the Attn key.
    pub(super) signalled: Option<oneshot::Sender<()>>,
}

/// Whether a delivery is over already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivered {
    AtOnce,
    Later,
}

/// A client, whatever its port.
pub(super) fn place_of(client: TcpClient) -> String {
    client_network(client.client.ip()).to_string()
}

impl Terminal {
    pub(super) fn new(
        definition: TerminalDefinition,
        logon: Logon,
        output: Arc<dyn TerminalOutput>,
        now: Instant,
    ) -> Self {
        let mut device = logon.device;
        if let Some(size) = definition.page_size.filter(|_| device.printer) {
            (device.default_size, device.alternate_size) = (size, size);
        }
        Self {
            user: definition.user,
            limit: None,
            touched: now,
            user_area: vec![0; usize::from(definition.user_area_bytes)],
            partner: logon.partner,
            printing: false,
            signal: false,
            definition,
            device,
            peer: logon.peer,
            client: logon.client,
            output,
            next: None,
            task: None,
            ahead: None,
            starts: VecDeque::new(),
            paging: Session::default(),
            alternate: false,
            // Until the host writes for the first time.
            locked: true,
            gone: false,
            dismissed: false,
            counts: Counts::default(),
            serial: 0,
        }
    }

    /// Signs the user off and drops the pseudo-conversation.
    pub(super) fn forget_user(&mut self) -> Option<UserId> {
        self.limit = None;
        self.next = None;
        self.paging.forget_shown();
        self.dismissed = self.task.is_some();
        self.user.take()
    }

    /// The client, whatever its port.
    pub(super) fn place(&self) -> String {
        let known = self.client.map(place_of);
        known.unwrap_or_else(|| {
            let host = self.peer.rsplit_once(':').map(|(host, _)| host);
            host.unwrap_or(&self.peer).to_owned()
        })
    }

    /// The terminal belongs to a task from now on.
    pub(super) fn occupy(&mut self, transid: TransId) -> u64 {
        self.serial += 1;
        self.task = Some(Running {
            serial: self.serial,
            number: 0,
            transid,
            waiting: None,
            signalled: None,
        });
        self.serial
    }

    /// The task runs here. A task of an earlier session that had the same name does not; one that
    /// has just begun may ask before its number is known.
    pub(super) fn is_of(&self, task_number: u32) -> bool {
        let running = self.task.as_ref();
        running.is_some_and(|task| task.number == task_number || task.number == 0)
    }

    /// Screen size in force.
    pub(super) fn size(&self) -> ScreenSize {
        screen_size(&self.device, self.alternate)
    }

    /// Code page of the terminal; one that is not known counts as 037.
    pub(super) fn page(&self) -> &'static CodePage {
        CodePage::by_ccsid(self.device.ccsid).unwrap_or(&transom_copybook::codepage::CP037)
    }

    /// The device takes SCS.
    pub(super) fn scs(&self) -> bool {
        self.device.printer && self.definition.kind == TerminalKind::ScsPrinter
    }

    /// Sends records and tells when the device has confirmed them; `end_of_job` ends a printer's
    /// job. Answers at once, and does not call `done`, when the device cannot confirm.
    pub(super) fn deliver(
        &mut self,
        records: Vec<Vec<u8>>,
        end_of_job: bool,
        done: Done,
    ) -> Delivered {
        if self.output.confirmed().is_none() || self.gone {
            records.into_iter().for_each(|record| self.write(record));
            return Delivered::AtOnce;
        }
        let mut records = records;
        let last = records.pop().unwrap_or_default();
        for record in records {
            let ignored = Box::new(|_: Outcome| {});
            self.deliver_one(record, false, ignored);
        }
        self.deliver_one(last, end_of_job, done);
        Delivered::Later
    }

    fn deliver_one(&mut self, record: Vec<u8>, end_of_job: bool, done: Done) {
        let scs = record.first() == Some(&SCS);
        if !scs {
            self.note(&record);
        }
        let delivery = Delivery {
            stream: record.get(usize::from(scs)..).unwrap_or_default().to_vec(),
            scs,
            end_of_job,
        };
        if self.gone {
            return;
        }
        self.counts.output += 1;
        let output = self.output.confirmed();
        if !output.is_some_and(|output| output.deliver(delivery, done)) {
            self.gone = true;
            self.output.disconnect();
        }
    }

    /// Sends a record and remembers what it does to size and keyboard.
    pub(super) fn write(&mut self, record: Vec<u8>) {
        if record.first() == Some(&SCS) {
            let ignored = Box::new(|_: Outcome| {});
            return self.deliver_one(record, false, ignored);
        }
        self.note(&record);
        self.counts.output += 1;
        if !self.gone && !self.output.write(record) {
            self.gone = true;
            self.output.disconnect();
        }
    }

    /// Remembers what a record does to size and keyboard.
    fn note(&mut self, record: &[u8]) {
        let command = record.first().copied().and_then(Command::from_byte);
        match command {
            Some(Command::EraseWrite) => self.alternate = false,
            Some(Command::EraseWriteAlternate) => self.alternate = true,
            _ => {}
        }
        if command == Some(Command::EraseAllUnprotected) || unlocks(record) {
            self.locked = false;
        }
    }

    /// Sends records; the last one that can unlocks the keyboard.
    pub(super) fn write_and_unlock(&mut self, mut records: Vec<Vec<u8>>) {
        if let Some(last) = records.last_mut().filter(|record| is_write(record))
            && let Some(wcc) = last.get_mut(1)
        {
            let unlocked = Wcc {
                unlock: true,
                ..Wcc::from_byte(*wcc)
            };
            *wcc = unlocked.byte();
        }
        records.into_iter().for_each(|record| self.write(record));
        self.unlock();
    }

    /// Makes sure that the user can type.
    pub(super) fn unlock(&mut self) {
        if self.locked && !self.device.printer {
            self.write(vec![Command::Write.byte(), Wcc::UNLOCK.byte()]);
        }
    }

    /// An empty screen.
    pub(super) fn clear(&mut self) {
        self.write(vec![Command::EraseWrite.byte(), Wcc::UNLOCK.byte()]);
    }

    /// Ends the session; its door then calls `logoff`.
    pub(super) fn disconnect(&mut self) {
        self.output.disconnect();
    }

    /// Lets go of what belongs to the session. Answers the tasks that waited and will not run.
    pub(super) fn session_ended(&mut self) -> VecDeque<NewTask> {
        self.gone = true;
        self.next = None;
        self.ahead = None;
        self.paging.clear();
        if let Some(task) = &mut self.task {
            task.waiting = None;
            task.signalled = None;
        }
        std::mem::take(&mut self.starts)
    }

    /// What a task is told.
    pub(super) fn facts(&self, input: Input) -> Facts {
        Facts {
            terminal: self.definition.terminal,
            netname: self.definition.netname.clone(),
            device: self.device.clone(),
            upper_case: self.definition.upper_case,
            alternate: self.alternate,
            suffix: self.definition.suffix(),
            natlang: self.definition.natlang(),
            scs: self.scs(),
            user_area: self.user_area.clone(),
            input,
            system: SysId::BLANK,
            there: TermId::BLANK,
        }
    }

    /// What INQUIRE TERMINAL is told.
    pub(super) fn entry(&self) -> TerminalEntry {
        let running = self.task.as_ref();
        TerminalEntry {
            device: self.device.clone(),
            alternate: self.alternate,
            user: self.user.unwrap_or(UserId::BLANK),
            task: running.map_or(0, |task| task.number),
            transaction: running.map_or(TransId::BLANK, |task| task.transid),
            next_transaction: self.next.as_ref().map_or(TransId::BLANK, |n| n.transid),
            peer: self.peer.clone(),
            waiting: self.starts.len() as u16,
            ..of_definition(&self.definition)
        }
    }
}

/// What INQUIRE TERMINAL is told of a terminal without session.
pub(super) fn of_definition(definition: &TerminalDefinition) -> TerminalEntry {
    let mut device = Device::model_2();
    device.printer = definition.kind.is_printer();
    TerminalEntry {
        terminal: definition.terminal,
        netname: definition.netname.clone(),
        device,
        alternate: false,
        upper_case: definition.upper_case,
        ati: definition.ati,
        tti: definition.tti,
        in_service: definition.in_service,
        user: UserId::BLANK,
        task: 0,
        transaction: TransId::BLANK,
        next_transaction: TransId::BLANK,
        peer: String::new(),
        kind: definition.kind,
        printers: definition
            .printers
            .map(|printer| printer.unwrap_or(TermId::BLANK)),
        user_area_bytes: definition.user_area_bytes,
        create_session: definition.create_session,
        priority: definition.priority,
        suffix: definition.suffix(),
        waiting: 0,
    }
}

fn is_write(record: &[u8]) -> bool {
    let command = record.first().copied().and_then(Command::from_byte);
    matches!(
        command,
        Some(Command::Write | Command::EraseWrite | Command::EraseWriteAlternate)
    )
}

fn unlocks(record: &[u8]) -> bool {
    let wcc = record.get(1).copied().filter(|_| is_write(record));
    wcc.is_some_and(|wcc| Wcc::from_byte(wcc).unlock)
}
