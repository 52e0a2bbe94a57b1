//! Tasks that come, wait and end, under limits and priorities.

use super::*;
use std::sync::Arc;

fn class(name: &str) -> TransClass {
    TransClass::new(name).unwrap()
}

/// Admits tasks that write their name into the list when they start.
fn admit(
    d: &Dispatcher,
    ran: &Arc<Mutex<Vec<&'static str>>>,
    name: &'static str,
    c: Option<TransClass>,
    priority: u8,
) -> Result<(), NotAdmitted> {
    let ran = ran.clone();
    d.admit(
        c,
        priority,
        Box::new(move || {
            ran.lock().unwrap().push(name);
            true
        }),
    )
}

#[test]
fn mxt_queues_by_priority_then_arrival() {
    let d = Dispatcher::new(1, 10, vec![]);
    let ran = Arc::default();
    for (name, priority) in [("first", 1), ("low", 1), ("high", 200), ("low2", 1)] {
        admit(&d, &ran, name, None, priority).unwrap();
    }
    for _ in 0..4 {
        d.ended(None);
    }
    assert_eq!(*ran.lock().unwrap(), ["first", "high", "low", "low2"]);
    let counts = d.counts().0;
    assert_eq!(
        (
            counts.active,
            counts.queued,
            counts.queued_peak,
            counts.times_at_max
        ),
        (0, 0, 3, 3)
    );
    assert_eq!(
        (counts.reached_max, counts.waiting_peak, counts.waited),
        (4, 3, 3)
    );
}

#[test]
fn a_task_that_waits_long_overtakes_one_of_higher_priority() {
    let d = Dispatcher::new(1, 10, vec![]).with_aging(Box::new(std::time::Instant::now), 1);
    let ran = Arc::default();
    admit(&d, &ran, "first", None, 1).unwrap();
    admit(&d, &ran, "low", None, 1).unwrap();
    let since = d.with(|state| state.time.now_ms());
    // Three milliseconds make up for two priorities.
    while d.with(|state| state.time.now_ms()) < since + 3 {
        std::hint::spin_loop();
    }
    admit(&d, &ran, "higher", None, 3).unwrap();
    admit(&d, &ran, "highest", None, 255).unwrap();
    for _ in 0..3 {
        d.ended(None);
    }
    assert_eq!(*ran.lock().unwrap(), ["first", "highest", "low", "higher"]);
}

#[test]
fn waiting_tasks_are_ranked_anew_when_aging_changes() {
    let d = Dispatcher::new(1, 10, vec![]);
    let ran = Arc::default();
    admit(&d, &ran, "first", None, 1).unwrap();
    admit(&d, &ran, "low", None, 1).unwrap();
    let since = d.with(|state| state.time.now_ms());
    while d.with(|state| state.time.now_ms()) < since + 3 {
        std::hint::spin_loop();
    }
    admit(&d, &ran, "higher", None, 2).unwrap();
    d.set_priority_aging(1);
    d.ended(None);
    d.ended(None);
    assert_eq!(*ran.lock().unwrap(), ["first", "low", "higher"]);
}

#[test]
fn tasks_that_do_not_start_free_their_places() {
    let d = Dispatcher::new(1, 20_000, vec![]);
    let ran = Arc::default();
    admit(&d, &ran, "first", None, 1).unwrap();
    for _ in 0..10_000 {
        d.admit(None, 1, Box::new(|| false)).unwrap();
    }
    admit(&d, &ran, "last", None, 1).unwrap();
    d.ended(None);
    assert_eq!(*ran.lock().unwrap(), ["first", "last"]);
    assert_eq!(d.active(), 1);
}

#[test]
fn a_class_limits_only_its_own() {
    let limit = ClassLimit {
        name: class("ONE"),
        max_active: 1,
        purge_threshold: 1,
    };
    let d = Dispatcher::new(5, 10, vec![limit]);
    let ran = Arc::default();
    admit(&d, &ran, "a", Some(class("ONE")), 1).unwrap();
    admit(&d, &ran, "b", Some(class("ONE")), 1).unwrap();
    assert_eq!(
        admit(&d, &ran, "c", Some(class("ONE")), 1),
        Err(NotAdmitted::ClassThreshold)
    );
    admit(&d, &ran, "free", None, 1).unwrap();
    assert_eq!(*ran.lock().unwrap(), ["a", "free"]);
    d.ended(Some(class("ONE")));
    assert_eq!(*ran.lock().unwrap(), ["a", "free", "b"]);
    let own = d.counts().1[0];
    assert_eq!((own.active, own.peak, own.queued, own.purged), (1, 1, 0, 1));
}

#[test]
fn a_full_queue_refuses_and_more_places_start_the_waiting() {
    let d = Dispatcher::new(1, 1, vec![]);
    let ran = Arc::default();
    admit(&d, &ran, "a", None, 1).unwrap();
    admit(&d, &ran, "b", None, 1).unwrap();
    assert_eq!(admit(&d, &ran, "c", None, 1), Err(NotAdmitted::QueueFull));
    d.set_max_tasks(2);
    assert_eq!(*ran.lock().unwrap(), ["a", "b"]);
    assert_eq!(d.counts().0.times_queue_full, 1);
}
