//! What a worker asks of the region process while a command runs (`Host::ask_region`).
//!
//! What: the envelope of a request, its answer, and the requests that belong to no domain of their
//! own. Why: a few things belong to the region alone: looking for a module file, changing
//! definitions, purging a task. Not here: the requests of the domains (one module each), carrying
//! the bytes (`transom_workers`), doing it (region side).

use crate::codec::{Reader, Writer};
use crate::language;
use crate::language::Value;
use transom_messages::ei;
use transom_types::{AbendCode, ProgramName, Resp, SetRequest, TransId, UserId};

/// Version of the language, which both ends must speak. A release whose declarations are not those
/// of the last one raises it; workers and their region are one executable.
const VERSION: u8 = 5;

/// Who answers a request; its second byte, behind the version of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Domain {
    /// [`RegionRequest`].
    Region = 99,
    /// File control.
    FileControl = 100,
    /// Syncpoint and rollback.
    Syncpoint = 101,
    /// Temporary storage outside main storage.
    TemporaryStorage = 102,
    /// Transient data.
    TransientData = 103,
    /// START, CANCEL, RETRIEVE.
    Interval = 104,
    /// Terminal input and output.
    Terminal = 105,
    /// RUN TRANSID, FETCH.
    Asynchronous = 106,
    /// Users and passwords.
    Security = 107,
    /// Journals.
    Journal = 108,
    /// Resource definitions.
    Definitions = 109,
    /// What system programming commands ask.
    System = 110,
    /// Named counters.
    Counter = 111,
    /// EXEC SQL.
    Sql = 112,
    /// [`Along`].
    Along = 113,
    /// Commands of other regions, and mirrors.
    Partner = 114,
}

/// A request of a worker: who answers it, and its bytes in their envelope.
pub trait ToRegion: Value {
    /// Who answers.
    const DOMAIN: Domain;

    /// Version, domain, request.
    fn message(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        out.u8(VERSION).u8(Self::DOMAIN as u8);
        self.put(&mut out);
        out.0
    }
}

macro_rules! requests {
    ($($domain:ident: $request:ty;)*) => {
        impl Domain {
            /// Takes a request out of its envelope; `None`: it is damaged or of another version.
            pub fn open(bytes: &[u8]) -> Option<(Self, &[u8])> {
                const ALL: &[Domain] = &[$(Domain::$domain),*];
                let ([version, code], request) = bytes.split_first_chunk()?;
                let known = ALL.iter().find(|domain| **domain as u8 == *code)?;
                (*version == VERSION).then_some((*known, request))
            }
        }
        $(
            impl ToRegion for $request {
                const DOMAIN: Domain = Domain::$domain;
            }
        )*
    };
}

requests! {
    Region: RegionRequest;
    FileControl: crate::file_control::FileRequest;
    Syncpoint: crate::syncpoint::Request;
    TemporaryStorage: crate::temporary_storage::Request;
    TransientData: crate::transient_data::Request;
    Interval: crate::interval::Request;
    Terminal: crate::terminal::Asked;
    Asynchronous: crate::asynchronous::Request;
    Security: crate::security::Request;
    Journal: crate::journal::JournalRequest;
    Definitions: crate::definitions::request::Request;
    System: crate::system::Request;
    Counter: crate::counter::Request;
    Sql: crate::sql::Request;
    Along: Along;
    Partner: crate::partner::Request;
}

language! {
    /// Who asks for the end of the region, and how.
    #[derive(Debug, Clone)]
    pub struct Shutdown {
        /// Tasks are not waited for.
        pub immediate: bool,
        pub transid: TransId,
        pub userid: UserId,
        /// PLT or PLTNAME: the program list table in place of PLTSD.
        pub table: Option<String>,
    }

    /// A question to the region process.
    #[derive(Debug, Clone)]
    pub enum RegionRequest {
        /// A program without definition was named: install it in `Space::Program` when program
        /// autoinstall is active and a module exists. Answer: NORMAL, PGMIDERR 1 (no module),
        /// PGMIDERR 9 (autoinstall not active or refused).
        1 = InstallProgram(program: ProgramName),
        /// A line for the operator: task number and text.
        2 = Operator(task: u32, text: String),
        /// PERFORM SHUTDOWN. Answer: NORMAL, INVREQ 3 (no such program list table).
        3 = Shutdown(asked: Shutdown),
        /// EXEC CICS SET. Answer: NORMAL, or the condition of the SET command.
        4 = Set(request: SetRequest),
        /// Why a program cannot run, for people. Answer: the text.
        5 = WhyNot(program: ProgramName),
        /// The module of a program that has none, or that nobody defined: it may still be made, and
        /// is made now. Answer: NORMAL when it is there, else PGMIDERR 3.
        6 = Module(program: ProgramName),
    }

    /// Two messages: what a program was told is done already, then the question. No question at
    /// all: whether that is done.
    #[derive(Debug, Clone)]
    pub struct Along {
        pub first: Vec<u8>,
        pub then: Vec<u8>,
    }

    /// The region's answer.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct RegionAnswer {
        /// Condition.
        pub resp: Resp,
        /// Reason.
        pub resp2: u32,
        /// The task must end with this code whatever RESP says (purge, deadlock time-out).
        pub abend: Option<AbendCode>,
        /// Explanation for the log, may be empty.
        pub text: String,
        /// What the domain answers besides, as it says.
        pub data: Vec<u8>,
    }
}

impl Along {
    /// The question, where it lies; `None`: these bytes are no such message.
    pub fn question(bytes: &[u8]) -> Option<&[u8]> {
        let mut from = Reader(bytes);
        from.bytes()?;
        from.bytes()
    }

    /// Neither brings another one along.
    pub fn is_flat(&self) -> bool {
        let along = |message| matches!(Domain::open(message), Some((Domain::Along, _)));
        !along(&self.first) && !along(&self.then)
    }
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

    /// It is done.
    pub fn is_normal(&self) -> bool {
        self.resp == Resp::NORMAL && self.abend.is_none()
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

    /// It is done, and this is the result.
    pub fn with<T: Value>(value: &T) -> Self {
        Self::with_data(language::bytes_of(value))
    }

    /// The request is not one of the language.
    pub fn damaged() -> Self {
        Self::refused(Resp::INVREQ, 0, ei::request_damaged().to_string())
    }

    /// RESP and RESP2 of an answer that is not read.
    pub fn condition(bytes: &[u8]) -> Option<(Resp, u32)> {
        let mut from = Reader(bytes);
        Some((Resp(from.u16()?), from.u32()?))
    }

    /// An answer as it came. A region that is going away answers nothing: SYSIDERR.
    pub fn of(bytes: &[u8]) -> Self {
        Self::decode(bytes)
            .unwrap_or_else(|| Self::refused(Resp::SYSIDERR, 0, "the region did not answer"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_is_opened_by_the_same_version_only() {
        let bytes = crate::system::Request::Classes.message();
        assert_eq!(Domain::open(&bytes), Some((Domain::System, &[2][..])));
        assert_eq!(Domain::open(&[VERSION + 1, Domain::Journal as u8]), None);
        assert_eq!(Domain::open(&[VERSION, 7]), None);
        assert_eq!(Domain::open(&[VERSION]), None);
    }

    #[test]
    fn the_question_of_two_messages_is_found_where_it_lies() {
        let along = Along {
            first: vec![1, 2, 3],
            then: vec![4, 5],
        };
        assert_eq!(Along::question(&along.encode()), Some(&[4, 5][..]));
        assert_eq!(Along::question(&[0, 0, 0, 9, 1]), None);
    }

    #[test]
    fn a_region_that_is_gone_answers_sysiderr() {
        let answer = RegionAnswer::refused(Resp::PGMIDERR, 1, "no module");
        assert_eq!(RegionAnswer::of(&answer.encode()), answer);
        let condition = RegionAnswer::condition(&answer.encode());
        assert_eq!(condition, Some((Resp::PGMIDERR, 1)));
        assert_eq!(RegionAnswer::of(&[]).resp, Resp::SYSIDERR);
    }
}
