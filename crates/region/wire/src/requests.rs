//! What a worker asks of the region process while a command runs (`Host::ask_region`).
//!
//! What: the requests, their answers and the bytes of both. Why: a few things belong to the region
//! alone: looking for a module file, changing definitions, purging a task. Not here: carrying the
//! bytes (`transom_workers`), doing it (region side).

use crate::codec::{Reader, Writer};
use transom_types::SetRequest;
use transom_types::{AbendCode, ProgramName, Resp, TransId};

/// Domains whose requests and answers have encodings of their own; the first byte of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Domain {
    /// File control.
    File = 100,
    /// Syncpoint and rollback.
    UnitOfWork = 101,
    /// Temporary storage outside main storage.
    TemporaryStorage = 102,
    /// Transient data.
    TransientData = 103,
    /// START, CANCEL, RETRIEVE.
    Interval = 104,
    /// Terminal input and output.
    Terminal = 105,
    /// RUN TRANSID, FETCH.
    Child = 106,
    /// Users and passwords.
    Security = 107,
    /// Journals.
    Journal = 108,
    /// Resource definitions.
    Definition = 109,
    /// What system programming commands ask.
    System = 110,
}

impl Domain {
    /// The domain of a request; `None`: one of [`RegionRequest`].
    pub fn of(request: &[u8]) -> Option<Self> {
        const ALL: [Domain; 11] = [
            Domain::File,
            Domain::UnitOfWork,
            Domain::TemporaryStorage,
            Domain::TransientData,
            Domain::Interval,
            Domain::Terminal,
            Domain::Child,
            Domain::Security,
            Domain::Journal,
            Domain::Definition,
            Domain::System,
        ];
        let first = *request.first()?;
        ALL.into_iter().find(|domain| *domain as u8 == first)
    }
}

/// A question to the region process.
#[derive(Debug, Clone)]
pub enum RegionRequest {
    /// A program without definition was named: install it in `Space::Program` when program
    /// autoinstall is active and a module exists. Answer: NORMAL, PGMIDERR 1 (no module),
    /// PGMIDERR 9 (autoinstall not active or refused).
    InstallProgram(ProgramName),
    /// EXEC CICS SET. Answer: NORMAL, or the condition of the SET command.
    Set(SetRequest),
    /// A line for the operator: task number and text.
    Operator(u32, String),
    /// PERFORM SHUTDOWN; true: IMMEDIATE.
    Shutdown(bool),
}

/// The region's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegionAnswer {
    /// Condition.
    pub resp: Resp,
    /// Reason.
    pub resp2: u32,
    /// Explanation for the log, may be empty.
    pub text: String,
    /// What the domain answers besides, in its own encoding.
    pub data: Vec<u8>,
    /// The task must end with this code whatever RESP says (purge, deadlock time-out).
    pub abend: Option<AbendCode>,
}

impl RegionAnswer {
    /// It is done.
    pub fn normal() -> Self {
        Self {
            resp: Resp::NORMAL,
            resp2: 0,
            text: String::new(),
            data: Vec::new(),
            abend: None,
        }
    }

    /// It is done, and this is the result.
    pub fn with_data(data: Vec<u8>) -> Self {
        Self {
            data,
            ..Self::normal()
        }
    }

    /// The task must end.
    pub fn abend(code: AbendCode, text: impl Into<String>) -> Self {
        Self {
            abend: Some(code),
            ..Self::refused(Resp::ERROR, 0, text)
        }
    }

    /// It was not done.
    pub fn refused(resp: Resp, resp2: u32, text: impl Into<String>) -> Self {
        Self {
            resp,
            resp2,
            text: text.into(),
            data: Vec::new(),
            abend: None,
        }
    }

    /// Bytes of the answer.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(24 + self.text.len() + self.data.len());
        out.u16(self.resp.0)
            .u32(self.resp2)
            .raw(
                self.abend
                    .as_ref()
                    .map_or(&[0; 4][..], |code| &code.as_bytes()[..]),
            )
            .bytes(self.text.as_bytes())
            .raw(&self.data);
        out.0
    }

    /// Reads an answer. A region that is going away answers nothing: SYSIDERR.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut from = Reader(bytes);
        (|| {
            Some(Self {
                resp: Resp(from.u16()?),
                resp2: from.u32()?,
                abend: Some(from.raw(4)?)
                    .filter(|code| *code != [0; 4])
                    .map(AbendCode::from_field),
                text: from.text()?,
                data: from.0.to_vec(),
            })
        })()
        .unwrap_or_else(|| Self::refused(Resp::SYSIDERR, 0, "the region did not answer"))
    }
}

impl RegionRequest {
    /// Bytes of the request.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(32);
        match self {
            Self::InstallProgram(program) => out.u8(1).raw(program.as_bytes()),
            Self::Shutdown(immediate) => out.u8(3).flag(*immediate),
            Self::Operator(task, text) => out.u8(2).u32(*task).bytes(text.as_bytes()),
            Self::Set(SetRequest::ProgramEnabled(name, on)) => {
                out.u8(10).raw(name.as_bytes()).flag(*on)
            }
            Self::Set(SetRequest::ProgramNewCopy(name)) => out.u8(11).raw(name.as_bytes()),
            Self::Set(SetRequest::TransactionEnabled(name, on)) => {
                out.u8(12).raw(name.as_bytes()).flag(*on)
            }
            Self::Set(SetRequest::TransactionPriority(name, priority)) => {
                out.u8(13).raw(name.as_bytes()).u8(*priority)
            }
            Self::Set(SetRequest::MaxTasks(tasks)) => out.u8(14).u32(*tasks),
            Self::Set(SetRequest::Purge { task, force }) => out.u8(15).u32(*task).flag(*force),
        };
        out.0
    }

    /// Reads a request; `None`: not one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(match from.u8()? {
            1 => Self::InstallProgram(program(&mut from)?),
            2 => Self::Operator(from.u32()?, from.text()?),
            3 => Self::Shutdown(from.flag()?),
            10 => Self::Set(SetRequest::ProgramEnabled(
                program(&mut from)?,
                from.flag()?,
            )),
            11 => Self::Set(SetRequest::ProgramNewCopy(program(&mut from)?)),
            12 => Self::Set(SetRequest::TransactionEnabled(
                transid(&mut from)?,
                from.flag()?,
            )),
            13 => Self::Set(SetRequest::TransactionPriority(
                transid(&mut from)?,
                from.u8()?,
            )),
            14 => Self::Set(SetRequest::MaxTasks(from.u32()?)),
            15 => Self::Set(SetRequest::Purge {
                task: from.u32()?,
                force: from.flag()?,
            }),
            _ => return None,
        })
    }
}

fn program(from: &mut Reader<'_>) -> Option<ProgramName> {
    Some(ProgramName::from_field(from.raw(ProgramName::LEN)?))
}

fn transid(from: &mut Reader<'_>) -> Option<TransId> {
    Some(TransId::from_field(from.raw(TransId::LEN)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_answers_come_back() {
        let name = ProgramName::new("PAYROLL").unwrap();
        let requests = [
            RegionRequest::InstallProgram(name),
            RegionRequest::Operator(7, "hello".into()),
            RegionRequest::Set(SetRequest::ProgramEnabled(name, true)),
            RegionRequest::Set(SetRequest::ProgramNewCopy(name)),
            RegionRequest::Set(SetRequest::MaxTasks(40)),
            RegionRequest::Set(SetRequest::Purge {
                task: 9,
                force: true,
            }),
        ];
        for request in requests {
            let back = RegionRequest::decode(&request.encode());
            assert_eq!(format!("{:?}", back.unwrap()), format!("{request:?}"));
        }
        let answer = RegionAnswer::refused(Resp::PGMIDERR, 1, "no module");
        assert_eq!(RegionAnswer::decode(&answer.encode()), answer);
        assert_eq!(RegionAnswer::decode(&[]).resp, Resp::SYSIDERR);
    }
}
