//! All hosts of a redirector: start, reload, drain.
//!
//! What: reads the file, listens, serves in threads of its own. A reload is whole or not at all:
//! what it needs is read and bound before anything is replaced. Not here: signals (`command`).

use crate::figures::of_host;
use crate::host::{Host, Shared};
use crate::plan::Plan;
use crate::problem::Problem;
use crate::serve;
use serde_json::{Value, json};
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::watch;
use transom_messages::{self as messages, Operator, Source};
use transom_settings::{RedirectorFile, parse_redirector};
use transom_tcpip::Descriptors;

/// Most bytes of a redirector.toml.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Descriptors of a session.
const DESCRIPTORS: usize = 2;
/// Descriptors that are no session's.
const DESCRIPTORS_KEPT: usize = 256;
/// Between two looks whether sessions have ended.
const LOOK: Duration = Duration::from_millis(50);
/// Time that sessions have which are ended by us.
const END_TIME: Duration = Duration::from_secs(2);

/// A redirector that serves; it ends when this is dropped.
pub struct Redirector {
    file: PathBuf,
    shared: Arc<Shared>,
    hosts: Mutex<Hosts>,
    threads: Vec<Handle>,
    ends: Vec<JoinHandle<()>>,
    /// The threads end when this does.
    stop: watch::Sender<bool>,
    begun: Instant,
}

#[derive(Default)]
struct Hosts {
    serve: Vec<Arc<Host>>,
    /// Those that listen no more and have sessions.
    gone: Vec<Arc<Host>>,
}

/// Reads a file; problems have its name and their lines.
pub(crate) fn read(file: &Path) -> Result<RedirectorFile, Problem> {
    let unreadable = |why: &dyn fmt::Display| messages::rd::file_not_read(file.display(), why);
    let size = std::fs::metadata(file).map_err(|e| unreadable(&e))?.len();
    if size > FILE_BYTES_MAX {
        let why = format!("it is longer than {FILE_BYTES_MAX} bytes");
        return Err(unreadable(&why).into());
    }
    let text = std::fs::read_to_string(file).map_err(|e| unreadable(&e))?;
    let (read, problems) = parse_redirector(&text);
    if !problems.is_empty() {
        let shown = problems.iter();
        let shown = shown.map(|p| format!("{}:{}:{}: {p}", file.display(), p.line, p.column));
        return Err(Problem::Settings(shown.collect()));
    }
    if read.hosts.is_empty() {
        return Err(unreadable(&"it has no [hosts.NAME]").into());
    }
    Ok(read)
}

/// Reads everything that a start would read.
pub(crate) fn check(file: &Path, operator: &Operator) -> Result<RedirectorFile, Problem> {
    let read = read(file)?;
    for host in &read.hosts {
        Plan::new(host, folder(file), None, operator)?;
    }
    Ok(read)
}

fn folder(file: &Path) -> &Path {
    file.parent().unwrap_or(Path::new(""))
}

impl Redirector {
    /// Listens and serves.
    ///
    /// # Errors
    /// The file, a certificate or a port cannot be used.
    pub fn start(file: &Path, operator: &Operator) -> Result<Self, Problem> {
        let settings = read(file)?.redirector;
        let count = match settings.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let (stop, stopped) = watch::channel(false);
        let mut redirector = Self {
            file: file.to_owned(),
            shared: Arc::new(Shared::new(operator.of(Source::Door))),
            hosts: Mutex::default(),
            threads: Vec::new(),
            ends: Vec::new(),
            stop,
            begun: Instant::now(),
        };
        let failed = |e: std::io::Error| messages::rd::cannot_start(&e);
        for _ in 0..count {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(failed)?;
            redirector.threads.push(runtime.handle().clone());
            let mut stopped = stopped.clone();
            let name = "redirector".to_owned();
            let thread = std::thread::Builder::new().name(name).spawn(move || {
                // Ends when it is told so, or when nobody could tell it any more.
                let _ = runtime.block_on(stopped.wait_for(|stop| *stop));
            });
            redirector.ends.push(thread.map_err(failed)?);
        }
        redirector.change()?;
        Ok(redirector)
    }

    /// Reads the file again. What cannot be used is told, and everything stays as it was.
    pub fn reload(&self) {
        let file = self.file.display();
        let told = match self.change() {
            Ok(hosts) => messages::rd::reloaded(file, hosts),
            Err(problem) => messages::rd::not_reloaded(file, problem),
        };
        self.shared.operator.tell(told);
    }

    /// Does what the file says now; answers how many hosts there are.
    fn change(&self) -> Result<usize, Problem> {
        let file = read(&self.file)?;
        let mut hosts = self.hosts();
        let descriptors = Descriptors::raise();
        let asked = file.redirector.max_sessions;
        // There are no journals, stores or workers here that need some of their own.
        let places = descriptors.limit - DESCRIPTORS_KEPT.min(descriptors.limit / 2);
        let most = asked.min(places / DESCRIPTORS);
        let (mut changed, mut begun) = (Vec::new(), Vec::new());
        for host in &file.hosts {
            let local = host.settings.local();
            let kept = hosts
                .serve
                .iter()
                .find(|h| h.plan().settings.local() == local);
            let before = kept.map(|kept| kept.plan());
            let operator = &self.shared.operator;
            let plan = Plan::new(host, folder(&self.file), before.as_deref(), operator)?;
            match kept {
                Some(kept) => changed.push((kept.clone(), plan)),
                None => {
                    // More than sessions, so that those too many are told of and counted.
                    begun.push(Arc::new(Host::bind(plan, places, self.shared.clone())?));
                }
            }
        }
        if most < asked {
            let few = messages::rd::few_descriptors(descriptors.limit, most);
            self.shared.operator.tell(few);
        }
        self.shared.set(most, file.redirector.handshake_seconds);
        let serve: Vec<_> = changed.iter().map(|(host, _)| host.clone()).collect();
        for (host, plan) in changed {
            host.replace(plan);
        }
        let is_kept = |host: &Arc<Host>| serve.iter().any(|kept| Arc::ptr_eq(kept, host));
        let (_, gone): (Vec<_>, Vec<_>) = hosts.serve.drain(..).partition(is_kept);
        gone.iter().for_each(|host| host.stop());
        hosts.gone.extend(gone);
        hosts.gone.retain(|host| host.counts.sessions.now() > 0);
        for host in &begun {
            serve::begin(host, &self.threads);
            let plan = host.plan();
            let targets = plan.settings.targets.join(", ");
            let told =
                messages::rd::listens(&plan.name, host.address(), plan.settings.mode, targets);
            self.shared.operator.tell(told);
        }
        hosts.serve = serve;
        hosts.serve.extend(begun);
        Ok(hosts.serve.len())
    }

    /// Where hosts listen, by name.
    pub fn addresses(&self) -> Vec<(String, SocketAddr)> {
        let hosts = self.hosts();
        let serve = hosts.serve.iter();
        serve
            .map(|host| (host.plan().name.clone(), host.address()))
            .collect()
    }

    /// Sessions now.
    pub fn sessions(&self) -> usize {
        self.shared.sessions.now()
    }

    /// Listens no more, and waits at most `time` until all sessions have ended.
    pub async fn drain(&self, time: Duration) {
        let serve = self.hosts().serve.clone();
        serve.iter().for_each(|host| host.stop());
        let begin = Instant::now();
        while self.sessions() > 0 && begin.elapsed() < time {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Ends all sessions that are left; answers how many.
    pub async fn end(&self) -> usize {
        let left = self.sessions();
        let all: Vec<_> = {
            let hosts = self.hosts();
            hosts.serve.iter().chain(&hosts.gone).cloned().collect()
        };
        for host in all {
            host.stop();
            host.listener.drain(END_TIME).await;
        }
        left
    }

    /// All figures.
    pub fn statistics(&self) -> Value {
        let hosts = self.hosts();
        let shared = &self.shared;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "pid": std::process::id(),
            "seconds": self.begun.elapsed().as_secs(),
            "threads": self.threads.len(),
            "sessions": shared.sessions.now(),
            "sessions_peak": shared.sessions.peak(),
            "max_sessions": shared.most(),
            "times_at_max_sessions": shared.sessions.reached(),
            "hosts": hosts.serve.iter().map(|host| of_host(host)).collect::<Vec<_>>(),
        })
    }

    fn hosts(&self) -> MutexGuard<'_, Hosts> {
        self.hosts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Redirector {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        for thread in self.ends.drain(..) {
            let _ = thread.join();
        }
    }
}
