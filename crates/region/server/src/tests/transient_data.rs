//! Queues and their triggers without a region.

use super::stage::{Stage, ask};
use crate::starter::{Ending, TaskEvents};
use crate::transient_data::{Folders, Means, TransientData};
use std::sync::Arc;
use transom_types::{Resp, TdQueueName, TransId};
use transom_wire::definitions::{TdQueueEntry, TdRecovery};
use transom_wire::requests::RegionAnswer;
use transom_wire::transient_data::{Action, Request};

const ORDERS: TdQueueName = TdQueueName::new(*b"ORDR");

/// A queue whose second record starts PICK.
fn orders(stage: &Stage, recovery: TdRecovery, bytes_max: u64) -> Arc<TransientData> {
    let means = Means {
        kernel: stage.kernel.clone(),
        uows: stage.uows.clone(),
        starter: stage.starts.clone(),
        terminals: stage.terminals.clone(),
    };
    let folders = Folders {
        umask: 0o077,
        files: None,
        jobs: None,
    };
    let mut queue = TdQueueEntry::new(ORDERS);
    queue.trigger_level = 2;
    queue.transid = Some(TransId::from_field(b"PICK"));
    queue.recovery = recovery;
    let service = TransientData::new(means, folders, bytes_max);
    assert!(service.install(&[queue]));
    service
}

async fn asked(service: &Arc<TransientData>, task: u32, action: Action) -> RegionAnswer {
    let request = Request {
        queue: ORDERS,
        dtimout_ms: 0,
        action,
    };
    ask(task, &request, |replier, bytes| {
        service.answer(replier, bytes);
    })
    .await
}

async fn write(service: &Arc<TransientData>, task: u32) -> Resp {
    let bolts = Action::Write(b"bolts".to_vec());
    asked(service, task, bolts).await.resp
}

#[tokio::test]
async fn a_trigger_follows_its_own_task() {
    let stage = Stage::new();
    let service = orders(&stage, TdRecovery::No, 1_000);
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
    assert_eq!(stage.starts.tasks(), []);
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
    let picks = [("PICK".to_owned(), "QD".to_owned())];
    assert_eq!(stage.starts.tasks(), picks);

    let sections = stage.starts.sections(1);
    service.task_began(1, &sections);
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
    assert_eq!(stage.starts.tasks(), picks, "one task at a time");
    service.task_ended(1, Ending::Abnormal);
    assert_eq!(stage.starts.tasks(), picks, "the next write looks again");
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
    assert_eq!(stage.starts.tasks().len(), 2);
}

#[tokio::test]
async fn records_of_a_unit_of_work_count_from_its_commit_on() {
    let stage = Stage::new();
    let service = orders(&stage, TdRecovery::Logical, 1_000);
    for _ in 0..2 {
        assert_eq!(write(&service, 7).await, Resp::NORMAL);
    }
    assert_eq!(stage.starts.tasks(), []);
    assert_eq!(stage.syncpoint(7).await.resp, Resp::NORMAL);
    assert_eq!(stage.starts.tasks().len(), 1);
    let read = Action::Read { may_wait: false };
    assert_eq!(asked(&service, 8, read).await.data, b"bolts");
}

#[tokio::test]
async fn memory_for_records_is_bounded() {
    let stage = Stage::new();
    let service = orders(&stage, TdRecovery::No, 40);
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
    assert_eq!(write(&service, 7).await, Resp::NOSPACE);
    let figures = service.statistics();
    let reached = figures.values.iter().find(|v| v.name.starts_with("times"));
    assert_eq!(reached.map(|v| v.value), Some(1));
    assert_eq!(asked(&service, 7, Action::Delete).await.resp, Resp::NORMAL);
    assert_eq!(write(&service, 7).await, Resp::NORMAL);
}
