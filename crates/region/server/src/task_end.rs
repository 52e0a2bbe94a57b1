//! What the reply of a worker says of the end of its task.
//!
//! Not here: who waits for it (`tasks`), whether the task runs again (`restart`).

use super::kernel::Kernel;
use super::replier::lock;
use super::starter::{Ended, OnEnd};
use std::sync::Mutex;
use transom_messages::{self as messages, Line, Message, Who};
use transom_region_api::{Fault, LinkFailure, Payload};
use transom_types::{AbendCode, Resp, TermId, TransId, UserId};
use transom_wire::payload::{Section, Sections, TaskReply as Decoded, Undone, read_reply};
use transom_wire::terminal;
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{AttachError, TaskReply};

/// Data and sections, or what went wrong; and of a task that may be restarted its abend and what it
/// had done.
pub(super) type Read = (
    Result<(Payload, Sections), LinkFailure>,
    Option<(AbendCode, Undone)>,
);

/// Transaction, terminal and user of a task.
pub(super) type Owner = (TransId, Option<TermId>, UserId);

/// Reads a reply; the operator hears of an abend.
pub(super) fn read(kernel: &Kernel, reply: TaskReply, owner: Owner) -> Read {
    let (task_number, transid) = (reply.task_number, owner.0);
    let abend = |code: AbendCode, text: String| LinkFailure {
        fault: Fault::Abend(code),
        text,
        task_number: Some(task_number),
    };
    if let TaskEnd::Abend(code, text) = &reply.end
        && reply.reply.is_empty()
    {
        let text = messages::ap::task_abended(transid, task_number, code, text);
        tell(kernel, text.clone(), task_number, owner);
        return (Err(abend(*code, text.into())), None);
    }
    let mut again = None;
    let result = match read_reply(reply.reply) {
        Ok(Decoded::Normal(payload, sections)) => Ok((payload, sections)),
        Ok(Decoded::Abend(code, text, undone)) => {
            again = undone.map(|undone| (code, undone));
            let text = messages::ap::task_abended(transid, task_number, code, &text);
            tell(kernel, text.clone(), task_number, owner);
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

/// Of a task that is attached.
pub(super) fn owner(task: &AttachBlock, terminal: Option<TermId>) -> Owner {
    (task.transid, terminal, task.userid)
}

/// The terminal of a task that begins with these.
pub(super) fn terminal(sections: &Sections) -> Option<TermId> {
    let facts = sections.get(Section::Terminal);
    facts.and_then(terminal::Facts::terminal_of)
}

fn tell(kernel: &Kernel, text: Message, task_number: u32, (transid, terminal, user): Owner) {
    let terminal = terminal.unwrap_or(TermId::BLANK);
    let who = Who::new(transid.as_str(), terminal.as_str(), user.as_str());
    kernel.tell(Line::from(text).of_task(task_number).by(who));
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
