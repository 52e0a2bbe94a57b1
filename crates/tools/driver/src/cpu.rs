//! CPU time of processes, read from /proc.
//!
//! What: a process is named by its number, by its command, or as `@PORT`: whoever listens at that
//! port here, and all processes below. Why the last: several servers of one name may run, and a
//! region is a process with workers. Not here: what the time is divided by.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Clock ticks per second of /proc/PID/stat; fixed by the Linux user interface.
const TICKS_PER_S: f64 = 100.0;

/// CPU of the processes with one name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ProcessCpu {
    /// As it was given.
    pub name: String,
    /// Percent of one processor.
    pub percent: f64,
    /// Milliseconds for each good reply or screen.
    pub each_ms: f64,
}

/// User plus system time of all processes that match one of the names, in seconds.
pub(crate) fn seconds(names: &[String]) -> f64 {
    let all = processes();
    let mut found = BTreeMap::new();
    for name in names {
        // A process of two names counts once.
        found.extend(matching(&all, name));
    }
    found.values().sum::<u64>() as f64 / TICKS_PER_S
}

/// The same name by name.
pub(crate) fn each(names: &[String]) -> Vec<f64> {
    let all = processes();
    let of = |name: &String| matching(&all, name).values().sum::<u64>() as f64 / TICKS_PER_S;
    names.iter().map(of).collect()
}

/// What each name used between two readings of [`each`].
pub(crate) fn used(
    names: &[String],
    (before, after): (&[f64], &[f64]),
    seconds: f64,
    good: u64,
) -> Vec<ProcessCpu> {
    let spent = before.iter().zip(after).map(|(b, a)| (a - b).max(0.0));
    let row = |(name, spent): (&String, f64)| ProcessCpu {
        name: name.clone(),
        percent: spent / seconds.max(0.001) * 100.0,
        each_ms: spent * 1e3 / good.max(1) as f64,
    };
    names.iter().zip(spent).map(row).collect()
}

/// CPU of this process, seconds.
pub(crate) fn own_seconds() -> f64 {
    let own = read(std::process::id());
    own.map_or(0.0, |own| own.ticks as f64 / TICKS_PER_S)
}

/// Whether somebody can be found for each name.
///
/// # Errors
/// Who is missing.
pub(crate) fn checked(names: &[String]) -> Result<(), String> {
    for name in names.iter().filter(|name| name.starts_with('@')) {
        if listeners(name).is_empty() {
            let port = name.trim_start_matches('@');
            return Err(format!(
                "--process {name}: no process that may be looked at listens at port {port} here"
            ));
        }
    }
    Ok(())
}

struct Process {
    command: String,
    parent: u32,
    ticks: u64,
    /// Of children that have ended.
    ended: u64,
}

/// Processes of a name with their ticks. This process is never among them.
fn matching(all: &BTreeMap<u32, Process>, name: &str) -> BTreeMap<u32, u64> {
    let own = std::process::id();
    if name.starts_with('@') {
        let mut found = listeners(name);
        loop {
            let below = all.iter().filter(|(_, p)| found.contains(&p.parent));
            let more: BTreeSet<u32> = below.map(|(pid, _)| *pid).collect();
            let known = found.len();
            found.extend(more);
            if found.len() == known {
                break;
            }
        }
        found.remove(&own);
        let ticks = |pid: u32| all.get(&pid).map(|p| (pid, p.ticks + p.ended));
        return found.into_iter().filter_map(ticks).collect();
    }
    let number = name.parse::<u32>().ok();
    let matches = |pid: &u32, p: &Process| number == Some(*pid) || p.command == name;
    all.iter()
        .filter(|(pid, p)| **pid != own && matches(pid, p))
        .map(|(pid, p)| (*pid, p.ticks))
        .collect()
}

/// Who listens at `@PORT`.
fn listeners(name: &str) -> BTreeSet<u32> {
    let Some(port) = name.strip_prefix('@').and_then(|p| p.parse::<u16>().ok()) else {
        return BTreeSet::new();
    };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(fs::read_to_string);
    let sockets: BTreeSet<String> = tables
        .iter()
        .flatten()
        .flat_map(|table| listening(table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    let owns = |pid: &u32| {
        let files = fs::read_dir(format!("/proc/{pid}/fd"));
        files.into_iter().flatten().flatten().any(|file| {
            let link = fs::read_link(file.path());
            link.is_ok_and(|link| sockets.contains(&*link.to_string_lossy()))
        })
    };
    match sockets.is_empty() {
        true => BTreeSet::new(),
        false => pids().filter(owns).collect(),
    }
}

/// Inodes of sockets that listen at a port, from /proc/net/tcp.
fn listening(table: &str, port: u16) -> Vec<&str> {
    let row = |line: &'_ str| -> Option<bool> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (_, of_row) = words.get(1)?.rsplit_once(':')?;
        // 0A is LISTEN.
        Some(u16::from_str_radix(of_row, 16).ok()? == port && *words.get(3)? == "0A")
    };
    table
        .lines()
        .filter(|line| row(line) == Some(true))
        .filter_map(|line| line.split_ascii_whitespace().nth(9))
        .collect()
}

fn pids() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn processes() -> BTreeMap<u32, Process> {
    pids().filter_map(|pid| Some((pid, read(pid)?))).collect()
}

/// Fields of /proc/PID/stat; the command in brackets may contain blanks and brackets.
fn read(pid: u32) -> Option<Process> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (begin, rest) = stat.rsplit_once(')')?;
    let (_, command) = begin.split_once('(')?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let field = |nth: usize| fields.get(nth)?.parse::<u64>().ok();
    Some(Process {
        command: command.to_owned(),
        parent: u32::try_from(field(1)?).ok()?,
        ticks: field(11)? + field(12)?,
        ended: field(13)? + field(14)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_process() {
        let own = read(std::process::id()).unwrap();
        assert!(own.parent > 0 && !own.command.is_empty());
        let names = [std::process::id().to_string(), own.command];
        assert!(matching(&processes(), &names[0]).is_empty());
        assert!(seconds(&[]) == 0.0 && each(&names).len() == 2);
    }

    #[test]
    fn a_port_is_that_of_its_listener_alone() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:0CC8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1\n\
            1: 0100007F:0CC8 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 4712 1\n";
        assert_eq!(listening(table, 3_272), ["4711"]);
        assert!(listening(table, 3_273).is_empty());
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let name = format!("@{}", socket.local_addr().unwrap().port());
        assert_eq!(checked(std::slice::from_ref(&name)), Ok(()));
        assert!(listeners(&name).contains(&std::process::id()));
        drop(socket);
        assert!(checked(&[name]).unwrap_err().contains("listens at port"));
    }
}
