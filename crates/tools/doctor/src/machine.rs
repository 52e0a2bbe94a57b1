//! The machine: compiler, descriptors, addresses, processor, clock.

use crate::report::Report;
use rustix::process::{Resource, getrlimit};
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Storage of programs begins at 16 MiB.
const LOWEST: u64 = 16 << 20;
/// Descriptors that a region with its default listeners can use.
const DESCRIPTORS: u64 = 4_096;
/// Before this was made: 2025.
const EARLIEST: Duration = Duration::from_secs(1_735_689_600);

pub(crate) fn look(report: &mut Report) {
    compiler(report);
    descriptors(report);
    addresses(report);
    keys(report);
    clock(report);
    if rustix::process::geteuid().is_root() {
        let text = "this is root; files that a region makes would be root's";
        let todo = "run regions as a user of their own, or name one: [region] user";
        report.note("user", text, todo);
    }
}

fn compiler(report: &mut Report) {
    match version("cobc") {
        Some(line) if line.contains("GnuCOBOL") && major(&line).is_some_and(|n| n >= 3) => {
            report.ok("cobc", line);
        }
        Some(line) => {
            let todo = "install GnuCOBOL 3 (Debian: gnucobol3) and put its cobc first in PATH";
            report.fault("cobc", format!("not GnuCOBOL 3: {line}"), todo);
        }
        None => {
            let todo =
                "install GnuCOBOL 3 (Debian: gnucobol3); programs that are compiled run without";
            report.fault("cobc", "no cobc in PATH: nothing can be compiled", todo);
        }
    }
    match version("gcc").or_else(|| version("cc")) {
        Some(line) => report.ok("gcc", line),
        None => {
            let todo = "install gcc and the C library's headers (Debian: gcc libc6-dev)";
            report.fault("gcc", "no C compiler in PATH: cobc needs one", todo);
        }
    }
}

/// The first line a program says of its version.
fn version(program: &str) -> Option<String> {
    let said = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let line = text.lines().next()?.trim();
    (said.status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// `3` of `cobc (GnuCOBOL) 3.2.0`.
fn major(line: &str) -> Option<u32> {
    let mut words = line.split_whitespace();
    words.find_map(|word| word.split_once('.')?.0.parse().ok())
}

fn descriptors(report: &mut Report) {
    let limit = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
    let text = format!("at most {limit} for a process");
    match limit < DESCRIPTORS {
        true => {
            let todo = "raise it (ulimit -Hn, LimitNOFILE of systemd): listeners take fewer connections else";
            report.note("descriptors", text, todo);
        }
        false => report.ok("descriptors", text),
    }
}

/// POINTER of COBOL has four bytes: storage of programs lies below 2 GiB.
fn addresses(report: &mut Report) {
    let lowest = std::fs::read_to_string("/proc/sys/vm/mmap_min_addr");
    let lowest = lowest.ok().and_then(|text| text.trim().parse::<u64>().ok());
    match lowest {
        Some(lowest) if lowest > LOWEST => {
            let text = format!(
                "vm.mmap_min_addr is {lowest}: storage with addresses of 4 bytes begins at 16 MiB"
            );
            report.fault("addresses", text, "sysctl vm.mmap_min_addr=65536");
        }
        Some(_) => report.ok("addresses", "low addresses may be used"),
        None => report.note(
            "addresses",
            "the kernel does not say which addresses may be used",
            "mount /proc where regions run",
        ),
    }
    if let Some(limit) = getrlimit(Resource::As).maximum {
        let text = format!("the address space of a process is limited to {limit} bytes");
        let todo = "ulimit -v unlimited: the store is mapped as a whole";
        report.note("addresses", text, todo);
    }
}

fn keys(report: &mut Report) {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let has = processor
        .lines()
        .filter(|line| line.starts_with("flags"))
        .any(|line| line.split_whitespace().any(|flag| flag == "ospke"));
    let text = match has {
        true => "the processor has protection keys; they are not used",
        false => "the processor has no protection keys; none are used",
    };
    report.ok("keys", text);
}

fn clock(report: &mut Report) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default();
    if now < EARLIEST {
        let text = "the clock of this machine is years late";
        let todo = "set it: certificates, ABSTIME and logs go wrong";
        return report.fault("clock", text, todo);
    }
    // Where systemd keeps time, this file says that it is right.
    let keeps = std::path::Path::new("/run/systemd/timesync");
    match keeps.exists() && !keeps.join("synchronized").exists() {
        true => {
            let text = "the time service has not set the clock since the machine started";
            report.note("clock", text, "timedatectl timesync-status says why");
        }
        false => report.ok("clock", format!("{} seconds since 1970", now.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::State;

    #[test]
    fn versions_of_cobc() {
        assert_eq!(major("cobc (GnuCOBOL) 3.1.2.0"), Some(3));
        assert_eq!(major("cobc (GnuCOBOL) 2.2.0"), Some(2));
        assert_eq!(major("cobc of somebody"), None);
    }

    #[test]
    fn a_machine_is_looked_at_as_a_whole() {
        let mut report = Report::default();
        look(&mut report);
        let said = report.said();
        for check in ["cobc", "gcc", "descriptors", "addresses", "keys", "clock"] {
            assert!(said.iter().any(|(seen, ..)| *seen == check), "{check}");
        }
        let clock = said.iter().find(|(seen, ..)| *seen == "clock").unwrap();
        assert_ne!(clock.1, State::Fault);
    }
}
