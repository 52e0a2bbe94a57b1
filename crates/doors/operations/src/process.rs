//! What the operating system knows of this process.
//!
//! Under the names that Prometheus has for it everywhere. Not here: workers, which are processes of
//! their own.

use transom_telemetry::{Exposition, Kind};

/// Units of times in `/proc`, a second: the kernel's interface says 100 on every architecture.
const TICKS: u64 = 100;
/// Place of a figure of `/proc/self/stat` behind the name of the process.
const USER_TICKS: usize = 11;
const SYSTEM_TICKS: usize = 12;
const THREADS: usize = 17;

/// Adds them; what cannot be read is left out.
pub(crate) fn put(out: &mut Exposition) {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let figures: Vec<&str> = behind.split(' ').collect();
    let figure = |at: usize| figures.get(at).and_then(|text| text.parse::<u64>().ok());
    if let (Some(user), Some(system)) = (figure(USER_TICKS), figure(SYSTEM_TICKS)) {
        let help = "CPU time of the region process, without its workers.";
        out.family("process_cpu_seconds_total", Kind::Counter, help);
        out.seconds(&[], (user + system) * (1_000_000_000 / TICKS));
    }
    if let Some(threads) = figure(THREADS) {
        out.family(
            "process_threads",
            Kind::Gauge,
            "Threads of the region process.",
        );
        out.sample(&[], threads);
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let resident = status.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?;
        kilobytes.parse::<u64>().ok()
    });
    if let Some(kilobytes) = resident {
        let help = "Memory of the region process, shared memory included.";
        out.family("process_resident_memory_bytes", Kind::Gauge, help);
        out.sample(&[], kilobytes * 1_024);
    }
}
