//! RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD from COBOL.

use crate::harness::Programs;
use crate::interval::{first_seen, program, transaction};
use transom_region_api::{Control as _, Payload, Programs as _, SetRequest};
use transom_region_server::SecurityMode;

const STORAGE: &str = "01  T1 PIC X(16).\n01  T2 PIC X(16).\n01  T PIC X(16).\n01  CHN PIC X(16).\n01  ST PIC S9(8) COMP.\n01  AB PIC X(4).\n01  D PIC X(20).\n01  L PIC S9(8) COMP.\n01  N PIC S9(4) COMP VALUE 0.\n01  I PIC S9(4) COMP.";

#[test]
fn two_children_answer_with_channels() {
    let parent = program(
        "PARENT",
        STORAGE,
        "MOVE 'ONE' TO D.\nEXEC CICS PUT CONTAINER('IN') CHANNEL('C') FROM(D)\n FLENGTH(3) END-EXEC.\nEXEC CICS RUN TRANSID('KID1') CHANNEL('C') CHILD(T1)\n RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'RUN' TO CA-TEXT GOBACK.\nMOVE 'TWO' TO D.\nEXEC CICS PUT CONTAINER('IN') CHANNEL('C') FROM(D)\n FLENGTH(3) END-EXEC.\nEXEC CICS RUN TRANSID('KID1') CHANNEL('C') CHILD(T2)\n RESP(RC) END-EXEC.\nPERFORM VARYING I FROM 1 BY 1 UNTIL I > 2\n EXEC CICS FETCH ANY(T) CHANNEL(CHN) COMPSTATUS(ST)\n  ABCODE(AB) RESP(RC) END-EXEC\n MOVE 20 TO L\n EXEC CICS GET CONTAINER('OUT') CHANNEL(CHN) INTO(D)\n  FLENGTH(L) RESP(RC2) END-EXEC\n IF RC = 0 AND RC2 = 0 AND ST = DFHVALUE(NORMAL)\n  IF T = T1 AND D (1:6) = 'GOTONE' ADD 1 TO N END-IF\n  IF T = T2 AND D (1:6) = 'GOTTWO' ADD 10 TO N END-IF\n END-IF\nEND-PERFORM.\nEXEC CICS FETCH ANY(T) COMPSTATUS(ST) RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC = DFHRESP(NOTFND) AND RC2 = 1 ADD 100 TO N.\nEXEC CICS FETCH CHILD(T1) COMPSTATUS(ST) RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC = DFHRESP(INVREQ) AND RC2 = 51 ADD 1000 TO N.\nMOVE N TO SHOW.\nMOVE SHOW TO CA-TEXT.",
    );
    let child = program(
        "KID",
        STORAGE,
        "MOVE 20 TO L.\nMOVE 'GOT' TO D.\nEXEC CICS GET CONTAINER('IN') INTO(D (4:17)) FLENGTH(L)\n END-EXEC.\nEXEC CICS PUT CONTAINER('OUT') FROM(D) FLENGTH(6) END-EXEC.",
    );
    let programs = Programs::with(&[&parent, &child], |config| {
        config.transactions.push(transaction("KID1", "KID"));
    });
    let text = programs.text("PARENT", &" ".repeat(60));
    assert_eq!(text.trim(), "1111", "{}", programs.log.lock().unwrap());
}

#[test]
fn abends_timeouts_and_freed_children() {
    let parent = program(
        "PARENT",
        STORAGE,
        "EXEC CICS RUN TRANSID('NONE') CHILD(T1) RESP(RC) END-EXEC.\nIF RC NOT = DFHRESP(TRANSIDERR) MOVE 'NONE' TO CA-TEXT.\nEXEC CICS FETCH ANY(T) COMPSTATUS(ST) RESP(RC) RESP2(RC2)\n END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) AND RC NOT = DFHRESP(NOTFND)\n MOVE 'NO CHILD' TO CA-TEXT.\nEXEC CICS RUN TRANSID('BAD1') CHILD(T1) RESP(RC) END-EXEC.\nEXEC CICS FETCH CHILD(T1) COMPSTATUS(ST) ABCODE(AB)\n CHANNEL(CHN) RESP(RC) END-EXEC.\nIF RC NOT = 0 OR ST NOT = DFHVALUE(ABEND) OR AB NOT = 'KAPT'\n OR CHN NOT = SPACES MOVE 'ABEND' TO CA-TEXT.\nEXEC CICS RUN TRANSID('SLOW') CHILD(T2) RESP(RC) END-EXEC.\nEXEC CICS FETCH CHILD(T2) COMPSTATUS(ST) NOSUSPEND\n RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(NOTFINISHED) OR RC2 NOT = 52\n MOVE 'NOSUSPEND' TO CA-TEXT.\nEXEC CICS FETCH CHILD(T2) COMPSTATUS(ST) TIMEOUT(50)\n RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(NOTFINISHED) OR RC2 NOT = 53\n MOVE 'TIMEOUT' TO CA-TEXT.\nEXEC CICS FREE CHILD(T2) RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'FREE' TO CA-TEXT.\nEXEC CICS FETCH CHILD(T2) COMPSTATUS(ST)\n RESP(RC) RESP2(RC2) END-EXEC.\nIF RC NOT = DFHRESP(INVREQ) OR RC2 NOT = 50\n MOVE 'FREED' TO CA-TEXT.\nIF CA-TEXT = SPACES MOVE 'OK' TO CA-TEXT.",
    );
    let bad = program("BAD", "", "EXEC CICS ABEND ABCODE('KAPT') END-EXEC.");
    let slow = program("SLOW", "", "EXEC CICS DELAY FOR MILLISECS(500) END-EXEC.");
    let programs = Programs::with(&[&parent, &bad, &slow], |config| {
        config.transactions.push(transaction("BAD1", "BAD"));
        config.transactions.push(transaction("SLOW", "SLOW"));
    });
    programs.must_say("PARENT", "OK");
}

#[test]
fn children_that_are_killed_or_left_alone() {
    let parent = program(
        "PARENT",
        STORAGE,
        "EVALUATE CA-TEXT (1:1)\n WHEN 'K'\n  EXEC CICS RUN TRANSID('SLOW') CHILD(T1) RESP(RC) END-EXEC\n  EXEC CICS FETCH CHILD(T1) COMPSTATUS(ST) ABCODE(AB)\n   RESP(RC) END-EXEC\n  IF RC = 0 AND ST = DFHVALUE(ABEND) MOVE AB TO CA-TEXT\n  ELSE MOVE 'NO ABEND' TO CA-TEXT END-IF\n WHEN 'L'\n  EXEC CICS RUN TRANSID('LEFT') CHILD(T1) RESP(RC) END-EXEC\n  MOVE RC TO SHOW\n  MOVE SHOW TO CA-TEXT\nEND-EVALUATE.",
    );
    let slow = program("SLOW", "", "EXEC CICS DELAY FOR SECONDS(20) END-EXEC.");
    let left = program(
        "LEFT",
        "01  D PIC X(4) VALUE 'DONE'.",
        "EXEC CICS DELAY FOR MILLISECS(300) END-EXEC.\nEXEC CICS WRITEQ TS QUEUE('SEEN') FROM(D) LENGTH(4) END-EXEC.",
    );
    let seen = program(
        "SEENPGM",
        "01  D PIC X(4).\n01  L PIC S9(4) COMP VALUE 4.",
        "MOVE SPACES TO CA-TEXT.\nEXEC CICS READQ TS QUEUE('SEEN') INTO(D) LENGTH(L) ITEM(1)\n RESP(RC) END-EXEC.\nIF RC = 0 MOVE D TO CA-TEXT.",
    );
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
    let parent = program(
        "PARENT",
        STORAGE,
        "EXEC CICS RUN TRANSID('BARR') CHILD(T1) RESP(RC) END-EXEC.\nIF RC NOT = 0 MOVE 'RUN' TO CA-TEXT.\nEXEC CICS FETCH ANY(T) COMPSTATUS(ST) ABCODE(AB) RESP(RC)\n END-EXEC.\nIF RC = 0 AND ST = DFHVALUE(SECERROR) AND T = T1\n AND CA-TEXT = SPACES MOVE AB TO CA-TEXT.",
    );
    let programs = Programs::with(&[&parent], |config| {
        config.transactions.push(transaction("BARR", "PARENT"));
        config.users.security = SecurityMode::Yes;
        let barred = config.users.rules.set("TRANSACTION BARR", "BOSSES READ");
        assert_eq!(barred, Ok(()));
    });
    programs.must_say("PARENT", "AASA");
}
