//! Questions to a region beside LINK: info, program, transaction, set, statistics.
//!
//! What: each question is one short conversation of its own, outside MXC, so that a full region can
//! still be looked at. The `Control` facet asks these without waiting for a future, so the client's
//! side blocks, for at most [`ASK_TIME`] per step. Not here: LINK.

use crate::frame;
use crate::frames::{
    Answered, Asked, Condition, Counter, Done, Greeting, Group, Info, Program, Question,
    Statistics, Transaction,
};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use transom_language::append;
use transom_language::in_place::take_front;
use transom_language::little::{List, Number};
use transom_region_api::{
    Control, ProgramStatus, RegionInfo, SetFailure, SetRequest, Statistic, StatisticsGroup,
    TransactionStatus, Unreachable,
};
use transom_types::{Resp, TransClass};

/// Longest wait for a question to be taken, and for its answer.
pub(crate) const ASK_TIME: Duration = Duration::from_secs(2);
/// Largest answer, bytes.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;
/// Names of counters kept from other processes; more become [`OTHER`].
const NAMES_MAX: usize = 4_096;
/// Longest such name, bytes.
const NAME_BYTES_MAX: usize = 64;
/// Stands for names beyond the bounds.
const OTHER: &str = "other";

/// Asks and gives what stands behind [`Answered::Told`], to be read by one of the functions below.
pub(crate) fn ask(socket: &Path, registration: &str, question: Question) -> io::Result<Vec<u8>> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(ASK_TIME))?;
    stream.set_write_timeout(Some(ASK_TIME))?;
    let mut out = Vec::new();
    frame::begin(&mut out);
    append(
        &mut out,
        &Asked::Ask(Greeting::new(registration, 0), question),
    );
    frame::end(&mut out)?;
    stream.write_all(&out)?;
    let mut prefix = [0; frame::LENGTH_BYTES];
    stream.read_exact(&mut prefix)?;
    let length = frame::length(prefix)?;
    if length > ANSWER_BYTES_MAX {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    let mut behind = &body[..];
    match take_front(&mut behind) {
        Some(Answered::Told) => Ok(behind.to_vec()),
        Some(Answered::Refused(text)) => {
            let text = text.0.into_owned();
            Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

impl From<SetRequest> for Question {
    fn from(request: SetRequest) -> Self {
        match request {
            SetRequest::ProgramEnabled(name, on) => Self::ProgramEnabled(name, on),
            SetRequest::ProgramNewCopy(name) => Self::ProgramNewCopy(name),
            SetRequest::TransactionEnabled(name, on) => Self::TransactionEnabled(name, on),
            SetRequest::TransactionPriority(name, priority) => {
                Self::TransactionPriority(name, priority)
            }
            SetRequest::MaxTasks(tasks) => Self::MaxTasks(Number(tasks)),
            SetRequest::Purge { task, force } => Self::Purge {
                task: Number(task),
                force,
            },
        }
    }
}

/// Puts the question to the region and appends its answer.
///
/// # Errors
/// The region is in another process itself and does not answer.
pub(crate) fn put_answer(
    out: &mut Vec<u8>,
    region: &dyn Control,
    question: Question,
) -> Result<(), Unreachable> {
    append(out, &Answered::Told);
    let change = match question {
        Question::Info => {
            append(out, &Info::from(region.info()?));
            return Ok(());
        }
        Question::Program(name) => {
            append(out, &Program::from(region.program(name)?));
            return Ok(());
        }
        Question::Transaction(name) => {
            append(out, &Transaction::from(region.transaction(name)?));
            return Ok(());
        }
        Question::Statistics => {
            append(out, &Statistics::from(&region.statistics()?[..]));
            return Ok(());
        }
        Question::ProgramEnabled(name, on) => SetRequest::ProgramEnabled(name, on),
        Question::ProgramNewCopy(name) => SetRequest::ProgramNewCopy(name),
        Question::TransactionEnabled(name, on) => SetRequest::TransactionEnabled(name, on),
        Question::TransactionPriority(name, priority) => {
            SetRequest::TransactionPriority(name, priority)
        }
        Question::MaxTasks(Number(tasks)) => SetRequest::MaxTasks(tasks),
        Question::Purge { task, force } => SetRequest::Purge {
            task: task.0,
            force,
        },
    };
    put_done(out, region.set(change))
}

fn put_done(out: &mut Vec<u8>, done: Result<(), SetFailure>) -> Result<(), Unreachable> {
    let told = |text: &str, out: &mut Vec<u8>| {
        let refused = text.into();
        append(out, &Done { refused });
    };
    match done {
        Ok(()) => told("", out),
        Err(SetFailure::Refused { resp, resp2, text }) => {
            told(&text, out);
            let (resp, resp2) = (Number(resp.0), Number(resp2));
            append(out, &Condition { resp, resp2 });
        }
        Err(SetFailure::Unreachable(unreachable)) => return Err(unreachable),
    }
    Ok(())
}

impl From<RegionInfo> for Info {
    fn from(info: RegionInfo) -> Self {
        Self {
            applid: info.applid,
            sysid: info.sysid,
            local_ccsid: Number(info.local_ccsid),
            max_tasks: Number(info.max_tasks),
            tasks: Number(info.tasks),
            workers: Number(info.workers),
            stopping: info.stopping,
        }
    }
}

impl From<Option<ProgramStatus>> for Program {
    fn from(program: Option<ProgramStatus>) -> Self {
        program.map_or(Self::Missing, |program| Self::Installed {
            name: program.name,
            enabled: program.enabled,
            threadsafe: program.threadsafe,
            loadable: program.loadable,
            use_count: Number(program.use_count),
        })
    }
}

impl From<Option<TransactionStatus>> for Transaction {
    fn from(transaction: Option<TransactionStatus>) -> Self {
        transaction.map_or(Self::Missing, |transaction| Self::Installed {
            name: transaction.name,
            program: transaction.program,
            enabled: transaction.enabled,
            priority: transaction.priority,
            class: transaction.class.unwrap_or(TransClass::BLANK),
            use_count: Number(transaction.use_count),
        })
    }
}

impl<'a> From<&'a [StatisticsGroup]> for Statistics<'a> {
    fn from(groups: &'a [StatisticsGroup]) -> Self {
        let counter = |counter: &'a Statistic| Counter {
            name: counter.name.into(),
            value: Number(counter.value),
        };
        let groups = groups.iter().map(|group| Group {
            name: group.name.into(),
            values: List(group.values.iter().map(counter).collect()),
        });
        Self {
            groups: List(groups.collect()),
        }
    }
}

pub(crate) fn info(mut body: &[u8]) -> Option<RegionInfo> {
    let info: Info = take_front(&mut body)?;
    Some(RegionInfo {
        applid: info.applid,
        sysid: info.sysid,
        local_ccsid: info.local_ccsid.0,
        max_tasks: info.max_tasks.0,
        tasks: info.tasks.0,
        workers: info.workers.0,
        stopping: info.stopping,
    })
}

pub(crate) fn program(mut body: &[u8]) -> Option<Option<ProgramStatus>> {
    Some(match take_front(&mut body)? {
        Program::Missing => None,
        Program::Installed {
            name,
            enabled,
            threadsafe,
            loadable,
            use_count,
        } => Some(ProgramStatus {
            name,
            enabled,
            threadsafe,
            loadable,
            use_count: use_count.0,
        }),
    })
}

pub(crate) fn transaction(mut body: &[u8]) -> Option<Option<TransactionStatus>> {
    Some(match take_front(&mut body)? {
        Transaction::Missing => None,
        Transaction::Installed {
            name,
            program,
            enabled,
            priority,
            class,
            use_count,
        } => Some(TransactionStatus {
            name,
            program,
            enabled,
            priority,
            class: Some(class).filter(|class| !class.is_blank()),
            use_count: use_count.0,
        }),
    })
}

/// A refusal is the region's text, then its condition: link servers of the first builds send the
/// text alone.
pub(crate) fn set(mut body: &[u8]) -> Option<Result<(), SetFailure>> {
    let Done { refused } = take_front(&mut body)?;
    let text = refused.0.into_owned();
    if text.is_empty() {
        return Some(Ok(()));
    }
    let (resp, resp2) = match body {
        [] => (Resp::INVREQ, 0),
        _ => {
            let condition: Condition = take_front(&mut body)?;
            (Resp(condition.resp.0), condition.resp2.0)
        }
    };
    Some(Err(SetFailure::Refused { resp, resp2, text }))
}

pub(crate) fn statistics(mut body: &[u8]) -> Option<Vec<StatisticsGroup>> {
    let told: Statistics<'_> = take_front(&mut body)?;
    let counter = |counter: Counter<'_>| Statistic {
        name: kept(&counter.name.0),
        value: counter.value.0,
    };
    let group = |group: Group<'_>| StatisticsGroup {
        name: kept(&group.name.0),
        values: group.values.0.into_iter().map(counter).collect(),
    };
    Some(told.groups.0.into_iter().map(group).collect())
}

/// The name as one that lives as long as the process; each is kept once, and not too many.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    if names.len() >= NAMES_MAX || name.len() > NAME_BYTES_MAX {
        return OTHER;
    }
    let new: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(new);
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_set_without_a_condition_is_invreq() {
        let mut body = b"\x1D\0\0\0TXMXM0010E there is no task 9".to_vec();
        let refused = |resp, resp2| SetFailure::Refused {
            resp,
            resp2,
            text: "TXMXM0010E there is no task 9".to_owned(),
        };
        assert_eq!(set(&body), Some(Err(refused(Resp::INVREQ, 0))));
        body.extend_from_slice(&Resp::TASKIDERR.0.to_le_bytes());
        assert_eq!(set(&body), None, "a condition that is cut");
        body.extend_from_slice(&1_u32.to_le_bytes());
        assert_eq!(set(&body), Some(Err(refused(Resp::TASKIDERR, 1))));
    }
}
