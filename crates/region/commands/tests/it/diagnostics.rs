//! DUMP TRANSACTION, ENTER TRACENUM, MONITOR, WRITE OPERATOR, BIF.

use crate::fake::{exec, task};
use transom_commands::{cmd, opt};
use transom_types::Resp;

#[test]
fn a_dump_on_request_shows_what_was_given() {
    let mut task = task(b"");
    task.ok(exec(cmd::PUT_CONTAINER)
        .text(opt::CHANNEL, "C1")
        .text(opt::CONTAINER, "BOX")
        .text(opt::FROM, "inside")
        .flag(opt::CHAR));
    task.ok(exec(cmd::ENTER_TRACENUM)
        .int(opt::TRACENUM, 17)
        .text(opt::RESOURCE, "STEP1")
        .text(opt::FROM, "trace data")
        .int(opt::FROMLENGTH, 5));
    let one = task.host.working_storage(b"segment one");
    let list = task.host.working_storage(&(one as u32).to_be_bytes());
    let lengths = task.host.working_storage(&11u32.to_be_bytes());
    let dump = exec(cmd::DUMP_TRANSACTION)
        .text(opt::DUMPCODE, "TEST")
        .text(opt::FROM, "0123456789abcdefXYZ")
        .int(opt::LENGTH, 18)
        .ptr(opt::SEGMENTLIST, list)
        .ptr(opt::LENGTHLIST, lengths)
        .int(opt::NUMSEGMENTS, 1)
        .out(opt::DUMPID, 9);
    assert_eq!(task.ok(dump).got_text(opt::DUMPID), "1/0001   ");
    let (name, text) = &task.host.dumps[0];
    assert_eq!(name, "TRN1_TEST");
    for part in [
        "Requested by MAIN line 42",
        "LAST COMMANDS, newest last, of 3; the resource is EIBRSRCE",
        "1 MAIN     line     42  PUT CONTAINER",
        "NORMAL 0",
        "3 MAIN     line     42  DUMP TRANSACTION         has not ended",
        "EIBTRNID TRN1",
        "CONTAINER BOX of channel C1 (CHAR 819)  6 bytes",
        "*inside*",
        "TRACE 017 STEP1 from MAIN  5 bytes",
        "*trace*",
        "FROM  18 bytes",
        "30313233 34353637 38396162 63646566  *0123456789abcdef*",
        "000010  5859                                 *XY*",
        "SEGMENT 1  11 bytes",
        "*segment one*",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let no_code = exec(cmd::DUMP_TRANSACTION).text(opt::DUMPCODE, "    ");
    assert_eq!(task.resp(no_code), (Resp::INVREQ, 1));
    let many = exec(cmd::DUMP_TRANSACTION)
        .text(opt::DUMPCODE, "MANY")
        .ptr(opt::SEGMENTLIST, list)
        .ptr(opt::LENGTHLIST, lengths)
        .int(opt::NUMSEGMENTS, 1_001);
    assert_eq!(task.resp(many), (Resp::INVREQ, 13));
}

#[test]
fn trace_entries_and_monitoring_points_are_checked() {
    let mut task = task(b"");
    let trace = |number| exec(cmd::ENTER_TRACENUM).int(opt::TRACENUM, number);
    for number in [0, 199] {
        task.ok(trace(number));
    }
    for number in [-1, 200] {
        assert_eq!(task.resp(trace(number)), (Resp::INVREQ, 1));
    }
    let long = trace(1).text(opt::FROM, "x").int(opt::FROMLENGTH, 4_001);
    assert_eq!(task.resp(long), (Resp::LENGERR, 4));
    for _ in 0..100 {
        task.ok(trace(7));
    }
    task.ok(exec(cmd::DUMP_TRANSACTION).text(opt::DUMPCODE, "TEST"));
    let kept = task.host.dumps[0].1.matches("TRACE 007").count();
    assert_eq!(kept, transom_region_commands::limits::TRACE_ENTRIES_MAX);
    assert_eq!(
        task.resp(exec(cmd::MONITOR).int(opt::POINT, 255)),
        (Resp::INVREQ, 2)
    );
    assert_eq!(
        task.resp(exec(cmd::MONITOR).int(opt::POINT, 256)),
        (Resp::INVREQ, 1)
    );
}

#[test]
fn the_operator_reads_the_log() {
    let mut task = task(b"");
    let write = |text: &str| exec(cmd::WRITE_OPERATOR).text(opt::TEXT, text);
    task.ok(write("end of day\u{7}  ").int(opt::TEXTLENGTH, 13));
    assert_eq!(task.log(), "TXMEI0010I task 1 TRN1: end of day");
    let long = "x".repeat(691);
    assert_eq!(task.resp(write(&long)), (Resp::INVREQ, 1));
    let reply = write("may I?").out(opt::REPLY, 3).int(opt::MAXLENGTH, 3);
    assert_eq!(task.resp(reply), (Resp::INVREQ, 991));
}

#[test]
fn deedit() {
    let mut task = task(b"");
    let edit = |text: &str| exec(cmd::BIF_DEEDIT).text(opt::FIELD, text);
    assert_eq!(task.ok(edit("$ 1,234.5")).got_text(opt::FIELD), "000012345");
    let call = task.ok(edit("12-34XX").int(opt::LENGTH, 5));
    assert_eq!(call.got_text(opt::FIELD), "01234XX");
    assert_eq!(task.resp(edit("1").int(opt::LENGTH, 0)), (Resp::LENGERR, 1));
}

#[test]
fn digest() {
    let mut task = task(b"");
    let digest = |room| {
        exec(cmd::BIF_DIGEST)
            .text(opt::RECORD, "abcdef")
            .out(opt::RESULT, room)
    };
    let hex = task.ok(digest(40).int(opt::RECORDLEN, 3).flag(opt::HEX));
    assert_eq!(
        hex.got_text(opt::RESULT),
        "A9993E364706816ABA3E25717850C26C9CD0D89D"
    );
    let text = task.ok(digest(28)
        .int(opt::RECORDLEN, 3)
        .cvda(opt::DIGESTTYPE, "BASE64"));
    assert_eq!(text.got_text(opt::RESULT), "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=");
    let binary = task.ok(digest(20).int(opt::RECORDLEN, 3).flag(opt::BINARY));
    assert_eq!(binary.got_bytes(opt::RESULT)[..4], [0xA9, 0x99, 0x3E, 0x36]);
    assert_eq!(task.resp(digest(39)), (Resp::LENGERR, 2));
    assert_eq!(
        task.resp(digest(40).int(opt::RECORDLEN, -1)),
        (Resp::LENGERR, 1)
    );
    assert_eq!(
        task.resp(digest(40).int(opt::DIGESTTYPE, 1)),
        (Resp::INVREQ, 1)
    );
}
