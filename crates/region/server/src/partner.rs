//! Other regions: what tasks have them do, and mirror tasks for what they ask of this one.
//!
//! What: requests of workers go to the links, whose [`Desk`] stands on starter and units of work.
//! Not here: links and conversations (`transom_region_links`), what a mirror runs
//! (`region/supplied`).

use super::config::RegionConfig;
use super::interval::Intervals;
use super::kernel::Kernel;
use super::replier::Replier;
use super::report::Reporter;
use super::starter::{self, NewTask, Starter};
use super::syncpoint::UnitsOfWork;
use super::terminal::Terminals;
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::{InDoubt, Outcome, Part, StoreError, SyncpointManager, UowId};
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy, StatisticsGroup};
use transom_region_dispatcher::Dispatcher;
use transom_region_links::{
    Desk, Ended, Later, Links, Load, NewMirror, OnEnd, Own, Shipping, info,
};
use transom_region_monitoring::group;
use transom_types::{AbendCode, Resp};
use transom_wire::association::Itself;
use transom_wire::definitions::{TaskEntry, TransactionEntry};
use transom_wire::partner::{MIRROR, Request};
use transom_wire::payload::{Section, Sections};
use transom_wire::requests::RegionAnswer;

/// Mirrors end so when their caller is gone.
const GONE: &[u8; 4] = b"AZI6";

/// The service.
pub(crate) struct Partners {
    uows: Arc<UnitsOfWork>,
    pub(crate) links: Arc<Links>,
}

/// What links stand on.
pub(super) struct MirrorDesk {
    pub(super) kernel: Arc<Kernel>,
    dispatcher: Arc<Dispatcher>,
    uows: Arc<UnitsOfWork>,
    pub(super) starter: Arc<dyn Starter>,
    pub(super) terminals: Arc<Terminals>,
    pub(super) intervals: Arc<Intervals>,
}

impl Partners {
    pub(crate) fn new(
        (kernel, uows, starter): (&Arc<Kernel>, &Arc<UnitsOfWork>, Arc<dyn Starter>),
        (terminals, intervals, dispatcher): (&Arc<Terminals>, &Arc<Intervals>, &Arc<Dispatcher>),
        config: &RegionConfig,
    ) -> Arc<Self> {
        let net = config.links.clone();
        let own = Own {
            applid: kernel.system.applid,
            sysid: kernel.system.sysid,
        };
        let desk = MirrorDesk {
            kernel: kernel.clone(),
            dispatcher: dispatcher.clone(),
            uows: uows.clone(),
            starter,
            terminals: terminals.clone(),
            intervals: intervals.clone(),
        };
        let (shared, operator) = (kernel.shared().clone(), kernel.operator.clone());
        Arc::new(Self {
            uows: uows.clone(),
            links: Links::new(own, net, shared, Arc::new(desk), operator),
        })
    }

    /// Answers a worker.
    pub(crate) fn answer(&self, replier: Replier, request: &[u8]) {
        let (links, task) = (self.links.clone(), replier.task_number());
        match Request::decode(request) {
            Some(Request::Ship {
                system,
                userid,
                transid,
                apart,
                command,
                waits,
            }) => {
                let uow = match apart {
                    true => self.uows.existing(task),
                    false => Some(self.uows.current(task)),
                };
                let shipping = Shipping {
                    task,
                    system,
                    userid,
                    transid,
                    apart,
                    command,
                    waits,
                    uow,
                };
                replier.answer_with(async move { links.ship(shipping).await });
            }
            Some(Request::Next(answer)) => replier.answer_with(async move {
                match links.next(task, answer).await {
                    Some(work) => RegionAnswer::with(&work),
                    None => RegionAnswer::abend(
                        AbendCode::from_field(GONE),
                        messages::is::caller_gone(),
                    ),
                }
            }),
            Some(Request::Route(routing)) => {
                replier.answer_with(async move { links.route(task, routing).await });
            }
            Some(Request::UnitLinks) => {
                replier.answer_with(async move { RegionAnswer::with(&links.unit_links().await) })
            }
            Some(Request::ForgetUnitLink(token)) => {
                replier.answer_with(async move { links.forget_unit_link(token).await });
            }
            None => replier.answer(&RegionAnswer::damaged()),
        }
    }

    /// Tells figures of links.
    pub(crate) fn reporter(&self) -> Reporter {
        let links = self.links.clone();
        Box::new(move || vec![statistics(&links)])
    }
}

fn statistics(links: &Links) -> StatisticsGroup {
    let all = links.read();
    let sum = |name: &str| {
        let values = all.iter().flat_map(|link| &link.figures);
        let same = values.filter(|(figure, _)| *figure == name);
        same.map(|(_, value)| value).sum::<u64>()
    };
    let acquired = all.iter().filter(|link| link.acquired).count();
    group(
        "links",
        &[
            ("connections", all.len() as u64),
            ("acquired", acquired as u64),
            ("mirrors", links.mirrors() as u64),
            ("routed_tasks", links.routed() as u64),
            ("conversations", sum("conversations")),
            ("commands", sum("commands")),
            ("sessions", sum("sessions")),
            ("sessions_waited_for", sum("sessions_waited_for")),
            ("sessions_wanted", sum("sessions_wanted")),
            ("no_link", sum("no_link")),
            ("all_in_use", sum("all_in_use")),
            ("failed", sum("failed")),
            ("bytes_sent", sum("bytes_sent")),
            ("bytes_received", sum("bytes_received")),
        ],
    )
}

impl Desk for MirrorDesk {
    fn start(&self, mirror: NewMirror, on_end: OnEnd) -> Result<u32, Ended> {
        let transid = mirror.transid;
        let entry = TransactionEntry::named_so(self.kernel.shared(), transid);
        if entry.is_some_and(|entry| entry.program.as_bytes() != MIRROR) {
            let text = messages::is::no_mirror(transid).to_string();
            return Err(Ended::NotRun(Resp::TRANSIDERR, 0, text));
        }
        let mut sections = Sections::default();
        if !mirror.origin.is_empty() {
            sections.add(Section::Origin, &mirror.origin);
        }
        let task = NewTask {
            transid,
            program: None,
            userid: mirror.userid,
            payload: Payload::Commarea(Vec::new()),
            reply_bytes_max: 0,
            started_by: StartedBy::Region,
            start_code: if mirror.apart { *b"DS" } else { *b"D " },
            client: None,
            sections,
            restarts: 0,
        };
        let on_end = Box::new(move |task: starter::Ended| {
            on_end(match task.result {
                Ok(_) => Ended::Normal,
                Err(failure) => ended(failure),
            });
        });
        let accepted = self.starter.start(task, on_end).map_err(ended)?;
        Ok(accepted.task_number)
    }

    fn origin(&self, task: u32) -> Option<Vec<u8>> {
        let entry = TaskEntry::find(self.kernel.shared(), task)?;
        let itself = Itself {
            applid: self.kernel.system.applid,
            task_number: task,
            transid: entry.transid,
            userid: entry.userid,
            start_abstime_ms: entry.start_abstime_ms,
        };
        Some(entry.association.handed_on(&itself).encode())
    }

    fn purge(&self, task: u32) {
        self.starter.purge(task, AbendCode::from_field(GONE), false);
    }

    fn load(&self) -> Load {
        let (counts, _) = self.dispatcher.counts();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Load {
            tasks: number(counts.active),
            queued: number(counts.queued),
            max_tasks: self.dispatcher.max_tasks(),
            stopping: self.kernel.is_stopping() || self.kernel.is_quiescing(),
        }
    }

    fn part(&self, task: u32) -> Option<Part> {
        let uow = self.uows.existing(task)?;
        let part = |manager: Arc<dyn SyncpointManager>| manager.part(uow);
        Some(self.uows.manager().map_or(Part::Locks, part))
    }

    fn unit(&self, task: u32) -> Option<UowId> {
        self.uows.existing(task)
    }

    fn prepare(&self, task: u32, caller: UowId) -> Later<Result<(), StoreError>> {
        let uows = self.uows.clone();
        Box::pin(async move { uows.prepare(task, &info(caller)).await })
    }

    fn end(&self, task: u32, outcome: Outcome) -> Later<Result<(), StoreError>> {
        let uows = self.uows.clone();
        Box::pin(async move { uows.end(task, outcome).await })
    }

    fn abandon(&self, task: u32) {
        self.uows.abandon(task);
    }

    fn in_doubt(&self) -> Later<Result<Vec<InDoubt>, StoreError>> {
        let manager = self.uows.manager();
        Box::pin(async move { manager.ok_or(StoreError::Closed)?.in_doubt().await })
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> Later<Result<(), StoreError>> {
        let uows = self.uows.clone();
        Box::pin(async move { uows.resolve(uow, outcome).await })
    }

    fn manager(&self) -> Option<Arc<dyn SyncpointManager>> {
        self.uows.manager()
    }
}

fn ended(failure: LinkFailure) -> Ended {
    let text = failure.text;
    match failure.fault {
        Fault::Abend(code) => Ended::Abend(code, text),
        Fault::Refused { resp, resp2 } => Ended::NotRun(resp, resp2, text),
        Fault::Busy | Fault::TimedOut | Fault::Unavailable => {
            Ended::NotRun(Resp::SYSIDERR, 0, text)
        }
    }
}
