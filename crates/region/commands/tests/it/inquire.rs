//! INQUIRE and SET of programs, transactions, tasks and the system.

use crate::fake::{FakeCall, exec, program, region, task, task_in};
use transom_commands::{cmd, opt};
use transom_types::{FileName, ProfileName, Resp, TransId};
use transom_wire::definitions::{
    Db2Connection, Db2Transaction, FileEntry, JournalKind, JournalModel, ProfileEntry,
    ProgramEntry, SystemEntry, TransactionEntry,
};
use transom_wire::requests::RegionAnswer;
use transom_wire::{Shared as _, Space};

fn inquire(name: &str) -> FakeCall {
    exec(cmd::INQUIRE_PROGRAM).text(opt::PROGRAM, name)
}

#[test]
fn programs() {
    let mut task = task(b"");
    let call = task.ok(inquire("MAIN")
        .int(opt::STATUS, 0)
        .int(opt::USECOUNT, 0)
        .int(opt::RESCOUNT, 0)
        .int(opt::CONCURRENCY, 0)
        .ptr(opt::ENTRYPOINT, 0)
        .out(opt::REMOTESYSTEM, 4));
    assert!(call.got_cvda(opt::STATUS, "ENABLED"));
    assert!(call.got_cvda(opt::CONCURRENCY, "QUASIRENT"));
    assert_eq!(
        (call.got_int(opt::USECOUNT), call.got_int(opt::RESCOUNT)),
        (1, 1)
    );
    assert_eq!(call.got_pointer(opt::ENTRYPOINT), 0x7000_0100);
    assert_eq!(call.got_text(opt::REMOTESYSTEM), "    ");
    let call = task.ok(inquire("OFF").int(opt::STATUS, 0));
    assert!(call.got_cvda(opt::STATUS, "DISABLED"));
    assert_eq!(task.resp(inquire("NOSUCH")), (Resp::PGMIDERR, 1));
    assert!(task.host.asked.is_empty(), "INQUIRE does not autoinstall");
}

#[test]
fn browsing_programs() {
    let mut task = task(b"");
    let browse = || exec(cmd::INQUIRE_PROGRAM);
    let next = || {
        exec(cmd::INQUIRE_PROGRAM)
            .out(opt::PROGRAM, 8)
            .flag(opt::NEXT)
    };
    assert_eq!(task.resp(next()), (Resp::ILLOGIC, 1));
    task.ok(browse().flag(opt::START));
    assert_eq!(task.resp(browse().flag(opt::START)), (Resp::ILLOGIC, 1));
    let mut names = Vec::new();
    loop {
        let mut call = next();
        match task.resp_of(&mut call) {
            (Resp::NORMAL, _) => names.push(call.got_text(opt::PROGRAM).trim().to_owned()),
            end => break assert_eq!(end, (Resp::END, 2)),
        }
    }
    assert_eq!(names, ["GONE", "MAIN", "OFF", "OTHER", "SUB"]);
    task.ok(browse().flag(opt::END));
    assert_eq!(task.resp(browse().flag(opt::END)), (Resp::ILLOGIC, 1));
    task.ok(browse().flag(opt::START).text(opt::AT, "OT"));
    assert_eq!(task.ok(next()).got_text(opt::PROGRAM), "OTHER   ");
}

#[test]
fn set_refuses_values_that_are_none_and_ignores_ignore() {
    let mut task = task(b"");
    let file = FileEntry::new(FileName::from_field(b"CUST"), "TEST.CUST");
    assert!(file.with_all_operations().install(&*task.host.shared));
    let set_file = || exec(cmd::SET_FILE).text(opt::FILE, "CUST");
    let refused = [
        (opt::ADD, 4),
        (opt::BROWSE, 5),
        (opt::DELETE, 7),
        (opt::OPENSTATUS, 11),
        (opt::READ, 12),
        (opt::UPDATE, 14),
        (opt::RLSACCESS, 992),
    ];
    for (option, resp2) in refused {
        let (none, ignore) = (set_file().int(option, 99_999), set_file().int(option, 1));
        assert_eq!(task.resp(none), (Resp::INVREQ, resp2));
        task.ok(ignore);
    }
    let set = || exec(cmd::SET_TRANSACTION).text(opt::TRANSACTION, "TRN1");
    let none = set().int(opt::DUMPING, 99_999);
    assert_eq!(task.resp(none), (Resp::INVREQ, 992));
    task.ok(set().int(opt::STATUS, 1).int(opt::DUMPING, 1));
    let set = || exec(cmd::SET_PROGRAM).text(opt::PROGRAM, "SUB");
    task.ok(set().int(opt::STATUS, 1).int(opt::COPY, 1));
}

#[test]
fn setting_programs() {
    let mut task = task(b"");
    let set = |name: &str| exec(cmd::SET_PROGRAM).text(opt::PROGRAM, name);
    assert_eq!(task.resp(set("NOSUCH")), (Resp::PGMIDERR, 7));
    assert_eq!(task.resp(set("SUB").int(opt::STATUS, 2)), (Resp::INVREQ, 2));
    assert_eq!(task.resp(set("SUB").int(opt::COPY, 2)), (Resp::INVREQ, 4));
    task.ok(set("SUB").flag(opt::NOCEDF).flag(opt::DPLSUBSET));
    let entry = ProgramEntry::find(&*task.host.shared, program("SUB")).unwrap();
    assert!(!entry.cedf && entry.dpl_subset);
    task.host.answer = RegionAnswer::normal();
    task.ok(set("SUB").cvda(opt::STATUS, "DISABLED").flag(opt::NEWCOPY));
    assert_eq!(
        task.host.asked,
        [
            "Set(ProgramEnabled(ProgramName(SUB), false))",
            "Set(ProgramNewCopy(ProgramName(SUB)))"
        ]
    );
    task.host.answer = RegionAnswer::refused(Resp::INVREQ, 17, "TXMPG0009E no");
    assert_eq!(task.resp(set("SUB").flag(opt::ENABLED)), (Resp::INVREQ, 17));
    assert_eq!(task.log(), "TXMPG0009E no");
}

#[test]
fn transactions() {
    let mut task = task(b"");
    let inquire = |name: &str| exec(cmd::INQUIRE_TRANSACTION).text(opt::TRANSACTION, name);
    let call = task.ok(inquire("TRN1")
        .out(opt::PROGRAM, 8)
        .int(opt::STATUS, 0)
        .int(opt::TWASIZE, 0)
        .int(opt::DTIMEOUT, 0)
        .int(opt::RUNAWAY, 0)
        .int(opt::RUNAWAYTYPE, 0)
        .out(opt::TRANCLASS, 8));
    assert_eq!(call.got_text(opt::PROGRAM), "MAIN    ");
    assert_eq!(
        (call.got_int(opt::TWASIZE), call.got_int(opt::DTIMEOUT)),
        (100, 10)
    );
    assert_eq!(call.got_int(opt::RUNAWAY), 5_000);
    assert!(call.got_cvda(opt::RUNAWAYTYPE, "SYSTEM"));
    assert_eq!(call.got_text(opt::TRANCLASS), "DFHTCL00");
    assert_eq!(task.resp(inquire("NONE")), (Resp::TRANSIDERR, 1));
    task.ok(exec(cmd::INQUIRE_TRANSACTION).flag(opt::START));
    let next = || {
        exec(cmd::INQUIRE_TRANSACTION)
            .out(opt::TRANSACTION, 4)
            .flag(opt::NEXT)
    };
    assert_eq!(task.ok(next()).got_text(opt::TRANSACTION), "TRN1");
    assert_eq!(task.resp(next()), (Resp::END, 2));

    let set = |name: &str| exec(cmd::SET_TRANSACTION).text(opt::TRANSACTION, name);
    assert_eq!(task.resp(set("NONE")), (Resp::TRANSIDERR, 1));
    assert_eq!(
        task.resp(set("TRN1").int(opt::PRIORITY, 256)),
        (Resp::INVREQ, 3)
    );
    assert_eq!(
        task.resp(set("TRN1").int(opt::STATUS, 2)),
        (Resp::INVREQ, 4)
    );
    task.host.answer = RegionAnswer::normal();
    task.ok(set("TRN1")
        .flag(opt::NOTRANDUMP)
        .int(opt::RUNAWAY, 100)
        .text(opt::TRANCLASS, "SLOW")
        .int(opt::PRIORITY, 9)
        .flag(opt::SHUTENABLED)
        .flag(opt::DISABLED));
    let entry = TransactionEntry::find(&*task.host.shared, "TRN1".parse().unwrap()).unwrap();
    assert!(!entry.dump && entry.runaway_ms == Some(100) && entry.class.as_str() == "SLOW");
    assert!(entry.shutdown_enabled);
    assert_eq!(
        task.host.asked,
        [
            "Set(TransactionEnabled(TransId(TRN1), false))",
            "Set(TransactionPriority(TransId(TRN1), 9))"
        ]
    );
}

#[test]
fn tasks() {
    let shared = region();
    let (mut one, two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    let inquire = |number| exec(cmd::INQUIRE_TASK).int(opt::TASK, number);
    let call = one.ok(inquire(2)
        .out(opt::TRANSACTION, 4)
        .out(opt::USERID, 8)
        .out(opt::STARTCODE, 2)
        .int(opt::RUNSTATUS, 0)
        .int(opt::ATTACHTIME, 0));
    assert_eq!(call.got_text(opt::TRANSACTION), "TRN1");
    assert_eq!(
        (call.got_text(opt::USERID), call.got_text(opt::STARTCODE)),
        ("ALICE   ".into(), "DS".into())
    );
    assert!(call.got_cvda(opt::RUNSTATUS, "RUNNING"));
    assert_eq!(call.got_int(opt::ATTACHTIME), crate::fake::NOON);
    assert_eq!(one.resp(inquire(3)), (Resp::TASKIDERR, 1));

    let list = exec(cmd::INQUIRE_TASK_LIST)
        .int(opt::LISTSIZE, 0)
        .ptr(opt::SET, 0)
        .ptr(opt::SETTRANSID, 0);
    let call = one.ok(list);
    assert_eq!(call.got_int(opt::LISTSIZE), 2);
    assert_eq!(
        one.host.storage[&call.got_pointer(opt::SET)],
        [0, 0, 0, 0x1C, 0, 0, 0, 0x2C],
        "packed decimal"
    );
    assert_eq!(
        one.host.storage[&call.got_pointer(opt::SETTRANSID)],
        b"TRN1TRN1"
    );
    let waiting = exec(cmd::INQUIRE_TASK_LIST)
        .int(opt::LISTSIZE, 9)
        .flag(opt::SUSPENDED);
    assert_eq!(one.ok(waiting).got_int(opt::LISTSIZE), 0);

    let set = |number| exec(cmd::SET_TASK).int(opt::TASK, number);
    one.host.answer = RegionAnswer::normal();
    one.ok(set(2).flag(opt::FORCEPURGE).int(opt::PRIORITY, 77));
    assert_eq!(one.host.asked, ["Set(Purge { task: 2, force: true })"]);
    let call = one.ok(inquire(2).int(opt::PRIORITY, 0));
    assert_eq!(call.got_int(opt::PRIORITY), 77);
    assert_eq!(one.resp(set(9)), (Resp::TASKIDERR, 1));
    assert_eq!(one.resp(set(2).int(opt::PURGETYPE, 1)), (Resp::INVREQ, 3));
    drop(two);
}

#[test]
fn the_system() {
    let mut task = task(b"");
    let call = task.ok(exec(cmd::INQUIRE_SYSTEM)
        .out(opt::JOBNAME, 8)
        .out(opt::DFLTUSER, 8)
        .int(opt::MAXTASKS, 0)
        .int(opt::CURRENTTASKS, 0)
        .int(opt::CICSSTATUS, 0)
        .int(opt::STOREPROTECT, 0)
        .out(opt::CICSTSLEVEL, 6)
        .out(opt::GRPLIST, 32)
        .int(opt::EDSALIMIT, 5));
    assert_eq!(call.got_text(opt::JOBNAME), "CICSA   ");
    assert_eq!(call.got_text(opt::DFLTUSER), "CICSUSER");
    assert_eq!(
        (call.got_int(opt::MAXTASKS), call.got_int(opt::CURRENTTASKS)),
        (250, 1)
    );
    assert!(call.got_cvda(opt::CICSSTATUS, "ACTIVE"));
    assert!(call.got_cvda(opt::STOREPROTECT, "ACTIVE"));
    assert_eq!(call.got_text(opt::GRPLIST).trim(), "");
    let mut facts = SystemEntry::find(&*task.host.shared).unwrap();
    facts.storage_protection = false;
    facts.group_lists = vec!["SHOPLIST".into(), "TEST".into(), "DFHLIST".into()];
    assert!(facts.install(&*task.host.shared));
    let asked = exec(cmd::INQUIRE_SYSTEM).out(opt::GRPLIST, 32);
    let call = task.ok(asked.int(opt::STOREPROTECT, 0));
    assert!(call.got_cvda(opt::STOREPROTECT, "INACTIVE"));
    let lists = "SHOPLISTTEST    DFHLIST         ";
    assert_eq!(call.got_text(opt::GRPLIST), lists);
    task.host.answer = RegionAnswer::normal();
    let set = exec(cmd::SET_SYSTEM)
        .int(opt::MAXTASKS, 40)
        .int(opt::RUNAWAY, 2_000)
        .cvda(opt::PROGAUTOINST, "AUTOINACTIVE");
    task.ok(set);
    assert_eq!(task.host.asked, ["domain 110", "Set(MaxTasks(40))"]);
    for (option, value, resp2) in [
        (opt::MAXTASKS, 0, 5),
        (opt::PRTYAGING, 65_536, 7),
        (opt::RUNAWAY, 249, 9),
        (opt::DUMPING, 1, 20),
        (opt::PROGAUTOINST, 1, 21),
    ] {
        let set = exec(cmd::SET_SYSTEM).int(option, value);
        assert_eq!(task.resp(set), (Resp::INVREQ, resp2));
    }
}

#[test]
fn a_system_dump_is_a_matter_of_the_system() {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::normal();
    let dump = || {
        exec(cmd::PERFORM_DUMP)
            .text(opt::DUMPCODE, "MYDUMP")
            .text(opt::TITLE, "After the batch")
    };
    task.ok(dump());
    let (name, text) = task.host.dumps.last().unwrap();
    assert_eq!(name, "SYSTEM_MYDUMP");
    assert!(text.contains("Title After the batch\n"), "{text}");
    let mut facts = SystemEntry::find(&*task.host.shared).unwrap();
    facts.dump = false;
    assert!(facts.install(&*task.host.shared));
    assert_eq!(task.resp(dump()), (Resp::SUPPRESSED, 2));
}

#[test]
fn what_the_command_table_says_is_constant_is_answered_from_it() {
    let mut task = task(b"");
    let call = task.ok(exec(cmd::INQUIRE_AUTOINSTALL)
        .int(opt::ENABLESTATUS, 0)
        .int(opt::CURREQS, 7));
    assert!(call.got_cvda(opt::ENABLESTATUS, "ENABLED"));
    assert_eq!(call.got_int(opt::CURREQS), 0);
    // A condition leaves areas as they are.
    let mut call = exec(cmd::INQUIRE_DSNAME)
        .text(opt::DSNAME, "NO.SUCH.NAME")
        .out(opt::FWDRECOVLSN, 4);
    assert_eq!(task.resp_of(&mut call), (Resp::DSNNOTFOUND, 1));
    assert_eq!(call.got_text(opt::FWDRECOVLSN), "????");
}

#[test]
fn journal_models_are_browsed_by_journal_names_open_ones_last() {
    let mut task = task(b"");
    for (name, journal) in [
        (b"MODEL1  ", "USERJNL*"),
        (b"MODEL2  ", "USERJNL2"),
        (b"MODEL3  ", "DFH*"),
        (b"MODEL4  ", "DFHJ%0"),
        (b"MODEL5  ", "DFHJ25"),
    ] {
        let model = JournalModel {
            journal: journal.into(),
            kind: JournalKind::Smf,
            ..JournalModel::with_defaults(*name)
        };
        assert!(model.install(&*task.host.shared));
    }
    task.ok(exec(cmd::INQUIRE_JOURNALMODEL).flag(opt::START));
    let next = || {
        exec(cmd::INQUIRE_JOURNALMODEL)
            .out(opt::JOURNALMODEL, 8)
            .out(opt::JOURNALNAME, 8)
            .flag(opt::NEXT)
    };
    for journal in ["DFHJ25", "DFHJ%0", "DFH*", "USERJNL2", "USERJNL*"] {
        assert_eq!(task.ok(next()).got_text(opt::JOURNALNAME).trim(), journal);
    }
    assert_eq!(task.resp(next()), (Resp::END, 2));
    let inquire = || {
        exec(cmd::INQUIRE_JOURNALMODEL)
            .text(opt::JOURNALMODEL, "MODEL1")
            .int(opt::TYPE, 0)
    };
    assert!(task.ok(inquire()).got_cvda(opt::TYPE, "SMF"));
    task.host.answer = RegionAnswer::normal();
    task.ok(exec(cmd::DISCARD_JOURNALMODEL).text(opt::JOURNALMODEL, "MODEL1"));
    assert_eq!(task.resp(inquire()), (Resp::NOTFND, 1));
}

#[test]
fn a_profile_is_answered_as_the_table_of_kinds_says() {
    let mut task = task(b"");
    for name in ["PROF1", "PROF2"] {
        let profile = ProfileEntry::with_defaults(ProfileName::new(name).unwrap());
        assert!(profile.install(&*task.host.shared));
    }
    let inquire = |name: &str| exec(cmd::INQUIRE_PROFILE).text(opt::PROFILE, name);
    let call = task.ok(inquire("PROF1").out(opt::INSTALLUSRID, 8));
    assert_eq!(call.got_text(opt::INSTALLUSRID), "        ");
    assert_eq!(task.resp(inquire("NONE")), (Resp::PROFILEIDERR, 1));
    task.ok(exec(cmd::INQUIRE_PROFILE).flag(opt::START));
    let next = || {
        exec(cmd::INQUIRE_PROFILE)
            .out(opt::PROFILE, 8)
            .flag(opt::NEXT)
    };
    assert_eq!(task.ok(next()).got_text(opt::PROFILE), "PROF1   ");
    assert_eq!(task.ok(next()).got_text(opt::PROFILE), "PROF2   ");
    assert_eq!(task.resp(next()), (Resp::END, 2));
    task.ok(exec(cmd::INQUIRE_PROFILE).flag(opt::END));
}

#[test]
fn a_kind_whose_commands_follow_from_its_file() {
    let mut task = task(b"");
    let mut made = Db2Transaction::with_defaults(*b"PAYTRAN ");
    made.transid = TransId::from_field(b"PAY1");
    made.entry = *b"PAYENTRY";
    assert!(made.install(&*task.host.shared));
    let inquire = || exec(cmd::INQUIRE_DB2TRAN).text(opt::DB2TRAN, "PAYTRAN");
    let call = task.ok(inquire()
        .out(opt::TRANSID, 4)
        .out(opt::DB2ENTRY, 8)
        .out(opt::PLAN, 8)
        .int(opt::CHANGEAGENT, 0));
    assert_eq!(call.got_text(opt::TRANSID), "PAY1");
    assert_eq!(call.got_text(opt::DB2ENTRY), "PAYENTRY");
    assert_eq!(call.got_text(opt::PLAN), "        ");
    assert!(call.got_cvda(opt::CHANGEAGENT, "NOTAPPLIC"));
    let set = exec(cmd::SET_DB2TRAN).text(opt::DB2TRAN, "PAYTRAN");
    task.ok(set.text(opt::DB2ENTRY, "OTHER"));
    let call = task.ok(inquire().out(opt::DB2ENTRY, 8));
    assert_eq!(call.got_text(opt::DB2ENTRY), "OTHER   ");
    task.ok(exec(cmd::INQUIRE_DB2TRAN).flag(opt::START));
    let next = || {
        exec(cmd::INQUIRE_DB2TRAN)
            .out(opt::DB2TRAN, 8)
            .flag(opt::NEXT)
    };
    assert_eq!(task.ok(next()).got_text(opt::DB2TRAN), "PAYTRAN ");
    assert_eq!(task.resp(next()), (Resp::END, 2));
    task.host.answer = RegionAnswer::normal();
    task.ok(exec(cmd::DISCARD_DB2TRAN).text(opt::DB2TRAN, "PAYTRAN"));
    assert_eq!(task.resp(inquire()), (Resp::NOTFND, 1));
}

#[test]
fn a_kind_of_which_a_region_has_one() {
    let mut task = task(b"");
    let inquire = || {
        exec(cmd::INQUIRE_DB2CONN)
            .int(opt::CONNECTST, 0)
            .int(opt::AUTHTYPE, 0)
            .int(opt::TCBLIMIT, 0)
            .out(opt::DB2ID, 4)
    };
    assert_eq!(task.resp(inquire()), (Resp::NOTFND, 1));
    let mut connection = Db2Connection::with_defaults(*b"FIRST   ");
    assert!(connection.install(&*task.host.shared));
    connection.name = *b"SECOND  ";
    connection.db2id = *b"DBCG";
    assert!(connection.install(&*task.host.shared));
    let names = task.host.shared.group_names(Space::Db2Conn);
    assert_eq!(names, [b"SECOND  ".to_vec()]);
    let call = task.ok(inquire());
    assert_eq!(call.got_text(opt::DB2ID), "DBCG");
    assert!(call.got_cvda(opt::CONNECTST, "CONNECTED"));
    assert!(call.got_cvda(opt::AUTHTYPE, "USERID"));
    let set = exec(cmd::SET_DB2CONN).flag(opt::NOTCONNECTED);
    let set = set.text(opt::AUTHID, "PAYUSER").text(opt::DB2ID, "DBX");
    task.ok(set.int(opt::TCBLIMIT, 40));
    // Below its range: it stays.
    task.ok(exec(cmd::SET_DB2CONN).int(opt::TCBLIMIT, 3));
    let call = task.ok(inquire());
    assert_eq!(call.got_text(opt::DB2ID), "DBX ");
    assert_eq!(call.got_int(opt::TCBLIMIT), 40);
    assert!(call.got_cvda(opt::CONNECTST, "NOTCONNECTED"));
    assert!(call.got_cvda(opt::AUTHTYPE, "NOTAPPLIC"));
    task.host.answer = RegionAnswer::normal();
    task.ok(exec(cmd::DISCARD_DB2CONN));
    assert_eq!(task.resp(inquire()), (Resp::NOTFND, 1));
}
