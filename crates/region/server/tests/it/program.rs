//! What a test program can do: the requests behind EXEC CICS commands.
//!
//! The one place of these tests that knows what requests look like. A request that the region ends
//! with an abend ends the program with it, by `?`.

use crate::fake_workers::FakeWorkers;
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_types::{AbendCode, Find, Payload, ProgramName, Resp, TermId, TransId, UserId};
use transom_wire::asynchronous::{self, Fetched};
use transom_wire::codec::Writer;
use transom_wire::file_control::{Action, FileRequest, Patience};
use transom_wire::interval::{self, StartData, StartRequest};
use transom_wire::payload::{
    Section, Sections, StartData as Input, decode_start, encode_commarea_reply,
};
use transom_wire::requests::{Domain, RegionAnswer};
use transom_wire::terminal::{Facts, Input as TerminalInput, Left};
use transom_wire::{syncpoint, transient_data};
use transom_workers::Ask;
use transom_workers::seam::AttachBlock;

/// How a task is over.
pub(crate) enum Ending {
    /// RETURN, with the reply.
    Normal(Vec<u8>),
    /// ABEND.
    Abend(AbendCode),
    /// The process is gone.
    Died,
}

impl From<AbendCode> for Ending {
    fn from(code: AbendCode) -> Self {
        Self::Abend(code)
    }
}

/// A task as its program sees it.
pub(crate) struct Task {
    block: AttachBlock,
    workers: Arc<FakeWorkers>,
}

impl Task {
    pub(crate) fn new(block: AttachBlock, workers: Arc<FakeWorkers>) -> Self {
        Self { block, workers }
    }

    /// The COMMAREA it was started with.
    pub(crate) fn commarea(&self) -> Vec<u8> {
        match decode_start(&self.block.input) {
            Ok((_, Input::Commarea(bytes), _)) => bytes.to_vec(),
            other => panic!("no COMMAREA: {other:?}"),
        }
    }

    /// STARTCODE.
    pub(crate) fn start_code(&self) -> [u8; 2] {
        decode_start(&self.block.input)
            .expect("start data")
            .0
            .start_code
    }

    /// The record that started the task at its terminal.
    pub(crate) fn typed(&self) -> Vec<u8> {
        let (_, _, sections) = decode_start(&self.block.input).expect("start data");
        let facts = sections.get(Section::Terminal).and_then(Facts::decode);
        match facts.expect("a terminal").input {
            TerminalInput::Record(record) => record,
            other => panic!("no record: {other:?}"),
        }
    }

    /// SYNCPOINT.
    pub(crate) async fn syncpoint(&self) -> Result<Resp, Ending> {
        let answer = self.ask(Domain::UnitOfWork, &[syncpoint::COMMIT]).await?;
        Ok(answer.resp)
    }

    /// RETURN COMMAREA: commits what is open.
    pub(crate) async fn done(&self, commarea: &[u8]) -> Result<Ending, Ending> {
        self.syncpoint().await?;
        let reply = encode_commarea_reply(commarea.to_vec(), &Sections::default());
        Ok(Ending::Normal(reply))
    }

    /// RETURN TRANSID COMMAREA at a terminal, with a last screen.
    pub(crate) async fn done_at_terminal(
        &self,
        screen: &[u8],
        next: Option<&str>,
        commarea: &[u8],
    ) -> Result<Ending, Ending> {
        self.syncpoint().await?;
        let left = Left {
            outputs: vec![screen.to_vec()],
            next: next.map(|name| TransId::from_field(name.as_bytes())),
            ..Left::default()
        };
        let mut sections = Sections::default();
        sections.add(Section::Terminal, &left.encode());
        Ok(Ending::Normal(encode_commarea_reply(
            commarea.to_vec(),
            &sections,
        )))
    }

    /// START TRANSID AFTER SECONDS REQID FROM; answers the condition.
    pub(crate) async fn start(
        &self,
        transid: &str,
        seconds: u64,
        reqid: &[u8; 8],
        from: &[u8],
    ) -> Result<Resp, Ending> {
        let request = StartRequest {
            reqid: *reqid,
            transid: TransId::from_field(transid.as_bytes()),
            termid: None,
            userid: UserId::BLANK,
            protect: false,
            attach: false,
            due_ms: 0,
            data: StartData {
                from: Some(from.to_vec()),
                ..StartData::default()
            },
            channel: None,
        };
        let mut out = Writer::with_capacity(64);
        out.u8(interval::ask::START)
            .u64(seconds * 1_000)
            .raw(&request.encode());
        Ok(self.ask(Domain::Interval, &out.0).await?.resp)
    }

    /// CANCEL REQID.
    pub(crate) async fn cancel(&self, reqid: &[u8; 8]) -> Result<Resp, Ending> {
        let mut out = Writer::with_capacity(16);
        out.u8(interval::ask::CANCEL).raw(reqid);
        Ok(self.ask(Domain::Interval, &out.0).await?.resp)
    }

    /// RETRIEVE INTO.
    pub(crate) async fn retrieve(&self) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let (_, _, sections) = decode_start(&self.block.input).expect("start data");
        let mut out = Writer::with_capacity(32);
        out.u8(interval::ask::RETRIEVE)
            .flag(false)
            .u64(0)
            .raw(sections.get(Section::Retrieve).unwrap_or_default());
        let answer = self.ask(Domain::Interval, &out.0).await?;
        if answer.resp != Resp::NORMAL {
            return Ok(Err(answer.resp));
        }
        let mut from = transom_wire::codec::Reader(&answer.data);
        let _protected = from.flag();
        let data = StartData::read(&mut from).expect("data of a START");
        Ok(Ok(data.from.unwrap_or_default()))
    }

    /// WRITEQ TD.
    pub(crate) async fn write_td(&self, queue: &[u8; 4], record: &[u8]) -> Result<Resp, Ending> {
        let mut out = Writer::with_capacity(64);
        out.u8(transient_data::ask::WRITE)
            .raw(queue)
            .u64(0)
            .raw(record);
        Ok(self.ask(Domain::TransientData, &out.0).await?.resp)
    }

    /// READQ TD.
    pub(crate) async fn read_td(&self, queue: &[u8; 4]) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let mut out = Writer::with_capacity(64);
        out.u8(transient_data::ask::READ)
            .raw(queue)
            .u64(0)
            .flag(true);
        let answer = self.ask(Domain::TransientData, &out.0).await?;
        Ok(match answer.resp {
            Resp::NORMAL => Ok(answer.data),
            resp => Err(resp),
        })
    }

    /// Opens a file, as the first command that names it does.
    pub(crate) async fn open(&self, file: &str) -> Result<Resp, Ending> {
        self.file(file, Action::Open).await
    }

    /// WRITE FILE.
    pub(crate) async fn write(&self, file: &str, record: &[u8]) -> Result<Resp, Ending> {
        self.file(file, Action::Insert(None, record.to_vec(), patience(0)))
            .await
    }

    /// READ FILE UPDATE: the condition. DTIMOUT in milliseconds; 0: none.
    pub(crate) async fn read_update(
        &self,
        file: &str,
        key: &[u8],
        dtimout_ms: u64,
    ) -> Result<Resp, Ending> {
        let update = Some(patience(dtimout_ms));
        self.file(file, Action::Read(key.to_vec(), Find::Equal, update))
            .await
    }

    /// READ FILE: the condition.
    pub(crate) async fn read(&self, file: &str, key: &[u8]) -> Result<Resp, Ending> {
        self.file(file, Action::Read(key.to_vec(), Find::Equal, None))
            .await
    }

    async fn file(&self, file: &str, action: Action) -> Result<Resp, Ending> {
        let file = ProgramName::from_field(file.as_bytes());
        let request = FileRequest { file, action }.encode();
        Ok(self.ask(Domain::File, &request).await?.resp)
    }

    /// RUN TRANSID: the token of the child, or the condition.
    pub(crate) async fn run(&self, transid: &str) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let mut out = Writer::with_capacity(16);
        out.u8(asynchronous::ask::RUN)
            .raw(TransId::from_field(transid.as_bytes()).as_bytes())
            .raw(self.block.userid.as_bytes());
        let answer = self.ask(Domain::Child, &out.0).await?;
        Ok(match answer.resp {
            Resp::NORMAL => Ok(answer.data),
            resp => Err(resp),
        })
    }

    /// FETCH CHILD TIMEOUT: COMPSTATUS, or the condition. 0: waits without limit.
    pub(crate) async fn fetch(
        &self,
        child: &[u8],
        timeout_ms: u64,
    ) -> Result<Result<&'static str, (Resp, u32)>, Ending> {
        let mut out = Writer::with_capacity(32);
        out.u8(asynchronous::ask::FETCH)
            .flag(false)
            .u64(timeout_ms)
            .raw(child);
        let answer = self.ask(Domain::Child, &out.0).await?;
        if answer.resp != Resp::NORMAL {
            return Ok(Err((answer.resp, answer.resp2)));
        }
        let fetched = Fetched::decode(&answer.data).expect("the answer of a child");
        Ok(Ok(fetched.status()))
    }

    async fn ask(&self, domain: Domain, request: &[u8]) -> Result<RegionAnswer, Ending> {
        let mut bytes = vec![domain as u8];
        bytes.extend_from_slice(request);
        let (answer, answered) = oneshot::channel();
        let ask = Ask::new(self.block.task_number, bytes, move |reply| {
            // A task that was purged meanwhile does not wait.
            let _gone = answer.send(RegionAnswer::decode(reply));
        });
        self.workers.asks(ask);
        let answer = answered.await.expect("each request is answered");
        match answer.abend {
            Some(code) => Err(Ending::Abend(code)),
            None => Ok(answer),
        }
    }
}

fn patience(dtimout_ms: u64) -> Patience {
    Patience {
        no_suspend: false,
        dtimout_ms,
    }
}

/// A COMMAREA for a LINK.
pub(crate) fn commarea(bytes: &[u8]) -> Payload {
    Payload::Commarea(bytes.to_vec())
}

/// A terminal's name.
pub(crate) fn termid(name: &str) -> TermId {
    TermId::from_field(name.as_bytes())
}
