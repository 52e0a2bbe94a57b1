//! Programs at 3270 terminals: what a user types and sees. The terminal is the screen model of the
//! data stream; there is no telnet.

use crate::harness::Programs;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_copybook::codepage::CP037;
use transom_datastream::{Aid, Screen, ScreenOptions, ScreenSize};
use transom_region_api::{ConfirmedOutput, Device, Logon, TerminalOutput, Terminals as _};
use transom_region_server::RegionConfig;
use transom_types::{ClientCertificate, ProgramName, TcpClient, TermId, TransId};
use transom_wire::definitions::TransactionEntry;

/// How long a screen may take, on a machine that does much else.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

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

/// A session of this machine.
fn logon(netname: Option<&str>, device: Device) -> Logon {
    Logon {
        netname: netname.map(str::to_owned),
        device,
        peer: "127.0.0.1:5000".into(),
        client: Some(TcpClient {
            client: ([127, 0, 0, 1], 5000).into(),
            server: ([127, 0, 0, 1], 23).into(),
        }),
        tls: false,
        certificate: None,
        partner: None,
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
        Self::printer(programs, netname, device).after_first_screen()
    }

    /// One that shows a certificate.
    pub(crate) fn certified(
        programs: &'a Programs,
        netname: Option<&str>,
        certificate: ClientCertificate,
    ) -> Self {
        let session = Self::try_certified(programs, netname, certificate);
        session
            .unwrap_or_else(|text| panic!("{text}"))
            .after_first_screen()
    }

    /// The same, which may be refused.
    pub(crate) fn try_certified(
        programs: &'a Programs,
        netname: Option<&str>,
        certificate: ClientCertificate,
    ) -> Result<Self, String> {
        let mut logon = logon(netname, Device::model_2());
        logon.certificate = Some(certificate);
        Self::try_logon(programs, logon)
    }

    /// Why one is refused.
    pub(crate) fn refused(programs: &'a Programs, certificate: ClientCertificate) -> String {
        let session = Self::try_certified(programs, None, certificate);
        session.err().unwrap_or_default()
    }

    /// Ends its session.
    pub(crate) fn leaves(self) {
        let _runtime = self.programs.enter();
        self.programs.region.logoff(self.terminal);
    }

    fn after_first_screen(mut self) -> Self {
        let user = &mut self;
        // A screen that nothing was sent to is not locked either.
        let begin = Instant::now();
        while user.records == 0 {
            assert!(begin.elapsed() < PATIENCE, "no first screen");
            user.look();
            std::thread::sleep(Duration::from_millis(2));
        }
        user.wait("the first screen", |screen| !screen.is_locked());
        self
    }

    /// A device that gets no first screen.
    pub(crate) fn printer(programs: &'a Programs, netname: Option<&str>, device: Device) -> Self {
        let session = Self::try_logon(programs, logon(netname, device));
        session.unwrap_or_else(|text| panic!("{text}"))
    }

    fn try_logon(programs: &'a Programs, logon: Logon) -> Result<Self, String> {
        let size =
            |(rows, columns): (u16, u16)| ScreenSize::new(rows as u8, columns as u8).unwrap();
        let screen = Screen::new(ScreenOptions {
            default: size(logon.device.default_size),
            alternate: size(logon.device.alternate_size),
            ..ScreenOptions::default()
        });
        let received = Arc::new(Received::default());
        let _runtime = programs.enter();
        let session = programs.region.logon(logon, received.clone());
        let session = session.map_err(|refused| refused.text)?;
        Ok(Self {
            programs,
            received,
            screen,
            terminal: session.terminal,
            records: 0,
        })
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
    cobol!("MENUPGM" in "006-terminals")
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
    user.shows("Welcome to Transom");
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
