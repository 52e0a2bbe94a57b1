//! The region's side: starts the zygote, attaches tasks, hands out their replies.

use crate::config::{AttachError, Done, PoolConfig, PoolError, PoolStatistics, TaskOptions};
use crate::seam::{AttachBlock, Shared};
use std::os::fd::BorrowedFd;
use transom_types::AbendCode;

/// A running pool of COBOL workers. Dropping it ends all of them.
#[derive(Debug)]
pub struct Pool(std::convert::Infallible);

impl Pool {
    /// Starts the zygote and waits until it can run COBOL.
    pub fn start(config: PoolConfig) -> Result<Pool, PoolError> {
        Err(PoolError::Config(format!("{config:?}: this build has no COBOL runtime")))
    }

    /// Queues a task. `done` is called once, from [`Pool::drain_completions`].
    pub fn attach(
        &self,
        _task: &AttachBlock,
        _options: TaskOptions,
        _done: Done,
    ) -> Result<(), AttachError> {
        match self.0 {}
    }

    /// Becomes readable when [`Pool::drain_completions`] has work. Register it with an event loop;
    /// never read it.
    pub fn completion_fd(&self) -> BorrowedFd<'_> {
        match self.0 {}
    }

    /// Calls `done` of tasks that ended and the ask handler; answers how many. Call it when the
    /// file descriptor is readable, from one thread at a time.
    pub fn drain_completions(&self) -> usize {
        match self.0 {}
    }

    /// Ends a task: at once with `code` if it waits, at its next safe point if it runs. With
    /// `force` its worker is killed. `false`: no such task is running.
    pub fn purge(&self, _task_number: u32, _code: AbendCode, _force: bool) -> bool {
        match self.0 {}
    }

    /// Ends the wait of a task.
    pub fn post(&self, _task_number: u32) {
        match self.0 {}
    }

    /// Region-wide data, the same that commands see.
    pub fn shared(&self) -> &(dyn Shared + Send + Sync) {
        match self.0 {}
    }

    /// Counts.
    pub fn statistics(&self) -> PoolStatistics {
        match self.0 {}
    }

    /// Ends all workers; active tasks end with ASRB. Waits until they are gone.
    pub fn stop(&self) {
        match self.0 {}
    }
}

/// A request of a command to the region.
#[derive(Debug)]
pub struct Ask {
    /// Task that asks.
    pub task_number: u32,
    /// Its bytes.
    pub request: Vec<u8>,
}

impl Ask {
    /// Answers; the task goes on. Dropping an `Ask` answers with no bytes.
    pub fn answer(self, _reply: &[u8]) {}
}
