//! Requests of tasks, held against what the region knows of them.

use super::*;
use crate::config::{SecurityMode, UserConfig};
use transom_messages::Operator;
use transom_types::{FileName, ProgramName, ReqId, SetRequest, TdQueueName, TermId};
use transom_wire::association::{Association, Inherited, Itself, Previous};
use transom_wire::definitions::request::Request as Definitions;
use transom_wire::file_control::{Action, Busy, FileRequest, Patience};
use transom_wire::requests::{RegionRequest, Shutdown, ToRegion};
use transom_wire::security::{Question, Request as Security};
use transom_wire::sql::{Request as Sql, SqlFrom};
use transom_wire::{asynchronous, interval, terminal, transient_data};

fn user(name: &str) -> UserId {
    UserId::from_field(name.as_bytes())
}

fn rights(mode: SecurityMode) -> (Arc<Rights>, Arc<Mutex<Vec<String>>>) {
    let said = Arc::new(Mutex::new(Vec::new()));
    let lines = said.clone();
    let operator = Operator::new(move |line| lines.lock().unwrap().push(line.to_string()));
    let mut config = UserConfig {
        security: mode,
        ..UserConfig::default()
    };
    for (key, who) in [
        ("FILE PAY", "ALICE READ"),
        ("FILE OWN", "ALICE UPDATE"),
        ("TDQUEUE NAME", "ALICE UPDATE"),
        ("TRANSACTION PAY1", "ALICE READ"),
        ("TRANSACTION *", "BOB READ"),
        ("COMMAND FILE", "ALICE UPDATE"),
        ("PROGRAM DFHEDCP", "ALICE READ"),
        ("SURROGATE BOB.DFHSTART", "ALICE READ"),
    ] {
        config.rules.set(key, who).unwrap();
    }
    let authority = Authority::new(&config, user("CICSUSER"), operator);
    (Rights::new(&Arc::new(authority)), said)
}

/// Task 7 of ALICE.
fn begin(rights: &Arc<Rights>, (cmdsec, ressec): (bool, bool), supplied: bool) -> Option<Known> {
    let program = ProgramName::from_field(b"PAYROLL");
    let transaction = TransactionEntry {
        cmdsec,
        ressec,
        ..TransactionEntry::new(TransId::from_field(b"PAY1"), program)
    };
    rights.begin(7, user("ALICE"), &transaction, supplied)
}

/// RESP2 of NOTAUTH; 0: it may.
fn refused(rights: &Rights, request: &impl ToRegion) -> u32 {
    let message = request.message();
    let (domain, bytes) = Domain::open(&message).unwrap();
    match rights.check(7, domain, bytes) {
        Ok(()) => 0,
        Err(answer) => {
            assert_eq!(answer.resp, Resp::NOTAUTH);
            answer.resp2
        }
    }
}

fn file(name: &str, action: Action) -> FileRequest {
    FileRequest {
        file: FileName::from_field(name.as_bytes()),
        action,
    }
}

fn write(name: &str) -> FileRequest {
    let patience = Patience {
        no_suspend: false,
        dtimout_ms: 0,
    };
    file(name, Action::Insert(None, b"record".to_vec(), patience))
}

fn start(transid: &str, userid: &str) -> interval::Request {
    let request = interval::StartRequest {
        reqid: ReqId::BLANK,
        transid: TransId::from_field(transid.as_bytes()),
        termid: None,
        userid: user(userid),
        protect: false,
        attach: false,
        due_ms: 0,
        data: interval::StartData::default(),
        channel: None,
        inherited: None,
    };
    interval::Request::Start(0, request)
}

#[test]
fn resources_are_checked_by_what_the_region_knows_of_the_task() {
    let (rights, said) = rights(SecurityMode::Yes);
    let known = begin(&rights, (false, true), false);
    assert_eq!(refused(&rights, &file("PAY", Action::Open)), 0);
    assert_eq!(refused(&rights, &write("PAY")), 101);
    assert_eq!(refused(&rights, &write("OWN")), 0);
    assert_eq!(refused(&rights, &file("TAX", Action::Open)), 101);
    let queue = |name: &[u8; 4]| transient_data::Request {
        queue: TdQueueName::new(*name),
        dtimout_ms: 0,
        action: transient_data::Action::Delete,
    };
    assert_eq!(refused(&rights, &queue(b"NAME")), 0);
    assert_eq!(refused(&rights, &queue(b"REAL")), 101);
    assert_eq!(refused(&rights, &start("PAY1", "ALICE")), 0);
    assert_eq!(refused(&rights, &start("TAX1", "ALICE")), 7);
    // CMDSEC(NO): the command is free, the file is not.
    let close = |name| file(name, Action::Close(Busy::NoWait));
    assert_eq!(refused(&rights, &close("PAY")), 101);
    assert_eq!(refused(&rights, &close("OWN")), 0);
    let said = said.lock().unwrap();
    assert_eq!(said.len(), 5, "{said:?}");
    assert!(said[0].starts_with("TXMXS0035W task 7 (PAY1, ALICE)"));
    assert!(said[0].contains("Update of FILE PAY"), "{said:?}");
    drop(known);
    assert_eq!(refused(&rights, &write("PAY")), 0, "no such task");
}

#[test]
fn a_transaction_is_what_was_installed_whatever_its_definition_says_by_now() {
    let (rights, _) = rights(SecurityMode::Yes);
    let program = ProgramName::from_field(b"PAYROLL");
    let mut transaction = TransactionEntry::new(TransId::from_field(b"PAY1"), program);
    transaction.ressec = true;
    rights.installed(&transaction);
    let known = begin(&rights, (false, false), false);
    assert_eq!(refused(&rights, &write("PAY")), 101);
    drop(known);
    transaction.ressec = false;
    rights.installed(&transaction);
    let _known = begin(&rights, (false, true), false);
    assert_eq!(refused(&rights, &write("PAY")), 0);
}

#[test]
fn commands_are_checked() {
    let (rights, _) = rights(SecurityMode::Yes);
    let _known = begin(&rights, (true, false), false);
    let purge = SetRequest::Purge {
        task: 8,
        force: true,
    };
    let shutdown = Shutdown {
        immediate: true,
        transid: TransId::from_field(b"PAY1"),
        userid: user("ALICE"),
        table: None,
    };
    let create = |kind: &str| Definitions::Discard {
        kind: kind.into(),
        name: "X".into(),
    };
    let release = terminal::Request::Set(
        TermId::from_field(b"T001"),
        terminal::Change {
            release: true,
            ..terminal::Change::default()
        },
    );
    let own = TermId::BLANK;
    assert_eq!(refused(&rights, &RegionRequest::Set(purge)), 100);
    assert_eq!(refused(&rights, &RegionRequest::Shutdown(shutdown)), 100);
    assert_eq!(refused(&rights, &create("PROGRAM")), 100);
    assert_eq!(refused(&rights, &create("FILE")), 100, "UPDATE, no ALTER");
    assert_eq!(refused(&rights, &Security::Rebuild), 100);
    let release = terminal::Asked {
        own,
        request: release,
    };
    assert_eq!(refused(&rights, &release), 100);
    // RESSEC(NO): that file is everybody's.
    assert_eq!(refused(&rights, &file("TAX", Action::Empty)), 0);
    assert_eq!(refused(&rights, &write("TAX")), 0);
}

#[test]
fn a_task_is_nobody_else_whatever_it_says() {
    let (rights, _) = rights(SecurityMode::Yes);
    let _known = begin(&rights, (false, false), false);
    assert_eq!(refused(&rights, &start("TAX1", "ALICE")), 0, "RESSEC(NO)");
    assert_eq!(refused(&rights, &start("TAX1", "BOB")), 0, "its surrogate");
    assert_eq!(refused(&rights, &start("TAX1", "EVE")), 9);
    let child = |userid| asynchronous::Request::Run {
        transid: TransId::from_field(b"TAX1"),
        userid: user(userid),
        channel: None,
        inherited: inherited(),
    };
    assert_eq!(refused(&rights, &child("ALICE")), 0);
    assert_eq!(refused(&rights, &child("BOB")), 9);
    let select = |user: &str| Sql::Prepare {
        from: SqlFrom {
            user: user.into(),
            ..SqlFrom::default()
        },
        name: "S1".into(),
        text: "SELECT 1 FROM SYSIBM.SYSDUMMY1".into(),
    };
    assert_eq!(refused(&rights, &select("ALICE")), 0);
    assert_eq!(refused(&rights, &select("SYSADM")), 9);
    let change = |user: &str| Definitions::Change("DELETE GROUP(A)".into(), user.into());
    assert_eq!(refused(&rights, &change("ALICE")), 0);
    assert_eq!(refused(&rights, &change("BOB")), 9);
    let question = |user_of: &str, class: &str, name: &str| {
        Security::Access(Question {
            user: user(user_of),
            class: class.into(),
            name: name.into(),
            wanted: Access::Read,
            log: false,
        })
    };
    assert_eq!(refused(&rights, &question("ALICE", "FILE", "PAY")), 0);
    assert_eq!(refused(&rights, &question("BOB", "SURROGATE", "")), 0);
    assert_eq!(refused(&rights, &question("BOB", "FILE", "PAY")), 9);
}

fn inherited() -> Inherited {
    Inherited {
        origin: Association::NONE.origin_of(&Itself {
            applid: transom_types::Applid::BLANK,
            task_number: 0,
            transid: TransId::BLANK,
            userid: UserId::BLANK,
            start_abstime_ms: 0,
        }),
        previous: Previous {
            task_number: 0,
            transid: TransId::BLANK,
            start_abstime_ms: 0,
            count: 1,
        },
    }
}

#[test]
fn definitions_are_for_programs_that_show_them() {
    let (rights, _) = rights(SecurityMode::Yes);
    let lists = Definitions::Lists(Default::default());
    let install = Definitions::Install(Default::default());
    let known = begin(&rights, (false, true), false);
    assert_eq!(refused(&rights, &lists), 0, "it may run CEDC's program");
    assert_eq!(refused(&rights, &install), 101);
    drop(known);
    let _known = begin(&rights, (false, true), true);
    assert_eq!(refused(&rights, &install), 0, "CEDA itself");
}

#[test]
fn what_the_worker_was_told_holds_for_the_task() {
    let (rights, _) = rights(SecurityMode::Yes);
    let _known = begin(&rights, (false, true), false);
    let ask = Security::Access(Question {
        user: user("ALICE"),
        class: "FILE".into(),
        name: "OWN".into(),
        wanted: Access::Update,
        log: true,
    });
    assert_eq!(refused(&rights, &ask), 0);
    // Revoked meanwhile: this task goes on, the next one may nothing.
    let gone = crate::User {
        userid: "ALICE".into(),
        ..crate::User::default()
    };
    rights.authority.learn(&gone);
    rights.authority.withdraw(&[]);
    assert_eq!(refused(&rights, &write("OWN")), 0);
    assert_eq!(refused(&rights, &file("PAY", Action::Open)), 101);
}

#[test]
fn without_checks_nothing_is_kept() {
    let (rights, _) = rights(SecurityMode::No);
    assert!(begin(&rights, (true, true), false).is_none());
    assert_eq!(refused(&rights, &write("TAX")), 0);
    assert!(rights.lock().is_empty());
}

#[test]
fn kinds_of_commands_are_those_of_the_table() {
    let words: Vec<_> = transom_commands::all().iter().map(|c| c.words).collect();
    let has = |verbs: &[&str], kind: &str| {
        let is = |words: &&[&str]| verbs.contains(&words[0]) && words.get(1) == Some(&kind);
        words.iter().any(is)
    };
    for (verbs, kind) in [
        (&["PERFORM"][..], "SHUTDOWN"),
        (&["PERFORM"], "SECURITY"),
        (&["COLLECT"], "STATISTICS"),
        (&["SET"], "PROGRAM"),
        (&["SET"], "TRANSACTION"),
        (&["SET"], "SYSTEM"),
        (&["SET"], "TASK"),
        (&["SET"], "FILE"),
        (&["SET"], "UOW"),
        (&["SET"], "TSQUEUE"),
        (&["SET"], "TDQUEUE"),
        (&["INQUIRE"], "REQID"),
        (&["SET"], "TERMINAL"),
        (&["SET"], "JOURNALNAME"),
        (&["INQUIRE"], "UOWENQ"),
        (&["DISCARD"], "TRANCLASS"),
    ] {
        assert!(has(verbs, kind), "{verbs:?} {kind}");
    }
}
