//! Transient data queues and the tasks their trigger levels start.

use crate::region::{TestRegion, transaction};
use std::sync::{Arc, Mutex};
use transom_types::{Resp, TdQueueName, TransId};
use transom_wire::definitions::TdQueueEntry;

#[tokio::test]
async fn the_trigger_level_starts_one_task_that_empties_the_queue() {
    let region = TestRegion::start(|config| {
        let mut queue = TdQueueEntry::new(TdQueueName::new(*b"ORDR"));
        queue.trigger_level = 3;
        queue.transid = Some(TransId::from_field(b"PICK"));
        config.queues.td_queues = vec![queue];
        config.transactions.push(transaction("PICK", "WORK"));
    });
    let picked = Arc::new(Mutex::new(Vec::new()));
    let orders = picked.clone();
    region.program("WORK", move |task| {
        let orders = orders.clone();
        async move {
            assert_eq!(task.start_code(), *b"QD");
            loop {
                match task.read_td(b"ORDR").await? {
                    Ok(order) => orders
                        .lock()
                        .unwrap()
                        .push(String::from_utf8(order).unwrap()),
                    Err(end) => {
                        assert_eq!(end, Resp::QZERO);
                        return task.done(b"").await;
                    }
                }
            }
        }
    });
    region.program("ONE", |task| async move {
        let order = task.commarea();
        assert_eq!(task.write_td(b"ORDR", &order).await?, Resp::NORMAL);
        task.done(b"").await
    });
    region.run("ONE", b"bolts").await;
    region.run("ONE", b"nuts").await;
    region.settle().await;
    assert_eq!(region.attached(), ["CSMI", "CSMI"], "below the level");
    region.run("ONE", b"washers").await;
    region.settle().await;
    assert_eq!(region.attached(), ["CSMI", "CSMI", "CSMI", "PICK"]);
    assert_eq!(*picked.lock().unwrap(), ["bolts", "nuts", "washers"]);
}
