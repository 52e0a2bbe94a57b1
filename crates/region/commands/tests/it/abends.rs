//! ABEND, HANDLE ABEND, and the dump of an abend.

use crate::fake::{FakeCall, Task, exec, program, task};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_wire::definitions::ProgramEntry;
use transom_workers::seam::{AbendAction, Outcome, Place};

fn code(text: &str) -> AbendCode {
    AbendCode::from_field(text.as_bytes())
}

fn abend(name: &str) -> FakeCall {
    exec(cmd::ABEND).text(opt::ABCODE, name)
}

fn assign(task: &mut Task, option: transom_commands::OptionId, bytes: usize) -> String {
    task.ok(exec(cmd::ASSIGN).out(option, bytes))
        .got_text(option)
}

#[test]
fn abend_ends_the_task_with_a_dump() {
    let mut task = task(b"COMMAREA DATA");
    let Outcome::Abend(code_given, text) = task.run(&mut abend("MYAB")) else {
        panic!()
    };
    assert_eq!(code_given, code("MYAB"));
    assert_eq!(task.abend(0, "MYAB"), AbendAction::EndTask);
    assert!(text.starts_with("TXMAP0003E MAIN line 42"), "{text}");
    let (name, dump) = &task.host.dumps[0];
    assert_eq!(name, "TRN1_MYAB");
    for part in [
        "TRANSACTION DUMP  code MYAB",
        "Region CICSA (SYSA)  2026-11-20 12:00:00.000",
        "Task 1  transaction TRN1  user ALICE",
        "0: MAIN      invoked by DFHMIRS   COMMAREA 13 bytes  channel none",
        "EIB  85 bytes",
        "434F4D4D 41524541 20444154 41",
        "*COMMAREA DATA*",
        "TWA  100 bytes",
    ] {
        assert!(dump.contains(part), "{part} is not in\n{dump}");
    }
}

#[test]
fn dumps_that_are_not_taken() {
    let mut task = task(b"");
    task.run(&mut abend("MYAB").flag(opt::NODUMP));
    task.abend(0, "MYAB");
    assert!(matches!(
        task.run(&mut exec(cmd::ABEND)),
        Outcome::Abend(..)
    ));
    task.abend(0, "????");
    assert!(task.host.dumps.is_empty());
    // A program check takes one.
    task.abend(0, "ASRA");
    assert_eq!(task.host.dumps.len(), 1);
}

#[test]
fn a_region_takes_only_so_many_dumps_of_a_code() {
    let mut task = task(b"");
    let limit = transom_region_commands::limits::DUMPS_MAX as usize;
    for _ in 0..limit + 2 {
        task.abend(0, "ASRA");
    }
    assert_eq!(task.host.dumps.len(), limit);
    let told = "TXMAP0013W 999 dumps of code ASRA were taken; further ones are suppressed";
    assert_eq!(task.log().matches(told).count(), 1);
    task.abend(0, "AICA");
    assert_eq!(task.host.dumps.len(), limit + 1);
    let dump = exec(cmd::DUMP_TRANSACTION).text(opt::DUMPCODE, "ASRA");
    assert_eq!(task.resp(dump), (Resp::SUPPRESSED, 1));
}

#[test]
fn a_label_takes_the_abend_once() {
    let mut task = task(b"");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 6));
    task.run(&mut abend("AB01"));
    assert_eq!(
        task.abend(0, "AB01"),
        AbendAction::Branch { level: 0, label: 6 }
    );
    assert_eq!(assign(&mut task, opt::ABCODE, 4), "AB01");
    assert_eq!(assign(&mut task, opt::ABPROGRAM, 8), "MAIN    ");
    assert!(task.host.dumps.is_empty(), "the exit decides about dumps");
    // In the exit the handler is off; RESET switches it on again.
    assert_eq!(task.abend(0, "ASRA"), AbendAction::EndTask);
    task.ok(exec(cmd::HANDLE_ABEND).flag(opt::RESET));
    assert_eq!(
        task.abend(0, "AB02"),
        AbendAction::Branch { level: 0, label: 6 }
    );
    assert_eq!(assign(&mut task, opt::ORGABCODE, 4), "AB01");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 7));
    task.ok(exec(cmd::HANDLE_ABEND).flag(opt::CANCEL));
    assert_eq!(task.abend(0, "AB03"), AbendAction::EndTask);
}

#[test]
fn higher_levels_are_searched() {
    let mut task = task(b"");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 2));
    task.link("SUB");
    task.ok(exec(cmd::PUT_CONTAINER)
        .text(opt::CHANNEL, "SUBS")
        .text(opt::CONTAINER, "A")
        .text(opt::FROM, "x"));
    task.link("OTHER");
    assert_eq!(
        task.abend(2, "ASRA"),
        AbendAction::Branch { level: 0, label: 2 }
    );
    assert_eq!(assign(&mut task, opt::PROGRAM, 8), "MAIN    ");
    assert_eq!(assign(&mut task, opt::ABPROGRAM, 8), "OTHER   ");
    assert_eq!(&task.host.eib[24..26], [0, 0]);
    task.link("SUB");
    assert_eq!(
        task.abend(1, "ASRA"),
        AbendAction::EndTask,
        "the exit was used up"
    );
}

#[test]
fn abend_cancel_passes_over_exits() {
    let mut task = task(b"");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 2));
    task.run(&mut abend("AB01").flag(opt::CANCEL));
    assert_eq!(task.abend(0, "AB01"), AbendAction::EndTask);
    // It was meant for that abend only.
    assert_eq!(
        task.abend(0, "ASRA"),
        AbendAction::Branch { level: 0, label: 2 }
    );
}

#[test]
fn no_exit_gets_the_abend_of_a_syncpoint() {
    let mut task = task(b"");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 2));
    assert_eq!(task.abend(0, "ASP1"), AbendAction::EndTask);
    assert_eq!(task.abend(0, "APSJ"), AbendAction::EndTask);
    // A program may call its own abends what it likes.
    task.run(&mut abend("ASPX"));
    let branch = AbendAction::Branch { level: 0, label: 2 };
    assert_eq!(task.abend(0, "ASPX"), branch);
}

#[test]
fn an_exit_program_gets_the_commarea() {
    let mut task = task(b"input");
    let handle = |name: &str| exec(cmd::HANDLE_ABEND).text(opt::PROGRAM, name);
    assert_eq!(task.resp(handle("OFF")), (Resp::PGMIDERR, 2));
    assert_eq!(task.resp(handle("NOSUCH")), (Resp::PGMIDERR, 1));
    task.ok(handle("OTHER"));
    task.link("SUB");
    let action = task.abend(1, "ASRA");
    let AbendAction::Program {
        level: 0,
        module,
        area,
    } = action
    else {
        panic!("{action:?}")
    };
    assert_eq!((module.program, area), (program("OTHER"), task.first.1));
    assert_eq!(assign(&mut task, opt::PROGRAM, 8), "OTHER   ");
    assert_eq!(&task.host.eib[24..26], [0, 5]);
}

#[test]
fn push_puts_the_exit_away() {
    let mut task = task(b"");
    task.ok(exec(cmd::HANDLE_ABEND).label_at(opt::LABEL, 2));
    task.ok(exec(cmd::PUSH_HANDLE));
    task.link("SUB");
    assert_eq!(task.abend(1, "ASRA"), AbendAction::EndTask);
}

#[test]
fn a_program_check_has_a_place() {
    let mut task = task(b"");
    let asked = |task: &mut Task| {
        task.ok(exec(cmd::ASSIGN)
            .out(opt::ABPROGRAM, 8)
            .int(opt::ABOFFSET, 9)
            .out(opt::ASRAPSW, 8)
            .out(opt::ASRAPSW16, 16)
            .out(opt::ASRAINTRPT, 8)
            .int(opt::ASRAKEY, 0)
            .out(opt::ASRAREGS, 64))
    };
    let call = asked(&mut task);
    assert_eq!(call.got_int(opt::ABOFFSET), 0);
    assert_eq!(call.got_bytes(opt::ASRAPSW), [0; 8]);
    task.host.place = Some(Place {
        program: program("SUB"),
        address: 0x1234_5678,
        load_point: 0x1234_5000,
        line: 17,
        interruption: 4,
        operand: 0x40,
    });
    task.abend(0, "ASRA");
    let call = asked(&mut task);
    assert_eq!(call.got_text(opt::ABPROGRAM), "SUB     ");
    assert_eq!(call.got_int(opt::ABOFFSET), 0x678);
    assert_eq!(
        call.got_bytes(opt::ASRAPSW),
        [0x07, 0x8D, 0, 0, 0x92, 0x34, 0x56, 0x78]
    );
    assert_eq!(
        call.got_bytes(opt::ASRAPSW16),
        [
            0x07, 0x85, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0, 0x12, 0x34, 0x56, 0x78
        ]
    );
    assert_eq!(call.got_bytes(opt::ASRAINTRPT), [0, 0, 0, 4, 0, 0, 0, 0x40]);
    assert_eq!(call.got_bytes(opt::ASRAREGS), [0; 64]);
    assert!(call.got_cvda(opt::ASRAKEY, "USEREXECKEY"));
    let mut sub = ProgramEntry::find(&*task.host.shared, program("SUB")).unwrap();
    sub.cics_key = true;
    assert!(sub.install(&*task.host.shared));
    assert!(asked(&mut task).got_cvda(opt::ASRAKEY, "CICSEXECKEY"));
    let (_, dump) = &task.host.dumps[0];
    let wanted = "PSW 078D0000 92345678  program SUB  offset X'00000678'  \
                  loaded at X'12345000'  line 17";
    assert!(dump.contains(wanted), "{dump}");
    // An abend that is no check: its own place is not known, the PSW is the last there was.
    task.abend(0, "MYAB");
    let call = asked(&mut task);
    assert_eq!(call.got_text(opt::ABPROGRAM), "MAIN    ");
    assert_eq!(call.got_int(opt::ABOFFSET), 0);
    assert_eq!(call.got_bytes(opt::ASRAPSW)[4..], [0x92, 0x34, 0x56, 0x78]);
    // A check nobody knows the place of.
    task.abend(0, "ASRA");
    let call = asked(&mut task);
    assert_eq!(call.got_int(opt::ABOFFSET), -1);
    assert_eq!(call.got_bytes(opt::ASRAPSW), [0; 8]);
}
