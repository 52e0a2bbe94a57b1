//! Tasks: checks of definitions, admission, attach, and what happens when one ended.
//!
//! What: [`start`] runs any task, whoever asked for it: a LINK from outside, terminal input, START,
//! a trigger, RUN TRANSID. Not here: who waits for it (`link`, services), queues (`dispatcher`).

use super::Inner;
use super::dispatcher::NotAdmitted;
use super::security;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use transom_messages as messages;
use transom_recovery::guard::lock;
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_types::{AbendCode, ProgramName, Resp, TransClass, TransId, UserId};
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry, count_use};
use transom_wire::payload::{
    COMMAREA_BYTES_MAX, Sections, StartInfo, TaskReply as Decoded, decode_reply, encode_start,
};
use transom_wire::{SUPPLIED, Space};
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{AttachError, TaskOptions, TaskReply};

/// Task numbers have seven digits.
const TASK_NUMBER_MAX: u32 = 9_999_999;

/// A task to run.
pub(crate) struct NewTask {
    /// Transaction.
    pub transid: TransId,
    /// First program, of a LINK from outside; `None`: the transaction's.
    pub program: Option<ProgramName>,
    /// User; `None`: DFLTUSER.
    pub userid: Option<UserId>,
    /// COMMAREA or channel.
    pub payload: Payload,
    /// COMMAREA bytes the caller can take back; 0 = as many as it sent.
    pub reply_bytes_max: usize,
    /// Who asks.
    pub started_by: StartedBy,
    /// STARTCODE.
    pub start_code: [u8; 2],
    /// What domains add.
    pub sections: Sections,
}

/// How a task ended.
pub(crate) struct Ended {
    /// Its number.
    pub task_number: u32,
    /// Its transaction.
    pub transid: TransId,
    /// COMMAREA or channel and what domains add, or what went wrong.
    pub result: Result<(Payload, Sections), LinkFailure>,
}

/// Called once when the task ended, on the thread of the region's pump.
pub(crate) type OnEnd = Box<dyn FnOnce(&Arc<Inner>, Ended) + Send>;

/// A task that was accepted.
pub(crate) struct Accepted {
    /// Its number.
    pub task_number: u32,
    /// Set it when nobody wants the task any more: it is not attached if it still waits for a
    /// place.
    pub cancelled: Arc<AtomicBool>,
}

struct Prepared {
    class: Option<TransClass>,
    priority: u8,
    options: TaskOptions,
    block: AttachBlock,
    cancelled: Arc<AtomicBool>,
}

/// Checks and admits a task. When this fails `on_end` is not called.
pub(crate) fn start(
    inner: &Arc<Inner>,
    task: NewTask,
    on_end: OnEnd,
) -> Result<Accepted, LinkFailure> {
    let begun_for = super::interval::at_terminal_for(&task.sections);
    let prepared = prepare(inner, task).inspect_err(|failure| {
        super::interval::never_began(inner, begun_for, failure.fault == Fault::Busy);
    })?;
    let accepted = Accepted {
        task_number: prepared.block.task_number,
        cancelled: prepared.cancelled.clone(),
    };
    let transid = prepared.block.transid;
    let (class, priority) = (prepared.class, prepared.priority);
    let region = inner.clone();
    let start = Box::new(move || attach(&region, prepared, on_end));
    let admitted = inner.dispatcher.admit(class, priority, start);
    if admitted.is_err() {
        super::interval::not_admitted(inner, accepted.task_number);
        super::services::task_ended(inner, accepted.task_number, false);
    }
    admitted.map_err(|why| match why {
        NotAdmitted::QueueFull => {
            refused(Fault::Busy, messages::xm::mxt_reached(transid).to_string())
        }
        NotAdmitted::ClassThreshold => refused(
            Fault::Busy,
            messages::xm::purge_threshold(transid).to_string(),
        ),
    })?;
    Ok(accepted)
}

/// A failure before a task number was given.
pub(crate) fn refused(fault: Fault, text: String) -> LinkFailure {
    LinkFailure {
        fault,
        text,
        task_number: None,
    }
}

fn prepare(inner: &Inner, task: NewTask) -> Result<Prepared, LinkFailure> {
    if inner.is_stopping() {
        return Err(refused(
            Fault::Busy,
            messages::xm::region_stopping().to_string(),
        ));
    }
    let (program, transaction) = definitions(inner, task.transid, task.program)?;
    let userid = task.userid.unwrap_or(inner.system.default_user);
    let may = match task.program {
        Some(linked) => security::may_link(inner, &transaction, linked, userid),
        None => security::may_attach(inner, transaction.transid, userid).map_err(|text| (0, text)),
    };
    may.map_err(|(resp2, text)| {
        let resp = Resp::NOTAUTH;
        refused(Fault::Refused { resp, resp2 }, text)
    })?;
    // As in CICS: the priorities of transaction and operator count together.
    let priority = transaction
        .priority
        .saturating_add(security::priority(inner, userid));
    let reply_bytes_max = task.reply_bytes_max.min(COMMAREA_BYTES_MAX);
    if let Payload::Commarea(bytes) = &task.payload
        && bytes.len() > COMMAREA_BYTES_MAX
    {
        let (resp, resp2) = (Resp::LENGERR, 0);
        let text = messages::pg::commarea_too_long(bytes.len(), COMMAREA_BYTES_MAX).to_string();
        return Err(refused(Fault::Refused { resp, resp2 }, text));
    }
    let task_number = next_task_number(inner);
    super::interval::task_begins(inner, task_number, &task.sections);
    let info = StartInfo {
        started_by: task.started_by,
        reply_bytes_max: reply_bytes_max as u32,
        start_code: task.start_code,
    };
    let runaway_ms = |ms| u32::try_from(ms).unwrap_or(u32::MAX);
    Ok(Prepared {
        class: Some(transaction.class).filter(|c| !c.is_blank()),
        priority,
        options: TaskOptions {
            quasirent: program.concurrency == Concurrency::Quasirent,
            priority,
            runaway_ms: transaction.runaway_ms.map(runaway_ms),
        },
        block: AttachBlock {
            task_number,
            transid: transaction.transid,
            program: program.program,
            userid,
            input: encode_start(info, task.payload, &task.sections),
        },
        cancelled: Arc::default(),
    })
}

fn definitions(
    inner: &Inner,
    transid: TransId,
    program: Option<ProgramName>,
) -> Result<(ProgramEntry, TransactionEntry), LinkFailure> {
    let transaction = TransactionEntry::find(inner.pool.shared(), transid).ok_or_else(|| {
        let text = messages::xm::not_defined(transid).to_string();
        refused(
            Fault::Refused {
                resp: Resp::TRANSIDERR,
                resp2: 0,
            },
            text,
        )
    })?;
    if !transaction.enabled {
        let text = messages::xm::disabled(transid).to_string();
        return Err(refused(
            Fault::Refused {
                resp: Resp::DISABLED,
                resp2: 0,
            },
            text,
        ));
    }
    let from_outside = program.is_some();
    let name = program.unwrap_or(transaction.program);
    let program = inner.resources.program(name, inner.pool.shared());
    let pgmiderr = |resp2, text| {
        Err(refused(
            Fault::Refused {
                resp: Resp::PGMIDERR,
                resp2,
            },
            text,
        ))
    };
    match program {
        // What they do is for the transactions they belong to: authority is asked at their attach,
        // and their COMMAREA is their own.
        Some(p) if from_outside && p.path.starts_with(SUPPLIED) => {
            pgmiderr(1, messages::pg::of_the_region(name).to_string())
        }
        None => pgmiderr(1, messages::pg::not_defined(name).to_string()),
        Some(p) if !p.enabled => pgmiderr(2, messages::pg::disabled(name).to_string()),
        Some(p) if p.path.is_empty() => pgmiderr(3, messages::pg::no_module(name).to_string()),
        Some(p) => Ok((p, transaction)),
    }
}

/// Answers whether the task runs.
fn attach(inner: &Arc<Inner>, prepared: Prepared, on_end: OnEnd) -> bool {
    let Prepared {
        class,
        options,
        block,
        cancelled,
        ..
    } = prepared;
    if cancelled.load(Ordering::SeqCst) {
        return false;
    }
    let (transid, task_number) = (block.transid, block.task_number);
    count_use(inner.pool.shared(), Space::Transaction, transid.as_bytes());
    let region = inner.clone();
    // Called by whichever comes first, the end of the task or the refusal of the pool.
    let on_end = Arc::new(std::sync::Mutex::new(Some(on_end)));
    let for_done = on_end.clone();
    let done = Box::new(move |reply: TaskReply| {
        let ended = Ended {
            task_number,
            transid,
            result: finish(&region, reply, transid),
        };
        region.dispatcher.ended(class);
        call(&region, &for_done, ended);
    });
    let attached = inner.pool.attach(&block, options, done);
    if let Err(why) = attached {
        super::interval::not_admitted(inner, task_number);
        super::services::task_ended(inner, task_number, false);
        let result = Err(not_attached(task_number, why));
        let ended = Ended {
            task_number,
            transid,
            result,
        };
        call(inner, &on_end, ended);
    }
    wake_soon(inner);
    attached.is_ok()
}

fn call(inner: &Arc<Inner>, on_end: &std::sync::Mutex<Option<OnEnd>>, ended: Ended) {
    let on_end = lock(on_end).take();
    if let Some(on_end) = on_end {
        on_end(inner, ended);
    }
}

/// Wakes workers once everything that is ready on this thread has attached its tasks: a wake-up for
/// each would change processes for each.
fn wake_soon(inner: &Arc<Inner>) {
    if inner.wake_scheduled.swap(true, Ordering::SeqCst) {
        return;
    }
    let region = inner.clone();
    let wake = move || {
        region.wake_scheduled.store(false, Ordering::SeqCst);
        region.pool.wake();
    };
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(async move { wake() })),
        Err(_) => wake(),
    }
}

fn finish(
    inner: &Arc<Inner>,
    reply: TaskReply,
    transid: TransId,
) -> Result<(Payload, Sections), LinkFailure> {
    let task_number = reply.task_number;
    let normally = reply.end == TaskEnd::Normal;
    super::services::task_ended(inner, task_number, normally);
    if reply.worker_died {
        // Its place among the readers of the store is free again.
        if let Some(store) = inner.services.uows.store() {
            store.reader_died();
        }
        for waiting in transom_wire::task::release_task(inner.pool.shared(), task_number) {
            inner.pool.post(waiting);
        }
    }
    let abend = |code: AbendCode, text: String| LinkFailure {
        fault: Fault::Abend(code),
        text,
        task_number: Some(task_number),
    };
    if let TaskEnd::Abend(code, text) = &reply.end
        && reply.reply.is_empty()
    {
        let text = messages::ap::task_abended(transid, task_number, code, text);
        inner.tell(text.clone());
        return Err(abend(*code, text.into()));
    }
    match decode_reply(reply.reply) {
        Ok(Decoded::Normal(payload, sections)) => Ok((payload, sections)),
        Ok(Decoded::Abend(code, text)) => {
            let text = messages::ap::task_abended(transid, task_number, code, &text);
            inner.tell(text.clone());
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
    }
}

fn not_attached(task_number: u32, why: AttachError) -> LinkFailure {
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

/// 1 to 9,999,999, then 1 again.
fn next_task_number(inner: &Inner) -> u32 {
    let next = |n: u32| Some(if n >= TASK_NUMBER_MAX { 1 } else { n + 1 });
    inner
        .next_task
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
        .unwrap_or(1)
}
