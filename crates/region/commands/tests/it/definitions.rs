//! What a region does with the record of a SET.

use crate::fake::{program, task};
use transom_types::Resp;
use transom_wire::definitions::{Installed, ProgramEntry, TdQueueEntry, set};

#[test]
fn what_set_cannot_change_stays_whatever_the_record_says() {
    let task = task(b"");
    let shared = &*task.host.shared;
    let installed = ProgramEntry::find(shared, program("SUB")).unwrap();
    let given = ProgramEntry {
        path: "/tmp/another.so".to_owned(),
        cics_key: !installed.cics_key,
        cedf: !installed.cedf,
        ..installed
    };
    let done = set(shared, "PROGRAM", &given.name(), &given.record());
    assert_eq!(done, Resp::NORMAL);
    let now = ProgramEntry::find(shared, program("SUB")).unwrap();
    let expected = ProgramEntry {
        cedf: !installed.cedf,
        ..installed
    };
    assert_eq!(now, expected);
}

#[test]
fn records_that_are_none_change_nothing() {
    let task = task(b"");
    let shared = &*task.host.shared;
    let entry = ProgramEntry::find(shared, program("SUB")).unwrap();
    let record = entry.record();
    let cut = &record[..record.len() - 1];
    for (kind, name, record) in [
        ("PROGRAM", &b"NOSUCH  "[..], &record[..]),
        ("PROGRAM", b"SUB     ", cut),
        ("PROGRAM", b"SUB     ", b""),
        ("NOKIND", b"SUB     ", &record),
        ("TRANCLASS", b"SUB     ", &record),
    ] {
        assert_eq!(set(shared, kind, name, record), Resp::INVREQ, "{kind}");
    }
    assert_eq!(ProgramEntry::find(shared, program("SUB")), Some(entry));
}

/// State that SET changes by code is among what it can change.
#[test]
fn a_queue_is_disabled_and_loses_its_terminal() {
    let task = task(b"");
    let shared = &*task.host.shared;
    let mut queue = TdQueueEntry::new(transom_types::TdQueueName::new(*b"SETQ"));
    queue.terminal = Some(transom_types::TermId::from_field(b"T001"));
    assert!(queue.install(shared));
    let changed = TdQueueEntry {
        enabled: false,
        terminal: None,
        ..queue.clone()
    };
    let done = set(shared, "TDQUEUE", &queue.name(), &changed.record());
    assert_eq!(done, Resp::NORMAL);
    assert_eq!(TdQueueEntry::find(shared, queue.name), Some(changed));
}
