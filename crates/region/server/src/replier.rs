//! The way back to a task that asked, and the tasks whose answer takes time.
//!
//! Why apart: every service answers, and a purge must find a task that waits for an answer without
//! knowing which service it asked. Not here: what is answered.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};
use tokio::sync::oneshot;
use transom_messages as messages;
pub(crate) use transom_recovery::guard::lock;
use transom_region_dispatcher::ByTask;
use transom_types::{AbendCode, Resp};
use transom_wire::requests::RegionAnswer;
use transom_workers::Ask;

/// Tasks whose answer takes time, and how to end their wait.
#[derive(Default)]
pub(crate) struct Waits(Mutex<ByTask<oneshot::Sender<AbendCode>>>);

impl Waits {
    /// Ends the wait of a task for an answer. `false`: it waits for none.
    pub(crate) fn end(&self, task_number: u32, code: AbendCode) -> bool {
        let purge = lock(&self.0).remove(&task_number);
        purge.is_some_and(|purge| purge.send(code).is_ok())
    }
}

/// The way back to the task that asked. Dropping it answers SYSIDERR.
pub(crate) struct Replier {
    ask: Ask,
    waits: Arc<Waits>,
}

impl Replier {
    pub(crate) fn new(ask: Ask, waits: Arc<Waits>) -> Self {
        Self { ask, waits }
    }

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
    pub(crate) fn answer_with(self, future: impl Future<Output = RegionAnswer> + Send + 'static) {
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
        lock(&self.waits.0).insert(task, purge);
        runtime.spawn(async move {
            let answer = tokio::select! {
                answer = future => answer,
                Ok(code) = purged => {
                    let text = messages::xm::purged_waiting(task);
                    RegionAnswer::abend(code, text)
                }
            };
            lock(&self.waits.0).remove(&task);
            self.answer(&answer);
        });
    }
}
