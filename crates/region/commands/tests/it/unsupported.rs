//! Commands and options that translate but do nothing yet.

use crate::fake::{exec, task};
use transom_commands::{Status, cmd, opt};
use transom_region_commands::{COMMAND_NOT_IMPLEMENTED, OPTION_NOT_IMPLEMENTED};
use transom_types::Resp;

#[test]
fn every_other_command_answers_invreq_and_says_so_once() {
    let mut task = task(b"");
    let mut told = 0;
    for command in transom_commands::all()
        .iter()
        .filter(|c| c.status == Status::Invreq)
    {
        for _ in 0..2 {
            let answer = task.resp(exec(command.id));
            assert_eq!(
                answer,
                (Resp::INVREQ, COMMAND_NOT_IMPLEMENTED),
                "{}",
                command.name
            );
        }
        told += 1;
        let lines = task.host.lines.borrow();
        assert_eq!(lines.len(), told, "one message per command");
        let expect = format!("EXEC CICS {} is not implemented", command.name);
        assert!(
            lines[told - 1].starts_with("TXMEI0001W MAIN line 42: "),
            "{}",
            lines[told - 1]
        );
        assert!(lines[told - 1].contains(&expect), "{}", lines[told - 1]);
    }
    assert!(told > 10);
    // Another worker of the region does not say it again.
    let shared = std::rc::Rc::clone(&task.host.shared);
    let mut other = crate::fake::task_in(&shared, 2, b"");
    let first = transom_commands::all()
        .iter()
        .find(|c| c.status == Status::Invreq)
        .unwrap();
    other.resp(exec(first.id));
    assert_eq!(other.log(), "");
}

#[test]
fn an_option_that_is_not_implemented_is_named() {
    let mut task = task(b"");
    let call = || exec(cmd::RETURN).flag(opt::ENDACTIVITY);
    for _ in 0..2 {
        assert_eq!(task.resp(call()), (Resp::INVREQ, OPTION_NOT_IMPLEMENTED));
    }
    assert_eq!(
        task.log(),
        "TXMEI0002W MAIN line 42: option ENDACTIVITY of EXEC CICS RETURN is not implemented; the \
         command answers INVREQ"
    );
}
