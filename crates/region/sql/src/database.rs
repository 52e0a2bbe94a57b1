//! The database of a region: opened when it is needed first, and joined to who ends units of work.
//!
//! Not here: sessions (`sessions`), the requests of tasks (`region/server`).

use crate::attachment::{Attachment, Attachments};
use crate::config::{NoSession, SqlConfig};
use crate::session::SqlSession;
use crate::sessions::SqlSessions;
use crate::sqlite;
use crate::threads::{EntryThreads, Taken, Threads};
use rusqlite::Connection;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages::{self as messages, Message};
use transom_recovery::guard::{lock, read, write};
use transom_recovery::{Participant, StoreError, SyncpointManager, UowId};
use transom_types::Resp;
use transom_wire::Shared;
use transom_wire::requests::RegionAnswer;
use transom_wire::sql::{Request, SqlAnswer, SqlReading};

/// The database, open or not yet.
#[derive(Clone, Default)]
pub struct SqlDatabase(Arc<Inner>);

#[derive(Default)]
struct Inner {
    config: SqlConfig,
    sessions: Sessions,
    /// Joined to who ends units of work. It may be away still.
    joined: Mutex<bool>,
    attachments: Attachments,
    threads: Threads,
    /// Keeps files that workers read where they are until the database is open.
    held: Mutex<Option<Connection>>,
}

/// How often a task that waits for a thread looks whether limits have changed.
const LOOK: Duration = Duration::from_secs(1);

/// Whether a task may run a statement.
pub enum Attached {
    /// `true`: for the first time in its unit of work, whose end is to be told for its thread.
    Now(Attachment, bool),
    /// It is asked again when this is over.
    Waits(Turn),
    /// The answer to its statement.
    Refused(RegionAnswer),
}

/// The wait of a task for a thread.
pub struct Turn(oneshot::Receiver<()>);

impl Turn {
    /// There may be a thread for it now, or limits have changed.
    pub async fn over(self) {
        drop(tokio::time::timeout(LOOK, self.0).await);
    }
}

/// What is open; filled in when the database was reached.
type Sessions = Arc<RwLock<Option<Arc<SqlSessions>>>>;

impl SqlDatabase {
    /// Not opened yet.
    pub fn new(config: &SqlConfig) -> Self {
        Self(Arc::new(Inner {
            config: config.clone(),
            sessions: Sessions::default(),
            joined: Mutex::default(),
            attachments: Attachments::default(),
            threads: Threads::default(),
            held: Mutex::default(),
        }))
    }

    /// Files that workers may read, as they are from now on. To be called before there are workers.
    pub fn readable(&self) -> Vec<PathBuf> {
        let SqlConfig::Sqlite(options) = &self.0.config else {
            return Vec::new();
        };
        let held = sqlite::hold(options);
        let files = held.as_ref().map(|_| sqlite::log_files(&options.file));
        *lock(&self.0.held) = held;
        files.map(Vec::from).unwrap_or_default()
    }

    /// How a worker reads the database by itself; `None`: it does not.
    pub fn reading(&self) -> Option<SqlReading> {
        match &self.0.config {
            SqlConfig::Sqlite(options) => sqlite::told(options),
            _ => None,
        }
    }

    /// Opens a database that is there, before the first task: it may have decided units of work of
    /// an earlier run.
    ///
    /// # Errors
    /// The region must not run: it would not know what was committed.
    pub fn open_now(&self, manager: Option<Arc<dyn SyncpointManager>>) -> Result<(), Message> {
        if !self.0.config.is_there() {
            return Ok(());
        }
        let opened = self.0.open(manager);
        *lock(&self.0.held) = None;
        match opened {
            Ok(_) | Err(NoSession::Without) => Ok(()),
            // Those that wait for it keep their locks until it is back.
            Err(NoSession::Failed(StoreError::Unavailable(_))) => Ok(()),
            Err(NoSession::Failed(error)) => Err(messages::sq::not_opened(&error)),
        }
    }

    /// Whether a task may run a statement in its unit of work: by DB2CONN and DB2ENTRY.
    pub fn attach(&self, shared: &dyn Shared, (task, uow): (u32, UowId)) -> Attached {
        if let Some(attachment) = self.0.attachments.known(task, uow) {
            return Attached::Now(attachment, false);
        }
        let attachment = match Attachment::look_up(shared, task) {
            Ok(attachment) => attachment,
            Err(refused) => return Attached::Refused(refused),
        };
        let counted = match attachment.wanted() {
            None => false,
            Some(wanted) => match self.0.threads.take(task, wanted) {
                Taken::Has => true,
                Taken::Waits(woken) => return Attached::Waits(Turn(woken)),
                Taken::Refused(code, text) => {
                    return Attached::Refused(RegionAnswer::abend(code, text));
                }
            },
        };
        self.0.attachments.keep(task, uow, attachment);
        Attached::Now(attachment, counted)
    }

    /// What a task gets for its statement in its unit of work, and what the operator is told.
    /// `attach` asks whether it may run, as often as it waits for a thread; `tell` has
    /// [`SqlDatabase::unit_end`] called at the end of the unit of work.
    pub async fn answer(
        &self,
        (attach, tell): (impl Fn() -> Attached, impl Fn() -> bool),
        manager: Option<Arc<dyn SyncpointManager>>,
        (task, uow, request): (u32, UowId, Request),
    ) -> (RegionAnswer, Option<Message>) {
        if request == Request::Reading {
            let told = self.reading();
            let none = || RegionAnswer::refused(Resp::INVREQ, 0, "");
            return (told.as_ref().map_or_else(none, RegionAnswer::with), None);
        }
        let attachment = loop {
            match attach() {
                Attached::Now(attachment, counted) => {
                    // Where there is no room to be told, the end of the task tells.
                    let _ = counted && tell();
                    break attachment;
                }
                Attached::Waits(turn) => turn.over().await,
                Attached::Refused(answer) => return (answer, None),
            }
        };
        match self.run(manager, (task, uow, request)).await {
            Ok(mut answer) => {
                attachment.complete(&mut answer);
                (RegionAnswer::with(&answer), answer.told(task))
            }
            Err(why) => (
                attachment.without_database(why.to_string()),
                Some(messages::sq::no_session(task, &why)),
            ),
        }
    }

    /// To be called when a unit of work of a task has ended: its thread is free then, unless what
    /// it keeps needs it.
    pub fn unit_end<O>(&self, task: u32, uow: UowId) -> impl FnOnce(O) + Send + use<O> {
        let database = self.clone();
        move |_| database.unit_ended(task, uow)
    }

    fn unit_ended(&self, task: u32, uow: UowId) {
        let sessions = read(&self.0.sessions).clone();
        let keeps = sessions.is_some_and(|sessions| sessions.unit_ended(task, uow));
        self.0.threads.unit_ended(task, keeps);
    }

    /// Threads by DB2CONN and DB2ENTRY, for the statistics.
    pub fn threads(&self) -> [(&'static str, u64); 5] {
        self.0.threads.figures()
    }

    /// Those of a DB2ENTRY.
    pub fn entry_threads(&self, name: [u8; 8]) -> EntryThreads {
        self.0.threads.of_entry(name)
    }

    /// Runs a statement of a task in its unit of work; opens the database where it is not yet.
    pub async fn run(
        &self,
        manager: Option<Arc<dyn SyncpointManager>>,
        (task, uow, request): (u32, UowId, Request),
    ) -> Result<SqlAnswer, NoSession> {
        let open = read(&self.0.sessions).clone();
        let sessions = match open {
            Some(sessions) => sessions,
            None => {
                let inner = self.0.clone();
                let opened = tokio::task::spawn_blocking(move || inner.open(manager)).await;
                opened.unwrap_or(Err(NoSession::Failed(StoreError::Closed)))?
            }
        };
        let asked = sessions.run(task, uow, request);
        let answer = asked.map_err(NoSession::Failed)?.await;
        // The thread of a session ends only by a panic, which was said where it happened.
        Ok(answer.unwrap_or_else(|_| SqlAnswer::of(-924, *b"58006")))
    }

    /// A session of a client that is no task: its owner ends its units of work, and nobody else
    /// takes part in them. Opens the database where it is not yet; blocks. A wait of the session
    /// ends once `abandoned` is set.
    pub fn session(
        &self,
        manager: Option<Arc<dyn SyncpointManager>>,
        abandoned: Arc<AtomicBool>,
    ) -> Result<Box<dyn SqlSession>, NoSession> {
        let sessions = self.0.open(manager)?;
        sessions.beside_tasks(abandoned).map_err(NoSession::Failed)
    }

    /// A task is over.
    pub fn task_ended(&self, task: u32) {
        self.0.attachments.task_ended(task);
        self.0.threads.task_ended(task);
        if let Some(sessions) = &*read(&self.0.sessions) {
            sessions.task_ended(task);
        }
    }

    /// Lets go of it.
    pub fn close(&self) {
        *write(&self.0.sessions) = None;
    }
}

impl Inner {
    /// The sessions; opens the database and joins it. Blocks.
    fn open(
        &self,
        manager: Option<Arc<dyn SyncpointManager>>,
    ) -> Result<Arc<SqlSessions>, NoSession> {
        let mut joined = lock(&self.joined);
        if let Some(sessions) = &*read(&self.sessions) {
            return Ok(sessions.clone());
        }
        if matches!(self.config, SqlConfig::Without) {
            return Err(NoSession::Without);
        }
        let away = || NoSession::Failed(StoreError::Unavailable("it is asked again".to_owned()));
        if *joined {
            return Err(away());
        }
        let manager = manager.ok_or(NoSession::Failed(StoreError::Closed))?;
        let (config, sessions) = (self.config.clone(), self.sessions.clone());
        let connect = move |system| {
            let engine = config.open_for(system)?;
            let made = Arc::new(SqlSessions::new(engine));
            *write(&sessions) = Some(made.clone());
            Ok(made as Arc<dyn Participant>)
        };
        let taken = manager.join(self.config.member(), Box::new(connect));
        taken.map_err(|error| {
            // What was opened does not belong here.
            *write(&self.sessions) = None;
            NoSession::Failed(error)
        })?;
        *joined = true;
        read(&self.sessions).clone().ok_or_else(away)
    }
}
