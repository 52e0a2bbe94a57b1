//! ASKTIME, FORMATTIME, CONVERTTIME, DELAY, CANCEL.

use crate::fake::{FakeCall, NOON, exec, region, task, task_in};
use transom_commands::{OptionId, cmd, opt};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_workers::seam::{Commands, Waited};

#[test]
fn asktime_tells_the_eib_and_abstime() {
    let mut task = task(b"");
    task.host.clock = NOON + 3_723_456;
    let call = task.ok(exec(cmd::ASKTIME).int(opt::ABSTIME, 0));
    assert_eq!(call.got_int(opt::ABSTIME), NOON + 3_723_456);
    assert_eq!(&task.host.eib[0..4], [0x01, 0x30, 0x20, 0x3C], "13:02:03");
    assert_eq!(&task.host.eib[27..29], [0x4A, 0x02]);
    task.ok(exec(cmd::ASKTIME));
    assert_eq!(&task.host.eib[27..29], [0x10, 0x02]);
}

fn format(option: OptionId, bytes: usize) -> FakeCall {
    exec(cmd::FORMATTIME)
        .int(opt::ABSTIME, NOON + 3_723_456)
        .out(option, bytes)
}

#[test]
fn dates_in_every_order() {
    let mut task = task(b"");
    let rows = [
        (opt::YYDDD, "26324 ", "26-324"),
        (opt::YYMMDD, "261120  ", "26-11-20"),
        (opt::YYDDMM, "262011  ", "26-20-11"),
        (opt::DDMMYY, "201126  ", "20-11-26"),
        (opt::MMDDYY, "112026  ", "11-20-26"),
        (opt::YYYYDDD, "2026324 ", "2026-324"),
        (opt::YYYYMMDD, "20261120  ", "2026-11-20"),
        (opt::YYYYDDMM, "20262011  ", "2026-20-11"),
        (opt::DDMMYYYY, "20112026  ", "20-11-2026"),
        (opt::MMDDYYYY, "11202026  ", "11-20-2026"),
        (opt::FULLDATE, "11202026  ", "11-20-2026"),
        (opt::DATE, "112026    ", "11-20-26  "),
    ];
    for (option, plain, separated) in rows {
        let call = task.ok(format(option, plain.len()));
        assert_eq!(call.got_text(option), plain);
        let call = task.ok(format(option, separated.len()).text(opt::DATESEP, "-"));
        assert_eq!(call.got_text(option), separated);
    }
    let call = task.ok(format(opt::DDMMYYYY, 10).flag(opt::DATESEP));
    assert_eq!(call.got_text(opt::DDMMYYYY), "20/11/2026");
    let call = task.ok(format(opt::DATEFORM, 6));
    assert_eq!(call.got_text(opt::DATEFORM), "MMDDYY");
}

#[test]
fn times_and_numbers() {
    let mut task = task(b"");
    assert_eq!(
        task.ok(format(opt::TIME, 8)).got_text(opt::TIME),
        "130203  "
    );
    let call = task.ok(format(opt::TIME, 8).flag(opt::TIMESEP));
    assert_eq!(call.got_text(opt::TIME), "13:02:03");
    let call = task.ok(format(opt::TIME, 8).text(opt::TIMESEP, "."));
    assert_eq!(call.got_text(opt::TIME), "13.02.03");
    let mut numbers = exec(cmd::FORMATTIME).int(opt::ABSTIME, NOON + 3_723_456);
    let rows = [
        (opt::DAYOFWEEK, 5),
        (opt::DAYOFMONTH, 20),
        (opt::MONTHOFYEAR, 11),
        (opt::YEAR, 2026),
        (opt::MILLISECONDS, 456),
        (opt::DAYCOUNT, 46_345),
    ];
    for (option, _) in rows {
        numbers = numbers.int(option, -1);
    }
    let call = task.ok(numbers);
    for (option, value) in rows {
        assert_eq!(
            call.got_int(option),
            value,
            "{}",
            transom_commands::option_name(option)
        );
    }
    for abstime in [-1, i64::MAX] {
        let call = exec(cmd::FORMATTIME).int(opt::ABSTIME, abstime);
        assert_eq!(task.resp(call), (Resp::INVREQ, 1));
    }
}

#[test]
fn texts_of_the_internet_there_and_back() {
    let mut task = task(b"");
    // The region is an hour east of Greenwich.
    for (option, text) in [
        (opt::DATESTRING, "Fri, 20 Nov 2026 12:02:03 GMT"),
        (opt::RFC1123, "Fri, 20 Nov 2026 12:02:03 GMT"),
        (opt::RFC3339, "2026-11-20T12:02:03.456Z"),
    ] {
        let call = format(opt::DATESTRING, text.len()).flag(option);
        assert_eq!(task.ok(call).got_text(opt::DATESTRING), text);
    }
    for (option, text) in [
        (opt::COOKIE, "Fri, 20-Nov-2026 12:02:03 GMT"),
        (opt::RFC850, "Friday, 20-Nov-26 12:02:03 GMT"),
        (opt::ASCTIME, "Fri Nov 20 12:02:03 2026"),
    ] {
        let call = format(opt::DATESTRING, text.len())
            .int(opt::STRINGFORMAT, 0)
            .flag(option);
        assert_eq!(task.ok(call).got_text(opt::DATESTRING), text);
    }
    let unknown = format(opt::DATESTRING, 30).int(opt::STRINGFORMAT, 1);
    assert_eq!(task.resp(unknown), (Resp::INVREQ, 2));
}

#[test]
fn converttime_reads_what_others_write() {
    let mut task = task(b"");
    let convert = |text: &str| {
        exec(cmd::CONVERTTIME)
            .text(opt::DATESTRING, text)
            .int(opt::ABSTIME, 0)
    };
    for text in [
        "Fri, 20 Nov 2026 12:02:03 GMT   ",
        "Fri, 20 Nov 2026 12:02:03 +0000",
        "Fri, 20-Nov-2026 12:02:03 GMT",
        "Friday, 20-Nov-26 12:02:03 GMT",
        "Fri Nov 20 12:02:03 2026",
        "2026-11-20T13:02:03+01:00",
        "2026-11-20T12:02:03.000Z",
    ] {
        let abstime = task.ok(convert(text)).got_int(opt::ABSTIME);
        assert_eq!(abstime, NOON + 3_723_000, "{text}");
    }
    let call = task.ok(convert("2026-11-20T12:02:03.4Z"));
    assert_eq!(call.got_int(opt::ABSTIME), NOON + 3_723_400);
    for text in [
        "",
        "yesterday",
        "2026-11-20",
        "Fri, 20 Foo 2026 12:02:03 GMT",
        "\u{e9}-T:Z",
    ] {
        assert_eq!(task.resp(convert(text)), (Resp::INVREQ, 1), "{text}");
    }
    for text in ["2026-02-30T00:00:00Z", "1899-01-01T00:00:00Z"] {
        assert_eq!(task.resp(convert(text)), (Resp::INVREQ, 2), "{text}");
    }
}

#[test]
fn delays() {
    let mut task = task(b"");
    let delay = || exec(cmd::DELAY);
    let rows = [
        (delay().int(opt::INTERVAL, 10_203), 3_723_000),
        (delay().flag(opt::FOR).int(opt::SECONDS, 90), 90_000),
        (delay().flag(opt::FOR).int(opt::MINUTES, 5_999), 359_940_000),
        (
            delay()
                .flag(opt::FOR)
                .int(opt::MINUTES, 1)
                .int(opt::SECONDS, 2),
            62_000,
        ),
        (delay().flag(opt::FOR).int(opt::MILLISECS, 250), 250),
        (delay().int(opt::TIME, 123_000), 1_800_000),
        (delay().flag(opt::UNTIL).int(opt::HOURS, 13), 3_600_000),
        // Ten hours ago is tomorrow.
        (delay().int(opt::TIME, 20_000), 14 * 3_600_000),
    ];
    for (call, wait) in rows {
        task.host.clock = NOON;
        task.ok(call);
        assert_eq!(task.host.waited.pop(), Some(Some(wait)));
    }
    for call in [
        delay(),
        delay().int(opt::INTERVAL, 0),
        delay().int(opt::TIME, 63_000),
    ] {
        task.host.clock = NOON;
        assert_eq!(task.resp(call), (Resp::EXPIRED, 0));
    }
    assert!(task.host.waited.is_empty());
    let rows = [
        (delay().int(opt::INTERVAL, 1_000_000), 4),
        (delay().int(opt::INTERVAL, -1), 4),
        (delay().int(opt::INTERVAL, 6_000), 5),
        (delay().int(opt::INTERVAL, 60), 6),
        (delay().flag(opt::FOR).int(opt::HOURS, 100), 4),
        (
            delay()
                .flag(opt::FOR)
                .int(opt::MINUTES, 60)
                .int(opt::HOURS, 1),
            5,
        ),
        (
            delay()
                .flag(opt::FOR)
                .int(opt::SECONDS, 60)
                .int(opt::HOURS, 1),
            6,
        ),
        (
            delay()
                .flag(opt::FOR)
                .int(opt::MILLISECS, 1_000)
                .int(opt::HOURS, 1),
            22,
        ),
    ];
    for (call, resp2) in rows {
        assert_eq!(task.resp(call), (Resp::INVREQ, resp2));
    }
}

#[test]
fn cancel_ends_a_delay() {
    let shared = region();
    let (mut one, mut two) = (task_in(&shared, 1, b""), task_in(&shared, 2, b""));
    let cancel = |name: &str| exec(cmd::CANCEL).text(opt::REQID, name);
    two.host.answer = RegionAnswer::refused(Resp::NOTFND, 0, "");
    assert_eq!(two.resp(cancel("WAKEUP")), (Resp::NOTFND, 0));
    assert_eq!(two.resp(exec(cmd::CANCEL)), (Resp::NOTFND, 0));
    assert_eq!(
        two.resp(cancel("WAKEUP").text(opt::SYSID, "FAR1")),
        (Resp::SYSIDERR, 0)
    );
    one.host.waits.push_back(Box::new(|_| Waited::Posted));
    one.host.waits.push_back(Box::new(move |_| {
        let mut call = cancel("WAKEUP");
        two.exec.execute(&mut two.host, &mut call);
        assert_eq!(*two.host.posts.borrow(), [1]);
        Waited::Posted
    }));
    one.ok(exec(cmd::DELAY)
        .int(opt::INTERVAL, 100)
        .text(opt::REQID, "WAKEUP"));
    assert_eq!(one.host.waited.len(), 2, "a stray post does not end it");
    assert_eq!(&one.host.eib[43..51], b"WAKEUP  ");
}
