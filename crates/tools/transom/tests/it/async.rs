//! RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD from COBOL.

use crate::harness::Programs;
use crate::interval::{first_seen, transaction};
use transom_region_api::{Control as _, Payload, Programs as _, SetRequest};
use transom_region_server::SecurityMode;

#[test]
fn two_children_answer_with_channels() {
    let parent = cobol!("async/PARENT");
    let child = cobol!("async/KID");
    let programs = Programs::with(&[&parent, &child], |config| {
        config.transactions.push(transaction("KID1", "KID"));
    });
    let text = programs.text("PARENT", &" ".repeat(60));
    assert_eq!(text.trim(), "1111", "{}", programs.log.lock().unwrap());
}

#[test]
fn abends_timeouts_and_freed_children() {
    let parent = cobol!("async/PARENT-2");
    let bad = cobol!("async/BAD");
    let slow = cobol!("async/SLOW");
    let programs = Programs::with(&[&parent, &bad, &slow], |config| {
        config.transactions.push(transaction("BAD1", "BAD"));
        config.transactions.push(transaction("SLOW", "SLOW"));
    });
    programs.must_say("PARENT", "OK");
}

#[test]
fn children_that_are_killed_or_left_alone() {
    let parent = cobol!("async/PARENT-3");
    let slow = cobol!("async/SLOW-2");
    let left = cobol!("async/LEFT");
    let seen = cobol!("async/SEENPGM");
    let programs = Programs::with(&[&parent, &slow, &left, &seen], |config| {
        config.transactions.push(transaction("SLOW", "SLOW"));
        config.transactions.push(transaction("LEFT", "LEFT"));
    });
    let runtime = programs.enter();
    let killed = programs.region.link(crate::harness::request(
        "PARENT",
        format!("{:60}", "K").into_bytes(),
    ));
    std::thread::sleep(std::time::Duration::from_millis(400));
    // The child is the second task of the region.
    let purged = programs.region.set(SetRequest::Purge {
        task: 2,
        force: true,
    });
    assert_eq!(purged, Ok(()));
    drop(runtime);
    let reply = programs.runtime.block_on(killed).unwrap();
    let Payload::Commarea(bytes) = reply.payload else {
        panic!("no COMMAREA")
    };
    assert_eq!(String::from_utf8_lossy(&bytes).trim(), "AKC3");
    // A parent that ends does not take its children along.
    assert_eq!(programs.text("PARENT", &format!("{:60}", "L")).trim(), "0");
    let text = first_seen(&programs);
    assert_eq!(text, "DONE");
}

#[test]
fn a_child_its_user_may_not_run_is_fetched_as_such() {
    let parent = cobol!("async/PARENT-4");
    let programs = Programs::with(&[&parent], |config| {
        config.transactions.push(transaction("BARR", "PARENT"));
        config.users.security = SecurityMode::Yes;
        let barred = config.users.rules.set("TRANSACTION BARR", "BOSSES READ");
        assert_eq!(barred, Ok(()));
    });
    programs.must_say("PARENT", "AASA");
}
