//! Language Environment services and zoned items that hold no digits, called by COBOL.

use crate::files::{logged_times, times_logged};
use crate::harness::Programs;

const DAYS: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. DAYS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 IN-DATE.
          05 IN-LENGTH PIC S9(4) BINARY VALUE 10.
          05 IN-TEXT PIC X(10).
       01 PICTURE-OF.
          05 P-LENGTH PIC S9(4) BINARY VALUE 10.
          05 P-TEXT PIC X(10) VALUE 'YYYY-MM-DD'.
       01 LILIAN PIC S9(9) BINARY.
       01 SHOWN PIC 9(7).
       01 FC.
          05 TOKEN PIC X(8).
             88 GOOD VALUE X'0000000000000000'.
             88 BAD-MONTH VALUE X'000309D559C3C5C5'.
          05 FILLER PIC X(4).
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(20).
       PROCEDURE DIVISION.
           IF DFHCOMMAREA(1:5) = 'ABEND'
               MOVE 777 TO LILIAN
               CALL 'CEE3ABD' USING LILIAN BY VALUE 0
           END-IF
           MOVE DFHCOMMAREA(1:10) TO IN-TEXT
           CALL 'CEEDAYS' USING IN-DATE PICTURE-OF LILIAN FC
           EVALUATE TRUE
               WHEN GOOD MOVE LILIAN TO SHOWN
                         MOVE SHOWN TO DFHCOMMAREA
               WHEN BAD-MONTH MOVE 'BAD MONTH' TO DFHCOMMAREA
               WHEN OTHER MOVE 'OTHER' TO DFHCOMMAREA
           END-EVALUATE
           EXEC CICS RETURN END-EXEC.
";

const ZONED: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. ZONED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 TEXT-OF PIC X(5) VALUE SPACES.
       01 NUMBER-OF REDEFINES TEXT-OF PIC 9(5).
       01 SIGNED-OF REDEFINES TEXT-OF PIC S9(3)V99.
       01 EDITED PIC +999.99.
       01 PACKED PIC S9(5) COMP-3.
       01 SHOWN PIC 9(5).
       LINKAGE SECTION.
       01 DFHCOMMAREA PIC X(20).
       PROCEDURE DIVISION.
           IF DFHCOMMAREA(1:3) = 'ADD'
               ADD 1 TO NUMBER-OF
           END-IF
           IF DFHCOMMAREA(1:3) = 'LOW'
               MOVE LOW-VALUES TO TEXT-OF
           END-IF
           MOVE SIGNED-OF TO EDITED
           MOVE NUMBER-OF TO PACKED
           MOVE PACKED TO SHOWN
           STRING EDITED SHOWN DELIMITED BY SIZE INTO DFHCOMMAREA
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn a_program_asks_for_days_and_ends_by_cee3abd() {
    let programs = Programs::new(&[DAYS]);
    let of = |text: &str| programs.text("DAYS", &format!("{text:<20}"));
    assert_eq!(of("1988-05-16"), "0148138");
    assert_eq!(of("1988-13-16"), "BAD MONTH");
    assert_eq!(of("1988-02-30"), "OTHER");
    assert!(of("ABEND").contains("0777"), "{}", of("ABEND"));
}

#[test]
fn date_services_take_times_and_end_a_program_that_asks_badly() {
    let programs = Programs::new(&[&cobol!("numbers/SERVICES")]);
    let of = |text: &str| programs.text("SERVICES", &format!("{text:<20}"));
    assert_eq!(of("ALL"), "ABCDEFGH");
    // A condition that nobody takes ends the program, whether the argument is omitted or missing.
    for (times, text) in [(1, "NOFC"), (2, "FEWA")] {
        let said = of(text);
        assert!(said.contains("4038"), "{said}");
        logged_times(&programs, "CEE2EG (message 2512) of CEEDYWK", times);
    }
    assert!(of("NULL").contains("ASRA"), "{}", of("NULL"));
    logged_times(&programs, "argument 1 of CEEDYWK lies nowhere", 1);
}

#[test]
fn blanks_and_low_values_are_zeros_in_an_unsigned_item() {
    let programs = Programs::new(&[ZONED]);
    let of = |text: &str| programs.text("ZONED", &format!("{text:<20}"));
    assert!(of("MOVE").starts_with("+000.0000000"), "{}", of("MOVE"));
    assert!(of("LOW").starts_with("+000.0000000"), "{}", of("LOW"));
    assert!(of("ADD").starts_with("+000.0100001"), "{}", of("ADD"));
}

#[test]
fn conditions_are_taken_apart_put_together_and_told() {
    let programs = Programs::new(&[&cobol!("numbers/CONDS")]);
    let answer = programs.text("CONDS", &format!("{:<20}", ""));
    assert_eq!(answer, "ABCDEFGHIJ");
    logged_times(&programs, "CEE2511S There is no such day in this month.", 1);
    logged_times(&programs, "SAID BY CONDS", 1);
    assert_eq!(times_logged(&programs, "SAID BY CONDS"), 1);
}

#[test]
fn heaps_the_century_window_and_random_numbers() {
    let programs = Programs::new(&[&cobol!("numbers/HEAP")]);
    for _ in 0..2 {
        // What the first task set and left is gone.
        let answer = programs.text("HEAP", &format!("{:<20}", ""));
        assert_eq!(answer, "ABCDEFGHIJKLMNOPQRST");
    }
}
