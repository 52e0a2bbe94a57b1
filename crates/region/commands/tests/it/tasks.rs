//! ENQ, DEQ, SUSPEND, CHANGE TASK, and tasks that die.

use crate::fake::{FakeCall, Task, exec, region, task, task_in};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp, TdQueueName};
use transom_wire::definitions::{TaskEntry, TdQueueEntry, TdRecovery};
use transom_wire::payload::TaskReply;
use transom_wire::requests::RegionAnswer;
use transom_wire::task::{Lock, release_task};
use transom_wire::{Shared as _, Space};
use transom_workers::seam::{Outcome, Waited};

fn enq() -> FakeCall {
    exec(cmd::ENQ)
        .text(opt::RESOURCE, "ACCOUNT1")
        .int(opt::LENGTH, 8)
}

fn deq() -> FakeCall {
    exec(cmd::DEQ)
        .text(opt::RESOURCE, "ACCOUNT1")
        .int(opt::LENGTH, 8)
}

#[test]
fn a_resource_has_one_owner() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    one.ok(enq());
    one.ok(enq());
    assert_eq!(two.resp(enq().flag(opt::NOSUSPEND)), (Resp::ENQBUSY, 0));
    assert_eq!(two.host.eib[29], 0x32, "EIBRCODE");
    two.ok(deq());
    one.ok(deq());
    assert_eq!(
        two.resp(enq().flag(opt::NOSUSPEND)),
        (Resp::ENQBUSY, 0),
        "one ENQ is left"
    );
    one.ok(deq());
    two.ok(enq().flag(opt::NOSUSPEND));
    // The same letters, another length: another resource.
    one.ok(exec(cmd::ENQ)
        .text(opt::RESOURCE, "ACCOUNT1")
        .int(opt::LENGTH, 7));
}

#[test]
fn a_waiter_gets_the_resource_when_it_is_given_back() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    one.ok(enq());
    let dying = 1;
    two.host.waits.push_back(Box::new(|_| Waited::Posted));
    two.host.waits.push_back(Box::new(move |shared| {
        let entry = TaskEntry::find(shared, 2).unwrap();
        assert_eq!(entry.suspend_type.as_str(), "ENQUEUE");
        assert_eq!(entry.suspend_value.as_str(), "ACCOUNT1");
        assert_eq!(release_task(shared, dying), [2], "task 2 must be posted");
        Waited::Posted
    }));
    two.ok(enq());
    assert_eq!(
        two.host.waited,
        [Some(10_000), Some(10_000)],
        "a stray post is survived"
    );
    assert!(
        TaskEntry::find(&*shared, 2)
            .unwrap()
            .suspend_type
            .is_blank()
    );
    assert_eq!(TaskEntry::find(&*shared, 1), None, "task 1 is dead");
}

#[test]
fn task_end_hands_on_in_order() {
    let shared = region();
    let mut one = task_in(&shared, 1, b"");
    one.ok(enq().flag(opt::TASK));
    let mut two = task_in(&shared, 2, b"");
    let mut three = task_in(&shared, 3, b"");
    // 3 gives up after 2 queued before it; then 1 ends and 2 is next.
    let cell = std::rc::Rc::new(std::cell::RefCell::new(Some(one)));
    let given = std::rc::Rc::clone(&cell);
    two.host.waits.push_back(Box::new(move |_| {
        let outcome = three.run(&mut enq());
        assert!(
            matches!(outcome, Outcome::Abend(AbendCode::AKCS, _)),
            "{outcome:?}"
        );
        let mut one = given.borrow_mut().take().unwrap();
        one.end();
        assert_eq!(*one.host.posts.borrow(), [2]);
        Waited::Posted
    }));
    two.ok(enq());
}

#[test]
fn waiting_too_long_and_purges_end_the_task() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    one.ok(enq());
    let Outcome::Abend(code, text) = two.run(&mut enq()) else {
        panic!("DTIMOUT")
    };
    assert_eq!(code, AbendCode::AKCS);
    assert_eq!(
        text,
        "TXMXM0021E task 2 TRN1 was purged while it waited for ENQUEUE ACCOUNT1"
    );
    two.host
        .waits
        .push_back(Box::new(|_| Waited::Purged(AbendCode::AKC3)));
    let mut call = enq();
    assert!(matches!(
        two.run(&mut call),
        Outcome::Abend(AbendCode::AKC3, _)
    ));
    // Nobody waits any more: DEQ posts nobody.
    one.ok(deq());
    assert!(one.host.posts.borrow().is_empty());
}

#[test]
fn a_label_for_enqbusy_takes_the_place_of_waiting() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    one.ok(enq());
    two.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::ENQBUSY, 5));
    assert_eq!(two.run(&mut enq()), Outcome::Branch(5));
    assert!(two.host.waited.is_empty());
}

/// Somebody stores over the lock of task 1 and says that it is task 9's.
fn steal(task: &Task) {
    let key = [&[1][..], b"ACCOUNT1"].concat();
    task.host
        .shared
        .with_group(Space::Enqueue, &key, &mut |group| {
            let mut lock = Lock::read(group);
            lock.owner = 9;
            assert!(lock.write(group));
        });
}

#[test]
fn a_task_whose_lock_was_taken_away_commits_nothing() {
    let said = "TXMNQ0002S what the task enqueued upon was taken away from it in shared memory";
    let taken = || Outcome::Abend(AbendCode::ASRB, said.to_owned());
    let with_changes = || {
        let mut one = task(b"");
        one.host.answer = RegionAnswer::normal();
        let mut queue = TdQueueEntry::new(TdQueueName::new(*b"LOGA"));
        queue.recovery = TdRecovery::Logical;
        assert!(queue.install(&*one.host.shared));
        one.ok(enq());
        one.ok(exec(cmd::WRITEQ_TD)
            .text(opt::QUEUE, "LOGA")
            .text(opt::FROM, "X")
            .int(opt::LENGTH, 1));
        one.host.asked.clear();
        one
    };
    // At DEQ.
    let mut one = with_changes();
    steal(&one);
    assert_eq!(one.run(&mut deq()), taken());
    // At a syncpoint: the region is not asked to commit.
    let mut one = with_changes();
    steal(&one);
    assert_eq!(one.run(&mut exec(cmd::SYNCPOINT)), taken());
    assert!(one.host.asked.is_empty());
    // At the end of the task: what the region is asked for is a backout.
    let mut one = with_changes();
    steal(&one);
    let reply = one.end();
    assert!(matches!(&reply, TaskReply::Abend(..)), "{reply:?}");
    assert_eq!(one.host.asked.len(), 1);
    // With its lock it commits, and a rollback takes none.
    let mut one = with_changes();
    assert_eq!(one.run(&mut exec(cmd::SYNCPOINT)), Outcome::Continue);
    let mut one = with_changes();
    steal(&one);
    let mut rollback = exec(cmd::SYNCPOINT).flag(opt::ROLLBACK);
    assert_eq!(one.run(&mut rollback), Outcome::Continue);
}

/// An ENQ on an address, as data at it has it.
fn enq_at(task: &Task, address: usize) -> FakeCall {
    exec(cmd::ENQ)
        .area(opt::RESOURCE, &task.host, address, 4)
        .flag(opt::NOSUSPEND)
}

#[test]
fn addresses_meet_in_shared_storage_alone() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    // Workers have the CWA at one address, and storage of their own at equal ones.
    let (cwa, own) = (0x7000_0000, 0x5000_0000);
    for task in [&mut one, &mut two] {
        task.host.shared_storage.insert(cwa, vec![0; 512]);
        task.host.storage.insert(own, vec![0; 16]);
    }
    one.ok(enq_at(&one, cwa + 8));
    assert_eq!(two.resp(enq_at(&two, cwa + 8)), (Resp::ENQBUSY, 0));
    two.ok(enq_at(&two, cwa + 12));
    one.ok(enq_at(&one, own));
    two.ok(enq_at(&two, own));
}

#[test]
fn conditions() {
    let mut task = task(b"");
    for length in [0, 256, -1] {
        let call = exec(cmd::ENQ)
            .text(opt::RESOURCE, "X")
            .int(opt::LENGTH, length);
        assert_eq!(task.resp(call), (Resp::LENGERR, 1));
        let call = exec(cmd::DEQ)
            .text(opt::RESOURCE, "X")
            .int(opt::LENGTH, length);
        assert_eq!(task.resp(call), (Resp::LENGERR, 1));
    }
    assert_eq!(task.resp(enq().int(opt::MAXLIFETIME, 1)), (Resp::INVREQ, 2));
    task.ok(enq().cvda(opt::MAXLIFETIME, "TASK"));
    task.ok(deq().cvda(opt::MAXLIFETIME, "TASK"));
    task.ok(enq().flag(opt::UOW));
    task.host.shared.full.set(true);
    let mut other = exec(cmd::ENQ)
        .text(opt::RESOURCE, "OTHER")
        .int(opt::LENGTH, 5);
    assert!(matches!(task.run(&mut other), Outcome::Abend(..)));
}

#[test]
fn giving_way() {
    let mut task = task(b"");
    task.ok(exec(cmd::SUSPEND));
    task.ok(exec(cmd::CHANGE_TASK).int(opt::PRIORITY, 200));
    assert_eq!(task.host.yields, 2);
    let priority = exec(cmd::ASSIGN).int(opt::TASKPRIORITY, 0);
    assert_eq!(task.ok(priority).got_int(opt::TASKPRIORITY), 200);
    assert_eq!(
        TaskEntry::find(&*task.host.shared, 1).unwrap().priority,
        200
    );
    for priority in [-1, 256] {
        let call = exec(cmd::CHANGE_TASK).int(opt::PRIORITY, priority);
        assert_eq!(task.resp(call), (Resp::INVREQ, 1));
    }
}
