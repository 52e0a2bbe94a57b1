//! What the processes of a region used of the machine, read when statistics are.
//!
//! What: processor time, memory, threads, bytes read from and written to disks and the time of
//! waiting for them, of the region's process and of its workers together. Why from `/proc`: it
//! counts workers that have ended too, with the process they were forked from. Not here: processor
//! time by task (`stopwatch`).

use crate::gauge::group;
use std::collections::HashMap;
use std::fs;
use transom_region_api::StatisticsGroup;

/// Milliseconds of a clock tick of /proc/PID/stat; fixed by the Linux user interface.
const TICK_MS: u64 = 10;
/// Bytes of a page on the machines this runs on.
const PAGE_BYTES: u64 = 4_096;

/// Fields of /proc/PID/stat behind the name, counted from the state.
const PARENT: usize = 1;
const USER: usize = 11;
const SYSTEM: usize = 12;
const ENDED_USER: usize = 13;
const ENDED_SYSTEM: usize = 14;
const THREADS: usize = 17;
const PAGES: usize = 21;
const DISK_WAIT: usize = 39;

/// What some processes used.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Used {
    processes: u64,
    threads: u64,
    user_ms: u64,
    system_ms: u64,
    memory_bytes: u64,
    read_bytes: u64,
    written_bytes: u64,
    disk_wait_ms: u64,
}

/// Two groups: the region's process, and all processes below it.
pub fn processes() -> Vec<StatisticsGroup> {
    let own = std::process::id();
    let mut region = Used::default();
    region.add(own, false);
    let mut below = Used::default();
    for pid in descendants(own, &parents()) {
        // What has ended is counted with who waited for it.
        below.add(pid, true);
    }
    vec![
        region.group("process of the region"),
        below.group("processes of workers"),
    ]
}

impl Used {
    /// Adds a process; one that has just ended adds nothing.
    fn add(&mut self, pid: u32, with_ended: bool) {
        let Some(fields) = stat(pid) else {
            return;
        };
        let of = |field: usize| fields.get(field).copied().unwrap_or(0);
        self.processes += 1;
        self.threads += of(THREADS);
        self.user_ms += of(USER) * TICK_MS;
        self.system_ms += of(SYSTEM) * TICK_MS;
        if with_ended {
            self.user_ms += of(ENDED_USER) * TICK_MS;
            self.system_ms += of(ENDED_SYSTEM) * TICK_MS;
        }
        self.memory_bytes += of(PAGES) * PAGE_BYTES;
        self.disk_wait_ms += of(DISK_WAIT) * TICK_MS;
        let io = fs::read_to_string(format!("/proc/{pid}/io")).unwrap_or_default();
        self.read_bytes += value(&io, "read_bytes: ");
        self.written_bytes += value(&io, "write_bytes: ");
    }

    fn group(&self, name: &'static str) -> StatisticsGroup {
        group(
            name,
            &[
                ("processes", self.processes),
                ("threads", self.threads),
                ("cpu_user_ms", self.user_ms),
                ("cpu_system_ms", self.system_ms),
                ("memory_bytes", self.memory_bytes),
                ("disk_read_bytes", self.read_bytes),
                ("disk_written_bytes", self.written_bytes),
                ("disk_wait_ms", self.disk_wait_ms),
            ],
        )
    }
}

/// The numbers of /proc/PID/stat behind the name, which may have blanks and brackets.
fn stat(pid: u32) -> Option<Vec<u64>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    numbers(&text)
}

fn numbers(stat: &str) -> Option<Vec<u64>> {
    let (_, behind) = stat.rsplit_once(')')?;
    let fields = behind.split_whitespace();
    Some(fields.map(|field| field.parse().unwrap_or(0)).collect())
}

fn value(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|value| value.trim().parse().ok())
        .unwrap_or(0)
}

/// Parents of all processes there are.
fn parents() -> HashMap<u32, u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |pid: u32| Some((pid, u32::try_from(*stat(pid)?.get(PARENT)?).ok()?));
    pids.filter_map(parent).collect()
}

/// Those whose parent is this one, and theirs.
fn descendants(of: u32, parents: &HashMap<u32, u32>) -> Vec<u32> {
    let (mut found, mut from) = (vec![of], 0);
    while from < found.len() {
        let parent = found[from];
        let children = parents.iter().filter(|(_, is)| **is == parent);
        let new = children
            .map(|(pid, _)| *pid)
            .filter(|pid| !found.contains(pid));
        let new: Vec<u32> = new.collect();
        found.extend(new);
        from += 1;
    }
    found.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_hides_no_number() {
        let stat = "42 (a ) b) S 7 1 1 0 -1 0 0 0 0 0 11 12 13 14 20 0 5 0 99 8192 3 0";
        let fields = numbers(stat).unwrap();
        let of = [
            PARENT,
            USER,
            SYSTEM,
            ENDED_USER,
            ENDED_SYSTEM,
            THREADS,
            PAGES,
        ];
        assert_eq!(of.map(|field| fields[field]), [7, 11, 12, 13, 14, 5, 3]);
    }

    #[test]
    fn children_of_children_belong_to_it() {
        let parents = HashMap::from([(2, 1), (3, 2), (4, 3), (5, 1), (9, 8)]);
        let mut found = descendants(2, &parents);
        found.sort();
        assert_eq!(found, [3, 4]);
    }

    #[test]
    fn this_process_uses_something() {
        let groups = processes();
        let of = |name: &str| {
            let value = groups[0].values.iter().find(|value| value.name == name);
            value.unwrap().value
        };
        assert!(of("memory_bytes") > 0 && of("threads") > 0);
        assert_eq!(of("processes"), 1);
    }
}
