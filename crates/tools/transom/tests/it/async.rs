//! RUN TRANSID and FETCH where an operator or a rule of security has a part in it.

use crate::files::logged;
use crate::harness::Programs;
use crate::interval::transaction;
use transom_region_api::{Control as _, Payload, Programs as _, SetRequest};
use transom_security::SecurityMode;

#[test]
fn a_child_that_is_killed_is_fetched_as_such() {
    let parent = cobol!("async/KILLED");
    let slow = cobol!("async/SLOW");
    let programs = Programs::with(&[&parent, &slow], |config| {
        config.transactions.push(transaction("SLOW", "SLOW"));
    });
    let runtime = programs.enter();
    let killed = programs.region.link(crate::harness::request(
        "PARENT",
        " ".repeat(60).into_bytes(),
    ));
    logged(&programs, "SLOW RUNS");
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
}

#[test]
fn a_child_its_user_may_not_run_is_fetched_as_such() {
    let parent = cobol!("async/BARRED");
    let programs = Programs::with(&[&parent], |config| {
        config.transactions.push(transaction("BARR", "PARENT"));
        config.users.security = SecurityMode::Yes;
        let barred = config.users.rules.set("TRANSACTION BARR", "BOSSES READ");
        assert_eq!(barred, Ok(()));
    });
    programs.must_say("PARENT", "AASA");
}
