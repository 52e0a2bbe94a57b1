//! ASSIGN, ADDRESS and ADDRESS SET.

use crate::fake::{exec, region, task, task_alone, task_in};
use transom_commands::{ArgKind, DataKind, cmd, opt};
use transom_region_commands::NO_AREA;
use transom_types::Resp;

#[test]
fn assign_answers_what_there_is() {
    let mut task = task(b"");
    task.link("SUB");
    for (option, expect) in [
        (opt::APPLID, "CICSA   "),
        (opt::SYSID, "SYSA"),
        (opt::USERID, "ALICE   "),
        (opt::PROGRAM, "SUB     "),
        (opt::INVOKINGPROG, "MAIN    "),
        (opt::RETURNPROG, "MAIN    "),
        (opt::STARTCODE, "DS"),
        (opt::ABCODE, "    "),
        (opt::CHANNEL, "                "),
        (opt::LANGINUSE, "ENU"),
        (opt::CMDSEC, " "),
        (opt::OPID, "ALI"),
        (opt::RESTART, "\0"),
    ] {
        let call = task.ok(exec(cmd::ASSIGN).out(option, expect.len()));
        assert_eq!(
            call.got_text(option),
            expect,
            "{}",
            transom_commands::option_name(option)
        );
    }
    for (option, expect) in [
        (opt::LINKLEVEL, 3),
        (opt::LOCALCCSID, 819),
        (opt::CWALENG, 512),
        (opt::TWALENG, 100),
        (opt::TCTUALENG, 0),
        (opt::TASKPRIORITY, 1),
        (opt::MAJORVERSION, -1),
    ] {
        assert_eq!(
            task.ok(exec(cmd::ASSIGN).int(option, 99)).got_int(option),
            expect
        );
    }
    task.back();
    let parm = exec(cmd::ASSIGN)
        .out(opt::INITPARM, 10)
        .int(opt::INITPARMLEN, 0);
    let call = task.ok(parm);
    assert_eq!(
        (
            call.got_text(opt::INITPARM).as_str(),
            call.got_int(opt::INITPARMLEN)
        ),
        ("TRACE=ON  ", 8)
    );
}

#[test]
fn every_assign_option_is_answered_or_refused() {
    let mut task = task_alone();
    let command = transom_commands::command(cmd::ASSIGN).unwrap();
    let (mut answered, mut refused) = (0, 0);
    for option in command.options {
        let number = match option.argument {
            ArgKind::CvdaOut => true,
            ArgKind::DataArea { kind, .. } => {
                matches!(
                    kind,
                    DataKind::Halfword | DataKind::Fullword | DataKind::Doubleword
                )
            }
            other => panic!("{} is {other:?}", option.keyword),
        };
        let mut call = match number {
            true => exec(cmd::ASSIGN).int(option.id, 987_654),
            false => exec(cmd::ASSIGN).out(option.id, 16),
        };
        match task.resp_of(&mut call) {
            (Resp::NORMAL, 0) if number => {
                assert_ne!(call.got_int(option.id), 987_654, "{}", option.keyword);
                answered += 1;
            }
            (Resp::NORMAL, 0) => {
                assert_ne!(
                    call.got_text(option.id),
                    "?".repeat(16),
                    "{}",
                    option.keyword
                );
                answered += 1;
            }
            (Resp::INVREQ, 1) => refused += 1,
            other => panic!("{}: {other:?}", option.keyword),
        }
    }
    assert!(
        answered > 50 && refused > 40,
        "{answered} answered, {refused} refused"
    );
}

#[test]
fn a_terminal_option_does_not_keep_the_others_from_being_answered() {
    let mut task = task(b"");
    let mut call = exec(cmd::ASSIGN).int(opt::SCRNHT, 0).out(opt::APPLID, 8);
    assert_eq!(task.resp_of(&mut call), (Resp::INVREQ, 200));
    assert_eq!(call.got_text(opt::APPLID), "CICSA   ");
}

#[test]
fn address_answers_areas() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b"data"), task_in(&shared, 2, b""));
    let ask = || {
        exec(cmd::ADDRESS)
            .ptr(opt::EIB, 0)
            .ptr(opt::COMMAREA, 0)
            .ptr(opt::TWA, 0)
            .ptr(opt::CWA, 0)
            .ptr(opt::TCTUA, 0)
            .ptr(opt::ACEE, 0)
    };
    let call = one.ok(ask());
    assert_eq!(call.got_pointer(opt::EIB), one.host.eib.as_ptr() as usize);
    assert_eq!(call.got_pointer(opt::COMMAREA), one.first.1.address);
    assert_eq!(one.host.storage[&call.got_pointer(opt::TWA)], [0; 100]);
    assert_eq!(call.got_pointer(opt::TCTUA), NO_AREA);
    assert_eq!(call.got_pointer(opt::ACEE), NO_AREA);
    let cwa = call.got_pointer(opt::CWA);
    assert_eq!(one.host.shared_storage[&cwa], [0; 512]);
    let call = two.ok(ask());
    assert_eq!(call.got_pointer(opt::CWA), cwa, "all tasks see one CWA");
    assert_eq!(call.got_pointer(opt::COMMAREA), NO_AREA);
}

#[test]
fn address_set() {
    let mut task = task(b"");
    let call = exec(cmd::ADDRESS_SET)
        .ptr(opt::SET, 0)
        .ptr(opt::USING, 0x1234);
    assert_eq!(task.ok(call).got_pointer(opt::SET), 0x1234);
}
