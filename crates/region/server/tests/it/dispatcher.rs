//! Which task runs when: MXT, TRANCLASS, priorities, limits of queues.

use crate::region::{TestRegion, transaction};
use std::time::Duration;
use transom_region_api::{Control, Fault, LinkRequest, Programs, StartedBy};
use transom_types::{ProgramName, TransClass};
use transom_wire::definitions::ClassLimit;

#[tokio::test]
async fn tasks_beyond_mxt_wait_and_go_by_priority() {
    let region = TestRegion::start(|config| {
        config.system.max_tasks = 1;
        let mut high = transaction("HIGH", "ONE");
        high.priority = 200;
        config.transactions.push(high);
    });
    region.held_program("ONE");
    let replies: Vec<_> = ["ONE", "TWO", "HIGH"]
        .map(|transid| region.link(transid, "ONE", transid.as_bytes()))
        .into_iter()
        .collect();
    region.settle().await;
    assert_eq!(region.attached(), ["ONE"], "one place, two wait");
    assert_eq!(region.region.info().unwrap().tasks, 1);
    region.open("ONE", 1).await;
    assert_eq!(
        region.attached(),
        ["ONE", "HIGH"],
        "the later one has the higher priority"
    );
    region.open("ONE", 2).await;
    assert_eq!(region.attached(), ["ONE", "HIGH", "TWO"]);
    for reply in replies {
        assert!(reply.await.unwrap().is_ok());
    }
    assert_eq!(region.region.info().unwrap().tasks, 0);
}

#[tokio::test]
async fn a_class_holds_back_its_own_tasks_only() {
    let class = TransClass::new("BATCH").unwrap();
    let region = TestRegion::start(|config| {
        config.classes = vec![ClassLimit {
            name: class,
            max_active: 1,
            purge_threshold: 2,
        }];
        let mut batch = transaction("BAT1", "ONE");
        batch.class = class;
        config.transactions.push(batch);
    });
    region.held_program("ONE");
    let _first = region.link("BAT1", "ONE", b"");
    let _second = region.link("BAT1", "ONE", b"");
    let _third = region.link("BAT1", "ONE", b"");
    let _other = region.link("TWO", "ONE", b"");
    region.settle().await;
    assert_eq!(region.attached(), ["BAT1", "TWO"]);
    let refused = region.link("BAT1", "ONE", b"").await.unwrap().unwrap_err();
    assert_eq!(refused.fault, Fault::Busy, "PURGETHRESH is reached");
    assert!(refused.text.starts_with("TXMXM0006E"), "{}", refused.text);
    region.open("ONE", 4).await;
    assert_eq!(region.attached(), ["BAT1", "TWO", "BAT1", "BAT1"]);
}

#[tokio::test]
async fn a_class_is_discarded_when_no_transaction_and_no_task_belongs_to_it() {
    let class = TransClass::new("BATCH").unwrap();
    let region = TestRegion::start(|config| {
        config.classes = vec![ClassLimit {
            name: class,
            max_active: 1,
            purge_threshold: 0,
        }];
        let mut batch = transaction("BAT1", "ONE");
        batch.class = class;
        config.transactions.push(batch);
    });
    region.held_program("ONE");
    region.program("WORK", move |task| async move {
        let (resp, resp2) = task.discard_class(class).await?;
        task.done(format!("{resp} {resp2}").as_bytes()).await
    });
    let discard = async || String::from_utf8(region.run("WORK", b"").await).unwrap();
    let running = region.link("BAT1", "ONE", b"");
    region.settle().await;
    assert_eq!(discard().await, "INVREQ 12");
    region.discard_transaction("BAT1");
    assert_eq!(discard().await, "INVREQ 2");
    region.open("ONE", 1).await;
    assert!(running.await.unwrap().is_ok());
    assert_eq!(discard().await, "NORMAL 0");
    assert_eq!(discard().await, "TCIDERR 1");
}

#[tokio::test]
async fn a_full_queue_refuses_and_nothing_has_run() {
    let region = TestRegion::start(|config| {
        config.system.max_tasks = 1;
        config.queue_max = 1;
    });
    region.held_program("ONE");
    let _runs = region.link("ONE", "ONE", b"");
    let _waits = region.link("ONE", "ONE", b"");
    let refused = region.link("ONE", "ONE", b"").await.unwrap().unwrap_err();
    assert!(refused.fault.retry_is_safe());
    assert!(refused.text.starts_with("TXMXM0005E"), "{}", refused.text);
}

#[tokio::test]
async fn a_caller_that_waits_too_long_has_its_task_purged() {
    let region = TestRegion::start(|_| ());
    region.held_program("ONE");
    let reply = tokio::spawn(region.region.link(LinkRequest {
        program: ProgramName::from_field(b"ONE"),
        transid: None,
        userid: None,
        payload: crate::program::commarea(b""),
        reply_bytes_max: 0,
        timeout: Some(Duration::from_secs(10)),
        started_by: StartedBy::Gateway,
        client: None,
    }));
    region.advance(Duration::from_secs(9)).await;
    assert!(!reply.is_finished());
    region.advance(Duration::from_secs(1)).await;
    let failure = reply.await.unwrap().unwrap_err();
    assert_eq!(failure.fault, Fault::TimedOut);
    region.settle().await;
    assert_eq!(region.region.info().unwrap().tasks, 0, "its place is free");
}
