//! Children of RUN TRANSID.
//!
//! What: starts them, keeps their answers until the parent fetches or frees them, and forgets them
//! when the parent ends; a child runs to its end all the same. Reading order: `family` (who has
//! which children, no tasks). Not here: the commands (`crate::asynchronous`).
//!
//! Limits: `QueueConfig::children_max` children of one parent that were neither fetched nor freed;
//! beyond it RUN TRANSID raises NOSTART. [`ANSWER_BYTES_MAX`] bytes of answers of all parents;
//! beyond it a child's channel is lost and FETCH says that it abended ASTG.

use super::config::QueueConfig;
use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::starter::{Ended, Ending, NewTask, Starter, TaskEvents};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::{ContainerData, Fault, LinkFailure, Payload, StartedBy, StatisticsGroup};
use transom_region_monitoring::{Gauge, group};
use transom_starts::children::{Families, Found};
use transom_types::{AbendCode, Resp, TransId, UserId};
use transom_wire::association::Inherited;
use transom_wire::asynchronous::{Fetched, Request};
use transom_wire::payload::{
    ContainerView, Section, Sections, TaskReply, read_reply, write_channel_reply,
};
use transom_wire::requests::RegionAnswer;

/// Most bytes of channels that children left and nobody fetched.
pub(crate) const ANSWER_BYTES_MAX: u64 = 512 << 20;

/// The service.
pub(crate) struct Children {
    kernel: Arc<Kernel>,
    starter: Arc<dyn Starter>,
    families: Mutex<Families>,
    /// Children of one parent, of all parents the most.
    of_one: Gauge,
    /// Bytes of answers that were not fetched.
    answers: Gauge,
    most: usize,
}

impl Children {
    pub(super) fn new(
        kernel: Arc<Kernel>,
        starter: Arc<dyn Starter>,
        config: &QueueConfig,
    ) -> Self {
        Self {
            kernel,
            starter,
            families: Mutex::default(),
            of_one: Gauge::default(),
            answers: Gauge::default(),
            most: config.children_max,
        }
    }

    /// Children and their answers.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let (children, answers) = (self.of_one.figures(), self.answers.figures());
        group(
            "asynchronous services",
            &[
                ("children_of_a_task_peak", children.1),
                ("children_of_a_task_limit", self.most as u64),
                ("times_at_children_limit", children.2),
                ("answer_bytes", answers.0),
                ("answer_bytes_peak", answers.1),
                ("answer_bytes_limit", ANSWER_BYTES_MAX),
                ("times_at_answer_bytes_limit", answers.2),
            ],
        )
    }
}

impl Children {
    /// Answers a worker.
    pub(super) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let parent = replier.task_number();
        match Request::decode(request) {
            Some(Request::Run {
                transid,
                userid,
                channel,
                inherited,
            }) => {
                let answer = self.run(parent, (transid, userid), channel, &inherited);
                replier.answer(&answer.unwrap_or_else(|refused| refused));
            }
            Some(Request::Fetch {
                at_once,
                timeout_ms,
                token,
            }) => self.fetch(replier, at_once, timeout_ms, token),
            Some(Request::Free(token)) => {
                let freed = lock(&self.families).free(parent, &token);
                self.answers.take(freed.unwrap_or(0));
                replier.answer(&match freed {
                    Some(_) => RegionAnswer::normal(),
                    None => RegionAnswer::refused(Resp::INVREQ, 50, ""),
                });
            }
            None => replier.answer(&RegionAnswer::damaged()),
        }
    }

    fn run(
        self: &Arc<Self>,
        parent: u32,
        (transid, userid): (TransId, UserId),
        channel: Option<Vec<u8>>,
        inherited: &Inherited,
    ) -> Result<RegionAnswer, RegionAnswer> {
        let payload = match channel.map(read_reply) {
            Some(Ok(TaskReply::Normal(payload, _))) => payload,
            _ => Payload::Commarea(Vec::new()),
        };
        let most = self.most;
        let added = lock(&self.families).add(parent, most);
        let Some((token, children)) = added else {
            self.of_one.refused();
            let text = messages::as_::too_many_children(parent, most);
            return Err(RegionAnswer::refused(Resp::NOSTART, 0, text));
        };
        self.of_one.see(children as u64);
        let mut sections = Sections::default();
        sections.add(Section::Parent, &parent.to_be_bytes());
        sections.add(Section::Origin, &inherited.encode());
        let task = NewTask {
            transid,
            program: None,
            userid: Some(userid),
            payload,
            reply_bytes_max: 0,
            started_by: StartedBy::Child,
            start_code: *b"U ",
            client: None,
            sections,
            restarts: 0,
        };
        let service = self.clone();
        let on_end = Box::new(move |ended: Ended| {
            let fetched = service.bounded(outcome(token, ended.result));
            let kept = lock(&service.families).child_ended(parent, fetched);
            service.answers.take(kept.err().unwrap_or(0));
        });
        match self.starter.start(task, on_end) {
            Ok(_) => Ok(RegionAnswer::with_data(token.to_vec())),
            // As a child that was attached and found out then.
            Err(failure) if is_forbidden(&failure) => {
                let fetched = outcome(token, Err(failure));
                let _empty = lock(&self.families).child_ended(parent, fetched);
                Ok(RegionAnswer::with_data(token.to_vec()))
            }
            Err(failure) => {
                lock(&self.families).free(parent, &token);
                Err(not_started(&failure))
            }
        }
    }

    fn fetch(
        self: &Arc<Self>,
        replier: Replier,
        at_once: bool,
        timeout_ms: u64,
        token: Option<[u8; 16]>,
    ) {
        let parent = replier.task_number();
        let service = self.clone();
        replier.answer_with(async move {
            let until = (timeout_ms > 0).then(|| {
                service
                    .kernel
                    .clock
                    .after(Duration::from_millis(timeout_ms))
            });
            loop {
                let found = lock(&service.families).take(parent, token, !at_once);
                let ended = match found {
                    Found::Answer(fetched) => {
                        let bytes = fetched.reply.len() as u64;
                        service.answers.take(bytes);
                        return RegionAnswer::with(&fetched);
                    }
                    Found::Refused(resp, resp2) => return RegionAnswer::refused(resp, resp2, ""),
                    Found::Wait(ended) => ended,
                };
                let waited = match until {
                    Some(until) => service.kernel.clock.timeout_at(until, ended).await,
                    None => Ok(ended.await),
                };
                if waited.is_err() {
                    return RegionAnswer::refused(Resp::NOTFINISHED, 53, "");
                }
            }
        });
    }

    /// The answer as it is kept until its parent fetches it: without room for its channel as that
    /// of a child that abended.
    fn bounded(&self, mut fetched: Fetched) -> Fetched {
        let bytes = fetched.reply.len() as u64;
        if !self.answers.add(bytes, ANSWER_BYTES_MAX) {
            self.kernel
                .tell(messages::as_::answer_lost(bytes, ANSWER_BYTES_MAX));
            fetched.reply = Vec::new();
            fetched.abcode = Some(AbendCode::from_field(b"ASTG"));
        }
        fetched
    }
}

impl TaskEvents for Children {
    /// A task is over: its children belong to nobody.
    fn task_ended(&self, task_number: u32, _ending: Ending) {
        let freed = lock(&self.families).parent_ended(task_number);
        self.answers.take(freed);
    }
}

fn is_forbidden(failure: &LinkFailure) -> bool {
    let resp = match failure.fault {
        Fault::Refused { resp, .. } => Some(resp),
        _ => None,
    };
    resp == Some(Resp::NOTAUTH)
}

fn not_started(failure: &LinkFailure) -> RegionAnswer {
    let (resp, resp2) = match failure.fault {
        Fault::Refused {
            resp: resp @ (Resp::TRANSIDERR | Resp::DISABLED),
            resp2,
        } => (resp, resp2),
        // Children run in their parent's region.
        Fault::Refused {
            resp: Resp::SYSIDERR,
            ..
        } => (Resp::INVREQ, 0),
        _ => (Resp::NOSTART, 0),
    };
    RegionAnswer::refused(resp, resp2, failure.text.clone())
}

fn outcome(token: [u8; 16], result: Result<(Payload, Sections), LinkFailure>) -> Fetched {
    let mut fetched = Fetched {
        token,
        security: false,
        abcode: None,
        reply: Vec::new(),
    };
    match result {
        Ok((Payload::Channel { name, containers }, _)) => {
            let views = containers.iter().map(|container| {
                let (ccsid, bytes) = match &container.data {
                    ContainerData::Bit(bytes) => (None, bytes),
                    ContainerData::Char { ccsid, bytes } => (Some(*ccsid), bytes),
                };
                ContainerView {
                    name: container.name,
                    ccsid,
                    bytes,
                }
            });
            fetched.reply =
                write_channel_reply(name, containers.len(), views, &Sections::default());
        }
        Ok(_) => {}
        Err(failure) => match failure.fault {
            Fault::Abend(code) => fetched.abcode = Some(code),
            Fault::Refused {
                resp: Resp::NOTAUTH,
                ..
            } => {
                fetched.security = true;
                fetched.abcode = Some(AbendCode::from_field(b"AASA"));
            }
            // Its program could not run: as an abend of the attach.
            _ => fetched.abcode = Some(AbendCode::APCT),
        },
    }
    fetched
}
