//! What the region needs of the workers that run its tasks.
//!
//! What: [`Workers`], implemented for the pool of COBOL processes. Why a trait: tests run tasks as
//! closures in memory, and workers of another kind (another language, another machine) stand behind
//! the same few functions. Not here: which task may run (`dispatcher`), processes
//! (`transom_workers`).

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use transom_region_dispatcher::Clock;
use transom_types::AbendCode;
use transom_wire::Shared;
use transom_workers::seam::AttachBlock;
use transom_workers::{AttachError, Done, LOOK_TOGETHER, Pool, PoolStatistics, TaskOptions};

/// Region-wide data that region and workers read and change; a handle that services keep.
pub type SharedMemory = Arc<dyn Shared + Send + Sync>;

/// Workers of a region. Requests of their tasks come to the handler that was given to them when
/// they were started.
pub trait Workers: Send + Sync {
    /// Queues a task. `done` is called once, from [`Workers::drain`]. A worker that sleeps begins
    /// with it after the next [`Workers::wake`].
    fn attach(
        &self,
        task: &AttachBlock,
        options: TaskOptions,
        done: Done,
    ) -> Result<(), AttachError>;
    /// Wakes workers that were given a task.
    fn wake(&self);
    /// Ends a task: at once with `code` if it waits, at its next safe point if it runs. With
    /// `force` its worker is ended. `false`: no such task is running.
    fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool;
    /// Ends the wait of a task.
    fn post(&self, task_number: u32);
    /// Region-wide data.
    fn shared(&self) -> &SharedMemory;
    /// Tells when [`Workers::drain`] has work; asked for once.
    ///
    /// # Errors
    /// Replies cannot be waited for.
    fn completions(&self) -> io::Result<Box<dyn Completions>>;
    /// Calls `done` of tasks that ended and the handler of requests; answers how many. From one
    /// thread at a time.
    fn drain(&self) -> usize;
    /// Drains took turns with a worker, and both were put on one processor since the last question:
    /// [`Workers::look_together`] must be called every [`LOOK_TOGETHER`] from now on.
    fn began_together(&self) -> bool {
        false
    }
    /// Parts them where they take no turns any more; `true`: look again.
    fn look_together(&self) -> bool {
        false
    }
    /// Trace entries; `None`: these workers make none.
    fn trace(&self) -> Option<Arc<dyn transom_trace::Rings>> {
        None
    }
    /// Counts.
    fn statistics(&self) -> PoolStatistics;
    /// Peaks are what there is now.
    fn reset_peaks(&self) {}
    /// Ends all workers and waits until they are gone.
    fn stop(&self);
}

/// The signal that tasks ended or ask something.
pub trait Completions: Send {
    /// Ready with `true` when there may be something to drain, with `false` when nothing comes any
    /// more.
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<bool>;
}

/// Looks after a pair that was put together until it is parted.
pub(crate) async fn look_together(workers: Arc<dyn Workers>, clock: Arc<dyn Clock>) {
    loop {
        clock.sleep(LOOK_TOGETHER).await;
        if !workers.look_together() {
            return;
        }
    }
}

/// A pool of COBOL processes and the data it shares with them.
pub(crate) struct CobolWorkers {
    pool: Pool,
    shared: SharedMemory,
}

impl CobolWorkers {
    pub(crate) fn new(pool: Pool) -> Self {
        let shared = pool.shared_handle();
        Self { pool, shared }
    }
}

impl Workers for CobolWorkers {
    fn attach(
        &self,
        task: &AttachBlock,
        options: TaskOptions,
        done: Done,
    ) -> Result<(), AttachError> {
        self.pool.attach_quietly(task, options, done)
    }

    fn wake(&self) {
        self.pool.wake_workers();
    }

    fn purge(&self, task_number: u32, code: AbendCode, force: bool) -> bool {
        self.pool.purge(task_number, code, force)
    }

    fn post(&self, task_number: u32) {
        self.pool.post(task_number);
    }

    fn shared(&self) -> &SharedMemory {
        &self.shared
    }

    fn completions(&self) -> io::Result<Box<dyn Completions>> {
        let fd = self.pool.completion_fd().try_clone_to_owned()?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe; an owned descriptor stays valid"
        )]
        let fd = AsyncFd::with_interest(fd, Interest::READABLE)?;
        Ok(Box::new(EventFd {
            fd,
            ended: self.pool.ended(),
        }))
    }

    fn drain(&self) -> usize {
        self.pool.drain_completions()
    }

    fn began_together(&self) -> bool {
        self.pool.began_together()
    }

    fn look_together(&self) -> bool {
        self.pool.look_together()
    }

    fn trace(&self) -> Option<Arc<dyn transom_trace::Rings>> {
        Some(self.pool.trace())
    }

    fn statistics(&self) -> PoolStatistics {
        self.pool.statistics()
    }

    fn reset_peaks(&self) {
        self.pool.reset_peaks();
    }

    fn stop(&self) {
        self.pool.stop();
    }
}

struct EventFd {
    fd: AsyncFd<OwnedFd>,
    ended: Arc<AtomicBool>,
}

impl Completions for EventFd {
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<bool> {
        let Ok(mut guard) = ready!(self.fd.poll_read_ready(context)) else {
            return Poll::Ready(false);
        };
        guard.clear_ready();
        Poll::Ready(!self.ended.load(Ordering::SeqCst))
    }
}
