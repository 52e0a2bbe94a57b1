//! COBOL in, COMMAREA out: programs through translator, compiler, region and workers.

use crate::harness::{Programs, request};
use std::time::Duration;
use transom_region_api::{Container, ContainerData, Control as _, Fault, LinkRequest, Payload};
use transom_types::{ChannelName, ContainerName, Resp};

#[test]
fn channels_carry_containers_of_any_size() {
    let source = cobol!("program/CHANNEL");
    let programs = Programs::new(&[&source]);
    let name = |n: &str| ContainerName::new(n).unwrap();
    let mut ask = request("CHANNEL", Vec::new());
    let data = ContainerData::Char {
        ccsid: 819,
        bytes: vec![b'a'; 90_000],
    };
    ask.payload = Payload::Channel {
        name: ChannelName::new("ORDERS").unwrap(),
        containers: vec![Container {
            name: name("IN"),
            data,
        }],
    };
    let Payload::Channel {
        name: channel,
        containers,
    } = programs.request(ask).unwrap()
    else {
        panic!("no channel came back");
    };
    assert_eq!(channel.as_str(), "ORDERS");
    assert_eq!(containers.len(), 1, "{containers:?}");
    let ContainerData::Char { bytes, .. } = &containers[0].data else {
        panic!("not CHAR")
    };
    assert_eq!(
        (containers[0].name, bytes.len(), bytes[0]),
        (name("OUT"), 90_000, b'b')
    );
}

#[test]
fn queues_counters_and_enqueues_are_shared_by_tasks() {
    let source = cobol!("program/SHARED");
    let programs = Programs::new(&[&source]);
    let requests: Vec<LinkRequest> = (0..20)
        .map(|i| request("SHARED", format!("{i:<40}").into_bytes()))
        .collect();
    for reply in programs.all(requests) {
        let Ok(Payload::Commarea(bytes)) = &reply else {
            panic!("{reply:?}\n{}", programs.log.lock().unwrap())
        };
        assert!(
            !bytes.starts_with(b"MIXED"),
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
}

#[test]
fn a_time_limit_purges_the_task() {
    let source = cobol!("program/SLEEPER");
    let programs = Programs::new(&[&source]);
    let mut ask = request("SLEEPER", vec![b' '; 40]);
    ask.timeout = Some(Duration::from_millis(200));
    let failure = programs.request(ask).unwrap_err();
    assert_eq!(failure.fault, Fault::TimedOut, "{}", failure.text);
    let begin = std::time::Instant::now();
    while programs.region.info().unwrap().tasks > 0 && begin.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(
        programs.region.info().unwrap().tasks,
        0,
        "the task was not purged"
    );
}

#[test]
fn refusals_say_what_is_missing() {
    let good = cobol!("program/GOOD-2");
    let programs = Programs::new(&[&good]);
    let missing = programs.link("ABSENT", b"").unwrap_err();
    assert_eq!(
        missing.fault,
        Fault::Refused {
            resp: Resp::PGMIDERR,
            resp2: 1
        }
    );
    assert!(missing.fault.retry_is_safe() && missing.text.starts_with("TXMPG0001E"));
    let long = programs.link("GOOD", &vec![b' '; 32_764]).unwrap_err();
    assert_eq!(
        long.fault,
        Fault::Refused {
            resp: Resp::LENGERR,
            resp2: 0
        }
    );
}

#[test]
fn the_dump_of_a_transaction_is_text() {
    let source = cobol!("program/DUMPER");
    let programs = Programs::new(&[&source]);
    assert_eq!(programs.text("DUMPER", &" ".repeat(40)), "LOOK AT ME");
    let dump = std::fs::read_dir(&programs.dumps)
        .unwrap()
        .flatten()
        .next()
        .expect("no dump file")
        .path();
    let text = std::fs::read_to_string(dump).unwrap();
    assert!(
        text.contains("TEST") && text.contains("LOOK AT ME"),
        "{text}"
    );
}

#[test]
fn a_task_sees_nothing_of_the_task_before_it() {
    let programs = Programs::with(&[&cobol!("LEAKS")], |config| config.min_idle = 1);
    let count = |commarea: &str| {
        let reply = programs.link("LEAKS", commarea.as_bytes()).unwrap();
        String::from_utf8_lossy(&reply[..8]).into_owned()
    };
    // It sees its own bytes,
    assert_eq!(count(&"SECRET..".repeat(2500)), "00002500");
    // and who comes next with ten bytes sees those, whatever stood behind them before.
    assert_eq!(count("0123456789"), "00000000");
}
