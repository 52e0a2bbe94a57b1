//! CPU time and memory of a process and everything below it.

use std::collections::HashMap;
use std::fs;

/// Clock ticks per second of /proc/PID/stat; fixed by the Linux user interface.
const TICKS_PER_S: f64 = 100.0;

struct Process {
    parent: u32,
    ticks: u64,
    /// Ticks of children that ended and were waited for.
    ended: u64,
}

/// User plus system seconds of a process, of its living descendants and of the dead ones.
pub(crate) fn tree_seconds(root: u32) -> f64 {
    let all = processes();
    let ticks: u64 = tree(&all, root)
        .iter()
        .filter_map(|pid| all.get(pid))
        .map(|p| p.ticks + p.ended)
        .sum();
    ticks as f64 / TICKS_PER_S
}

/// The same of all living threads, to the nanosecond.
pub(crate) fn ran_seconds(root: u32) -> f64 {
    let ran = |task: fs::DirEntry| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    let tasks = |pid| {
        fs::read_dir(format!("/proc/{pid}/task"))
            .into_iter()
            .flatten()
            .flatten()
    };
    let all = tree_pids(root).into_iter().flat_map(tasks);
    all.filter_map(ran).sum::<u64>() as f64 / 1e9
}

/// Times living threads of a process and its descendants went to sleep.
pub(crate) fn switches(root: u32) -> u64 {
    let of = |pid: u32| {
        let tasks = fs::read_dir(format!("/proc/{pid}/task"));
        let texts = tasks.into_iter().flatten().flatten();
        let texts = texts.filter_map(|task| fs::read_to_string(task.path().join("status")).ok());
        let counts = texts.filter_map(|text| {
            let line = text
                .lines()
                .find(|l| l.starts_with("voluntary_ctxt_switches:"))?;
            line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok()
        });
        counts.sum::<u64>()
    };
    tree_pids(root).into_iter().map(of).sum()
}

/// Numbers of a process and its descendants.
pub(crate) fn tree_pids(root: u32) -> Vec<u32> {
    tree(&processes(), root)
}

/// Proportional set size of a process and its descendants in MB: shared pages count once.
pub(crate) fn tree_pss_mb(root: u32) -> f64 {
    let kb: u64 = tree_pids(root)
        .into_iter()
        .filter_map(|pid| memory_kb(pid, "Pss:"))
        .sum();
    kb as f64 / 1024.0
}

/// Memory of one process in MB that is neither of a file nor shared.
pub(crate) fn anonymous_mb(pid: u32) -> f64 {
    memory_kb(pid, "Anonymous:").unwrap_or(0) as f64 / 1024.0
}

/// Resident memory of one process in MB, pages of files that it maps included.
pub(crate) fn rss_mb(pid: u32) -> f64 {
    memory_kb(pid, "Rss:").unwrap_or(0) as f64 / 1024.0
}

fn memory_kb(pid: u32, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    text.lines()
        .find(|l| l.starts_with(name))?
        .split_ascii_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

fn tree(all: &HashMap<u32, Process>, root: u32) -> Vec<u32> {
    let mut found = vec![root];
    let mut at = 0;
    while at < found.len() {
        let parent = found[at];
        found.extend(
            all.iter()
                .filter(|(_, p)| p.parent == parent)
                .map(|(pid, _)| *pid),
        );
        at += 1;
    }
    found
}

fn processes() -> HashMap<u32, Process> {
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok())
        .filter_map(|pid| Some((pid, read(pid)?)))
        .collect()
}

fn read(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<u64> = stat
        .rsplit_once(')')?
        .1
        .split_ascii_whitespace()
        .skip(1)
        .take(14)
        .map(|f| f.parse().unwrap_or(0))
        .collect();
    Some(Process {
        parent: u32::try_from(*fields.first()?).ok()?,
        ticks: fields.get(10)? + fields.get(11)?,
        ended: fields.get(12)? + fields.get(13)?,
    })
}
