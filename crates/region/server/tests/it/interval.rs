//! START, CANCEL, RETRIEVE and the time they wait for.

use crate::region::TestRegion;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_types::Resp;

/// A region whose program WORK retrieves data and keeps what it got.
fn region_with_worker() -> (TestRegion, Arc<Mutex<Vec<String>>>) {
    let region = TestRegion::start(|_| ());
    let got = Arc::new(Mutex::new(Vec::new()));
    let kept = got.clone();
    region.program("WORK", move |task| {
        let kept = kept.clone();
        async move {
            assert_eq!(task.start_code(), *b"SD");
            let data = task.retrieve().await?.expect("data of the START");
            kept.lock().unwrap().push(String::from_utf8(data).unwrap());
            assert_eq!(task.retrieve().await?, Err(Resp::ENDDATA));
            task.done(b"").await
        }
    });
    (region, got)
}

#[tokio::test]
async fn a_start_begins_its_task_when_its_time_has_come() {
    let (region, got) = region_with_worker();
    region.program("ONE", |task| async move {
        assert_eq!(
            task.start("WORK", 60, b"REQUEST1", b"in a minute").await?,
            Resp::NORMAL
        );
        assert_eq!(
            task.start("WORK", 30, b"REQUEST2", b"in half of it")
                .await?,
            Resp::NORMAL
        );
        assert_eq!(
            task.start("NONE", 30, b"REQUEST3", b"never").await?,
            Resp::TRANSIDERR
        );
        task.done(b"").await
    });
    region.run("ONE", b"").await;
    region.advance(Duration::from_millis(29_999)).await;
    assert!(got.lock().unwrap().is_empty());
    region.advance(Duration::from_millis(1)).await;
    assert_eq!(*got.lock().unwrap(), ["in half of it"]);
    region.advance(Duration::from_secs(30)).await;
    assert_eq!(*got.lock().unwrap(), ["in half of it", "in a minute"]);
}

/// Who sets the clock of the machine back holds up nothing that was to come after a while, and
/// what comes later still comes in its order.
#[tokio::test]
async fn a_clock_that_is_set_back_delays_no_interval() {
    let (region, got) = region_with_worker();
    for (program, request, text) in [
        ("ONE", b"REQUEST1", b"before it was set back"),
        ("TWO", b"REQUEST2", b"after it was set back "),
    ] {
        region.program(program, move |task| async move {
            assert_eq!(task.start("WORK", 60, request, text).await?, Resp::NORMAL);
            task.done(b"").await
        });
    }
    region.run("ONE", b"").await;
    region.advance(Duration::from_secs(30)).await;
    region.clock.set_back(Duration::from_secs(7_200));
    region.run("TWO", b"").await;
    region.advance(Duration::from_millis(29_999)).await;
    assert!(got.lock().unwrap().is_empty());
    region.advance(Duration::from_millis(1)).await;
    assert_eq!(*got.lock().unwrap(), ["before it was set back"]);
    region.advance(Duration::from_secs(30)).await;
    assert_eq!(got.lock().unwrap()[1], "after it was set back ");
}

#[tokio::test]
async fn a_cancelled_start_begins_nothing() {
    let (region, got) = region_with_worker();
    region.program("ONE", |task| async move {
        task.start("WORK", 60, b"WATCHDOG", b"too late").await?;
        assert_eq!(task.cancel(b"WATCHDOG").await?, Resp::NORMAL);
        assert_eq!(task.cancel(b"WATCHDOG").await?, Resp::NOTFND, "it is gone");
        task.done(b"").await
    });
    region.run("ONE", b"").await;
    region.advance(Duration::from_secs(3_600)).await;
    assert!(got.lock().unwrap().is_empty());
    assert_eq!(region.attached(), ["CSMI"]);
}

#[tokio::test]
async fn a_start_that_finds_no_place_is_tried_again() {
    let region = TestRegion::start(|config| {
        config.system.max_tasks = 1;
        config.queue_max = 0;
    });
    region.program("ONE", {
        let gate = region.gate("ONE");
        move |task| {
            let gate = gate.clone();
            async move {
                task.start("WORK", 0, b"NOWISH  ", b"data").await?;
                crate::region::pass(&gate).await;
                task.done(b"").await
            }
        }
    });
    region.held_program("WORK");
    let first = region.link("ONE", "ONE", b"");
    region.advance(Duration::from_secs(5)).await;
    assert_eq!(region.attached(), ["ONE"], "MXT is reached");
    region.open("ONE", 1).await;
    assert!(first.await.unwrap().is_ok());
    region.advance(Duration::from_millis(500)).await;
    assert_eq!(region.attached(), ["ONE", "WORK"]);
}

#[tokio::test]
async fn refused_starts_are_told_a_few_times_and_then_counted() {
    let region = TestRegion::start(|config| config.queues.start_requests_max = 0);
    region.program("WORK", |task| async move { task.done(b"").await });
    region.program("ONE", |task| async move {
        for _ in 0..12 {
            assert_eq!(task.start("WORK", 60, b"REQUEST1", b"").await?, Resp::IOERR);
        }
        task.done(b"").await
    });
    region.run("ONE", b"").await;
    let told = |id: &str| region.told(id).len();
    assert_eq!((told("TXMIC0003E"), told("TXMSI0089I")), (5, 0));
    region.advance(Duration::from_secs(60)).await;
    let counted = region.told("TXMSI0089I");
    assert_eq!((told("TXMIC0003E"), counted.len()), (5, 1));
    assert!(
        counted[0].contains("7 more messages TXMIC0003E"),
        "{}",
        counted[0]
    );
    region.run("ONE", b"").await;
    assert_eq!(told("TXMIC0003E"), 10, "a minute later it is told again");
}
