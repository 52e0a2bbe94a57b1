//! RUN TRANSID, FETCH, FREE as a worker sees them; the region's answers are given.

use crate::fake::{exec, task};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_wire::asynchronous::Fetched;
use transom_wire::requests::RegionAnswer;

const TOKEN: &[u8; 16] = b"TXMC0123456789AB";

#[test]
fn run_answers_a_token() {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::with_data(TOKEN.to_vec());
    let call = task.ok(exec(cmd::RUN_TRANSID)
        .text(opt::TRANSID, "KID1")
        .text(opt::CHANNEL, "NEWONE")
        .out(opt::CHILD, 16));
    assert_eq!(call.got_bytes(opt::CHILD), TOKEN);
    assert_eq!(task.host.asked, ["domain 106"]);
    task.host.answer = RegionAnswer::refused(Resp::NOSTART, 0, "");
    let run = exec(cmd::RUN_TRANSID)
        .text(opt::TRANSID, "KID1")
        .out(opt::CHILD, 16);
    assert_eq!(task.resp(run), (Resp::NOSTART, 0));
}

#[test]
fn fetch_tells_how_a_child_ended() {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::with(&Fetched {
        token: *TOKEN,
        security: false,
        abcode: Some(AbendCode::from_field(b"KAPT")),
        reply: Vec::new(),
    });
    let call = task.ok(exec(cmd::FETCH_ANY)
        .out(opt::ANY, 16)
        .out(opt::CHANNEL, 16)
        .out(opt::ABCODE, 4)
        .int(opt::COMPSTATUS, 0));
    assert_eq!(call.got_bytes(opt::ANY), TOKEN);
    assert_eq!(call.got_text(opt::ABCODE), "KAPT");
    assert!(call.got_cvda(opt::COMPSTATUS, "ABEND"));
    assert_eq!(call.got_text(opt::CHANNEL), " ".repeat(16));
    let wrong = exec(cmd::FETCH_CHILD)
        .bytes_of(opt::CHILD, TOKEN)
        .int(opt::COMPSTATUS, 0)
        .int(opt::TIMEOUT, -1);
    assert_eq!(task.resp(wrong), (Resp::INVREQ, 241));
}

#[test]
fn free_passes_on_what_the_region_says() {
    let mut task = task(b"");
    let free = || exec(cmd::FREE_CHILD).bytes_of(opt::CHILD, TOKEN);
    task.host.answer = RegionAnswer::normal();
    task.ok(free());
    task.host.answer = RegionAnswer::refused(Resp::INVREQ, 50, "");
    assert_eq!(task.resp(free()), (Resp::INVREQ, 50));
}
