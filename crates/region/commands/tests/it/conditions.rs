//! HANDLE CONDITION, IGNORE CONDITION, HANDLE AID, PUSH and POP HANDLE, default actions.

use crate::fake::{FakeCall, exec, task};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_workers::seam::Outcome;

fn failing() -> FakeCall {
    exec(cmd::LINK).text(opt::PROGRAM, "OFF")
}

fn busy() -> FakeCall {
    exec(cmd::DELAY).int(opt::INTERVAL, 0)
}

#[test]
fn nobody_handles_it() {
    let mut task = task(b"");
    let Outcome::Abend(code, text) = task.run(&mut failing()) else {
        panic!("an abend")
    };
    assert_eq!(code, AbendCode::from_field(b"AEI0"));
    assert_eq!(
        text,
        "TXMAP0001E MAIN line 42: LINK PROGRAM(OFF) raised PGMIDERR with RESP2 2 and no program handles it: no module"
    );
    assert_eq!(task.eib_number(76), 27);
    assert_eq!(task.eib_number(80), 2);
    // EXPIRED has no default abend: the program goes on.
    assert_eq!(task.run(&mut busy()), Outcome::Continue);
    assert_eq!(task.eib_number(76), u32::from(Resp::EXPIRED.0));
}

#[test]
fn what_a_linked_program_may_not_do_has_its_own_abend() {
    let mut task = task(b"");
    let outcome = task.run(&mut exec(cmd::ASSIGN).int(opt::SCRNHT, 0));
    assert!(matches!(outcome, Outcome::Abend(code, _) if code.as_str() == "ADPL"));
    let mut alone = crate::fake::task_alone();
    let outcome = alone.run(&mut exec(cmd::ASSIGN).int(opt::SCRNHT, 0));
    assert!(matches!(outcome, Outcome::Abend(code, _) if code.as_str() == "AEIP"));
}

#[test]
fn labels_ignore_and_the_catch_all() {
    let mut task = task(b"");
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::PGMIDERR, 3));
    assert_eq!(task.run(&mut failing()), Outcome::Branch(3));
    task.run(&mut exec(cmd::IGNORE_CONDITION).flag(opt::PGMIDERR));
    assert_eq!(task.run(&mut failing()), Outcome::Continue);
    // Without label the default action is back, ERROR or not.
    let call = exec(cmd::HANDLE_CONDITION)
        .label_at(opt::ERROR, 8)
        .flag(opt::PGMIDERR);
    task.run(&mut { call });
    assert!(matches!(task.run(&mut failing()), Outcome::Abend(..)));
    // ERROR takes conditions that would abend, and only those.
    let mut rewrite = exec(cmd::READQ_TS)
        .text(opt::QUEUE, "NOQ")
        .out(opt::INTO, 4);
    assert_eq!(task.run(&mut rewrite), Outcome::Branch(8));
    assert_eq!(task.run(&mut busy()), Outcome::Continue);
    task.run(&mut exec(cmd::HANDLE_CONDITION).flag(opt::ERROR));
    let mut again = exec(cmd::READQ_TS)
        .text(opt::QUEUE, "NOQ")
        .out(opt::INTO, 4);
    assert!(matches!(task.run(&mut again), Outcome::Abend(..)));
}

#[test]
fn resp_and_nohandle_win_over_labels() {
    let mut task = task(b"");
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::PGMIDERR, 3));
    assert_eq!(task.resp(failing()), (Resp::PGMIDERR, 2));
}

#[test]
fn state_belongs_to_the_program_level() {
    let mut task = task(b"");
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::PGMIDERR, 3));
    task.link("SUB");
    assert!(matches!(task.run(&mut failing()), Outcome::Abend(..)));
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::PGMIDERR, 5));
    assert_eq!(task.run(&mut failing()), Outcome::Branch(5));
    task.back();
    assert_eq!(task.run(&mut failing()), Outcome::Branch(3));
    // XCTL: the labels were the old program's.
    task.run(&mut exec(cmd::XCTL).text(opt::PROGRAM, "SUB"));
    assert!(matches!(task.run(&mut failing()), Outcome::Abend(..)));
}

#[test]
fn push_and_pop() {
    let mut task = task(b"");
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::PGMIDERR, 3));
    task.run(&mut exec(cmd::HANDLE_AID).label_at(opt::PF3, 4));
    task.ok(exec(cmd::PUSH_HANDLE));
    assert!(matches!(task.run(&mut failing()), Outcome::Abend(..)));
    task.ok(exec(cmd::POP_HANDLE));
    assert_eq!(task.run(&mut failing()), Outcome::Branch(3));
    assert_eq!(task.resp(exec(cmd::POP_HANDLE)), (Resp::INVREQ, 0));
    for _ in 0..transom_region_commands::limits::PUSHES_MAX {
        task.ok(exec(cmd::PUSH_HANDLE));
    }
    assert_eq!(task.resp(exec(cmd::PUSH_HANDLE)), (Resp::INVREQ, 1));
}
