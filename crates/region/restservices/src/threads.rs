//! Threads for requests, and the sessions of the database they work on (DBATs of Db2).
//!
//! What: a request gets a session that waits, or a new one, or waits for its turn; the unit of work
//! of the request has ended when the session is free again. Why threads: an engine blocks. Not
//! here: what is run, and what needs no thread.

use crate::lent::{Idle, Lent};
use crate::run::Failed;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, Weak, mpsc};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use transom_recovery::SyncpointManager;
use transom_recovery::guard::lock;
use transom_region_api::RestFailure;
use transom_region_sql::{SqlDatabase, SqlSession};

/// Threads and sessions that wait for a request.
const IDLE_MAX: usize = 16;
/// Requests that wait for a session; more are refused.
const WAITING_MAX: usize = 1_000;

/// Who ends units of work of the region; asked for when the database is opened.
pub(crate) type Manager = Arc<dyn Fn() -> Option<Arc<dyn SyncpointManager>> + Send + Sync>;

/// What a thread does.
type Job = Box<dyn FnOnce() + Send>;

/// The threads of a database.
#[derive(Clone)]
pub(crate) struct Threads(Arc<Inner>);

struct Inner {
    database: SqlDatabase,
    manager: Manager,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    wait: Duration,
    sessions: Arc<Idle>,
    idle: Mutex<Vec<mpsc::SyncSender<Job>>>,
}

impl Threads {
    /// So many at a time; who finds none free waits so long.
    pub(crate) fn new(
        database: SqlDatabase,
        manager: Manager,
        most: usize,
        wait: Duration,
    ) -> Self {
        Self(Arc::new(Inner {
            database,
            manager,
            places: Arc::new(Semaphore::new(most)),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
            wait,
            sessions: Arc::new(Idle::at_most(IDLE_MAX)),
            idle: Mutex::default(),
        }))
    }

    /// Runs on a session; what it answers ends its unit of work, well or not.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn SqlSession) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, RestFailure> {
        let lent = self.lend().await?;
        let (reply, answer) = oneshot::channel();
        self.start(lent, move |opened| {
            let done = opened.and_then(|session| ended(work(session), session));
            let _gone = reply.send(done);
        })?;
        // A thread ends without an answer only by a panic, which was said where it happened.
        answer
            .await
            .unwrap_or_else(|_| Err(RestFailure::Unavailable(String::new())))
    }

    /// A session, or the right to open one.
    pub(crate) async fn lend(&self) -> Result<Lent, RestFailure> {
        Ok(Lent::of(&self.0.sessions, self.0.place().await?))
    }

    /// Hands a thread its work on a session, which is opened there where it is not yet.
    pub(crate) fn start(
        &self,
        mut lent: Lent,
        work: impl FnOnce(Result<&mut dyn SqlSession, RestFailure>) + Send + 'static,
    ) -> Result<(), RestFailure> {
        let inner = self.0.clone();
        let mut job: Job = Box::new(move || {
            let open = || {
                let opened = inner
                    .database
                    .session((inner.manager)(), Arc::new(AtomicBool::new(false)));
                opened.map_err(|why| RestFailure::Unavailable(why.to_string()))
            };
            work(lent.or_open(open));
        });
        while let Some(thread) = self.0.waits() {
            match thread.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(back)) => job = back,
            }
        }
        let inner = Arc::downgrade(&self.0);
        let started = std::thread::Builder::new()
            .name("transom-rest".to_owned())
            .spawn(move || serve(&inner, job));
        started
            .map(drop)
            .map_err(|e| RestFailure::Unavailable(e.to_string()))
    }
}

impl Inner {
    /// One of the places, or a wait for one.
    async fn place(&self) -> Result<OwnedSemaphorePermit, RestFailure> {
        if let Ok(place) = self.places.clone().try_acquire_owned() {
            return Ok(place);
        }
        let waiting = self.waiting.clone().try_acquire_owned();
        let _waits = waiting.map_err(|_| RestFailure::Busy)?;
        let turn = self.places.clone().acquire_owned();
        let turn = tokio::time::timeout(self.wait, turn).await;
        turn.map_err(|_| RestFailure::Busy)?
            .map_err(|_| RestFailure::Busy)
    }

    /// A thread that waits.
    fn waits(&self) -> Option<mpsc::SyncSender<Job>> {
        lock(&self.idle).pop()
    }
}

/// A thread: one job after another, until there are enough of its kind.
fn serve(inner: &Weak<Inner>, first: Job) {
    let mut work = Some(first);
    while let Some(job) = work.take() {
        job();
        let Some(inner) = inner.upgrade() else {
            return;
        };
        let mut idle = lock(&inner.idle);
        if idle.len() >= IDLE_MAX {
            return;
        }
        // Whoever takes this end out sends one job; when all of it goes away, so do I.
        let (next, jobs) = mpsc::sync_channel(1);
        idle.push(next);
        drop(idle);
        drop(inner);
        work = jobs.recv().ok();
    }
}

/// Commits what was done, backs out what was not.
pub(crate) fn ended<T>(
    done: Result<T, Failed>,
    session: &mut dyn SqlSession,
) -> Result<T, RestFailure> {
    match done {
        Ok(done) => match session.commit(None) {
            Ok(()) => Ok(done),
            Err(error) => Err(RestFailure::Unavailable(error.to_string())),
        },
        Err(failed) => {
            // What cannot be backed out is closed with its session.
            let _closed = session.backout();
            Err(failed.into())
        }
    }
}
