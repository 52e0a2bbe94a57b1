//! Think times to the microsecond.
//!
//! Why: the runtime's timers fire once a millisecond, all that are due together. Clients that once
//! fired together would never part again, and the workload would become a few bursts. Not here:
//! when to sleep (`client`).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

type Alarm = (Instant, oneshot::Sender<()>);

/// A thread that wakes sleepers on time. It ends with its last handle.
#[derive(Debug, Clone)]
pub(crate) struct Timer(Sender<Alarm>);

impl Timer {
    /// Starts the thread.
    pub(crate) fn start() -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "one entry for each connection, and their number is fixed"
        )]
        let (send, receive) = channel();
        std::thread::spawn(move || run(&receive));
        Self(send)
    }

    /// Sleeps until this instant; not at all when it has passed.
    pub(crate) async fn sleep_until(&self, until: Instant) {
        if until <= Instant::now() {
            return;
        }
        let (wake, woken) = oneshot::channel();
        if self.0.send((until, wake)).is_ok() {
            // The thread cannot end while this handle lives.
            let _woken = woken.await;
        }
    }
}

fn run(alarms: &Receiver<Alarm>) {
    let mut waiting: BinaryHeap<Reverse<Due>> = BinaryHeap::new();
    loop {
        let next = waiting.peek().map(|due| due.0.0);
        let pause = next.map_or(Duration::from_secs(3600), |at| {
            at.saturating_duration_since(Instant::now())
        });
        match alarms.recv_timeout(pause) {
            Ok((at, wake)) => waiting.push(Reverse(Due(at, wake))),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        while waiting.peek().is_some_and(|due| due.0.0 <= Instant::now()) {
            if let Some(Reverse(Due(_, wake))) = waiting.pop() {
                // A sleeper that has gone needs no waking.
                let _gone = wake.send(());
            }
        }
    }
}

/// Ordered by its instant alone.
struct Due(Instant, oneshot::Sender<()>);

impl PartialEq for Due {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
