//! Questions to a region beside LINK: info, program, transaction, set, statistics.
//!
//! What: each question is one short conversation of its own, outside MXC, so that a full region can
//! still be looked at. The `Control` facet asks these without waiting for a future, so the client's
//! side blocks, for at most [`ASK_TIME`] per step. Not here: LINK.

use crate::wire::{self, Malformed, Reader, kind};
use crate::{PROTOCOL_VERSION, frame};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use transom_region_api::{
    Control, ProgramStatus, RegionInfo, SetFailure, SetRequest, Statistic, StatisticsGroup,
    TransactionStatus, Unreachable,
};
use transom_types::{Applid, ProgramName, Resp, SysId, TransClass, TransId};

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

type Result<T> = std::result::Result<T, Malformed>;

/// One question.
#[derive(Debug, Clone)]
pub(crate) enum Question {
    Info,
    Program(ProgramName),
    Transaction(TransId),
    Set(SetRequest),
    Statistics,
}

/// Asks and gives the body of the answer, to be read by one of the functions below.
pub(crate) fn ask(socket: &Path, registration: &str, question: &Question) -> io::Result<Vec<u8>> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_read_timeout(Some(ASK_TIME))?;
    stream.set_write_timeout(Some(ASK_TIME))?;
    let mut out = Vec::new();
    frame::begin(&mut out);
    out.push(kind::ASK);
    out.extend_from_slice(&wire::MAGIC);
    out.extend_from_slice(&PROTOCOL_VERSION.to_le_bytes());
    out.extend_from_slice(&0_u32.to_le_bytes());
    wire::put_data(&mut out, registration.as_bytes());
    put_question(&mut out, question);
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
    match body.first() {
        Some(&kind::TOLD) => Ok(body.split_off(1)),
        Some(&kind::REFUSED) => {
            let text = Reader(&body[1..]).text().unwrap_or_default().to_owned();
            Err(io::Error::new(io::ErrorKind::PermissionDenied, text))
        }
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn put_question(out: &mut Vec<u8>, question: &Question) {
    match question {
        Question::Info => out.push(0),
        Question::Program(name) => {
            out.push(1);
            out.extend_from_slice(name.as_bytes());
        }
        Question::Transaction(name) => {
            out.push(2);
            out.extend_from_slice(name.as_bytes());
        }
        Question::Statistics => out.push(3),
        Question::Set(request) => put_set(out, request),
    }
}

fn put_set(out: &mut Vec<u8>, request: &SetRequest) {
    match request {
        SetRequest::ProgramEnabled(name, on) => {
            out.push(4);
            out.extend_from_slice(name.as_bytes());
            out.push(u8::from(*on));
        }
        SetRequest::ProgramNewCopy(name) => {
            out.push(5);
            out.extend_from_slice(name.as_bytes());
        }
        SetRequest::TransactionEnabled(name, on) => {
            out.push(6);
            out.extend_from_slice(name.as_bytes());
            out.push(u8::from(*on));
        }
        SetRequest::TransactionPriority(name, priority) => {
            out.push(7);
            out.extend_from_slice(name.as_bytes());
            out.push(*priority);
        }
        SetRequest::MaxTasks(tasks) => {
            out.push(8);
            out.extend_from_slice(&tasks.to_le_bytes());
        }
        SetRequest::Purge { task, force } => {
            out.push(9);
            out.extend_from_slice(&task.to_le_bytes());
            out.push(u8::from(*force));
        }
    }
}

/// Reads what stands behind the greeting.
pub(crate) fn question(reader: &mut Reader<'_>) -> Result<Question> {
    let kind = reader.u8()?;
    let asked = match kind {
        0 => Question::Info,
        1 => Question::Program(program_name(reader)?),
        2 => Question::Transaction(trans_id(reader)?),
        3 => Question::Statistics,
        4 => Question::Set(SetRequest::ProgramEnabled(
            program_name(reader)?,
            flag(reader)?,
        )),
        5 => Question::Set(SetRequest::ProgramNewCopy(program_name(reader)?)),
        6 => Question::Set(SetRequest::TransactionEnabled(
            trans_id(reader)?,
            flag(reader)?,
        )),
        7 => Question::Set(SetRequest::TransactionPriority(
            trans_id(reader)?,
            reader.u8()?,
        )),
        8 => Question::Set(SetRequest::MaxTasks(reader.u32()?)),
        9 => Question::Set(SetRequest::Purge {
            task: reader.u32()?,
            force: flag(reader)?,
        }),
        _ => return Err(Malformed),
    };
    reader.end()?;
    Ok(asked)
}

/// Puts the question to the region and appends its answer.
///
/// # Errors
/// The region is in another process itself and does not answer.
pub(crate) fn put_answer(
    out: &mut Vec<u8>,
    region: &dyn Control,
    question: Question,
) -> std::result::Result<(), Unreachable> {
    out.push(kind::TOLD);
    match question {
        Question::Info => put_info(out, &region.info()?),
        Question::Program(name) => match region.program(name)? {
            Some(program) => put_program(out, &program),
            None => out.push(0),
        },
        Question::Transaction(name) => match region.transaction(name)? {
            Some(transaction) => put_transaction(out, &transaction),
            None => out.push(0),
        },
        Question::Set(request) => match region.set(request) {
            Ok(()) => wire::put_data(out, b""),
            Err(SetFailure::Refused { resp, resp2, text }) => {
                wire::put_data(out, text.as_bytes());
                out.extend_from_slice(&resp.0.to_le_bytes());
                out.extend_from_slice(&resp2.to_le_bytes());
            }
            Err(SetFailure::Unreachable(unreachable)) => return Err(unreachable),
        },
        Question::Statistics => put_statistics(out, &region.statistics()?),
    }
    Ok(())
}

fn put_info(out: &mut Vec<u8>, info: &RegionInfo) {
    out.extend_from_slice(info.applid.as_bytes());
    out.extend_from_slice(info.sysid.as_bytes());
    for number in [info.local_ccsid, info.max_tasks, info.tasks, info.workers] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out.push(u8::from(info.stopping));
}

fn put_program(out: &mut Vec<u8>, program: &ProgramStatus) {
    out.push(1);
    out.extend_from_slice(program.name.as_bytes());
    for set in [program.enabled, program.threadsafe, program.loadable] {
        out.push(u8::from(set));
    }
    out.extend_from_slice(&program.use_count.to_le_bytes());
}

fn put_transaction(out: &mut Vec<u8>, transaction: &TransactionStatus) {
    out.push(1);
    out.extend_from_slice(transaction.name.as_bytes());
    out.extend_from_slice(transaction.program.as_bytes());
    out.push(u8::from(transaction.enabled));
    out.push(transaction.priority);
    let class = transaction.class.unwrap_or(TransClass::BLANK);
    out.extend_from_slice(class.as_bytes());
    out.extend_from_slice(&transaction.use_count.to_le_bytes());
}

fn put_statistics(out: &mut Vec<u8>, groups: &[StatisticsGroup]) {
    out.extend_from_slice(&(groups.len() as u32).to_le_bytes());
    for group in groups {
        wire::put_data(out, group.name.as_bytes());
        out.extend_from_slice(&(group.values.len() as u32).to_le_bytes());
        for counter in &group.values {
            wire::put_data(out, counter.name.as_bytes());
            out.extend_from_slice(&counter.value.to_le_bytes());
        }
    }
}

pub(crate) fn info(body: &[u8]) -> Result<RegionInfo> {
    let mut reader = Reader(body);
    Ok(RegionInfo {
        applid: Applid::from_field(reader.take(Applid::LEN)?),
        sysid: SysId::from_field(reader.take(SysId::LEN)?),
        local_ccsid: reader.u32()?,
        max_tasks: reader.u32()?,
        tasks: reader.u32()?,
        workers: reader.u32()?,
        stopping: flag(&mut reader)?,
    })
}

pub(crate) fn program(body: &[u8]) -> Result<Option<ProgramStatus>> {
    let mut reader = Reader(body);
    if !flag(&mut reader)? {
        return Ok(None);
    }
    Ok(Some(ProgramStatus {
        name: program_name(&mut reader)?,
        enabled: flag(&mut reader)?,
        threadsafe: flag(&mut reader)?,
        loadable: flag(&mut reader)?,
        use_count: reader.u64()?,
    }))
}

pub(crate) fn transaction(body: &[u8]) -> Result<Option<TransactionStatus>> {
    let mut reader = Reader(body);
    if !flag(&mut reader)? {
        return Ok(None);
    }
    let (name, program) = (trans_id(&mut reader)?, program_name(&mut reader)?);
    let (enabled, priority) = (flag(&mut reader)?, reader.u8()?);
    let class = TransClass::from_field(reader.take(TransClass::LEN)?);
    Ok(Some(TransactionStatus {
        name,
        program,
        enabled,
        priority,
        class: (!class.is_blank()).then_some(class),
        use_count: reader.u64()?,
    }))
}

/// A refusal is the region's text, then its condition: link servers of the first builds send the
/// text alone.
pub(crate) fn set(body: &[u8]) -> Result<std::result::Result<(), SetFailure>> {
    let mut reader = Reader(body);
    let text = reader.text()?.to_owned();
    if text.is_empty() {
        return Ok(Ok(()));
    }
    let (resp, resp2) = match reader.end() {
        Ok(()) => (Resp::INVREQ, 0),
        Err(Malformed) => (Resp(reader.u16()?), reader.u32()?),
    };
    Ok(Err(SetFailure::Refused { resp, resp2, text }))
}

pub(crate) fn statistics(body: &[u8]) -> Result<Vec<StatisticsGroup>> {
    let mut reader = Reader(body);
    let mut groups = Vec::new();
    for _ in 0..reader.u32()? {
        let name = kept(reader.text()?);
        let mut values = Vec::new();
        for _ in 0..reader.u32()? {
            let name = kept(reader.text()?);
            let value = reader.u64()?;
            values.push(Statistic { name, value });
        }
        groups.push(StatisticsGroup { name, values });
    }
    Ok(groups)
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

fn flag(reader: &mut Reader<'_>) -> Result<bool> {
    Ok(reader.u8()? != 0)
}

fn program_name(reader: &mut Reader<'_>) -> Result<ProgramName> {
    Ok(ProgramName::from_field(reader.take(ProgramName::LEN)?))
}

fn trans_id(reader: &mut Reader<'_>) -> Result<TransId> {
    Ok(TransId::from_field(reader.take(TransId::LEN)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_set_without_a_condition_is_invreq() {
        let mut body = Vec::new();
        wire::put_data(&mut body, b"TXMXM0010E there is no task 9");
        let refused = |resp, resp2| SetFailure::Refused {
            resp,
            resp2,
            text: "TXMXM0010E there is no task 9".to_owned(),
        };
        assert_eq!(set(&body), Ok(Err(refused(Resp::INVREQ, 0))));
        body.extend_from_slice(&Resp::TASKIDERR.0.to_le_bytes());
        assert_eq!(set(&body), Err(Malformed), "a condition that is cut");
        body.extend_from_slice(&1_u32.to_le_bytes());
        assert_eq!(set(&body), Ok(Err(refused(Resp::TASKIDERR, 1))));
    }
}
