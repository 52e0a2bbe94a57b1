//! What all sessions on a server have, and the region's own connection.
//!
//! Not here: sessions (`remote`), what is asked of an engine (`engine`).

use super::live::Live;
use super::options::PostgresOptions;
use super::{errors, install, marks, notes, owner};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio_postgres::Client;
use tokio_postgres::config::Config;
use transom_postgres::Tls;
use transom_recovery::guard::lock;
use transom_recovery::{StoreError, UowId};

/// How long a connection may take when the connection string says nothing.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// What all sessions on a server have.
pub(super) struct Shared {
    pub(super) options: PostgresOptions,
    pub(super) config: Config,
    pub(super) tls: Tls,
    /// Those that wait look whether they are abandoned.
    pub(super) woken: Notify,
    /// Number of the system that the region belongs to; `None`: a utility.
    system: Option<u64>,
    pub(super) name: String,
    /// Number of the next session.
    pub(super) next: AtomicU64,
    own: Mutex<Own>,
    pub(super) identity: String,
    /// Marks that may be deleted.
    pub(super) old_marks: Mutex<Vec<UowId>>,
    /// Marks that were there when the region came.
    pub(super) earlier: Mutex<Vec<UowId>>,
}

/// For questions that belong to no session.
struct Own {
    runtime: Option<Runtime>,
    live: Option<Live>,
}

impl Shared {
    /// Connects, and makes what is missing there. Blocks.
    pub(super) fn open(options: PostgresOptions, system: Option<u64>) -> Result<Self, StoreError> {
        let (mut config, tls) = transom_postgres::read(&options.connect)?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            let text = "[sql] postgresql names no server: host=... is missing";
            return Err(StoreError::Wrong(text.to_owned()));
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_MAX);
        }
        let applid = options.applid.as_str().trim_end();
        let name = match system {
            Some(system) => owner::session_name(system, applid),
            None => format!("transom sql {applid} {}", std::process::id()),
        };
        config.application_name(&name);
        let own = Own {
            runtime: Some(runtime()?),
            live: None,
        };
        let mut shared = Shared {
            options,
            config,
            tls,
            woken: Notify::new(),
            system,
            name,
            next: AtomicU64::new(0),
            own: Mutex::new(own),
            identity: String::new(),
            old_marks: Mutex::default(),
            earlier: Mutex::default(),
        };
        let (identity, earlier) = shared.first()?;
        shared.identity = identity;
        shared.earlier = Mutex::new(earlier);
        Ok(shared)
    }
}

/// What a thread of its own has; nobody else runs on it.
pub(super) fn runtime() -> Result<Runtime, StoreError> {
    let built = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    built.map_err(|e| StoreError::Io(e.to_string()))
}

impl Shared {
    /// The first connection: what is missing is made.
    fn first(&self) -> Result<(String, Vec<UowId>), StoreError> {
        apart(|| {
            let mut own = lock(&self.own);
            let Own {
                runtime: Some(runtime),
                live,
            } = &mut *own
            else {
                return Err(StoreError::Closed);
            };
            runtime.block_on(async {
                let reached = self.reach().await?;
                let identity = install::install(&reached, &self.options).await?;
                let earlier = match self.system {
                    Some(_) => {
                        notes::forget(&self.name, &reached.client).await?;
                        marks::earlier(&self.system_key(), &reached.client).await?
                    }
                    None => Vec::new(),
                };
                *live = Some(reached);
                Ok((identity, earlier))
            })
        })
    }

    async fn reach(&self) -> Result<Live, StoreError> {
        let live = Live::connect(&self.config, &self.tls, self.options.lock_wait).await;
        let live = live.map_err(|e| errors::of_store(&e))?;
        if self.system.is_some() {
            owner::own(&live, &self.name).await?;
        }
        Ok(live)
    }

    /// A region: nobody else has its name.
    pub(super) fn is_region(&self) -> bool {
        self.system.is_some()
    }

    /// Asks the server beside all sessions. Blocks.
    pub(super) fn ask<T: Send>(
        &self,
        work: impl AsyncFn(&Client) -> Result<T, StoreError> + Sync,
    ) -> Result<T, StoreError> {
        apart(|| {
            let mut own = lock(&self.own);
            let Own {
                runtime: Some(runtime),
                live,
            } = &mut *own
            else {
                return Err(StoreError::Closed);
            };
            runtime.block_on(async {
                let asked = match live.as_ref().filter(|live| !live.client.is_closed()) {
                    Some(live) => work(&live.client).await,
                    None => Err(StoreError::Unavailable(String::new())),
                };
                let Err(StoreError::Unavailable(_)) = asked else {
                    return asked;
                };
                // Also one that died unseen; who owns the name again ends all its sessions.
                *live = None;
                let reached = self.reach().await?;
                let asked = work(&reached.client).await;
                *live = Some(reached);
                asked
            })
        })
    }

    /// Whether a unit of work was committed here; if not, it will not be any more.
    pub(super) fn has_decided(&self, uow: UowId) -> Result<bool, StoreError> {
        self.ask(async |client: &Client| marks::has_decided(&self.system_key(), client, uow).await)
    }

    pub(super) fn system_key(&self) -> String {
        format!("{:016x}", self.system.unwrap_or_default())
    }
}

/// On a thread of its own: the caller may run on a runtime, where nothing may wait.
fn apart<T: Send>(work: impl FnOnce() -> Result<T, StoreError> + Send) -> Result<T, StoreError> {
    let done = std::thread::scope(|scope| scope.spawn(work).join());
    done.unwrap_or(Err(StoreError::Closed))
}

impl Drop for Own {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Whoever lets go of the engine may run on a runtime of its own.
            runtime.shutdown_background();
        }
    }
}
