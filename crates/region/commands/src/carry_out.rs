//! One EXEC CICS command: from its options to EIB and RESP.
//!
//! Not here: where commands come from (`exec`), their functions (`dispatch`), displays of EDF
//! around them (`debugging`).

use crate::command::{Cx, Fail};
use crate::dispatch::Entry;
use crate::exec::Executor;
use crate::security::authority;
use crate::{answer, constants, diagnostic::trace, eib, partner, unsupported};
use transom_commands::{Command, cmd};
use transom_workers::seam::{Call, Host, Outcome};

impl Executor {
    /// Carries out a command.
    pub(crate) fn carry_out(&mut self, host: &mut dyn Host, call: &mut dyn Call) -> Outcome {
        let id = call.command();
        let command = transom_commands::command(id);
        let function = command.and_then(|c| c.fn_code_with(|option| call.has(option)));
        eib::set_function(host.eib_mut(), function.unwrap_or([0, 0]));
        let entry = self.entries.get(usize::from(id.0));
        let task = &mut self.task;
        if let Some(counter) = entry.and_then(|entry| entry.counter)
            && !task.routed.again
        {
            task.counts.count(counter);
        }
        if let Some(level) = task.levels.last_mut() {
            level.switch_to(call.caller());
        }
        let called = task.calls.command(id, function.unwrap_or_default());
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
        trace::ends(&mut cx, &begun);
        if cx.task.calls.wanted() {
            let (resource, (resp, _)) = eib::outcome(cx.host.eib_mut());
            cx.task.calls.ended(&called, resource, resp);
            if let Outcome::Link(..) = outcome {
                cx.task.calls.links(&called);
            }
        }
        outcome
    }
}
