//! Programs at 3270 terminals: what a user types and sees. The terminal is the screen model of the
//! data stream; there is no telnet.

use crate::harness::Programs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_copybook::codepage::CP037;
use transom_datastream::{Aid, Screen, ScreenOptions, ScreenSize};
use transom_region_api::{
    ConfirmedOutput, Control as _, Device, Logon, TerminalOutput, Terminals as _,
};
use transom_region_server::RegionConfig;
use transom_types::{ProgramName, TermId, TransId};
use transom_wire::definitions::{ProfileEntry, TransactionEntry};

/// How long a screen may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a session receives.
#[derive(Default)]
pub(crate) struct Received {
    pub(crate) records: Mutex<Vec<Vec<u8>>>,
    pub(crate) disconnected: Mutex<bool>,
}

impl TerminalOutput for Received {
    fn write(&self, stream: Vec<u8>) -> bool {
        self.records.lock().unwrap().push(stream);
        true
    }
    fn disconnect(&self) {
        *self.disconnected.lock().unwrap() = true;
    }
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        None
    }
}

/// A user at a terminal.
pub(crate) struct User<'a> {
    pub(crate) programs: &'a Programs,
    pub(crate) received: Arc<Received>,
    pub(crate) screen: Screen,
    pub(crate) terminal: TermId,
    pub(crate) records: usize,
}

impl<'a> User<'a> {
    pub(crate) fn logon(programs: &'a Programs, netname: Option<&str>) -> Self {
        let mut device = Device::model_2();
        device.extended = true;
        device.colour = true;
        device.highlight = true;
        Self::with_device(programs, netname, device)
    }

    pub(crate) fn with_device(
        programs: &'a Programs,
        netname: Option<&str>,
        device: Device,
    ) -> Self {
        let mut user = Self::printer(programs, netname, device);
        user.wait("the first screen", |screen| !screen.is_locked());
        user
    }

    /// A device that gets no first screen.
    pub(crate) fn printer(programs: &'a Programs, netname: Option<&str>, device: Device) -> Self {
        let size =
            |(rows, columns): (u16, u16)| ScreenSize::new(rows as u8, columns as u8).unwrap();
        let screen = Screen::new(ScreenOptions {
            default: size(device.default_size),
            alternate: size(device.alternate_size),
            ..ScreenOptions::default()
        });
        let received = Arc::new(Received::default());
        let logon = Logon {
            netname: netname.map(str::to_owned),
            device,
            peer: "127.0.0.1:5000".into(),
            tls: false,
            partner: None,
        };
        let _runtime = programs.enter();
        let session = programs.region.logon(logon, received.clone()).unwrap();
        Self {
            programs,
            received,
            screen,
            terminal: session.terminal,
            records: 0,
        }
    }

    /// Takes over what has arrived.
    pub(crate) fn look(&mut self) {
        let records = std::mem::take(&mut *self.received.records.lock().unwrap());
        for record in records {
            self.records += 1;
            let applied = self.screen.apply(&record);
            let applied = applied.unwrap_or_else(|e| panic!("{e}: {record:02X?}"));
            if let Some(reply) = applied.reply {
                self.send(reply);
            }
        }
    }

    pub(crate) fn send(&self, record: Vec<u8>) {
        let _runtime = self.programs.enter();
        self.programs.region.input(self.terminal, record);
    }

    pub(crate) fn wait(&mut self, what: &str, seen: impl Fn(&Screen) -> bool) {
        let begin = Instant::now();
        loop {
            self.look();
            if seen(&self.screen) {
                return;
            }
            let log = self.programs.log.lock().unwrap();
            assert!(
                begin.elapsed() < PATIENCE,
                "no {what}:\n{}\n{log}",
                self.text()
            );
            drop(log);
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn text(&self) -> String {
        self.screen.text(&CP037.to_char)
    }

    pub(crate) fn shows(&mut self, text: &str) {
        self.wait(text, |screen| {
            screen.contains(text, &CP037.to_char) && !screen.is_locked()
        });
    }

    pub(crate) fn row(&self, row: usize) -> String {
        self.screen.row(row, &CP037.to_char).trim_end().to_owned()
    }

    pub(crate) fn types(&mut self, text: &str) {
        let (bytes, _) = CP037.encode(text);
        let typed = self.screen.type_text(&bytes);
        assert!(
            typed.is_ok(),
            "{typed:?} {}\n{}",
            self.screen.cursor(),
            self.text()
        );
    }

    pub(crate) fn press(&mut self, key: &str) {
        let aid = Aid::from_name(key).unwrap();
        let record = self.screen.press(aid).unwrap();
        self.send(record);
    }

    /// Clears the screen, types, presses ENTER.
    pub(crate) fn enters(&mut self, text: &str) {
        self.press("CLEAR");
        self.wait("an unlocked keyboard", |screen| !screen.is_locked());
        self.types(text);
        self.press("ENTER");
    }
}

/// Adds transactions.
pub(crate) fn transactions(config: &mut RegionConfig, all: &[(&str, &str)]) {
    for (transid, program) in all {
        let transid = TransId::new(transid).unwrap();
        let program = ProgramName::new(program).unwrap();
        config
            .transactions
            .push(TransactionEntry::new(transid, program));
    }
}

/// A program of storage and procedure lines; a line of the procedure that begins with `@` is a
/// paragraph.
pub(crate) fn program(name: &str, storage: &str, procedure: &str) -> String {
    let mut text = format!(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. {name}.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n       01  RC PIC S9(8) COMP.\n       01  RC2 PIC S9(8) COMP.\n"
    );
    for line in storage.lines() {
        text += &format!("       {line}\n");
    }
    text += "       LINKAGE SECTION.\n       01  DFHCOMMAREA.\n           05 CA-COUNT PIC 9(4).\n           05 CA-TEXT PIC X(36).\n       PROCEDURE DIVISION.\n";
    for line in procedure.lines() {
        match line.strip_prefix('@') {
            Some(paragraph) => text += &format!("       {paragraph}\n"),
            None => text += &format!("           {line}\n"),
        }
    }
    text
}

/// BMS source: a statement a line; operands that follow go on in the next line with `+`.
pub(crate) fn bms(statements: &str) -> String {
    let mut text = String::new();
    for line in statements.lines() {
        let parts: Vec<&str> = line.split('+').collect();
        for (i, part) in parts.iter().enumerate() {
            let indent = if i == 0 { "" } else { "               " };
            let card = format!("{indent}{part}");
            let more = i + 1 < parts.len();
            text += &if more {
                format!("{card:<71}X\n")
            } else {
                format!("{card}\n")
            };
        }
    }
    text
}

/// A menu: a title, an option and a message line.
pub(crate) const MENU_MAP: &str = "\
MENUSET  DFHMSD TYPE=MAP,MODE=INOUT,LANG=COBOL,STORAGE=AUTO,+TIOAPFX=YES,CTRL=(FREEKB,FRSET),TERM=3270-2,+MAPATTS=(COLOR,HILIGHT),DSATTS=(COLOR,HILIGHT)
MENUMAP  DFHMDI SIZE=(24,80),LINE=1,COLUMN=1
         DFHMDF POS=(1,30),LENGTH=9,ATTRB=(ASKIP,BRT),+INITIAL='MAIN MENU'
         DFHMDF POS=(4,5),LENGTH=7,ATTRB=ASKIP,INITIAL='OPTION:'
OPTION   DFHMDF POS=(4,13),LENGTH=4,ATTRB=(UNPROT,IC),+HILIGHT=UNDERLINE
         DFHMDF POS=(4,18),LENGTH=0,ATTRB=ASKIP
COUNT    DFHMDF POS=(6,5),LENGTH=4,ATTRB=ASKIP
MSG      DFHMDF POS=(24,1),LENGTH=60,ATTRB=(ASKIP,BRT),COLOR=RED
         DFHMSD TYPE=FINAL
         END
";

/// The usual pseudo-conversation: menu, input, PF3.
fn menu() -> String {
    cobol!("terminals/MENUPGM")
}

fn menus() -> Programs {
    Programs::with_maps(&[&menu()], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("MENU", "MENUPGM"), ("GONE", "NOWHERE")]);
    })
}

#[test]
fn a_menu_is_a_pseudo_conversation() {
    let programs = menus();
    let mut user = User::logon(&programs, Some("LUTEST01"));
    assert_eq!(user.terminal.as_str(), "ST01");
    assert_eq!(user.text().trim(), "");
    user.types("menu");
    user.press("ENTER");
    user.shows("MAIN MENU");
    assert_eq!(user.screen.cursor(), ScreenSize::MODEL_2.position(4, 14));
    user.types("AB1");
    user.press("ENTER");
    user.shows("YOU CHOSE AB1  AT ST01");
    assert_eq!(user.row(6).trim(), "0001");
    assert_eq!(user.screen.cursor(), ScreenSize::MODEL_2.position(4, 14));
    user.press("ENTER");
    user.shows("TYPE AN OPTION");
    user.press("PF7");
    user.shows("WRONG KEY");
    assert_eq!(user.records, 5, "one record a screen");
    user.press("PF3");
    user.wait("an empty screen", |screen| {
        !screen.is_locked() && !screen.is_formatted()
    });
    assert_eq!(user.text().trim(), "");
}

#[test]
fn failures_are_a_line_at_the_bottom() {
    let programs = menus();
    let mut user = User::logon(&programs, None);
    user.enters("NONE");
    user.shows("TXMAC2001E TEST transaction NONE is not recognized");
    user.enters("GONE");
    user.shows("TXMAC2016E TEST transaction GONE cannot run: program NOWHERE is not");
    user.enters("MENU");
    user.shows("MAIN MENU");
    user.types("BOOM");
    user.press("ENTER");
    user.shows("TXMAC2206E TEST transaction MENU (MENUPGM) abended BOOM");
    // The pseudo-conversation is over.
    user.enters("MENU");
    user.shows("MAIN MENU");
    assert_eq!(user.row(24), "");
}

#[test]
fn a_conversational_task_waits_for_its_user() {
    let talk = cobol!("terminals/TALKPGM");
    let programs = Programs::with_maps(&[&talk], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("TALK", "TALKPGM")]);
    });
    let mut first = User::logon(&programs, Some("FIRST"));
    let mut second = User::logon(&programs, Some("SECOND"));
    assert_ne!(first.terminal, second.terminal);
    for user in [&mut first, &mut second] {
        user.types("TALK to me");
        user.press("ENTER");
        user.shows("MAIN MENU");
    }
    first.types("ONE");
    second.types("TWO");
    second.press("ENTER");
    second.shows("WHY TWO ?");
    first.press("ENTER");
    first.shows("WHY ONE ?");
    first.types("SO");
    first.press("ENTER");
    first.shows("ONE  BECAUSE SO");
    assert_eq!(
        programs.region.info().unwrap().tasks,
        1,
        "only the second still runs"
    );
    // The second user leaves: its task is told and ends.
    {
        let _runtime = programs.enter();
        programs.region.logoff(second.terminal);
    }
    let begin = Instant::now();
    while programs.region.info().unwrap().tasks > 0 {
        assert!(begin.elapsed() < PATIENCE, "the task outlives its terminal");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(programs.log.lock().unwrap().contains("ATNI"));
    first.enters("TALK");
    first.shows("MAIN MENU");
}

/// A program that shows its map first waits for the answer to it; what began the task is gone.
#[test]
fn a_receive_after_a_send_waits() {
    let asks = cobol!("terminals/ASKPGM");
    let programs = Programs::with_maps(&[&asks], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("ASKS", "ASKPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("ASKS");
    user.press("ENTER");
    user.shows("MAIN MENU");
    user.types("ONE");
    user.press("ENTER");
    user.shows("YOU CHOSE ONE");
}

#[test]
fn data_streams_of_programs() {
    let raw = cobol!("terminals/RAWPGM");
    let programs = Programs::with(&[&raw], |config| {
        transactions(config, &[("RAW", "RAWPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("raw Mixed");
    user.press("ENTER");
    user.wait("a screen or the end", |screen| !screen.is_locked());
    user.shows("NAME (A1), <B");
    for _ in 0..2 {
        user.types("Smith");
        user.press("ENTER");
        user.wait("the answer", |screen| !screen.is_locked());
    }
    user.shows("ALL IS WELL");
}

#[test]
fn keys_lead_to_labels_and_maps_to_conditions() {
    let source = cobol!("terminals/KEYPGM");
    let programs = Programs::with_maps(&[&source], &[&bms(MENU_MAP)], |config| {
        transactions(config, &[("KEY", "KEYPGM")]);
    });
    let mut user = User::logon(&programs, Some("LUKEYS"));
    user.shows("===>");
    // From a screen without fields there is nothing to map.
    user.enters("KEY");
    user.shows("MAIN MENU");
    user.types("five");
    user.press("PF5");
    user.wait("the keyboard", |screen| !screen.is_locked());
    user.press("CLEAR");
    user.shows("ALL IS WELL");
}

#[test]
fn maps_that_do_not_exist_end_the_task() {
    let send = |name: &str, map: &str, mapset: &str| {
        program(
            name,
            "",
            &format!(
                "EXEC CICS SEND MAP('{map}') MAPSET('{mapset}')\n    MAPONLY ERASE END-EXEC.\nEXEC CICS RETURN END-EXEC."
            ),
        )
    };
    let sources = [
        send("NOMAP", "OTHER", "MENUSET"),
        send("NOSET", "OTHER", "NOSUCH"),
        send("TOOBIG", "BIGMAP", "BIGSET"),
    ];
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    let big = bms(
        "BIGSET   DFHMSD TYPE=MAP,MODE=OUT,LANG=COBOL\nBIGMAP   DFHMDI SIZE=(43,80)\n         DFHMDF POS=(40,1),LENGTH=3,INITIAL='LOW'\n         DFHMSD TYPE=FINAL\n         END\n",
    );
    let programs = Programs::with_maps(&sources, &[&bms(MENU_MAP), &big], |config| {
        transactions(
            config,
            &[("TMAP", "NOMAP"), ("TSET", "NOSET"), ("TBIG", "TOOBIG")],
        );
    });
    let mut user = User::logon(&programs, None);
    for (transid, code) in [("TMAP", "ABM0"), ("TSET", "APCT"), ("TBIG", "AEYB")] {
        user.enters(transid);
        user.shows(&format!("abended {code}"));
    }
    // The alternate size has room for it.
    let mut device = Device::model_2();
    device.alternate_size = (43, 80);
    let wide = cobol!("terminals/WIDE");
    let programs = Programs::with_maps(&[&wide], &[&big], |config| {
        transactions(config, &[("WIDE", "WIDE")]);
    });
    let mut user = User::with_device(&programs, None, device);
    user.types("WIDE");
    user.press("ENTER");
    user.shows("LOW");
    assert_eq!(user.screen.size(), ScreenSize::MODEL_4);
}

#[test]
fn the_next_transaction_gets_what_return_says() {
    let first = cobol!("terminals/FIRSTPGM");
    let second = cobol!("terminals/SCNDPGM");
    let third = cobol!("terminals/THRDPGM");
    let programs = Programs::with(&[&first, &second, &third], |config| {
        transactions(
            config,
            &[
                ("FRST", "FIRSTPGM"),
                ("SCND", "SCNDPGM"),
                ("THRD", "THRDPGM"),
            ],
        );
        config.terminals.key_transactions = vec![(0xF9, TransId::new("FRST").unwrap())];
    });
    let mut user = User::logon(&programs, None);
    user.press("PF9");
    user.shows("PRESS ENTER");
    user.press("ENTER");
    user.shows("ALL IS WELL");
}

#[test]
fn waits_for_a_user_end_by_profile_or_purge() {
    let wait = cobol!("terminals/WAITPGM");
    let purger = cobol!("terminals/PURGEPGM");
    let programs = Programs::with(&[&wait, &purger], |config| {
        transactions(
            config,
            &[
                ("WAIT", "WAITPGM"),
                ("SHRT", "WAITPGM"),
                ("PURG", "PURGEPGM"),
            ],
        );
        let mut profile = ProfileEntry::with_defaults(ProgramName::new("SHORT").unwrap());
        profile.read_timeout_ms = 100;
        config.terminals.profiles.push(profile);
        for transaction in &mut config.transactions {
            if transaction.transid.as_str() == "SHRT" {
                transaction.profile = ProgramName::new("SHORT").unwrap();
            }
        }
    });
    let mut user = User::logon(&programs, Some("LUWAIT"));
    user.types("SHRT");
    user.press("ENTER");
    user.shows("transaction SHRT (WAITPGM) abended AKCT");
    user.enters("WAIT");
    user.shows("WAITING");
    let mut operator = User::logon(&programs, None);
    operator.types("PURG");
    operator.press("ENTER");
    operator.shows("ALL IS WELL");
    user.shows("transaction WAIT (WAITPGM) abended AKC3");
    // UCTRAN is in force, and what was typed answers the task.
    user.enters("WAIT");
    user.shows("WAITING");
    user.press("CLEAR");
    user.wait("the end of the task", |screen| !screen.is_locked());
}

#[test]
fn what_was_sent_before_an_abend_is_shown() {
    let source = cobol!("terminals/LASTPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("LAST", "LASTPGM")]);
    });
    let mut user = User::logon(&programs, None);
    user.types("LAST");
    user.press("ENTER");
    user.shows("transaction LAST (LASTPGM) abended 9999");
    assert_eq!(user.row(1), "MY LAST WORDS");
}
