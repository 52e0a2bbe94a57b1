//! Listing, coverage report, and compiler messages in the user's terms.

use crate::sources::{messages, program, run, run_with};
use transom_messages::{Place, Severity};

#[test]
fn the_listing_shows_messages_under_their_lines() {
    let out = run(&program(
        "01 A PIC X(8).",
        "    EXEC CICS LNIK PROGRAM(A) END-EXEC.",
    ));
    let listing = out.listing();
    let lines: Vec<&str> = listing.lines().collect();
    assert_eq!(lines[0], "PROG.cbl");
    assert_eq!(
        lines[7],
        "     7             EXEC CICS LNIK PROGRAM(A) END-EXEC."
    );
    assert_eq!(lines[8], "                   ^");
    assert!(lines[9].starts_with("     ** TXMTR0012E LNIK PROGRAM is not a CICS command"));
    assert!(listing.contains("PROG            2         1  no"));
}

#[test]
fn the_coverage_report_counts_commands() {
    let out = run(&program(
        "01 A PIC X(8).",
        "    EXEC CICS LINK PROGRAM(A) END-EXEC\n    EXEC CICS LINK PROGRAM('X') END-EXEC\n    \
         EXEC CICS RETURN END-EXEC.",
    ));
    let report = out.coverage.report();
    let lines: Vec<&str> = report.lines().collect();
    assert_eq!(lines[0], "3 EXEC CICS commands, 2 kinds");
    assert_eq!(
        lines[1].split_whitespace().take(2).collect::<Vec<_>>(),
        ["2", "LINK"]
    );
    assert_eq!(
        lines[2].split_whitespace().take(2).collect::<Vec<_>>(),
        ["1", "RETURN"]
    );
}

#[test]
fn commands_that_answer_invreq_are_noted_not_refused() {
    let row = transom_commands::all()
        .iter()
        .find(|c| {
            c.status == transom_commands::Status::Invreq
                && c.options.iter().all(|o| !o.required)
                && c.needs_one_of.is_empty()
                && c.words.len() == 1
        })
        .expect("some command is not supported yet");
    let out = run(&program(
        "01 A PIC X.",
        &format!("    EXEC CICS {} END-EXEC.", row.name),
    ));
    assert!(!out.has_errors());
    assert_eq!(out.problems[0].id(), "TXMTR0022I");
    assert!(out.coverage.report().contains("answers INVREQ"));
}

#[test]
fn compiler_messages_name_the_users_file_line_and_column() {
    let source = program("01 A PIC X.", "    COPY ONE.\n    MOVE NOWHERE TO A.");
    let out = run_with(&source, &[("ONE", "           MOVE NOWHERE-2 TO A.\n")]);
    assert_eq!(messages(&out), Vec::<String>::new());
    let generated = out
        .cobol
        .lines()
        .position(|l| l.contains("MOVE NOWHERE TO"))
        .unwrap()
        + 1;
    let stderr = format!(
        "PROG.cbl: in paragraph 'X':\n\
         PROG.cbl:8: error: 'NOWHERE' is not defined\n\
         copy/ONE.cpy:1: warning: 'NOWHERE-2' is odd [-Wothers]\n\
         /tmp/prog.cob:{generated}: error: syntax error, unexpected NOWHERE\n\
         PROG.cbl:9: warning: duplicate USING BY REFERENCE item 'A' [-Wothers]\n\
         /tmp/cob1.c:7:3: error: \u{2018}b_8\u{2019} undeclared\n"
    );
    let found = out.map_compiler_output("/tmp/prog.cob", &stderr);
    let place = |file: &str, line, column, from: &[(&str, u32)]| Place {
        file: file.to_owned(),
        line,
        column,
        copied_from: from.iter().map(|(f, l)| ((*f).to_owned(), *l)).collect(),
    };
    let shown: Vec<_> = found.iter().map(|p| p.place_first().to_string()).collect();
    assert!(shown[1].starts_with("copy/ONE.cpy:1:17: TXMTR0041W "));
    assert!(shown[1].ends_with(" (copied at PROG.cbl:7)"));
    assert!(shown[3].starts_with("/tmp/cob1.c: TXMTR0043E "));
    let got: Vec<_> = found
        .iter()
        .map(|p| (p.id(), p.severity(), p.place.clone()))
        .collect();
    assert_eq!(
        got,
        [
            (
                "TXMTR0040E",
                Severity::Error,
                place("PROG.cbl", 8, Some(17), &[])
            ),
            (
                "TXMTR0041W",
                Severity::Warning,
                place("copy/ONE.cpy", 1, Some(17), &[("PROG.cbl", 7)])
            ),
            (
                "TXMTR0040E",
                Severity::Error,
                place("PROG.cbl", 8, None, &[])
            ),
            (
                "TXMTR0043E",
                Severity::Error,
                place("/tmp/cob1.c", 0, None, &[])
            ),
        ]
    );
}
