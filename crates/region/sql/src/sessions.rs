//! Sessions of tasks, each with a thread of its own while its task has one.
//!
//! What: the thread of a session does what its task asks and what the end of the unit of work asks,
//! one after the other; threads and their sessions are used again. Why threads: an engine blocks,
//! and neither the region's loop nor another task may wait for it. What is short for sure is run by
//! who brings it (decision 0024). Not here: SQL, the coordinator.

mod thread;

use crate::session::{SqlEngine, SqlSession};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use thread::{End, Handle, Idle, Job};
use tokio::sync::oneshot;
use transom_recovery::guard::lock;
use transom_recovery::{Part, Participant, StoreError, StoreFuture, UowId, ready};
use transom_wire::sql::{Request, SqlAnswer};

/// Sessions at a time; who comes later gets -904.
pub const SESSIONS_MAX: usize = 500;

/// All sessions of one database.
pub struct SqlSessions {
    engine: Arc<dyn SqlEngine>,
    state: Mutex<State>,
    idle: Idle,
}

#[derive(Default)]
struct State {
    by_task: HashMap<u32, Handle>,
    /// Units of work that have something here, with their sessions.
    by_uow: HashMap<UowId, Handle>,
}

impl SqlSessions {
    /// Over an engine.
    pub fn new(engine: Arc<dyn SqlEngine>) -> Self {
        Self {
            engine,
            state: Mutex::default(),
            idle: Idle::default(),
        }
    }

    /// A session beside those of tasks.
    pub(crate) fn beside_tasks(
        &self,
        abandoned: Arc<AtomicBool>,
    ) -> Result<Box<dyn SqlSession>, StoreError> {
        self.engine.session(abandoned)
    }

    /// Runs a statement of a task in its unit of work.
    pub fn run(
        &self,
        task: u32,
        uow: UowId,
        request: Request,
    ) -> Result<oneshot::Receiver<SqlAnswer>, StoreError> {
        let (reply, answer) = oneshot::channel();
        let mut state = lock(&self.state);
        let handle = self.handle(&mut state, task)?;
        state.by_uow.entry(uow).or_insert_with(|| handle.clone());
        drop(state);
        if let Some(mut rests) = handle.known.rests()
            && let Some(session) = rests.as_mut()
            && session.is_short(&request)
        {
            let answered = session.run(request);
            handle.known.shows(&**session);
            // Who asked is here.
            let _ = reply.send(answered);
            return Ok(answer);
        }
        handle.send(Job::Run(request, reply))?;
        Ok(answer)
    }

    fn handle(&self, state: &mut State, task: u32) -> Result<Handle, StoreError> {
        if let Some(handle) = state.by_task.get(&task) {
            return Ok(handle.clone());
        }
        let idle = lock(&self.idle).pop();
        let handle = match idle {
            Some(handle) => handle,
            None if state.by_task.len() >= SESSIONS_MAX => {
                return Err(StoreError::Limit("SQL sessions"));
            }
            None => Handle::start(&*self.engine)?,
        };
        state.by_task.insert(task, handle.clone());
        Ok(handle)
    }

    /// A unit of work has ended. `true`: what it left needs the session of the task.
    pub(crate) fn unit_ended(&self, task: u32, uow: UowId) -> bool {
        let mut state = lock(&self.state);
        let Some(handle) = state.by_task.get(&task) else {
            return false;
        };
        let known = handle.known.clone();
        // One that had nothing here was not ended here.
        if known.part.load(Ordering::SeqCst) == Part::None as u8 {
            state.by_uow.remove(&uow);
        }
        known.keeps.load(Ordering::SeqCst)
    }

    /// A task is over: its session serves another one.
    pub fn task_ended(&self, task: u32) {
        let mut state = lock(&self.state);
        let Some(handle) = state.by_task.remove(&task) else {
            return;
        };
        let same = |other: &Handle| Arc::ptr_eq(&other.known, &handle.known);
        state.by_uow.retain(|_, other| !same(other));
        handle.known.abandoned.store(true, Ordering::SeqCst);
        self.engine.wake();
        let retire = Job::Retire(handle.clone(), self.idle.clone());
        // A thread that has ended has backed out.
        let _ = handle.send(retire);
    }

    fn end(&self, uow: UowId, end: End) -> StoreFuture<'_, ()> {
        let outcome = Lost::of(&end);
        let (reply, ended) = oneshot::channel();
        // Under the lock: the end of the task must not get its backout between the two, and with
        // that another task the session.
        let sent = {
            let state = lock(&self.state);
            let Some(handle) = state.by_uow.get(&uow) else {
                return ready(self.without_thread(outcome.before_its_end(), uow));
            };
            if matches!(end, End::Backout) {
                // A statement that was purged may wait for its turn still.
                handle.known.abandoned.store(true, Ordering::SeqCst);
                self.engine.wake();
            }
            handle.send(Job::End(end, reply))
        };
        if sent.is_err() {
            // Its thread had ended before, and had backed out with that.
            return ready(self.without_thread(outcome.before_its_end(), uow));
        }
        Box::pin(async move {
            let ended = match ended.await {
                Ok(ended) => ended,
                Err(_) => self.without_thread(outcome, uow),
            };
            if ended.is_ok() {
                lock(&self.state).by_uow.remove(&uow);
            }
            ended
        })
    }

    /// The end of a unit of work whose session is closed by now: its thread panicked, or its task
    /// ended before, which backs out.
    fn without_thread(&self, lost: Lost, uow: UowId) -> Result<(), StoreError> {
        let backed_out = || StoreError::Unavailable("its session has ended".to_owned());
        match lost {
            Lost::Nothing => Ok(()),
            Lost::BackedOut => Err(backed_out()),
            Lost::Commit => Err(StoreError::Unknown("its session has ended".to_owned())),
            Lost::Decision => match self.engine.has_decided(uow) {
                Ok(true) => Ok(()),
                Ok(false) => Err(backed_out()),
                Err(error) => Err(StoreError::Unknown(error.to_string())),
            },
        }
    }
}

/// What was lost with the thread of a session.
#[derive(Clone, Copy)]
enum Lost {
    /// A backout: there is nothing left to back out.
    Nothing,
    /// The unit of work, before its end.
    BackedOut,
    /// The answer to a COMMIT.
    Commit,
    /// The answer to a COMMIT with a mark.
    Decision,
}

impl Lost {
    /// The thread had ended before it was asked.
    fn before_its_end(self) -> Self {
        match self {
            Self::Nothing => Self::Nothing,
            _ => Self::BackedOut,
        }
    }

    fn of(end: &End) -> Self {
        match end {
            End::Backout => Self::Nothing,
            End::Commit(None) => Self::Commit,
            End::Commit(Some(_)) => Self::Decision,
        }
    }
}

impl Participant for SqlSessions {
    fn part(&self, uow: UowId) -> Part {
        let state = lock(&self.state);
        let Some(handle) = state.by_uow.get(&uow) else {
            return Part::None;
        };
        match handle.known.part.load(Ordering::SeqCst) {
            part if part == Part::Changes as u8 => Part::Changes,
            part if part == Part::Locks as u8 => Part::Locks,
            _ => Part::None,
        }
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.end(uow, End::Commit(None))
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.end(uow, End::Backout)
    }

    fn is_last_agent(&self) -> bool {
        true
    }

    fn decide(&self, uow: UowId) -> StoreFuture<'_, ()> {
        self.end(uow, End::Commit(Some(uow)))
    }

    fn has_decided(&self, uow: UowId) -> StoreFuture<'_, bool> {
        ready(self.engine.has_decided(uow))
    }

    fn forget_mark(&self, uow: UowId) {
        self.engine.forget_mark(uow);
    }

    fn forget_earlier_marks(&self) {
        self.engine.forget_earlier_marks();
    }

    fn release(&self, uow: UowId) {
        let Some(handle) = lock(&self.state).by_uow.remove(&uow) else {
            return;
        };
        handle.known.abandoned.store(true, Ordering::SeqCst);
        self.engine.wake();
        let (reply, _) = oneshot::channel();
        // A thread that has ended has backed out.
        let _ = handle.send(Job::End(End::Backout, reply));
    }

    fn identity(&self) -> Option<String> {
        Some(self.engine.identity())
    }
}
