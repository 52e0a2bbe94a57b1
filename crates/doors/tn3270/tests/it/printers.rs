//! Printers that answer, refusals by reason, shares of a client, clients that fell silent.

use crate::fake::Door;
use std::io::Read;
use std::net::TcpStream;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;
use transom_datastream::tn3270e::{Outcome as Answer, RejectReason};
use transom_region_api::{Delivery, Outcome, SeatRefused};

const WAIT: Duration = Duration::from_secs(10);

/// A page with its start print.
fn page(text: u8, end_of_job: bool) -> Delivery {
    Delivery {
        stream: vec![0xF5, 0xC8, text],
        scs: false,
        end_of_job,
    }
}

#[test]
fn a_printer_gets_one_page_at_a_time_and_again_when_it_was_not_ready() {
    let door = Door::plain();
    let mut printer = door.printer(Some("PRT00001"));
    printer.wait(|printer| printer.bind.is_some());
    assert!(printer.bind.as_ref().is_some_and(|b| b.printer && !b.scs));
    let first = door.desk.deliver(printer.terminal(), page(0xC1, false));
    let second = door.desk.deliver(printer.terminal(), page(0xC2, true));
    printer.wait(|printer| !printer.asked.is_empty());
    let (number, stream) = printer.asked.remove(0);
    assert_eq!(stream, [0xF5, 0xC8, 0xC1]);
    // Out of paper; then paper again (REQUEST, error condition cleared).
    printer.respond(number, Answer::InterventionRequired);
    assert_eq!(first.try_recv(), Err(TryRecvError::Empty));
    printer.raw(&[0x06, 0, 0, 0, 0, 0xFF, 0xEF]);
    printer.wait(|printer| !printer.asked.is_empty());
    let (number, stream) = printer.asked.remove(0);
    assert_eq!(stream, [0xF5, 0xC8, 0xC1]);
    printer.respond(number, Answer::Done);
    assert_eq!(first.recv_timeout(WAIT), Ok(Outcome::Taken));
    printer.wait(|printer| !printer.asked.is_empty());
    let (number, stream) = printer.asked.remove(0);
    assert_eq!((stream[2], printer.jobs), (0xC2, 0));
    printer.respond(number, Answer::Done);
    assert_eq!(second.recv_timeout(WAIT), Ok(Outcome::Taken));
    printer.wait(|printer| printer.jobs == 1);
    // A page it cannot print, and one it never answers: the session ends.
    let third = door.desk.deliver(printer.terminal(), page(0xC3, true));
    printer.wait(|printer| !printer.asked.is_empty());
    let (number, _) = printer.asked.remove(0);
    printer.respond(number, Answer::OperationCheck);
    assert_eq!(third.recv_timeout(WAIT), Ok(Outcome::Refused));
    let fourth = door.desk.deliver(printer.terminal(), page(0xC4, true));
    drop(printer);
    assert!(fourth.recv_timeout(WAIT).is_err(), "gone");
}

#[test]
fn a_printer_out_of_paper_does_not_keep_its_session() {
    let door = Door::plain();
    let mut printer = door.printer(Some("PRT00001"));
    let job = door.desk.deliver(printer.terminal(), page(0xC1, true));
    printer.wait(|printer| !printer.asked.is_empty());
    let (number, _) = printer.asked.remove(0);
    printer.respond(number, Answer::InterventionRequired);
    door.desk.disconnect(printer.terminal());
    // It is given up whatever else it says: here, that it is alive (NOP).
    let begin = std::time::Instant::now();
    while job.try_recv() == Err(TryRecvError::Empty) {
        assert!(begin.elapsed() < WAIT, "it keeps the session");
        printer.raw(&[0xFF, 0xF1]);
        std::thread::sleep(Duration::from_millis(20));
    }
    door.wait_open(0);
}

#[test]
fn a_rejected_client_is_told_why() {
    let door = Door::plain();
    for (name, why, reason) in [
        ("UNKNOWN", SeatRefused::Unknown, RejectReason::InvName),
        ("TAKEN", SeatRefused::InUse, RejectReason::DeviceInUse),
        ("PAPER", SeatRefused::WrongType, RejectReason::TypeNameError),
        ("ALONE", SeatRefused::NoPartner, RejectReason::InvAssociate),
    ] {
        door.desk.refuse_seat(name, why);
        let client = door.client(Some(name));
        assert_eq!(client.why, Some(reason), "{name}");
    }
    // A name that is none never reaches the region.
    assert_eq!(
        door.client(Some("NO NAME")).why,
        Some(RejectReason::InvName)
    );
}

#[test]
fn names_of_other_doors_are_passed_over() {
    let door = Door::plain();
    for name in ["TN000001", "TN000002"] {
        door.desk.refuse_seat(name, SeatRefused::InUse);
    }
    assert_eq!(door.client(None).lu, "TN000003");
}

#[test]
fn one_client_does_not_take_all_connections() {
    let door = Door::changed(|config| config.settings.max_sessions_per_client = 2);
    let _both = [door.client(None), door.client(None)];
    let mut third = TcpStream::connect(door.address).unwrap();
    let mut said = String::new();
    third.set_read_timeout(Some(WAIT)).unwrap();
    third.read_to_string(&mut said).unwrap();
    assert!(said.contains("TXMZC0011E"), "{said}");
    drop(_both);
    door.wait_open(0);
    door.client(None);
}

#[test]
fn a_client_that_fell_silent_is_found_out() {
    let door = Door::changed(|config| {
        config.settings.keepalive_seconds = Some(Duration::from_millis(200));
        config.settings.answer_seconds = Some(Duration::from_millis(200));
    });
    let mut lively = door.client(None);
    let mute = door.client(None);
    // One answers the timing mark, the other does not read any more.
    let begin = std::time::Instant::now();
    while door.open() > 1 {
        assert!(begin.elapsed() < WAIT, "both stay");
        lively.wait(|_| true);
        lively.raw(&[]);
    }
    lively.raw(&[]);
    assert!(begin.elapsed() > Duration::from_millis(300));
    drop(mute);
    let idle = Door::changed(|config| {
        config.settings.idle_seconds = Some(Duration::from_millis(300));
        config.settings.keepalive_seconds = Some(Duration::from_millis(100));
    });
    let mut client = idle.client(None);
    // Signs of life are no input.
    client.wait_end();
}
