//! What a service of a test stands on.
//!
//! What: a clock that tests move by hand, shared memory that is a map, units of work in memory, no
//! terminals, and a starter that keeps what it is asked to start.

use super::fake_clock::HandClock;
use super::fake_shared::FakeShared;
use crate::config::{DataConfig, TerminalConfig};
use crate::kernel::Kernel;
use crate::replier::{Replier, lock};
use crate::starter::{Accepted, Ended, NewTask, OnEnd, Starter, refused};
use crate::syncpoint::{self, UnitsOfWork};
use crate::terminal::Terminals;
use crate::{Clock, security};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages::Operator;
use transom_region_api::{Fault, LinkFailure, Payload};
use transom_security::UserConfig;
use transom_types::{AbendCode, Applid, SysId, UserId};
use transom_wire::definitions::SystemEntry;
use transom_wire::payload::Sections;
use transom_wire::requests::{Domain, RegionAnswer, ToRegion};
use transom_workers::Ask;

pub(super) struct Stage {
    pub(super) kernel: Arc<Kernel>,
    pub(super) uows: Arc<UnitsOfWork>,
    pub(super) starts: Arc<Starts>,
    pub(super) terminals: Arc<Terminals>,
    clock: Arc<HandClock>,
    said: Arc<Mutex<Vec<String>>>,
}

impl Stage {
    pub(super) fn new() -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let operator = Operator::new({
            let said = said.clone();
            move |line| lock(&said).push(line.to_string())
        });
        let clock = Arc::new(HandClock::new());
        let time: Arc<dyn Clock> = clock.clone();
        let users = security::open(
            &UserConfig::default(),
            UserId::from_field(b"CICSUSER"),
            &operator,
            &time,
        );
        let system = SystemEntry::new(Applid::from_field(b"TEST"), SysId::from_field(b"TST1"));
        let shared = Arc::new(FakeShared::default());
        let store = syncpoint::open(&DataConfig::default(), &operator).expect("a store in memory");
        let kernel = Arc::new(Kernel::new(time, system, shared, operator));
        let starts = Arc::new(Starts::default());
        let terminals = Terminals::new(
            kernel.clone(),
            starts.clone(),
            users.authority,
            TerminalConfig::default(),
        );
        Self {
            uows: Arc::new(UnitsOfWork::new(kernel.clone(), Arc::default(), store)),
            terminals: Arc::new(terminals),
            kernel,
            starts,
            clock,
            said,
        }
    }

    /// Time passes.
    pub(super) async fn advance(&self, time: Duration) {
        settle().await;
        self.clock.advance(time);
        settle().await;
    }

    /// The operator was told something.
    pub(super) fn has_said(&self, text: &str) -> bool {
        lock(&self.said).iter().any(|line| line.contains(text))
    }

    /// SYNCPOINT of a task.
    pub(super) async fn syncpoint(&self, task: u32) -> RegionAnswer {
        let request = transom_wire::syncpoint::Request::Commit;
        let uows = &self.uows;
        ask(task, &request, |replier, bytes| uows.answer(replier, bytes)).await
    }
}

/// Until nothing happens any more on this thread.
pub(super) async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

/// What a service answers a task.
pub(super) async fn ask<R: ToRegion>(
    task: u32,
    request: &R,
    service: impl FnOnce(Replier, &[u8]),
) -> RegionAnswer {
    let answered = begin(task, request, service);
    answered.await.expect("each request is answered")
}

/// The same for a request whose answer may take time.
pub(super) fn begin<R: ToRegion>(
    task: u32,
    request: &R,
    service: impl FnOnce(Replier, &[u8]),
) -> oneshot::Receiver<RegionAnswer> {
    let message = request.message();
    let (_, bytes) = Domain::open(&message).expect("a request of a domain");
    let (answer, answered) = oneshot::channel();
    let ask = Ask::new(task, Vec::new(), move |reply| {
        // A test need not wait for it.
        let _gone = answer.send(RegionAnswer::of(reply));
    });
    service(Replier::new(ask, Arc::default()), bytes);
    answered
}

/// Starts no task: keeps them, with who waits for their end.
#[derive(Default)]
pub(super) struct Starts {
    tasks: Mutex<Vec<(NewTask, Option<OnEnd>)>>,
    full: AtomicBool,
}

impl Starts {
    /// There is no place for a task from now on, or there is again.
    pub(super) fn set_full(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// Transaction and STARTCODE of the tasks so far.
    pub(super) fn tasks(&self) -> Vec<(String, String)> {
        let tasks = lock(&self.tasks);
        let shown = tasks.iter().map(|(task, _)| {
            let code = String::from_utf8_lossy(&task.start_code).into_owned();
            (task.transid.to_string(), code)
        });
        shown.collect()
    }

    /// What domains added to a task; the first one has number 1.
    pub(super) fn sections(&self, task: u32) -> Sections {
        let tasks = lock(&self.tasks);
        tasks[task as usize - 1].0.sections.clone()
    }

    /// A task ends normally.
    pub(super) fn end(&self, task_number: u32) {
        let (on_end, transid) = {
            let mut tasks = lock(&self.tasks);
            let (task, on_end) = &mut tasks[task_number as usize - 1];
            (on_end.take().expect("a task ends once"), task.transid)
        };
        let result = Ok((Payload::Commarea(Vec::new()), Sections::default()));
        on_end(Ended {
            task_number,
            transid,
            result,
            again: None,
        });
    }
}

impl Starter for Starts {
    fn start(&self, task: NewTask, on_end: OnEnd) -> Result<Accepted, LinkFailure> {
        if self.full.load(Ordering::Relaxed) {
            return Err(refused(Fault::Busy, "no place".to_owned()));
        }
        let mut tasks = lock(&self.tasks);
        tasks.push((task, Some(on_end)));
        Ok(Accepted {
            task_number: tasks.len() as u32,
            cancelled: Arc::default(),
        })
    }

    fn purge(&self, task_number: u32, _code: AbendCode, _force: bool) -> bool {
        lock(&self.tasks).len() >= task_number as usize
    }
}
