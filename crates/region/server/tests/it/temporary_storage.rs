//! Temporary storage queues that nobody uses any more.

use crate::region::TestRegion;
use std::time::Duration;
use transom_wire::definitions::TsModelEntry;

const HOUR: Duration = Duration::from_secs(3_600);

async fn write(region: &TestRegion, queue: &'static str) {
    let now = region.abstime();
    region.program("ONE", move |task| async move {
        task.write_ts(queue, now).await?;
        task.done(b"").await
    });
    region.run("ONE", b"").await;
}

#[tokio::test]
async fn queues_nobody_uses_are_deleted_when_their_model_says_so() {
    let region = TestRegion::start(|config| {
        let mut model = TsModelEntry::new(*b"SHORT   ", b"SHORT");
        model.expiry_hours = 2;
        config.queues.ts_models.push(model);
    });
    write(&region, "SHORT.A").await;
    let of_one = region.figure("temporary storage", "disk_bytes");
    assert!(of_one >= 900);
    write(&region, "LONG").await;
    region.advance(HOUR).await;
    write(&region, "SHORT.B").await;
    region.advance(HOUR).await;
    assert_eq!(region.queues(), ["LONG", "SHORT.A", "SHORT.B"]);
    // The region looks every five minutes.
    region.advance(HOUR / 12).await;
    assert_eq!(region.queues(), ["LONG", "SHORT.B"]);
    assert!(region.has_said("TXMTS0010I 1 temporary storage queues were deleted"));
    let left = region.figure("temporary storage", "disk_bytes");
    assert_eq!(left, 2 * of_one, "its item on disk is gone too");
}
