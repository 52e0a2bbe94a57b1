//! START, RETRIEVE, CANCEL, POST, WAIT EVENT as a worker sees them; the region's answers are given.

use crate::fake::{NOON, exec, region, task, task_in};
use transom_commands::{cmd, opt};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_workers::seam::Waited;

#[test]
fn start_asks_the_region_and_tells_the_reqid() {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::with_data(b"DF000001".to_vec());
    task.ok(exec(cmd::START)
        .text(opt::TRANSID, "PAY1")
        .text(opt::FROM, "DATA")
        .int(opt::LENGTH, 4));
    assert_eq!(task.host.asked, ["domain 104"]);
    assert_eq!(&task.host.eib[43..51], b"DF000001");
    assert_eq!(&task.host.eib[51..59], b"PAY1    ");
}

#[test]
fn start_checks_before_it_asks() {
    let mut task = task(b"");
    let start = || exec(cmd::START).text(opt::TRANSID, "PAY1");
    let cases = [
        (start().text(opt::SYSID, "FAR1"), (Resp::SYSIDERR, 1)),
        (start().int(opt::INTERVAL, 1_000_000), (Resp::INVREQ, 4)),
        (start().int(opt::INTERVAL, 6_000), (Resp::INVREQ, 5)),
        (start().int(opt::TIME, 61), (Resp::INVREQ, 6)),
        (
            start().text(opt::FROM, "X").int(opt::LENGTH, 0),
            (Resp::LENGERR, 0),
        ),
        (
            start().text(opt::TERMID, "T001").text(opt::USERID, "BOB"),
            (Resp::INVREQ, 18),
        ),
        (
            start().text(opt::CHANNEL, "BAD NAME"),
            (Resp::CHANNELERR, 1),
        ),
    ];
    for (call, wanted) in cases {
        assert_eq!(task.resp(call), wanted);
    }
    assert!(task.host.asked.is_empty());
    task.host.answer = RegionAnswer::refused(Resp::TRANSIDERR, 0, "");
    assert_eq!(task.resp(start()), (Resp::TRANSIDERR, 0));
}

#[test]
fn retrieve_without_a_start_finds_nothing() {
    let mut task = task(b"");
    let retrieve = exec(cmd::RETRIEVE).out(opt::INTO, 4).int(opt::LENGTH, 4);
    assert_eq!(task.resp(retrieve), (Resp::ENDDATA, 0));
    assert!(task.host.asked.is_empty(), "no round trip");
}

#[test]
fn post_marks_its_area_when_the_time_has_come() {
    let mut task = task(b"");
    let post = task.ok(exec(cmd::POST)
        .flag(opt::AFTER)
        .int(opt::SECONDS, 5)
        .ptr(opt::SET, 0));
    let area = post.got_pointer(opt::SET);
    assert_eq!(task.host.storage[&area], [0; 4]);
    let wait = || exec(cmd::WAIT_EVENT).ptr(opt::ECADDR, area);
    task.ok(wait());
    assert_eq!(task.host.clock, NOON + 5_000);
    assert_eq!(task.host.storage[&area], [0x40, 0, 0x80, 0]);
    task.ok(wait());
    assert_eq!(task.host.waited.len(), 1, "a posted area is not waited for");
    let expired = exec(cmd::POST).int(opt::TIME, 115_959).ptr(opt::SET, 0);
    assert_eq!(task.resp(expired), (Resp::EXPIRED, 0));
}

#[test]
fn post_can_be_cancelled_by_another_task() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    let post = one.ok(exec(cmd::POST)
        .int(opt::INTERVAL, 10_000)
        .text(opt::REQID, "ALARM")
        .ptr(opt::SET, 0));
    let area = post.got_pointer(opt::SET);
    one.host.waits.push_back(Box::new(move |_| {
        two.ok(exec(cmd::CANCEL).text(opt::REQID, "ALARM"));
        assert_eq!(*two.host.posts.borrow(), [1]);
        Waited::Posted
    }));
    one.ok(exec(cmd::WAIT_EVENT).ptr(opt::ECADDR, area));
    assert_eq!(one.host.storage[&area], [0x40, 0, 0x80, 0]);
    assert_eq!(one.host.clock, NOON);
    one.ok(exec(cmd::CANCEL));
    assert_eq!(one.resp(exec(cmd::CANCEL)), (Resp::NOTFND, 0), "once");
}

#[test]
fn events_need_an_address() {
    let mut task = task(b"");
    let event = |at| exec(cmd::WAIT_EVENT).ptr(opt::ECADDR, at);
    assert_eq!(task.resp(event(0)), (Resp::INVREQ, 2));
    assert_eq!(task.resp(event(0x10_0001)), (Resp::INVREQ, 4));
    let list = exec(cmd::WAITCICS)
        .ptr(opt::ECBLIST, 0)
        .int(opt::NUMEVENTS, 1);
    assert_eq!(task.resp(list), (Resp::INVREQ, 2));
    let none = exec(cmd::WAIT_EXTERNAL)
        .ptr(opt::ECBLIST, 16)
        .int(opt::NUMEVENTS, 0);
    assert_eq!(task.resp(none), (Resp::INVREQ, 1));
}

#[test]
fn a_list_of_events_ends_with_any_of_them() {
    let mut task = task(b"");
    let one = task.host.working_storage(&[0; 4]);
    let two = task.host.working_storage(&[0x40, 0, 0, 0]);
    // Any event area may carry the mark of the last one.
    let list = [one as u32, two as u32 | 1 << 31]
        .map(u32::to_be_bytes)
        .concat();
    let list = task.host.working_storage(&list);
    task.ok(exec(cmd::WAITCICS)
        .ptr(opt::ECBLIST, list)
        .int(opt::NUMEVENTS, 2));
    assert!(task.host.waited.is_empty());
}

#[test]
fn every_byte_of_a_reqid_counts() {
    let given = b"REQ\0\0\0\0\x07";
    let mut task = task(b"");
    task.host.answer = RegionAnswer::with_data(given.to_vec());
    task.ok(exec(cmd::START)
        .text(opt::TRANSID, "PAY1")
        .bytes_of(opt::REQID, given));
    assert_eq!(&task.host.eib[43..51], given);
    task.host.answer = RegionAnswer::normal();
    task.ok(exec(cmd::CANCEL).bytes_of(opt::REQID, given));
    assert_eq!(&task.host.eib[43..51], given);
}
