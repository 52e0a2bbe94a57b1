//! What a worker asks, on its way to the service of its domain.
//!
//! What: one question, or one that brings along what the program was told is done already. Why
//! that: a REWRITE nothing can refuse costs no round trip of its own. Where the end of the store
//! refuses it all the same, the program must not go on: the task ends as it would have at the
//! command, and whatever becomes of that, its unit of work cannot be committed. Not here: what is
//! answered (a module each).

use super::Services;
use crate::replier::Replier;
use std::sync::Arc;
use transom_messages as messages;
use transom_types::AbendCode;
use transom_wire::requests::{Along, Domain, RegionAnswer};
use transom_workers::Ask;

impl Services {
    /// Hands what a task asks to the service of its domain.
    pub(crate) fn answer(self: &Arc<Self>, mut ask: Ask) {
        let message = std::mem::take(&mut ask.request);
        if let Some((Domain::Along, request)) = Domain::open(&message) {
            return self.one_after_the_other(ask, Along::decode(request));
        }
        let replier = Replier::new(ask, self.base.waits.clone());
        let Some((domain, request)) = Domain::open(&message) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let task = replier.task_number();
        if let Err(refused) = self.base.tasks.rights.check(task, domain, request) {
            return replier.answer(&refused);
        }
        if let Some(answer) = self.partners.asks_elsewhere(task, domain, request) {
            return replier.answer_with(answer);
        }
        match domain {
            Domain::Region => self.control.answer(replier, request),
            Domain::FileControl => self.files.answer(replier, request),
            Domain::Syncpoint => self.base.uows.answer(replier, request),
            Domain::TemporaryStorage => self.queues.answer(replier, request),
            Domain::TransientData => self.transient.answer(replier, request),
            Domain::Interval => self.intervals.answer(replier, request),
            Domain::Terminal => self.base.terminals.answer(replier, request),
            Domain::Asynchronous => self.children.answer(replier, request),
            Domain::Security => self.security.answer(replier, request),
            Domain::Definitions => self.definitions.answer(replier, request),
            Domain::System => self.system.answer(replier, request),
            Domain::Counter => self.counters.answer(replier, request),
            Domain::Sql => self.sql.answer(replier, request),
            Domain::Journal => self.journals.answer(replier, request),
            Domain::Partner => self.partners.answer(replier, request),
            Domain::Along => replier.answer(&RegionAnswer::damaged()),
        }
    }

    fn one_after_the_other(self: &Arc<Self>, ask: Ask, along: Option<Along>) {
        let Some(Along { first, then }) = along.filter(Along::is_flat) else {
            return ask.answer(&RegionAnswer::damaged().encode());
        };
        let (services, task) = (self.clone(), ask.task_number);
        let went = move |reply: &[u8]| services.went_along(ask, then, RegionAnswer::of(reply));
        self.answer(Ask::new(task, first, went));
    }

    fn went_along(self: &Arc<Self>, mut ask: Ask, then: Vec<u8>, said: RegionAnswer) {
        let done = said.is_normal();
        if done && then.is_empty() {
            return ask.answer(&RegionAnswer::normal().encode());
        }
        if done {
            ask.request = then;
            return self.answer(ask);
        }
        let task = ask.task_number;
        let text = messages::fc::done_and_refused(task, &said.text);
        self.base.kernel.tell(text.clone());
        let code = said.abend.or(said.resp.default_abend());
        let code = code.unwrap_or(AbendCode::from_field(b"AEIQ"));
        self.base.uows.doom(task);
        ask.answer(&RegionAnswer::abend(code, text).encode());
    }
}
