//! START and RETRIEVE without a region.

use super::stage::{Stage, ask};
use crate::interval::{Intervals, Means};
use crate::starter::TaskEvents as _;
use std::sync::Arc;
use std::time::Duration;
use transom_types::{ProgramName, ReqId, Resp, TermId, TransId, UserId};
use transom_wire::definitions::TransactionEntry;
use transom_wire::interval::{Request, Retrieved, StartData, StartRequest};
use transom_wire::requests::RegionAnswer;

fn intervals(stage: &Stage, requests_max: u64) -> Arc<Intervals> {
    let (name, program) = (TransId::from_field(b"WORK"), ProgramName::from_field(b"W"));
    assert!(TransactionEntry::new(name, program).install(stage.kernel.shared()));
    let means = Means {
        kernel: stage.kernel.clone(),
        uows: stage.uows.clone(),
        starter: stage.starts.clone(),
        terminals: stage.terminals.clone(),
    };
    Intervals::new(means, requests_max, 1_000)
}

fn work(reqid: &[u8; 8], termid: Option<TermId>) -> StartRequest {
    StartRequest {
        reqid: ReqId::new(*reqid),
        transid: TransId::from_field(b"WORK"),
        termid,
        userid: UserId::BLANK,
        protect: false,
        attach: false,
        due_ms: 0,
        data: StartData {
            from: Some(b"data".to_vec()),
            ..StartData::default()
        },
        channel: None,
        inherited: None,
    }
}

async fn asked(intervals: &Arc<Intervals>, task: u32, request: Request) -> RegionAnswer {
    ask(task, &request, |replier, bytes| {
        intervals.answer(replier, bytes);
    })
    .await
}

#[tokio::test]
async fn a_request_waits_for_its_time_and_then_for_a_place() {
    let stage = Stage::new();
    let intervals = intervals(&stage, 10);
    let start = Request::Start(60_000, work(b"IN A MIN", None));
    assert_eq!(asked(&intervals, 7, start).await.resp, Resp::NORMAL);
    stage.advance(Duration::from_secs(59)).await;
    assert_eq!(stage.starts.tasks(), []);
    stage.starts.set_full(true);
    stage.advance(Duration::from_secs(1)).await;
    assert_eq!(stage.starts.tasks(), [], "there is no place");
    stage.starts.set_full(false);
    stage.advance(Duration::from_millis(500)).await;
    assert_eq!(stage.starts.tasks(), [("WORK".into(), "SD".into())]);

    intervals.task_began(8, &stage.starts.sections(1));
    let retrieve = || Request::Retrieve {
        wait: false,
        dtimout_ms: 0,
    };
    let other = asked(&intervals, 9, retrieve()).await;
    assert_eq!(other.resp, Resp::ENDDATA, "the data are not its own");
    let found = asked(&intervals, 8, retrieve()).await;
    let found = Retrieved::decode(&found.data).expect("data");
    assert_eq!(found.data.from.as_deref(), Some(&b"data"[..]));
    let again = asked(&intervals, 8, retrieve()).await;
    assert_eq!(again.resp, Resp::ENDDATA);
}

#[tokio::test]
async fn what_waits_is_bounded_and_an_ended_task_makes_room() {
    let stage = Stage::new();
    let intervals = intervals(&stage, 1);
    let now = || Request::Start(0, work(b"THE ONE ", None));
    assert_eq!(asked(&intervals, 7, now()).await.resp, Resp::NORMAL);
    assert_eq!(asked(&intervals, 7, now()).await.resp, Resp::IOERR);
    assert!(stage.has_said("TXMIC"));
    stage.starts.end(1);
    assert_eq!(asked(&intervals, 7, now()).await.resp, Resp::NORMAL);
    assert_eq!(stage.starts.tasks().len(), 2);
}

#[tokio::test]
async fn a_terminal_nobody_knows_starts_nothing() {
    let stage = Stage::new();
    let intervals = intervals(&stage, 10);
    let start = Request::Start(0, work(b"NOWHERE ", Some(TermId::from_field(b"T999"))));
    assert_eq!(asked(&intervals, 7, start).await.resp, Resp::TERMIDERR);
    assert_eq!(stage.starts.tasks(), []);
}
