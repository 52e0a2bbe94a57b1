//! The processes of regions: started, watched, told to end.
//!
//! What: each region is `transom run` in a process group of its own, so that Ctrl-C reaches the one
//! who stops them in order. It ends when its starter does, however that ends. Not here: which ones
//! and when (`run`).

use crate::console::ask;
use crate::lines;
use serde_json::json;
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};
use transom_settings::PlexRegion;

/// Restarts are counted over this time.
const WINDOW: Duration = Duration::from_secs(3_600);

/// A region of the plex.
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) dir: PathBuf,
    options: Vec<String>,
    restarts_max: u32,
    restarted: VecDeque<Instant>,
    child: Option<Child>,
    began: Instant,
    ready: bool,
}

impl Region {
    pub(crate) fn new(folder: &Path, region: &PlexRegion) -> Self {
        let options = region.settings.options.split_whitespace();
        Self {
            name: region.name.clone(),
            dir: folder.join(region.dir()),
            options: options.map(str::to_owned).collect(),
            restarts_max: region.settings.restarts,
            restarted: VecDeque::new(),
            child: None,
            began: Instant::now(),
            ready: false,
        }
    }

    /// Starts its process.
    pub(crate) fn start(&mut self, say: fn(&str)) -> io::Result<()> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("run")
            .arg(&self.dir)
            .args(&self.options)
            .arg("--end-with-parent")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        if let Some(stream) = child.stdout.take() {
            tokio::spawn(lines::each(stream, self.name.clone(), say));
        }
        if let Some(stream) = child.stderr.take() {
            tokio::spawn(lines::each(stream, self.name.clone(), say));
        }
        (self.began, self.ready) = (Instant::now(), false);
        self.child = Some(child);
        Ok(())
    }

    /// It has just become ready.
    pub(crate) fn became_ready(&mut self) -> bool {
        if self.ready || self.child.is_none() {
            return false;
        }
        let Ok((answer, _)) = ask(&self.dir, &json!({"command": "status"})) else {
            return false;
        };
        // A console that another process has left open is not that of this one.
        let own = self.child.as_ref().and_then(Child::id);
        self.ready = answer["state"] == "running" && answer["pid"].as_u64() == own.map(u64::from);
        self.ready
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.ready
    }

    pub(crate) fn runs(&self) -> bool {
        self.child.is_some()
    }

    /// Time since its start.
    pub(crate) fn age(&self) -> Duration {
        self.began.elapsed()
    }

    /// How it ended, once.
    pub(crate) fn ended(&mut self) -> Option<ExitStatus> {
        let status = self.child.as_mut()?.try_wait().ok().flatten()?;
        self.child = None;
        Some(status)
    }

    /// It may be started again now; that is counted.
    pub(crate) fn may_restart(&mut self) -> bool {
        while self
            .restarted
            .front()
            .is_some_and(|at| at.elapsed() > WINDOW)
        {
            self.restarted.pop_front();
        }
        let may = self.restarted.len() < self.restarts_max as usize;
        if may {
            self.restarted.push_back(Instant::now());
        }
        may
    }

    /// Time to the next start: each one within an hour waits longer.
    pub(crate) fn pause(&self) -> Duration {
        let times = u32::try_from(self.restarted.len()).unwrap_or(u32::MAX);
        Duration::from_secs(1 << times.saturating_sub(1).min(5))
    }

    /// Ends it at once; `ended` says so.
    pub(crate) fn kill(&mut self) {
        if let Some(child) = &mut self.child {
            // Gone already: the same.
            let _ = child.start_kill();
        }
    }

    /// Asks it to end, and waits; `false`: it had to be killed.
    pub(crate) async fn stop(&mut self, patience: Duration) -> bool {
        let Some(mut child) = self.child.take() else {
            return true;
        };
        let own = child.id().and_then(|id| i32::try_from(id).ok());
        if let Some(pid) = own.and_then(rustix::process::Pid::from_raw) {
            // Gone already: the wait says so.
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        if tokio::time::timeout(patience, child.wait()).await.is_ok() {
            return true;
        }
        let _ = child.kill().await;
        false
    }
}
