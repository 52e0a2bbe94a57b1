//! Terminal control and maps: what commands do to a screen and to programs' storage.

use crate::fake::{FakeCall, FakeHost, FakeShared, Task, exec, program, region};
use std::rc::Rc;
use transom_bms::{PhysicalMapset, Source, read};
use transom_commands::{cmd, opt};
use transom_copybook::codepage::CP037;
use transom_datastream::{Screen, ScreenOptions, ScreenSize};
use transom_region_commands::Executor;
use transom_types::{Device, TcpClient, TermId};
use transom_types::{Payload, StartedBy};
use transom_types::{Resp, SysId, TransId, UserId};
use transom_wire::definitions::{SystemEntry, UpperCase};
use transom_wire::inbound::InboundRecord;
use transom_wire::payload::{Section, Sections, StartInfo, TaskReply, read_reply, write_start};
use transom_wire::requests::RegionAnswer;
use transom_wire::terminal::{Facts, Input, Left};
use transom_workers::seam::{AttachBlock, Commands, Outcome, TaskEnd};

const SIZE: ScreenSize = ScreenSize::MODEL_2;

/// What a region tells a task about terminal T001, a coloured model 2.
fn facts(input: &[u8]) -> Vec<u8> {
    let facts = Facts {
        terminal: TermId::from_field(b"T001"),
        netname: "LUT001".into(),
        device: Device {
            name: "IBM-3279-2-E".into(),
            alternate_size: (43, 80),
            extended: true,
            colour: true,
            highlight: true,
            ..Device::model_2()
        },
        upper_case: UpperCase::No,
        alternate: false,
        suffix: 0,
        scs: false,
        natlang: 0,
        user_area: b"USER AREA".to_vec(),
        input: match input {
            [] => Input::None,
            record => Input::Record(arrived(record)),
        },
        system: SysId::BLANK,
        there: TermId::BLANK,
    };
    facts.encode()
}

/// ENTER with the cursor at row 4, column 15 and these fields.
fn record(aid: u8, fields: &[(u16, &str)]) -> Vec<u8> {
    let mut out = vec![aid];
    out.extend(SIZE.encode(SIZE.position(4, 15)));
    for (position, text) in fields {
        out.push(0x11);
        out.extend(SIZE.encode(*position));
        out.extend(CP037.encode(text).0);
    }
    out
}

/// The record as the region reads it.
fn arrived(record: &[u8]) -> InboundRecord {
    InboundRecord::read(record.to_vec(), SIZE)
}

pub(crate) fn at_terminal(shared: &Rc<FakeShared>, input: &[u8]) -> Task {
    at_terminal_of(shared, input, None)
}

fn at_terminal_of(shared: &Rc<FakeShared>, input: &[u8], client: Option<TcpClient>) -> Task {
    let mut host = FakeHost::new(Rc::clone(shared));
    let mut executor = Executor::new();
    let mut sections = Sections::default();
    sections.add(Section::Terminal, &facts(input));
    let info = StartInfo {
        started_by: StartedBy::Terminal,
        reply_bytes_max: 0,
        start_code: *b"TD",
        client,
        restarts: 0,
        measured: None,
    };
    let attach = AttachBlock {
        task_number: 1,
        transid: TransId::new("TRN1").unwrap(),
        program: program("MAIN"),
        userid: UserId::new("ALICE").unwrap(),
        input: write_start(info, Payload::Commarea(Vec::new()), &sections),
    };
    let first = executor
        .task_start(&mut host, &attach.start())
        .expect("a task");
    Task {
        exec: executor,
        host,
        first,
    }
}

/// What a task left: payload, next transaction, records.
fn left(task: &mut Task) -> (Payload, String, Vec<Vec<u8>>) {
    let reply = task.exec.task_end(&mut task.host, &TaskEnd::Normal);
    let bytes = reply.bytes(&task.host);
    let Ok(TaskReply::Normal(payload, sections)) = read_reply(bytes) else {
        panic!("the task failed");
    };
    let section = sections.get(Section::Terminal).expect("a section");
    let left = Left::decode(section).expect("what is left");
    let next = left.next.map_or(String::new(), |next| next.to_string());
    (payload, next, left.outputs)
}

/// The screen after what a task left.
fn screen(task: &mut Task) -> Screen {
    let mut screen = Screen::new(ScreenOptions {
        alternate: ScreenSize::MODEL_4,
        ..ScreenOptions::default()
    });
    for record in left(task).2 {
        screen.apply(&record).expect("a data stream");
    }
    screen
}

fn row(screen: &Screen, row: usize) -> String {
    screen.row(row, &CP037.to_char).trim_end().to_owned()
}

/// A region with mapset SET: map M with fields NAME (output and input) and MSG, and map LINE of one
/// line for pages.
fn region_with_maps(name: &str) -> Rc<FakeShared> {
    let source = "SET      DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL
M        DFHMDI SIZE=(24,80)
         DFHMDF POS=(1,1),LENGTH=5,ATTRB=PROT,INITIAL='TITLE'
NAME     DFHMDF POS=(4,10),LENGTH=8,ATTRB=(UNPROT,IC)
MSG      DFHMDF POS=(24,1),LENGTH=20,ATTRB=PROT
LINE     DFHMDI SIZE=(10,80),LINE=NEXT,COLUMN=1
TEXT     DFHMDF POS=(1,1),LENGTH=8,ATTRB=PROT
         DFHMSD TYPE=FINAL
         END\n";
    let (mapsets, problems) = mapsets(source);
    assert!(problems.is_empty(), "{problems:?}");
    let dir = std::env::temp_dir().join(format!("transom-maps-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("SET.map"), mapsets[0].to_bytes()).unwrap();
    let shared = region();
    let mut system = SystemEntry::find(&*shared).unwrap();
    system.map_dir = dir.display().to_string();
    assert!(system.install(&*shared));
    shared
}

fn mapsets(source: &str) -> (Vec<PhysicalMapset>, Vec<String>) {
    let source: Source = read("set.bms", source);
    let problems = source
        .problems
        .iter()
        .map(|p| p.id_first().to_string())
        .collect();
    (source.mapsets.iter().map(Into::into).collect(), problems)
}

/// The symbolic map of M: NAME at 0 (length 2, attribute 1), MSG behind it.
fn symbolic(name: &str, message: &str) -> Vec<u8> {
    let mut area = vec![0; 3 + 8 + 3 + 20];
    area[3..3 + name.len()].copy_from_slice(name.as_bytes());
    area[14..14 + message.len()].copy_from_slice(message.as_bytes());
    area
}

fn send_map(map: &str) -> FakeCall {
    exec(cmd::SEND_MAP)
        .text(opt::MAP, map)
        .text(opt::MAPSET, "SET")
}

#[test]
fn text_goes_out_with_the_end_of_the_task() {
    let mut task = at_terminal(&region(), &record(0x7D, &[]));
    assert_eq!(&task.host.eib[16..20], b"T001");
    assert_eq!(task.host.eib[26], b'\'');
    assert_eq!(task.host.eib[22..24], SIZE.position(4, 15).to_be_bytes());
    task.ok(exec(cmd::SEND_TEXT)
        .text(opt::FROM, "HELLO")
        .flag(opt::ERASE));
    assert!(task.host.asked.is_empty(), "no round trip");
    let screen = screen(&mut task);
    assert_eq!(row(&screen, 1), " HELLO");
}

#[test]
fn wait_syncpoint_and_a_full_buffer_send_at_once() {
    let text = || exec(cmd::SEND_TEXT).text(opt::FROM, "HELLO");
    let mut task = at_terminal(&region(), &[]);
    task.host.answer = RegionAnswer::normal();
    task.ok(text().flag(opt::WAIT));
    task.ok(text());
    task.ok(exec(cmd::SYNCPOINT));
    task.ok(text());
    task.ok(exec(cmd::WAIT_TERMINAL));
    assert_eq!(task.host.asked, ["domain 105"; 3]);
    for _ in 0..10 {
        task.ok(exec(cmd::SEND_TEXT).text(opt::FROM, &"A".repeat(1_800)));
    }
    for _ in 0..30 {
        task.ok(exec(cmd::SEND_TEXT).text(opt::FROM, &"A".repeat(1_800)));
    }
    assert_eq!(task.host.asked.len(), 4);
    task.host.answer = RegionAnswer::refused(Resp::TERMERR, 0, "gone");
    assert_eq!(task.resp(text().flag(opt::WAIT)), (Resp::TERMERR, 0));
}

#[test]
fn maps_are_merged_and_unpacked() {
    let shared = region_with_maps("merge");
    let mut task = at_terminal(&shared, &record(0xF3, &[(SIZE.position(4, 11), "bob")]));
    let call = exec(cmd::RECEIVE_MAP)
        .text(opt::MAP, "M")
        .text(opt::MAPSET, "SET")
        .out(opt::INTO, 34);
    let call = task.ok(call);
    let got = call.got_bytes(opt::INTO);
    assert_eq!((&got[..2], &got[3..11]), (&[0, 3][..], &b"bob     "[..]));
    assert_eq!(task.host.eib[26], b'3', "PF3");
    let area = symbolic("ALICE", "WELCOME");
    task.ok(send_map("M")
        .bytes_of(opt::FROM, &area)
        .flag(opt::ERASE)
        .flag(opt::FREEKB));
    let screen = screen(&mut task);
    assert_eq!(row(&screen, 1), " TITLE");
    assert_eq!(row(&screen, 4).trim(), "ALICE");
    assert_eq!(row(&screen, 24), " WELCOME");
    assert_eq!(screen.cursor(), SIZE.position(4, 11));
    assert!(!screen.is_locked());
}

#[test]
fn a_key_without_data_is_mapfail_and_still_shown() {
    let shared = region_with_maps("mapfail");
    let receive = || {
        exec(cmd::RECEIVE_MAP)
            .text(opt::MAP, "M")
            .text(opt::MAPSET, "SET")
            .out(opt::INTO, 34)
    };
    let mut task = at_terminal(&shared, &[0x6D]);
    assert_eq!(task.resp(receive()), (Resp::MAPFAIL, 0));
    assert_eq!(task.host.eib[26], b'_', "CLEAR");
    // The next one asks the region.
    task.host.answer = RegionAnswer::with(&arrived(&record(0x7D, &[])));
    assert_eq!(task.resp(receive()), (Resp::MAPFAIL, 0));
    assert_eq!(task.host.asked, ["domain 105"]);
    assert_eq!(task.host.eib[26], b'\'');
    // A label for the key counts before the condition.
    task.ok(exec(cmd::HANDLE_AID)
        .label_at(opt::PF9, 7)
        .label_at(opt::ANYKEY, 8));
    task.host.answer = RegionAnswer::with(&arrived(&record(0xF9, &[])));
    assert_eq!(task.run(&mut receive()), Outcome::Branch(7));
    task.host.answer = RegionAnswer::with(&arrived(&[0x6C]));
    assert_eq!(task.run(&mut receive()), Outcome::Branch(8));
    task.host.answer = RegionAnswer::refused(Resp::TERMERR, 0, "gone");
    assert_eq!(task.resp(receive()), (Resp::TERMERR, 0));
}

#[test]
fn receive_cuts_or_keeps_what_does_not_fit() {
    let receive = |length: i64| {
        exec(cmd::RECEIVE)
            .out(opt::INTO, 10)
            .int(opt::LENGTH, length)
    };
    let mut data = record(0x7D, &[]);
    data.extend(CP037.encode("PAY me now").0);
    let mut task = at_terminal(&region(), &data);
    let mut call = receive(4);
    assert_eq!(task.resp_of(&mut call), (Resp::LENGERR, 0));
    assert_eq!(call.got_int(opt::LENGTH), 10);
    assert_eq!(call.got_text(opt::INTO), "PAY ??????");
    task.host.answer = RegionAnswer::with(&arrived(&data));
    let call = task.ok(receive(4).flag(opt::NOTRUNCATE));
    assert_eq!(
        (call.got_int(opt::LENGTH), call.got_text(opt::INTO)),
        (4, "PAY ??????".into())
    );
    let call = task.ok(receive(10));
    assert_eq!(
        (call.got_int(opt::LENGTH), call.got_text(opt::INTO)),
        (6, "me now????".into())
    );
    assert_eq!(task.host.asked.len(), 1);
}

#[test]
fn tasks_without_terminal_are_told() {
    let mut task = crate::fake::task_alone();
    let text = || exec(cmd::SEND_TEXT).text(opt::FROM, "X");
    let raw = || exec(cmd::SEND).text(opt::FROM, "X");
    assert_eq!(task.resp(text()), (Resp::INVREQ, 0));
    assert_eq!(task.resp(raw()), (Resp::NOTALLOC, 0));
    assert_eq!(task.resp(exec(cmd::RECEIVE)), (Resp::NOTALLOC, 0));
    let mut linked = crate::fake::task(b"");
    assert_eq!(linked.resp(text()), (Resp::INVREQ, 200));
    assert_eq!(linked.resp(raw()), (Resp::INVREQ, 200));
}

#[test]
fn pages_fill_and_overflow() {
    let shared = region_with_maps("pages");
    let line = |text: &str| {
        let mut area = vec![0; 11];
        area[3..3 + text.len()].copy_from_slice(text.as_bytes());
        send_map("LINE")
            .bytes_of(opt::FROM, &area)
            .flag(opt::ERASE)
            .flag(opt::NOFLUSH)
            .flag(opt::ACCUM)
    };
    let mut task = at_terminal(&shared, &[]);
    assert_eq!(task.resp(exec(cmd::SEND_PAGE)), (Resp::INVREQ, 0));
    task.ok(line("ONE"));
    task.ok(line("TWO"));
    assert_eq!(task.resp(line("THREE")), (Resp::OVERFLOW, 0));
    task.ok(line("THREE"));
    task.ok(exec(cmd::SEND_PAGE));
    let records = left(&mut task).2;
    assert_eq!(records.len(), 2, "two pages");
    let mut screen = Screen::new(ScreenOptions::default());
    screen.apply(&records[0]).unwrap();
    assert_eq!(
        (row(&screen, 1), row(&screen, 11)),
        (" ONE".into(), " TWO".into())
    );
    screen.apply(&records[1]).unwrap();
    assert_eq!(
        (row(&screen, 1), row(&screen, 11)),
        (" THREE".into(), String::new())
    );
}

#[test]
fn text_is_broken_into_lines_and_pages() {
    let mut task = at_terminal(&region(), &[]);
    let text = format!("{} {}", "A".repeat(75), "WORD");
    let alternate = exec(cmd::SEND_TEXT).text(opt::FROM, &text).flag(opt::ERASE);
    task.ok(alternate.flag(opt::ALTERNATE).int(opt::CURSOR, 100));
    task.ok(exec(cmd::SEND_CONTROL).flag(opt::ALARM).flag(opt::FREEKB));
    let screen = screen(&mut task);
    assert_eq!(screen.size(), ScreenSize::MODEL_4);
    assert_eq!(
        (row(&screen, 1).len(), row(&screen, 2)),
        (76, " WORD".into())
    );
    assert_eq!(screen.cursor(), 100);
    let mut task = at_terminal(&region(), &[]);
    task.ok(exec(cmd::SEND_TEXT)
        .text(opt::FROM, &"LINE\n".repeat(30))
        .flag(opt::ERASE));
    assert_eq!(left(&mut task).2.len(), 2);
    let mut task = at_terminal(&region(), &[]);
    for word in ["ONE", "TWO"] {
        task.ok(exec(cmd::SEND_TEXT)
            .text(opt::FROM, word)
            .flag(opt::ERASE)
            .flag(opt::ACCUM));
    }
    task.ok(exec(cmd::SEND_PAGE));
    assert_eq!(row(&self::screen(&mut task), 1), " ONE TWO");
    let mut task = at_terminal(&region(), &[]);
    task.ok(exec(cmd::SEND_TEXT)
        .text(opt::FROM, "GONE")
        .flag(opt::ACCUM));
    task.ok(exec(cmd::PURGE_MESSAGE));
    assert!(left(&mut task).2.is_empty());
}

#[test]
fn return_names_the_next_transaction() {
    let mut task = at_terminal(&region(), &[]);
    let area = task.host.working_storage(b"KEPT DATA");
    let call = exec(cmd::RETURN).text(opt::TRANSID, "NEXT");
    let mut call = call.area(opt::COMMAREA, &task.host, area, 9);
    assert_eq!(task.run(&mut call), Outcome::Return);
    let (payload, next, records) = left(&mut task);
    assert_eq!(payload, Payload::Commarea(b"KEPT DATA".to_vec()));
    assert_eq!((next.as_str(), records.len()), ("NEXT", 0));

    let mut task = at_terminal(&region(), &[]);
    assert_eq!(task.run(&mut exec(cmd::RETURN)), Outcome::Return);
    let (payload, next, _) = left(&mut task);
    assert_eq!(
        (payload, next.as_str()),
        (Payload::Commarea(Vec::new()), "")
    );

    let mut task = at_terminal(&region(), &[]);
    task.link("SUB");
    let call = exec(cmd::RETURN)
        .text(opt::TRANSID, "NEXT")
        .flag(opt::IMMEDIATE);
    assert_eq!(task.resp(call), (Resp::INVREQ, 2));
    let mut alone = crate::fake::task_alone();
    let call = exec(cmd::RETURN).text(opt::TRANSID, "NEXT");
    assert_eq!(alone.resp(call), (Resp::INVREQ, 1));
    let call = exec(cmd::RETURN).text(opt::INPUTMSG, "HI");
    assert_eq!(alone.resp(call), (Resp::INVREQ, 8));
}

#[test]
fn assign_knows_the_terminal() {
    let mut task = at_terminal(&region(), &[]);
    let call = exec(cmd::ASSIGN)
        .out(opt::FACILITY, 4)
        .out(opt::NETNAME, 8)
        .int(opt::SCRNHT, 0)
        .int(opt::ALTSCRNHT, 0)
        .out(opt::COLOR, 1)
        .out(opt::OUTLINE, 1)
        .out(opt::TERMCODE, 2);
    let call = task.ok(call);
    assert_eq!(call.got_text(opt::FACILITY), "T001");
    assert_eq!(call.got_text(opt::NETNAME), "LUT001  ");
    assert_eq!(
        (call.got_int(opt::SCRNHT), call.got_int(opt::ALTSCRNHT)),
        (24, 43)
    );
    assert_eq!(
        (call.got_bytes(opt::COLOR), call.got_bytes(opt::OUTLINE)),
        (&[0xFF][..], &[0][..])
    );
    assert_eq!(call.got_bytes(opt::TERMCODE), [0x91, b'2']);
}

#[test]
fn assign_knows_the_client_of_the_terminal() {
    let of = |client: &str| {
        let door = "192.0.2.1:23".parse().unwrap();
        Some(TcpClient::new(client.parse().unwrap(), door))
    };
    for (client, address, port, family) in [
        (of("192.0.2.7:50000"), "192.0.2.7", 50_000, "IPV4"),
        (of("[2001:db8::7]:50001"), "2001:db8::7", 50_001, "IPV6"),
        (None, "", 0, "NOTAPPLIC"),
    ] {
        let mut task = at_terminal_of(&region(), &[], client);
        let call = exec(cmd::ASSIGN)
            .out(opt::TNADDR, 39)
            .int(opt::TNPORT, 9)
            .int(opt::TNIPFAMILY, 0);
        let call = task.ok(call);
        assert_eq!(call.got_text(opt::TNADDR), format!("{address:39}"));
        assert_eq!(call.got_int(opt::TNPORT), port);
        assert!(call.got_cvda(opt::TNIPFAMILY, family), "{family}");
    }
}

#[test]
fn data_streams_are_checked() {
    let mut task = at_terminal(&region(), &[]);
    task.ok(exec(cmd::SEND)
        .bytes_of(opt::FROM, b"\x11\xC1\x50\x1D\xF0HELLO, (YOU)\x13")
        .flag(opt::ERASE)
        .text(opt::CTLCHAR, "C"));
    task.ok(exec(cmd::ISSUE_ERASEAUP));
    let bad = exec(cmd::SEND)
        .bytes_of(opt::FROM, &[0xF0, 1, 2])
        .flag(opt::STRFIELD);
    task.ok(bad);
    let records = left(&mut task).2;
    assert_eq!(
        (records[0][..2].to_vec(), records[1].clone()),
        (vec![0xF5, 0xC3], vec![0x6F])
    );
    let mut screen = Screen::new(ScreenOptions::default());
    screen.apply(&records[0]).unwrap();
    assert_eq!(row(&screen, 2), " HELLO, (YOU)");
    assert_eq!(records[2], [0xF3, 0xF0, 1, 2]);
}

/// HEADER or TRAILER of a program.
fn band(number: u8, text: &str) -> Vec<u8> {
    let mut area = (text.len() as u16).to_be_bytes().to_vec();
    area.extend([number, b' ']);
    area.extend(text.as_bytes());
    area
}

#[test]
fn text_pages_have_headers_and_trailers() {
    let text = |from: &str| exec(cmd::SEND_TEXT).text(opt::FROM, from).flag(opt::ERASE);
    let mut task = at_terminal(&region(), &[]);
    let line = || {
        text("LINE\n")
            .bytes_of(opt::HEADER, &band(b'#', "PAGE ##"))
            .bytes_of(opt::TRAILER, &band(b' ', "END"))
    };
    for _ in 0..30 {
        task.ok(line());
    }
    let end = exec(cmd::SEND_PAGE).bytes_of(opt::TRAILER, &band(b' ', "LAST"));
    task.ok(end);
    let records = left(&mut task).2;
    assert_eq!(records.len(), 2);
    let mut screen = Screen::new(ScreenOptions::default());
    screen.apply(&records[0]).unwrap();
    assert_eq!(
        (row(&screen, 1), row(&screen, 24)),
        (" PAGE  1".into(), " END".into())
    );
    screen.apply(&records[1]).unwrap();
    assert_eq!(
        (row(&screen, 1), row(&screen, 9), row(&screen, 24)),
        (" PAGE  2".into(), " LINE".into(), " LAST".into())
    );

    let abend = |task: &mut Task, mut call: FakeCall| match task.run(&mut call) {
        Outcome::Abend(code, _) => code.as_str().to_owned(),
        other => panic!("{other:?}"),
    };
    let mut task = at_terminal(&region(), &[]);
    let long = band(b' ', &"\n".repeat(30));
    let header = text("X").bytes_of(opt::HEADER, &long);
    assert_eq!(abend(&mut task, header), "ABM7");
    let low = text("X").int(opt::JUSTIFY, 25);
    assert_eq!(abend(&mut task, low), "ABM8");
    let short = text("X").bytes_of(opt::HEADER, &[0xFF, 0xFF, 0, 0]);
    assert_eq!(task.resp(short), (Resp::INVREQ, 0));
}

#[test]
fn options_of_a_message_must_agree() {
    let shared = region_with_maps("agree");
    let mut task = at_terminal(&shared, &[]);
    let text = || exec(cmd::SEND_TEXT).text(opt::FROM, "X").flag(opt::ACCUM);
    task.ok(text());
    let map = || send_map("LINE").flag(opt::ACCUM);
    assert_eq!(task.resp(map()), (Resp::INVREQ, 0), "a map among text");
    assert_eq!(task.resp(text().flag(opt::PAGING)), (Resp::INVREQ, 0));
    assert_eq!(
        task.resp(exec(cmd::SEND_TEXT).text(opt::FROM, "X")),
        (Resp::INVREQ, 0),
        "without ACCUM"
    );
    let other = text().text(opt::REQID, "AB");
    assert_eq!(task.resp(other), (Resp::IGREQID, 0));
    task.ok(exec(cmd::SEND_CONTROL).flag(opt::ACCUM).flag(opt::ALARM));
    task.ok(exec(cmd::SEND_PAGE));
    task.ok(map());
    task.ok(exec(cmd::PURGE_MESSAGE));
    assert_eq!(task.resp(exec(cmd::SEND_PAGE)), (Resp::INVREQ, 0));
    assert_eq!(
        task.resp(exec(cmd::ROUTE).text(opt::LDC, "LP")),
        (Resp::INVLDC, 0)
    );

    let mut task = at_terminal(&shared, &[]);
    let call = send_map("M").flag(opt::MAPONLY).flag(opt::ERASE);
    let mut call = call.ptr(opt::SET, 0);
    assert_eq!(task.resp_of(&mut call), (Resp::RETPAGE, 0));
    assert_ne!(call.got_pointer(opt::SET), 0);
    assert!(left(&mut task).2.is_empty(), "nothing is sent");
}
