//! RUN TRANSID and FETCH: children, their ends and the time a parent gives them.

use crate::program::Ending;
use crate::region::TestRegion;
use std::time::Duration;
use transom_types::{AbendCode, Resp};

#[tokio::test]
async fn a_parent_fetches_how_its_children_ended() {
    let region = TestRegion::start(|_| ());
    region.held_program("TWO");
    region.program("WORK", |_task| async move {
        Ok(Ending::Abend(AbendCode::from_field(b"OOPS")))
    });
    region.program("ONE", |task| async move {
        let good = task.run("TWO").await?.expect("a child");
        let bad = task.run("WORK").await?.expect("a child");
        assert_eq!(task.run("NONE").await?, Err(Resp::TRANSIDERR));
        assert_eq!(task.fetch(&bad, 0).await?, Ok("ABEND"));
        assert_eq!(task.fetch(&good, 0).await?, Ok("NORMAL"));
        assert_eq!(
            task.fetch(&good, 0).await?,
            Err((Resp::INVREQ, 51)),
            "fetched already"
        );
        task.done(b"both").await
    });
    let parent = region.link("ONE", "ONE", b"");
    region.settle().await;
    assert!(!parent.is_finished(), "one child still runs");
    region.open("TWO", 1).await;
    assert!(parent.await.unwrap().is_ok());
    assert_eq!(region.attached(), ["ONE", "TWO", "WORK"]);
}

#[tokio::test]
async fn a_parent_that_does_not_want_to_wait_for_ever() {
    let region = TestRegion::start(|_| ());
    region.held_program("TWO");
    region.program("ONE", |task| async move {
        let child = task.run("TWO").await?.expect("a child");
        let waited = task.fetch(&child, 5_000).await?;
        assert_eq!(waited, Err((Resp::NOTFINISHED, 53)));
        task.done(b"").await
    });
    let parent = region.link("ONE", "ONE", b"");
    region.advance(Duration::from_millis(4_999)).await;
    assert!(!parent.is_finished());
    region.advance(Duration::from_millis(1)).await;
    assert!(parent.await.unwrap().is_ok());
}
