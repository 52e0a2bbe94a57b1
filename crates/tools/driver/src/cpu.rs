//! CPU time of processes, read from /proc.

use std::collections::BTreeSet;
use std::fs;

/// Clock ticks per second of /proc/PID/stat; fixed by the Linux user interface.
const TICKS_PER_S: f64 = 100.0;

/// User plus system time of all processes that match one of the names, in seconds.
pub(crate) fn seconds(names: &[String]) -> f64 {
    pids(names)
        .into_iter()
        .filter_map(ticks)
        .map(|t| t as f64 / TICKS_PER_S)
        .sum()
}

/// CPU of this process, seconds.
pub(crate) fn own_seconds() -> f64 {
    ticks(std::process::id()).map_or(0.0, |t| t as f64 / TICKS_PER_S)
}

/// Processes by number or by command name. This process is never among them.
pub(crate) fn pids(names: &[String]) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    if names.is_empty() {
        return found;
    }
    found.extend(names.iter().filter_map(|n| n.parse::<u32>().ok()));
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|n| n.parse::<u32>().ok())
        else {
            continue;
        };
        let command = fs::read_to_string(entry.path().join("comm")).unwrap_or_default();
        if names.iter().any(|n| n == command.trim_end()) {
            found.insert(pid);
        }
    }
    found.remove(&std::process::id());
    found
}

/// utime + stime, the 14th and 15th field; the command in brackets may contain blanks.
fn ticks(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_process() {
        let own = ticks(std::process::id());
        assert!(own.is_some());
        assert!(!pids(&[std::process::id().to_string()]).contains(&std::process::id()));
        assert_eq!(seconds(&["no such process".into()]), 0.0);
    }
}
