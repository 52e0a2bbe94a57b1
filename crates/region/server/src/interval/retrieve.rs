//! What RETRIEVE hands to tasks of START requests.

use super::Intervals;
use crate::replier::{Replier, lock};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_starts::requests::Expired;
use transom_types::{AbendCode, Resp};
use transom_wire::interval::{Owner, Retrieved};
use transom_wire::requests::RegionAnswer;

enum Taken {
    Request(Box<Expired>),
    Wait(oneshot::Receiver<()>),
    Nothing,
}

impl Intervals {
    /// RETRIEVE.
    pub(super) fn retrieve(self: &Arc<Self>, replier: Replier, wait: bool, dtimout_ms: u64) {
        let task = replier.task_number();
        // Whose data a task gets is not for a worker to say.
        let Some(owner) = lock(&self.book).running.get(&task).copied() else {
            return replier.answer(&RegionAnswer::refused(Resp::ENDDATA, 0, ""));
        };
        let service = self.clone();
        replier.answer_with(async move {
            let wanted = service.wait_for_data(task, owner, wait);
            if !wait || dtimout_ms == 0 {
                return wanted.await;
            }
            let limit = Duration::from_millis(dtimout_ms);
            let answered = service.kernel.clock.timeout(limit, wanted).await;
            answered.unwrap_or_else(|_| {
                let text = messages::ic::retrieve_timed_out(dtimout_ms);
                RegionAnswer::abend(AbendCode::AKCS, text)
            })
        });
    }

    async fn wait_for_data(&self, task: u32, owner: Owner, wait: bool) -> RegionAnswer {
        loop {
            match self.take(&owner, wait) {
                Taken::Request(found) => return self.data(task, *found).await,
                Taken::Nothing => return RegionAnswer::refused(Resp::ENDDATA, 0, ""),
                Taken::Wait(more) => {
                    // An error: the terminal is gone, and with it what could come.
                    if more.await.is_err() {
                        return RegionAnswer::refused(Resp::ENDDATA, 0, "");
                    }
                }
            }
        }
    }

    fn take(&self, owner: &Owner, wait: bool) -> Taken {
        let mut book = lock(&self.book);
        let found = match owner {
            Owner::Trigger(..) => None,
            Owner::Alone(id) => {
                let request = book.alone.remove(id);
                if let Some(request) = &request {
                    book.drop_one(request);
                }
                request.map(|request| Expired { id: *id, request })
            }
            Owner::Terminal(key) => {
                let found = book.next_data(key);
                if found.is_none()
                    && wait
                    && let Some(place) = book.terminals.get_mut(key)
                {
                    let (post, posted) = oneshot::channel();
                    place.waiter = Some(post);
                    return Taken::Wait(posted);
                }
                found
            }
        };
        match found {
            None => Taken::Nothing,
            Some(found) => Taken::Request(Box::new(found)),
        }
    }

    /// The answer; a protected request goes away with the unit of work that took its data.
    async fn data(&self, task: u32, found: Expired) -> RegionAnswer {
        let is_protected = found.request.protect;
        if is_protected && let Err(refused) = self.retrieved(task, found.id).await {
            return refused;
        }
        RegionAnswer::with(&Retrieved {
            recoverable: is_protected,
            data: found.request.data,
        })
    }
}
