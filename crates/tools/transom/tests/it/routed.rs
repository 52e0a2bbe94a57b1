//! s3270 as judge of transactions that another region runs.
//!
//! The regions are those of scenario 082: maps, fields, keys and a conversation come through two
//! regions as they come through one.

use crate::harness::{copy_of, root};
use crate::s3270::{S3270, available};
use crate::system::System;

#[test]
fn s3270_sees_what_another_region_sends() {
    if !available() {
        return;
    }
    let scenario = root().join("scenarios/082-transaction-routing");
    let ((meeting, tor), (_own, aor)) = (
        copy_of(&scenario.join("TOR")),
        copy_of(&scenario.join("AOR")),
    );
    let tor = System::start_in(&tor, meeting.path());
    let aor = System::start_in(&aor, meeting.path());
    tor.says("TXMIS0030I");
    aor.says("TXMIS0030I");
    let mut user = S3270::connect("3279-2-E", &format!("LUTOR001@localhost:{}", tor.tn3270));
    let mut shows = |actions: &[&str], text: &str| {
        for action in actions {
            user.act(action);
        }
        let screen = user.screen().join("\n");
        assert!(screen.contains(text), "{text}\n{screen}\n{}", aor.log());
        user.status.clone()
    };
    let status = shows(&["Clear()", "String(SCRN)", "Enter()"], "ROUTED SCREEN");
    // Formatted, and the cursor in the field of the map.
    assert!(status.starts_with("U F"), "{status}");
    let words: Vec<&str> = status.split_whitespace().collect();
    assert_eq!(words[8..10], ["3", "13"], "{status}");
    shows(&["String(first)", "Enter()"], "SAW first");
    shows(
        &["EraseEOF()", "String(second)", "PF(4)"],
        "AFTER 0002 IN TERMOWN second",
    );
    shows(
        &["Clear()", r#"String("ROUT TALK")"#, "Enter()"],
        "FIRST QUESTION",
    );
    shows(&["String(one)", "Enter()"], "SECOND AFTER one");
    shows(&["String(two)", "Enter()"], "LAST AFTER two");
}
