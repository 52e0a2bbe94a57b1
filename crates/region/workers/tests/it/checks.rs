//! Program checks: each ends its task with its abend code and the region serves on.

use crate::support::Region;
use transom_messages::Source;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("checks::program_checks", program_checks),
    ("checks::what_is_no_check", what_is_no_check),
    ("checks::bad_addresses_in_commands", bad_addresses),
    (
        "checks::a_signal_costs_the_worker",
        a_signal_costs_the_worker,
    ),
    ("checks::runaway", runaway),
    ("checks::display_goes_to_the_log", display_goes_to_the_log),
    ("checks::a_defect_in_a_command", a_defect_in_a_command),
    (
        "checks::programs_that_do_not_load",
        programs_that_do_not_load,
    ),
    ("checks::much_display", much_display),
];

fn program_checks() {
    let region = Region::start(|_| ());
    for (letter, code, part) in [
        ("A", "MYAB", "by command"),
        ("S", "ASRA", "S0C4"),
        ("Z", "ASRA", "S0CB"),
        ("Y", "ASRA", "S0CB"),
        ("B", "ASRA", "out of bounds"),
        ("D", "ASRA", "S0C7"),
        ("E", "ASRA", "S0C7"),
        ("M", "APCN", "NOSUCH"),
        ("K", "ASRA", "stack overflow"),
        ("W", "ASRA", "descriptor was overwritten"),
    ] {
        for _ in 0..2 {
            let (got, text) = region.abend("CHECKER", &format!("{letter} "));
            assert_eq!(got, code, "{letter}: {text}");
            assert!(text.contains(part), "{letter}: {text}");
            if code == "ASRA" {
                assert!(
                    text.contains("in program CHECKER at line"),
                    "{letter}: {text}"
                );
                assert!(text.contains(" (offset X'0000"), "{letter}: {text}");
            }
        }
    }
    assert_eq!(region.normal("CHECKER", "N "), "n ");
}

fn what_is_no_check() {
    let region = Region::start(|_| ());
    assert_eq!(
        region.normal("CHECKER", "T "),
        "T ",
        "STOP RUN ends the level"
    );
    assert_eq!(
        region.normal("CHECKER", "V "),
        "n ",
        "ON SIZE ERROR takes the zero divide"
    );
    assert_eq!(
        region.normal("CHECKER", "O "),
        "n ",
        "ON EXCEPTION takes the missing program"
    );
}

fn bad_addresses() {
    let region = Region::start(|_| ());
    let before = region.pool.statistics().ended;
    // Where a command reads, and where it writes.
    for (letter, wanted) in [("P", "ASRA"), ("Q", "AEYD")] {
        let (code, text) = region.abend("CHECKER", &format!("{letter} "));
        assert_eq!(code, wanted);
        assert!(text.contains("bytes at address"), "{text}");
    }
    assert_eq!(
        region.pool.statistics().ended,
        before,
        "found before harm was done"
    );
    let (code, text) = region.abend("CHECKER", "R ");
    assert_eq!(code, "ASRA", "{text}");
    assert_eq!(
        region.normal("EDGES", "xxxx"),
        "LAST8BYT",
        "storage that ends early, and none where none is used"
    );
}

fn a_signal_costs_the_worker() {
    let region = Region::start(|c| c.max_workers = 2);
    assert_eq!(region.normal("CHECKER", "N "), "n ");
    for _ in 0..20 {
        assert_eq!(region.abend("CHECKER", "S ").0, "ASRA");
        assert_eq!(region.normal("CHECKER", "N "), "n ");
    }
    let statistics = region.pool.statistics();
    assert!(statistics.ended >= 19, "{statistics:?}");
    assert!(statistics.workers <= 2, "{statistics:?}");
    assert_eq!(
        statistics.died, 0,
        "they left after their task: {statistics:?}"
    );
}

fn runaway() {
    let region = Region::start(|c| c.runaway_ms = 150);
    let (code, text) = region.abend("CHECKER", "L ");
    assert_eq!(code, "AICA", "{text}");
    assert!(text.contains("CHECKER at line"), "{text}");
    assert_eq!(region.normal("CHECKER", "N "), "n ");
    let text = region.normal("HANDLER", " L");
    assert!(text.starts_with("[AICA runaway task"), "{text}");
}

fn display_goes_to_the_log() {
    let region = Region::start(|_| ());
    region.normal("CHECKER", "G ");
    let line = region.logged("HELLO FROM");
    assert_eq!(line.to_string(), "HELLO FROM G 0000");
    assert_eq!(line.source, Source::Display);
    assert_eq!(line.task, 1);
}

/// Hundreds of programs that cannot be loaded in advance must not stop the start.
fn programs_that_do_not_load() {
    let region = Region::start(|c| {
        c.preload = (0..500)
            .map(|n| crate::commands::module(&format!("NONE{n:03}")))
            .collect();
    });
    region.logged("TXMWK0013W program NONE000");
    assert_eq!(region.normal("CHECKER", "N "), "n ");
}

/// More lines than any buffer holds, none lost.
fn much_display() {
    let region = Region::start(|_| ());
    for _ in 0..300 {
        region.attach("CHECKER", b"G ");
    }
    assert_eq!(region.normal("CHECKER", "N "), "n ");
    region.pool.stop();
    let lines = region.log.lock().expect("log");
    let hello = lines
        .iter()
        .filter(|l| l.to_string().starts_with("HELLO"))
        .count();
    assert_eq!(hello, 300);
}

fn a_defect_in_a_command() {
    let region = Region::start(|_| ());
    let (code, text) = region.abend("CHECKER", "X ");
    assert_eq!(code, "ASRA");
    assert!(text.contains("a defect in a command"), "{text}");
    region.logged("TXMWK0010S");
    assert_eq!(region.normal("CHECKER", "N "), "n ");
}
