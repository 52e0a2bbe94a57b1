//! Waiting for an answer of a store on the calling thread.
//!
//! What: a future driven by parking. Why: start-up, tools and tests have no executor. Not here:
//! anything for threads that serve tasks.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the calling thread until the answer is there.
pub fn wait<T>(future: impl Future<Output = T>) -> T {
    // On a thread of a runtime, tokio's own futures would give way after a while, to a runtime that
    // has no turn before this returns.
    let mut future = pin!(tokio::task::unconstrained(future));
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => std::thread::park(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn as_much_as_it_likes_is_waited_for_on_a_thread_of_a_runtime() {
        let (send, mut receive) = tokio::sync::mpsc::unbounded_channel();
        for n in 0..10_000 {
            send.send(n).unwrap();
        }
        let mut sum = 0;
        for _ in 0..10_000 {
            sum += wait(receive.recv()).unwrap();
        }
        assert_eq!(sum, 49_995_000);
    }
}
