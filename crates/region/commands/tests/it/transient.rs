//! Transient data and models of temporary storage as a worker sees them.

use crate::fake::{FakeCall, exec, region, task_in};
use transom_commands::{OptionId, cmd, opt};
use transom_types::{Resp, TdQueueName};
use transom_wire::definitions::{TdKind, TdQueueEntry, TsModelEntry};
use transom_wire::requests::RegionAnswer;

fn write(queue: &str, length: i64) -> FakeCall {
    exec(cmd::WRITEQ_TD)
        .text(opt::QUEUE, queue)
        .text(opt::FROM, &"x".repeat(80))
        .int(opt::LENGTH, length)
}

fn read(queue: &str) -> FakeCall {
    exec(cmd::READQ_TD)
        .text(opt::QUEUE, queue)
        .out(opt::INTO, 5)
        .int(opt::LENGTH, 5)
}

#[test]
fn definitions_decide_before_the_region_is_asked() {
    let shared = region();
    let install = |name: &[u8; 4], change: &dyn Fn(&mut TdQueueEntry)| {
        let mut queue = TdQueueEntry::new(TdQueueName::new(*name));
        change(&mut queue);
        assert!(queue.install(&*shared));
    };
    install(b"INTR", &|_| ());
    install(b"OFF ", &|q| q.enabled = false);
    install(b"SHUT", &|q| {
        (q.kind, q.open) = (TdKind::Output, false);
    });
    install(b"FARQ", &|q| q.kind = TdKind::Remote);
    install(b"INP ", &|q| q.kind = TdKind::Input);
    install(b"FIX ", &|q| {
        (q.kind, q.fixed, q.record_bytes) = (TdKind::Output, true, 80);
    });
    for (name, to) in [(b"NAME", b"INTR"), (b"LOOP", b"LOOP")] {
        assert!(
            TdQueueEntry::indirect(TdQueueName::new(*name), TdQueueName::new(*to))
                .install(&*shared)
        );
    }
    let mut task = task_in(&shared, 1, b"");
    let cases = [
        (write("NONE", 5), (Resp::QIDERR, 0)),
        (write("LOOP", 5), (Resp::QIDERR, 0)),
        (write("OFF", 5), (Resp::DISABLED, 0)),
        (write("SHUT", 5), (Resp::NOTOPEN, 0)),
        (write("FARQ", 5), (Resp::SYSIDERR, 1)),
        (
            write("INTR", 5).text(opt::SYSID, "FAR1"),
            (Resp::SYSIDERR, 1),
        ),
        (write("INP", 5), (Resp::INVREQ, 0)),
        (write("INTR", 0), (Resp::LENGERR, 0)),
        (write("INTR", 40_000), (Resp::LENGERR, 0)),
        (write("FIX", 79), (Resp::LENGERR, 0)),
        (read("FIX"), (Resp::INVREQ, 0)),
        (
            exec(cmd::DELETEQ_TD).text(opt::QUEUE, "FIX"),
            (Resp::INVREQ, 0),
        ),
    ];
    for (call, wanted) in cases {
        assert_eq!(task.resp(call), wanted);
    }
    assert!(task.host.asked.is_empty());
    task.host.answer = RegionAnswer::normal();
    task.ok(write("NAME", 5));
    task.ok(write("FIX", 80));
    assert_eq!(task.host.asked, ["domain 103", "domain 103"]);
}

#[test]
fn records_are_cut_or_handed_over() {
    let shared = region();
    assert!(TdQueueEntry::new(TdQueueName::new(*b"INTR")).install(&*shared));
    let mut task = task_in(&shared, 1, b"");
    task.host.answer = RegionAnswer::with_data(b"RECORD".to_vec());
    let mut call = read("INTR");
    assert_eq!(task.resp_of(&mut call), (Resp::LENGERR, 0));
    assert_eq!(
        (call.got_text(opt::INTO), call.got_int(opt::LENGTH)),
        ("RECOR".into(), 6)
    );
    let call = task.ok(exec(cmd::READQ_TD)
        .text(opt::QUEUE, "INTR")
        .ptr(opt::SET, 0)
        .int(opt::LENGTH, 0));
    assert_eq!(task.host.storage[&call.got_pointer(opt::SET)], b"RECORD");
    task.host.answer = RegionAnswer::refused(Resp::QZERO, 0, "");
    assert_eq!(task.resp(read("INTR")), (Resp::QZERO, 0));
}

#[test]
fn models_decide_where_a_queue_lies() {
    let shared = region();
    let model = |prefix: &[u8], change: &dyn Fn(&mut TsModelEntry)| {
        let mut model = TsModelEntry::new(*b"MODEL   ", prefix);
        change(&mut model);
        assert!(model.install(&*shared));
    };
    model(b"SAFE", &|m| m.recovery = true);
    model(b"SAFEMAIN", &|m| m.main = true);
    model(b"FAR", &|m| {
        m.remote_system = transom_types::SysId::from_field(b"ELSE")
    });
    model(b"OLD", &|m| m.expiry_hours = 2);
    let mut task = task_in(&shared, 1, b"");
    let write = |queue: &str| {
        exec(cmd::WRITEQ_TS)
            .text(opt::QNAME, queue)
            .text(opt::FROM, "data")
            .int(opt::LENGTH, 4)
            .int(opt::ITEM, 0)
    };
    assert_eq!(task.resp(write("FARQ")), (Resp::SYSIDERR, 1));
    task.ok(write("PLAIN"));
    task.ok(write("SAFEMAIN1"));
    assert!(task.host.asked.is_empty(), "both lie in shared memory");
    task.host.answer = RegionAnswer::with_data(9u32.to_be_bytes().to_vec());
    let call = task.ok(write("SAFEQ"));
    assert_eq!(call.got_int(opt::ITEM), 9);
    assert_eq!(task.host.asked, ["domain 102"]);

    task.ok(write("OLDQ"));
    let read = || {
        exec(cmd::READQ_TS)
            .text(opt::QNAME, "OLDQ")
            .out(opt::INTO, 4)
            .int(opt::ITEM, 1)
    };
    task.host.clock += 3_600_000;
    task.ok(read());
    task.host.clock += 2 * 3_600_000 + 1;
    assert_eq!(
        task.resp(read()),
        (Resp::QIDERR, 0),
        "not used for two hours"
    );
}

#[test]
fn browsing_queue_names() {
    let shared = region();
    for name in [b"AAAA", b"BBBB"] {
        assert!(TdQueueEntry::new(TdQueueName::new(*name)).install(&*shared));
    }
    let mut task = task_in(&shared, 1, b"");
    let browse = |option: OptionId| exec(cmd::INQUIRE_TDQUEUE).flag(option);
    let next = || browse(opt::NEXT).out(opt::TDQUEUE, 4).int(opt::TYPE, 0);
    assert_eq!(task.resp(next()), (Resp::ILLOGIC, 1));
    task.ok(browse(opt::START));
    for wanted in ["AAAA", "BBBB"] {
        let call = task.ok(next());
        assert_eq!(call.got_text(opt::TDQUEUE), wanted);
        assert!(call.got_cvda(opt::TYPE, "INTRA"));
    }
    assert_eq!(task.resp(next()), (Resp::END, 2));
    task.ok(browse(opt::END));
    let set = exec(cmd::SET_TDQUEUE)
        .text(opt::TDQUEUE, "AAAA")
        .flag(opt::DISABLED)
        .int(opt::TRIGGERLEVEL, 3);
    task.ok(set);
    assert_eq!(task.resp(write("AAAA", 1)), (Resp::DISABLED, 0));
}
