//! What a region sends to a terminal, until its session writes it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use transom_region_api::{ConfirmedOutput, Delivery, Done, TerminalOutput};

/// Most bytes that wait for a client that does not read; beyond it the session ends.
pub const OUTPUT_BYTES_MAX: usize = 256 * 1024;

/// The queue of one session.
#[derive(Default)]
pub(crate) struct Output {
    queue: Mutex<Queue>,
    ready: Notify,
    /// The session is gone.
    gone: AtomicBool,
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    bytes: usize,
    disconnect: bool,
}

/// One thing to send.
pub(crate) struct Item {
    pub(crate) delivery: Delivery,
    /// Who wants to know what became of it.
    pub(crate) done: Option<Done>,
}

impl Item {
    fn bytes(&self) -> usize {
        self.delivery.stream.len()
    }
}

/// What the session must do.
pub(crate) enum Next {
    Send(Item),
    /// End the session.
    Disconnect,
}

impl Output {
    /// Waits for something to do.
    pub(crate) async fn next(&self) -> Next {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            self.ready.notified().await;
        }
    }

    /// Waits until the session must end, whatever else is still to be sent.
    pub(crate) async fn ends(&self) {
        while !self.lock().disconnect {
            self.ready.notified().await;
        }
    }

    /// What is there now.
    pub(crate) fn try_next(&self) -> Option<Next> {
        let mut queue = self.lock();
        if let Some(item) = queue.items.pop_front() {
            queue.bytes -= item.bytes();
            if queue.items.is_empty() {
                queue.items = VecDeque::new();
            }
            return Some(Next::Send(item));
        }
        queue.disconnect.then_some(Next::Disconnect)
    }

    /// Nothing more is taken.
    pub(crate) fn close(&self) {
        self.gone.store(true, Relaxed);
        // Whoever waits for an outcome learns it when its item is dropped, outside the lock.
        let _items = std::mem::take(&mut *self.lock());
    }

    fn put(&self, item: Item) -> bool {
        if self.gone.load(Relaxed) {
            return false;
        }
        let mut queue = self.lock();
        if queue.disconnect || queue.bytes + item.bytes() > OUTPUT_BYTES_MAX {
            return false;
        }
        queue.bytes += item.bytes();
        queue.items.push_back(item);
        drop(queue);
        self.ready.notify_one();
        true
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TerminalOutput for Output {
    fn write(&self, stream: Vec<u8>) -> bool {
        let delivery = Delivery {
            stream,
            ..Delivery::default()
        };
        let done = None;
        self.put(Item { delivery, done })
    }

    fn disconnect(&self) {
        self.lock().disconnect = true;
        self.ready.notify_one();
    }

    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        Some(self)
    }
}

impl ConfirmedOutput for Output {
    fn deliver(&self, delivery: Delivery, done: Done) -> bool {
        let done = Some(done);
        self.put(Item { delivery, done })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_come_in_order_and_the_end_comes_last() {
        let output = Output::default();
        assert!(output.write(vec![1]) && output.write(vec![2]));
        output.disconnect();
        assert!(!output.write(vec![3]), "nothing after the end");
        for expected in [1, 2] {
            let Some(Next::Send(item)) = output.try_next() else {
                panic!("no stream")
            };
            assert_eq!(item.delivery.stream, [expected]);
        }
        assert!(matches!(output.try_next(), Some(Next::Disconnect)));
    }

    #[test]
    fn a_client_that_reads_nothing_is_given_up() {
        let output = Output::default();
        let screen = vec![0; 4_000];
        let taken = (0..100)
            .take_while(|_| output.write(screen.clone()))
            .count();
        assert_eq!(taken, OUTPUT_BYTES_MAX / 4_000);
        output.close();
        assert!(!output.write(vec![1]));
    }
}
