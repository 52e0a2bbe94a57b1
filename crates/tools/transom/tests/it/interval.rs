//! START and RETRIEVE from COBOL where a test logs terminals on or sets the region up.

use crate::harness::Programs;
use std::sync::Arc;
use std::time::{Duration, Instant};
use transom_region_api::{
    ConfirmedOutput, Control as _, Device, Logon, TerminalOutput, Terminals as _,
};
use transom_region_server::RegionConfig;
use transom_wire::definitions::{TerminalDefinition, TransactionEntry, TsModelEntry};

pub(crate) fn transaction(transid: &str, program: &str) -> TransactionEntry {
    TransactionEntry::new(transid.parse().unwrap(), program.parse().unwrap())
}

/// Temporary storage queues whose names begin so are recoverable.
pub(crate) fn recover(config: &mut RegionConfig, prefix: &[u8]) {
    let mut model = TsModelEntry::new(*b"MODEL   ", prefix);
    model.recovery = true;
    config.queues.ts_models.push(model);
}

/// What SEENPGM answers as soon as it answers anything: the first item of queue SEEN.
pub(crate) fn first_seen(programs: &Programs) -> String {
    let begin = Instant::now();
    loop {
        let text = programs.text("SEENPGM", &" ".repeat(60));
        if !text.is_empty() {
            return text;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(15),
            "{}",
            programs.log.lock().unwrap()
        );
        std::thread::sleep(Duration::from_millis(30));
    }
}

/// RETRIEVEs and writes what it got to temporary storage queue SEEN.
fn child() -> String {
    cobol!("CHILD" in "007-interval-control")
}

fn seen() -> String {
    cobol!("interval/SEENPGM")
}

/// A terminal nobody looks at.
struct Blind;

impl TerminalOutput for Blind {
    fn write(&self, _stream: Vec<u8>) -> bool {
        true
    }
    fn disconnect(&self) {}
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        None
    }
}

#[test]
fn one_task_at_a_terminal_takes_the_data_of_all_starts() {
    let parent = cobol!("interval/PARENT-7");
    let child = cobol!("interval/CHILD-2");
    let programs = Programs::with(&[&parent, &child, &seen()], |config| {
        config.transactions.push(transaction("STRT", "CHILD"));
    });
    let logon = Logon {
        netname: None,
        device: Device::model_2(),
        peer: "127.0.0.1:5000".into(),
        client: None,
        tls: false,
        certificate: None,
        partner: None,
    };
    let session = {
        let _runtime = programs.enter();
        programs.region.logon(logon, Arc::new(Blind)).unwrap()
    };
    let terminal = session.terminal.to_string();
    let commarea = format!("{terminal:60}");
    assert_eq!(programs.text("PARENT", &commarea), "OK");
    let text = first_seen(&programs);
    assert_eq!(text, format!("SD{terminal:4}ONETWO"));
}

fn log_on(programs: &Programs, netname: &str) -> String {
    let logon = Logon {
        netname: Some(netname.into()),
        device: Device::model_2(),
        peer: "127.0.0.1:5000".into(),
        client: None,
        tls: false,
        certificate: None,
        partner: None,
    };
    let _runtime = programs.enter();
    let session = programs.region.logon(logon, Arc::new(Blind)).unwrap();
    session.terminal.to_string()
}

/// Starts STRT at a terminal, with PROTECT and without.
fn starts_both() -> String {
    cobol!("interval/PARENT-8")
}

/// Collects what it retrieves and adds it to queue SEEN.
fn collects() -> String {
    cobol!("interval/CHILD-3")
}

#[test]
fn starts_wait_for_a_defined_terminal_that_is_not_logged_on() {
    let programs = Programs::with(&[&starts_both(), &collects(), &seen()], |config| {
        config.transactions.push(transaction("STRT", "CHILD"));
        let definition = TerminalDefinition::new("PRT1".parse().unwrap(), "LUPRT1");
        config.terminals.definitions.push(definition);
    });
    assert_eq!(programs.text("PARENT", &format!("{:60}", "PRT1")), "OK");
    std::thread::sleep(Duration::from_millis(1_500));
    programs.must_say("SEENPGM", "");
    assert_eq!(log_on(&programs, "LUPRT1"), "PRT1");
    let text = first_seen(&programs);
    assert!(matches!(&text[..], "SAFEBARE" | "BARESAFE"), "{text}");
}

/// START requests that wait for their time or their terminal.
fn requests(programs: &Programs) -> u64 {
    let groups = programs.region.statistics().unwrap();
    let all = groups.iter().find(|group| group.name == "interval control");
    let values = &all.unwrap().values;
    values.iter().find(|v| v.name == "requests").unwrap().value
}

#[test]
fn protected_starts_wait_for_the_return_of_any_terminal_and_outlive_the_region() {
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&starts_both(), &collects(), &seen()], |config| {
            config.transactions.push(transaction("STRT", "CHILD"));
            config.data.store = Some(folder.path().join("store"));
        })
    };
    let first = region();
    let terminal = log_on(&first, "LUB012");
    assert_eq!(first.text("PARENT", &format!("{terminal:60}")), "OK");
    {
        let _runtime = first.enter();
        first.region.logoff(terminal.parse().unwrap());
    }
    let begin = Instant::now();
    while !first.log.lock().unwrap().contains("TXMIC0005E") {
        assert!(begin.elapsed() < Duration::from_secs(9));
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(first);
    let second = region();
    let begin = Instant::now();
    while requests(&second) == 0 {
        assert!(begin.elapsed() < Duration::from_secs(9), "it was not kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(log_on(&second, "LUB012"), terminal);
    let text = first_seen(&second);
    assert_eq!(text, "SAFE", "the other one was dropped");
}

#[test]
fn dtimout_ends_retrieve_wait_and_purgeable_waits() {
    let retrieves = cobol!("interval/CHILD-4");
    let waits = cobol!("interval/WAITS");
    let programs = Programs::with(&[&starts_both(), &retrieves, &waits], |config| {
        let mut child = transaction("STRT", "CHILD");
        (child.dtimout_ms, child.spurge) = (300, true);
        let mut short = transaction("WAIT", "WAITS");
        (short.dtimout_ms, short.spurge) = (300, true);
        config.transactions.extend([child, short]);
    });
    let terminal = log_on(&programs, "LUB013");
    assert_eq!(programs.text("PARENT", &format!("{terminal:60}")), "OK");
    let begin = Instant::now();
    while !programs.log.lock().unwrap().contains("abended AKCS") {
        assert!(begin.elapsed() < Duration::from_secs(9));
        std::thread::sleep(Duration::from_millis(20));
    }
    for kind in ["X", "C", "E"] {
        let mut request = crate::harness::request("WAITS", format!("{kind:60}").into_bytes());
        request.transid = Some("WAIT".parse().unwrap());
        let ended = programs.request(request);
        let fault = format!("{:?}", ended.unwrap_err().fault);
        assert!(fault.contains("AEXY"), "{kind}: {fault}");
    }
}

#[test]
fn a_start_with_recoverable_data_outlives_a_kill() {
    let parent = cobol!("interval/PARENT-9");
    let folder = tempfile::tempdir().unwrap();
    let region = || {
        Programs::with(&[&parent, &child(), &seen()], |config| {
            config.transactions.push(transaction("STRT", "CHILD"));
            config.data.store = Some(folder.path().join("store"));
            recover(config, b"DF");
        })
    };
    let first = region();
    first.must_say("PARENT", "OK");
    drop(first);
    assert_eq!(first_seen(&region()), "SDQ       AFTER");
}
