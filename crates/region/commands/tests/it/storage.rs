//! GETMAIN, FREEMAIN and SYNCPOINT.

use crate::fake::{exec, task};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_workers::seam::Outcome;

#[test]
fn storage_is_got_and_freed() {
    let mut task = task(b"");
    let get = exec(cmd::GETMAIN)
        .ptr(opt::SET, 0)
        .int(opt::FLENGTH, 20)
        .text(opt::INITIMG, " ");
    let at = task.ok(get).got_pointer(opt::SET);
    assert_eq!(task.host.storage[&at], [b' '; 20]);
    let free = || exec(cmd::FREEMAIN).ptr(opt::DATAPOINTER, at);
    task.ok(free());
    assert_eq!(task.resp(free()), (Resp::INVREQ, 1));
    let shared = exec(cmd::GETMAIN64)
        .ptr(opt::SET, 0)
        .int(opt::FLENGTH, 8)
        .flag(opt::SHARED);
    let at = task.ok(shared).got_pointer(opt::SET);
    assert!(task.host.shared_storage.contains_key(&at));
    task.ok(exec(cmd::FREEMAIN64).ptr(opt::DATAPOINTER, at));
    let get = exec(cmd::GETMAIN).ptr(opt::SET, 0).int(opt::LENGTH, 16);
    let at = task.ok(get).got_pointer(opt::SET);
    let by_data = exec(cmd::FREEMAIN).area(opt::DATA, &task.host, at, 16);
    task.ok(by_data);
}

#[test]
fn conditions() {
    let mut task = task(b"abc");
    let get = |bytes| exec(cmd::GETMAIN).ptr(opt::SET, 0).int(opt::FLENGTH, bytes);
    for bytes in [
        0,
        -5,
        transom_region_commands::limits::GETMAIN_BYTES_MAX + 1,
    ] {
        assert_eq!(task.resp(get(bytes)), (Resp::LENGERR, 1));
    }
    assert_eq!(task.resp(get(1 << 29)), (Resp::NOSTG, 2));
    let own = task.first.1.address;
    let free = exec(cmd::FREEMAIN).ptr(opt::DATAPOINTER, own);
    assert_eq!(
        task.resp(free),
        (Resp::INVREQ, 1),
        "the COMMAREA is not the program's"
    );
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::NOSTG, 4));
    assert_eq!(task.run(&mut get(1 << 29)), Outcome::Branch(4));
    task.run(&mut exec(cmd::HANDLE_CONDITION).flag(opt::NOSTG));
    let outcome = task.run(&mut get(1 << 29));
    assert!(
        matches!(outcome, Outcome::Abend(AbendCode::AKCS, _)),
        "{outcome:?}"
    );
}

#[test]
fn syncpoint_frees_what_was_enqueued_for_the_unit_of_work() {
    let mut task = task(b"");
    let enq = |name: &str| exec(cmd::ENQ).text(opt::RESOURCE, name).int(opt::LENGTH, 3);
    task.ok(enq("UOW"));
    task.ok(enq("TSK").flag(opt::TASK));
    task.ok(exec(cmd::SYNCPOINT));
    let shared = std::rc::Rc::clone(&task.host.shared);
    let mut other = crate::fake::task_in(&shared, 2, b"");
    other.ok(enq("UOW").flag(opt::NOSUSPEND));
    assert_eq!(
        other.resp(enq("TSK").flag(opt::NOSUSPEND)),
        (Resp::ENQBUSY, 0)
    );
    other.ok(exec(cmd::SYNCPOINT).flag(opt::ROLLBACK));
    task.ok(enq("UOW").flag(opt::NOSUSPEND));
}
