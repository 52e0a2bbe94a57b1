//! Workers whose programs are closures of a test.
//!
//! What: a task runs as a future on the test's own thread; what it asks and how it ends waits until
//! the region drains it, as with processes. Not here: what programs ask (`program`).

use crate::fake_shared::FakeShared;
use crate::program::{Ending, Task};
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::task::AbortHandle;
use transom_region_server::{Completions, SharedMemory, Workers};
use transom_types::{AbendCode, ProgramName, TransId};
use transom_wire::payload::write_abend_reply;
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{Ask, AskHandler, AttachError, Done, PoolStatistics, TaskOptions, TaskReply};

/// How a program runs: what it asks with `?` may end it.
pub(crate) type Running = Pin<Box<dyn Future<Output = Ending> + Send>>;
type Program = Arc<dyn Fn(Task) -> Running + Send + Sync>;

/// All workers of a region; there are as many as it wants.
pub(crate) struct FakeWorkers {
    ask: AskHandler,
    shared: SharedMemory,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    programs: HashMap<ProgramName, Program>,
    /// Attached, until somebody wakes the workers.
    queued: Vec<(AttachBlock, TaskOptions)>,
    running: HashMap<u32, Runs>,
    asks: VecDeque<Ask>,
    ended: VecDeque<(Done, TaskReply)>,
    attached: Vec<(TransId, TaskOptions)>,
    statistics: PoolStatistics,
    waker: Option<Waker>,
    stopped: bool,
}

struct Runs {
    done: Done,
    program: Option<AbortHandle>,
}

impl FakeWorkers {
    pub(crate) fn new(ask: AskHandler) -> Self {
        Self {
            ask,
            shared: Arc::new(FakeShared::default()),
            state: Mutex::default(),
        }
    }

    /// Shared memory.
    pub(crate) fn memory(&self) -> &SharedMemory {
        &self.shared
    }

    /// What a program does.
    pub(crate) fn program(&self, name: &str, program: Program) {
        let name = ProgramName::from_field(name.as_bytes());
        self.state().programs.insert(name, program);
    }

    /// Transactions of all tasks that were attached, in order.
    pub(crate) fn attached(&self) -> Vec<(TransId, TaskOptions)> {
        self.state().attached.clone()
    }

    /// A task asks the region something.
    pub(crate) fn asks(&self, ask: Ask) {
        self.state().asks.push_back(ask);
        self.signal();
    }

    fn ends(&self, task_number: u32, ending: Ending) {
        let mut state = self.state();
        let Some(runs) = state.running.remove(&task_number) else {
            return;
        };
        state.statistics.died += u64::from(matches!(ending, Ending::Died));
        let (end, reply, worker_died) = match ending {
            Ending::Normal(reply) => (TaskEnd::Normal, reply, false),
            Ending::Abend(code) => {
                let text = format!("the program ended with {code}");
                let reply = write_abend_reply(code, &text);
                (TaskEnd::Abend(code, text), reply, false)
            }
            Ending::Died => {
                let text = "the worker is gone".to_owned();
                let code = AbendCode::from_field(b"ASRA");
                (TaskEnd::Abend(code, text), Vec::new(), true)
            }
        };
        let reply = TaskReply {
            task_number,
            end,
            reply,
            worker_died,
        };
        state.ended.push_back((runs.done, reply));
        drop(state);
        self.signal();
    }

    fn signal(&self) {
        let waker = self.state().waker.take();
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The workers as the region holds them: its tasks need a handle on them too.
#[derive(Clone)]
pub(crate) struct Handle(pub(crate) Arc<FakeWorkers>);

impl Workers for Handle {
    fn attach(
        &self,
        task: &AttachBlock,
        options: TaskOptions,
        done: Done,
    ) -> Result<(), AttachError> {
        let mut state = self.0.state();
        if state.stopped {
            return Err(AttachError::Stopped);
        }
        let runs = Runs {
            done,
            program: None,
        };
        state.running.insert(task.task_number, runs);
        state.attached.push((task.transid, options));
        state.queued.push((task.clone(), options));
        Ok(())
    }

    fn wake(&self) {
        let queued = std::mem::take(&mut self.0.state().queued);
        for (block, _) in queued {
            let task_number = block.task_number;
            let program = self.0.state().programs.get(&block.program).cloned();
            let Some(program) = program else {
                panic!("no test program {}", block.program);
            };
            let running = program(Task::new(block, self.0.clone()));
            let workers = self.0.clone();
            let spawned = tokio::spawn(async move {
                let ending = running.await;
                workers.ends(task_number, ending);
            });
            if let Some(runs) = self.0.state().running.get_mut(&task_number) {
                runs.program = Some(spawned.abort_handle());
            }
        }
    }

    fn purge(&self, task_number: u32, code: AbendCode, _force: bool) -> bool {
        let program = match self.0.state().running.get_mut(&task_number) {
            Some(runs) => runs.program.take(),
            None => return false,
        };
        if let Some(program) = program {
            program.abort();
        }
        self.0.ends(task_number, Ending::Abend(code));
        true
    }

    fn post(&self, _task_number: u32) {}

    fn shared(&self) -> &SharedMemory {
        &self.0.shared
    }

    fn completions(&self) -> io::Result<Box<dyn Completions>> {
        Ok(Box::new(self.clone()))
    }

    fn drain(&self) -> usize {
        let mut handled = 0;
        loop {
            let (ask, ended) = {
                let mut state = self.0.state();
                let ask = state.asks.pop_front();
                let ended = if ask.is_none() {
                    state.ended.pop_front()
                } else {
                    None
                };
                (ask, ended)
            };
            match (ask, ended) {
                (Some(ask), _) => (self.0.ask)(ask),
                (None, Some((done, reply))) => done(reply),
                (None, None) => return handled,
            }
            handled += 1;
        }
    }

    fn statistics(&self) -> PoolStatistics {
        self.0.state().statistics
    }

    fn stop(&self) {
        self.0.state().stopped = true;
    }
}

impl Completions for Handle {
    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<bool> {
        let mut state = self.0.state();
        if state.asks.is_empty() && state.ended.is_empty() {
            state.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(true)
    }
}
