//! Starting, watching and stopping a gateway.

use crate::change::{Change, Refusal};
use crate::config::GatewayConfig;
use crate::definition::{ApiDefinition, ServiceDefinition};
use crate::deploy::folder;
use crate::door::Door;
use crate::no_room;
use crate::regions::Regions;
use crate::serve;
use crate::statistics::GatewayStatistics;
use std::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use transom_messages::{self as messages, Line};
use transom_tcpip::{Listener, ListenerConfig, ListenerCounters};
use transom_telemetry::OperationFigures;

/// Threads for blocking work of one serving thread: password checks, archives.
const BLOCKING_THREADS: usize = 8;

/// A running gateway. Dropping it stops it without waiting for requests.
pub struct Gateway {
    door: Arc<Door>,
    stop: watch::Sender<Stop>,
    threads: Vec<JoinHandle<()>>,
    notices: Vec<Line>,
}

/// Something that runs beside the gateway's first serving thread, see [`Gateway::start_with`].
pub type Companion = Pin<Box<dyn Future<Output = ()> + Send>>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// Serve.
    No,
    /// Take no connection more, let requests finish within this time.
    After(Duration),
    /// Every connection is closed or the time is over.
    Done,
}

/// A gateway that could not start. `Display` begins with the TXM message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatewayError(pub(crate) String);

impl fmt::Display for GatewayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GatewayError {}

/// Services and APIs that contradict each other or what is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallError(Refusal);

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for InstallError {}

impl Gateway {
    /// Binds the listeners, deploys what lies in the folders and serves on threads of its own.
    /// An archive that cannot be deployed is a notice, not an error.
    ///
    /// # Errors
    /// A port that cannot be bound, a password that cannot be read, a record file that cannot be
    /// opened, no listener at all.
    pub fn start(config: GatewayConfig, regions: Regions) -> Result<Self, GatewayError> {
        Self::start_with(config, regions, Box::pin(std::future::ready(())))
    }

    /// As [`Gateway::start`], with a companion that is polled on the first serving thread. A region
    /// in this process delivers its replies there: a request then costs no change of thread.
    ///
    /// # Errors
    /// As [`Gateway::start`].
    pub fn start_with(
        config: GatewayConfig,
        regions: Regions,
        companion: Companion,
    ) -> Result<Self, GatewayError> {
        let bind = |address: Option<SocketAddr>, tls| {
            let limits = config.limits.clone();
            address
                .map(|address| {
                    Listener::bind(ListenerConfig {
                        address,
                        tls,
                        limits,
                        refusal: no_room::answer(),
                    })
                })
                .transpose()
                .map_err(|e| GatewayError(e.to_string()))
        };
        let http = bind(config.http, None)?;
        let https = match config.https.clone() {
            Some((address, tls)) => bind(Some(address), Some(tls))?,
            None => None,
        };
        if http.is_none() && https.is_none() {
            return Err(GatewayError(messages::gw::no_port().to_string()));
        }
        let threads = config.serving_threads();
        let door = Door::new(config, regions, http, https)
            .map_err(|e| GatewayError(messages::gw::cannot_start(&e).to_string()))?;
        let door = Arc::new(door);
        let notices = folder::load_all(&door);
        let (stop, stopped) = watch::channel(Stop::No);
        let mut gateway = Self {
            door,
            stop,
            threads: Vec::new(),
            notices,
        };
        let mut companion = Some(companion);
        for number in 0..threads {
            gateway.spawn(number, stopped.clone(), companion.take())?;
        }
        Ok(gateway)
    }

    /// Address of the HTTP listener.
    pub fn http(&self) -> Option<SocketAddr> {
        self.door.http.as_ref().map(Listener::address)
    }

    /// Address of the HTTPS listener.
    pub fn https(&self) -> Option<SocketAddr> {
        self.door.https.as_ref().map(Listener::address)
    }

    /// What deploying the folders said, one message per archive.
    pub fn notices(&self) -> &[Line] {
        &self.notices
    }

    /// Totals since start.
    pub fn statistics(&self) -> GatewayStatistics {
        let listeners = || [&self.door.http, &self.door.https].into_iter().flatten();
        GatewayStatistics {
            operations: operations(&self.door),
            connections: listeners().map(Listener::open).sum(),
            limits: listeners().flat_map(|l| l.counters().read()).collect(),
            records_dropped: self.door.policies.dropped(),
            passwords_checked: self.door.logons.checked(),
        }
    }

    /// Reads totals of operations, also when the gateway itself is out of reach.
    pub fn figures(&self) -> impl Fn() -> Vec<OperationFigures> + Send + Sync + 'static {
        let door = self.door.clone();
        move || operations(&door)
    }

    /// The counters of the listeners, each with whether it is HTTPS.
    pub fn counters(&self) -> Vec<(bool, Arc<ListenerCounters>)> {
        let listeners = [&self.door.http, &self.door.https].into_iter().flatten();
        let counters = listeners.map(|l| (l.secure(), l.counters().clone()));
        counters.collect()
    }

    /// Base paths of the installed APIs with their operations, for a start message:
    /// `("PUT", "/comm1k/mapping/CABASIC-RS2/{countIn}")`.
    pub fn routes(&self) -> Vec<(String, String)> {
        let live = self.door.catalog.live();
        let of = |api: &crate::installed::Api| {
            let base = api.definition.base_path.trim_end_matches('/').to_owned();
            let operations = api.definition.operations.iter();
            operations
                .map(|o| (o.method.to_string(), format!("{base}{}", o.path)))
                .collect::<Vec<_>>()
        };
        live.apis.values().flat_map(|api| of(api)).collect()
    }

    /// Installs or replaces compiled services and APIs, all or none, while requests run.
    ///
    /// # Errors
    /// What contradicts what is installed.
    pub fn install(
        &self,
        services: Vec<ServiceDefinition>,
        apis: Vec<ApiDefinition>,
    ) -> Result<(), InstallError> {
        let config = &self.door.config;
        let policies = &self.door.policies;
        let mut changes = Vec::new();
        for mut service in services {
            if let Some(scope) = config.services.get(&service.name) {
                service
                    .invoke_uris
                    .extend(scope.invoke_uris.iter().cloned());
            }
            let policy = policies.service(config, &service.name);
            changes.push(Change::Service(Box::new(service), policy, true));
        }
        for api in apis {
            let policy = policies.api(config, &api.name);
            changes.push(Change::Api(Box::new(api), policy, true));
        }
        self.door
            .catalog
            .change(changes, || Ok(()))
            .map_err(InstallError)?;
        self.door.catalog.publish();
        Ok(())
    }

    /// Takes no new connection, lets requests under way finish for at most `grace`, writes what the
    /// interceptors still hold. Returns connections that had to be cut off.
    pub fn stop(mut self, grace: Duration) -> usize {
        let _ = self.stop.send(Stop::After(grace));
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
        let left = [&self.door.http, &self.door.https].into_iter().flatten();
        let left = left.map(Listener::open).sum();
        self.door.policies.close();
        left
    }

    fn spawn(
        &mut self,
        number: usize,
        stopped: watch::Receiver<Stop>,
        companion: Option<Companion>,
    ) -> Result<(), GatewayError> {
        let failed = |e: std::io::Error| GatewayError(messages::gw::cannot_start(&e).to_string());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(BLOCKING_THREADS)
            .thread_keep_alive(Duration::from_secs(5))
            .build()
            .map_err(failed)?;
        let (door, stop) = (self.door.clone(), self.stop.clone());
        let first = number == 0;
        let thread = std::thread::Builder::new()
            .name(format!("gateway-{number}"))
            .spawn(move || {
                if let Some(companion) = companion {
                    runtime.spawn(companion);
                }
                runtime.block_on(serve_until(door, stop, stopped, first));
                runtime.shutdown_timeout(Duration::from_secs(1));
            })
            .map_err(failed)?;
        self.threads.push(thread);
        Ok(())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.stop.send(Stop::Done);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Totals of the operations of all APIs, then of services invoked by themselves.
fn operations(door: &Door) -> Vec<OperationFigures> {
    let live = door.catalog.live();
    let mut all = Vec::new();
    for api in live.apis.values() {
        let (definition, base) = (&api.definition, api.base_path());
        for (operation, counters) in definition.operations.iter().zip(&api.counters) {
            all.push(counters.read(OperationFigures {
                api: definition.name.clone(),
                base_path: base.to_owned(),
                method: operation.method.to_string(),
                path: operation.path.clone(),
                ..OperationFigures::default()
            }));
        }
    }
    let services = live.services.iter().map(|(name, service)| {
        service.counters.read(OperationFigures {
            path: name.clone(),
            ..OperationFigures::default()
        })
    });
    all.extend(services);
    all
}

async fn serve_until(
    door: Arc<Door>,
    stop: watch::Sender<Stop>,
    mut stopped: watch::Receiver<Stop>,
    first: bool,
) {
    let listeners: Vec<Listener> = [&door.http, &door.https]
        .into_iter()
        .flatten()
        .cloned()
        .collect();
    let mut tasks = Vec::new();
    for listener in &listeners {
        let accept = serve::accept(door.clone(), listener.clone());
        let operator = door.operator.clone();
        tasks.push(tokio::spawn(async move {
            if let Err(e) = accept.await {
                operator.tell(messages::gw::not_accepting(e));
            }
        }));
        if first {
            let listener = listener.clone();
            tokio::spawn(async move { listener.reap().await });
        }
    }
    if first {
        folder::poll_folders(&door);
    }
    let stopping = stopped
        .wait_for(|s| *s != Stop::No)
        .await
        .map_or(Stop::Done, |s| *s);
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    if let Stop::After(grace) = stopping {
        if first {
            for listener in &listeners {
                listener.drain(grace).await;
            }
            let _ = stop.send(Stop::Done);
        }
        let _ = stopped.wait_for(|s| *s == Stop::Done).await;
    }
}
