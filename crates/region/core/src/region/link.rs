//! One LINK from outside: checks, admission, attach, answer.

use super::Inner;
use super::dispatcher::NotAdmitted;
use crate::definitions::{Concurrency, ProgramEntry, TransactionEntry, count_use};
use crate::payload::{
    COMMAREA_BYTES_MAX, StartInfo, TaskReply as Decoded, decode_reply, encode_start,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;
use transom_region_api::{Fault, LinkFailure, LinkOutput, LinkRequest, Payload, Reply};
use transom_types::{AbendCode, Resp, TransClass, TransId};
use transom_workers::seam::{AttachBlock, Space, TaskEnd};
use transom_workers::{AttachError, TaskOptions, TaskReply};

/// Transaction of a mirror task when the caller names none.
const DEFAULT_MIRROR: &[u8] = b"CSMI";
/// Task numbers have seven digits.
const TASK_NUMBER_MAX: u32 = 9_999_999;

type Answer = Result<LinkOutput, LinkFailure>;

/// What is known once the request was accepted.
struct Accepted {
    task_number: u32,
    transid: TransId,
    class: Option<TransClass>,
    priority: u8,
    options: TaskOptions,
    block: AttachBlock,
    /// Set when the caller's time limit passed before the task got a place.
    cancelled: Arc<AtomicBool>,
}

pub(super) fn link(inner: &Arc<Inner>, request: LinkRequest) -> Reply<Answer> {
    let timeout = request.timeout;
    let accepted = match accept(inner, request) {
        Ok(accepted) => accepted,
        Err(failure) => return Box::pin(std::future::ready(Err(failure))),
    };
    let task_number = accepted.task_number;
    let cancelled = accepted.cancelled.clone();
    let (answer, reply) = oneshot::channel();
    if let Err(failure) = admit(inner, accepted, answer) {
        return Box::pin(std::future::ready(Err(failure)));
    }
    let inner = inner.clone();
    Box::pin(async move {
        let Some(limit) = timeout else {
            return reply.await.unwrap_or_else(|_| Err(gone(task_number)));
        };
        match tokio::time::timeout(limit, reply).await {
            Ok(answer) => answer.unwrap_or_else(|_| Err(gone(task_number))),
            Err(_) => {
                cancelled.store(true, Ordering::SeqCst);
                inner.pool.purge(task_number, AbendCode::AKC3, false);
                Err(LinkFailure {
                    fault: Fault::TimedOut,
                    text: format!(
                        "TXMXM0004E task {task_number} was purged: no reply within {} ms",
                        limit.as_millis()
                    ),
                    task_number: Some(task_number),
                })
            }
        }
    })
}

fn accept(inner: &Inner, request: LinkRequest) -> Result<Accepted, LinkFailure> {
    if inner.is_stopping() {
        return Err(refused(
            Fault::Busy,
            "TXMXM0003E the region is stopping and takes no new work".into(),
        ));
    }
    let (program, transaction) = definitions(inner, &request)?;
    let reply_bytes_max = request.reply_bytes_max.min(COMMAREA_BYTES_MAX);
    if let Payload::Commarea(bytes) = &request.payload
        && bytes.len() > COMMAREA_BYTES_MAX
    {
        let text = format!(
            "TXMPG0003E a COMMAREA of {} bytes is longer than {COMMAREA_BYTES_MAX}",
            bytes.len()
        );
        return Err(refused(
            Fault::Refused {
                resp: Resp::LENGERR,
                resp2: 0,
            },
            text,
        ));
    }
    let task_number = next_task_number(inner);
    let info = StartInfo {
        started_by: request.started_by,
        reply_bytes_max: reply_bytes_max as u32,
    };
    Ok(Accepted {
        task_number,
        transid: transaction.transid,
        class: Some(transaction.class).filter(|c| !c.is_blank()),
        priority: transaction.priority,
        options: TaskOptions {
            quasirent: program.concurrency == Concurrency::Quasirent,
            priority: transaction.priority,
            runaway_ms: transaction
                .runaway_ms
                .map(|ms| u32::try_from(ms).unwrap_or(u32::MAX)),
        },
        block: AttachBlock {
            task_number,
            transid: transaction.transid,
            program: program.program,
            userid: request.userid.unwrap_or(inner.system.default_user),
            input: encode_start(info, request.payload),
        },
        cancelled: Arc::default(),
    })
}

fn definitions(
    inner: &Inner,
    request: &LinkRequest,
) -> Result<(ProgramEntry, TransactionEntry), LinkFailure> {
    let transid = request
        .transid
        .unwrap_or_else(|| TransId::from_field(DEFAULT_MIRROR));
    let transaction = TransactionEntry::find(inner.pool.shared(), transid).ok_or_else(|| {
        let text = format!("TXMXM0001E transaction {transid} is not defined");
        refused(
            Fault::Refused {
                resp: Resp::TRANSIDERR,
                resp2: 0,
            },
            text,
        )
    })?;
    if !transaction.enabled {
        let text = format!("TXMXM0002E transaction {transid} is disabled");
        return Err(refused(
            Fault::Refused {
                resp: Resp::DISABLED,
                resp2: 0,
            },
            text,
        ));
    }
    let name = request.program;
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
        None => pgmiderr(
            1,
            format!("TXMPG0001E program {name} is not defined and has no module"),
        ),
        Some(p) if !p.enabled => pgmiderr(2, format!("TXMPG0002E program {name} is disabled")),
        Some(p) if p.path.is_empty() => pgmiderr(
            3,
            format!("TXMPG0004E program {name} has no module to load"),
        ),
        Some(p) => Ok((p, transaction)),
    }
}

fn admit(
    inner: &Arc<Inner>,
    accepted: Accepted,
    answer: oneshot::Sender<Answer>,
) -> Result<(), LinkFailure> {
    let (class, priority, transid) = (accepted.class, accepted.priority, accepted.transid);
    let region = inner.clone();
    let start = Box::new(move || attach(&region, accepted, answer));
    inner
        .dispatcher
        .admit(class, priority, start)
        .map_err(|why| match why {
            NotAdmitted::QueueFull => refused(
                Fault::Busy,
                format!("TXMXM0005E {transid} was refused: MXT is reached and its queue is full"),
            ),
            NotAdmitted::ClassThreshold => refused(
                Fault::Busy,
                format!("TXMXM0006E {transid} was refused: PURGETHRESH of its class is reached"),
            ),
        })
}

/// Answers whether the task runs.
fn attach(inner: &Arc<Inner>, accepted: Accepted, answer: oneshot::Sender<Answer>) -> bool {
    let Accepted {
        task_number,
        transid,
        class,
        options,
        block,
        cancelled,
        ..
    } = accepted;
    if cancelled.load(Ordering::SeqCst) {
        return false;
    }
    count_use(inner.pool.shared(), Space::Transaction, transid.as_bytes());
    let region = inner.clone();
    // The caller may have gone (closed connection); the task's places must be freed all the same,
    // so the sender sits behind a lock that both ways out can empty.
    let answer = Arc::new(std::sync::Mutex::new(Some(answer)));
    let for_done = answer.clone();
    let done = Box::new(move |reply: TaskReply| {
        let result = finish(&region, reply, transid);
        region.dispatcher.ended(class);
        send(&for_done, result);
    });
    let attached = inner.pool.attach_quietly(&block, options, done);
    if let Err(why) = attached {
        send(&answer, Err(not_attached(task_number, why)));
    }
    wake_soon(inner);
    attached.is_ok()
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
        region.pool.wake_workers();
    };
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn(async move { wake() })),
        Err(_) => wake(),
    }
}

fn send(answer: &std::sync::Mutex<Option<oneshot::Sender<Answer>>>, result: Answer) {
    let sender = answer
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
        .take();
    if let Some(sender) = sender {
        // Nobody waits any more: the task has run, its answer is dropped.
        let _unread = sender.send(result);
    }
}

fn finish(inner: &Inner, reply: TaskReply, transid: TransId) -> Answer {
    let task_number = reply.task_number;
    if reply.worker_died {
        for waiting in crate::release_task(inner.pool.shared(), task_number) {
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
        let text =
            format!("TXMAP0001E transaction {transid}, task {task_number}, abended {code}: {text}");
        inner.say(&text);
        return Err(abend(*code, text));
    }
    match decode_reply(reply.reply) {
        Ok(Decoded::Normal(payload)) => Ok(LinkOutput {
            payload,
            task_number,
            transid,
            cpu_ns: 0,
        }),
        Ok(Decoded::Abend(code, text)) => {
            let text = format!(
                "TXMAP0001E transaction {transid}, task {task_number}, abended {code}: {text}"
            );
            inner.say(&text);
            Err(abend(code, text))
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
        text: format!("TXMXM0007E task {task_number} could not be attached: {why}"),
        task_number: Some(task_number),
    }
}

fn gone(task_number: u32) -> LinkFailure {
    LinkFailure {
        fault: Fault::Unavailable,
        text: format!("TXMXM0008E the region stopped while task {task_number} ran"),
        task_number: Some(task_number),
    }
}

fn refused(fault: Fault, text: String) -> LinkFailure {
    LinkFailure {
        fault,
        text,
        task_number: None,
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
