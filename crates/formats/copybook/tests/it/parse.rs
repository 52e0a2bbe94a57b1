//! Copybooks as users write them -> items and problems.

use transom_copybook::layout::{Figurative, Literal};
use transom_copybook::parse::{Copybook, Item};
use transom_copybook::{Layout, ParseOptions, Profile, SourceFormat, parse};

pub(crate) fn clean(text: &str) -> Copybook {
    let (copybook, problems) = parse(text, &ParseOptions::default());
    assert!(problems.is_empty(), "{problems:#?}");
    copybook
}

fn item<'a>(copybook: &'a Copybook, name: &str) -> &'a Item {
    copybook
        .items
        .iter()
        .find(|i| i.name == name)
        .unwrap_or_else(|| panic!("no {name}"))
}

fn complaints(text: &str) -> Vec<String> {
    parse(text, &ParseOptions::default())
        .1
        .iter()
        .map(|p| p.place_first().to_string())
        .collect()
}

#[test]
fn sequence_numbers_and_columns_73_to_80_are_not_text() {
    let copybook = clean(include_str!("../data/customer.cpy"));
    assert_eq!(copybook.format, SourceFormat::Fixed);
    assert_eq!(copybook.items.len(), 17);
    let id = item(&copybook, "CUST-ID");
    assert_eq!((id.line, id.column), (5, 12));
    let text = item(&copybook, "ORD-TEXT");
    assert_eq!(
        text.value,
        Some(Literal::Text("A TEXT THAT GOES ON".to_owned()))
    );
    let order = item(&copybook, "CUST-ORDER")
        .occurs
        .as_ref()
        .expect("a table");
    assert_eq!((order.min, order.max), (0, 10));
    assert_eq!(
        order.depends_on.as_deref(),
        Some(&["CUST-ORDERS".to_owned()][..])
    );
    assert_eq!(order.keys, [(true, "ORD-NO".to_owned())]);
    assert_eq!(order.indexed_by, ["ORD-X"]);
    let gone = &item(&copybook, "CUST-STATUS").conditions[1];
    assert_eq!(gone.name, "CUST-GONE");
    assert_eq!(gone.values[1].1, Some(Literal::Text("F".to_owned())));
    assert_eq!(
        copybook.renames[0].through.as_deref(),
        Some(&["CUST-DAY".to_owned()][..])
    );
}

#[test]
fn a_column_1_copybook_is_recognised() {
    let copybook = clean(include_str!("../data/free.cpy"));
    assert_eq!(copybook.format, SourceFormat::Free);
    assert_eq!(
        item(&copybook, "LINE-ITEM").value,
        Some(Literal::Text("it's".to_owned()))
    );
    let fixed = parse(
        include_str!("../data/free.cpy"),
        &ParseOptions {
            format: SourceFormat::Fixed,
            ..ParseOptions::default()
        },
    );
    assert!(fixed.1.iter().any(|p| p.id() == "TXMCB0002E"));
}

#[test]
fn text_beyond_column_72_is_read_when_it_must_be() {
    let line = format!(
        "       01  A.\n           05  {:<50} PIC X(10).\n",
        "LONG-NAME"
    );
    let copybook = clean(&line);
    assert_eq!(copybook.format, SourceFormat::Variable);
    assert_eq!(
        item(&copybook, "LONG-NAME")
            .picture
            .as_ref()
            .map(|p| p.size),
        Some(10)
    );
}

#[test]
fn literals_continue_over_lines() {
    let text = "       01  A PIC X(90) VALUE 'one two three four five six seven eight n\n      -    'ine ten'.\n";
    let line_end = 72 - text.lines().next().unwrap_or_default().len();
    let expected = format!(
        "one two three four five six seven eight n{}ine ten",
        " ".repeat(line_end)
    );
    assert_eq!(item(&clean(text), "A").value, Some(Literal::Text(expected)));
    let word = "       01  A-LONG-\n      -    NAME PIC X.\n";
    assert_eq!(item(&clean(word), "A-LONG-NAME").level, 1);
}

#[test]
fn values_of_every_kind() {
    let copybook = parse(
        include_str!("../data/everything.cpy"),
        &ParseOptions::default(),
    )
    .0;
    let value = |name| item(&copybook, name).value.clone();
    assert_eq!(
        value("A-HEX"),
        Some(Literal::Hex(vec![0, 0xFF, 0x10, 0xAB]))
    );
    assert_eq!(
        value("A-ALL"),
        Some(Literal::All(Box::new(Literal::Text("*".to_owned()))))
    );
    assert_eq!(value("A-JOINED"), Some(Literal::Text("ABCD".to_owned())));
    assert_eq!(
        value("A-LOW"),
        Some(Literal::Figurative(Figurative::LowValue))
    );
    assert_eq!(value("A-NUM"), Some(Literal::Number("-12.5".to_owned())));
    assert_eq!(value("ALONE"), Some(Literal::Figurative(Figurative::Zero)));
}

#[test]
fn decimal_point_is_comma() {
    let options = ParseOptions {
        decimal_comma: true,
        ..ParseOptions::default()
    };
    let text = "       01  A PIC Z.ZZ9,99 VALUE '1'.\n       01  B PIC 9V9 VALUE 1,5.\n       88 C VALUES 1,0, 2,5.\n";
    let (copybook, problems) = parse(text, &options);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(
        copybook.items[0]
            .picture
            .as_ref()
            .and_then(|p| p.mask.as_deref()),
        Some("Z,ZZ9.99")
    );
    assert_eq!(
        copybook.items[1].value,
        Some(Literal::Number("1.5".to_owned()))
    );
    assert_eq!(copybook.items[1].conditions[0].values.len(), 2);
}

#[test]
fn what_is_not_a_data_description_is_named_and_skipped() {
    let text = "       WORKING-STORAGE SECTION.\n           EXEC SQL DECLARE T TABLE (A CHAR(3)) END-EXEC.\n           \
                SKIP1\n       01  A.\n           COPY B.\n           05  A1 PIC X.\n       EJECT\n";
    let (copybook, problems) = parse(text, &ParseOptions::default());
    assert_eq!(copybook.items.len(), 2);
    let ids: Vec<&str> = problems.iter().map(|p| p.id()).collect();
    assert_eq!(ids, ["TXMCB0010W", "TXMCB0010W", "TXMCB0007E"]);
    assert_eq!(
        (problems[2].place.line, problems[2].place.column),
        (5, Some(12))
    );
}

#[test]
fn mistakes_have_a_place_and_a_sentence() {
    for (text, expected) in [
        (
            "       01  A PIC X(.\n",
            "1:18: TXMCB0013E PICTURE X( is not valid: the closing parenthesis is missing",
        ),
        (
            "       01  A PIC X\n       01  B PIC X.\n",
            "2:8: TXMCB0009W The period at the end of the entry is missing",
        ),
        (
            "       01  A.\n",
            "1:8: TXMCB0020E A has neither a PICTURE nor subordinate items",
        ),
        (
            "       01  A PIC X.\n           05 B PIC X.\n",
            "1:8: TXMCB0019E A has a PICTURE and subordinate items",
        ),
        (
            "       01  A PIC X COMP-3.\n",
            "1:8: TXMCB0021E A of USAGE COMP-3 cannot have PICTURE X",
        ),
        (
            "       01  A PIC 9 COMP-1.\n",
            "1:8: TXMCB0021E A of USAGE COMP-1 cannot have a PICTURE",
        ),
        (
            "       01  A.\n           05 B REDEFINES C PIC X.\n",
            "2:12: TXMCB0018E REDEFINES C: there is no such item before it on its level",
        ),
        (
            "       01  A PIC X OCCURS 5 TO 2 DEPENDING ON B.\n",
            "1:48: TXMCB0015E OCCURS 5 TO 2 is not possible",
        ),
        (
            "       01  A PIC X OCCURS TIMES.\n",
            "1:27: TXMCB0015E A number of occurrences must follow OCCURS",
        ),
        (
            "       01  A PIC X VALUE.\n",
            "1:25: TXMCB0016E A literal must follow VALUE",
        ),
        (
            "       01  A PIC X VALUE 'abc.\n",
            "1:26: TXMCB0006E The literal is not closed on its line",
        ),
        (
            "       01  A PIC X USAGE COMP-9.\n",
            "1:26: TXMCB0014E COMP-9 is not a USAGE that is supported",
        ),
        (
            "       01  A PIC X COLOUR 5 RED.\n",
            "1:20: TXMCB0011E COLOUR is not a clause of a data description",
        ),
        (
            "       88  A VALUE 1.\n",
            "1:8: TXMCB0017E A level 88 must follow an item",
        ),
        (
            "       50  A PIC X.\n",
            "1:8: TXMCB0008E A level number was expected, not 50",
        ),
        (
            "       01  A PIC S9(20) COMP.\n",
            "1:8: TXMCB0022W A has 20 digits; z/OS allows 18 for this USAGE",
        ),
        ("", "1:1: TXMCB0003E No data description entry was found"),
    ] {
        let found = complaints(text);
        assert!(
            found.iter().any(|c| c == expected),
            "{text}\nwanted {expected}\nfound {found:#?}"
        );
    }
}

#[test]
fn group_clauses_are_handed_down() {
    let text = "       01  A.\n           05  B COMP-3.\n               10  C PIC S9(5).\n               10  D PIC S9(4) COMP.\n\
                \x20          05  E SIGN LEADING SEPARATE.\n               10  F PIC S9(3).\n               10  G PIC 9(3).\n";
    let layout = Layout::new(&clean(text), Profile::Host).expect("laid out");
    let len = |name: &str| layout.find(name).map(|id| layout[id].len);
    assert_eq!(
        [len("C"), len("D"), len("F"), len("G")],
        [Some(3), Some(2), Some(4), Some(3)]
    );
}
