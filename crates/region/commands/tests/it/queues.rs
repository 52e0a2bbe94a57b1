//! Temporary storage queues.

use crate::fake::{FakeCall, exec, region, task, task_in};
use transom_commands::{cmd, opt};
use transom_types::Resp;

fn write(data: &str) -> FakeCall {
    exec(cmd::WRITEQ_TS)
        .text(opt::QUEUE, "MYQUEUE")
        .text(opt::FROM, data)
        .int(opt::LENGTH, data.len() as i64)
}

fn read(room: usize) -> FakeCall {
    exec(cmd::READQ_TS)
        .text(opt::QUEUE, "MYQUEUE")
        .out(opt::INTO, room)
        .int(opt::LENGTH, room as i64)
        .int(opt::NUMITEMS, 0)
}

#[test]
fn items_are_written_read_and_rewritten() {
    let mut task = task(b"");
    let call = task.ok(write("first").int(opt::ITEM, 0).int(opt::NUMITEMS, 0));
    assert_eq!(
        (call.got_int(opt::ITEM), call.got_int(opt::NUMITEMS)),
        (1, 1)
    );
    task.ok(write("second").flag(opt::AUXILIARY));
    let call = task.ok(read(10).int(opt::ITEM, 2));
    assert_eq!(call.got_text(opt::INTO), "second????");
    assert_eq!(
        (call.got_int(opt::LENGTH), call.got_int(opt::NUMITEMS)),
        (6, 2)
    );
    task.ok(write("FIRST").int(opt::ITEM, 1).flag(opt::REWRITE));
    assert_eq!(
        task.ok(read(5).int(opt::ITEM, 1)).got_text(opt::INTO),
        "FIRST"
    );
    let set = exec(cmd::READQ_TS)
        .text(opt::QNAME, "MYQUEUE")
        .ptr(opt::SET, 0)
        .int(opt::LENGTH, 0)
        .int(opt::ITEM, 1);
    let call = task.ok(set);
    assert_eq!(task.host.storage[&call.got_pointer(opt::SET)], b"FIRST");
    assert_eq!(call.got_int(opt::LENGTH), 5);
    // Reading on does not pile storage up.
    let kept = task.host.storage.len();
    for _ in 0..5 {
        task.ok(exec(cmd::READQ_TS)
            .text(opt::QUEUE, "MYQUEUE")
            .ptr(opt::SET, 0)
            .int(opt::ITEM, 2));
    }
    assert_eq!(task.host.storage.len(), kept);
}

#[test]
fn next_goes_on_where_any_task_read_last() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    for data in ["a", "b", "c"] {
        one.ok(write(data));
    }
    assert_eq!(one.ok(read(1).flag(opt::NEXT)).got_text(opt::INTO), "a");
    assert_eq!(two.ok(read(1).flag(opt::NEXT)).got_text(opt::INTO), "b");
    assert_eq!(
        one.ok(read(1)).got_text(opt::INTO),
        "c",
        "NEXT is the default"
    );
    assert_eq!(two.resp(read(1).flag(opt::NEXT)), (Resp::ITEMERR, 0));
    two.ok(read(1).int(opt::ITEM, 1));
    assert_eq!(one.ok(read(1).flag(opt::NEXT)).got_text(opt::INTO), "b");
}

#[test]
fn conditions() {
    let mut task = task(b"");
    let delete = || exec(cmd::DELETEQ_TS).text(opt::QUEUE, "MYQUEUE");
    assert_eq!(task.resp(read(5)), (Resp::QIDERR, 0));
    assert_eq!(task.resp(delete()), (Resp::QIDERR, 0));
    let rewrite = write("x").int(opt::ITEM, 1).flag(opt::REWRITE);
    assert_eq!(task.resp(rewrite), (Resp::QIDERR, 0));
    task.ok(write("hello"));
    let mut short = read(3).int(opt::ITEM, 1);
    assert_eq!(task.resp_of(&mut short), (Resp::LENGERR, 0));
    assert_eq!(
        (
            short.got_text(opt::INTO).as_str(),
            short.got_int(opt::LENGTH)
        ),
        ("hel", 5)
    );
    for item in [0, 2, -1] {
        assert_eq!(task.resp(read(5).int(opt::ITEM, item)), (Resp::ITEMERR, 0));
    }
    let rewrite = write("x").int(opt::ITEM, 2).flag(opt::REWRITE);
    assert_eq!(task.resp(rewrite), (Resp::ITEMERR, 0));
    for length in [0, -1, 32_764] {
        let call = exec(cmd::WRITEQ_TS)
            .text(opt::QUEUE, "MYQUEUE")
            .text(opt::FROM, "x")
            .int(opt::LENGTH, length);
        assert_eq!(task.resp(call), (Resp::LENGERR, 0), "LENGTH({length})");
    }
    let no_name = exec(cmd::DELETEQ_TS).bytes_of(opt::QUEUE, &[0; 8]);
    assert_eq!(task.resp(no_name), (Resp::INVREQ, 0));
    let far = delete().text(opt::SYSID, "FAR1");
    assert_eq!(task.resp(far), (Resp::SYSIDERR, 1));
    task.host.shared.full.set(true);
    assert_eq!(task.resp(write("no room")), (Resp::NOSPACE, 0));
    task.host.shared.full.set(false);
    task.ok(delete());
    assert_eq!(task.resp(read(5)), (Resp::QIDERR, 0));
}

#[test]
fn a_full_region_keeps_no_half_queue() {
    let mut task = task(b"");
    task.host.shared.full.set(true);
    assert_eq!(task.resp(write("no room")), (Resp::NOSPACE, 0));
    task.host.shared.full.set(false);
    assert_eq!(task.resp(read(5)), (Resp::QIDERR, 0));
}
