//! A task under EDF on its way: what is shown before and after a command, and what becomes of it.
//!
//! What: the ways of [`Executor`] through a [`Debugger`]. Why apart: a task that nobody debugs
//! meets one look at a number that changes when somebody switches EDF on or off. Not here: the
//! displays.

use crate::answer;
use crate::command::{Cx, Fail};
use crate::debugging::{Debugger, Statement, Stopped, Verdict};
use crate::edited_call::EditedCall;
use crate::exec::Executor;
use crate::{eib, sql};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_wire::Space;
use transom_workers::seam::{Call, Host, Outcome, SqlCall, TaskEnd};

impl Executor {
    /// The task is under EDF, and a program of its own runs.
    pub(crate) fn is_debugged(&mut self, host: &mut dyn Host) -> bool {
        let changes = host.shared().changes(Space::Edf);
        if self.debugging.seen != Some(changes) || self.debugging.unlooked {
            self.look(host, changes);
        }
        self.debugging.on && self.supplied.is_some()
    }

    /// EDF was switched on or off, or a task begins.
    #[cold]
    fn look(&mut self, host: &mut dyn Host, changes: u64) {
        if self.task.number == 0 {
            return;
        }
        if self.debugging.seen != Some(changes) {
            self.debugging.seen = Some(changes);
            self.debugging.any = !host.shared().group_names(Space::Edf).is_empty();
        }
        self.debugging.unlooked = false;
        if let Some(debugger) = &mut self.debugging.debugger {
            let task = &mut self.task;
            self.debugging.on = debugger.attends(Stopped { host, task });
        }
    }

    /// The task is over; the next one is looked at, where EDF is on at all.
    pub(crate) fn undebugged(&mut self, host: &mut dyn Host) {
        self.debugging.unlooked = self.debugging.any;
        if !std::mem::take(&mut self.debugging.on) {
            return;
        }
        if let Some(debugger) = &mut self.debugging.debugger {
            debugger.forget(host);
        }
    }

    /// Hands the stopped task over; the commands it runs meanwhile are not its own.
    fn stop<T>(
        &mut self,
        host: &mut dyn Host,
        otherwise: T,
        show: impl FnOnce(&mut dyn Debugger, Stopped<'_>) -> T,
    ) -> T {
        let Some(mut debugger) = self.debugging.debugger.take() else {
            return otherwise;
        };
        self.region.caches.sql.rest();
        let task = &mut self.task;
        let answer = show(&mut *debugger, Stopped { host, task });
        if debugger.is_over() {
            self.debugging.on = false;
            debugger.forget(host);
        }
        self.debugging.debugger = Some(debugger);
        answer
    }

    pub(crate) fn initiation(&mut self, host: &mut dyn Host) {
        self.stop(host, (), |debugger, at| debugger.program_begins(at));
    }

    pub(crate) fn termination(&mut self, host: &mut dyn Host) {
        self.stop(host, (), |debugger, at| debugger.program_ends(at));
    }

    pub(crate) fn abended(&mut self, host: &mut dyn Host, code: AbendCode, text: &str) {
        self.stop(host, (), |debugger, at| debugger.abended(at, code, text));
    }

    pub(crate) fn last_displays(&mut self, host: &mut dyn Host, end: &TaskEnd) {
        self.stop(host, (), |debugger, at| debugger.task_ends(at, end));
    }

    /// A command between its two displays.
    #[cold]
    pub(crate) fn debugged(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let before = self.stop(host, Verdict::GoOn, |debugger, at| {
            debugger.before(at, &mut Statement::Command(call))
        });
        let outcome = match before {
            Verdict::Abend(code, text) => return Outcome::Abend(code, text),
            Verdict::Skip => self.answered(host, call, Resp::NORMAL),
            Verdict::GoOn | Verdict::Respond(_) => self.carry_out_edited(host, call),
        };
        // ABEND, XCTL and RETURN that work have no second display, LINK has it when it is over.
        let leaves = call.command() == cmd::ABEND && before != Verdict::Skip;
        if leaves
            || matches!(
                outcome,
                Outcome::Link(..) | Outcome::Xctl(..) | Outcome::Return
            )
        {
            return outcome;
        }
        if !self.debugging.on {
            return outcome;
        }
        let after = self.stop(host, Verdict::GoOn, |debugger, at| {
            debugger.after(at, &mut Statement::Command(call))
        });
        match after {
            Verdict::GoOn | Verdict::Skip => outcome,
            Verdict::Respond(resp) => self.answered(host, call, resp),
            Verdict::Abend(code, text) => Outcome::Abend(code, text),
        }
    }

    /// A statement of SQL between its two displays.
    #[cold]
    pub(crate) fn debugged_sql(&mut self, host: &mut dyn Host, call: &mut dyn SqlCall) -> Outcome {
        let before = self.stop(host, Verdict::GoOn, |debugger, at| {
            debugger.before(at, &mut Statement::Sql(call))
        });
        let outcome = match before {
            Verdict::Abend(code, text) => return Outcome::Abend(code, text),
            Verdict::Skip => Outcome::Continue,
            Verdict::GoOn | Verdict::Respond(_) => {
                sql::execute(host, call, &mut self.task, &mut self.region)
            }
        };
        if !self.debugging.on {
            return outcome;
        }
        let after = self.stop(host, Verdict::GoOn, |debugger, at| {
            debugger.after(at, &mut Statement::Sql(call))
        });
        match after {
            Verdict::Abend(code, text) => Outcome::Abend(code, text),
            _ => outcome,
        }
    }

    /// A LINK whose program came back; `None`: as it would have been.
    pub(crate) fn link_over(&mut self, host: &mut dyn Host) -> Option<Outcome> {
        match self.stop(host, Verdict::GoOn, |debugger, at| debugger.link_over(at)) {
            Verdict::Abend(code, text) => Some(Outcome::Abend(code, text)),
            Verdict::Respond(_) | Verdict::GoOn | Verdict::Skip => None,
        }
    }

    /// The command as if it had answered this.
    fn answered(&mut self, host: &mut dyn Host, call: &mut dyn Call, resp: Resp) -> Outcome {
        let function = transom_commands::command(call.command())
            .and_then(|command| command.fn_code_with(|option| call.has(option)));
        if let Some(function) = function {
            eib::set_function(host.eib_mut(), function);
        }
        call.set_number(opt::RESP, i64::from(resp.0));
        let done = match resp {
            Resp::NORMAL => Ok(Outcome::Continue),
            resp => Err(Fail::Raise(resp, 0)),
        };
        let mut cx = Cx {
            host,
            call,
            task: &mut self.task,
            region: &mut self.region,
        };
        answer::finish(&mut cx, done)
    }

    /// The command with the values that were typed over constants of the program.
    fn carry_out_edited(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let edited = match &mut self.debugging.debugger {
            Some(debugger) => debugger.edited(),
            None => Vec::new(),
        };
        match edited.is_empty() {
            true => self.carry_out(host, call),
            false => self.carry_out(host, &mut EditedCall::new(call, edited)),
        }
    }
}
