//! Local adapters: a region in another process as a pool of connections to its link server.

use crate::ask;
use crate::config::AdaptersConfig;
use crate::connection::{Connection, Counted, NoGreeting};
use crate::frame;
use crate::frames::Question;
use crate::link;
use crate::rendezvous::is_trusted;
use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::UnixStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use transom_language::append;
use transom_messages as messages;
use transom_region_api::{
    Control, Fault, LinkFailure, LinkOutput, LinkRequest, ProgramStatus, Programs, RegionInfo,
    Reply, SetFailure, SetRequest, Statistic, StatisticsGroup, TransactionStatus, Unreachable,
};
use transom_types::{ProgramName, Resp, TransId};

/// Time a link server has to answer the first frame.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// Time beyond a request's own limit after which the link server counts as gone.
const GRACE_TIME: Duration = Duration::from_secs(5);
/// After a failed connect the next one waits this long, then twice as long ...
const BACKOFF_MIN: Duration = Duration::from_millis(5);
/// ... up to this. Requests meanwhile fail at once.
const BACKOFF_MAX: Duration = Duration::from_millis(500);
/// Connections a request is tried on before it was sent whole.
const TRIES_MAX: usize = 4;
/// Time between looks at the connections to be kept.
const KEEP_TIME: Duration = Duration::from_millis(500);
/// A connection beyond MNC that was not used for this long is closed.
const IDLE_TIME: Duration = Duration::from_secs(60);

/// A region behind local adapters. Replies must be awaited on a tokio runtime.
#[derive(Clone)]
pub struct LocalAdapters(Arc<Pool>);

struct Pool {
    config: AdaptersConfig,
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
    open: Arc<AtomicUsize>,
    peak: AtomicUsize,
    waited: AtomicU64,
    opened: AtomicU64,
    requests: AtomicU64,
    resent: AtomicU64,
    /// After a failed connect: not before, and the next step.
    backoff: Mutex<Option<(Instant, Duration)>>,
}

/// Counters of local adapters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdaptersReading {
    /// Connections open now.
    pub connections: usize,
    /// Most connections open at the same time.
    pub connections_peak: usize,
    /// Connections opened since start.
    pub connections_opened: u64,
    /// Requests that had to wait because MXC connections were in use.
    pub waits: u64,
    /// Requests.
    pub requests: u64,
    /// Requests that went to another connection, since theirs broke before it took them.
    pub resent: u64,
}

/// A change that [`LocalAdapters::keep`] tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reached {
    /// The link server answers.
    Yes,
    /// It does not, and why.
    No(String),
}

impl LocalAdapters {
    /// A pool without connections; they are opened when requests come.
    pub fn new(config: AdaptersConfig) -> Self {
        let max = config.max_connections.clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(Pool {
            config,
            slots: Arc::new(Semaphore::new(max)),
            idle: Mutex::default(),
            open: Arc::default(),
            peak: AtomicUsize::new(0),
            waited: AtomicU64::new(0),
            opened: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            resent: AtomicU64::new(0),
            backoff: Mutex::default(),
        }))
    }

    /// `registerName`.
    pub fn registration(&self) -> &str {
        &self.0.config.registration
    }

    /// Keeps MNC connections open and tells when the link server comes and goes; never ends.
    /// Without it connections are opened by requests only.
    pub async fn keep(self, tell: impl Fn(&str, &Reached) + Send) {
        let pool = &self.0;
        let mut last = None;
        loop {
            let now = match pool.fill().await {
                Ok(()) => Reached::Yes,
                Err(failure) => Reached::No(failure.text),
            };
            let change = match (&last, &now) {
                (Some(Reached::No(_)), Reached::No(_)) => false,
                (before, _) => before.as_ref() != Some(&now),
            };
            if change {
                tell(&pool.config.registration, &now);
                last = Some(now);
            }
            tokio::time::sleep(KEEP_TIME).await;
        }
    }

    /// The counters now.
    pub fn read(&self) -> AdaptersReading {
        let pool = &self.0;
        AdaptersReading {
            connections: pool.open.load(Relaxed),
            connections_peak: pool.peak.load(Relaxed),
            connections_opened: pool.opened.load(Relaxed),
            waits: pool.waited.load(Relaxed),
            requests: pool.requests.load(Relaxed),
            resent: pool.resent.load(Relaxed),
        }
    }
}

impl Programs for LocalAdapters {
    fn link(&self, request: LinkRequest) -> Reply<Result<LinkOutput, LinkFailure>> {
        let pool = self.0.clone();
        Box::pin(async move { pool.link(request).await })
    }
}

/// Each asks the region; the thread waits for the answer.
impl Control for LocalAdapters {
    fn info(&self) -> Result<RegionInfo, Unreachable> {
        self.0.ask(Question::Info, ask::info)
    }

    fn program(&self, name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable> {
        self.0.ask(Question::Program(name), ask::program)
    }

    fn transaction(&self, name: TransId) -> Result<Option<TransactionStatus>, Unreachable> {
        self.0.ask(Question::Transaction(name), ask::transaction)
    }

    fn set(&self, request: SetRequest) -> Result<(), SetFailure> {
        self.0.ask(request.into(), ask::set)?
    }

    /// Those of the region, and of the connections to it.
    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable> {
        let mut groups = self.0.ask(Question::Statistics, ask::statistics)?;
        let now = self.read();
        let value = |name, value| Statistic { name, value };
        groups.push(StatisticsGroup {
            name: "local adapters",
            values: vec![
                value("requests", now.requests),
                value("connections", now.connections as u64),
                value("connections_peak", now.connections_peak as u64),
                value("connections_limit", self.0.config.max_connections as u64),
                value("connections_opened", now.connections_opened),
                value("connection_waits", now.waits),
                value("requests_resent", now.resent),
            ],
        });
        Ok(groups)
    }
}

impl Pool {
    fn ask<T>(&self, question: Question, read: fn(&[u8]) -> Option<T>) -> Result<T, Unreachable> {
        let body = ask::ask(&self.config.socket, &self.config.registration, question);
        let body = body.map_err(|e| Unreachable {
            text: self.text(&format!("cannot be asked: {e}")),
        })?;
        read(&body).ok_or_else(|| Unreachable {
            text: messages::is::answer_malformed().to_string(),
        })
    }

    async fn link(&self, request: LinkRequest) -> Result<LinkOutput, LinkFailure> {
        let slot = self.slot().await?;
        self.requests.fetch_add(1, Relaxed);
        let mut connection = self.send(&request).await?;
        // The region keeps the request's limit; ours only notices a link server that is stuck.
        let answer = match request.timeout {
            None => connection.receive().await,
            Some(limit) => {
                let limit = limit.saturating_add(GRACE_TIME);
                let received = tokio::time::timeout(limit, connection.receive()).await;
                received.map_err(|_| failed(Fault::TimedOut, self.text("does not answer")))?
            }
        };
        let answer = answer.map_err(|e| self.lost(&e))?;
        if connection.reuse {
            self.give_back(connection);
        }
        drop(slot);
        answer
    }

    /// Sends the request, on another connection when one breaks meanwhile: a link server runs only
    /// what it has whole.
    async fn send(&self, request: &LinkRequest) -> Result<Connection, LinkFailure> {
        let mut tries = 1;
        loop {
            let mut connection = match self.take_idle() {
                Some(connection) => connection,
                None => self.connect().await?,
            };
            frame::begin(&mut connection.buffer);
            append(&mut connection.buffer, &link::asked(request));
            frame::end(&mut connection.buffer).map_err(|e| {
                let resp = Resp::LENGERR;
                let text = messages::is::request_too_large(&e).to_string();
                failed(Fault::Refused { resp, resp2: 0 }, text)
            })?;
            match frame::write(&mut connection.stream, &connection.buffer).await {
                Ok(()) => return Ok(connection),
                Err(_) if tries < TRIES_MAX => {
                    tries += 1;
                    self.resent.fetch_add(1, Relaxed);
                }
                Err(e) => return Err(self.lost(&e)),
            }
        }
    }

    /// Opens connections up to MNC, and drops those that the link server closed.
    async fn fill(&self) -> Result<(), LinkFailure> {
        let keep = self.config.min_connections.min(self.config.max_connections);
        let mut good = Vec::new();
        while let Some(connection) = self.take_idle() {
            good.push(connection);
        }
        let mut stale = good.len().saturating_sub(keep);
        good.retain(|c| {
            let go = stale > 0 && c.idle_since.elapsed() > IDLE_TIME;
            stale -= usize::from(go);
            !go
        });
        // Back before anything is waited for.
        good.reverse();
        locked(&self.idle).extend(good);
        while self.open.load(Relaxed) < keep.max(1) {
            let connection = self.connect().await?;
            if !connection.reuse {
                return Ok(());
            }
            self.give_back(connection);
        }
        Ok(())
    }

    async fn slot(&self) -> Result<OwnedSemaphorePermit, LinkFailure> {
        if let Ok(slot) = self.slots.clone().try_acquire_owned() {
            return Ok(slot);
        }
        self.waited.fetch_add(1, Relaxed);
        let busy = || failed(Fault::Busy, self.text("had no connection free in time"));
        let waiting = tokio::time::timeout(self.config.wait, self.slots.clone().acquire_owned());
        waiting.await.map_err(|_| busy())?.map_err(|_| busy())
    }

    /// A connection whose link server has not closed it meanwhile.
    fn take_idle(&self) -> Option<Connection> {
        loop {
            let connection = locked(&self.idle).pop()?;
            // Nothing may be there to read: an end or a stray byte makes it useless.
            match connection.stream.try_read(&mut [0]) {
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => return Some(connection),
                _ => {}
            }
        }
    }

    fn give_back(&self, mut connection: Connection) {
        connection.idle_since = Instant::now();
        locked(&self.idle).push(connection);
    }

    async fn connect(&self) -> Result<Connection, LinkFailure> {
        if locked(&self.backoff).is_some_and(|(until, _)| Instant::now() < until) {
            let text = self.text("cannot be reached; the next attempt follows soon");
            return Err(failed(Fault::Unavailable, text));
        }
        let made = self.try_connect().await;
        let mut backoff = locked(&self.backoff);
        *backoff = match &made {
            Err(failure) if failure.fault == Fault::Unavailable => {
                let step = backoff.map_or(BACKOFF_MIN, |(_, step)| (step * 2).min(BACKOFF_MAX));
                Some((Instant::now() + step, step))
            }
            _ => None,
        };
        made
    }

    async fn try_connect(&self) -> Result<Connection, LinkFailure> {
        let socket = &self.config.socket;
        let unreachable = |e: &io::Error| {
            let text = format!("cannot be reached at {}: {e}", socket.display());
            failed(Fault::Unavailable, self.text(&text))
        };
        let stream = UnixStream::connect(socket)
            .await
            .map_err(|e| unreachable(&e))?;
        if !stream.peer_cred().is_ok_and(|peer| is_trusted(peer.uid())) {
            let text = self.text("belongs to another user");
            return Err(failed(Fault::Unavailable, text));
        }
        let open = self.open.fetch_add(1, Relaxed) + 1;
        self.peak.fetch_max(open, Relaxed);
        self.opened.fetch_add(1, Relaxed);
        let counted = Counted(self.open.clone());
        let mut connection = Connection {
            stream,
            reuse: false,
            buffer: Vec::new(),
            idle_since: Instant::now(),
            _counted: counted,
        };
        let hello = connection.hello(&self.config.registration, self.config.wait);
        // At MXC the link server lets us wait.
        let limit = self.config.wait.saturating_add(HELLO_TIME);
        match tokio::time::timeout(limit, hello).await {
            Ok(Ok(())) => Ok(connection),
            Ok(Err(NoGreeting::Refused(text))) => Err(failed(Fault::Busy, text)),
            Ok(Err(NoGreeting::Broken(e))) => Err(self.lost(&e)),
            Err(_) => Err(failed(Fault::Unavailable, self.text("does not answer"))),
        }
    }

    fn lost(&self, e: &io::Error) -> LinkFailure {
        failed(Fault::Unavailable, self.text(&format!("broke off: {e}")))
    }

    fn text(&self, what: &str) -> String {
        messages::is::server(&self.config.registration, what).to_string()
    }
}

/// The value behind the lock; it stays good when a holder panicked, each change being one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(fault: Fault, text: String) -> LinkFailure {
    LinkFailure {
        fault,
        text,
        task_number: None,
    }
}
