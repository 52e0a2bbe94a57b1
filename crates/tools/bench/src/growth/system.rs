//! The executable on a system of the bench, called through its local adapters.
//!
//! Why a process: starts, stops and memory are those that a user has. Not here: what is measured.

use crate::cpu;
use crate::region;
use crate::servers::{run_to_end, transom_exe};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Control, Programs};

const SYSTEM: &str = "bench/growth/system";
/// The group of its local adapters.
const GROUP: &str = "DEFAULT";
/// How long a start, a stop or a program may take.
const PATIENCE: Duration = Duration::from_secs(600);

/// A system directory, and the region that serves it.
pub(super) struct System {
    folder: TempDir,
    adapters: LocalAdapters,
    region: Option<Child>,
}

impl System {
    /// A compiled copy that nobody serves yet.
    pub(super) fn new() -> Result<Self, String> {
        let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
        let dir = folder.path().join("system");
        run_to_end(Command::new("cp").arg("-r").arg(SYSTEM).arg(&dir))?;
        run_to_end(Command::new(transom_exe()?).arg("build").arg(&dir))?;
        let config = AdaptersConfig::new(&folder.path().join(GROUP), "BENCH");
        Ok(Self {
            folder,
            adapters: LocalAdapters::new(config),
            region: None,
        })
    }

    /// Serves it; seconds until it answers.
    pub(super) fn start(&mut self) -> Result<f64, String> {
        let begin = Instant::now();
        let mut command = Command::new(transom_exe()?);
        command.arg("run").arg(self.folder.path().join("system"));
        command.env("TRANSOM_RUNTIME_DIR", self.folder.path());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        self.region = Some(command.spawn().map_err(|e| e.to_string())?);
        while self.adapters.info().is_err() {
            if begin.elapsed() > PATIENCE || self.ended() {
                return Err("the region does not start".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(begin.elapsed().as_secs_f64())
    }

    fn ended(&mut self) -> bool {
        let region = self.region.as_mut();
        region.is_none_or(|region| !matches!(region.try_wait(), Ok(None)))
    }

    /// Runs a program with two numbers; seconds.
    pub(super) async fn link(&self, program: &str, numbers: [u32; 2]) -> Result<f64, String> {
        let begin = Instant::now();
        let [first, second] = numbers;
        let commarea = format!("{first:08}{second:08}").into_bytes();
        let request = region::request(program, commarea, Some(PATIENCE));
        let linked = self.adapters.link(request).await;
        linked.map_err(|failure| format!("{program}: {}", failure.text))?;
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Stops it in order; seconds.
    pub(super) fn stop(&mut self) -> Result<f64, String> {
        let begin = Instant::now();
        let dir = self.folder.path().join("system");
        let mut stop = Command::new(transom_exe()?);
        run_to_end(stop.arg("stop").arg(dir).arg("--timeout").arg("600"))?;
        while !self.ended() {
            if begin.elapsed() > PATIENCE {
                return Err("the region does not stop".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.region = None;
        Ok(begin.elapsed().as_secs_f64())
    }

    /// Memory of the region and its workers in megabytes, what they share counted once.
    pub(super) fn memory_mb(&self) -> f64 {
        let region = self.region.as_ref();
        region.map_or(0.0, |region| cpu::tree_pss_mb(region.id()))
    }

    /// Processes of the region.
    pub(super) fn processes(&self) -> usize {
        let region = self.region.as_ref();
        region.map_or(0, |region| cpu::tree_pids(region.id()).len())
    }
}

impl Drop for System {
    fn drop(&mut self) {
        if let Some(mut region) = self.region.take() {
            let _killed = region.kill();
            let _gone = region.wait();
        }
    }
}
