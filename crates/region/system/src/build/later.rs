//! Compiles programs while the region runs already.
//!
//! What: [`Later`] compiles what a [`Mode::Prepare`](super::Mode) has left, beside the tasks and
//! with little of the processor; a program that somebody needs is compiled before all others and
//! at once. Why: thousands of programs take an hour, and a test needs five of them. A module
//! appears in one step and is noted then, so this may be killed at any time. Not here: who needs a
//! program.

use super::builder::Builder;
use super::compile::How;
use super::finish;
use super::outcome::{Mode, Pending};
use super::state::State;
use crate::directory::SystemDirectory;
use crate::finding::Finding;
use crate::guard::lock;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use transom_messages::{Message, si};
use transom_types::ProgramName;
use transom_wire::LateModules;

/// Hears that a program is no longer to be compiled.
type Done = Box<dyn FnOnce() + Send>;

/// What a start has left to compile; `None`: nothing.
pub type Rest = Option<Arc<Later>>;

/// A program is compiled, or cannot be.
#[derive(Debug)]
pub struct Ended {
    /// PROGRAM-ID.
    pub program: ProgramName,
    /// Its module is there.
    pub compiled: bool,
    /// What the compiler said, errors among it.
    pub findings: Vec<Finding>,
    /// There is nothing left to compile: the sum.
    pub all: Option<Message>,
}

/// What compiles them. Dropped, or stopped: its threads end after the programs they are at.
pub struct Later {
    inner: Arc<Inner>,
    /// Programs that were not compiled at first.
    names: HashSet<ProgramName>,
}

struct Inner {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Nobody has asked for them.
    waiting: BTreeMap<ProgramName, PathBuf>,
    wanted: VecDeque<(ProgramName, PathBuf)>,
    /// Who waits for a program that is wanted, or being compiled.
    callers: HashMap<ProgramName, Vec<Done>>,
    /// Programs that are wanted or being compiled.
    moving: usize,
    /// Those that cannot be compiled, with their sources.
    failed: HashMap<ProgramName, String>,
    compiled: usize,
    stopped: bool,
}

impl Queue {
    fn is_pending(&self, program: ProgramName) -> bool {
        self.waiting.contains_key(&program) || self.callers.contains_key(&program)
    }

    /// What all came to, when nothing is left.
    fn sum(&self) -> Option<Message> {
        let over = self.waiting.is_empty() && self.moving == 0 && !self.stopped;
        over.then(|| si::built_later(self.compiled, self.failed.len()))
    }
}

impl Later {
    /// What is to be compiled; nothing begins.
    pub fn new(pending: Vec<Pending>) -> Rest {
        let waiting: BTreeMap<_, _> = pending.into_iter().map(|p| (p.program, p.source)).collect();
        let names: HashSet<ProgramName> = waiting.keys().copied().collect();
        let queue = Queue {
            waiting,
            ..Queue::default()
        };
        let inner = Arc::new(Inner {
            queue: Mutex::new(queue),
            changed: Condvar::new(),
        });
        (!names.is_empty()).then(|| Arc::new(Self { inner, names }))
    }

    /// What an operator is told when it begins.
    pub fn beginning(&self) -> Message {
        si::compiled_later(self.names.len())
    }

    /// Begins to compile. `told` hears of each program on one of the threads.
    pub fn begin(&self, system: SystemDirectory, told: impl Fn(Ended) + Send + Sync + 'static) {
        let own = self.inner.clone();
        let thread = thread::Builder::new().name("transom-build".to_owned());
        if thread.spawn(move || own.run(&system, &told)).is_err() {
            // Nothing will come: nobody must wait for it.
            self.stop();
        }
    }

    /// Nothing more is begun, and who waits for something that was not, waits no longer.
    pub fn stop(&self) {
        self.inner.stop();
    }
}

impl LateModules for Later {
    fn knows(&self, program: ProgramName) -> bool {
        self.names.contains(&program)
    }

    fn is_pending(&self, program: ProgramName) -> bool {
        lock(&self.inner.queue).is_pending(program)
    }

    fn want(&self, program: ProgramName, done: Done) {
        let mut queue = lock(&self.inner.queue);
        if let Some(source) = queue.waiting.remove(&program) {
            queue.wanted.push_back((program, source));
            queue.callers.insert(program, vec![done]);
            queue.moving += 1;
            self.inner.changed.notify_all();
        } else if let Some(callers) = queue.callers.get_mut(&program) {
            callers.push(done);
        } else {
            drop(queue);
            done();
        }
    }

    fn failed(&self, program: ProgramName) -> Option<String> {
        lock(&self.inner.queue).failed.get(&program).cloned()
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Inner {
    fn run(&self, system: &SystemDirectory, told: &(dyn Fn(Ended) + Send + Sync)) {
        let (builder, _refused) = Builder::new(system);
        // Half of the machine, and one thread that does nothing but what somebody waits for.
        let threads = thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2));
        thread::scope(|scope| {
            for number in 0..=threads {
                let builder = &builder;
                scope.spawn(move || self.compile_all(builder, number == 0, told));
            }
        });
        if let Some(store) = &builder.store {
            store.prune();
        }
        if !lock(&self.queue).stopped {
            // What the journal has comes into the whole.
            State::read(system).write(system);
        }
    }

    fn compile_all(&self, builder: &Builder<'_>, only_wanted: bool, told: &dyn Fn(Ended)) {
        while let Some((program, source, how)) = self.next(only_wanted) {
            let one = || compile(builder, &source, how);
            let (compiled, findings) = catch_unwind(AssertUnwindSafe(one)).unwrap_or_else(|_| {
                let failed = si::cobc_failed(program, "internal error");
                (false, vec![Finding::error(failed)])
            });
            let (callers, all) = {
                let mut queue = lock(&self.queue);
                queue.moving -= 1;
                if compiled {
                    queue.compiled += 1;
                } else {
                    let file = builder.system.shown(&source);
                    queue.failed.insert(program, file);
                }
                (queue.callers.remove(&program), queue.sum())
            };
            told(Ended {
                program,
                compiled,
                findings,
                all,
            });
            callers.into_iter().flatten().for_each(|done| done());
        }
    }

    /// The next program; none when there will be no more.
    fn next(&self, only_wanted: bool) -> Option<(ProgramName, PathBuf, How)> {
        let mut queue = lock(&self.queue);
        loop {
            if queue.stopped {
                return None;
            }
            if let Some((program, source)) = queue.wanted.pop_front() {
                return Some((program, source, How::Now));
            }
            if queue.waiting.is_empty() {
                self.changed.notify_all();
                return None;
            }
            if !only_wanted && let Some((program, source)) = queue.waiting.pop_first() {
                queue.callers.insert(program, Vec::new());
                queue.moving += 1;
                return Some((program, source, How::Later));
            }
            let woken = self.changed.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn stop(&self) {
        let mut queue = lock(&self.queue);
        queue.stopped = true;
        queue.waiting.clear();
        let wanted = std::mem::take(&mut queue.wanted);
        queue.moving -= wanted.len();
        let callers: Vec<_> = wanted
            .into_iter()
            .filter_map(|(program, _)| queue.callers.remove(&program))
            .collect();
        drop(queue);
        self.changed.notify_all();
        callers.into_iter().flatten().for_each(|done| done());
    }
}

/// Compiles a source and points the link of its program at the module; false: it cannot be.
fn compile(builder: &Builder<'_>, source: &Path, how: How) -> (bool, Vec<Finding>) {
    let result = builder.one(source, Mode::Compile, Some(how));
    let mut findings = result.findings;
    match result
        .built
        .map(|built| finish::point_link(builder.system, &built))
    {
        Some(Ok(())) => (true, findings),
        Some(Err(error)) => {
            findings.push(Finding::error(error));
            (false, findings)
        }
        None => (false, findings),
    }
}
