//! The command processor of a worker: task start, every EXEC CICS, abends, task end.
//!
//! What: [`Executor`], the `Commands` of the seam. It keeps the task's state, finds the function of
//! a command (`dispatch`), fills the EIB and RESP, and sends raised conditions to `exception`.
//! Not here: what commands do (one file each), processes and unwinding (`transom_workers`).

use crate::attach::{no_storage, told};
use crate::command::RegionView;
use crate::debugging::{Debugger, Debugging};
use crate::dispatch::{self, Entry};
use crate::program::levels::end_level;
use crate::program::resolve::module;
use crate::task_state::{Refusal, TaskState};
use crate::{abend, diagnostic::trace, eib, terminal};
use std::collections::HashSet;
use transom_datastream::{AddressMode, ScreenSize};
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
    pub(crate) supplied: Option<Box<dyn SuppliedPrograms>>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) region: RegionView,
    pub(crate) task: TaskState,
    pub(crate) debugging: Debugging,
}

/// What a task is started with, as it was read.
pub(crate) type ReadStart<'a> = Result<(StartInfo, StartData<'a>, SectionsView<'a>), BadPayload>;

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
            debugging: Debugging::default(),
        }
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

    /// One that also runs supplied programs, and debugs tasks for those who ask for it.
    pub fn with_supplied(programs: Box<dyn SuppliedPrograms>, debugger: Box<dyn Debugger>) -> Self {
        Self {
            supplied: Some(programs),
            debugging: Debugging::with(debugger),
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
        let measured = start.as_ref().ok().and_then(|(info, ..)| info.measured);
        host.measure(measured.is_some());
        let begun = self.begin(host, attach);
        self.task.calls.begin(measured.unwrap_or(0));
        match begun.and_then(|()| self.attach(host, attach, start)) {
            Ok(first) => Ok(first),
            Err(refusal) => {
                let text = refusal.text.clone();
                self.task.refusal = Some(refusal);
                Err((AbendCode::APCT, text))
            }
        }
    }

    fn program_begins(&mut self, host: &mut dyn Host) {
        if self.is_debugged(host) {
            self.initiation(host);
        }
    }

    fn execute(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        self.region.caches.sql.rest();
        match self.is_debugged(host) {
            false => self.carry_out(host, call),
            true => self.debugged(host, call),
        }
    }

    fn sql(&mut self, host: &mut dyn Host, call: &mut dyn SqlCall) -> Outcome {
        self.task.counts.count(field::DB2REQCT);
        match self.is_debugged(host) {
            false => crate::sql::execute(host, call, &mut self.task, &mut self.region),
            true => self.debugged_sql(host, call),
        }
    }

    fn late_module(&mut self, host: &mut dyn Host, program: ProgramName) -> bool {
        module(host, program).unwrap_or(false)
    }

    fn level_ended(&mut self, host: &mut dyn Host) -> Outcome {
        let debugged = self.is_debugged(host);
        if debugged {
            self.termination(host);
        }
        let linked = self.task.program();
        end_level(host, &mut self.task);
        self.task.calls.returned();
        trace::returned(host, linked);
        let eib_block = host.eib_mut();
        eib::set_function(eib_block, [0x0E, 0x02]);
        eib::set_resource(eib_block, linked.as_bytes());
        eib::set_response(eib_block, Resp::NORMAL, 0);
        if debugged && let Some(outcome) = self.link_over(host) {
            return outcome;
        }
        let left = self.task.levels.len();
        match self.task.terminal.get() {
            Some(terminal) if terminal.released => Outcome::Return,
            _ if self.task.routed.goes_on(left) => Outcome::Again,
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
        let action = abend::take(host, &mut self.task, &mut self.region, level, code, text);
        if self.is_debugged(host) {
            self.abended(host, code, text);
        }
        action
    }

    fn task_end(&mut self, host: &mut dyn Host, end: &TaskEnd) -> Reply {
        if self.is_debugged(host) {
            self.last_displays(host, end);
        }
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
        self.undebugged(host);
        self.region.caches.sql.task_ended();
        if let Some(supplied) = &mut self.supplied {
            supplied.task_ended();
        }
        reply
    }
}
