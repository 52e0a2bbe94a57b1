//! What a test program can do: the requests behind EXEC CICS commands.
//!
//! The one place of these tests that knows what requests look like. A request that the region ends
//! with an abend ends the program with it, by `?`.

use crate::fake_workers::FakeWorkers;
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_types::{
    AbendCode, Applid, FileName, Find, Payload, Position, ReqId, Resp, TdQueueName, TermId,
    TransClass, TransId, TsQueueName, UserId,
};
use transom_wire::association::{Association, Inherited, Itself, Previous};
use transom_wire::asynchronous::{self, Fetched};
use transom_wire::file_control::{Action, Busy, FileRequest, Patience};
use transom_wire::interval::{self, Retrieved, StartData, StartRequest};
use transom_wire::language::whole;
use transom_wire::payload::{
    Section, Sections, StartData as Input, end_of_commarea_reply, read_start,
};
use transom_wire::requests::{Along, RegionAnswer, ToRegion};
use transom_wire::system::{self, SystemChange};
use transom_wire::temporary_storage::{self, New, Token, new_header, put};
use transom_wire::terminal::{Facts, Input as TerminalInput, Left};
use transom_wire::{Space, syncpoint, transient_data};
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
        match read_start(&self.block.input) {
            Ok((_, Input::Commarea(bytes), _)) => bytes.to_vec(),
            other => panic!("no COMMAREA: {other:?}"),
        }
    }

    /// STARTCODE.
    pub(crate) fn start_code(&self) -> [u8; 2] {
        read_start(&self.block.input)
            .expect("start data")
            .0
            .start_code
    }

    /// The record that started the task at its terminal.
    pub(crate) fn typed(&self) -> Vec<u8> {
        let (_, _, sections) = read_start(&self.block.input).expect("start data");
        let facts = sections.get(Section::Terminal).and_then(Facts::decode);
        match facts.expect("a terminal").input {
            TerminalInput::Record(record) => record.bytes,
            other => panic!("no record: {other:?}"),
        }
    }

    /// SYNCPOINT.
    pub(crate) async fn syncpoint(&self) -> Result<Resp, Ending> {
        let answer = self.ask(&syncpoint::Request::Commit).await?;
        Ok(answer.resp)
    }

    /// RETURN COMMAREA: commits what is open.
    pub(crate) async fn done(&self, commarea: &[u8]) -> Result<Ending, Ending> {
        self.syncpoint().await?;
        Ok(Ending::Normal(reply(commarea, &Sections::default())))
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
        Ok(Ending::Normal(reply(commarea, &sections)))
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
            reqid: ReqId::new(*reqid),
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
            inherited: None,
        };
        let request = interval::Request::Start(seconds * 1_000, request);
        Ok(self.ask(&request).await?.resp)
    }

    /// CANCEL REQID.
    pub(crate) async fn cancel(&self, reqid: &[u8; 8]) -> Result<Resp, Ending> {
        Ok(self
            .ask(&interval::Request::Cancel(ReqId::new(*reqid)))
            .await?
            .resp)
    }

    /// RETRIEVE INTO.
    pub(crate) async fn retrieve(&self) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let request = interval::Request::Retrieve {
            wait: false,
            dtimout_ms: 0,
        };
        let answer = self.ask(&request).await?;
        if answer.resp != Resp::NORMAL {
            return Ok(Err(answer.resp));
        }
        let retrieved = Retrieved::decode(&answer.data).expect("data of a START");
        Ok(Ok(retrieved.data.from.unwrap_or_default()))
    }

    /// WRITEQ TD.
    pub(crate) async fn write_td(&self, queue: &[u8; 4], record: &[u8]) -> Result<Resp, Ending> {
        let action = transient_data::Action::Write(record.to_vec());
        Ok(self.ask(&td_request(queue, action)).await?.resp)
    }

    /// READQ TD.
    pub(crate) async fn read_td(&self, queue: &[u8; 4]) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let action = transient_data::Action::Read { may_wait: true };
        let answer = self.ask(&td_request(queue, action)).await?;
        Ok(match answer.resp {
            Resp::NORMAL => Ok(answer.data),
            resp => Err(resp),
        })
    }

    /// WRITEQ TS AUXILIARY of two items at this ABSTIME; shared memory has room for the first only.
    pub(crate) async fn write_ts(&self, queue: &str, now: i64) -> Result<(), Ending> {
        let spilled = vec![b'x'; 900];
        let bytes = spilled.len() as u32;
        let name = TsQueueName::new(format!("{queue:16}").as_bytes().try_into().expect("16"));
        let request = temporary_storage::Request::Spill(name, spilled);
        let number = whole(&self.ask(&request).await?.data).expect("the number of the item");
        let mut stored = false;
        let memory = self.workers.memory();
        let name = format!("{queue:16}");
        memory.with_group(Space::TsMain, name.as_bytes(), &mut |group| {
            let mut header = new_header(self.block.transid, false);
            (header.used, header.count) = (now, 2);
            stored = header.write(group)
                && put(group, 1, New::Data(b"item"))
                && put(group, 2, New::Token(Token { number, bytes }));
        });
        assert!(stored);
        Ok(())
    }

    /// Opens a file, as the first command that names it does.
    pub(crate) async fn open(&self, file: &str) -> Result<Resp, Ending> {
        self.file(file, Action::Open).await
    }

    /// SET FILE CLOSED.
    pub(crate) async fn close(&self, file: &str, busy: Busy) -> Result<Resp, Ending> {
        self.file(file, Action::Close(busy)).await
    }

    /// COLLECT STATISTICS: the record, or the condition.
    pub(crate) async fn collect(&self, option: &str, name: &[u8]) -> Result<Vec<u8>, Ending> {
        let request = system::Request::Collect {
            option: option.to_owned(),
            resource: Some(name.to_vec()),
        };
        let answer = self.ask(&request).await?;
        let collected = transom_wire::language::whole::<system::Collected>(&answer.data);
        Ok(collected.map_or_else(Vec::new, |collected| collected.bytes))
    }

    /// DISCARD of a definition.
    pub(crate) async fn discard(&self, kind: &str, name: &str) -> Result<Resp, Ending> {
        let request = transom_wire::definitions::request::Request::Discard {
            kind: kind.to_owned(),
            name: name.to_owned(),
        };
        Ok(self.ask(&request).await?.resp)
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

    /// READ FILE UPDATE: RESP2, which says whether a REWRITE can be refused.
    pub(crate) async fn read_sure(&self, file: &str, key: &[u8]) -> Result<u32, Ending> {
        let (file, update) = (FileName::from_field(file.as_bytes()), Some(patience(0)));
        let action = Action::Read(key.to_vec(), Find::Equal, update);
        Ok(self.ask(&FileRequest { file, action }).await?.resp2)
    }

    /// REWRITE FILE that comes along with READ FILE of a record: the condition of READ.
    pub(crate) async fn rewrite_along(
        &self,
        file: &str,
        record: &[u8],
        (other, key): (&str, &[u8]),
    ) -> Result<Resp, Ending> {
        let file = FileName::from_field(file.as_bytes());
        let position = Position::of_base(&record[..4]);
        let action = Action::Rewrite(position, record.to_vec(), patience(0));
        let first = FileRequest { file, action }.message();
        let file = FileName::from_field(other.as_bytes());
        let action = Action::Read(key.to_vec(), Find::Equal, None);
        let then = FileRequest { file, action }.message();
        Ok(self.ask(&Along { first, then }).await?.resp)
    }

    /// The same within itself.
    pub(crate) async fn along_along(&self) -> Result<Resp, Ending> {
        let (first, then) = (Vec::new(), Vec::new());
        let first = Along { first, then }.message();
        let then = Vec::new();
        Ok(self.ask(&Along { first, then }).await?.resp)
    }

    async fn file(&self, file: &str, action: Action) -> Result<Resp, Ending> {
        let file = FileName::from_field(file.as_bytes());
        Ok(self.ask(&FileRequest { file, action }).await?.resp)
    }

    /// RUN TRANSID: the token of the child, or the condition.
    pub(crate) async fn run(&self, transid: &str) -> Result<Result<Vec<u8>, Resp>, Ending> {
        let request = asynchronous::Request::Run {
            transid: TransId::from_field(transid.as_bytes()),
            userid: self.block.userid,
            channel: None,
            inherited: nobody(),
        };
        let answer = self.ask(&request).await?;
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
        let request = asynchronous::Request::Fetch {
            at_once: false,
            timeout_ms,
            token: child.try_into().ok(),
        };
        let answer = self.ask(&request).await?;
        if answer.resp != Resp::NORMAL {
            return Ok(Err((answer.resp, answer.resp2)));
        }
        let fetched = Fetched::decode(&answer.data).expect("the answer of a child");
        Ok(Ok(fetched.status()))
    }

    /// SET SYSTEM.
    pub(crate) async fn set_system(&self, change: SystemChange) -> Result<Resp, Ending> {
        Ok(self.ask(&system::Request::Set(change)).await?.resp)
    }

    /// DISCARD TRANCLASS.
    pub(crate) async fn discard_class(&self, name: TransClass) -> Result<(Resp, u32), Ending> {
        let answer = self.ask(&system::Request::DiscardClass(name)).await?;
        Ok((answer.resp, answer.resp2))
    }

    async fn ask(&self, request: &impl ToRegion) -> Result<RegionAnswer, Ending> {
        let bytes = request.message();
        let (answer, answered) = oneshot::channel();
        let ask = Ask::new(self.block.task_number, bytes, move |reply| {
            // A task that was purged meanwhile does not wait.
            let _gone = answer.send(RegionAnswer::of(reply));
        });
        self.workers.asks(ask);
        let answer = answered.await.expect("each request is answered");
        match answer.abend {
            Some(code) => Err(Ending::Abend(code)),
            None => Ok(answer),
        }
    }
}

fn reply(commarea: &[u8], sections: &Sections) -> Vec<u8> {
    [commarea, &end_of_commarea_reply(sections)].concat()
}

fn td_request(queue: &[u8; 4], action: transient_data::Action) -> transient_data::Request {
    transient_data::Request {
        queue: TdQueueName::new(*queue),
        dtimout_ms: 0,
        action,
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

/// What a task without association data hands on.
fn nobody() -> Inherited {
    Inherited {
        origin: Association::NONE.origin_of(&Itself {
            applid: Applid::BLANK,
            task_number: 0,
            transid: TransId::BLANK,
            userid: UserId::BLANK,
            start_abstime_ms: 0,
        }),
        previous: Previous {
            task_number: 0,
            transid: TransId::BLANK,
            start_abstime_ms: 0,
            count: 1,
        },
    }
}
