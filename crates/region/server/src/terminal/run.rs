//! Tasks of a terminal: begun by input, by a START or by the session itself; and their ends.

use super::super::kernel::Kernel;
use super::super::replier::lock;
use super::super::starter::{Again, Ended, NewTask, Starter};
use super::choice::{Choice, choose};
use super::directory::Directory;
use super::message;
use super::paging::{self, Taken, paper};
use super::record::{Delivered, Next, Shared, Terminal};
use std::sync::{Arc, MutexGuard};
use transom_datastream::Aid;
use transom_messages::Line;
use transom_region_api::{Fault, LinkFailure, Outcome, Payload, StartedBy};
use transom_types::{ProgramName, TransId};
use transom_wire::definitions::TransactionEntry;
use transom_wire::inbound::InboundRecord;
use transom_wire::payload::{Section, Sections};
use transom_wire::routing::RELAY;
use transom_wire::terminal::{Input, Left};

/// STARTCODE of a task that a terminal started.
const BY_TERMINAL: [u8; 2] = *b"TD";

/// Starts tasks at terminals and takes over what they leave.
pub(super) struct TerminalTasks {
    pub(super) kernel: Arc<Kernel>,
    pub(super) starter: Arc<dyn Starter>,
    pub(super) directory: Arc<Directory>,
}

impl TerminalTasks {
    /// A record arrived: it answers the task that reads, or begins a task.
    pub(super) fn input(self: &Arc<Self>, shared: &Shared, record: Vec<u8>) {
        let mut terminal = lock(shared);
        terminal.counts.input += 1;
        let record = InboundRecord::read(record, terminal.size());
        self.take(shared, terminal, record);
    }

    /// The same for a record that arrived earlier.
    pub(super) fn take(
        self: &Arc<Self>,
        shared: &Shared,
        mut terminal: MutexGuard<'_, Terminal>,
        record: InboundRecord,
    ) {
        terminal.touched = self.kernel.clock.now();
        if record.aid().is_some_and(|aid| aid != Aid::NONE) {
            terminal.locked = true;
        }
        if terminal.device.printer {
            // A printer answers; it starts nothing.
            return;
        }
        let session = terminal.paging.is_shown();
        let record = match paging::input(&self.directory.config().paging, &mut terminal, record) {
            Taken::No(record) => record,
            Taken::Yes => return,
            Taken::Ended => {
                drop(terminal);
                return self.go_on(shared);
            }
        };
        let Some(running) = &mut terminal.task else {
            let begun = self.begin(&mut terminal, record);
            drop(terminal);
            match begun {
                Some((task, serial)) => self.run(shared, task, serial),
                // What waited while the user turned pages.
                None if session => self.go_on(shared),
                None => {}
            }
            return;
        };
        let unread = match running.waiting.take() {
            Some(reader) => reader.send(record).err(),
            None => Some(record),
        };
        if terminal.ahead.is_none() {
            terminal.ahead = unread;
        }
    }

    /// The task an input begins; the terminal belongs to it.
    fn begin(&self, terminal: &mut Terminal, record: InboundRecord) -> Option<(NewTask, u64)> {
        let of_key = |aid| self.directory.of_key(aid);
        match choose(terminal, &record, of_key) {
            Choice::Run(transid) => {
                let payload = terminal.next.take().map(|next| next.payload);
                Some(prepare(terminal, transid, payload, Input::Record(record)))
            }
            Choice::Nothing => {
                terminal.unlock();
                None
            }
        }
    }

    /// The session's first screen.
    pub(super) fn good_morning(self: &Arc<Self>, shared: &Shared) {
        let transid = self.kernel.system.gm_transid;
        let mut terminal = lock(shared);
        let installed = TransactionEntry::find(self.kernel.shared(), transid).is_some();
        if terminal.device.printer || terminal.task.is_some() || terminal.gone {
            return;
        }
        if !installed {
            return terminal.clear();
        }
        let (task, serial) = prepare(&mut terminal, transid, None, Input::None);
        drop(terminal);
        self.run(shared, task, serial);
    }

    fn run(self: &Arc<Self>, shared: &Shared, task: NewTask, serial: u64) {
        if !self.runs(shared, task, serial) {
            self.go_on(shared);
        }
    }

    /// Starts a task. `false`: it does not run, the terminal was told and is free.
    fn runs(self: &Arc<Self>, shared: &Shared, task: NewTask, serial: u64) -> bool {
        let transid = task.transid;
        let by_region = task.started_by != StartedBy::Terminal;
        let at_end = shared.clone();
        let service = self.clone();
        let on_end = Box::new(move |ended: Ended| {
            service.ended(&at_end, transid, ended);
        });
        match self.starter.start(task, on_end) {
            Ok(accepted) => {
                let mut terminal = lock(shared);
                let running = terminal.task.as_mut();
                if let Some(running) = running.filter(|running| running.serial == serial) {
                    running.number = accepted.task_number;
                }
                true
            }
            // Nobody at the terminal asked for it, and it is tried again.
            Err(failure) if by_region && failure.fault == Fault::Busy => {
                lock(shared).task = None;
                false
            }
            Err(failure) => {
                let mut terminal = lock(shared);
                terminal.task = None;
                terminal.signal = false;
                self.failed(&mut terminal, transid, &failure);
                false
            }
        }
    }

    /// A task ended; one that abended may run again, and the terminal stays with it.
    fn ended(self: &Arc<Self>, shared: &Shared, transid: TransId, ended: Ended) {
        let by_input = |again: &Again| {
            let task = &again.task;
            task.started_by == StartedBy::Terminal && matches!(task.payload, Payload::Commarea(_))
        };
        let result = ended.result;
        let Some(again) = ended.again.filter(|again| by_input(again)) else {
            return self.finish(shared, transid, result);
        };
        let (service, own) = (self.clone(), shared.clone());
        let decided = Box::new(move |task: Option<NewTask>| {
            let task = task.filter(|_| !lock(&own).gone);
            let Some(task) = task else {
                return service.finish(&own, transid, result);
            };
            let serial = {
                let mut terminal = lock(&own);
                terminal.signal = false;
                terminal.paging.task_ended();
                terminal.occupy(transid)
            };
            service.run(&own, task, serial);
        });
        self.starter.decide(*again, decided);
    }

    /// A task ended: its output, the next transaction, then whatever waits for the terminal.
    fn finish(
        self: &Arc<Self>,
        shared: &Shared,
        transid: TransId,
        result: Result<(Payload, Sections), LinkFailure>,
    ) {
        let mut terminal = lock(shared);
        terminal.task = None;
        terminal.signal = false;
        terminal.paging.task_ended();
        if std::mem::take(&mut terminal.dismissed) {
            // Its user was signed off meanwhile: nobody goes on where it ended.
            terminal.paging.forget_shown();
            drop(terminal);
            return self.good_morning(shared);
        }
        let follow = match result {
            Ok((payload, sections)) => {
                let left = sections.get(Section::Terminal).and_then(Left::decode);
                let mut left = left.unwrap_or_default();
                terminal.user_area = std::mem::take(&mut left.user_area);
                let disconnect = left.disconnect;
                let follow = if terminal.device.printer {
                    self.end_job(shared, &mut terminal, left.outputs);
                    None
                } else {
                    leave(&mut terminal, left, payload)
                };
                if disconnect {
                    terminal.disconnect();
                }
                follow
            }
            Err(failure) => {
                self.failed(&mut terminal, transid, &failure);
                None
            }
        };
        drop(terminal);
        match follow {
            Some((task, serial)) => self.run(shared, task, serial),
            None => self.go_on(shared),
        }
    }

    /// A printer's job is over: the next one begins when the printer has confirmed this one.
    pub(super) fn end_job(
        self: &Arc<Self>,
        shared: &Shared,
        terminal: &mut Terminal,
        outputs: Vec<Vec<u8>>,
    ) {
        let (service, own) = (self.clone(), shared.clone());
        let done = Box::new(move |_: Outcome| {
            lock(&own).printing = false;
            service.go_on(&own);
        });
        terminal.printing = terminal.deliver(outputs, true, done) == Delivered::Later;
    }

    fn failed(&self, terminal: &mut Terminal, transid: TransId, failure: &LinkFailure) {
        if transid == self.kernel.system.gm_transid && failure.task_number.is_none() {
            return terminal.clear();
        }
        let definition = TransactionEntry::named_so(self.kernel.shared(), transid);
        let program = definition.map_or(ProgramName::BLANK, |d| match d.is_routed() {
            true => ProgramName::from_field(RELAY),
            false => d.program,
        });
        let text = message::text(failure, transid, program, &self.kernel.system);
        if terminal.device.printer {
            // Nobody reads it on paper.
            return self.kernel.tell(Line::heard(text));
        }
        message::show(terminal, &text);
        terminal.unlock();
    }

    /// A free terminal: what was typed ahead, else the first task that waits for it.
    pub(super) fn go_on(self: &Arc<Self>, shared: &Shared) {
        // A loop: thousands of tasks may wait, none of which can run.
        while let Some((task, serial)) = self.next_start(shared) {
            if self.runs(shared, task, serial) {
                return;
            }
        }
    }

    /// The first task that waits for a free terminal; the terminal belongs to it.
    fn next_start(self: &Arc<Self>, shared: &Shared) -> Option<(NewTask, u64)> {
        let mut terminal = lock(shared);
        if terminal.task.is_some() || terminal.gone || terminal.printing {
            return None;
        }
        if let Some(record) = terminal.ahead.take() {
            self.take(shared, terminal, record);
            return None;
        }
        if self.show_next(shared, &mut terminal) {
            return None;
        }
        let mut task = terminal.starts.pop_front()?;
        // Whoever sits there is asked for authority, not whoever wrote the START or defined the
        // queue.
        task.userid = terminal.user;
        let facts = terminal.facts(Input::None);
        task.sections.add(Section::Terminal, &facts.encode());
        task.client = terminal.client;
        terminal.counts.tasks += 1;
        let serial = terminal.occupy(task.transid);
        Some((task, serial))
    }

    /// A free terminal shows the next message, a free printer begins to print it as a job of its
    /// own. `true`: that keeps the terminal from anything else.
    pub(super) fn show_next(self: &Arc<Self>, shared: &Shared, terminal: &mut Terminal) -> bool {
        if terminal.paging.is_shown() || terminal.printing {
            return true;
        }
        if !terminal.definition.ati || terminal.gone {
            return false;
        }
        let printing = match tokio::runtime::Handle::try_current() {
            Ok(runtime) => Some(runtime),
            Err(_) if terminal.device.printer => return false,
            Err(_) => None,
        };
        let (message, runtime) = match (paging::next(terminal), printing) {
            (paging::Next::Nothing, _) => return false,
            (paging::Next::Prints(message), Some(runtime)) => (message, runtime),
            _ => return true,
        };
        terminal.printing = true;
        let (service, own) = (self.clone(), shared.clone());
        runtime.spawn(async move {
            paper::print(&own, &message, true).await;
            lock(&own).printing = false;
            service.go_on(&own);
        });
        true
    }
}

fn prepare(
    terminal: &mut Terminal,
    transid: TransId,
    payload: Option<Payload>,
    input: Input,
) -> (NewTask, u64) {
    let mut sections = Sections::default();
    sections.add(Section::Terminal, &terminal.facts(input).encode());
    let task = NewTask {
        transid,
        program: None,
        userid: terminal.user,
        payload: payload.unwrap_or_else(|| Payload::Commarea(Vec::new())),
        reply_bytes_max: 0,
        started_by: StartedBy::Terminal,
        start_code: BY_TERMINAL,
        client: terminal.client,
        sections,
        restarts: 0,
    };
    terminal.counts.tasks += 1;
    let serial = terminal.occupy(transid);
    (task, serial)
}

/// Sends what a task left and keeps its next transaction. RETURN IMMEDIATE answers the next task.
fn leave(terminal: &mut Terminal, left: Left, payload: Payload) -> Option<(NewTask, u64)> {
    let (transid, immediate) = (left.next, left.immediate);
    let Some(transid) = transid.filter(|_| immediate) else {
        // One that was started in a conversation leaves what the conversation goes on with.
        if let Some(transid) = transid {
            terminal.next = Some(Next { transid, payload });
        }
        terminal.write_and_unlock(left.outputs);
        if let Some(text) = left.notice {
            message::show(terminal, &text);
        }
        return None;
    };
    let outputs = left.outputs;
    outputs
        .into_iter()
        .for_each(|record| terminal.write(record));
    let input = left.message.map_or(Input::None, Input::Message);
    Some(prepare(terminal, transid, Some(payload), input))
}
