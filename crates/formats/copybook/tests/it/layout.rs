//! Places and lengths, by the published examples and by reckoning.

use transom_copybook::layout::report;
use transom_copybook::{FieldKind, Layout, ParseOptions, Profile, SignStyle, parse};

use crate::parse::clean;

fn host(text: &str) -> Layout {
    Layout::new(&clean(text), Profile::Host).unwrap_or_else(|p| panic!("{p:?}"))
}

fn places(layout: &Layout) -> Vec<(&str, usize, usize)> {
    layout
        .fields
        .iter()
        .map(|f| (f.name.as_str(), f.offset, f.len))
        .collect()
}

#[test]
fn slack_bytes_of_the_language_reference() {
    let within = host(
        "01 FIELD-A. 05 FIELD-B PIC X(5). 05 FIELD-C. 10 FIELD-D PIC XX. 10 FIELD-E COMP PIC S9(6) SYNC.",
    );
    assert_eq!(
        places(&within)[2..],
        [("FIELD-C", 5, 7), ("FIELD-D", 5, 2), ("FIELD-E", 8, 4)]
    );
    let before_group = host(
        "01 FIELD-L. 05 FIELD-M PIC X(5). 05 FIELD-N PIC XX. 05 FIELD-O. 10 FIELD-P COMP PIC S9(6) SYNC.",
    );
    assert_eq!(
        places(&before_group)[3..],
        [("FIELD-O", 8, 4), ("FIELD-P", 8, 4)]
    );
    let table = host(
        "01 WORK-RECORD. 05 WORK-CODE PIC X. 05 COMP-TABLE OCCURS 10 TIMES. 10 COMP-TYPE PIC X.\n\
         10 COMP-PAY PIC S9(4)V99 COMP SYNC. 10 COMP-HRS PIC S9(3) COMP SYNC. 10 COMP-NAME PIC X(5).",
    );
    let expected = [
        ("COMP-TABLE", 1, 16),
        ("COMP-TYPE", 1, 1),
        ("COMP-PAY", 4, 4),
        ("COMP-HRS", 8, 2),
        ("COMP-NAME", 10, 5),
    ];
    assert_eq!(places(&table)[2..], expected);
    assert_eq!(table.max_bytes, 161);
    let record = host(
        "01 COMP-RECORD. 05 A-1 PIC X(5). 05 A-2 PIC X(3). 05 A-3 PIC X(3). 05 B-1 PIC S9999 USAGE COMP SYNC.\n\
         05 B-2 PIC S99999 USAGE COMP SYNC. 05 B-3 PIC S9999 USAGE COMP SYNC.",
    );
    assert_eq!(
        places(&record)[4..],
        [("B-1", 12, 2), ("B-2", 16, 4), ("B-3", 20, 2)]
    );
}

#[test]
fn tables_of_variable_length_slide_what_follows() {
    let layout = host(
        "01 R. 05 N PIC 9. 05 M PIC 9. 05 T OCCURS 1 TO 5 DEPENDING ON N. 10 A PIC XX. 10 B PIC X.\n\
         05 G. 10 U PIC X OCCURS 0 TO 4 DEPENDING ON M. 10 V PIC XX. 05 LAST-ONE PIC X(3).",
    );
    assert_eq!(
        (layout.min_bytes, layout.max_bytes),
        (2 + 3 + 2 + 3, 2 + 15 + 4 + 2 + 3)
    );
    let id = |name: &str| layout.find(name).unwrap_or_else(|| panic!("no {name}"));
    assert!(
        layout[id("LAST-ONE")].slides
            && layout[id("V")].slides
            && layout[id("G")].slides
            && !layout[id("A")].slides
    );
    assert_eq!(
        layout[id("T")]
            .occurs
            .as_ref()
            .map(|o| (o.stride, o.depends_on)),
        Some((3, Some(id("N"))))
    );
    let now = layout.resolve(&|table| if table == id("T") { 2 } else { 3 });
    let at = |name: &str| {
        (
            now.offset[id(name).0 as usize],
            now.len[id(name).0 as usize],
        )
    };
    assert_eq!(
        [at("T"), at("G"), at("V"), at("LAST-ONE")],
        [(2, 3), (8, 5), (11, 2), (13, 3)]
    );
    assert_eq!(now.total, 16);
}

#[test]
fn a_table_within_a_table_changes_the_stride() {
    let layout = host(
        "01 R. 05 N PIC 9. 05 O OCCURS 3. 10 K PIC X. 10 I OCCURS 1 TO 4 DEPENDING ON N PIC XX. 05 E PIC X.",
    );
    let id = |name: &str| layout.find(name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!((layout[id("O")].len, layout[id("O")].min_len), (9, 3));
    let now = layout.resolve(&|t| if t == id("I") { 2 } else { 3 });
    assert_eq!(
        (
            now.len[id("O").0 as usize],
            now.offset[id("E").0 as usize],
            now.total
        ),
        (5, 16, 17)
    );
}

#[test]
fn redefinitions_share_storage() {
    let layout = host(
        "01 R. 05 A PIC X(5). 05 B REDEFINES A. 10 B1 PIC X(3). 10 B2 REDEFINES B1 PIC 9(3). 10 B3 PIC XX.\n\
         05 C REDEFINES B PIC X(8). 05 D PIC X.",
    );
    let id = |name: &str| layout.find(name).unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(layout[id("A")].redefined_by, [id("B"), id("C")]);
    assert_eq!(layout[id("C")].redefines, Some(id("A")));
    assert_eq!(layout[id("D")].offset, 8, "storage is that of the longest");
    assert_eq!(
        layout.problems.iter().map(|p| p.id()).collect::<Vec<_>>(),
        ["TXMCB0105W"]
    );
    assert_eq!(layout.path(id("B2")), "R.B.B2");
}

#[test]
fn records_and_items_without_a_record() {
    let two = host("01 A. 05 A1 PIC X(4). 01 B. 05 B1 PIC X(9). 77 C PIC X.");
    assert_eq!((two.roots.len(), two.max_bytes), (3, 9));
    assert_eq!(places(&two)[3], ("B1", 0, 9));
    let none = host("05 A PIC X(4). 05 B REDEFINES A PIC 9(4). 05 C. 10 D PIC X(2). 05 E PIC X.");
    assert_eq!((none.roots.len(), none.max_bytes), (4, 7));
    assert_eq!(places(&none)[4], ("E", 6, 1));
}

#[test]
fn host_and_native_differ_where_the_machines_do() {
    let text = "01 R. 05 X PIC X. 05 P POINTER. 05 B PIC S9(18) COMP SYNC. 05 F COMP-2.";
    assert_eq!(
        places(&host(text))[2..],
        [("P", 1, 4), ("B", 8, 8), ("F", 16, 8)]
    );
    let native = Layout::new(&clean(text), Profile::Native).expect("laid out");
    assert_eq!(
        places(&native)[2..],
        [("P", 1, 4), ("B", 8, 8), ("F", 16, 8)]
    );
    assert!(
        Profile::Host.hex_float()
            && Profile::Host.big_endian(true)
            && !Profile::Native.big_endian(true)
    );
}

#[test]
fn kinds_hold_what_a_converter_needs() {
    let layout = host(
        "01 R. 05 A PIC S9(3)V99 SIGN LEADING SEPARATE. 05 B PIC 9(7) COMP-5. 05 C PIC S9(5)PP COMP-3. 05 D PIC N(4).\n\
         05 E PIC G(4) DISPLAY-1. 05 F PIC Z(3)9.99-. 05 G PIC X(8) JUST. 05 H PIC 9(5) COMP-6. 05 I BINARY-LONG UNSIGNED.",
    );
    let kinds: Vec<FieldKind> = layout.fields[1..].iter().map(|f| f.kind.clone()).collect();
    let expected = [
        FieldKind::Zoned {
            digits: 5,
            scale: 2,
            signed: true,
            sign: SignStyle::LeadingSeparate,
        },
        FieldKind::Binary {
            digits: 7,
            scale: 0,
            signed: false,
            native: true,
            len: 4,
        },
        FieldKind::Packed {
            digits: 5,
            scale: -2,
            signed: true,
            sign_nibble: true,
        },
        FieldKind::National { chars: 4 },
        FieldKind::Dbcs { chars: 4 },
        FieldKind::NumericEdited {
            mask: "ZZZ9.99-".into(),
            digits: 6,
            scale: 2,
            signed: true,
            decimal_comma: false,
        },
        FieldKind::Alphanumeric { justified: true },
        FieldKind::Packed {
            digits: 5,
            scale: 0,
            signed: false,
            sign_nibble: false,
        },
        FieldKind::Binary {
            digits: 10,
            scale: 0,
            signed: false,
            native: true,
            len: 4,
        },
    ];
    assert_eq!(kinds, expected);
    let lens: Vec<usize> = layout.fields[1..].iter().map(|f| f.len).collect();
    assert_eq!(lens, [6, 4, 3, 8, 8, 8, 8, 3, 4]);
}

#[test]
fn the_report_shows_it_all() {
    let (copybook, _) = parse(
        include_str!("../data/everything.cpy"),
        &ParseOptions::default(),
    );
    let layout = Layout::new(&copybook, Profile::Host).expect("laid out");
    assert_eq!(
        report(&layout),
        include_str!("../data/everything.layout.txt")
    );
    let customer = host(include_str!("../data/customer.cpy"));
    assert_eq!(
        report(&customer),
        include_str!("../data/customer.layout.txt")
    );
    assert_eq!(
        customer.renames[0].from,
        customer.find("CUST-YEAR").expect("CUST-YEAR")
    );
}

#[test]
fn a_record_can_be_too_long() {
    let (copybook, problems) = parse(
        "01 A. 05 B OCCURS 999999999. 10 C PIC X OCCURS 999999999.",
        &ParseOptions::default(),
    );
    assert!(problems.is_empty());
    let problem = Layout::new(&copybook, Profile::Host).expect_err("too long");
    assert_eq!(problem.id(), "TXMCB0101E");
}
