//! Deaths: of workers at any moment, of the zygote, many of them.

use crate::support::Region;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use transom_types::AbendCode;
use transom_workers::seam::TaskEnd;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("robust::a_killed_worker", a_killed_worker),
    ("robust::killed_at_any_moment", killed_at_any_moment),
    ("robust::a_killed_zygote", a_killed_zygote),
    (
        "robust::nothing_outlives_the_pool",
        nothing_outlives_the_pool,
    ),
    (
        "robust::nothing_outlives_a_killed_region",
        nothing_outlives_a_killed_region,
    ),
    ("robust::stray_stores_do_not_hurt_the_region", stray_stores),
    (
        "robust::damage_that_a_worker_makes_up",
        damage_that_a_worker_makes_up,
    ),
    (
        "robust::places_that_a_worker_takes_from_all",
        places_that_a_worker_takes_from_all,
    ),
    ("robust::nothing_leaks", nothing_leaks),
    ("robust::a_worker_has_no_huge_pages", no_huge_pages),
];

/// Number of bad ends in [`nothing_leaks`]; the full measure is 100,000.
const EVENTS_VARIABLE: &str = "TRANSOM_WORKERS_EVENTS";

fn kill(pid: u32) {
    let _ = Command::new("kill").arg("-9").arg(pid.to_string()).output();
}

fn a_killed_worker() {
    let region = Region::start(|_| ());
    region.normal("ECHO", "0010xxxxxx");
    let (_, told) = region.attach("WAITER", b"W900000000000");
    std::thread::sleep(Duration::from_millis(50));
    region.pool.worker_pids().into_iter().for_each(kill);
    let reply = region.reply(&told);
    assert!(
        matches!(&reply.end, TaskEnd::Abend(AbendCode::ASRB, text) if text.contains("signal 9")),
        "{reply:?}"
    );
    assert!(reply.worker_died);
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
}

/// Workers are killed while tasks take locks all the time; every task ends one way or the other.
fn killed_at_any_moment() {
    let region = Region::start(|_| ());
    let (mut normal, mut killed) = (0, 0);
    for round in 0..60_u64 {
        let tasks: Vec<_> = (0..12)
            .map(|i| {
                let program = if i % 2 == 0 { "WAITER" } else { "TWAITER" };
                region.attach(program, b"Y000000000000").1
            })
            .collect();
        std::thread::sleep(Duration::from_micros(round * 37 % 1500));
        // Two deaths close together: the second finds what the first left.
        let pids = region.pool.worker_pids();
        let chosen = pids.iter().cycle().skip(round as usize);
        let deaths = pids.len().min(1 + round as usize % 2);
        chosen.take(deaths).copied().for_each(kill);
        for told in &tasks {
            match region.reply(told).end {
                TaskEnd::Normal => normal += 1,
                TaskEnd::Abend(AbendCode::ASRB, _) => killed += 1,
                TaskEnd::Abend(code, text) => panic!("{code} {text}"),
            }
        }
    }
    assert!(
        normal > 400 && killed > 0,
        "{normal} normal, {killed} killed"
    );
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    assert_eq!(region.pool.statistics().active, 0);
}

fn a_killed_zygote() {
    let region = Region::start(|_| ());
    for _ in 0..3 {
        let (_, told) = region.attach("WAITER", b"W900000000000");
        std::thread::sleep(Duration::from_millis(50));
        let worker = a_worker(&region);
        let stat = std::fs::read_to_string(format!("/proc/{worker}/stat")).expect("worker");
        let parent = stat
            .rsplit_once(") ")
            .and_then(|(_, r)| r.split(' ').nth(1));
        kill(parent.expect("parent").parse().expect("number"));
        let reply = region.reply(&told);
        assert!(
            matches!(reply.end, TaskEnd::Abend(AbendCode::ASRB, _)),
            "{reply:?}"
        );
        assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    }
    assert_eq!(region.pool.statistics().zygote_restarts, 3);
    region.logged("TXMWK0005S");
}

/// One would be ten times what a task needs.
fn no_huge_pages() {
    let region = Region::start(|_| ());
    region.normal("ECHO", "0010xxxxxx");
    let worker = a_worker(&region);
    let status = std::fs::read_to_string(format!("/proc/{worker}/status")).expect("worker");
    let enabled = status.lines().find(|line| line.starts_with("THP_enabled:"));
    // A system without the line has none.
    assert!(
        enabled.is_none_or(|line| line.ends_with('0')),
        "{enabled:?}"
    );
}

fn nothing_outlives_the_pool() {
    let region = Region::start(|c| {
        c.min_idle = 5;
        c.max_workers = 6;
    });
    region.normal("ECHO", "0010xxxxxx");
    let (_, told) = region.attach("WAITER", b"W900000000000");
    std::thread::sleep(Duration::from_millis(50));
    let pids = region.pool.worker_pids();
    assert!(pids.len() >= 5);
    let more: Vec<_> = (0..20)
        .map(|_| region.attach("WAITER", b"W900000000000").1)
        .collect();
    region.pool.stop();
    for told in &more {
        let reply = region.reply(told);
        assert!(
            matches!(reply.end, TaskEnd::Abend(AbendCode::ASRB, _)),
            "also those that had no worker yet: {reply:?}"
        );
    }
    let reply = region.reply(&told);
    assert!(
        matches!(reply.end, TaskEnd::Abend(AbendCode::ASRB, _)),
        "{reply:?}"
    );
    for pid in pids {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
    }
}

/// A region of its own process, for [`nothing_outlives_a_killed_region`].
pub(crate) fn region_to_be_killed() -> ! {
    let region = Region::start(|c| c.min_idle = 3);
    region.normal("ECHO", "0010xxxxxx");
    // On a busy machine the first worker may have gone before the next ones have come.
    while region.pool.worker_pids().len() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    println!("{:?}", region.pool.worker_pids());
    // Whoever does not kill it, because the test failed, must not wait for it.
    std::thread::sleep(Duration::from_secs(60));
    #[expect(
        clippy::disallowed_methods,
        reason = "a process of its own, which never returns"
    )]
    std::process::exit(1);
}

fn nothing_outlives_a_killed_region() {
    use std::io::BufRead;
    let mut region = Command::new(std::env::current_exe().expect("own path"))
        .arg("region-to-be-killed")
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("started");
    let mut line = String::new();
    let mut out = std::io::BufReader::new(region.stdout.take().expect("output"));
    out.read_line(&mut line).expect("read");
    let numbers = line.trim_matches(|c: char| !c.is_ascii_digit()).split(", ");
    let pids: Vec<u32> = numbers.map(|n| n.parse().expect("number")).collect();
    assert!(!pids.is_empty());
    kill(region.id());
    region.wait().expect("ended");
    let gone = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    };
    let end = std::time::Instant::now() + Duration::from_secs(5);
    while !pids.iter().all(gone) {
        assert!(std::time::Instant::now() < end, "{pids:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A program stores all over the shared memory; whatever tasks do then, the region stays alive.
fn stray_stores() {
    let base = 0x2000_0000_0000_u64;
    for seed in 0..12_u64 {
        let mut region = Command::new(std::env::current_exe().expect("own path"))
            .arg("region-with-stray-stores")
            .arg((base + seed * 4096 * 3 + 64).to_string())
            .spawn()
            .expect("started");
        let status = region.wait().expect("ended");
        assert!(status.success(), "seed {seed}: {status}");
    }
}

/// The region of [`stray_stores`]: attaches tasks for a while and ends with code 0, whatever became
/// of the tasks.
pub(crate) fn region_with_stray_stores(at: &str) -> ! {
    let region = Region::start(|c| c.min_idle = 2);
    region.normal("ECHO", "0010xxxxxx");
    let mut input = b"X000000000000".to_vec();
    input[1..7].copy_from_slice(b"000000");
    input.extend_from_slice(&at.parse::<u64>().unwrap_or(0).to_le_bytes());
    region.attach("STRAY", &input);
    let end = std::time::Instant::now() + Duration::from_millis(300);
    while std::time::Instant::now() < end {
        region.attach("ECHO", b"0010xxxxxx");
        region.pool.wait_completions(Duration::from_millis(2));
        region.pool.drain_completions();
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "a process of its own, which never returns"
    )]
    std::process::exit(0);
}

/// The end of the log that a worker has: what is sent there is what a program of it could send.
const LOG_FD: i32 = 5;
/// Where it has the places of readers.
const PLACES_FD: i32 = 9;

/// A descriptor that a worker has: what is done with it is what a program of it could do.
#[expect(unsafe_code, reason = "another process's descriptor")]
fn descriptor_of(pid: u32, number: i32) -> OwnedFd {
    // SAFETY: system calls that take numbers; what they answer belongs to nobody else.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, pid as i32, 0) as i32;
        assert!(process >= 0, "{}", std::io::Error::last_os_error());
        let process = OwnedFd::from_raw_fd(process);
        let at = process.as_raw_fd();
        let found = libc::syscall(libc::SYS_pidfd_getfd, at, number, 0) as i32;
        assert!(found >= 0, "{}", std::io::Error::last_os_error());
        OwnedFd::from_raw_fd(found)
    }
}

#[expect(unsafe_code, reason = "a socket without a name")]
fn send(to: &OwnedFd, message: &[u8]) {
    // SAFETY: a valid buffer; a message that is too long is refused.
    unsafe {
        let (at, bytes) = (message.as_ptr().cast(), message.len());
        libc::send(to.as_raw_fd(), at, bytes, libc::MSG_NOSIGNAL);
    }
}

/// The region knows a worker by its number a little later than the worker serves.
fn a_worker(region: &Region) -> u32 {
    for _ in 0..500 {
        if let Some(pid) = region.pool.worker_pids().first() {
            return *pid;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no worker in five seconds");
}

/// Only what the region finds itself ends it.
fn damage_that_a_worker_makes_up() {
    let region = Region::start(|_| ());
    region.normal("ECHO", "0010xxxxxx");
    let worker = a_worker(&region);
    let log = descriptor_of(worker, LOG_FD);
    let head = |source: u8| [&[source][..], &[0xFF; 20]].concat();
    let mut said = vec![Vec::new(), vec![3], vec![3; 21], vec![3; 9_000]];
    said.extend([b"D", b"I", b"?"].map(|what| [&head(3)[..], what].concat()));
    said.extend((0..=255).map(|source| [&head(source)[..], &[0x1B, 0, 0xFF]].concat()));
    said.iter()
        .cycle()
        .take(2_000)
        .for_each(|message| send(&log, message));
    region.logged("TXMWK0021W");
    // Longer than the region takes to look at what it was told.
    for _ in 0..30 {
        assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(region.pool.statistics().zygote_restarts, 0);
}

/// Locks all of the places, as one who reads locks its own; false: somebody has one.
#[expect(unsafe_code, reason = "locks of files")]
fn lock_all(places: &impl AsRawFd) -> bool {
    let all = libc::flock {
        l_type: libc::F_WRLCK as libc::c_short,
        l_whence: libc::SEEK_SET as libc::c_short,
        l_start: 0,
        l_len: 0,
        l_pid: 0,
    };
    // SAFETY: an open descriptor, and a structure that is valid for the call.
    unsafe { libc::fcntl(places.as_raw_fd(), libc::F_OFD_SETLK, &raw const all) == 0 }
}

fn places_that_a_worker_takes_from_all() {
    let memory = tempfile::tempfile().expect("a file");
    memory.set_len(4_096 * 64).expect("places");
    let memory = Arc::new(memory);
    let region = Region::start(|config| config.reader_places = Some(memory.clone()));
    region.normal("ECHO", "0010xxxxxx");
    let worker = a_worker(&region);
    let places = descriptor_of(worker, PLACES_FD);
    assert!(lock_all(&places));
    // From now on the lock lives as long as workers do.
    drop(places);
    region.logged("TXMWK0026E");
    let end = std::time::Instant::now() + Duration::from_secs(20);
    let path = format!("/proc/self/fd/{}", memory.as_raw_fd());
    let again = || std::fs::File::options().read(true).write(true).open(&path);
    while !lock_all(&again().expect("the places")) {
        assert!(std::time::Instant::now() < end, "they are still taken");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    assert!(region.pool.statistics().zygote_restarts > 0);
}

fn nothing_leaks() {
    let events: usize = std::env::var(EVENTS_VARIABLE)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(2_000);
    let region = Region::start(|c| c.runaway_ms = 60);
    let kinds = ["S ", "Z ", "B ", "D ", "M ", "T ", "A ", "P ", "X ", "V "];
    let round = |n: usize| {
        let mut tasks = Vec::new();
        for i in 0..n {
            tasks.push(
                region
                    .attach("CHECKER", kinds[i % kinds.len()].as_bytes())
                    .1,
            );
            if tasks.len() == 100 {
                tasks.drain(..).for_each(|told| drop(region.reply(&told)));
            }
        }
        tasks.drain(..).for_each(|told| drop(region.reply(&told)));
        region.log.lock().expect("log").clear();
    };
    round(500);
    // A worker that lives has one, and there may be more or fewer of them afterwards.
    let descriptors = || descriptors() - region.pool.statistics().workers;
    let before = (
        rss_kb(),
        descriptors(),
        region.pool.statistics().shared_used,
    );
    round(events);
    let after = (
        rss_kb(),
        descriptors(),
        region.pool.statistics().shared_used,
    );
    println!("  {events} bad ends: (RSS KB, descriptors, shared bytes) {before:?} -> {after:?}");
    assert!(after.0 < before.0 + 8_000, "RSS of the region grew");
    assert_eq!(after.1, before.1, "descriptors");
    assert_eq!(after.2, before.2, "shared storage");
    assert_eq!(region.pool.statistics().active, 0);
    assert!(region.pool.statistics().workers <= 30);
    assert_eq!(region.normal("CHECKER", "N "), "n ");
}

fn rss_kb() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm
        .split(' ')
        .nth(1)
        .and_then(|p| p.parse::<usize>().ok())
        .unwrap_or(0)
        * 4
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}
