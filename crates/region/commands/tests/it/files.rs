//! File control against a worker that is only memory: what is checked before the region is asked,
//! and what becomes of its answers. Data and locks: the acceptance tests with COBOL.

use crate::fake::{FakeCall, Task, exec, region, task_in};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, FileName, Resp};
use transom_types::{Found, Position};
use transom_wire::definitions::{Enablement, FileEntry, FileShape, FileType, FileUse, Recovery};
use transom_wire::file_control::answer_of;
use transom_wire::requests::RegionAnswer;
use transom_workers::seam::Outcome;

/// A task in a region with the open file CUST: keys of 4 bytes at 0, records of up to 40 bytes.
fn task_with(change: impl FnOnce(&mut FileEntry)) -> Task {
    let shared = region();
    let name = FileName::new("CUST").unwrap();
    let mut file = FileEntry::new(name, "T.CUST").with_all_operations();
    file.recovery = Recovery::BackoutOnly;
    file.shape = Some(FileShape {
        key_length: 4,
        record_max: 40,
        base: "file/T.CUST".into(),
        ..FileShape::default()
    });
    change(&mut file);
    let recovery = file.recovery;
    file.shape
        .iter_mut()
        .for_each(|shape| shape.recovery = recovery);
    assert!(file.install(&*shared));
    task_in(&shared, 1, b"")
}

fn task() -> Task {
    task_with(|_| ())
}

fn read() -> FakeCall {
    exec(cmd::READ)
        .text(opt::FILE, "CUST")
        .out(opt::INTO, 10)
        .bytes_of(opt::RIDFLD, b"K001")
}

fn write(record: &[u8]) -> FakeCall {
    exec(cmd::WRITE)
        .text(opt::FILE, "CUST")
        .bytes_of(opt::FROM, record)
        .bytes_of(opt::RIDFLD, b"K001")
}

/// The region answers every question with this record.
fn answer_with(task: &mut Task, key: &[u8], record: &[u8], duplicate: bool) {
    let found = Found {
        position: Position::of_base(key),
        record: record.to_vec(),
        duplicate,
    };
    task.host.answer = RegionAnswer::with_data(answer_of(&[found]));
}

#[test]
fn a_file_must_be_there_enabled_and_allow_it() {
    let resp = |change: fn(&mut FileEntry), call: FakeCall| task_with(change).resp(call);
    let other = read().text(opt::SYSID, "OTHR");
    assert_eq!(resp(|_| (), other), (Resp::SYSIDERR, 130));
    let unknown = exec(cmd::READ)
        .text(opt::FILE, "NOFILE")
        .out(opt::INTO, 10)
        .bytes_of(opt::RIDFLD, b"K001");
    assert_eq!(resp(|_| (), unknown), (Resp::FILENOTFOUND, 1));
    let disabled = |file: &mut FileEntry| file.status = Enablement::Disabled;
    assert_eq!(resp(disabled, read()), (Resp::DISABLED, 50));
    let closed = |file: &mut FileEntry| {
        file.status = Enablement::Unenabled;
        file.shape = None;
    };
    assert_eq!(resp(closed, read()), (Resp::NOTOPEN, 60));
    assert_eq!(resp(|file| file.read = false, read()), (Resp::INVREQ, 20));
    assert_eq!(
        resp(|file| file.add = false, write(b"K001")),
        (Resp::INVREQ, 20)
    );
    let remote = |file: &mut FileEntry| file.remote_system = "OTHR".parse().unwrap();
    assert_eq!(resp(remote, read()), (Resp::SYSIDERR, 130));
}

#[test]
fn keys_are_checked() {
    let mut task = task();
    for (length, generic, wanted) in [
        (3, false, 26),
        (5, false, 26),
        (4, true, 25),
        (-1, true, 42),
    ] {
        let mut call = read().int(opt::KEYLENGTH, length);
        if generic {
            call = call.flag(opt::GENERIC);
        }
        assert_eq!(
            task.resp(call),
            (Resp::INVREQ, wanted),
            "KEYLENGTH({length})"
        );
    }
    assert_eq!(task.resp(read().flag(opt::RBA)), (Resp::INVREQ, 51));
    assert_eq!(task.host.eib[29..35], [8, 0, 0, 0, 0, 0], "EIBRCODE");
    assert_eq!(task.resp(read().flag(opt::RRN)), (Resp::ILLOGIC, 110));
    // Nothing of a KSDS is found by RBA, and nothing is made up.
    for command in [cmd::STARTBR, cmd::DELETE] {
        let call = |option| {
            let call = exec(command).text(opt::FILE, "CUST").flag(option);
            call.bytes_of(opt::RIDFLD, b"\0\0\0\0\0\0\0\0")
        };
        assert_eq!(task.resp(call(opt::RBA)), (Resp::INVREQ, 51));
        assert_eq!(task.resp(call(opt::XRBA)), (Resp::INVREQ, 59));
        assert_eq!(task.host.eib[29..35], [8, 0, 0, 0, 0, 0], "EIBRCODE");
    }
    assert_eq!(task.resp(write(b"K002 other key")), (Resp::INVREQ, 23));
    let mut slots = task_with(|file| {
        if let Some(shape) = &mut file.shape {
            shape.organization = FileType::Rrds;
        }
    });
    assert_eq!(slots.resp(read()), (Resp::ILLOGIC, 110));
    assert!(task.host.asked.is_empty() && slots.host.asked.is_empty());
}

#[test]
fn lengths_of_fixed_and_variable_records() {
    let mut variable = task();
    assert_eq!(variable.resp(write(&[b'K'; 41])), (Resp::LENGERR, 12));
    answer_with(&mut variable, b"K001", b"K001 a record", false);
    let mut call = read().int(opt::LENGTH, 6);
    assert_eq!(variable.resp_of(&mut call), (Resp::LENGERR, 11));
    assert_eq!(call.got_int(opt::LENGTH), 13);
    assert_eq!(call.got_text(opt::INTO), "K001 a????");
    let mut fixed = task_with(|file| file.fixed = true);
    assert_eq!(fixed.resp(write(&[b'K'; 39])), (Resp::LENGERR, 14));
    answer_with(&mut fixed, b"K001", b"K001 abcde", false);
    let long = read().int(opt::LENGTH, 11).out(opt::INTO, 11);
    assert_eq!(fixed.resp(long), (Resp::LENGERR, 13));
    assert_eq!(fixed.resp(read().int(opt::LENGTH, 10)), (Resp::NORMAL, 0));
}

#[test]
fn records_go_to_into_or_set_and_are_counted() {
    let mut task = task();
    answer_with(&mut task, b"K001", b"K001 data ", false);
    let call = task.ok(read());
    assert_eq!(call.got_text(opt::INTO), "K001 data ");
    let set = exec(cmd::READ)
        .text(opt::FILE, "CUST")
        .ptr(opt::SET, 0)
        .int(opt::LENGTH, 0)
        .bytes_of(opt::RIDFLD, b"K001");
    let call = task.ok(set);
    let at = call.got_pointer(opt::SET);
    assert_eq!(&task.host.storage[&at][..], b"K001 data ");
    assert_eq!(call.got_int(opt::LENGTH), 10);
    answer_with(&mut task, b"K001", b"K001 data ", true);
    assert_eq!(task.resp(read()), (Resp::DUPKEY, 140));
    let counts = FileEntry::counts(&*task.host.shared, FileName::new("CUST").unwrap());
    assert_eq!(counts[FileUse::Read as usize], 3);
}

#[test]
fn what_others_change_of_a_file_counts_at_the_next_read() {
    let mut task = task();
    answer_with(&mut task, b"K001", b"K001 data ", false);
    task.ok(read());
    let shared = task.host.shared.clone();
    let mut file = FileEntry::find(&*shared, FileName::new("CUST").unwrap()).unwrap();
    file.read = false;
    assert!(file.install(&*shared));
    assert_eq!(task.resp(read()), (Resp::INVREQ, 20));
    file.read = true;
    file.status = Enablement::Disabled;
    assert!(file.install(&*shared));
    assert_eq!(task.resp(read()), (Resp::DISABLED, 50));
    file.status = Enablement::Enabled;
    assert!(file.install(&*shared));
    task.ok(read());
}

#[test]
fn records_are_held_until_they_are_rewritten() {
    let rewrite = || {
        exec(cmd::REWRITE)
            .text(opt::FILE, "CUST")
            .bytes_of(opt::FROM, b"K001 new")
    };
    let mut task = task();
    assert_eq!(task.resp(rewrite()), (Resp::INVREQ, 30));
    let delete = exec(cmd::DELETE).text(opt::FILE, "CUST");
    assert_eq!(task.resp(delete), (Resp::INVREQ, 31));
    answer_with(&mut task, b"K001", b"K001 data ", false);
    task.ok(read().flag(opt::UPDATE));
    assert_eq!(task.resp(read().flag(opt::UPDATE)), (Resp::INVREQ, 28));
    let with_token = task.ok(read().flag(opt::UPDATE).int(opt::TOKEN, 0));
    let token = with_token.got_int(opt::TOKEN);
    assert_eq!(
        task.resp(rewrite().int(opt::TOKEN, token + 1)),
        (Resp::INVREQ, 47)
    );
    task.host.answer = RegionAnswer::normal();
    task.ok(rewrite().int(opt::TOKEN, token));
    task.ok(exec(cmd::UNLOCK).text(opt::FILE, "CUST"));
    assert_eq!(task.resp(rewrite()), (Resp::INVREQ, 30));
    task.ok(exec(cmd::UNLOCK).text(opt::FILE, "CUST"));
}

#[test]
fn what_the_region_refuses_is_raised() {
    let mut task = task();
    task.host.answer = RegionAnswer::refused(Resp::NOTFND, 80, "");
    assert_eq!(task.resp(read()), (Resp::NOTFND, 80));
    task.host.answer = RegionAnswer::refused(Resp::IOERR, 120, "TXMFC0003E file T.CUST: broken");
    assert_eq!(task.resp(read()), (Resp::IOERR, 120));
    assert!(task.log().contains("TXMFC0003E"));
    let code = AbendCode::from_field(b"AKCS");
    task.host.answer = RegionAnswer::abend(code, "too long");
    let outcome = task.run(&mut read().flag(opt::UPDATE));
    assert_eq!(outcome, Outcome::Abend(code, "too long".into()));
}

#[test]
fn browses_have_names_and_ends() {
    let mut task = task();
    let call = |command| {
        exec(command)
            .text(opt::FILE, "CUST")
            .bytes_of(opt::RIDFLD, b"K001")
    };
    let next = |command| call(command).out(opt::INTO, 10);
    assert_eq!(task.resp(next(cmd::READNEXT)), (Resp::INVREQ, 34));
    assert_eq!(task.resp(next(cmd::READPREV)), (Resp::INVREQ, 41));
    assert_eq!(task.resp(call(cmd::RESETBR)), (Resp::INVREQ, 36));
    let end = || exec(cmd::ENDBR).text(opt::FILE, "CUST");
    assert_eq!(task.resp(end()), (Resp::INVREQ, 35));
    answer_with(&mut task, b"K001", b"K001 data ", false);
    task.ok(call(cmd::STARTBR));
    assert_eq!(task.resp(call(cmd::STARTBR)), (Resp::INVREQ, 33));
    task.ok(call(cmd::STARTBR).int(opt::REQID, 7));
    assert_eq!(
        task.ok(next(cmd::READNEXT)).got_text(opt::INTO),
        "K001 data "
    );
    assert_eq!(
        task.resp(next(cmd::READNEXT).flag(opt::UPDATE)),
        (Resp::INVREQ, 54)
    );
    assert_eq!(
        task.resp(next(cmd::READNEXT).flag(opt::RBA)),
        (Resp::INVREQ, 51)
    );
    for command in [cmd::RESETBR, cmd::READPREV] {
        let by = |option| next(command).flag(option);
        assert_eq!(task.resp(by(opt::RBA)), (Resp::INVREQ, 51));
        assert_eq!(task.resp(by(opt::XRBA)), (Resp::INVREQ, 59));
        assert_eq!(task.host.eib[29..35], [8, 0, 0, 0, 0, 0], "EIBRCODE");
    }
    task.host.answer = RegionAnswer::normal();
    assert_eq!(task.resp(next(cmd::READNEXT)), (Resp::ENDFILE, 90));
    task.ok(end());
    task.ok(end().int(opt::REQID, 7));
}
