//! Sign-on and passwords: arguments, conditions, and that no password goes anywhere but the
//! request.

use crate::fake::{FakeCall, exec, region, task, task_in};
use crate::terminals::at_terminal;
use transom_commands::{cmd, opt};
use transom_types::Resp;
use transom_wire::definitions::{Checks, SystemEntry};
use transom_wire::requests::RegionAnswer;
use transom_wire::security::{Access, Answer};

fn signon(user: &str, word: &str) -> FakeCall {
    exec(cmd::SIGNON)
        .text(opt::USERID, user)
        .text(opt::PASSWORD, word)
}

#[test]
fn signon_needs_a_terminal() {
    let mut task = task(b"");
    assert_eq!(task.resp(signon("ALICE", "secret")), (Resp::INVREQ, 10));
    assert_eq!(task.resp(exec(cmd::SIGNOFF)), (Resp::INVREQ, 2));
    assert!(task.host.asked.is_empty());
    let mut task = at_terminal(&region(), b"");
    assert_eq!(task.resp(signon("        ", "secret")), (Resp::INVREQ, 30));
    let french = signon("ALICE", "secret").text(opt::LANGUAGECODE, "FRA");
    assert_eq!(task.resp(french), (Resp::INVREQ, 14));
    assert!(task.host.asked.is_empty());
}

#[test]
fn the_region_answers() {
    let mut task = at_terminal(&region(), b"");
    task.host.answer = RegionAnswer::refused(Resp::NOTAUTH, 2, "");
    assert_eq!(task.resp(signon("ALICE", "guess")), (Resp::NOTAUTH, 2));
    task.host.answer = RegionAnswer::normal();
    let call = signon("alice", "secret")
        .out(opt::LANGINUSE, 3)
        .int(opt::ESMRESP, 9)
        .int(opt::DAYSLEFT, 0);
    let call = task.ok(call);
    assert_eq!(call.got_text(opt::LANGINUSE), "ENU");
    assert_eq!(
        (call.got_int(opt::ESMRESP), call.got_int(opt::DAYSLEFT)),
        (0, -1)
    );
    task.ok(exec(cmd::SIGNOFF));
    assert_eq!(task.host.asked, ["domain 107", "domain 107", "domain 107"]);
    assert!(!task.log().contains("secret"));
}

#[test]
fn phrases_have_lengths() {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::normal();
    let verify = |length| {
        exec(cmd::VERIFY_PHRASE)
            .text(opt::USERID, "ALICE")
            .text(opt::PHRASE, "a long phrase")
            .int(opt::PHRASELEN, length)
    };
    task.ok(verify(13));
    assert_eq!(task.resp(verify(101)), (Resp::LENGERR, 1));
    assert_eq!(task.resp(verify(-1)), (Resp::LENGERR, 1));
    let change = exec(cmd::CHANGE_PASSWORD)
        .text(opt::USERID, "ALICE")
        .text(opt::PASSWORD, "old")
        .text(opt::NEWPASSWORD, "        ");
    assert_eq!(task.resp(change), (Resp::NOTAUTH, 4));
}

#[test]
fn everybody_may_everything() {
    let mut task = task(b"");
    let query_of = |kind: &str, name: &str| {
        exec(cmd::QUERY_SECURITY)
            .text(opt::RESTYPE, kind)
            .text(opt::RESID, name)
            .int(opt::RESIDLENGTH, 8)
            .int(opt::READ, 0)
            .int(opt::ALTER, 0)
    };
    let query = |kind: &str| query_of(kind, "ACCOUNTS");
    let call = task.ok(query("FILE"));
    assert!(call.got_cvda(opt::READ, "READABLE") && call.got_cvda(opt::ALTER, "ALTERABLE"));
    assert_eq!(task.resp(query("BANANA")), (Resp::NOTFND, 2));
    assert_eq!(task.resp(query("SPCOMMAND")), (Resp::NOTFND, 3));
    let blank = query_of("FILE", "        ");
    assert_eq!(task.resp(blank), (Resp::INVREQ, 9));
    let wrong = query("FILE").cvda(opt::LOGMESSAGE, "ENABLED");
    assert_eq!(task.resp(wrong), (Resp::INVREQ, 7));
}

#[test]
fn a_resource_is_checked_whatever_else_the_command_says() {
    let shared = region();
    let mut system = SystemEntry::find(&*shared).unwrap();
    system.security = Checks {
        on: true,
        commands_always: false,
        resources_always: true,
    };
    assert!(system.install(&*shared));
    let mut task = task_in(&shared, 7, b"");
    let nothing = Answer {
        access: Some(Access::None),
        ..Answer::default()
    };
    task.host.answer = RegionAnswer::with_data(nothing.encode());
    let next = exec(cmd::READQ_TS)
        .text(opt::QUEUE, "SALARIES")
        .out(opt::INTO, 10)
        .flag(opt::NEXT);
    assert_eq!(task.resp(next), (Resp::NOTAUTH, 101));
    let journal = exec(cmd::WRITE_JOURNALNUM)
        .int(opt::JOURNALNUM, 7)
        .text(opt::JTYPEID, "XX")
        .text(opt::FROM, "a line");
    assert_eq!(task.resp(journal), (Resp::NOTAUTH, 101));
    // A browse names nothing yet.
    let browse = exec(cmd::INQUIRE_FILE).flag(opt::START);
    task.ok(browse);
}
