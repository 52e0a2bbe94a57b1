//! What a region sends to a terminal, until its session writes it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use transom_region_api::TerminalOutput;

/// Most bytes that wait for a client that does not read; beyond it the session ends.
pub const OUTPUT_BYTES_MAX: usize = 256 * 1024;

/// The queue of one session.
#[derive(Debug, Default)]
pub(crate) struct Output {
    queue: Mutex<Queue>,
    ready: Notify,
    /// The session is gone.
    gone: AtomicBool,
}

#[derive(Debug, Default)]
struct Queue {
    streams: VecDeque<Vec<u8>>,
    bytes: usize,
    disconnect: bool,
}

/// What the session must do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Send this data stream.
    Stream(Vec<u8>),
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

    /// What is there now.
    pub(crate) fn try_next(&self) -> Option<Next> {
        let mut queue = self.lock();
        if let Some(stream) = queue.streams.pop_front() {
            queue.bytes -= stream.len();
            if queue.streams.is_empty() {
                queue.streams = VecDeque::new();
            }
            return Some(Next::Stream(stream));
        }
        queue.disconnect.then_some(Next::Disconnect)
    }

    /// Nothing more is taken.
    pub(crate) fn close(&self) {
        self.gone.store(true, Relaxed);
        *self.lock() = Queue::default();
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TerminalOutput for Output {
    fn write(&self, stream: Vec<u8>) -> bool {
        if self.gone.load(Relaxed) {
            return false;
        }
        let mut queue = self.lock();
        if queue.disconnect || queue.bytes + stream.len() > OUTPUT_BYTES_MAX {
            return false;
        }
        queue.bytes += stream.len();
        queue.streams.push_back(stream);
        drop(queue);
        self.ready.notify_one();
        true
    }

    fn disconnect(&self) {
        self.lock().disconnect = true;
        self.ready.notify_one();
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
        assert_eq!(output.try_next(), Some(Next::Stream(vec![1])));
        assert_eq!(output.try_next(), Some(Next::Stream(vec![2])));
        assert_eq!(output.try_next(), Some(Next::Disconnect));
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
