//! A terminal of a region without doors: keys in, screens out.

use crate::harness::Programs;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use transom_datastream::{Aid, Screen, ScreenOptions, ScreenSize};
use transom_region_api::{ConfirmedOutput, Device, Logon, TerminalOutput, Terminals as _};
use transom_types::{TcpClient, TermId};

fn tables() -> &'static transom_copybook::codepage::CodePage {
    transom_copybook::codepage::CodePage::by_ccsid(37).unwrap()
}

#[derive(Default)]
struct Wire {
    state: Mutex<(Vec<Vec<u8>>, bool)>,
    changed: Condvar,
}

impl TerminalOutput for Wire {
    fn write(&self, stream: Vec<u8>) -> bool {
        self.state.lock().unwrap().0.push(stream);
        self.changed.notify_all();
        true
    }
    fn disconnect(&self) {
        self.state.lock().unwrap().1 = true;
        self.changed.notify_all();
    }
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        None
    }
}

/// A terminal and the hands at it.
pub(crate) struct Desk<'a> {
    programs: &'a Programs,
    wire: Arc<Wire>,
    name: TermId,
    pub(crate) screen: Screen,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(programs: &'a Programs) -> Self {
        Self::with(programs, Device::model_2())
    }

    /// At a device of another kind.
    pub(crate) fn with(programs: &'a Programs, device: Device) -> Self {
        let (rows, columns) = device.alternate_size;
        let options = ScreenOptions {
            alternate: ScreenSize::new(rows as u8, columns as u8).unwrap(),
            ..ScreenOptions::default()
        };
        let wire = Arc::new(Wire::default());
        let logon = Logon {
            netname: None,
            device,
            peer: "192.0.2.1:3270".into(),
            client: Some(TcpClient {
                client: ([192, 0, 2, 1], 3270).into(),
                server: ([127, 0, 0, 1], 23).into(),
            }),
            tls: false,
            certificate: None,
            partner: None,
        };
        let _inside = programs.runtime.enter();
        let session = programs.region.logon(logon, wire.clone()).unwrap();
        let mut desk = Self {
            programs,
            wire,
            name: session.terminal,
            screen: Screen::new(options),
        };
        desk.settle();
        desk
    }

    /// Takes what arrives until the keyboard is unlocked and nothing more comes.
    pub(crate) fn settle(&mut self) {
        let until = Instant::now() + Duration::from_secs(10);
        let mut arrived = false;
        loop {
            let mut state = self.wire.state.lock().unwrap();
            if state.0.is_empty() {
                if (arrived && !self.screen.is_locked()) || state.1 {
                    return;
                }
                assert!(
                    Instant::now() < until,
                    "nothing arrives\n{}\n{}",
                    self.text(),
                    self.programs.log.lock().unwrap()
                );
                let wait = Duration::from_millis(100);
                drop(self.wire.changed.wait_timeout(state, wait).unwrap());
                continue;
            }
            let streams = std::mem::take(&mut state.0);
            drop(state);
            for stream in streams {
                self.screen.apply(&stream).unwrap();
                arrived = true;
            }
        }
    }

    /// Takes what arrives until this is on the screen: what a task sends at its end may come behind
    /// an unlocked keyboard.
    pub(crate) fn shows(&mut self, text: &str) -> String {
        while !self.text().contains(text) {
            self.settle();
        }
        self.text()
    }

    pub(crate) fn text(&self) -> String {
        self.screen.text(&tables().to_char)
    }

    pub(crate) fn type_text(&mut self, text: &str) -> &mut Self {
        let bytes: Vec<u8> = text
            .bytes()
            .map(|b| tables().from_latin1[usize::from(b)])
            .collect();
        self.screen.type_text(&bytes).unwrap();
        self
    }

    pub(crate) fn tab(&mut self) -> &mut Self {
        self.screen.tab().unwrap();
        self
    }

    /// Presses a key and answers the next screen.
    pub(crate) fn press(&mut self, key: &str) -> String {
        let record = self.screen.press(Aid::from_name(key).unwrap()).unwrap();
        let _inside = self.programs.runtime.enter();
        self.programs.region.input(self.name, record);
        self.settle();
        self.text()
    }

    /// The region ends the session.
    pub(crate) fn ended(&self) {
        let state = self.wire.state.lock().unwrap();
        let limit = Duration::from_secs(10);
        let (state, _) = self
            .wire
            .changed
            .wait_timeout_while(state, limit, |s| !s.1)
            .unwrap();
        assert!(state.1, "the session ends");
    }

    /// CLEAR, then a transaction.
    pub(crate) fn run(&mut self, text: &str) -> String {
        self.press("CLEAR");
        self.type_text(text).press("ENTER")
    }

    /// Types another command over the first line.
    pub(crate) fn line(&mut self, text: &str) -> String {
        self.screen.home().unwrap();
        self.screen.erase_eof().unwrap();
        self.type_text(text).press("ENTER")
    }
}
