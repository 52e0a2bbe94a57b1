//! One description, and what is read of it.

use super::*;
use crate::blocks::group;
use crate::lexer::lex;
use crate::token::Session;

const TEXT: &str = "\
IDENTIFICATION DIVISION. PROGRAM-ID. P.
DATA DIVISION.
FILE SECTION.
FD F.
01 F-REC PIC X(10).
WORKING-STORAGE SECTION.
    EXEC SQL INCLUDE SQLCA END-EXEC.
77 COUNTER COMP-5 PIC S9(4) VALUE 1.
01 G.
   05 T OCCURS 1 TO 5 TIMES DEPENDING ON COUNTER SYNC.
      10 N PIC N(4)NN USAGE NATIONAL.
      10 FILLER PIC 9(4).9(2).
   05 P USAGE IS POINTER.
      88 P-NULL VALUE NULL.
   05 PIC X.
   05 R REDEFINES P PIC S9(8) COMP.
66 W RENAMES T THRU P.
LINKAGE SECTION.
>>PAGE
01 DFHCOMMAREA.
  >>PAGE
  02 A PIC X(5).
PROCEDURE DIVISION.
05. DISPLAY A.";

fn tokens() -> Vec<Token> {
    let mut session = Session::default();
    let inclusion = session.include("T", TEXT, None);
    lex(TEXT, inclusion, Some(true), &mut session).tokens
}

fn told(data: &Data) -> String {
    let name = |at: usize| data.entries[at].name.clone().unwrap_or("-".to_owned());
    let one = |(at, entry): (usize, &Entry)| {
        let above = entry
            .parent
            .map_or(String::new(), |p| format!(" in {}", name(p)));
        format!("{:02} {}{above}", entry.level, name(at))
    };
    let all = data.entries.iter().enumerate().map(one);
    all.collect::<Vec<_>>().join(", ")
}

#[test]
fn entries_have_their_groups() {
    let tokens = tokens();
    let data = Data::of_file(&tokens);
    assert_eq!(
        told(&data),
        "01 F-REC, 77 COUNTER, 01 G, 05 T in G, 10 N in T, 10 - in T, 05 P in G, 88 P-NULL in P, \
         05 - in G, 05 R in G, 66 W, 01 DFHCOMMAREA, 02 A in DFHCOMMAREA"
    );
    // Items with blocks among them say the same.
    let procedure = tokens.iter().position(|t| t.is("PROCEDURE")).unwrap();
    let before = tokens[..procedure].to_vec();
    let items = group(before, &mut Session::default());
    let places = 0..items.len();
    assert_eq!(told(&Data::read(items.as_slice(), places)), told(&data));
}

#[test]
fn clauses_are_read() {
    let tokens = tokens();
    let data = Data::of_file(&tokens);
    let of = |name: &str| {
        let at = data.named(name, &[]).next().unwrap();
        &data.entries[at].clauses
    };
    assert_eq!(of("T").occurs, 5);
    assert!(of("T").synchronized && !of("T").is_elementary());
    assert_eq!(of("N").picture.as_deref(), Some("N(4)NN"));
    assert_eq!(of("N").national_characters(), Some(6));
    assert_eq!(
        data.entries[5].clauses.picture.as_deref(),
        Some("9(4).9(2)")
    );
    assert_eq!(of("P").usage, Some(Usage::Pointer));
    assert!(of("R").redefines && of("R").is_binary() && !of("R").is_native());
    assert!(of("COUNTER").is_native() && of("COUNTER").value);
    let linkage: Vec<bool> = data.entries.iter().map(|e| e.in_linkage).collect();
    assert_eq!(linkage.iter().filter(|l| **l).count(), 2);
}

#[test]
fn records_and_items_are_what_stands_together() {
    let tokens = tokens();
    let data = Data::of_file(&tokens);
    let records: Vec<Range<usize>> = data.records().collect();
    assert_eq!(records, [0..1, 1..2, 2..11, 11..13]);
    assert_eq!(data.item(3), 3..6);
    assert_eq!(data.item(6), 6..8);
    let groups = ["T".to_owned(), "G".to_owned()];
    assert_eq!(data.named("N", &groups).collect::<Vec<_>>(), [4]);
    assert_eq!(data.named("N", &["P".to_owned()]).count(), 0);
    assert_eq!(data.named("P-NULL", &[]).count(), 0);
    let words = |entry: &Entry| tokens[entry.end - 1].kind;
    assert!(
        data.entries
            .iter()
            .all(|entry| words(entry) == Kind::Period)
    );
}

#[test]
fn what_is_cut_off_is_read_as_far_as_it_goes() {
    let tokens = tokens();
    for cut in 0..tokens.len() {
        let data = Data::of_file(&tokens[..cut]);
        assert!(data.entries.iter().all(|e| e.start < e.end && e.end <= cut));
        assert!(data.records().all(|record| !record.is_empty()));
    }
}
