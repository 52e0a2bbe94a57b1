//! SET SYSTEM changes what the region does, not only what INQUIRE shows.

use crate::region::{TestRegion, transaction};
use std::time::Duration;
use transom_types::Resp;
use transom_wire::system::SystemChange;

/// A region whose program WORK carries out a SET SYSTEM.
async fn region_that_sets(
    change: SystemChange,
    setup: impl FnOnce(&mut transom_region_server::RegionConfig),
) -> TestRegion {
    let region = TestRegion::start(setup);
    region.program("WORK", move |task| {
        let change = change.clone();
        async move {
            assert_eq!(task.set_system(change).await?, Resp::NORMAL);
            task.done(b"").await
        }
    });
    region
}

#[tokio::test]
async fn runaway_is_that_of_tasks_attached_from_then_on() {
    let change = SystemChange {
        runaway_ms: Some(750),
        ..SystemChange::default()
    };
    let region = region_that_sets(change, |config| {
        config.system.runaway_ms = 5_000;
        let mut own = transaction("OWN", "ONE");
        own.runaway_ms = Some(250);
        config.transactions.push(own);
    })
    .await;
    region.program("ONE", |task| async move { task.done(b"").await });
    for transid in ["ONE", "WORK", "ONE", "OWN"] {
        let program = if transid == "WORK" { "WORK" } else { "ONE" };
        assert!(region.link(transid, program, b"").await.unwrap().is_ok());
    }
    assert_eq!(region.runaways(), [5_000, 5_000, 750, 250]);
}

#[tokio::test]
async fn a_task_that_has_waited_long_goes_before_one_of_higher_priority() {
    let change = SystemChange {
        priority_aging_ms: Some(10),
        ..SystemChange::default()
    };
    let region = region_that_sets(change, |config| {
        config.system.max_tasks = 1;
        config.system.priority_aging_ms = 0;
        let mut high = transaction("HIGH", "ONE");
        high.priority = 11;
        config.transactions.push(high);
    })
    .await;
    region.held_program("ONE");
    region.run("WORK", b"").await;
    let _running = region.link("ONE", "ONE", b"");
    let _low = region.link("TWO", "ONE", b"");
    region.settle().await;
    // TWO has priority 1 and gains 11 meanwhile.
    region.advance(Duration::from_millis(110)).await;
    let _high = region.link("HIGH", "ONE", b"");
    region.settle().await;
    region.open("ONE", 1).await;
    region.open("ONE", 1).await;
    assert_eq!(region.attached(), ["CSMI", "ONE", "TWO", "HIGH"]);
}

#[tokio::test]
async fn programs_are_not_autoinstalled_any_more() {
    let change = SystemChange {
        program_autoinstall: Some(false),
        ..SystemChange::default()
    };
    let folder = std::env::temp_dir().join(format!("transom-late-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("LATE.so"), b"").unwrap();
    let modules = folder.clone();
    let region = region_that_sets(change, |config| config.module_dir = modules).await;
    region.program("LATE", |task| async move { task.done(b"").await });
    region.run("WORK", b"").await;
    let refused = region.link("CSMI", "LATE", b"").await.unwrap().unwrap_err();
    assert!(refused.text.contains("TXMPG0005E"), "{}", refused.text);
    std::fs::remove_dir_all(&folder).unwrap();
}
