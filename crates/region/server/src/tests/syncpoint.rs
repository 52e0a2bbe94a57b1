//! Units of work and who hears of their end.

use super::stage::Stage;
use crate::replier::lock;
use crate::starter::{Ending, TaskEvents};
use std::sync::{Arc, Mutex};
use transom_recovery::Outcome;
use transom_types::Resp;

/// Who was told what, in order.
type Heard = Arc<Mutex<Vec<(&'static str, Option<Outcome>)>>>;

/// Keeps what it is told of the unit of work of a task.
fn listen(stage: &Stage, task: u32) -> Heard {
    let heard = Heard::default();
    let (aside, first, second) = (heard.clone(), heard.clone(), heard.clone());
    let uows = &stage.uows;
    assert!(uows.subscribe(task, move |o| lock(&first).push(("first", Some(o)))));
    assert!(uows.subscribe_aside(task, move || lock(&aside).push(("aside", None))));
    assert!(uows.subscribe(task, move |o| lock(&second).push(("second", Some(o)))));
    heard
}

#[tokio::test]
async fn a_commit_is_told_aside_first_and_only_once() {
    let stage = Stage::new();
    let heard = listen(&stage, 7);
    let of_other = listen(&stage, 8);
    assert_eq!(stage.syncpoint(7).await.resp, Resp::NORMAL);
    let committed = Some(Outcome::Commit);
    let all = [("aside", None), ("first", committed), ("second", committed)];
    assert_eq!(*lock(&heard), all);
    assert_eq!(stage.syncpoint(7).await.resp, Resp::NORMAL, "nothing to do");
    assert_eq!(lock(&heard).len(), 3);
    assert_eq!(*lock(&of_other), []);
}

#[tokio::test]
async fn the_end_of_a_task_backs_out_and_the_end_of_the_region_tells_nobody() {
    let stage = Stage::new();
    let (heard, lost) = (listen(&stage, 7), listen(&stage, 8));
    assert_ne!(stage.uows.current(7), stage.uows.current(8));
    stage.uows.task_ended(7, Ending::WorkerDied);
    let backed_out = Some(Outcome::Backout);
    assert_eq!(
        *lock(&heard),
        [("first", backed_out), ("second", backed_out)]
    );
    assert_eq!(stage.uows.existing(7), None);
    stage.uows.close();
    assert_eq!(*lock(&lost), []);
    assert_eq!(Arc::strong_count(&lost), 1, "nobody holds on to services");
}
