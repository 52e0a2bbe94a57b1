//! A listening host: its socket, its plan, its counters.
//!
//! What: what stays while plans are replaced. Not here: a session (`session`), who replaces plans
//! (`door`).

use crate::counts::Counts;
use crate::limit::Limit;
use crate::plan::Plan;
use crate::problem::Problem;
use crate::seats::Seats;
use arc_swap::ArcSwap;
use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::AbortHandle;
use transom_messages::{self as messages, Operator};
use transom_tcpip::{Clients, Limits, Listener, ListenerConfig};

/// Refused clients told in a minute; the others are counted.
const TOLD_PER_MINUTE: u32 = 10;
const MINUTE: Duration = Duration::from_secs(60);

/// What all hosts share.
pub(crate) struct Shared {
    pub(crate) operator: Operator,
    pub(crate) sessions: Arc<Limit>,
    most: AtomicUsize,
    handshake_ms: AtomicU64,
    numbers: AtomicU64,
}

impl Shared {
    pub(crate) fn new(operator: Operator) -> Self {
        Self {
            operator,
            sessions: Arc::default(),
            most: AtomicUsize::new(0),
            handshake_ms: AtomicU64::new(0),
            numbers: AtomicU64::new(0),
        }
    }

    pub(crate) fn set(&self, most: usize, handshake: Duration) {
        self.most.store(most, Relaxed);
        let ms = u64::try_from(handshake.as_millis()).unwrap_or(u64::MAX);
        self.handshake_ms.store(ms, Relaxed);
    }

    /// Sessions at a time.
    pub(crate) fn most(&self) -> usize {
        self.most.load(Relaxed)
    }

    /// Time of a handshake.
    pub(crate) fn handshake(&self) -> Duration {
        Duration::from_millis(self.handshake_ms.load(Relaxed))
    }

    /// The number of a new session.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Relaxed) + 1
    }
}

/// A host.
pub(crate) struct Host {
    plan: ArcSwap<Plan>,
    pub(crate) listener: Listener,
    pub(crate) counts: Counts,
    pub(crate) clients: Arc<Clients>,
    pub(crate) seats: Seats,
    /// Counts when other certificates of clients are taken than before.
    pub(crate) trust: watch::Sender<u64>,
    pub(crate) shared: Arc<Shared>,
    told: Mutex<Told>,
    accepting: Mutex<Vec<AbortHandle>>,
}

struct Told {
    since: Instant,
    count: u32,
}

impl Host {
    /// Listens where the plan says, and serves nobody yet.
    pub(crate) fn bind(plan: Plan, most: usize, shared: Arc<Shared>) -> Result<Self, Problem> {
        let listener = Listener::bind(ListenerConfig {
            address: plan.settings.local(),
            tls: None,
            // Sessions are bounded where their bounds may change; here only descriptors are.
            limits: Limits {
                connections: most,
                per_client: 0,
                ..Limits::default()
            },
            refusal: Vec::new(),
        })?;
        Ok(Self {
            plan: ArcSwap::from_pointee(plan),
            listener,
            counts: Counts::default(),
            clients: Arc::default(),
            seats: Seats::default(),
            trust: watch::Sender::new(0),
            shared,
            told: Mutex::new(Told {
                since: Instant::now(),
                count: 0,
            }),
            accepting: Mutex::default(),
        })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// What new sessions go by.
    pub(crate) fn plan(&self) -> Arc<Plan> {
        self.plan.load_full()
    }

    /// Replaces it; sessions keep theirs.
    pub(crate) fn replace(&self, plan: Plan) {
        self.plan.store(Arc::new(plan));
    }

    /// A task that ends when the host listens no more.
    pub(crate) fn keep(&self, task: AbortHandle) {
        self.accepting().push(task);
    }

    /// Listens no more; sessions stay.
    pub(crate) fn stop(&self) {
        for task in self.accepting().drain(..) {
            task.abort();
        }
        self.listener.stop();
    }

    fn accepting(&self) -> std::sync::MutexGuard<'_, Vec<AbortHandle>> {
        self.accepting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells that a client gets no session, of a crowd the first ones.
    pub(crate) fn refuse(&self, client: SocketAddr, why: &str) {
        let name = &self.plan().name;
        self.tell_few(|| messages::rd::client_refused(client, name, why));
    }

    /// The same where no target answered.
    pub(crate) fn no_target(&self, client: SocketAddr, why: impl Display) {
        let name = &self.plan().name;
        self.tell_few(|| messages::rd::no_target(client, name, why));
    }

    /// Tells that a client asks for an LU that is not for it.
    pub(crate) fn lu_refused(&self, client: SocketAddr, lu: &str) {
        let name = &self.plan().name;
        self.tell_few(|| messages::rd::lu_refused(client, lu, name));
    }

    fn tell_few(&self, message: impl FnOnce() -> messages::Message) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.duration_since(told.since) >= MINUTE {
            let more = told.count.saturating_sub(TOLD_PER_MINUTE);
            (told.since, told.count) = (now, 0);
            if more > 0 {
                let name = &self.plan().name;
                self.shared
                    .operator
                    .tell(messages::rd::more_refused(more, name));
            }
        }
        told.count = told.count.saturating_add(1);
        if told.count <= TOLD_PER_MINUTE {
            drop(told);
            self.shared.operator.tell(message());
        }
    }
}
