//! What the reply of a worker says of the end of its task.
//!
//! Not here: who waits for it (`tasks`), whether the task runs again (`restart`).

use super::kernel::Kernel;
use super::replier::lock;
use super::starter::{Ended, OnEnd};
use std::sync::Mutex;
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure, Payload};
use transom_types::{AbendCode, Resp, TransId};
use transom_wire::payload::{Sections, TaskReply as Decoded, Undone, read_reply};
use transom_workers::seam::TaskEnd;
use transom_workers::{AttachError, TaskReply};

/// Data and sections, or what went wrong; and of a task that may be restarted its abend and what it
/// had done.
pub(super) type Read = (
    Result<(Payload, Sections), LinkFailure>,
    Option<(AbendCode, Undone)>,
);

/// Reads a reply; the operator hears of an abend.
pub(super) fn read(kernel: &Kernel, reply: TaskReply, transid: TransId) -> Read {
    let task_number = reply.task_number;
    let abend = |code: AbendCode, text: String| LinkFailure {
        fault: Fault::Abend(code),
        text,
        task_number: Some(task_number),
    };
    if let TaskEnd::Abend(code, text) = &reply.end
        && reply.reply.is_empty()
    {
        let text = messages::ap::task_abended(transid, task_number, code, text);
        kernel.tell(text.clone());
        return (Err(abend(*code, text.into())), None);
    }
    let mut again = None;
    let result = match read_reply(reply.reply) {
        Ok(Decoded::Normal(payload, sections)) => Ok((payload, sections)),
        Ok(Decoded::Abend(code, text, undone)) => {
            again = undone.map(|undone| (code, undone));
            let text = messages::ap::task_abended(transid, task_number, code, &text);
            kernel.tell(text.clone());
            Err(abend(code, text.into()))
        }
        Ok(Decoded::Refused { resp, resp2, text }) => Err(LinkFailure {
            fault: Fault::Refused { resp, resp2 },
            text,
            task_number: Some(task_number),
        }),
        Err(damaged) => Err(LinkFailure {
            fault: Fault::Unavailable,
            text: damaged.to_string(),
            task_number: Some(task_number),
        }),
    };
    (result, again)
}

pub(super) fn not_attached(task_number: u32, why: AttachError) -> LinkFailure {
    let fault = match why {
        AttachError::TooManyTasks | AttachError::NoStorage => Fault::Busy,
        AttachError::InputTooLarge => Fault::Refused {
            resp: Resp::LENGERR,
            resp2: 0,
        },
        AttachError::Stopped => Fault::Unavailable,
    };
    LinkFailure {
        fault,
        text: messages::xm::not_attached(task_number, why).to_string(),
        task_number: Some(task_number),
    }
}

/// Called by whichever comes first, the end of the task or the refusal of the workers.
pub(crate) fn call(on_end: &Mutex<Option<OnEnd>>, ended: Ended) {
    let on_end = lock(on_end).take();
    if let Some(on_end) = on_end {
        on_end(ended);
    }
}
