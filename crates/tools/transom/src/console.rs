//! The console of a system directory: how `transom status` and `transom stop` reach its region.
//!
//! What: a Unix socket in `.transom`, one request and one answer for each connection, each a line
//! of JSON. Only the user of the region, the owner of the directory and root get an answer. A
//! connection stays open until the region has ended, so its end is the end of the region. Not here:
//! asking (`tools/plex`), what an operator does at a terminal (CEMT), links of other processes
//! (intersystem).

use crate::lives::Lives;
use crate::system::SystemDirectory;
use serde_json::{Value, json};
use std::fs::DirBuilder;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use transom_log::operator;
use transom_messages as messages;
use transom_plex::console::{Short, socket};
use transom_region_api::Control;
use transom_region_server::LocalRegion;
use transom_reload::Reload;

/// Connections at a time; more wait in the backlog.
const CONNECTIONS_MAX: usize = 16;
/// Longest request.
const REQUEST_BYTES_MAX: u64 = 4_096;
/// Time a client has for its request.
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// How long a client that waits for the end is kept.
const KEPT: Duration = Duration::from_secs(24 * 3_600);

/// Statistics of what the region's processes used.
const PROCESSES: [&str; 2] = ["process of the region", "processes of workers"];

/// What answers.
struct Console {
    region: Arc<LocalRegion>,
    reload: Arc<Reload>,
    owner: u32,
    since_ms: u64,
    listeners: Vec<String>,
}

/// Opens the console of a region that has just started. A region without is better than none.
pub(crate) fn open(
    system: &SystemDirectory,
    (region, reload): (&Arc<LocalRegion>, &Arc<Reload>),
    listeners: Vec<String>,
    lives: &Lives,
) {
    let (listener, owner) = match bind(system) {
        Ok(bound) => bound,
        Err(error) => return operator().tell(messages::bk::no_console(error)),
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let console = Arc::new(Console {
        region: region.clone(),
        reload: reload.clone(),
        owner,
        since_ms: since.map_or(0, |since| since.as_millis() as u64),
        listeners,
    });
    let life = lives.must_live("the console");
    tokio::spawn(async move {
        let _life = life;
        console.serve(listener).await;
    });
}

fn bind(system: &SystemDirectory) -> io::Result<(UnixListener, u32)> {
    let socket = socket(&system.root);
    let folder = socket.parent().unwrap_or(&system.root);
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let short = Short::of(&socket)?;
    if std::os::unix::net::UnixStream::connect(&short.path).is_ok() {
        return Err(io::Error::other("another region answers there"));
    }
    match std::fs::remove_file(&socket) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let listener = UnixListener::bind(&short.path)?;
    Ok((listener, std::fs::metadata(&system.root)?.uid()))
}

impl Console {
    async fn serve(self: Arc<Self>, listener: UnixListener) {
        let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        loop {
            let Ok(place) = places.clone().acquire_owned().await else {
                return;
            };
            let Ok((stream, _)) = listener.accept().await else {
                // No descriptors, most likely.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            };
            let console = self.clone();
            tokio::spawn(async move {
                let _place = place;
                // Who goes away gets no answer.
                let _done = console.talk(stream).await;
            });
        }
    }

    async fn talk(&self, mut stream: UnixStream) -> io::Result<()> {
        let peer = stream.peer_cred()?.uid();
        let own = rustix::process::geteuid().as_raw();
        if peer != 0 && peer != own && peer != self.owner {
            return Ok(());
        }
        let (read, mut write) = stream.split();
        let mut read = BufReader::new(read.take(REQUEST_BYTES_MAX));
        let mut line = String::new();
        tokio::time::timeout(REQUEST_TIME, read.read_line(&mut line)).await??;
        let request: Value = serde_json::from_str(&line).unwrap_or_default();
        let answer = self.answer(&request).await;
        write.write_all(format!("{answer}\n").as_bytes()).await?;
        if request["wait"] == true {
            let mut rest = Vec::new();
            let gone = read.read_to_end(&mut rest);
            let _gone = tokio::time::timeout(KEPT, gone).await;
        }
        Ok(())
    }

    async fn answer(&self, request: &Value) -> Value {
        match request["command"].as_str() {
            Some("status") => self.status().await,
            Some("stop") => {
                operator().tell(messages::bk::stop_asked());
                self.region.ask_shutdown(request["immediate"] == true);
                json!({"stopping": true})
            }
            Some("reload") => self.reload.answer().await,
            _ => json!({"error": "no such command"}),
        }
    }

    async fn status(&self) -> Value {
        let Ok(info) = self.region.info() else {
            return json!({"error": "the region does not answer"});
        };
        json!({
            "state": if info.stopping { "stopping" } else { "running" },
            "pid": std::process::id(),
            "applid": info.applid.as_str(),
            "sysid": info.sysid.as_str(),
            "version": env!("CARGO_PKG_VERSION"),
            "since_ms": self.since_ms,
            "tasks": info.tasks,
            "max_tasks": info.max_tasks,
            "workers": info.workers,
            "listeners": self.listeners,
            "queued": self.figure(&["transaction manager"], &["queued"]),
            "cpu_ms": self.figure(&PROCESSES, &["cpu_user_ms", "cpu_system_ms"]),
            "mirrors": self.figure(&["links"], &["mirrors"]),
            "in_doubt": self.in_doubt().await,
            "links": self.links(),
        })
    }

    /// The sum of figures of the statistics.
    fn figure(&self, groups: &[&str], names: &[&str]) -> u64 {
        let all = self.region.statistics().unwrap_or_default();
        let groups = all.iter().filter(|group| groups.contains(&group.name));
        let figures = groups.flat_map(|group| &group.values);
        let asked = figures.filter(|figure| names.contains(&figure.name));
        asked.map(|figure| figure.value).sum()
    }

    /// Units of work that are prepared here and wait for who decides; null: the store is away.
    async fn in_doubt(&self) -> Option<usize> {
        let manager = self.region.syncpoint_manager()?;
        manager.in_doubt().await.ok().map(|uows| uows.len())
    }

    fn links(&self) -> Vec<Value> {
        let link = |link: transom_region_links::LinkReading| {
            let mut shown = json!({
                "name": link.name.as_str(),
                "applid": link.applid.as_str(),
                "state": if link.acquired { "acquired" } else { "released" },
            });
            for (name, value) in link.figures {
                shown[name] = json!(value);
            }
            shown
        };
        self.region.links().into_iter().map(link).collect()
    }
}
