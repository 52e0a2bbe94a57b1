//! PLTPI and PLTSD: which programs run when, and what a region takes meanwhile.

use crate::region::{TestRegion, transaction};
use crate::terminal::{Screen, at_screen, enter};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use transom_csd::ProgramList;
use transom_region_api::Terminals as _;
use transom_region_server::RegionConfig;
use transom_types::{AbendCode, ProgramName};

/// MENU and CEMT in code page 037.
const MENU: &[u8] = &[0xD4, 0xC5, 0xD5, 0xE4];
const CEMT: &[u8] = &[0xC3, 0xC5, 0xD4, 0xE3];

fn list(before: &[&str], after: &[&str]) -> Option<ProgramList> {
    let names = |names: &[&str]| {
        let names = names.iter();
        names
            .map(|n| ProgramName::from_field(n.as_bytes()))
            .collect()
    };
    Some(ProgramList {
        before: names(before),
        after: names(after),
    })
}

/// A region whose programs ONE, TWO and THREE write their names.
fn region(setup: impl FnOnce(&mut RegionConfig)) -> (TestRegion, Arc<Mutex<Vec<&'static str>>>) {
    let region = TestRegion::start(setup);
    let ran = Arc::new(Mutex::new(Vec::new()));
    for name in ["ONE", "TWO", "THREE"] {
        let ran = ran.clone();
        region.program(name, move |task| {
            ran.lock().unwrap().push(name);
            async move { task.done(b"").await }
        });
    }
    (region, ran)
}

#[tokio::test]
async fn programs_of_a_start_run_in_order_and_the_others_go_on_after_an_abend() {
    let (region, ran) = region(|config| {
        config.program_lists.initialization = list(&["WORK", "ONE"], &["NOWHERE", "TWO"]);
    });
    region.program("WORK", |_| async move {
        Err(AbendCode::from_field(b"PLTX").into())
    });
    region.region.initialize().await;
    assert_eq!(*ran.lock().unwrap(), ["ONE", "TWO"]);
    assert_eq!(region.attached(), ["CPLT", "CPLT", "CPLT"]);
    assert!(region.has_said("TXMSI0082E PLTPI: program WORK ended with abend PLTX"));
    assert!(region.has_said("TXMSI0083E PLTPI: program NOWHERE was not run: TXMPG0001E"));
    assert!(region.has_said("TXMSI0084I PLTPI: programs that ended normally: 2 of 4"));
}

#[tokio::test]
async fn what_programs_of_a_start_start_waits_until_they_have_ended() {
    let (region, ran) = region(|config| {
        config.program_lists.initialization = list(&[], &["WORK", "TWO"]);
    });
    region.program("WORK", |task| async move {
        task.start("ONE", 0, b"DF000001", b"").await?;
        task.done(b"").await
    });
    region.region.initialize().await;
    region.advance(Duration::from_secs(1)).await;
    assert_eq!(*ran.lock().unwrap(), ["TWO", "ONE"]);
}

#[tokio::test]
async fn programs_of_an_end_run_while_terminals_are_there_and_after_the_last_task() {
    let (region, ran) = region(|config| {
        config.program_lists.shutdown = list(&["ONE", "WORK"], &["TWO", "NOWHERE", "THREE"]);
        config.transactions.push(transaction("MENU", "ONE"));
        let mut cemt = transaction("CEMT", "ONE");
        cemt.shutdown_enabled = true;
        config.transactions.push(cemt);
    });
    region.held_program("WORK");
    let screen = Arc::new(Screen::default());
    let terminal = at_screen(&region, &screen);
    let quiesces = region.region.clone();
    let quiesced = tokio::spawn(async move { quiesces.quiesce().await });
    region.settle().await;
    assert_eq!(*ran.lock().unwrap(), ["ONE"]);
    // A terminal starts only what may run while the region ends.
    region.region.input(terminal, enter(MENU));
    region.settle().await;
    assert_eq!(*ran.lock().unwrap(), ["ONE"]);
    region.region.input(terminal, enter(CEMT));
    region
        .until("the transaction of operators", || {
            ran.lock().unwrap().len() == 2
        })
        .await;
    region.open("WORK", 1).await;
    quiesced.await.unwrap();
    let stops = region.region.clone();
    let stopped = tokio::spawn(async move { stops.stop(Duration::from_secs(5)).await });
    while !stopped.is_finished() {
        region.advance(Duration::from_millis(5)).await;
    }
    // The stage ends with the first program that is not there.
    assert_eq!(*ran.lock().unwrap(), ["ONE", "ONE", "TWO"]);
    assert_eq!(region.attached(), ["CPLT", "CPLT", "CEMT", "CPLT"]);
    assert!(region.has_said("TXMSI0084I PLTSD: programs that ended normally: 2 of 2"));
    assert!(region.has_said("TXMSI0084I PLTSD: programs that ended normally: 1 of 3"));
}

#[tokio::test]
async fn an_immediate_end_runs_no_programs() {
    let (region, ran) = region(|config| {
        config.program_lists.shutdown = list(&["ONE"], &["TWO"]);
    });
    region.region.stop(Duration::ZERO).await;
    assert_eq!(*ran.lock().unwrap(), [""; 0]);
}
