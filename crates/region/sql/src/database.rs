//! The database of a region: opened when it is needed first, and joined to who ends units of work.
//!
//! Not here: sessions (`sessions`), the requests of tasks (`region/server`).

use crate::attachment::Attachments;
use crate::session::SqlSession;
use crate::sessions::SqlSessions;
use crate::sqlite::{Sqlite, SqliteOptions};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};
use transom_messages::{self as messages, Message};
use transom_recovery::guard::{lock, read, write};
use transom_recovery::{Participant, StoreError, SyncpointManager, UowId};
use transom_wire::Shared;
use transom_wire::requests::RegionAnswer;
use transom_wire::sql::{Request, SqlAnswer};

/// Name among those who take part in units of work; decisions have it.
const MEMBER: &str = "sql:SQLITE";

/// The database of EXEC SQL; none: statements end their task with AEY9.
#[derive(Debug, Clone, Default)]
pub struct SqlConfig {
    /// The embedded engine.
    pub sqlite: Option<SqliteOptions>,
}

/// The database, open or not yet.
#[derive(Clone, Default)]
pub struct SqlDatabase(Arc<Inner>);

#[derive(Default)]
struct Inner {
    config: SqlConfig,
    sessions: RwLock<Option<Arc<SqlSessions>>>,
    opening: Mutex<()>,
    attachments: Attachments,
}

/// Why there is no session. Its text is a message.
#[derive(Debug)]
pub enum NoSession {
    /// `[sql] engine` says so.
    Without,
    /// It cannot be used.
    Failed(StoreError),
}

impl fmt::Display for NoSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Without => messages::sq::no_engine().fmt(f),
            Self::Failed(error) => messages::sq::not_opened(error).fmt(f),
        }
    }
}

impl std::error::Error for NoSession {}

impl SqlDatabase {
    /// Not opened yet.
    pub fn new(config: &SqlConfig) -> Self {
        Self(Arc::new(Inner {
            config: config.clone(),
            sessions: RwLock::default(),
            opening: Mutex::default(),
            attachments: Attachments::default(),
        }))
    }

    /// Opens a database that is there, before the first task: it may have decided units of work of
    /// an earlier run.
    ///
    /// # Errors
    /// The region must not run: it would not know what was committed.
    pub fn open_now(&self, manager: Option<Arc<dyn SyncpointManager>>) -> Result<(), Message> {
        let there = |options: &SqliteOptions| options.file.exists();
        if !self.0.config.sqlite.as_ref().is_some_and(there) {
            return Ok(());
        }
        match self.0.open(manager) {
            Ok(_) | Err(NoSession::Without) => Ok(()),
            Err(NoSession::Failed(error)) => Err(messages::sq::not_opened(&error)),
        }
    }

    /// What a task gets for its statement in its unit of work, and what the operator is told.
    pub fn answer(
        &self,
        shared: &dyn Shared,
        manager: Option<Arc<dyn SyncpointManager>>,
        (task, uow, request): (u32, UowId, Request),
    ) -> impl Future<Output = (RegionAnswer, Option<Message>)> + use<> {
        let attachment = self.0.attachments.of(shared, task, uow);
        let database = self.clone();
        async move {
            let attachment = match attachment {
                Ok(attachment) => attachment,
                Err(refused) => return (refused, None),
            };
            match database.run(manager, (task, uow, request)).await {
                Ok(mut answer) => {
                    attachment.roll_back(&mut answer);
                    (RegionAnswer::with(&answer), answer.told(task))
                }
                Err(why) => (
                    attachment.without_database(why.to_string()),
                    Some(messages::sq::no_session(task, &why)),
                ),
            }
        }
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
        let _one = lock(&self.opening);
        if let Some(sessions) = &*read(&self.sessions) {
            return Ok(sessions.clone());
        }
        let options = self.config.sqlite.clone().ok_or(NoSession::Without)?;
        let manager = manager.ok_or(NoSession::Failed(StoreError::Closed))?;
        let engine = Sqlite::open(options).map_err(NoSession::Failed)?;
        let sessions = Arc::new(SqlSessions::new(Arc::new(engine)));
        let joined = sessions.clone();
        let connect = move |_| Ok(joined.clone() as Arc<dyn Participant>);
        let taken = manager.join(MEMBER, Box::new(connect));
        taken.map_err(NoSession::Failed)?;
        *write(&self.sessions) = Some(sessions.clone());
        Ok(sessions)
    }
}
