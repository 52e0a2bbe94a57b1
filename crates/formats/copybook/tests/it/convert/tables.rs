//! Tables of variable length, tables in tables, redefinitions.

use super::{decode, encode, shape_of, try_decode, try_encode};
use transom_copybook::Profile;
use transom_copybook::convert::{Decoder, Encoder};
use transom_copybook::shape::{
    Arm, Kind, Node, Op, Properties, RecordFormat, Redefinition, Rule, Select, Shape, Text,
};

fn region() -> RecordFormat {
    RecordFormat::region()
}

/// Properties under which fewer elements than the minimum are fine.
fn free() -> Properties {
    Properties {
        enforce_min_array_occurrence: false,
        enforce_min_array_occurrence_response: false,
        ..Properties::default()
    }
}

const LIST: &str = "
       01 LIST.
          05 ITEM-COUNT   PIC 9(2).
          05 ITEMS OCCURS 1 TO 5 DEPENDING ON ITEM-COUNT.
             10 CODE-A    PIC X(2).
             10 QTY       PIC 9(3).
          05 TRAILER      PIC X(3).
";

fn list() -> Shape {
    let mut shape = shape_of(LIST, Profile::Native, Redefinition::First);
    shape.remove("item_count").expect("there");
    shape
}

#[test]
fn the_counter_follows_the_array_and_what_is_behind_it_slides() {
    let json = r#"{"items":[{"code_a":"AA","qty":1},{"code_a":"B","qty":22}],"trailer":"END"}"#;
    let record = encode(&list(), &Properties::default(), &region(), json);
    assert_eq!(record, b"02AA001B 022END");
    assert_eq!(
        decode(&list(), &Properties::default(), &region(), &record),
        json
    );
    // The members may come in any order.
    let turned = r#"{"trailer":"END","items":[{"qty":1,"code_a":"AA"},{"qty":22,"code_a":"B"}]}"#;
    assert_eq!(
        encode(&list(), &Properties::default(), &region(), turned),
        record
    );

    let fixed = RecordFormat {
        odo_slides: false,
        ..region()
    };
    let record = encode(&list(), &Properties::default(), &fixed, json);
    assert_eq!(record, b"02AA001B 022\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0END");
    assert_eq!(
        decode(&list(), &Properties::default(), &fixed, &record),
        json
    );
}

#[test]
fn minimum_and_maximum_numbers_of_elements() {
    let none = r#"{"items":[],"trailer":"END"}"#;
    let error =
        try_encode(&list(), &Properties::default(), &region(), none.as_bytes()).unwrap_err();
    assert_eq!(
        (error.id, error.pointer.as_str(), error.field.as_str()),
        ("TXMCB0707E", "/items", "ITEMS")
    );
    assert_eq!(encode(&list(), &free(), &region(), none), b"00END");
    assert_eq!(decode(&list(), &free(), &region(), b"00END"), none);
    assert_eq!(
        encode(&list(), &free(), &region(), r#"{"trailer":"END"}"#),
        b"00END"
    );
    let initial = Properties {
        initialize_input_fields: true,
        ..Properties::default()
    };
    assert_eq!(
        encode(&list(), &initial, &region(), r#"{"trailer":"END"}"#),
        b"01  000END"
    );
    let error = try_decode(&list(), &Properties::default(), &region(), b"00END").unwrap_err();
    assert_eq!(error.id, "TXMCB0602E");
    let error = try_decode(&list(), &free(), &region(), b"06END").unwrap_err();
    assert_eq!((error.id, error.pointer.as_str()), ("TXMCB0602E", "/items"));
    let error = try_decode(&list(), &free(), &region(), b"02AA001B 02").unwrap_err();
    assert_eq!(
        (error.id, error.pointer.as_str(), error.field.as_str()),
        ("TXMCB0601E", "/items/1/qty", "QTY")
    );

    let six = format!("{{\"items\":[{}]}}", ["{\"qty\":1}"; 6].join(","));
    let error = try_encode(&list(), &free(), &region(), six.as_bytes()).unwrap_err();
    assert_eq!(
        (error.id, error.pointer.as_str(), error.field.as_str()),
        ("TXMCB0707E", "/items/5", "ITEMS")
    );
}

#[test]
fn a_counter_that_is_a_member_must_agree_with_the_array() {
    let shape = shape_of(LIST, Profile::Native, Redefinition::First);
    let good = r#"{"item_count":1,"items":[{"code_a":"AA","qty":1}],"trailer":"END"}"#;
    assert_eq!(encode(&shape, &free(), &region(), good), b"01AA001END");
    assert_eq!(decode(&shape, &free(), &region(), b"01AA001END"), good);
    let bad = good.replace("\"item_count\":1", "\"item_count\":3");
    let error = try_encode(&shape, &free(), &region(), bad.as_bytes()).unwrap_err();
    assert_eq!((error.id, error.pointer.as_str()), ("TXMCB0713E", "/items"));
}

const NESTED: &str = "
       01 ORDERS.
          05 ORDER-COUNT  PIC 9.
          05 LINE-COUNT   PIC 9.
          05 ORDERS-T OCCURS 0 TO 3 DEPENDING ON ORDER-COUNT.
             10 ORDER-NO  PIC 9(2).
             10 NOTE-COUNT PIC 9.
             10 NOTES OCCURS 0 TO 4 DEPENDING ON NOTE-COUNT PIC X(2).
             10 LINES-T OCCURS 0 TO 2 DEPENDING ON LINE-COUNT PIC X(3).
             10 FLAG      PIC X.
          05 LAST-ONE     PIC X(4).
";

#[test]
fn tables_of_variable_length_in_such_tables() {
    let mut shape = shape_of(NESTED, Profile::Native, Redefinition::First);
    for path in ["order_count", "line_count", "orders_t/note_count"] {
        shape.remove(path).expect("there");
    }
    let json = concat!(
        r#"{"orders_t":[{"order_no":7,"notes":[{"notes":"aa"},{"notes":"bb"}],"lines_t":[{"lines_t":"xxx"}],"flag":"Y"},"#,
        r#"{"order_no":8,"notes":[],"lines_t":[{"lines_t":"yyy"}],"flag":"N"}],"last_one":"LAST"}"#
    );
    let record = encode(&shape, &free(), &region(), json);
    assert_eq!(String::from_utf8_lossy(&record), "21072aabbxxxY080yyyNLAST");
    assert_eq!(decode(&shape, &free(), &region(), &record), json);
    // A hidden table still moves what follows it.
    shape.remove("orders_t").expect("there");
    assert_eq!(
        decode(&shape, &free(), &region(), &record),
        r#"{"last_one":"LAST"}"#
    );
    // What lies behind a table of changing elements cannot be printed before it.
    let mut turned = shape_of(NESTED, Profile::Native, Redefinition::First);
    turned.reorder("", &["last_one"]).expect("there");
    assert_eq!(
        Decoder::compile(&turned, &free(), &region())
            .unwrap_err()
            .id(),
        "TXMCB0503E"
    );
}

#[test]
fn reordered_members_behind_a_simple_variable_table() {
    let mut shape = list();
    shape.reorder("", &["trailer", "items"]).expect("there");
    assert_eq!(
        decode(&shape, &Properties::default(), &region(), b"01AA001END"),
        r#"{"trailer":"END","items":[{"code_a":"AA","qty":1}]}"#
    );
}

#[test]
fn elements_with_several_fields_and_tables_of_numbers() {
    let source = "
       01 R.
          05 M OCCURS 2.
             10 N PIC S9(4) COMP OCCURS 3.
             10 T PIC X(2).
";
    let shape = shape_of(source, Profile::Native, Redefinition::First);
    let record = [
        0, 1, 0, 2, 255, 253, b'a', b'b', 0, 4, 0, 5, 0, 6, b'c', b' ',
    ];
    let json = concat!(
        r#"{"m":[{"n":[{"n":1},{"n":2},{"n":-3}],"t":"ab"},"#,
        r#"{"n":[{"n":4},{"n":5},{"n":6}],"t":"c"}]}"#
    );
    assert_eq!(
        decode(&shape, &Properties::default(), &region(), &record),
        json
    );
    assert_eq!(
        encode(&shape, &Properties::default(), &region(), json),
        record
    );
    // Fewer elements than a fixed table has: the rest is initial.
    let some = encode(
        &shape,
        &Properties::default(),
        &region(),
        r#"{"m":[{"t":"x"}]}"#,
    );
    assert_eq!(some, [0, 0, 0, 0, 0, 0, b'x', b' ', 0, 0, 0, 0, 0, 0, 0, 0]);
}

/// One byte that tells which arm follows.
fn choice(visible: bool) -> Shape {
    let text = |len| Kind::Text(Text::new(len));
    let rule = |value: &str| {
        Some(Rule {
            up: 0,
            offset: 0,
            kind: text(1),
            op: Op::Eq,
            value: value.into(),
            field: "TYPE".into(),
        })
    };
    let person = Node::object("person", 1, vec![Node::new("name", 1, text(6))]);
    let firm = Node::object(
        "firm",
        1,
        vec![
            Node::new("title", 1, text(4)),
            Node::new("place", 5, text(2)),
        ],
    );
    let arms = vec![
        Arm {
            rule: rule("P"),
            node: person,
        },
        Arm {
            rule: rule("F"),
            node: firm,
        },
    ];
    let mut kind = Node::new("type", 0, text(1));
    if !visible {
        kind = kind.hidden();
    }
    let select = Node::new("", 1, Kind::Select(Box::new(Select { arms })));
    Shape::new(vec![kind, select, Node::new("tail", 7, text(1))])
}

#[test]
fn the_arm_of_a_redefinition_is_chosen_by_rule_and_by_member() {
    let shape = choice(false);
    let properties = Properties::default();
    for (record, json) in [
        ("PJoan  Z", r#"{"person":{"name":"Joan"},"tail":"Z"}"#),
        (
            "FAcmeUKZ",
            r#"{"firm":{"title":"Acme","place":"UK"},"tail":"Z"}"#,
        ),
    ] {
        assert_eq!(
            decode(&shape, &properties, &region(), record.as_bytes()),
            json
        );
        assert_eq!(
            encode(&shape, &properties, &region(), json),
            record.as_bytes()
        );
    }
    let error = try_decode(&shape, &properties, &region(), b"X      Z").unwrap_err();
    assert_eq!(error.id, "TXMCB0604E");
    let both = br#"{"person":{"name":"Joan"},"firm":{"title":"Acme"}}"#;
    let error = try_encode(&shape, &properties, &region(), both).unwrap_err();
    assert_eq!((error.id, error.pointer.as_str()), ("TXMCB0714E", "/firm"));
    // A discriminator the document sets itself is left alone.
    let json = r#"{"type":"P","person":{"name":"Joan"},"tail":"Z"}"#;
    assert_eq!(
        encode(&choice(true), &properties, &region(), json),
        b"PJoan  Z"
    );
}

#[test]
fn a_table_whose_elements_are_redefinitions_and_rules_that_reach_nowhere() {
    let Kind::Object(mut members) = choice(false).root.kind else {
        panic!("an object")
    };
    members.truncate(2);
    let element = Node::object("", 0, members.clone());
    let shape = Shape::new(vec![Node::table("all", 0, 2, 7, element)]);
    let json = r#"{"all":[{"firm":{"title":"Acme","place":"UK"}},{"person":{"name":"Joan"}}]}"#;
    let properties = Properties::default();
    assert_eq!(
        decode(&shape, &properties, &region(), b"FAcmeUKPJoan  "),
        json
    );
    assert_eq!(
        encode(&shape, &properties, &region(), json),
        b"FAcmeUKPJoan  "
    );

    let Kind::Select(select) = &mut members[1].kind else {
        panic!("redefinitions")
    };
    select.arms[0].rule.as_mut().expect("a rule").up = 3;
    let shape = Shape::new(members);
    assert_eq!(
        Decoder::compile(&shape, &properties, &region())
            .unwrap_err()
            .id(),
        "TXMCB0506E"
    );
    assert_eq!(
        Encoder::compile(&shape, &properties, &region())
            .unwrap_err()
            .id(),
        "TXMCB0506E"
    );
}
