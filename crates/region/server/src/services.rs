//! What the region process does for tasks beyond running them, one service a domain.
//!
//! What: hands a request of a worker to its service, and what becomes of tasks to the services that
//! keep something for them. Not here: what the services do (a module each).

use super::definitions;
use super::replier::{Replier, Waits};
use super::starter::{Ending, NewTask, TaskEvents};
use super::terminal::TerminalEvents;
use super::{
    Inner, file_control, interval, security, syncpoint, temporary_storage, transient_data,
};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use transom_messages as messages;
use transom_types::TermId;
use transom_wire::payload::Sections;
use transom_wire::requests::{Domain, RegionAnswer};
use transom_workers::Ask;

/// State of all services.
#[derive(Default)]
pub(crate) struct Services {
    pub(crate) uows: syncpoint::UnitsOfWork,
    pub(crate) files: file_control::Files,
    pub(crate) queues: temporary_storage::Queues,
    pub(crate) transient: transient_data::TransientData,
    pub(crate) intervals: interval::Intervals,
    pub(crate) security: security::Security,
    pub(crate) csd: definitions::DefinitionFile,
    pub(crate) shutdown: super::shutdown::Shutdown,
    /// Tasks whose answer takes time.
    pub(crate) waits: Arc<Waits>,
}

/// Hands a request to its service.
pub(super) fn answer(inner: &Arc<Inner>, domain: Domain, ask: Ask, request: &[u8]) {
    let replier = Replier::new(ask, inner.services.waits.clone());
    match domain {
        // Answered where it came in.
        Domain::Region => replier.answer(&RegionAnswer::damaged()),
        Domain::FileControl => file_control::answer(inner, replier, request),
        Domain::Syncpoint => syncpoint::answer(inner, replier, request),
        Domain::TemporaryStorage => temporary_storage::answer(inner, replier, request),
        Domain::TransientData => transient_data::answer(inner, replier, request),
        Domain::Interval => interval::answer(inner, replier, request),
        Domain::Terminal => inner.terminals.answer(replier, request),
        Domain::Asynchronous => inner.children.answer(replier, request),
        Domain::Security => security::answer(inner, replier, request),
        Domain::Definitions => definitions::answer(inner, replier, request),
        Domain::System => super::system::answer(inner, replier, request),
        Domain::Journal => file_control::answer_journal(inner, replier, request),
    }
}

/// Takes up what an earlier run left in the store: queues and protected START requests.
pub(super) async fn recover(inner: &Arc<Inner>) {
    let done = async {
        temporary_storage::recover(inner).await?;
        transient_data::recover(inner).await?;
        interval::recover(inner).await
    };
    if let Err(error) = done.await {
        inner.tell(messages::rm::queues_not_usable(&error));
    }
}

/// Services that hear of tasks.
pub(super) struct Subscriber(pub(super) Weak<Inner>);

impl TaskEvents for Subscriber {
    fn task_began(&self, task_number: u32, sections: &Sections) {
        if let Some(inner) = self.0.upgrade() {
            interval::task_began(&inner, task_number, sections);
        }
    }

    fn task_refused(&self, sections: &Sections, busy: bool) {
        if let Some(inner) = self.0.upgrade() {
            interval::task_refused(&inner, sections, busy);
        }
    }

    fn task_ended(&self, task_number: u32, ending: Ending) {
        if let Some(inner) = &self.0.upgrade() {
            syncpoint::task_ended(inner, task_number, ending);
            interval::task_ended(inner, task_number, ending);
            file_control::task_ended(inner, task_number);
        }
    }
}

impl TerminalEvents for Subscriber {
    fn terminal_arrived(&self, terminal: TermId) {
        if let Some(inner) = self.0.upgrade() {
            interval::terminal_arrived(&inner, terminal);
            transient_data::terminal_arrived(&inner, terminal);
        }
    }

    fn terminal_gone(&self, terminal: TermId, tasks: &VecDeque<NewTask>) {
        if let Some(inner) = self.0.upgrade() {
            interval::terminal_gone(&inner, terminal, tasks);
        }
    }
}
