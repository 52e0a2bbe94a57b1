//! The executable on a copy of the system, and what of it may not grow.
//!
//! What: programs of the soak behind the doors of the gateway sample and a terminal listener; its
//! log goes to a device that is full. Why a copy: it is written to. Not here: load (`callers`).

use crate::cpu;
use crate::figure::{self, Goal};
use crate::region;
use crate::servers::{free_port, run_to_end, transom_exe};
use crate::soak::{children, open_files};
use std::fs::File;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Control, Fault, Programs};
use transom_types::Payload;

const SYSTEM: &str = "bench/soak/system";
/// What the gateway sample has for its APIs.
const GATEWAY: &str = "samples/gateway";
const API: [&str; 4] = ["bindfiles", "schemas", "resources", "server.xml"];
/// The group of its local adapters.
const GROUP: &str = "CATMGR1+CATMGR2+CATMGR3";
/// How long the region may take to start and compile.
const START: Duration = Duration::from_secs(120);
/// How long a program may take.
const LINK: Duration = Duration::from_secs(30);

/// A running region.
pub(super) struct Region {
    child: Child,
    adapters: LocalAdapters,
    /// Where it listens.
    pub(super) http: u16,
    pub(super) tn3270: u16,
    _folder: tempfile::TempDir,
}

impl Region {
    pub(super) async fn start() -> Result<Self, String> {
        let text = |e: std::io::Error| e.to_string();
        let folder = tempfile::tempdir_in("/tmp").map_err(text)?;
        let dir = folder.path().join("system");
        run_to_end(Command::new("cp").arg("-r").arg(SYSTEM).arg(&dir))?;
        for name in API {
            let from = format!("{GATEWAY}/{name}");
            run_to_end(Command::new("cp").arg("-r").arg(from).arg(&dir))?;
        }
        let full = File::options().write(true).open("/dev/full");
        let (http, https, tn3270) = (free_port()?, free_port()?, free_port()?);
        let child = Command::new(transom_exe()?)
            .arg("run")
            .arg(&dir)
            .args(["--http", &http.to_string(), "--https", &https.to_string()])
            .args(["--tn3270", &tn3270.to_string()])
            .env("TRANSOM_RUNTIME_DIR", folder.path())
            .stdout(Stdio::null())
            .stderr(full.map_err(text)?)
            .spawn()
            .map_err(text)?;
        let config = AdaptersConfig::new(&folder.path().join(GROUP), "BENCH");
        let region = Self {
            child,
            adapters: LocalAdapters::new(config),
            http,
            tn3270,
            _folder: folder,
        };
        let begin = Instant::now();
        let listens = |port| std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        while region.adapters.info().is_err() || !listens(http) || !listens(tn3270) {
            if begin.elapsed() > START {
                return Err("the region does not start".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Ok(region)
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Runs a program; its COMMAREA afterwards.
    pub(super) async fn link(&self, program: &str, commarea: Vec<u8>) -> Result<Vec<u8>, Fault> {
        let request = region::request(program, commarea, Some(LINK));
        let linked = self.adapters.link(request).await;
        linked
            .map_err(|failure| failure.fault)
            .map(|output| match output.payload {
                Payload::Commarea(bytes) => bytes,
                _ => Vec::new(),
            })
    }

    /// What was counted in records from one key to another.
    pub(super) async fn total(&self, first: u64, last: u64) -> Result<u64, String> {
        let commarea = format!("{first:08}{last:08}{:012}", 0).into_bytes();
        let answer = self.link("TOTAL", commarea).await;
        let answer = answer.map_err(|fault| format!("TOTAL: {fault:?}"))?;
        let digits = String::from_utf8_lossy(answer.get(16..28).unwrap_or_default()).into_owned();
        digits.parse().map_err(|e| format!("TOTAL {digits}: {e}"))
    }

    /// Places of readers that are taken. A machine that does much else may take its time.
    fn readers(&self) -> f64 {
        let begin = Instant::now();
        loop {
            let groups = self.adapters.statistics().unwrap_or_default();
            let readers = groups.iter().find(|group| group.name == "store readers");
            let now = readers.and_then(|g| g.values.iter().find(|value| value.name == "now"));
            match now {
                Some(value) => return value.value as f64,
                None if begin.elapsed() > LINK => return f64::MAX,
                None => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    pub(super) fn reading(&self) -> Reading {
        let pid = self.pid();
        let supervisors = children(pid);
        let files = |pids: &[u32]| pids.iter().map(|pid| open_files(*pid)).sum::<usize>();
        let memory = |pids: &[u32]| pids.iter().map(|pid| cpu::rss_mb(*pid)).sum::<f64>();
        let readers = self.readers();
        let files = (files(&[pid]) + files(&supervisors)) as f64;
        let workers = supervisors.iter().copied().flat_map(children).count() as f64;
        Reading {
            rss_mb: cpu::rss_mb(pid),
            own_mb: cpu::anonymous_mb(pid),
            supervisor_mb: memory(&supervisors),
            files,
            others: files - workers,
            readers,
            nobodys: (readers - workers).max(0.0),
            workers,
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// What may not grow.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    rss_mb: f64,
    /// Without pages of files: the store's grow with the store.
    own_mb: f64,
    supervisor_mb: f64,
    /// Descriptors of both, and those but one for each worker: of workers there are as many as the
    /// load needs.
    files: f64,
    others: f64,
    readers: f64,
    /// More places of readers than workers.
    nobodys: f64,
    workers: f64,
}

impl Reading {
    /// The one of fewer descriptors that are nobody's.
    pub(super) fn least(self, other: Self) -> Self {
        match other.others < self.others {
            true => other,
            false => self,
        }
    }

    pub(super) fn at_least(&self, other: &Self) -> Self {
        Self {
            rss_mb: self.rss_mb.max(other.rss_mb),
            own_mb: self.own_mb.max(other.own_mb),
            supervisor_mb: self.supervisor_mb.max(other.supervisor_mb),
            files: self.files.max(other.files),
            others: self.others.max(other.others),
            readers: self.readers.max(other.readers),
            nobodys: self.nobodys.max(other.nobodys),
            workers: self.workers.max(other.workers),
        }
    }

    /// One line for a minute.
    pub(super) fn line(&self) -> String {
        format!(
            "rss_region={:.1} own_region={:.1} rss_supervisor={:.1} readers={} files={} workers={}",
            self.rss_mb, self.own_mb, self.supervisor_mb, self.readers, self.files, self.workers
        )
    }

    /// This is the most until the warm-up was over; memory may grow by 2 MB, the rest by nothing.
    pub(super) fn compare(&self, most: &Self, last: &Self) {
        let mb = |name, of: fn(&Self) -> f64| (name, "MB", of, Some(2.0));
        let number = |name, unit, of: fn(&Self) -> f64| (name, unit, of, Some(0.0));
        let shown = |name, unit, of: fn(&Self) -> f64| (name, unit, of, None);
        for (name, unit, of, growth) in [
            mb("rss_region", |r| r.rss_mb),
            mb("own_region", |r| r.own_mb),
            mb("rss_supervisor", |r| r.supervisor_mb),
            number("descriptors", "files", |r| r.others),
            number("places_of_no_worker", "places", |r| r.nobodys),
            shown("descriptors_and_workers", "files", |r| r.files),
            shown("places_of_readers", "places", |r| r.readers),
            shown("workers", "processes", |r| r.workers),
        ] {
            figure::value(
                &format!("endurance_{name}_first"),
                of(self),
                unit,
                Goal::None,
            );
            figure::value(
                &format!("endurance_{name}_last"),
                of(last),
                unit,
                Goal::None,
            );
            let goal = growth.map_or(Goal::None, |growth| Goal::Most(of(self) + growth));
            figure::value(&format!("endurance_{name}_most"), of(most), unit, goal);
        }
    }
}
