//! COPY and REPLACE.

use crate::sources::{body, lines, messages, program, run, run_with};

fn copied(statement: &str, book: &str) -> String {
    let source = program(statement, "    GOBACK.");
    let out = run_with(
        &source,
        &[("BOOK", book), ("LIB/BOOK", "       01 FROM-LIB PIC X.")],
    );
    assert_eq!(messages(&out), Vec::<String>::new());
    let all = lines(&out).join(" ");
    let from = all.find("WORKING-STORAGE SECTION. ").unwrap() + "WORKING-STORAGE SECTION. ".len();
    all[from..all.find(" PROCEDURE").unwrap()].to_owned()
}

#[test]
fn partial_words_by_pseudo_text() {
    let book = "       01  :TAG:-REC.\n           05  X-:TAG:-Y PIC X(:LEN:).\n";
    assert_eq!(
        copied(
            "COPY BOOK REPLACING ==:TAG:== BY ==WS== ==:LEN:== BY ==5==.",
            book
        ),
        "01 WS-REC. 05 X-WS-Y PIC X(5)."
    );
    let book = "       01  FLG-(V)-OK PIC X.\n           88 (V)-ON VALUE 'Y'.\n";
    assert_eq!(
        copied("COPY BOOK REPLACING ==(V)== BY ==ACCT==.", book),
        "01 FLG-ACCT-OK PIC X. 88 ACCT-ON VALUE 'Y'."
    );
    // The last `>` of the tag is not part of a `>=`.
    let book = "       01  <<TAG>>.\n           05  X-A REDEFINES <<TAG>> PIC X.\n";
    assert_eq!(
        copied("COPY BOOK REPLACING ==<<TAG>>== BY ==AREA-A==.", book),
        "01 AREA-A. 05 X-A REDEFINES AREA-A PIC X."
    );
}

#[test]
fn leading_trailing_words_literals_and_nothing() {
    let book = "       01  OLD-A PIC X(3) VALUE 'OLD'.\n       01  B-OLD PIC X OPTIONAL-BIT.\n";
    assert_eq!(
        copied(
            "COPY BOOK REPLACING LEADING ==OLD== BY ==NEW==\n    TRAILING ==OLD== BY ==NEW==, \
             'OLD' BY 'NEW' ==OPTIONAL-BIT== BY ====.",
            book
        ),
        "01 NEW-A PIC X(3) VALUE 'NEW'. 01 B-NEW PIC X ."
    );
}

#[test]
fn words_match_whole_and_in_any_case() {
    let book = "       01  abc PIC X.\n       01  ABC-D PIC X.\n       01 E OCCURS 3 PIC X.\n";
    assert_eq!(
        copied(
            "COPY BOOK REPLACING ABC BY XYZ ==OCCURS 3== BY ==OCCURS   7==.",
            book
        ),
        "01 XYZ PIC X. 01 ABC-D PIC X. 01 E OCCURS 7 PIC X."
    );
}

#[test]
fn pseudo_text_may_end_in_a_period() {
    let book = "       01  A PIC X DEPENDING-ON N.\n";
    assert_eq!(
        copied("COPY BOOK REPLACING ==N.== BY ==N IN R.==.", book),
        "01 A PIC X DEPENDING-ON N IN R."
    );
}

#[test]
fn a_library_may_be_named() {
    assert_eq!(copied("COPY BOOK IN LIB.", ""), "01 FROM-LIB PIC X.");
    assert_eq!(
        copied("COPY 'BOOK' OF 'LIB' SUPPRESS.", ""),
        "01 FROM-LIB PIC X."
    );
}

#[test]
fn nested_copybooks_take_the_outer_replacing() {
    let source = program("COPY ONE REPLACING ==:T:== BY ==Z==.", "    GOBACK.");
    let out = run_with(
        &source,
        &[
            ("ONE", "       01 :T:-1 PIC X.\n       COPY TWO.\n"),
            ("TWO", "       01 :T:-2 PIC X.\n"),
        ],
    );
    assert!(
        lines(&out)
            .join(" ")
            .contains("01 Z-1 PIC X. 01 Z-2 PIC X.")
    );
    assert_eq!(out.dependencies, ["copy/ONE.cpy", "copy/TWO.cpy"]);
}

#[test]
fn a_missing_copybook_names_the_users_line() {
    let source = program("COPY ONE.", "    GOBACK.");
    let out = run_with(
        &source,
        &[("ONE", "      * comment\n           COPY NOWHERE.\n")],
    );
    assert_eq!(
        messages(&out),
        ["copy/ONE.cpy:2:12: TXMTR0002E copybook NOWHERE not found (copied at PROG.cbl:5)"]
    );
}

#[test]
fn a_copybook_that_copies_itself_ends() {
    let source = program("COPY ONE.", "    GOBACK.");
    let out = run_with(
        &source,
        &[("ONE", "       COPY TWO.\n"), ("TWO", "       COPY ONE.\n")],
    );
    assert_eq!(
        messages(&out),
        [
            "copy/TWO.cpy:1:8: TXMTR0005E copybook ONE copies itself (copied at copy/ONE.cpy:1) \
          (copied at PROG.cbl:5)"
        ]
    );
}

#[test]
fn copybooks_that_multiply_are_stopped() {
    let names: Vec<String> = (0..9).map(|n| format!("B{n}")).collect();
    let texts: Vec<String> = (1..=9)
        .map(|n| format!("       COPY B{n}.\n").repeat(20))
        .collect();
    let mut books: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(texts.iter().map(String::as_str))
        .collect();
    books.push(("B9", "       01 FILLER PIC X.\n"));
    let out = run_with(&program("COPY B0.", "    GOBACK."), &books);
    assert!(messages(&out)[0].contains("TXMTR0005E the program grows beyond the limit"));
}

#[test]
fn replace_statements() {
    let source = program(
        "01 A PIC X.\n01 B PIC X.",
        "    REPLACE ==XX== BY ==A== ==:P:== BY ==B==.\n    MOVE XX TO :P:.\n    REPLACE OFF.\n    \
         MOVE XX TO B.",
    );
    assert_eq!(body(&run(&source)), "MOVE A TO B. MOVE XX TO B.");
}

#[test]
fn copy_without_period_or_by_is_reported() {
    let source = program("01 A PIC X.\nCOPY BOOK", "    GOBACK.");
    let out = run_with(&source, &[("BOOK", "       01 B PIC X.\n")]);
    assert_eq!(
        messages(&out),
        ["PROG.cbl:6:8: TXMTR0003W COPY has no closing period"]
    );
    let source = program("COPY BOOK REPLACING A TO B.", "    GOBACK.");
    let out = run_with(&source, &[("BOOK", "       01 B PIC X.\n")]);
    assert!(messages(&out)[0].contains("PROG.cbl:5:28: TXMTR0004E REPLACING: BY is missing"));
}

#[test]
fn items_of_containers_are_laid_out_by_the_containers_names() {
    let data = "01 WS-A. 05 A-1 PIC X(4). 05 A-2 POINTER. 05 A-3 PIC X.\n01 WS-B.\n 05 B-GROUP.\n  10 B-1 PIC 9(3).\n \
                05 B-REST PIC X(9).\n01 TWICE. 05 SAME PIC X. 05 OTHER. 10 SAME PIC XX.";
    let commands = "    EXEC CICS GET CONTAINER('CUST') CHANNEL('C') INTO(WS-A)\n    END-EXEC\n\
                        EXEC CICS PUT CONTAINER('CUST') FROM(B-GROUP) END-EXEC\n    \
                    EXEC CICS GET CONTAINER('SAME') INTO(SAME) END-EXEC\n    \
                    EXEC CICS GET CONTAINER(WS-NAME) INTO(WS-A) END-EXEC\n    \
                    EXEC CICS GET CONTAINER('SET') SET(ADDRESS OF WS-B) END-EXEC.";
    let out = run(&program(data, commands));
    let lengths: Vec<(&str, Vec<usize>)> = out
        .containers
        .iter()
        .map(|(name, layouts)| {
            let extent = |l: &transom_copybook::Layout| l[l.roots[0]].extent();
            (name.as_str(), layouts.iter().map(extent).collect())
        })
        .collect();
    assert_eq!(lengths, [("CUST", vec![9, 3]), ("SET", vec![12])]);
}

/// CREATE INDEX has an option COPY, and COPY is a privilege; a COPY statement is none of them.
#[test]
fn copy_is_a_word_of_sql() {
    let source = program(
        "01 A PIC X.",
        "    EXEC SQL CREATE INDEX I ON T (C)\n        COPY YES END-EXEC\n    GOBACK.",
    );
    assert_eq!(messages(&run(&source)), Vec::<String>::new());
    // The END-EXEC is missing.
    let source = program(
        "01 A PIC X.",
        "    EXEC SQL CLOSE C1\n    COPY NOWHERE.\n    GOBACK.",
    );
    let told = messages(&run(&source)).join("\n");
    assert!(told.contains("TXMTR0002E"), "{told}");
}
