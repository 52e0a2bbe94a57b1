//! Temporary storage without a region: queues of units of work, and items on disk.

use super::stage::{Stage, ask};
use crate::temporary_storage::Queues;
use std::sync::Arc;
use transom_types::{Resp, TransId, TsQueueName};
use transom_wire::requests::RegionAnswer;
use transom_wire::temporary_storage::{Read, Request};

const NAME: TsQueueName = TsQueueName::new(*b"BASKET          ");

async fn queues(stage: &Stage, auxiliary_bytes_max: u64) -> Arc<Queues> {
    let queues = Queues::new(
        stage.kernel.clone(),
        stage.uows.clone(),
        None,
        auxiliary_bytes_max,
    );
    let queues = Arc::new(queues);
    queues.recover().await.expect("tables in memory");
    queues
}

async fn asked(queues: &Arc<Queues>, task: u32, request: Request) -> RegionAnswer {
    ask(task, &request, |replier, bytes| {
        queues.answer(replier, bytes);
    })
    .await
}

#[tokio::test]
async fn an_item_is_seen_by_its_task_first_and_by_all_after_the_commit() {
    let stage = Stage::new();
    let queues = queues(&stage, 0).await;
    let write = Request::Write {
        name: NAME,
        dtimout_ms: 0,
        transid: TransId::from_field(b"SHOP"),
        rewrite: None,
        data: b"apples".to_vec(),
    };
    assert_eq!(asked(&queues, 7, write).await.resp, Resp::NORMAL);
    let read = || Request::Read(NAME, Some(1));
    assert_eq!(asked(&queues, 8, read()).await.resp, Resp::QIDERR);
    let own = asked(&queues, 7, read()).await;
    let own = Read::decode(&own.data).expect("an item");
    assert_eq!((own.count, &own.data[..]), (1, &b"apples"[..]));
    assert_eq!(stage.syncpoint(7).await.resp, Resp::NORMAL);
    assert_eq!(asked(&queues, 8, read()).await.resp, Resp::NORMAL);
}

#[tokio::test]
async fn items_on_disk_are_bounded_and_make_room_again() {
    let stage = Stage::new();
    let queues = queues(&stage, 4_096).await;
    let spill = || Request::Spill(NAME, vec![b'X'; 100]);
    let number = asked(&queues, 7, spill()).await;
    let number = u64::from_be_bytes(number.data.try_into().expect("a number"));
    assert_eq!(asked(&queues, 7, spill()).await.resp, Resp::NOSPACE);
    let fetched = asked(&queues, 8, Request::Fetch(NAME, number)).await;
    assert_eq!(fetched.data, [b'X'; 100]);
    asked(&queues, 7, Request::Free(NAME, vec![number])).await;
    let gone = asked(&queues, 8, Request::Fetch(NAME, number)).await;
    assert_eq!(gone.resp, Resp::NOTFND);
    assert_eq!(asked(&queues, 7, spill()).await.resp, Resp::NORMAL);
}
