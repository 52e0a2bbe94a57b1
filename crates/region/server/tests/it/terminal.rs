//! Pseudo-conversations: input, task, RETURN TRANSID, input.

use crate::program::termid;
use crate::region::{TestRegion, transaction};
use std::sync::{Arc, Mutex};
use transom_region_api::{ConfirmedOutput, Device, Logon, TerminalOutput, Terminals};
use transom_types::TermId;

/// A 3270 that keeps what it is sent.
#[derive(Default)]
pub(crate) struct Screen(Mutex<Vec<Vec<u8>>>);

impl TerminalOutput for Screen {
    fn write(&self, stream: Vec<u8>) -> bool {
        self.0.lock().unwrap().push(stream);
        true
    }
    fn disconnect(&self) {}
    fn confirmed(&self) -> Option<&dyn ConfirmedOutput> {
        None
    }
}

impl Screen {
    fn shows(&self, text: &[u8]) -> bool {
        let streams = self.0.lock().unwrap();
        streams
            .iter()
            .any(|stream| stream.windows(text.len()).any(|part| part == text))
    }
}

/// ENTER with text typed on an unformatted screen, in the code page of the device (037).
pub(crate) fn enter(text: &[u8]) -> Vec<u8> {
    const ENTER: u8 = 0x7D;
    let mut record = vec![ENTER, 0x40, 0x40];
    record.extend_from_slice(text);
    record
}

/// The terminal of a session that has begun.
pub(crate) fn at_screen(region: &TestRegion, screen: &Arc<Screen>) -> TermId {
    let logon = Logon {
        netname: Some("LU1".into()),
        device: Device::model_2(),
        peer: "test".into(),
        client: None,
        tls: false,
        certificate: None,
        partner: None,
    };
    let session = region.region.logon(logon, screen.clone());
    session.expect("a session").terminal
}

/// MENU and ITEM in code page 037.
const MENU: &[u8] = &[0xD4, 0xC5, 0xD5, 0xE4];
const ITEM: &[u8] = &[0xC9, 0xE3, 0xC5, 0xD4];

#[tokio::test]
async fn a_conversation_goes_on_with_the_transaction_the_program_named() {
    let region = TestRegion::start(|config| {
        config.transactions.push(transaction("MENU", "ONE"));
        config.transactions.push(transaction("NEXT", "TWO"));
    });
    let seen = Arc::new(Mutex::new(Vec::new()));
    region.program("ONE", |task| async move {
        assert_eq!(task.typed(), enter(MENU));
        task.done_at_terminal(b"\xF5\xC3first", Some("NEXT"), b"so far")
            .await
    });
    let kept = seen.clone();
    region.program("TWO", move |task| {
        let kept = kept.clone();
        async move {
            kept.lock().unwrap().push((task.commarea(), task.typed()));
            task.done_at_terminal(b"\xF5\xC3second", None, b"").await
        }
    });
    let screen = Arc::new(Screen::default());
    let terminal = at_screen(&region, &screen);
    assert_ne!(terminal, termid(""));

    region.region.input(terminal, enter(MENU));
    region
        .until("the first screen", || screen.shows(b"first"))
        .await;
    // Whatever is typed now: RETURN TRANSID has named the transaction.
    region.region.input(terminal, enter(ITEM));
    region
        .until("the second screen", || screen.shows(b"second"))
        .await;
    assert_eq!(region.attached(), ["MENU", "NEXT"]);
    assert_eq!(*seen.lock().unwrap(), [(b"so far".to_vec(), enter(ITEM))]);
    // The conversation is over: what is typed names the transaction again, and there is none.
    region.region.input(terminal, enter(ITEM));
    region.settle().await;
    assert_eq!(region.attached(), ["MENU", "NEXT"]);
}
