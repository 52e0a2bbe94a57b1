//! Printers at their own pace: reports that are longer than a door keeps, printers that are busy.

use crate::harness::Programs;
use crate::terminals::{User, transactions};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_region_api::{
    ConfirmedOutput, Delivery, Device, Done, Logon, Outcome, TerminalOutput, Terminals as _,
};

/// As a door keeps it for a client that does not read.
const KEPT_BYTES_MAX: usize = 256 << 10;

/// A printer that prints when the test says so.
#[derive(Default)]
struct Slow {
    kept: Mutex<Vec<(Delivery, Option<Done>)>>,
    gone: Mutex<bool>,
}

impl Slow {
    fn keep(&self, delivery: Delivery, done: Option<Done>) -> bool {
        let mut kept = self.kept.lock().unwrap();
        let bytes: usize = kept.iter().map(|(kept, _)| kept.stream.len()).sum();
        let room = bytes + delivery.stream.len() <= KEPT_BYTES_MAX;
        if room {
            kept.push((delivery, done));
        }
        room
    }

    /// Prints what has arrived: pages, and how many of them end a job.
    fn prints(&self) -> (usize, usize) {
        let kept = std::mem::take(&mut *self.kept.lock().unwrap());
        let pages = kept.iter().filter(|(page, _)| !page.stream.is_empty());
        let ends = kept.iter().filter(|(page, _)| page.end_of_job);
        let printed = (pages.count(), ends.count());
        for done in kept.into_iter().filter_map(|(_, done)| done) {
            done(Outcome::Taken);
        }
        printed
    }
}

impl TerminalOutput for Slow {
    fn write(&self, stream: Vec<u8>) -> bool {
        let delivery = Delivery {
            stream,
            ..Delivery::default()
        };
        self.keep(delivery, None)
    }
    fn disconnect(&self) {
        *self.gone.lock().unwrap() = true;
    }
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        Some(self)
    }
}

impl ConfirmedOutput for Slow {
    fn deliver(&self, delivery: Delivery, done: Done) -> bool {
        self.keep(delivery, Some(done))
    }
}

fn printer(programs: &Programs, netname: &str, partner: Option<&str>) -> Arc<Slow> {
    let slow = Arc::new(Slow::default());
    let mut device = Device::model_2();
    device.printer = true;
    let logon = Logon {
        netname: Some(netname.into()),
        device,
        peer: "127.0.0.1:5000".into(),
        client: None,
        tls: false,
        certificate: None,
        partner: partner.map(str::to_owned),
    };
    let _runtime = programs.enter();
    programs.region.logon(logon, slow.clone()).unwrap();
    slow
}

#[test]
fn a_routed_report_of_any_length_is_printed() {
    let source = cobol!("paper/LONGPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("LONG", "LONGPGM")]);
    });
    let paper = printer(&programs, "LUPRTR", None);
    let mut user = User::logon(&programs, None);
    user.types("LONG");
    user.press("ENTER");
    user.shows("ALL IS WELL");
    let (begin, mut printed) = (Instant::now(), (0, 0));
    while printed.1 == 0 {
        let (pages, ends) = paper.prints();
        printed = (printed.0 + pages, printed.1 + ends);
        assert!(!*paper.gone.lock().unwrap(), "given up after {printed:?}");
        assert!(begin.elapsed() < Duration::from_secs(20), "{printed:?}");
    }
    assert_eq!(printed, (300, 1));
}

#[test]
fn a_screen_that_no_printer_can_print_now_is_said() {
    let source = cobol!("paper/HARDPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("HARD", "HARDPGM")]);
    });
    let mut user = User::logon(&programs, Some("LUSER001"));
    // Started for the display; it has not printed the first screen when the second comes.
    let paper = printer(&programs, "LUPRTR", Some("LUSER001"));
    user.types("HARD");
    user.press("ENTER");
    user.shows("ALL IS WELL");
    assert_eq!(paper.prints(), (1, 1));
}

#[test]
fn a_key_pressed_while_the_screen_is_printed_is_not_lost() {
    let source = cobol!("paper/KEYSPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("KEYS", "KEYSPGM")]);
    });
    let mut user = User::logon(&programs, Some("LUSER001"));
    let paper = printer(&programs, "LUPRTR", Some("LUSER001"));
    user.types("KEYS");
    user.press("ENTER");
    user.wait("an open screen", |screen| {
        !screen.is_locked()
            && screen
                .text(&transom_copybook::codepage::CP037.to_char)
                .trim()
                .is_empty()
    });
    std::thread::sleep(Duration::from_millis(1_500));
    // The question for the screen is on its way when the key is pressed.
    user.types("YES");
    user.press("ENTER");
    user.shows("ALL IS WELL");
    let kept = paper.kept.lock().unwrap();
    let text: Vec<String> = kept
        .iter()
        .map(|(page, _)| transom_copybook::codepage::CP037.decode(&page.stream))
        .collect();
    assert!(text.len() == 1 && text[0].contains("YES"), "{text:?}");
}

#[test]
fn a_message_for_everybody_reaches_everybody() {
    let source = cobol!("paper/NEWSPGM");
    let programs = Programs::with(&[&source], |config| {
        transactions(config, &[("NEWS", "NEWSPGM")]);
    });
    let all: Vec<_> = (0..1_200)
        .map(|n| printer(&programs, &format!("LUP{n:05}"), None))
        .collect();
    let mut user = User::logon(&programs, None);
    user.types("NEWS");
    user.press("ENTER");
    user.shows("NEWS");
    let begin = Instant::now();
    let mut told = 0;
    while told < all.len() {
        told += all.iter().map(|paper| paper.prints().0).sum::<usize>();
        assert!(begin.elapsed() < Duration::from_secs(20), "{told}");
    }
}
