//! The command processor of a worker: task start, every EXEC CICS, abends, task end.
//!
//! What: [`Executor`], the `Commands` of the seam. It keeps the task's state, finds the function of
//! a command (`dispatch`), fills the EIB and RESP, and sends raised conditions to `exception`.
//! Not here: what commands do (one file each), processes and unwinding (`transom_workers`).

use crate::attach::{announce, no_storage, pgmiderr_reason, start_area, told};
use crate::channel::state::{CALLER, Container};
use crate::command::{Cx, Fail, RegionView};
use crate::dispatch::{self, Entry};
use crate::program::levels::end_level;
use crate::program::resolve::{module, resolve};
use crate::program::state::Level;
use crate::security::authority;
use crate::task_state::{Refusal, TaskState};
use crate::{abend, answer, constants, diagnostic::trace, eib, partner, terminal, unsupported};
use std::collections::HashSet;
use transom_commands::{Command, cmd};
use transom_datastream::{AddressMode, ScreenSize};
use transom_messages as messages;
use transom_monitoring::field;
use transom_types::calendar::DateTime;
use transom_types::{AbendCode, Applid, ProgramName, Resp, SysId, UserId};
use transom_wire::Module;
use transom_wire::definitions::{SystemEntry, TaskEntry, TransactionEntry};
use transom_wire::payload::{self, BadPayload, ContainerView, Section, Sections, SectionsView};
use transom_wire::payload::{StartData, StartInfo};
use transom_workers::seam::{
    AbendAction, Area, Call, Commands, Host, Outcome, Reply, SqlCall, TaskEnd, TaskStart,
};

/// What a worker needs to run commands; one value serves task after task.
pub struct Executor {
    /// `None` while a supplied program runs, or where there are none.
    supplied: Option<Box<dyn SuppliedPrograms>>,
    entries: Vec<Entry>,
    region: RegionView,
    task: TaskState,
}

/// What a task is started with, as it was read.
type ReadStart<'a> = Result<(StartInfo, StartData<'a>, SectionsView<'a>), BadPayload>;

/// Programs that are part of the region and run on ordinary commands (CEMT, CESN ...). They keep
/// what they need between two programs of one task themselves.
pub trait SuppliedPrograms {
    /// Runs one at the level it was started in, as `Commands::supplied` says.
    fn run(
        &mut self,
        executor: &mut Executor,
        host: &mut dyn Host,
        module: &Module,
        area: Area,
    ) -> Outcome;

    /// The task is over: what was kept for it goes.
    fn task_ended(&mut self);
}

impl Default for Executor {
    fn default() -> Self {
        Self::new()
    }
}

impl Executor {
    /// A command processor that has not seen its region yet and has no supplied programs.
    pub fn new() -> Self {
        Self {
            supplied: None,
            entries: dispatch::by_number(),
            region: RegionView {
                facts: SystemEntry::new(Applid::BLANK, SysId::BLANK),
                facts_changes: None,
                reported: HashSet::new(),
                caches: Default::default(),
                last: Default::default(),
            },
            task: TaskState::idle(),
        }
    }

    /// Prepares COMMAREA or channel and the first program; a refusal when that cannot be.
    fn attach(
        &mut self,
        host: &mut dyn Host,
        attach: &TaskStart<'_>,
        start: ReadStart<'_>,
    ) -> Result<(Module, Area), Refusal> {
        let refuse = |resp, resp2, text: String| Refusal { resp, resp2, text };
        let (start, data, sections) =
            start.map_err(|bad| refuse(Resp::INVREQ, 0, bad.to_string()))?;
        self.task.start = start;
        terminal::events::begin(host, &mut self.task, sections.get(Section::Terminal));
        let retrieve = sections.get(Section::Retrieve);
        (self.task.interval).begin(retrieve.or(sections.get(Section::RetrieveElsewhere)));
        self.task.children.begin(sections.get(Section::Parent));
        crate::task::association::begin(&mut self.task, sections.get(Section::Origin));
        announce(host, &self.task, attach);
        let module = resolve(host, &mut self.region, attach.program).map_err(|fail| {
            let resp2 = match fail {
                Fail::Raise(_, resp2) => resp2,
                Fail::Abend(..) | Fail::Ship(_) => 0,
            };
            let text = messages::pg::cannot_run(attach.program, pgmiderr_reason(resp2)).to_string();
            refuse(Resp::PGMIDERR, resp2, text)
        })?;
        let (area, channel) = match data {
            StartData::Commarea(bytes) => {
                self.task.sent_bytes = bytes.len();
                (start_area(host, bytes, start.reply_bytes_max)?, None)
            }
            StartData::Channel(name, containers) => {
                let id = self.task.channels.create(name, Some(CALLER));
                if let Some(channel) = self.task.channels.get_mut(id) {
                    channel
                        .containers
                        .extend(containers.iter().map(|from| Container {
                            name: from.name,
                            data: from.bytes.to_vec(),
                            ccsid: from.ccsid,
                            set_area: 0,
                        }));
                }
                (Area::default(), Some(id))
            }
        };
        self.task.reply_area = area;
        self.task.reply_channel = channel;
        let invoked_by = self.task.mirror().unwrap_or(ProgramName::BLANK);
        self.task
            .levels
            .push(Level::new(attach.program, invoked_by, area, channel));
        eib::set_commarea_bytes(host.eib_mut(), area.bytes);
        Ok((module, area))
    }

    /// Reads what the task runs under and makes its EIB and TWA.
    fn begin(&mut self, host: &mut dyn Host, attach: &TaskStart<'_>) -> Result<(), Refusal> {
        self.task = TaskState::idle();
        host.forget_later();
        self.region.last.clear();
        self.region.read_facts(host.shared());
        let now = host.abstime_ms();
        let task = &mut self.task;
        task.number = attach.task_number;
        task.userid = attach.userid;
        task.start_abstime_ms = now;
        // A transaction installed in the meantime or none at all: the defaults of a definition.
        let known = self
            .region
            .caches
            .transaction(host.shared(), attach.transid);
        task.transaction = known.map_or_else(
            || TransactionEntry::new(attach.transid, attach.program),
            |known| (*known).clone(),
        );
        task.priority = task.transaction.priority;
        trace::attach(host, task.transaction.trace, attach.program);
        eib::start(
            host.eib_mut(),
            attach.transid,
            attach.task_number,
            &DateTime::from_abstime(now),
        );
        if task.transaction.twa_bytes > 0 {
            let Some(twa) = host.getmain(task.transaction.twa_bytes as usize, Some(0)) else {
                return Err(no_storage("TWA", task.transaction.twa_bytes as usize));
            };
            task.storage.twa = twa;
        }
        Ok(())
    }

    /// One that also runs supplied programs.
    pub fn with_supplied(programs: Box<dyn SuppliedPrograms>) -> Self {
        Self {
            supplied: Some(programs),
            ..Self::new()
        }
    }

    /// The task.
    pub(crate) fn task_mut(&mut self) -> &mut TaskState {
        &mut self.task
    }

    /// User of the task.
    pub fn user(&self) -> UserId {
        self.task.userid
    }

    /// Number of the task.
    pub fn task_number(&self) -> u32 {
        self.task.number
    }

    /// Rows and columns supplied programs may use: the alternate screen, where its addresses have
    /// twelve bits.
    pub fn screen(&self) -> ScreenSize {
        const SMALLEST: ScreenSize = ScreenSize::MODEL_2;
        let own = self.task.terminal.get();
        let alternate = own.and_then(|own| {
            let (rows, columns) = own.facts.device.alternate_size;
            ScreenSize::new(rows.try_into().ok()?, columns.try_into().ok()?)
        });
        let usable = |size: &ScreenSize| {
            size.rows() >= SMALLEST.rows()
                && size.columns() >= SMALLEST.columns()
                && size.address_mode() == AddressMode::Bits12
        };
        alternate.filter(usable).unwrap_or(SMALLEST)
    }

    fn reply(&mut self, host: &dyn Host) -> Reply {
        let mut sections = Sections::default();
        if let Some(left) = terminal::events::end(host, &mut self.task) {
            sections.add(Section::Terminal, &left);
        }
        if let Some(channel) = self
            .task
            .reply_channel
            .and_then(|id| self.task.channels.get(id))
        {
            let views = channel.containers.iter().map(|container| ContainerView {
                name: container.name,
                ccsid: container.ccsid,
                bytes: &container.data,
            });
            let count = channel.containers.len();
            let reply = payload::write_channel_reply(channel.name, count, views, &sections);
            return Reply::of(reply);
        }
        let area = self.task.reply_area;
        let wanted = match self.task.start.reply_bytes_max {
            0 => self.task.sent_bytes,
            max => max as usize,
        };
        Reply {
            area: Area {
                bytes: area.bytes.min(wanted),
                ..area
            },
            rest: payload::end_of_commarea_reply(&sections),
        }
    }
}

impl Commands for Executor {
    fn task_start(
        &mut self,
        host: &mut dyn Host,
        attach: &TaskStart<'_>,
    ) -> Result<(Module, Area), (AbendCode, String)> {
        let start = payload::read_start(attach.input);
        host.measure(start.as_ref().is_ok_and(|(info, ..)| info.measured));
        let begun = self.begin(host, attach);
        match begun.and_then(|()| self.attach(host, attach, start)) {
            Ok(first) => Ok(first),
            Err(refusal) => {
                let text = refusal.text.clone();
                self.task.refusal = Some(refusal);
                Err((AbendCode::APCT, text))
            }
        }
    }

    fn execute(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let id = call.command();
        let command = transom_commands::command(id);
        let function = command.and_then(|c| c.fn_code_with(|option| call.has(option)));
        eib::set_function(host.eib_mut(), function.unwrap_or([0, 0]));
        let entry = self.entries.get(usize::from(id.0));
        let task = &mut self.task;
        if let Some(counter) = entry.and_then(|entry| entry.counter) {
            task.counts.count(counter);
        }
        if let Some(level) = task.levels.last_mut() {
            level.switch_to(call.caller());
        }
        let begun = trace::begins(host, (task, &mut self.region.last), id, call.line());
        let mut cx = Cx {
            host,
            call,
            task,
            region: &mut self.region,
        };
        let done = match entry {
            Some(Entry {
                handler: Some(handler),
                refused,
                checked,
                ..
            }) => unsupported::check_options(&mut cx, refused)
                .and_then(|()| authority::check(&mut cx, *checked))
                .and_then(|()| handler(&mut cx))
                .or_else(|fail| match fail {
                    Fail::Ship(remote) => partner::ship(&mut cx, *remote),
                    fail => Err(fail),
                }),
            _ => unsupported::command(&mut cx, command),
        };
        // ASSIGN has answered its own, before it raises what it raises.
        let constant = |c: &&Command| !c.constants.is_empty() && id != cmd::ASSIGN;
        if let (Some(command), Ok(_)) = (command.filter(constant), &done) {
            constants::answer(&mut cx, command);
        }
        let outcome = answer::finish(&mut cx, done);
        trace::ends(&mut cx, begun);
        outcome
    }

    fn sql(&mut self, host: &mut dyn Host, call: &mut dyn SqlCall) -> Outcome {
        self.task.counts.count(field::DB2REQCT);
        crate::sql::execute(host, call, &mut self.task, &mut self.region)
    }

    fn late_module(&mut self, host: &mut dyn Host, program: ProgramName) -> bool {
        module(host, program).unwrap_or(false)
    }

    fn level_ended(&mut self, host: &mut dyn Host) -> Outcome {
        let linked = self.task.program();
        end_level(host, &mut self.task);
        trace::returned(host, linked);
        let eib_block = host.eib_mut();
        eib::set_function(eib_block, [0x0E, 0x02]);
        eib::set_resource(eib_block, linked.as_bytes());
        eib::set_response(eib_block, Resp::NORMAL, 0);
        match self.task.terminal.get() {
            Some(terminal) if terminal.released => Outcome::Return,
            _ => Outcome::Continue,
        }
    }

    fn supplied(&mut self, host: &mut dyn Host, module: &Module, area: Area) -> Outcome {
        // Taken out while it runs: it runs its commands through this very executor.
        let Some(mut supplied) = self.supplied.take() else {
            let text = format!("{} is not a supplied program", module.program);
            return Outcome::Abend(AbendCode::APCT, text);
        };
        let outcome = supplied.run(self, host, module, area);
        self.supplied = Some(supplied);
        outcome
    }

    fn abend_of_bad_output(&self) -> AbendCode {
        match self.region.facts.command_protection {
            true => AbendCode::AEYD,
            false => AbendCode::ASRA,
        }
    }

    fn abend(
        &mut self,
        host: &mut dyn Host,
        level: usize,
        code: AbendCode,
        text: &str,
    ) -> AbendAction {
        trace::abend(host, &self.task, code);
        abend::take(host, &mut self.task, &mut self.region, level, code, text)
    }

    fn task_end(&mut self, host: &mut dyn Host, end: &TaskEnd) -> Reply {
        let ended = match end {
            TaskEnd::Normal => {
                terminal::bms::send_page::at_end(host, &mut self.task);
                crate::syncpoint::at_end(host, &mut self.task)
            }
            abend => {
                terminal::events::at_abend(host, &mut self.task);
                crate::syncpoint::at_abend(host, &mut self.task);
                abend.clone()
            }
        };
        self.task.interval.end(host, self.task.number);
        crate::task::events::release_all(host, &mut self.task);
        TaskEntry::remove(host.shared(), self.task.number);
        trace::detach(host, ended.abend());
        let reply = match (&self.task.refusal, &ended) {
            (Some(why), _) => {
                Reply::of(payload::write_refused_reply(why.resp, why.resp2, &why.text))
            }
            (None, TaskEnd::Abend(code, text)) if self.task.transaction.restart => {
                let undone = self.task.undone(*code);
                Reply::of(payload::write_restartable_reply(*code, undone, text))
            }
            (None, TaskEnd::Abend(code, text)) => {
                Reply::of(payload::write_abend_reply(*code, text))
            }
            (None, TaskEnd::Normal) => self.reply(host),
        };
        let reply = told(host, &mut self.task, reply);
        self.task = TaskState::idle();
        if let Some(supplied) = &mut self.supplied {
            supplied.task_ended();
        }
        reply
    }
}
