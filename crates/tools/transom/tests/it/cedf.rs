//! CEDF by two terminal emulators: one runs a program, the other stops it, changes a field and goes
//! on.

use crate::harness::{copy_of, root};
use crate::import::{Imported, checkout};
use crate::s3270::{S3270, available};
use crate::terminal_samples::Region;

#[test]
fn a_program_is_stopped_at_a_read_and_a_field_is_changed() {
    if !available() {
        return;
    }
    let (_folder, dir) = copy_of(&root().join("scenarios/094-cedf-two-terminals"));
    let region = Region::start(&dir);
    let host = |lu: &str| format!("{lu}@127.0.0.1:{}", region.port);
    let mut user = S3270::connect("3279-2-E", &host("LUUSER"));
    let mut edf = S3270::connect("3279-4-E", &host("LUEDF"));
    transaction(&mut user, "FILL");
    transaction(&mut edf, "CEDF USER");
    user.press("Clear()");
    // The program's terminal stays locked from here on.
    user.act("Set(aidWait,false)");
    user.act("String(\"SHOP\")");
    user.act("Enter()");
    until(&mut edf, "PROGRAM INITIATION");
    edf.press("Enter()");
    until(&mut edf, "ABOUT TO EXECUTE COMMAND");
    assert_eq!(edf.text(3, 2, 40), "EXEC CICS READ");
    assert_eq!(edf.text(6, 3, 40), "RIDFLD ('AAAA')");
    edf.fill(6, 10, "('BBBB')");
    // Once to show it, once to go on.
    edf.press("Enter()");
    assert_eq!(edf.text(6, 3, 40), "RIDFLD ('BBBB')");
    edf.press("Enter()");
    until(&mut edf, "COMMAND EXECUTION COMPLETE");
    assert_eq!(edf.text(5, 3, 40), "INTO ('BBBB TWO')");
    assert_eq!(edf.text(17, 2, 40), "RESPONSE: NORMAL");
    edf.press("PF(3)");
    until(&mut user, "BBBB TWO  9.95");
}

/// The sign-on of CardDemo reads the user that was typed; here it reads another one.
#[test]
fn the_sign_on_of_carddemo_is_stopped_at_its_read() {
    let Some(checkout) = checkout("TRANSOM_CARDDEMO") else {
        return;
    };
    let system = Imported::of(&checkout, &[]);
    let region = Region::start(&system.dir());
    let host = |lu: &str| format!("{lu}@127.0.0.1:{}", region.port);
    let mut user = S3270::connect("3279-2-E", &host("LUUSER"));
    let mut edf = S3270::connect("3279-2-E", &host("LUEDF"));
    transaction(&mut user, "CC00");
    user.expect("Type your User ID and Password");
    transaction(&mut edf, "CEDF USER");
    edf.expect("TERMINAL USER: EDF MODE ON");
    edf.press("Clear()");
    user.fill(19, 44, "USER0001");
    user.fill(20, 44, "PASSWORD");
    // Its keyboard stays locked from here on.
    user.act("Set(aidWait,false)");
    user.act("Enter()");
    until(&mut edf, "PROGRAM INITIATION");
    edf.expect("COSGN00C");
    edf.press("Enter()");
    until(&mut edf, "EXEC CICS RECEIVE");
    edf.press("Enter()");
    until(&mut edf, "COMMAND EXECUTION COMPLETE");
    edf.press("Enter()");
    until(&mut edf, "EXEC CICS READ");
    edf.expect("ABOUT TO EXECUTE COMMAND");
    let row = row(&mut edf, "RIDFLD ('USER0001')");
    edf.fill(row, 10, "('ADMIN001')");
    // Once to show it, once to go on.
    edf.press("Enter()");
    edf.expect("RIDFLD ('ADMIN001')");
    edf.press("Enter()");
    until(&mut edf, "COMMAND EXECUTION COMPLETE");
    edf.expect("INTO ('ADMIN001MARGARET");
    edf.expect("RESPONSE: NORMAL");
    edf.press("PF(3)");
    until(&mut user, "Admin Menu");
}

/// The row, from 1, that shows a text.
fn row(terminal: &mut S3270, text: &str) -> usize {
    let screen = terminal.screen();
    let at = screen.iter().position(|line| line.contains(text));
    at.unwrap_or_else(|| panic!("no {text} on\n{}", screen.join("\n"))) + 1
}

fn transaction(terminal: &mut S3270, name: &str) {
    terminal.press("Clear()");
    terminal.act(&format!("String(\"{name}\")"));
    terminal.press("Enter()");
}

fn until(terminal: &mut S3270, text: &str) {
    let begin = std::time::Instant::now();
    loop {
        let screen = terminal.screen().join("\n");
        if screen.contains(text) {
            return;
        }
        assert!(begin.elapsed().as_secs() < 60, "no {text} on\n{screen}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
