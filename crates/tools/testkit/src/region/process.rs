//! A region as a process: its log, its workers, its death.
//!
//! Not here: its directory (`system`), when it dies.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::process::{Child, Command};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long its workers may take to go.
const PATIENCE: Duration = Duration::from_secs(60);
/// Lines shown of the beginning and of the end of a log.
const LINES_SHOWN: usize = 5;

/// A running region.
pub(super) struct Process {
    child: Child,
    said: Arc<Mutex<String>>,
}

impl Process {
    /// Keeps what it says.
    pub(super) fn of(mut child: Child) -> Self {
        let said = Arc::new(Mutex::new(String::new()));
        let (kept, err) = (said.clone(), child.stderr.take());
        std::thread::spawn(move || {
            let mut buffer = [0; 4_096];
            let mut err = err;
            while let Some(Ok(n @ 1..)) = err.as_mut().map(|e| e.read(&mut buffer)) {
                let text =
                    String::from_utf8_lossy(buffer.get(..n).unwrap_or_default()).into_owned();
                kept.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push_str(&text);
            }
        });
        Self { child, said }
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether its log has this text.
    pub(super) fn has_said(&self, text: &str) -> bool {
        self.said
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(text)
    }

    /// Beginning and end of its log.
    pub(super) fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<&str> = said.lines().collect();
        let (first, last) = (
            lines.iter().take(LINES_SHOWN),
            lines.iter().rev().take(LINES_SHOWN),
        );
        let shown: Vec<&str> = first.chain(last.rev()).copied().collect();
        shown.join("\n")
    }

    /// True when it has ended by itself.
    pub(super) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Kills one of its worker processes; false when there is none.
    pub(super) fn kill_a_worker(&self, choice: u64) -> bool {
        let all = descendants(self.child.id());
        let parents: BTreeSet<u32> = all.iter().map(|p| p.1).collect();
        let workers: Vec<u32> = all
            .iter()
            .map(|p| p.0)
            .filter(|p| !parents.contains(p))
            .collect();
        let Some(worker) = workers.get(choice as usize % workers.len().max(1)) else {
            return false;
        };
        let killed = Command::new("kill")
            .args(["-9", &worker.to_string()])
            .output();
        killed.is_ok_and(|o| o.status.success())
    }

    /// SIGKILL; its workers must go, too.
    pub(super) fn kill(mut self) -> Result<(), String> {
        let workers = descendants(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
        let begin = Instant::now();
        while workers.iter().any(|(pid, _)| is_alive(*pid)) {
            if begin.elapsed() > PATIENCE {
                return Err("worker processes outlive their region".to_owned());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Processes below a process, with their parents.
fn descendants(root: u32) -> Vec<(u32, u32)> {
    let mut all = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_string_lossy().parse::<u32>();
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // The name in parentheses may hold anything.
        let after = stat.rsplit_once(')').map_or("", |(_, r)| r);
        let parent = after.split_whitespace().nth(1).and_then(|p| p.parse().ok());
        if let (Ok(pid), Some(parent)) = (pid, parent) {
            all.push((pid, parent));
        }
    }
    let mut below = BTreeSet::from([root]);
    loop {
        let more: Vec<u32> = all
            .iter()
            .filter(|(pid, parent)| below.contains(parent) && !below.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            break;
        }
        below.extend(more);
    }
    below.remove(&root);
    all.retain(|(pid, _)| below.contains(pid));
    all
}

fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(") ").and_then(|(_, r)| r.chars().next());
    state.is_some_and(|s| s != 'Z' && s != 'X')
}
