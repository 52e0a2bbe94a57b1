//! Tasks: attach, reply, waits, the QR token, requests to the region.

use crate::support::Region;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_types::AbendCode;
use transom_wire::Space;
use transom_workers::seam::{AttachBlock, TaskEnd};
use transom_workers::{AttachError, TaskOptions};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("tasks::echo", echo),
    ("tasks::numbers", numbers),
    ("tasks::large_payload", large_payload),
    ("tasks::no_program", no_program),
    ("tasks::wait_and_post", wait_and_post),
    ("tasks::a_wait_lets_others_run", a_wait_lets_others_run),
    (
        "tasks::quasirent_programs_run_alone",
        quasirent_programs_run_alone,
    ),
    (
        "tasks::threadsafe_programs_do_not",
        threadsafe_programs_do_not,
    ),
    ("tasks::suspend_gives_turns", suspend_gives_turns),
    ("tasks::ask_the_region", ask_the_region),
    ("tasks::turns_are_taken_on_one_processor", turns),
    ("tasks::purge", purge),
    ("tasks::too_many", too_many),
    ("tasks::twenty_workers", twenty_workers),
    ("tasks::shared_data_of_region_and_workers", shared_data),
];

fn echo() {
    let region = Region::start(|_| ());
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
}

fn numbers() {
    let region = Region::start(|_| ());
    let text = region.normal("NUMBERS", "xxxx");
    let values: Vec<&str> = text.split('.').map(str::trim).collect();
    let expected = [
        "-12", "5678", "-4567", "-1234567", "-1234", "12", "8", "HELLO", "4660", "480", "460", "",
    ];
    assert_eq!(values, expected);
}

fn large_payload() {
    let region = Region::start(|_| ());
    let before = region.pool.statistics().shared_used;
    let mut input = b"0010xxxxxx".to_vec();
    input.resize(3 << 20, b'.');
    for _ in 0..5 {
        let reply = region.run("ECHO", &input);
        assert_eq!(reply.end, TaskEnd::Normal);
        assert_eq!(&reply.reply[..10], b"0016ECHOED");
        assert_eq!(reply.reply[10..], input[10..]);
    }
    assert_eq!(
        region.pool.statistics().shared_used,
        before,
        "nothing is left behind"
    );
}

fn no_program() {
    let region = Region::start(|_| ());
    assert_eq!(region.abend("NOSTART", "").0, "APCT");
    let (code, text) = region.abend("MISSING", "");
    assert_eq!(code, "APCT");
    assert!(text.contains("MISSING.so"), "{text}");
}

fn wait_and_post() {
    let region = Region::start(|_| ());
    assert_eq!(
        region.normal("WAITER", "W000020000000"),
        "W000020000000",
        "time-out"
    );
    let (number, told) = region.attach("WAITER", b"W009000000000");
    std::thread::sleep(Duration::from_millis(30));
    let start = Instant::now();
    assert_eq!(
        region
            .normal("WAITER", &format!("P{number:06}000000"))
            .len(),
        13
    );
    assert_eq!(region.reply(&told).reply, b"W009000000001");
    assert!(start.elapsed() < Duration::from_secs(5));
}

fn a_wait_lets_others_run() {
    let region = Region::start(|_| ());
    let waiting: Vec<_> = (0..20)
        .map(|_| region.attach("WAITER", b"W000300000000"))
        .collect();
    let start = Instant::now();
    assert_eq!(region.normal("ECHO", "0010xxxxxx"), "0016ECHOED");
    assert!(
        start.elapsed() < Duration::from_millis(200),
        "{:?}",
        start.elapsed()
    );
    for (_, told) in waiting {
        assert_eq!(region.reply(&told).end, TaskEnd::Normal);
    }
    assert!(
        start.elapsed() < Duration::from_millis(1500),
        "they wait at the same time"
    );
}

/// Each task counts a shared counter up twice with work in between: alone, it sees 1.
fn overlaps(program: &str) -> usize {
    let region = Region::start(|_| ());
    let tasks: Vec<_> = (0..60)
        .map(|_| region.attach(program, b"Q300000000000"))
        .map(|t| t.1)
        .collect();
    let replies = tasks.iter().map(|told| region.reply(told));
    replies.filter(|r| r.reply != b"Q300000000001").count()
}

fn quasirent_programs_run_alone() {
    assert_eq!(overlaps("WAITER"), 0);
}

fn threadsafe_programs_do_not() {
    if std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("skipped: one core only");
        return;
    }
    assert!(overlaps("TWAITER") > 0);
}

/// Also when all workers have a task: the one that gives its turn is then the only one to get it.
fn suspend_gives_turns() {
    for workers in [30, 2, 1] {
        let region = Region::start(|c| c.max_workers = workers);
        let tasks: Vec<_> = (0..8)
            .map(|_| region.attach("WAITER", b"Y000000000000"))
            .map(|t| t.1)
            .collect();
        for told in &tasks {
            assert_eq!(region.reply(told).reply, b"Y000000000000");
        }
    }
}

fn ask_the_region() {
    let region = Region::start(|config| {
        config.ask = Arc::new(|ask| {
            let mut reply = b"answer to ".to_vec();
            reply.extend_from_slice(&ask.request);
            std::thread::spawn(move || ask.answer(&reply));
        });
    });
    for _ in 0..20 {
        assert_eq!(
            region.normal("WAITER", "A000000000000"),
            "answer to question"
        );
    }
}

/// Processors a worker may use.
fn allowed(pid: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let masks = status
        .lines()
        .find_map(|l| l.strip_prefix("Cpus_allowed:"))
        .unwrap_or_default();
    let words = masks.trim().split(',');
    words
        .filter_map(|word| u32::from_str_radix(word, 16).ok())
        .map(u32::count_ones)
        .sum()
}

/// A worker with one task after the other is kept on the processor of who drains, and let go again
/// when there are no more.
fn turns() {
    let region = Region::start(|_| ());
    let me = std::process::id();
    let all = allowed(me);
    let fewest = |region: &Region| {
        let workers = region.pool.worker_pids().into_iter().map(allowed);
        workers.filter(|n| *n > 0).min()
    };
    let end = Instant::now() + Duration::from_secs(20);
    while !region.pool.began_together() && Instant::now() < end {
        region.normal("ECHO", "0010xxxxxx");
    }
    let kept = (allowed(me), fewest(&region));
    // Workers of a zygote that is started meanwhile are kept nowhere.
    let second = Region::start(|_| ());
    second.normal("ECHO", "0010xxxxxx");
    // One that ends while it is asked has no processors, and another one comes.
    let mut others = fewest(&second);
    while others.is_none() && Instant::now() < end {
        second.normal("ECHO", "0010xxxxxx");
        others = fewest(&second);
    }
    assert_eq!(others, Some(all));
    while region.pool.look_together() {}
    assert_eq!((allowed(me), fewest(&region)), (all, Some(all)));
    assert!(kept == (1, Some(1)) || all == 1, "{kept:?} of {all}");
}

fn purge() {
    let region = Region::start(|_| ());
    let waits: &[u8] = b"W900000000000";
    for (program, input, force) in [
        ("WAITER", waits, false),
        ("WAITER", waits, true),
        ("CHECKER", b"L ", false),
        // Most of this loop is code of the region's.
        ("CHECKER", b"I ", false),
        ("CHECKER", b"I ", false),
    ] {
        let (number, told) = region.attach(program, input);
        // It is asked again until a worker has taken the task.
        let begin = Instant::now();
        while !region.pool.purge(number, AbendCode::AKC3, force) {
            assert!(begin.elapsed() < Duration::from_secs(20), "{program}");
            std::thread::sleep(Duration::from_millis(1));
        }
        let reply = region.reply(&told);
        assert!(
            matches!(&reply.end, TaskEnd::Abend(code, _) if *code == AbendCode::AKC3),
            "{reply:?}"
        );
        assert_eq!(reply.worker_died, force);
        assert!(
            !region.pool.purge(number, AbendCode::AKC3, force),
            "it is gone"
        );
    }
}

fn too_many() {
    let region = Region::start(|c| {
        c.max_tasks = 3;
        c.max_workers = 2;
    });
    let tasks: Vec<_> = (0..3)
        .map(|_| region.attach("WAITER", b"W000100000000").1)
        .collect();
    let block = AttachBlock {
        task_number: 99,
        transid: transom_types::TransId::BLANK,
        program: transom_types::ProgramName::BLANK,
        userid: transom_types::UserId::BLANK,
        input: Vec::new(),
    };
    let refused = region
        .pool
        .attach(&block, TaskOptions::default(), Box::new(|_| ()));
    assert_eq!(refused, Err(AttachError::TooManyTasks));
    for told in &tasks {
        assert_eq!(
            region.reply(told).end,
            TaskEnd::Normal,
            "the third waits for a worker"
        );
    }
    assert_eq!(region.pool.statistics().refused, 1);
    assert_eq!(region.pool.statistics().workers_peak, 2);
}

fn twenty_workers() {
    let region = Region::start(|c| c.min_idle = 20);
    let mut all = Vec::new();
    for round in 0..200 {
        let program = if round % 2 == 0 { "ECHO" } else { "TWAITER" };
        let input: &[u8] = if round % 2 == 0 {
            b"0010xxxxxx"
        } else {
            b"W000010000000"
        };
        all.push((round, region.attach(program, input).1));
    }
    for (round, told) in &all {
        let reply = region.reply(told);
        assert_eq!(reply.end, TaskEnd::Normal);
        if round % 2 == 0 {
            assert_eq!(reply.reply, b"0016ECHOED");
        }
    }
    assert!(region.pool.statistics().workers >= 20);
}

fn shared_data() {
    let region = Region::start(|_| ());
    region
        .pool
        .shared()
        .with_group(Space::Counter, b"TESTCTR", &mut |g| {
            assert!(g.put(1, &100_u16.to_le_bytes()));
        });
    region.normal("WAITER", "Q000001000000");
    region
        .pool
        .shared()
        .with_group(Space::Counter, b"TESTCTR", &mut |g| {
            assert_eq!(g.get(1), Some(&102_u16.to_le_bytes()[..]));
        });
}
