//! The thread of one session, and how it is asked.
//!
//! What: jobs are done one after the other; where there are none, who has a short statement may run
//! it by himself (decision 0024). Not here: which task has which session (`sessions`).

use crate::session::{SqlEngine, SqlSession};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use tokio::sync::oneshot;
use transom_recovery::guard::lock;
use transom_recovery::{Part, StoreError, UowId};
use transom_wire::sql::{Request, SqlAnswer};

/// What can wait for a session: a task asks one thing at a time, and its ends come behind.
const JOBS_MAX: usize = 64;
/// Threads that wait for a task.
const IDLE_MAX: usize = 16;

/// Sessions that wait for a task.
pub(super) type Idle = Arc<Mutex<Vec<Handle>>>;

#[derive(Clone)]
pub(super) struct Handle {
    jobs: mpsc::SyncSender<Job>,
    pub(super) known: Arc<Known>,
}

/// What is known of a session without asking its thread.
pub(super) struct Known {
    pub(super) part: AtomicU8,
    pub(super) abandoned: Arc<AtomicBool>,
    /// What its last unit of work left needs the session: cursors, special registers.
    pub(super) keeps: AtomicBool,
    /// Jobs that its thread has not done yet.
    jobs: AtomicUsize,
    /// Whoever works for it has it; `None`: its thread has ended.
    session: Mutex<Option<Box<dyn SqlSession>>>,
}

impl Known {
    /// The session, where its thread has nothing to do for it.
    pub(super) fn rests(&self) -> Option<MutexGuard<'_, Option<Box<dyn SqlSession>>>> {
        match self.jobs.load(Ordering::SeqCst) {
            0 => self.session.try_lock().ok(),
            _ => None,
        }
    }

    /// The session is as it is now.
    pub(super) fn shows(&self, session: &dyn SqlSession) {
        self.part.store(session.part() as u8, Ordering::SeqCst);
        self.keeps.store(session.keeps(), Ordering::SeqCst);
    }
}

impl Handle {
    /// A session with a thread of its own.
    pub(super) fn start(engine: &dyn SqlEngine) -> Result<Self, StoreError> {
        let abandoned = Arc::new(AtomicBool::new(false));
        let session = engine.session(abandoned.clone())?;
        let known = Arc::new(Known {
            part: AtomicU8::new(Part::None as u8),
            abandoned,
            keeps: AtomicBool::new(false),
            jobs: AtomicUsize::new(0),
            session: Mutex::new(Some(session)),
        });
        let (jobs, taken) = mpsc::sync_channel(JOBS_MAX);
        let served = Served(known.clone());
        std::thread::Builder::new()
            .name("transom-sql".to_owned())
            .spawn(move || serve(&served, &taken))
            .map_err(|e| StoreError::Io(e.to_string()))?;
        Ok(Self { jobs, known })
    }

    pub(super) fn send(&self, job: Job) -> Result<(), StoreError> {
        // One whose thread has ended has a job for ever, and never rests.
        self.known.jobs.fetch_add(1, Ordering::SeqCst);
        self.jobs.send(job).map_err(|_| StoreError::Closed)
    }
}

pub(super) enum Job {
    Run(Request, oneshot::Sender<SqlAnswer>),
    End(End, oneshot::Sender<Result<(), StoreError>>),
    /// The task is over: backs out and waits for another task.
    Retire(Handle, Idle),
}

pub(super) enum End {
    Commit(Option<UowId>),
    Backout,
}

/// A session as its thread has it: it ends with the thread, whoever still knows it.
struct Served(Arc<Known>);

impl Drop for Served {
    fn drop(&mut self) {
        *lock(&self.0.session) = None;
    }
}

/// The thread of a session: until nobody can ask it any more.
fn serve(Served(known): &Served, jobs: &mpsc::Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        // Who has left it in the middle of something has left it to nobody.
        let Ok(mut held) = known.session.lock() else {
            return;
        };
        let Some(session) = held.as_mut() else {
            return;
        };
        // Nobody may be there to hear the answer: a purge ended the wait.
        match job {
            Job::Run(request, reply) => {
                let answer = session.run(request);
                known.shows(&**session);
                drop(held);
                known.jobs.fetch_sub(1, Ordering::SeqCst);
                let _ = reply.send(answer);
            }
            Job::End(end, reply) => {
                let ended = match end {
                    End::Commit(mark) => session.commit(mark),
                    End::Backout => session.backout(),
                };
                known.abandoned.store(false, Ordering::SeqCst);
                known.shows(&**session);
                drop(held);
                known.jobs.fetch_sub(1, Ordering::SeqCst);
                let _ = reply.send(ended);
            }
            Job::Retire(handle, idle) => {
                // One that cannot even back out is closed with its connection.
                if session.backout().is_err() {
                    return;
                }
                session.reset();
                known.shows(&**session);
                known.abandoned.store(false, Ordering::SeqCst);
                drop(held);
                known.jobs.fetch_sub(1, Ordering::SeqCst);
                let mut idle = lock(&idle);
                if idle.len() < IDLE_MAX {
                    idle.push(handle);
                }
            }
        }
    }
}
