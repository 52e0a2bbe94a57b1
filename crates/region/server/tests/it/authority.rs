//! Workers that ask for what their user may not do: a program has overwritten what the worker
//! decides by, or makes requests itself. Programs of these tests check nothing before they ask.

use crate::region::{TestRegion, transaction};
use transom_region_server::RegionConfig;
use transom_security::{SecurityMode, UserConfig};
use transom_types::{FileName, Resp};
use transom_wire::definitions::FileEntry;
use transom_wire::system::SystemChange;

/// Checks are made, and the default user may change the file OWN and read PAY.
fn secured(config: &mut RegionConfig) {
    let mut users = UserConfig {
        security: SecurityMode::Yes,
        ..UserConfig::default()
    };
    for (name, who) in [
        ("FILE OWN", "ALL UPDATE"),
        ("FILE PAY", "ALL READ"),
        ("TDQUEUE CSMT", "ALL UPDATE"),
        ("TRANSACTION SECR", "ALL NONE"),
        ("PROGRAM *", "ALL READ"),
    ] {
        users.rules.set(name, who).unwrap();
    }
    config.users = users;
    for name in ["OWN", "PAY", "TAX"] {
        let file = FileEntry::new(FileName::from_field(name.as_bytes()), "TEST.DATA");
        config.data.files.push(file.with_all_operations());
    }
    let mut both = transaction("BOTH", "WORK");
    (both.cmdsec, both.ressec) = (true, true);
    config.transactions.push(both);
    config.transactions.push(transaction("NONE", "WORK"));
    config.transactions.push(transaction("SECR", "WORK"));
}

/// A region whose program WORK answers what becomes of each of its requests.
async fn region(setup: impl FnOnce(&mut RegionConfig)) -> TestRegion {
    let region = TestRegion::start(setup);
    region.program("WORK", |task| async move {
        let change = SystemChange {
            runaway_ms: Some(0),
            ..SystemChange::default()
        };
        let answers = [
            task.write("OWN", b"0001 its own").await?,
            task.open("PAY").await?,
            task.write("PAY", b"0002 a salary").await?,
            task.read("TAX", b"0001").await?,
            task.write_td(b"CSMT", b"a line").await?,
            task.write_td(b"CSSL", b"a line").await?,
            task.start("SECR", 0, b"WILD    ", b"data").await?,
            task.set_system(change).await?,
        ];
        let refused = answers.map(|resp| u8::from(resp == Resp::NOTAUTH) + b'0');
        task.done(&refused).await
    });
    region
}

async fn answers(region: &TestRegion, transid: &str) -> String {
    let output = region.link(transid, "WORK", b"........").await.unwrap();
    match output.map(|output| output.payload) {
        Ok(transom_types::Payload::Commarea(bytes)) => String::from_utf8(bytes).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_worker_that_checks_nothing_gets_notauth_from_the_region() {
    let region = region(secured).await;
    assert_eq!(answers(&region, "BOTH").await, "00110111");
    let told = region.told("TXMXS0035W");
    assert_eq!(told.len(), 5, "{told:?}");
    assert!(told[0].contains("(BOTH, CICSUSER) is refused Update of FILE PAY"));
    assert!(told[4].contains("Update of COMMAND SYSTEM"), "{told:?}");
    assert!(!region.attached().contains(&"SECR".to_owned()));
    // The next task of the region is checked anew.
    assert_eq!(answers(&region, "BOTH").await, "00110111");
}

#[tokio::test]
async fn a_transaction_without_cmdsec_and_ressec_is_not_checked() {
    let region = region(secured).await;
    assert_eq!(answers(&region, "NONE").await, "00000000");
    assert!(region.told("TXMXS0035W").is_empty());
}

#[tokio::test]
async fn always_is_whatever_shared_memory_says_of_the_transaction() {
    let region = region(|config| {
        secured(config);
        config.users.commands_always = true;
        config.users.resources_always = true;
    })
    .await;
    assert_eq!(answers(&region, "NONE").await, "00110111");
}
