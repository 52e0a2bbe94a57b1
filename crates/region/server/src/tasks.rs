//! Tasks: checks of definitions, admission, attach, and what happens when one ended.
//!
//! What: [`Tasks`] is the region's [`Starter`] and tells [`TaskEvents`]. Not here: who waits for a
//! task (`link`, services), queues (`dispatcher`).

use super::kernel::Kernel;
use super::replier::Waits;
use super::resources::Resources;
use super::starter::{
    Accepted, Again, Decided, Ended, Ending, NewTask, OnEnd, Starter, TaskEvents, refused,
};
use super::workers::Workers;
use super::{restart, task_end};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use transom_messages as messages;
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_region_dispatcher::{Dispatcher, NotAdmitted, TaskNumber, TaskNumbers};
use transom_region_monitoring::{self as measuring, Measuring, Monitoring, MonitoringConfig};
use transom_security::{Known, Rights};
use transom_types::{AbendCode, Resp, TermId, TransClass, UserId};
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry, count_use};
use transom_wire::payload::{COMMAREA_BYTES_MAX, StartInfo, write_start};
use transom_wire::{SUPPLIED, Space};
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{TaskOptions, TaskReply};

/// Whom and what a task runs for.
struct Checked {
    program: ProgramEntry,
    transaction: TransactionEntry,
    userid: UserId,
    class: Option<TransClass>,
    priority: u8,
}

/// Starts tasks and sees them end.
pub(crate) struct Tasks {
    me: Weak<Self>,
    kernel: Arc<Kernel>,
    workers: Arc<dyn Workers>,
    dispatcher: Arc<Dispatcher>,
    resources: Arc<Resources>,
    pub(crate) rights: Arc<Rights>,
    waits: Arc<Waits>,
    pub(crate) monitoring: Arc<Monitoring>,
    /// Who hears of tasks; set once, before the first task.
    events: OnceLock<Vec<Weak<dyn TaskEvents>>>,
    numbers: Arc<TaskNumbers>,
    /// A wake-up of workers is on its way.
    wake_scheduled: AtomicBool,
}

struct Prepared {
    class: Option<TransClass>,
    priority: u8,
    options: TaskOptions,
    block: AttachBlock,
    cancelled: Arc<AtomicBool>,
    /// Goes with the last who speaks of the task; with it what it may ask.
    number: (TaskNumber, Option<Known>),
    /// As it was started, where it may run again.
    kept: Option<Box<NewTask>>,
    measured: Option<Measuring>,
    terminal: Option<TermId>,
}

/// What tasks are started with.
pub(crate) struct Means {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) workers: Arc<dyn Workers>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) rights: Arc<Rights>,
    pub(crate) waits: Arc<Waits>,
    pub(crate) monitoring: Arc<Monitoring>,
}

impl Tasks {
    pub(crate) fn new(means: Means) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            kernel: means.kernel,
            workers: means.workers,
            dispatcher: means.dispatcher,
            resources: means.resources,
            rights: means.rights,
            waits: means.waits,
            monitoring: means.monitoring,
            events: OnceLock::new(),
            numbers: Arc::default(),
            wake_scheduled: AtomicBool::new(false),
        })
    }

    /// Who hears of tasks, in this order.
    pub(crate) fn subscribe<const N: usize>(&self, events: [Arc<dyn TaskEvents>; N]) {
        // Set once: a region starts once.
        let _first = self.events.set(events.iter().map(Arc::downgrade).collect());
    }

    fn tell(&self, event: impl Fn(&dyn TaskEvents)) {
        let subscribers = self.events.get().into_iter().flatten();
        for subscriber in subscribers.filter_map(Weak::upgrade) {
            event(&*subscriber);
        }
    }
}

impl Starter for Tasks {
    fn start(&self, task: NewTask, on_end: OnEnd) -> Result<Accepted, LinkFailure> {
        self.takes_now(&task).inspect_err(|_| {
            self.tell(|e| e.task_refused(&task.sections, true));
        })?;
        self.admit(task, on_end, false)
    }

    fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool {
        let waited = !force && self.waits.end(task_number, code);
        waited || self.workers.purge(task_number, code, force)
    }

    fn decide(&self, again: Again, then: Decided) {
        let start = |task, on_end| self.start_of_region(task, on_end);
        restart::decide(&self.kernel, &self.resources, &start, again, then);
    }
}

impl Tasks {
    /// Starts a task of the region itself, at whatever stage the region is: nobody's authority is
    /// asked, and no class limits it.
    pub(crate) fn start_of_region(
        &self,
        task: NewTask,
        on_end: OnEnd,
    ) -> Result<Accepted, LinkFailure> {
        self.admit(task, on_end, true)
    }

    fn admit(
        &self,
        task: NewTask,
        on_end: OnEnd,
        of_region: bool,
    ) -> Result<Accepted, LinkFailure> {
        let checked = self.check(&task, of_region).inspect_err(|failure| {
            let busy = failure.fault == Fault::Busy;
            self.tell(|e| e.task_refused(&task.sections, busy));
        })?;
        let prepared = self.prepare(task, checked);
        let accepted = Accepted {
            task_number: prepared.block.task_number,
            cancelled: prepared.cancelled.clone(),
        };
        let transid = prepared.block.transid;
        let (class, priority) = (prepared.class, prepared.priority);
        let me = self.me.clone();
        let start = Box::new(move || me.upgrade().is_some_and(|me| me.attach(prepared, on_end)));
        self.dispatcher
            .admit(class, priority, start)
            .map_err(|why| {
                self.tell(|e| e.task_ended(accepted.task_number, Ending::NoPlace));
                match why {
                    NotAdmitted::QueueFull => {
                        refused(Fault::Busy, messages::xm::mxt_reached(transid).to_string())
                    }
                    NotAdmitted::ClassThreshold => refused(
                        Fault::Busy,
                        messages::xm::purge_threshold(transid).to_string(),
                    ),
                }
            })?;
        Ok(accepted)
    }

    /// The stage of the region allows the task: none when it ends, none of a trigger before the
    /// programs of PLTPI have ended, and for terminals only SHUTDOWN(ENABLED) once it is about to.
    fn takes_now(&self, task: &NewTask) -> Result<(), LinkFailure> {
        let kernel = &self.kernel;
        let busy = |why: messages::Message| Err(refused(Fault::Busy, why.to_string()));
        if kernel.is_stopping() {
            return busy(messages::xm::region_stopping());
        }
        if kernel.is_initializing() && task.started_by == StartedBy::Trigger {
            return busy(messages::xm::region_starting());
        }
        if kernel.is_quiescing() && task.started_by == StartedBy::Terminal {
            let entry = TransactionEntry::named_so(kernel.shared(), task.transid);
            if entry.is_some_and(|entry| !entry.shutdown_enabled) {
                return busy(messages::xm::region_quiescing(task.transid));
            }
        }
        Ok(())
    }

    /// The checks of a task.
    fn check(&self, task: &NewTask, of_region: bool) -> Result<Checked, LinkFailure> {
        let (shared, at_terminal) = (self.kernel.shared(), task.is_routable());
        let (program, transaction) =
            (self.resources).to_run(shared, task.transid, task.program, at_terminal)?;
        let userid = task.userid.unwrap_or(self.kernel.system.default_user);
        let authority = &self.rights.authority;
        let may = match task.program {
            _ if of_region => Ok(()),
            Some(linked) => authority.may_link(&transaction, linked, userid),
            None => authority
                .may_attach(transaction.transid, userid)
                .map_err(|text| (0, text)),
        };
        may.map_err(|(resp2, text)| {
            let resp = Resp::NOTAUTH;
            refused(Fault::Refused { resp, resp2 }, text.into())
        })?;
        // As in CICS: the priorities of transaction and operator count together.
        let priority = transaction
            .priority
            .saturating_add(authority.priority(userid));
        if let Payload::Commarea(bytes) = &task.payload
            && bytes.len() > COMMAREA_BYTES_MAX
        {
            let (resp, resp2) = (Resp::LENGERR, 0);
            let text = messages::pg::commarea_too_long(bytes.len(), COMMAREA_BYTES_MAX).to_string();
            return Err(refused(Fault::Refused { resp, resp2 }, text));
        }
        let class = Some(transaction.class).filter(|c| !c.is_blank() && !of_region);
        Ok(Checked {
            program,
            transaction,
            userid,
            class,
            priority,
        })
    }

    /// Gives a task its number.
    fn prepare(&self, task: NewTask, checked: Checked) -> Prepared {
        let Checked {
            program,
            transaction,
            userid,
            class,
            priority,
        } = checked;
        let kept = transaction.restart.then(|| Box::new(task.clone()));
        let number = self.numbers.take();
        let task_number = number.get();
        // A relay task may run a routing program, or the transaction's own.
        let supplied = program.path.starts_with(SUPPLIED) && !transaction.is_routed();
        let known = (self.rights).begin(task_number, userid, &transaction, supplied);
        self.tell(|e| e.task_began(task_number, &task.sections));
        let begins = || measuring::NewTask {
            task_number,
            transid: transaction.transid,
            program: program.program,
            userid,
            class: transaction.class,
            priority,
            start_code: task.start_code,
            started_by: task.started_by,
            client: task.client,
        };
        let clock = &self.kernel.clock;
        let clocks = (|| clock.unix_ns(), || clock.now());
        let measured = self.monitoring.began(begins, clocks);
        let info = StartInfo {
            started_by: task.started_by,
            reply_bytes_max: task.reply_bytes_max.min(COMMAREA_BYTES_MAX) as u32,
            start_code: task.start_code,
            client: task.client,
            restarts: task.restarts,
            measured: measured.as_ref().and_then(Measuring::asks_worker),
        };
        let runaway_ms = transaction.runaway_ms.unwrap_or(self.kernel.runaway_ms());
        Prepared {
            class,
            priority,
            options: TaskOptions {
                quasirent: program.concurrency == Concurrency::Quasirent,
                priority,
                runaway_ms: Some(u32::try_from(runaway_ms).unwrap_or(u32::MAX)),
            },
            block: AttachBlock {
                task_number,
                transid: transaction.transid,
                program: program.program,
                userid,
                input: write_start(info, task.payload, &task.sections),
            },
            cancelled: Arc::default(),
            number: (number, known),
            kept,
            measured,
            terminal: task_end::terminal(&task.sections),
        }
    }

    /// Answers whether the task runs.
    fn attach(self: &Arc<Self>, prepared: Prepared, on_end: OnEnd) -> bool {
        let owner = task_end::owner(&prepared.block, prepared.terminal);
        let Prepared {
            class,
            options,
            block,
            cancelled,
            number,
            kept,
            measured,
            ..
        } = prepared;
        if cancelled.load(Ordering::SeqCst) {
            return false;
        }
        let (transid, task_number) = (block.transid, block.task_number);
        count_use(self.kernel.shared(), Space::Transaction, transid.as_bytes());
        let me = self.clone();
        // Called by whichever comes first, the end of the task or the refusal of the pool.
        let on_end = Arc::new(Mutex::new(Some(on_end)));
        let for_done = on_end.clone();
        let done = Box::new(move |mut reply: TaskReply| {
            // Free when everybody has heard of the end.
            let _number = number;
            if let Some(measured) = measured {
                let (clock, abend) = (&me.kernel.clock, reply.end.abend());
                let clocks = (|| clock.unix_ns(), || clock.now());
                me.monitoring
                    .ended(&measured, clocks, abend, &mut reply.reply);
            }
            let (result, undone) = me.finish(reply, owner);
            let again = kept.zip(undone).map(|(task, (code, undone))| {
                let task = *task;
                Box::new(Again { task, code, undone })
            });
            let ended = Ended {
                task_number,
                transid,
                result,
                again,
            };
            me.dispatcher.ended(class);
            task_end::call(&for_done, ended);
        });
        let attached = self.workers.attach(&block, options, done);
        if let Err(why) = attached {
            self.tell(|e| e.task_ended(task_number, Ending::NoPlace));
            let ended = Ended {
                task_number,
                transid,
                result: Err(task_end::not_attached(task_number, why)),
                again: None,
            };
            task_end::call(&on_end, ended);
        }
        self.wake_soon();
        attached.is_ok()
    }

    /// Wakes workers once everything that is ready on this thread has attached its tasks: a wake-up
    /// for each would change processes for each.
    fn wake_soon(self: &Arc<Self>) {
        if self.wake_scheduled.swap(true, Ordering::SeqCst) {
            return;
        }
        let me = self.clone();
        let wake = move || {
            me.wake_scheduled.store(false, Ordering::SeqCst);
            me.workers.wake();
        };
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move { wake() })),
            Err(_) => wake(),
        }
    }

    fn finish(&self, reply: TaskReply, owner: task_end::Owner) -> task_end::Read {
        let task_number = reply.task_number;
        let ending = match (&reply.end, reply.worker_died) {
            (_, true) => Ending::WorkerDied,
            (TaskEnd::Normal, _) => Ending::Normal,
            (TaskEnd::Abend(..), _) => Ending::Abnormal,
        };
        self.tell(|e| e.task_ended(task_number, ending));
        if reply.worker_died {
            for waiting in transom_wire::task::release_task(self.kernel.shared(), task_number) {
                self.workers.post(waiting);
            }
        }
        task_end::read(&self.kernel, reply, owner)
    }
}

/// Monitoring of tasks, as the region starts.
pub(crate) fn monitoring(kernel: &Kernel, config: &MonitoringConfig) -> Arc<Monitoring> {
    let region = (kernel.system.applid, kernel.system.sysid);
    let started = (kernel.clock.unix_ns(), transom_time::abstime_at as _);
    if let Some(table) = &config.control_table {
        transom_wire::monitoring::install_control_table(kernel.shared(), table);
    }
    Monitoring::new(config, region, started, &kernel.operator)
}
