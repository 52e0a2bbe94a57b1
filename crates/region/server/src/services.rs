//! What the region process does for tasks beyond running them, one service a domain.
//!
//! What: hands a request of a worker to its service, drives answers that take time, and lets a
//! purge end a task that waits for one. Not here: what the services do (a module each).

use super::definitions;
use super::{
    Inner, asynchronous, file_control, interval, security, syncpoint, temporary_storage, terminal,
    transient_data,
};
use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tokio::sync::oneshot;
use transom_messages as messages;
pub(super) use transom_recovery::guard::lock;
use transom_types::{AbendCode, Resp};
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
    pub(crate) terminals: terminal::Terminals,
    pub(crate) children: asynchronous::Children,
    pub(crate) security: security::Security,
    pub(crate) csd: definitions::DefinitionFile,
    pub(crate) shutdown: super::shutdown::Shutdown,
    /// Tasks whose answer takes time, and how to end their wait.
    waiting: Mutex<HashMap<u32, oneshot::Sender<AbendCode>>>,
}

/// The way back to the task that asked. Dropping it answers SYSIDERR.
pub(crate) struct Replier {
    ask: Ask,
}

impl Replier {
    /// The task.
    pub(crate) fn task_number(&self) -> u32 {
        self.ask.task_number
    }

    /// Answers; the task goes on.
    pub(crate) fn answer(self, answer: &RegionAnswer) {
        self.ask.answer(&answer.encode());
    }

    /// Answers when the future is ready. What is ready at once costs nothing more; the rest runs on
    /// the runtime, and a purge of the task ends it.
    pub(crate) fn answer_with(
        self,
        inner: &Arc<Inner>,
        future: impl Future<Output = RegionAnswer> + Send + 'static,
    ) {
        let mut future: Pin<Box<dyn Future<Output = RegionAnswer> + Send>> = Box::pin(future);
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(answer) = future.as_mut().poll(&mut context) {
            return self.answer(&answer);
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            let text = messages::ei::no_runtime();
            return self.answer(&RegionAnswer::refused(Resp::SYSIDERR, 0, text));
        };
        let (purge, purged) = oneshot::channel();
        let task = self.task_number();
        lock(&inner.services.waiting).insert(task, purge);
        let inner = inner.clone();
        runtime.spawn(async move {
            let answer = tokio::select! {
                answer = future => answer,
                Ok(code) = purged => {
                    let text = messages::xm::purged_waiting(task);
                    RegionAnswer::abend(code, text)
                }
            };
            lock(&inner.services.waiting).remove(&task);
            self.answer(&answer);
        });
    }
}

/// Hands a request to its service.
pub(super) fn answer(inner: &Arc<Inner>, domain: Domain, ask: Ask, request: &[u8]) {
    let replier = Replier { ask };
    match domain {
        // Answered where it came in.
        Domain::Region => replier.answer(&RegionAnswer::damaged()),
        Domain::FileControl => file_control::answer(inner, replier, request),
        Domain::Syncpoint => syncpoint::answer(inner, replier, request),
        Domain::TemporaryStorage => temporary_storage::answer(inner, replier, request),
        Domain::TransientData => transient_data::answer(inner, replier, request),
        Domain::Interval => interval::answer(inner, replier, request),
        Domain::Terminal => terminal::answer(inner, replier, request),
        Domain::Asynchronous => asynchronous::answer(inner, replier, request),
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

/// A task is over, however it ended: what the region still keeps for it goes.
pub(super) fn task_ended(inner: &Arc<Inner>, task_number: u32, normally: bool) {
    syncpoint::task_ended(inner, task_number);
    asynchronous::task_ended(inner, task_number);
    interval::task_ended(inner, task_number, normally);
    terminal::task_ended(inner, task_number);
    file_control::task_ended(inner, task_number);
}

/// Ends the wait of a task for an answer. `false`: it waits for none.
pub(super) fn end_wait(inner: &Inner, task_number: u32, code: AbendCode) -> bool {
    let purge = lock(&inner.services.waiting).remove(&task_number);
    purge.is_some_and(|purge| purge.send(code).is_ok())
}
