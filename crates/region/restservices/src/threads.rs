//! Threads for requests, each with a session of the database (DBATs of Db2).
//!
//! What: a request gets a thread that waits, or a new one, or waits for its turn; the unit of work
//! of the request has ended when the thread is free again. Why threads: an engine blocks. Not here:
//! what is run.

use crate::run::Failed;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use transom_recovery::guard::lock;
use transom_recovery::{Part, SyncpointManager};
use transom_region_api::RestFailure;
use transom_region_sql::{NoSession, SqlDatabase, SqlSession};

/// Threads that wait for a request.
const IDLE_MAX: usize = 16;
/// Requests that wait for a thread; more are refused.
const WAITING_MAX: usize = 1_000;

/// Who ends units of work of the region; asked for when the database is opened.
pub(crate) type Manager = Arc<dyn Fn() -> Option<Arc<dyn SyncpointManager>> + Send + Sync>;

/// What a thread does for a request.
type Job = Box<dyn FnOnce(&mut dyn SqlSession) + Send>;

/// The threads of a database.
#[derive(Clone)]
pub(crate) struct Threads(Arc<Inner>);

struct Inner {
    database: SqlDatabase,
    manager: Manager,
    places: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    wait: Duration,
    idle: Mutex<Vec<mpsc::SyncSender<(Job, OwnedSemaphorePermit)>>>,
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
            idle: Mutex::default(),
        }))
    }

    /// Runs on a session; what it answers ends its unit of work, well or not.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut dyn SqlSession) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, RestFailure> {
        let (reply, answer) = oneshot::channel();
        self.start(Box::new(move |session| {
            let done = ended(work(session), session);
            let _gone = reply.send(done);
        }))
        .await?;
        // A thread ends without an answer only by a panic, which was said where it happened.
        answer
            .await
            .unwrap_or_else(|_| Err(RestFailure::Unavailable(String::new())))
    }

    /// Hands a thread its work.
    pub(crate) async fn start(&self, job: Job) -> Result<(), RestFailure> {
        let place = match self.0.places.clone().try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                let waiting = self.0.waiting.clone().try_acquire_owned();
                let _waits = waiting.map_err(|_| RestFailure::Busy)?;
                let turn = self.0.places.clone().acquire_owned();
                let turn = tokio::time::timeout(self.0.wait, turn).await;
                turn.map_err(|_| RestFailure::Busy)?
                    .map_err(|_| RestFailure::Busy)?
            }
        };
        let idle = lock(&self.0.idle).pop();
        let (job, place) = match idle {
            None => (job, place),
            Some(thread) => match thread.send((job, place)) {
                Ok(()) => return Ok(()),
                Err(mpsc::SendError(back)) => back,
            },
        };
        let inner = self.0.clone();
        let opened = tokio::task::spawn_blocking(move || inner.open()).await;
        let session = opened
            .map_err(|e| RestFailure::Unavailable(e.to_string()))?
            .map_err(|why| RestFailure::Unavailable(why.to_string()))?;
        self.0.spawn(session, job, place)
    }
}

impl Inner {
    fn open(&self) -> Result<Box<dyn SqlSession>, NoSession> {
        let manager = (self.manager)();
        self.database
            .session(manager, Arc::new(AtomicBool::new(false)))
    }

    fn spawn(
        self: &Arc<Self>,
        mut session: Box<dyn SqlSession>,
        job: Job,
        place: OwnedSemaphorePermit,
    ) -> Result<(), RestFailure> {
        let inner = Arc::downgrade(self);
        let thread = move || {
            let mut work = Some((job, place));
            while let Some((job, place)) = work.take() {
                job(&mut *session);
                // A session that cannot even back out is closed with its thread.
                let clean = session.part() == Part::None || session.backout().is_ok();
                session.reset();
                let Some(inner) = inner.upgrade().filter(|_| clean) else {
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
                drop((place, inner));
                work = jobs.recv().ok();
            }
        };
        let started = std::thread::Builder::new()
            .name("transom-rest".to_owned())
            .spawn(thread);
        started
            .map(drop)
            .map_err(|e| RestFailure::Unavailable(e.to_string()))
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
