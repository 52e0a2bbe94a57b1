//! A program that makes requests to the region by itself: for another user, for another task, with
//! wrong lengths and places, with bytes that are none. The region decides by what it knows.
//!
//! `tests/data/FORGE.c` stands for what runs in a worker and is written to attack: it makes what
//! the worker would send, checksums included. Not here: stores at random (`torture`), what the
//! system keeps from a program (`sandbox`).

use crate::files::{file, logged_times, on_disk};
use crate::harness::{Programs, request, root};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use transom_region_api::{Fault, Payload, Programs as _};
use transom_security::SecurityMode;
use transom_types::{AbendCode, ProgramName, Resp, TdQueueName, TransId, UserId};
use transom_wire::definitions::{Installed as _, ProgramEntry, Recovery, TransactionEntry};
use transom_wire::requests::{RegionAnswer, ToRegion};
use transom_wire::{definitions, interval, syncpoint, transient_data};

const REQUEST: usize = 600;
/// As `enum` in the program.
const SAY_BYTES: u32 = 1;
const SAY_AT: u32 = 2;
const SAY_TASK: u32 = 4;
const TWICE: u32 = 8;
const LEAVE_SEAL: u32 = 16;
const DEFINE: u32 = 32;
const OVERRUN: u32 = 64;

/// What the program is told.
#[derive(Default)]
struct Order {
    task: u32,
    how: u32,
    bytes: u32,
    at: u64,
    request: Vec<u8>,
}

impl Order {
    fn honest(request: Vec<u8>) -> Self {
        Self {
            request,
            ..Self::default()
        }
    }

    fn area(&self) -> Vec<u8> {
        let mut area = Vec::new();
        let length = self.request.len() as u32;
        for word in [self.task, self.how, self.bytes, length] {
            area.extend(word.to_le_bytes());
        }
        area.extend(self.at.to_le_bytes());
        area.extend(&self.request);
        area.resize(24 + REQUEST, 0);
        area
    }
}

/// What became of it: the region's answer, or how the task ended.
#[derive(Debug, PartialEq)]
enum Came {
    Answer(Resp),
    /// Ways to store over definitions that a program has.
    Ways(u32),
    Ended(AbendCode),
}

const ASRB: Came = Came::Ended(AbendCode::ASRB);
const NOTAUTH: Came = Came::Answer(Resp::NOTAUTH);

fn forge(programs: &Programs, order: &Order) -> Came {
    let mut asked = request("FORGER", order.area());
    asked.transid = Some(TransId::from_field(b"BOTH"));
    match programs.request(asked) {
        Ok(Payload::Commarea(area)) => {
            let word = |at: usize| u32::from_le_bytes(area[at..at + 4].try_into().unwrap());
            assert_eq!(word(4), 0xA115, "the request was made");
            if order.how & DEFINE != 0 {
                return Came::Ways(word(8));
            }
            let answer = &area[24..24 + (word(12) as usize).min(REQUEST)];
            Came::Answer(RegionAnswer::decode(answer).unwrap().resp)
        }
        Ok(other) => panic!("{other:?}"),
        Err(failure) => match failure.fault {
            Fault::Abend(code) => Came::Ended(code),
            other => panic!("{other:?}: {}", programs.log.lock().unwrap()),
        },
    }
}

/// A region whose users are checked, with the program; `None`: there is no C compiler.
fn region(folder: &Path) -> Option<Programs> {
    let mut there = false;
    let sources = [cobol!("FORGER"), cobol!("HOLDER")];
    let programs = Programs::with(&sources.each_ref().map(String::as_str), |config| {
        on_disk(folder)(config);
        there = compile(&config.module_dir);
        config.data.files = vec![file("HELDF", Recovery::BackoutOnly)];
        config.users.security = SecurityMode::Yes;
        for (name, who) in [
            ("PROGRAM *", "ALL READ"),
            ("FILE *", "ALL UPDATE"),
            ("TSQUEUE *", "ALL UPDATE"),
            ("TDQUEUE CSMT", "ALL UPDATE"),
            ("TRANSACTION SECR", "ALL NONE"),
        ] {
            config.users.rules.set(name, who).unwrap();
        }
        for name in [b"BOTH", b"SECR"] {
            let program = ProgramName::from_field(b"DFHMIRS");
            let mut both = TransactionEntry::new(TransId::from_field(name), program);
            (both.cmdsec, both.ressec) = (true, true);
            config.transactions.push(both);
        }
    });
    if !there {
        transom_needed::skipped("no C compiler");
    }
    there.then_some(programs)
}

fn compile(modules: &Path) -> bool {
    std::fs::create_dir_all(modules).unwrap();
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(modules.join("FORGE.so"))
        .arg(root().join("crates/tools/transom/tests/data/FORGE.c"))
        .output();
    match compiled {
        Ok(output) if output.status.success() => true,
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => false,
    }
}

fn start(transid: &[u8; 4], userid: &[u8; 8]) -> Vec<u8> {
    let request = interval::StartRequest {
        reqid: interval::NO_REQID,
        transid: TransId::from_field(transid),
        termid: None,
        userid: UserId::from_field(userid),
        protect: false,
        attach: false,
        due_ms: 0,
        data: interval::StartData::default(),
        channel: None,
        inherited: None,
    };
    interval::Request::Start(0, request).message()
}

fn write_td(queue: &[u8; 4]) -> Vec<u8> {
    let request = transient_data::Request {
        queue: TdQueueName::new(*queue),
        dtimout_ms: 0,
        action: transient_data::Action::Write(b"forged".to_vec()),
    };
    request.message()
}

#[test]
fn requests_a_program_makes_itself_are_held_against_its_own_user_and_task() {
    let folder = tempfile::tempdir().unwrap();
    let Some(programs) = region(folder.path()) else {
        return;
    };
    // The program can make a request: what its user may, it gets.
    let allowed = Order::honest(write_td(b"CSMT"));
    assert_eq!(forge(&programs, &allowed), Came::Answer(Resp::NORMAL));
    // What the user may not, and work for another user.
    for refused in [
        write_td(b"CSSL"),
        start(b"SECR", b"CICSUSER"),
        start(b"BOTH", b"SYSADM  "),
    ] {
        assert_eq!(forge(&programs, &Order::honest(refused)), NOTAUTH);
    }
    logged_times(&programs, "TXMXS0035W", 3);
    // Once more in the list of those who ask: it is done once.
    let twice = Order {
        how: TWICE,
        ..Order::honest(write_td(b"CSMT"))
    };
    assert_eq!(forge(&programs, &twice), Came::Answer(Resp::NORMAL));
    // Bytes that are no request.
    for bytes in [
        vec![],
        vec![0; 9],
        vec![0xFF; 300],
        write_td(b"CSMT")[..7].to_vec(),
    ] {
        let came = forge(&programs, &Order::honest(bytes));
        assert!(came != Came::Answer(Resp::NORMAL), "{came:?}");
    }
    // Lengths and places that are none, and a checksum that does not fit.
    let lies = [
        (SAY_BYTES, u32::MAX, 0),
        (SAY_BYTES, 7_000, 0),
        (SAY_BYTES, 1, 0),
        (SAY_AT, 0, u64::MAX),
        (SAY_AT, 0, 64),
        (SAY_AT, 0, 1 << 40),
        (LEAVE_SEAL, 0, 0),
    ];
    for (how, bytes, at) in lies {
        let order = Order {
            how,
            bytes,
            at,
            ..Order::honest(write_td(b"CSMT"))
        };
        assert_eq!(forge(&programs, &order), ASRB, "{how} {bytes} {at}");
    }
    another_task(&programs);
    programs.must_say("HOLDER", &text_of(&programs));
    programs.stop();
}

/// A program that knows where definitions lie can read them, and has no way to change one.
#[test]
fn definitions_are_out_of_a_programs_reach() {
    let folder = tempfile::tempdir().unwrap();
    let Some(programs) = region(folder.path()) else {
        return;
    };
    let order = |how| Order {
        how,
        ..Order::default()
    };
    assert_eq!(forge(&programs, &order(DEFINE)), Came::Ways(1));
    let stored = forge(&programs, &order(DEFINE | OVERRUN));
    assert_eq!(stored, Came::Ended(AbendCode::ASRA));
    // A request for a record whose path is another one changes nothing of the path; the user of
    // the transaction may not even ask.
    let name = ProgramName::from_field(b"HOLDER");
    let forged = ProgramEntry::new(name, "/tmp/other.so");
    let set = definitions::request::Request::Set {
        kind: "PROGRAM".into(),
        name: forged.name(),
        record: forged.record(),
    };
    assert_eq!(forge(&programs, &Order::honest(set.message())), NOTAUTH);
    programs.must_say("HOLDER", &text_of(&programs));
    programs.stop();
}

/// What HOLDER says next: there is no record, and its number.
fn text_of(programs: &Programs) -> String {
    format!("{:08}{:08}", Resp::NOTFND.0, next_task(programs))
}

/// Number of the task that begins next.
fn next_task(programs: &Programs) -> u32 {
    let said = programs.text("HOLDER", &" ".repeat(60));
    said[8..16].parse::<u32>().unwrap() + 1
}

/// The unit of work of another task ends when that task ends it.
fn another_task(programs: &Programs) {
    for how in [0, SAY_TASK] {
        let task = next_task(programs);
        let holder = request("HOLDER", format!("H{:59}", "").into_bytes());
        let held = {
            let _entered = programs.enter();
            programs.runtime.spawn(programs.region.link(holder))
        };
        std::thread::sleep(Duration::from_millis(1_000));
        let order = Order {
            task,
            how,
            ..Order::honest(syncpoint::Request::Commit.message())
        };
        assert_eq!(forge(programs, &order), ASRB, "{how}");
        let output = programs.runtime.block_on(held).unwrap().unwrap();
        let Payload::Commarea(said) = output.payload else {
            panic!("a COMMAREA comes back");
        };
        let expected = format!("{:08}{task:08}", Resp::NOTFND.0);
        assert_eq!(String::from_utf8_lossy(&said[..16]), expected);
    }
}
