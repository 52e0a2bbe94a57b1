//! One LINK from outside: a mirror task, its time limit, its answer.

use super::kernel::Kernel;
use super::starter::{Ended, NewTask, Starter};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure, LinkOutput, LinkRequest, Reply, StartedBy};
use transom_types::{AbendCode, TransId};
use transom_wire::payload::Sections;

/// Transaction of a mirror task when the caller names none.
const DEFAULT_MIRROR: &[u8] = b"CSMI";

type Answer = Result<LinkOutput, LinkFailure>;

/// The service.
pub(crate) struct Links(pub(crate) Arc<Kernel>, pub(crate) Arc<dyn Starter>);

impl Links {
    /// Starts a mirror task; the future is its answer.
    pub(crate) fn link(&self, request: LinkRequest) -> Reply<Answer> {
        let timeout = request.timeout;
        let transid = request.transid;
        let task = NewTask {
            transid: transid.unwrap_or_else(|| TransId::from_field(DEFAULT_MIRROR)),
            program: Some(request.program),
            userid: request.userid,
            payload: request.payload,
            reply_bytes_max: request.reply_bytes_max,
            started_by: request.started_by,
            start_code: start_code(request.started_by),
            client: request.client,
            sections: Sections::default(),
            restarts: 0,
        };
        let (answer, reply) = oneshot::channel();
        let on_end = Box::new(move |ended: Ended| {
            // Nobody waits any more: the task has run, its answer is dropped.
            let _unread = answer.send(output(ended));
        });
        let accepted = match self.1.start(task, on_end) {
            Ok(accepted) => accepted,
            Err(failure) => return Box::pin(std::future::ready(Err(failure))),
        };
        let task_number = accepted.task_number;
        let (kernel, starter) = (self.0.clone(), self.1.clone());
        Box::pin(async move {
            let Some(limit) = timeout else {
                return reply.await.unwrap_or_else(|_| Err(gone(task_number)));
            };
            match kernel.clock.timeout(limit, reply).await {
                Ok(answer) => answer.unwrap_or_else(|_| Err(gone(task_number))),
                Err(_) => {
                    accepted.cancelled.store(true, Ordering::SeqCst);
                    starter.purge(task_number, AbendCode::AKC3, false);
                    Err(LinkFailure {
                        fault: Fault::TimedOut,
                        text: messages::xm::no_reply_in_time(task_number, limit.as_millis())
                            .to_string(),
                        task_number: Some(task_number),
                    })
                }
            }
        })
    }
}

fn output(ended: Ended) -> Answer {
    let (payload, _) = ended.result?;
    Ok(LinkOutput {
        payload,
        task_number: ended.task_number,
        transid: ended.transid,
        cpu_ns: 0,
    })
}

/// DS for a distributed program link with its own syncpoint, U for what nobody linked to.
fn start_code(started_by: StartedBy) -> [u8; 2] {
    match started_by {
        StartedBy::Gateway | StartedBy::Region => *b"DS",
        _ => *b"U ",
    }
}

fn gone(task_number: u32) -> LinkFailure {
    LinkFailure {
        fault: Fault::Unavailable,
        text: messages::xm::region_stopped(task_number).to_string(),
        task_number: Some(task_number),
    }
}
