//! LINK, XCTL, RETURN, LOAD, RELEASE, autoinstall, and how a task starts and ends.

use crate::fake::{FakeHost, exec, program, region, start, task, task_alone, task_in};
use transom_commands::{cmd, opt};
use transom_types::{AbendCode, Resp};
use transom_types::{Payload, StartedBy};
use transom_wire::Space;
use transom_wire::definitions::{ProgramEntry, discard, use_count};
use transom_wire::payload::{Sections, TaskReply};
use transom_wire::requests::RegionAnswer;
use transom_workers::seam::{Area, Commands, Outcome, TaskEnd};

#[test]
fn a_commarea_goes_in_and_comes_back() {
    let mut task = task(b"request!");
    let (module, area) = task.first.clone();
    assert_eq!((module.program, module.quasirent), (program("MAIN"), true));
    assert_eq!(task.host.storage[&area.address], b"request!");
    assert_eq!(&task.host.eib[24..26], [0, 8], "EIBCALEN");
    assert_eq!(&task.host.eib[8..12], b"TRN1");
    assert_eq!(&task.host.eib[12..16], [0, 0, 0, 0x1C], "EIBTASKN");
    // 2026-11-20 is day 324.
    assert_eq!(&task.host.eib[4..8], [0x01, 0x26, 0x32, 0x4C], "EIBDATE");
    assert_eq!(&task.host.eib[0..4], [0x01, 0x20, 0x00, 0x0C], "EIBTIME");
    task.host
        .storage
        .get_mut(&area.address)
        .unwrap()
        .copy_from_slice(b"answer 1");
    assert_eq!(
        task.end(),
        TaskReply::Normal(Payload::Commarea(b"answer 1".to_vec()), Sections::default())
    );
}

#[test]
fn the_caller_may_take_back_more_than_it_sent() {
    let payload = Payload::Commarea(b"in".to_vec());
    let mut task = start(&region(), 3, "MAIN", StartedBy::Gateway, 5, payload).unwrap();
    let area = task.first.1;
    assert_eq!(task.host.storage[&area.address], b"in\0\0\0");
    assert_eq!(
        task.end(),
        TaskReply::Normal(Payload::Commarea(b"in\0\0\0".to_vec()), Sections::default())
    );
}

#[test]
fn refusals_name_the_condition() {
    let refused = |name: &str, bytes: usize| {
        let payload = Payload::Commarea(vec![0; bytes]);
        match start(&region(), 3, name, StartedBy::Gateway, 0, payload) {
            Err(TaskReply::Refused { resp, resp2, text }) => {
                assert!(text.starts_with("TXM"), "{text}");
                (resp, resp2)
            }
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    assert_eq!(refused("NOSUCH", 0), (Resp::PGMIDERR, 1));
    assert_eq!(refused("OFF", 0), (Resp::PGMIDERR, 2));
    assert_eq!(refused("GONE", 0), (Resp::PGMIDERR, 3));
    assert_eq!(refused("MAIN", 32_764), (Resp::LENGERR, 11));
}

#[test]
fn link_hands_the_callers_storage_to_the_program() {
    let mut task = task(b"12345678");
    let at = task.host.working_storage(b"hello world");
    let mut link = exec(cmd::LINK)
        .text(opt::PROGRAM, "SUB")
        .area(opt::COMMAREA, &task.host, at, 11)
        .int(opt::LENGTH, 5);
    let Outcome::Link(module, area) = task.run(&mut link) else {
        panic!("a LINK")
    };
    assert_eq!(
        (module.program, area),
        (
            program("SUB"),
            Area {
                address: at,
                bytes: 5
            }
        )
    );
    assert_eq!(&task.host.eib[24..26], [0, 5]);
    assert_eq!(task.host.eib[27..29], [0x0E, 0x02]);
    assert_eq!(&task.host.eib[51..59], b"SUB     ");
    task.back();
    assert_eq!(
        &task.host.eib[24..26],
        [0, 8],
        "EIBCALEN is the caller's again"
    );
    let count = |name: &[u8]| use_count(&*task.host.shared, Space::Program, name);
    assert_eq!(
        (count(b"MAIN    "), count(b"SUB     "), count(b"OTHER   ")),
        (1, 1, 0)
    );
}

#[test]
fn link_conditions() {
    let mut task = task(b"");
    let link = |name: &str| exec(cmd::LINK).text(opt::PROGRAM, name);
    assert_eq!(task.resp(link("NOSUCH")), (Resp::PGMIDERR, 1));
    assert_eq!(task.host.eib[29], 1, "EIBRCODE");
    assert_eq!(task.resp(link("OFF")), (Resp::PGMIDERR, 2));
    assert_eq!(task.resp(link("GONE")), (Resp::PGMIDERR, 3));
    let mut far = ProgramEntry::new(program("FAR"), "");
    far.remote_system = "FAR1".parse().unwrap();
    assert!(far.install(&*task.host.shared));
    assert_eq!(task.resp(link("FAR")), (Resp::SYSIDERR, 18));
    let xctl = exec(cmd::XCTL).text(opt::PROGRAM, "FAR");
    assert_eq!(task.resp(xctl), (Resp::PGMIDERR, 9));
    let at = task.host.working_storage(&[0; 100]);
    let with = |host: &FakeHost, length: i64| {
        exec(cmd::LINK)
            .text(opt::PROGRAM, "SUB")
            .area(opt::COMMAREA, host, at, 100)
            .int(opt::LENGTH, length)
    };
    assert_eq!(task.resp(with(&task.host, -1)), (Resp::LENGERR, 11));
    assert_eq!(task.resp(with(&task.host, 32_764)), (Resp::LENGERR, 11));
    let data = with(&task.host, 10).int(opt::DATALENGTH, 11);
    assert_eq!(task.resp(data), (Resp::LENGERR, 13));
    let data = with(&task.host, 10).int(opt::DATALENGTH, -1);
    assert_eq!(task.resp(data), (Resp::LENGERR, 12));
    let no_address = exec(cmd::LINK)
        .text(opt::PROGRAM, "SUB")
        .out(opt::COMMAREA, 4);
    assert_eq!(task.resp(no_address), (Resp::LENGERR, 26));
    assert_eq!(
        task.resp(link("SUB").text(opt::SYSID, "FAR1")),
        (Resp::SYSIDERR, 18)
    );
    assert_eq!(
        task.resp(link("SUB").text(opt::CHANNEL, "A B")),
        (Resp::CHANNELERR, 1)
    );
    task.host.broken_modules.push("/modules/SUB.so".into());
    assert_eq!(task.resp(link("SUB")), (Resp::PGMIDERR, 3));
    assert!(
        task.log()
            .contains("TXMPG0023E program SUB cannot be loaded: not a module")
    );
    assert_eq!(
        task.resp(link("OTHER").text(opt::SYSID, "SYSA")),
        (Resp::NORMAL, 0)
    );
}

#[test]
fn link_levels_have_a_limit() {
    let mut task = task(b"");
    for _ in 1..transom_region_commands::limits::LINK_LEVELS_MAX {
        task.link("SUB");
    }
    assert_eq!(
        task.resp(exec(cmd::LINK).text(opt::PROGRAM, "SUB")),
        (Resp::INVREQ, 50)
    );
    task.back();
    task.link("SUB");
}

#[test]
fn a_program_nobody_defined_is_asked_for() {
    let mut task = task(b"");
    let shared = std::rc::Rc::clone(&task.host.shared);
    task.host.answer = RegionAnswer::normal();
    assert!(ProgramEntry::new(program("LATER"), "/modules/LATER.so").install(&*shared));
    task.link("LATER");
    assert!(task.host.asked.is_empty(), "it is installed");
    assert_eq!(
        task.resp(exec(cmd::LINK).text(opt::PROGRAM, "NEVER")),
        (Resp::PGMIDERR, 1)
    );
    assert_eq!(task.host.asked, ["InstallProgram(ProgramName(NEVER))"]);
    task.host.answer = RegionAnswer::refused(Resp::PGMIDERR, 9, "");
    assert_eq!(
        task.resp(exec(cmd::LINK).text(opt::PROGRAM, "NEVER")),
        (Resp::PGMIDERR, 9)
    );
}

#[test]
fn xctl_keeps_the_levels_own_commarea_in_place() {
    let mut task = task(b"payload!");
    let own = task.first.1;
    let call = exec(cmd::XCTL).text(opt::PROGRAM, "SUB");
    let mut xctl = call.area(opt::COMMAREA, &task.host, own.address, 8);
    let Outcome::Xctl(module, area) = task.run(&mut xctl) else {
        panic!("an XCTL")
    };
    assert_eq!((module.program, area), (program("SUB"), own));
    task.host.storage.get_mut(&own.address).unwrap()[0] = b'P';
    assert_eq!(
        task.end(),
        TaskReply::Normal(Payload::Commarea(b"Payload!".to_vec()), Sections::default())
    );
}

#[test]
fn xctl_saves_a_commarea_from_working_storage() {
    let mut task = task(b"");
    let at = task.host.working_storage(b"soon gone");
    let call = exec(cmd::XCTL).text(opt::PROGRAM, "SUB");
    let mut xctl = call.area(opt::COMMAREA, &task.host, at, 9);
    let Outcome::Xctl(_, area) = task.run(&mut xctl) else {
        panic!("an XCTL")
    };
    assert!(area.address != at && area.bytes == 9);
    assert_eq!(task.host.storage[&area.address], b"soon gone");
    assert_eq!(&task.host.eib[24..26], [0, 9]);
    // XCTL again and again does not pile storage up.
    let kept = task.host.storage.len();
    for _ in 0..5 {
        let call = exec(cmd::XCTL).text(opt::PROGRAM, "SUB");
        let mut xctl = call.area(opt::COMMAREA, &task.host, at, 9);
        assert!(matches!(task.run(&mut xctl), Outcome::Xctl(..)));
    }
    assert_eq!(task.host.storage.len(), kept);
    assert_eq!(
        task.resp(exec(cmd::XCTL).text(opt::PROGRAM, "OFF")),
        (Resp::PGMIDERR, 2)
    );
}

#[test]
fn return_ends_the_level_and_refuses_what_needs_a_terminal() {
    let mut task = task_alone();
    assert_eq!(task.run(&mut exec(cmd::RETURN)), Outcome::Return);
    let transid = exec(cmd::RETURN).text(opt::TRANSID, "NEXT");
    assert_eq!(task.resp(transid), (Resp::INVREQ, 1));
    let message = exec(cmd::RETURN).text(opt::INPUTMSG, "hello");
    assert_eq!(task.resp(message), (Resp::INVREQ, 8));
    task.link("SUB");
    let at = task.host.working_storage(b"data");
    let below = exec(cmd::RETURN).area(opt::COMMAREA, &task.host, at, 4);
    assert_eq!(task.resp(below), (Resp::INVREQ, 2));
    assert_eq!(
        task.resp(exec(cmd::RETURN).flag(opt::IMMEDIATE)),
        (Resp::INVREQ, 2)
    );
    assert_eq!(task.run(&mut exec(cmd::RETURN)), Outcome::Return);
    task.back();
}

#[test]
fn load_and_release() {
    let mut task = task(b"");
    let load = || {
        exec(cmd::LOAD)
            .text(opt::PROGRAM, "OTHER")
            .ptr(opt::SET, 0)
            .ptr(opt::ENTRY, 0)
            .int(opt::FLENGTH, 0)
    };
    let call = task.ok(load());
    assert_eq!(call.got_pointer(opt::SET), 0x7000_0000);
    assert_eq!(call.got_pointer(opt::ENTRY), 0x7000_0100);
    assert_eq!(call.got_int(opt::FLENGTH), 40_000);
    assert_eq!(task.resp(load().int(opt::LENGTH, 0)), (Resp::LENGERR, 19));
    let release = |name: &str| exec(cmd::RELEASE).text(opt::PROGRAM, name);
    task.ok(release("OTHER"));
    task.ok(release("OTHER"));
    assert_eq!(task.resp(release("OTHER")), (Resp::INVREQ, 7));
    assert_eq!(task.resp(release("MAIN")), (Resp::INVREQ, 5));
    assert_eq!(task.resp(release("NOSUCH")), (Resp::PGMIDERR, 1));
    let load = exec(cmd::LOAD).text(opt::PROGRAM, "OFF").ptr(opt::SET, 0);
    assert_eq!(task.resp(load), (Resp::PGMIDERR, 2));
}

#[test]
fn an_abend_is_told_to_the_caller() {
    let mut task = task(b"x");
    let end = TaskEnd::Abend(AbendCode::ASRA, "S0C7 in MAIN".into());
    let reply = task.exec.task_end(&mut task.host, &end);
    let reply = transom_wire::payload::read_reply(reply.bytes(&task.host));
    assert_eq!(
        reply,
        Ok(TaskReply::Abend(
            AbendCode::ASRA,
            "S0C7 in MAIN".into(),
            None
        ))
    );
}

#[test]
fn what_others_change_of_a_program_counts_at_the_next_link() {
    let mut task = task(b"");
    let link = || exec(cmd::LINK).text(opt::PROGRAM, "SUB");
    let linked = |task: &mut crate::fake::Task| match task.run(&mut link()) {
        Outcome::Link(module, _) => {
            task.back();
            module.path
        }
        other => panic!("{other:?}"),
    };
    let first = linked(&mut task);
    assert_eq!(linked(&mut task), first);
    let shared = task.host.shared.clone();
    let mut sub = ProgramEntry::find(&*shared, program("SUB")).unwrap();
    sub.path = "another.so".into();
    assert!(sub.install(&*shared));
    assert_eq!(linked(&mut task), "another.so");
    sub.enabled = false;
    assert!(sub.install(&*shared));
    assert_eq!(task.resp(link()), (Resp::PGMIDERR, 2));
    discard(&*shared, Space::Program, b"SUB     ");
    assert_eq!(task.resp(link()), (Resp::PGMIDERR, 1));
    assert_eq!(task.host.asked.len(), 1, "autoinstall");
    sub.enabled = true;
    assert!(sub.install(&*shared));
    assert_eq!(linked(&mut task), "another.so");
    let uses = use_count(&*shared, Space::Program, b"SUB     ");
    assert_eq!(uses, 1, "since it was installed again");
}

#[test]
fn tasks_of_one_worker_know_nothing_of_each_other() {
    let shared = region();
    let mut task = task_in(&shared, 1, b"one");
    task.ok(exec(cmd::PUT_CONTAINER)
        .text(opt::CONTAINER, "A")
        .text(opt::CHANNEL, "C1")
        .text(opt::FROM, "x"));
    task.run(&mut exec(cmd::HANDLE_CONDITION).label_at(opt::ERROR, 9));
    task.end();
    let attach = transom_workers::seam::AttachBlock {
        task_number: 2,
        transid: "TRN1".parse().unwrap(),
        program: program("MAIN"),
        userid: "BOB".parse().unwrap(),
        input: transom_wire::payload::write_start(
            transom_wire::payload::StartInfo {
                started_by: StartedBy::Gateway,
                reply_bytes_max: 0,
                start_code: *b"DS",
                client: None,
                restarts: 0,
                measured: None,
            },
            Payload::Commarea(b"two".to_vec()),
            &Sections::default(),
        ),
    };
    task.exec
        .task_start(&mut task.host, &attach.start())
        .expect("it starts");
    let get = exec(cmd::GET_CONTAINER)
        .text(opt::CONTAINER, "A")
        .text(opt::CHANNEL, "C1")
        .out(opt::INTO, 1);
    assert_eq!(task.resp(get), (Resp::CHANNELERR, 2));
    let outcome = task.run(&mut exec(cmd::LINK).text(opt::PROGRAM, "OFF"));
    assert!(
        matches!(outcome, Outcome::Abend(..)),
        "the label of task 1 is gone: {outcome:?}"
    );
}
