//! Named counters.

use crate::fake::{FakeCall, Task, exec, task};
use transom_commands::{CommandId, cmd, opt};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;

fn counter(command: CommandId) -> FakeCall {
    exec(command)
        .text(opt::COUNTER, "INVOICE")
        .text(opt::POOL, "POOL1")
}

/// A task in a region that keeps counters.
fn kept() -> Task {
    let mut task = task(b"");
    task.host.answer = RegionAnswer::normal();
    task
}

fn next(task: &mut Task, call: FakeCall) -> Result<i64, (Resp, u32)> {
    let mut call = call.int(opt::VALUE, -1);
    match task.resp_of(&mut call) {
        (Resp::NORMAL, _) => Ok(call.got_int(opt::VALUE)),
        other => Err(other),
    }
}

#[test]
fn define_get_until_the_limit() {
    let mut task = kept();
    let define = || {
        counter(cmd::DEFINE_COUNTER)
            .int(opt::MINIMUM, 1)
            .int(opt::MAXIMUM, 3)
    };
    task.ok(define());
    assert_eq!(task.resp(define()), (Resp::INVREQ, 202));
    for expect in [Ok(1), Ok(2), Ok(3), Err((Resp::SUPPRESSED, 101))] {
        assert_eq!(next(&mut task, counter(cmd::GET_COUNTER)), expect);
    }
    assert_eq!(
        next(&mut task, counter(cmd::GET_COUNTER).flag(opt::WRAP)),
        Ok(1)
    );
    assert_eq!(
        task.resp(counter(cmd::REWIND_COUNTER)),
        (Resp::SUPPRESSED, 102)
    );
    for _ in 0..2 {
        next(&mut task, counter(cmd::GET_COUNTER)).unwrap();
    }
    task.ok(counter(cmd::REWIND_COUNTER));
    assert_eq!(next(&mut task, counter(cmd::GET_COUNTER)), Ok(1));
}

#[test]
fn increments() {
    let mut task = kept();
    task.ok(counter(cmd::DEFINE_COUNTER).int(opt::MAXIMUM, 10));
    let by = |n| counter(cmd::GET_COUNTER).int(opt::INCREMENT, n);
    assert_eq!(next(&mut task, by(8)), Ok(0));
    assert_eq!(next(&mut task, by(0)), Ok(8));
    assert_eq!(next(&mut task, by(5)), Err((Resp::SUPPRESSED, 101)));
    assert_eq!(next(&mut task, by(5).flag(opt::REDUCE)), Ok(8));
    assert_eq!(next(&mut task, by(1)), Err((Resp::SUPPRESSED, 101)));
    assert_eq!(next(&mut task, by(5).flag(opt::WRAP)), Ok(0));
    assert_eq!(next(&mut task, by(12)), Err((Resp::INVREQ, 405)));
    assert_eq!(next(&mut task, by(-1)), Err((Resp::INVREQ, 405)));
}

#[test]
fn comparing_updating_querying() {
    let mut task = kept();
    task.ok(counter(cmd::DEFINE_COUNTER)
        .int(opt::VALUE, 50)
        .int(opt::MAXIMUM, 99));
    let compare = |low, high| {
        counter(cmd::GET_COUNTER)
            .int(opt::COMPAREMIN, low)
            .int(opt::COMPAREMAX, high)
    };
    assert_eq!(
        next(&mut task, compare(51, 60)),
        Err((Resp::SUPPRESSED, 103))
    );
    assert_eq!(next(&mut task, compare(40, 60)), Ok(50));
    assert_eq!(next(&mut task, compare(60, 52)), Ok(51), "outside the gap");
    let update = |value| counter(cmd::UPDATE_COUNTER).int(opt::VALUE, value);
    assert_eq!(task.resp(update(101)), (Resp::INVREQ, 405));
    task.ok(update(100));
    let query = counter(cmd::QUERY_COUNTER)
        .int(opt::VALUE, 0)
        .int(opt::MINIMUM, -1)
        .int(opt::MAXIMUM, 0);
    let call = task.ok(query);
    assert_eq!(
        (
            call.got_int(opt::VALUE),
            call.got_int(opt::MINIMUM),
            call.got_int(opt::MAXIMUM)
        ),
        (100, 0, 99)
    );
    task.ok(counter(cmd::DELETE_COUNTER));
    for command in [
        cmd::DELETE_COUNTER,
        cmd::GET_COUNTER,
        cmd::QUERY_COUNTER,
        cmd::REWIND_COUNTER,
    ] {
        assert_eq!(task.resp(counter(command)), (Resp::INVREQ, 201));
    }
}

#[test]
fn doublewords_are_unsigned() {
    let mut task = kept();
    let wide = |command| exec(command).text(opt::DCOUNTER, "BIG");
    task.ok(wide(cmd::DEFINE_DCOUNTER).int(opt::VALUE, -1));
    let value = wide(cmd::GET_DCOUNTER).int(opt::VALUE, 0);
    assert_eq!(task.ok(value).got_int(opt::VALUE) as u64, u64::MAX);
    let again = wide(cmd::GET_DCOUNTER).int(opt::VALUE, 0);
    assert_eq!(task.resp(again), (Resp::SUPPRESSED, 101));
    // The same counter seen as a fullword does not fit.
    let narrow = exec(cmd::QUERY_COUNTER)
        .text(opt::COUNTER, "BIG")
        .int(opt::VALUE, 0);
    assert_eq!(task.resp(narrow), (Resp::LENGERR, 1));
    for (command, option) in [
        (cmd::UPDATE_DCOUNTER, opt::VALUE),
        (cmd::REWIND_DCOUNTER, opt::INCREMENT),
    ] {
        task.ok(wide(command).int(option, 5));
        task.ok(wide(cmd::UPDATE_DCOUNTER).int(opt::VALUE, -1));
    }
    task.ok(wide(cmd::QUERY_DCOUNTER).int(opt::VALUE, 0));
    task.ok(wide(cmd::DELETE_DCOUNTER));
}

#[test]
fn what_cannot_be_defined() {
    let mut task = kept();
    let define = || counter(cmd::DEFINE_COUNTER);
    assert_eq!(
        task.resp(define().int(opt::MINIMUM, 5).int(opt::MAXIMUM, 4)),
        (Resp::INVREQ, 406)
    );
    assert_eq!(
        task.resp(define().int(opt::VALUE, 12).int(opt::MAXIMUM, 10)),
        (Resp::INVREQ, 405)
    );
    for name in ["NO GOOD", "lower", "_FIRST", "1ST", "A-B"] {
        let call = exec(cmd::DEFINE_COUNTER).text(opt::COUNTER, name);
        assert_eq!(task.resp(call), (Resp::INVREQ, 404), "{name}");
    }
    let pool = exec(cmd::DEFINE_COUNTER)
        .text(opt::COUNTER, "A")
        .text(opt::POOL, "(");
    assert_eq!(task.resp(pool), (Resp::INVREQ, 403));
    task.host.shared.full.set(true);
    assert_eq!(task.resp(define()), (Resp::INVREQ, 306));
}

#[test]
fn a_number_is_given_when_the_store_has_it() {
    let mut task = kept();
    task.ok(counter(cmd::DEFINE_COUNTER));
    task.host.asked.clear();
    next(&mut task, counter(cmd::GET_COUNTER)).unwrap();
    assert_eq!(task.host.asked.len(), 1, "one question for one change");
    task.ok(counter(cmd::QUERY_COUNTER));
    assert_eq!(task.host.asked.len(), 1, "nothing was changed");
    task.host.answer = RegionAnswer::refused(Resp::INVREQ, 303, "");
    let refused = next(&mut task, counter(cmd::GET_COUNTER));
    assert_eq!(refused, Err((Resp::INVREQ, 303)));
}
