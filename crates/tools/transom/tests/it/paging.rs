//! Messages of several pages: what programs build with ACCUM, PAGING, SET and ROUTE, and what users
//! do with them in a paging session.

use crate::harness::Programs;
use crate::terminals::{MENU_MAP, User, bms, program, transactions};
use std::time::Duration;
use transom_copybook::codepage::CP037;
use transom_datastream::Aid;
use transom_region_api::{Control as _, Device, Terminals as _};
use transom_region_server::RegionConfig;
use transom_types::{TermId, UserId};
use transom_wire::definitions::TerminalDefinition;

/// Paging keys as a region has them with SKRPF7 and SKRPF8.
fn keys(config: &mut RegionConfig) {
    let key = |name: &str, text: &str| (Aid::from_name(name).unwrap().0, text.to_owned());
    config.terminals.paging.keys = vec![key("PF7", "P/P"), key("PF8", "P/N")];
}

/// Fifty lines on three pages with a numbered header, then what the test asks for.
pub(crate) fn stock(name: &str, after: &str) -> String {
    program(
        name,
        "01  WS-HEAD.
    05 FILLER PIC S9(4) COMP VALUE 13.
    05 FILLER PIC X VALUE '@'.
    05 FILLER PIC X VALUE SPACE.
    05 FILLER PIC X(13) VALUE 'STOCK PAGE @@'.
01  WS-LINE.
    05 FILLER PIC X(5) VALUE 'ITEM '.
    05 WS-NO PIC 9(4) VALUE 0.
    05 FILLER PIC X VALUE X'15'.
01  WS-IN PIC X(20) VALUE SPACES.
01  WS-LEN PIC S9(4) COMP VALUE 20.
01  WS-OUT PIC X(40) VALUE SPACES.",
        &format!(
            "PERFORM VARYING WS-NO FROM 1 BY 1 UNTIL WS-NO > 50\n  EXEC CICS SEND TEXT FROM(WS-LINE) LENGTH(10)\n    ACCUM PAGING HEADER(WS-HEAD) ERASE END-EXEC\nEND-PERFORM.\n{after}"
        ),
    )
}

#[test]
fn a_user_turns_pages() {
    let source = stock(
        "STOCKPGM",
        "EXEC CICS SEND PAGE END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::with(&[&source], |config| {
        keys(config);
        transactions(config, &[("STOK", "STOCKPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("STOK");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    assert_eq!(user.row(2), " ITEM 0001");
    assert_eq!(user.row(24), " ITEM 0023");
    assert_eq!(
        programs.region.info().unwrap().tasks,
        0,
        "no task while pages are looked at"
    );
    user.press("PF8");
    user.shows("STOCK PAGE  2");
    assert_eq!(user.row(2), " ITEM 0024");
    user.press("PF8");
    user.shows("STOCK PAGE  3");
    assert_eq!(
        (user.row(5), user.row(6)),
        (" ITEM 0050".into(), String::new())
    );
    user.press("PF8");
    user.shows("TXMTP4103E there is no such page; page 3 of 3 is shown");
    user.press("PF7");
    user.shows("STOCK PAGE  2");
    for (typed, seen) in [
        ("P/1", "STOCK PAGE  1"),
        ("p/l", "STOCK PAGE  3"),
        ("P/-2", "STOCK PAGE  1"),
        ("CSPG P/+1", "STOCK PAGE  2"),
        ("P/Q", "TXMTP4102I 0 messages are queued"),
        ("P/C", "STOCK PAGE  2"),
        ("P/9", "TXMTP4103E"),
        ("X/", "TXMTP4105E X/ is no paging command"),
    ] {
        user.enters(typed);
        user.shows(seen);
    }
    user.press("PF5");
    user.shows("TXMTP4128E PF5 is not defined for page retrieval");
    user.enters("T/B");
    user.shows("TXMTP4122I the requested purge is complete");
    assert_eq!(user.row(1), "");
    user.enters("P/1");
    user.shows("TXMTP4104E a paging command was entered but there are no pages to show");
    user.enters("CSPG");
    user.shows("TXMTP4104E");
}

#[test]
fn other_input_ends_the_session_and_goes_its_way() {
    let source = stock(
        "STOCKPGM",
        "EXEC CICS SEND PAGE END-EXEC.\nEXEC CICS RETURN TRANSID('NEXT') END-EXEC.",
    );
    let next = cobol!("paging/NEXTPGM");
    let programs = Programs::with(&[&source, &next], |config| {
        transactions(config, &[("STOK", "STOCKPGM"), ("NEXT", "NEXTPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("STOK");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    user.enters("P/2");
    user.shows("STOCK PAGE  2");
    user.enters("HELLO");
    user.shows("NEXT GOT HELLO");
    user.enters("P/1");
    user.shows("TXMTP4104E");
}

#[test]
fn retain_waits_for_the_user_and_operpurge_for_a_command() {
    let kept = stock(
        "KEPTPGM",
        "EXEC CICS SEND PAGE RETAIN END-EXEC.
EXEC CICS RECEIVE INTO(WS-IN) LENGTH(WS-LEN) END-EXEC.
STRING 'YOU TYPED ' WS-IN DELIMITED BY SIZE INTO WS-OUT.
EXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC.
EXEC CICS RETURN END-EXEC.",
    );
    let held = stock(
        "HELDPGM",
        "EXEC CICS SEND PAGE RETAIN OPERPURGE END-EXEC.\nMOVE 'THE USER HAS SEEN IT' TO WS-OUT.\nEXEC CICS SEND TEXT FROM(WS-OUT) ERASE FREEKB END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let programs = Programs::with(&[&kept, &held], |config| {
        keys(config);
        transactions(config, &[("KEPT", "KEPTPGM"), ("HELD", "HELDPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("KEPT");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    assert_eq!(programs.region.info().unwrap().tasks, 1, "the task waits");
    user.press("PF8");
    user.shows("STOCK PAGE  2");
    user.enters("ENOUGH");
    user.shows("YOU TYPED ENOUGH");
    user.enters("HELD");
    user.shows("STOCK PAGE  1");
    user.enters("ENOUGH");
    user.shows("TXMTP4106E the message must be purged");
    user.enters("T/C");
    user.shows("THE USER HAS SEEN IT");
}

#[test]
fn release_ends_the_task_from_any_level() {
    let inner = stock(
        "INNERPGM",
        "EXEC CICS SEND PAGE RELEASE TRANSID('DONE') END-EXEC.\nMOVE 'AFTER RELEASE' TO WS-OUT.\nEXEC CICS SEND TEXT FROM(WS-OUT) ERASE END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let outer = cobol!("paging/OUTERPGM");
    let done = cobol!("paging/DONEPGM");
    let programs = Programs::with(&[&inner, &outer, &done], |config| {
        transactions(config, &[("OUTR", "OUTERPGM"), ("DONE", "DONEPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("OUTR");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    user.enters("P/3");
    user.shows("ITEM 0050");
    user.press("ENTER");
    user.shows("DONE IS NEXT");
}

const LIST_MAP: &str = "\
LISTSET  DFHMSD TYPE=MAP,MODE=OUT,LANG=COBOL,STORAGE=AUTO,+TIOAPFX=YES,CTRL=FREEKB
LISTHDR  DFHMDI SIZE=(2,80),LINE=1,COLUMN=1,JUSTIFY=FIRST,+HEADER=YES
         DFHMDF POS=(1,1),LENGTH=4,ATTRB=PROT,INITIAL='LIST'
HPAGE    DFHMDF POS=(1,10),LENGTH=4,ATTRB=PROT
LISTLIN  DFHMDI SIZE=(1,80),LINE=NEXT,COLUMN=1
LTEXT    DFHMDF POS=(1,1),LENGTH=10,ATTRB=PROT
LISTTRL  DFHMDI SIZE=(1,80),JUSTIFY=LAST,TRAILER=YES
         DFHMDF POS=(1,1),LENGTH=4,ATTRB=PROT,INITIAL='MORE'
TPAGE    DFHMDF POS=(1,10),LENGTH=4,ATTRB=PROT
         DFHMSD TYPE=FINAL
         END
";

#[test]
fn overflow_lets_programs_head_and_foot_their_pages() {
    let source = cobol!("paging/LISTPGM");
    let programs = Programs::with_maps(&[&source], &[&bms(LIST_MAP)], |config| {
        keys(config);
        transactions(config, &[("LIST", "LISTPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("LIST");
    user.press("ENTER");
    user.shows("LIST");
    assert_eq!(user.row(1), " LIST     0001", "{}", user.text());
    assert_eq!(
        (user.row(3), user.row(23)),
        (" LINE 0001".into(), " LINE 0021".into())
    );
    assert_eq!(user.row(24), " MORE     0001");
    user.press("PF8");
    user.shows("MORE     0002");
    assert_eq!(
        (user.row(3), user.row(23)),
        (" LINE 0022".into(), " LINE 0042".into())
    );
    user.press("PF8");
    user.shows("LINE 0045");
    assert_eq!(
        (user.row(5), user.row(24)),
        (" LINE 0045".into(), String::new())
    );
}

#[test]
fn pages_go_to_other_terminals() {
    let source = cobol!("paging/ROUTEPGM");
    let talk = cobol!("paging/TALKPGM");
    let programs = Programs::with(&[&source, &talk], |config| {
        transactions(config, &[("ROUT", "ROUTEPGM"), ("TALK", "TALKPGM")]);
    });
    let mut first = User::logon(&programs, Some("LUFRST"));
    let mut printer = Device::model_2();
    printer.printer = true;
    let mut printer = User::printer(&programs, Some("LUPRTR"), printer);
    let mut sender = User::logon(&programs, None);
    assert_eq!(
        (first.terminal.as_str(), printer.terminal.as_str()),
        ("FRST", "PRTR")
    );
    first.types("TALK");
    first.press("ENTER");
    first.shows("GO ON.");
    sender.types("ROUT");
    sender.press("ENTER");
    sender.shows("ALL IS WELL");
    printer.wait("print", |screen| screen.contains("WORD", &CP037.to_char));
    assert_eq!(printer.records, 2, "all pages at once");
    assert!(first.row(1).contains("GO ON."), "not while a task runs");
    first.press("ENTER");
    first.shows("THE SHOP CLOSES AT SIX");
    // The other message comes while the first is looked at.
    std::thread::sleep(Duration::from_millis(1_200));
    first.look();
    first.enters("P/Q");
    first.shows("TXMTP4102I 1 messages are queued for immediate delivery");
    first.enters("T/B");
    first.shows("AN HOUR TO GO");
    first.enters("T/A");
    first.shows("TXMTP4122I");
    printer.look();
    assert_eq!(printer.records, 3);
}

/// Linkage of programs that look at pages SET handed out.
const PAGE_LINKAGE: &str = "       LINKAGE SECTION.
       01  LK-LIST.
           05 LK-ENTRY OCCURS 4.
              10 LK-TYPE PIC X.
              10 LK-ADDRESS PIC X(3).
       01  LK-PAGE-AREA.
           05 FILLER PIC X(8).
           05 LK-LENGTH PIC S9(4) COMP.
           05 FILLER PIC X(2).
           05 LK-DATA PIC X(4000).\n";

fn with_pages(source: &str) -> String {
    source.replace("       LINKAGE SECTION.\n", PAGE_LINKAGE)
}

#[test]
fn set_hands_pages_to_the_program() {
    let source = with_pages(&cobol!("paging/SETPGM"));
    let programs = Programs::with_maps(&[&source], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("SETP", "SETPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("SETP");
    user.press("ENTER");
    user.shows("WORLD");
    assert!(user.row(1).contains("MAIN MENU"));
    user.types("five");
    user.press("ENTER");
    user.shows("ALL IS WELL");
}

#[test]
fn maps_for_devices_that_are_not_the_tasks() {
    let source = with_pages(&cobol!("paging/MDEVPGM"));
    let programs = Programs::with_maps(&[&source], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("MDEV", "MDEVPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("MDEV");
    user.press("ENTER");
    user.shows("HELLO");
    assert!(user.row(1).contains("MAIN MENU"), "{}", user.text());
}

#[test]
fn a_message_nobody_ends_ends_with_the_task_or_a_syncpoint() {
    let source = cobol!("paging/LOOSEPGM");
    let programs = Programs::with(&[&source], |config| {
        keys(config);
        transactions(config, &[("LOOS", "LOOSEPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("LOOS");
    user.press("ENTER");
    user.shows("FIRST MESSAGE");
    user.press("PF8");
    user.shows("RAW PAGE");
    user.enters("T/B");
    user.shows("SECOND MESSAGE");
    user.enters("T/B");
    user.shows("TXMTP4122I");
}

/// Fields with the less common operands.
const ODD_MAP: &str = "\
ODDSET   DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL,STORAGE=AUTO,+TIOAPFX=YES,CTRL=(FREEKB,FRSET),TERM=ALL,EXTATT=MAPONLY,+COLOR=GREEN,HILIGHT=OFF,FOLD=UPPER
ODDMAP   DFHMDI SIZE=(24,80),CURSLOC=YES
AMOUNT   DFHMDF POS=(1,1),LENGTH=10,ATTRB=(UNPROT,NUM,IC),+JUSTIFY=(RIGHT,ZERO),PICIN='9(8)V99',PICOUT='ZZZ,ZZ9.99'
         DFHMDF POS=(1,12),LENGTH=1,ATTRB=ASKIP
LIN      DFHMDF POS=(2,1),LENGTH=5,OCCURS=3,ATTRB=UNPROT
         DFHMDF POS=(2,19),LENGTH=1,ATTRB=ASKIP
DAY      DFHMDF POS=(3,1),LENGTH=2,GRPNAME=TODAY,ATTRB=UNPROT
SEP      DFHMDF POS=(3,3),LENGTH=1,GRPNAME=TODAY,INITIAL='/'
MON      DFHMDF POS=(3,4),LENGTH=2,GRPNAME=TODAY
         DFHMDF POS=(3,7),LENGTH=1,ATTRB=ASKIP
MIXED    DFHMDF POS=(4,1),LENGTH=6,ATTRB=UNPROT,CASE=MIXED,+VALIDN=(MUSTENTER,TRIGGER)
         DFHMDF POS=(4,8),LENGTH=1,ATTRB=ASKIP
RIGHTY   DFHMDF POS=(5,1),LENGTH=6,ATTRB=UNPROT,JUSTIFY=RIGHT
         DFHMDF POS=(5,8),LENGTH=1,ATTRB=ASKIP
HEX      DFHMDF POS=(6,1),LENGTH=3,XINIT=C1C2C3,ATTRB=PROT
         DFHMSD TYPE=FINAL
         END
";

#[test]
fn fields_of_all_kinds() {
    let source = cobol!("paging/ODDPGM");
    let programs = Programs::with_maps(&[&source], &[&bms(ODD_MAP)], |config| {
        transactions(config, &[("ODDS", "ODDPGM")]);
        config.terminals.upper_case = transom_wire::definitions::UpperCase::Yes;
    });
    let mut user = User::logon(&programs, None);
    user.types("ODDS");
    user.press("ENTER");
    user.shows("1,234.50");
    assert_eq!(user.row(2), " ONE         THREE", "{}", user.text());
    assert_eq!((user.row(3), user.row(6)), ("   /".into(), " ABC".into()));
    // The program's data and the cursor's place tell where fields are.
    user.types("123");
    user.screen.erase_eof().unwrap();
    user.screen.tab().unwrap();
    user.screen.tab().unwrap();
    user.types("two");
    user.screen.tab().unwrap();
    user.screen.tab().unwrap();
    // The last character of the field takes the cursor to the next one.
    user.types("24/12");
    user.types("MiXed");
    user.screen.tab().unwrap();
    user.types("abc");
    user.press("ENTER");
    user.shows("ALL IS WELL");
}

/// Each kind of terminal has pages of its own: what is sent after OVERFLOW is for the kind that is
/// full.
#[test]
fn maps_for_terminals_of_different_sizes() {
    let source = cobol!("paging/KINDPGM");
    let programs = Programs::with_maps(&[&source], &[&bms(LIST_MAP)], |config| {
        keys(config);
        transactions(config, &[("KIND", "KINDPGM")]);
    });
    let mut small = User::logon(&programs, Some("LUSMAL"));
    let mut device = Device::model_2();
    (device.default_size, device.alternate_size) = ((43, 80), (43, 80));
    let mut tall = User::with_device(&programs, Some("LUTALL"), device);
    let mut sender = User::logon(&programs, None);
    sender.types("KIND");
    sender.press("ENTER");
    sender.shows("ALL IS WELL");
    small.shows("LINE 0001");
    assert_eq!(
        (small.row(23), small.row(24)),
        (" LINE 0023".into(), " MORE     0001".into())
    );
    small.press("PF8");
    small.shows("LIST     0002");
    assert_eq!(
        (small.row(3), small.row(23)),
        (" LINE 0024".into(), " LINE 0044".into())
    );
    small.press("PF8");
    small.shows("LIST     0003");
    assert_eq!(
        (small.row(3), small.row(8)),
        (" LINE 0045".into(), " LINE 0050".into())
    );
    tall.shows("LINE 0001");
    assert_eq!(
        (tall.row(42), tall.row(43)),
        (" LINE 0042".into(), " MORE     0002".into())
    );
    tall.press("PF8");
    tall.shows("LIST     0002");
    assert_eq!(
        (tall.row(3), tall.row(10)),
        (" LINE 0043".into(), " LINE 0050".into())
    );
}

/// A region of its own process.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn s3270_turns_pages_with_keys_of_the_configuration() {
    if !crate::s3270::available() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    for part in ["cobol", "csd"] {
        std::fs::create_dir(dir.join(part)).unwrap();
    }
    let source = stock(
        "STOCKPGM",
        "EXEC CICS SEND PAGE OPERPURGE END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let port = crate::harness::free_port();
    let files = [
        ("cobol/STOCKPGM.cbl", source),
        (
            "csd/T.csd",
            "DEFINE PROGRAM(STOCKPGM) GROUP(T) LANGUAGE(COBOL)\nDEFINE TRANSACTION(STOK) GROUP(T) PROGRAM(STOCKPGM)\n".into(),
        ),
        (
            "transom.toml",
            format!(
                "[region]\nSKRPF7 = \"P\"\nSKRPF8 = \"N\"\nSKRPF3 = \"T/B\"\nPGRET = \"PAGE/\"\n[terminals]\nport = {port}\n"
            ),
        ),
    ];
    for (name, text) in files {
        std::fs::write(dir.join(name), text).unwrap();
    }
    let child = std::process::Command::new(crate::harness::EXE)
        .args(["run", "."])
        .current_dir(dir)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    let _running = Running(child.unwrap());
    let begin = std::time::Instant::now();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no listener");
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut user = crate::s3270::S3270::connect("3279-2-E", &format!("localhost:{port}"));
    user.transaction("STOK");
    user.expect("STOCK PAGE  1");
    user.pf(8);
    user.expect("STOCK PAGE  2");
    user.pf(8);
    user.pf(7);
    user.expect("ITEM 0024");
    user.transaction("PAGE/3");
    user.expect("ITEM 0050");
    user.transaction("STOK");
    user.expect("TXMTP4106E");
    user.press("PA(1)");
    user.expect("TXMTP4128E");
    user.pf(3);
    user.expect("TXMTP4122I");
    user.transaction("STOK");
    user.expect("STOCK PAGE  1");
}

#[test]
fn operator_classes_choose_signed_on_users() {
    let source = cobol!("paging/CLASSPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("CLAS", "CLASSPGM")]);
        let name = TermId::new("BOSS").unwrap();
        let mut boss = TerminalDefinition::new(name, "LUBOSS");
        boss.user = UserId::new("BOSS").ok();
        config.terminals.definitions.push(boss);
        config
            .terminals
            .preset_from
            .push(transom_settings::PresetPlace {
                lu: "LUBOSS".into(),
                network: std::net::Ipv4Addr::LOCALHOST.into(),
                bits: 8,
            });
    });
    let mut boss = User::logon(&programs, Some("LUBOSS"));
    let mut nobody = User::logon(&programs, None);
    nobody.types("CLAS");
    nobody.press("ENTER");
    nobody.shows("ALL IS WELL");
    boss.shows("FOR CLASS ONE");
}

#[test]
fn a_user_goes_on_when_the_task_that_waited_was_killed() {
    let kept = stock(
        "KEPTPGM",
        "EXEC CICS SEND PAGE RETAIN END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let kill = cobol!("paging/KILLPGM");
    let programs = Programs::with(&[&kept, &kill], |config| {
        transactions(config, &[("KEPT", "KEPTPGM")]);
    });
    let mut user = User::logon(&programs, Some("LUUSER01"));
    user.types("KEPT");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    let said = programs.text("KILLPGM", &format!("{:40}", "0000ER01"));
    assert_eq!(said, "0000PURGED");
    user.shows("TXMAC2206E");
    user.enters("NONE");
    user.shows("transaction NONE is not recognized");
}

#[test]
fn users_that_leave_and_messages_that_are_too_large_are_told() {
    let kept = stock(
        "KEPTPGM",
        "EXEC CICS SEND PAGE RETAIN END-EXEC.\nEXEC CICS RETURN END-EXEC.",
    );
    let huge = cobol!("paging/HUGEPGM");
    let programs = Programs::with(&[&kept, &huge], |config| {
        config.terminals.paging.bytes_max = 1 << 20;
        transactions(config, &[("KEPT", "KEPTPGM"), ("HUGE", "HUGEPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("KEPT");
    user.press("ENTER");
    user.shows("STOCK PAGE  1");
    {
        let _runtime = programs.enter();
        programs.region.logoff(user.terminal);
    }
    let begin = std::time::Instant::now();
    while programs.region.info().unwrap().tasks > 0 {
        assert!(
            begin.elapsed() < Duration::from_secs(10),
            "the task outlives its terminal"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut other = User::logon(&programs, None);
    other.types("HUGE");
    other.press("ENTER");
    other.shows("ALL IS WELL");
    // What was kept is given back.
    other.enters("HUGE");
    other.shows("ALL IS WELL");
}
