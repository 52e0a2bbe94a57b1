//! Documents of steps, as the public examples have them.

use super::*;

fn open(name: &str) -> Step {
    Step::Open(name.to_owned())
}

fn table(name: &str) -> Step {
    Step::Table(name.to_owned())
}

fn item(name: &str) -> Step {
    Step::Item {
        name: name.to_owned(),
        attribute: false,
    }
}

fn attribute(name: &str) -> Step {
    Step::Item {
        name: name.to_owned(),
        attribute: true,
    }
}

const JSON: Step = Step::Json(Characters::Utf8);

const XML: Step = Step::Xml {
    utf8: false,
    declaration: false,
};

fn made(begin: &Step, steps: &[(Step, &str)], room: usize) -> Finished {
    let mut document = Document::begin(begin).unwrap();
    for (step, value) in steps {
        let value = match value.strip_prefix('#') {
            Some(digits) => Value::Digits {
                bytes: digits.as_bytes(),
                scale: 1,
            },
            None => Value::Text {
                bytes: value.as_bytes(),
                justified: false,
            },
        };
        document.take(step, Some(value)).unwrap();
    }
    document.finish(room)
}

fn text(begin: &Step, steps: &[(Step, &str)]) -> String {
    let made = made(begin, steps, 1_000);
    assert_eq!(made.code, 0);
    String::from_utf8(made.bytes).unwrap()
}

#[test]
fn json_of_the_programming_guide() {
    let steps = [
        (open("GRP"), ""),
        (item("Ac-No"), "SX1234"),
        (open("More"), ""),
        (table("Stuff"), ""),
        (item("Stuff"), "#+0078"),
        (item("Stuff"), "#-0090"),
        (Step::EndTable, ""),
        (Step::Close, ""),
        (item("SSN"), "987-65-4321"),
        (Step::Close, ""),
    ];
    assert_eq!(
        text(&JSON, &steps),
        r#"{"GRP":{"Ac-No":"SX1234","More":{"Stuff":[7.8,-9.0]},"SSN":"987-65-4321"}}"#
    );
    assert_eq!(
        text(&JSON, &[(item("A"), "x\"\\\u{1}")]),
        r#"{"A":"x\"\\\u0001"}"#
    );
}

#[test]
fn a_group_without_members_goes_where_something_was_left_out() {
    let steps = [
        (open("G"), ""),
        (item("A"), "a"),
        (open("EMPTY"), ""),
        (Step::Skip, ""),
        (Step::Close, ""),
        (table("NONE"), ""),
        (Step::EndTable, ""),
        (table("T"), ""),
        (open("T"), ""),
        (Step::Skip, ""),
        (Step::Close, ""),
        (open("T"), ""),
        (item("B"), "b"),
        (Step::Close, ""),
        (Step::EndTable, ""),
        (Step::Close, ""),
    ];
    assert_eq!(
        text(&JSON, &steps),
        r#"{"G":{"A":"a","NONE":[],"T":[{"B":"b"}]}}"#
    );
    assert_eq!(text(&XML, &steps), "<G><A>a</A><T><B>b</B></T></G>");
    let alone = [(open("G"), ""), (Step::Skip, ""), (Step::Close, "")];
    assert_eq!(text(&JSON, &alone), r#"{"G":{}}"#);
    assert_eq!(text(&XML, &alone), "<G></G>");
}

#[test]
fn names_may_be_omitted_and_items_say_yes() {
    let truth = Step::Truth {
        name: "Ok".to_owned(),
        value: true,
    };
    let steps = [
        (open(""), ""),
        (truth, ""),
        (item("A"), "  "),
        (Step::Close, ""),
    ];
    assert_eq!(text(&JSON, &steps), r#"{"Ok":true,"A":" "}"#);
}

#[test]
fn xml_of_the_programming_guide() {
    let inside = |make: fn(&str) -> Step| {
        vec![
            (open("G"), ""),
            (make("A"), "aaa"),
            (open("B"), ""),
            (make("C"), "ccc"),
            (make("D"), "ddd"),
            (Step::Close, ""),
            (make("E"), "eee"),
            (Step::Close, ""),
        ]
    };
    assert_eq!(
        text(&XML, &inside(item)),
        "<G><A>aaa</A><B><C>ccc</C><D>ddd</D></B><E>eee</E></G>"
    );
    assert_eq!(
        text(&XML, &inside(attribute)),
        "<G A=\"aaa\" E=\"eee\"><B C=\"ccc\" D=\"ddd\"></B></G>"
    );
    let mut spaced = vec![(Step::Namespace, "http://example  ")];
    spaced.extend([
        (open("Greeting"), ""),
        (item("msg"), "Hello"),
        (Step::Close, ""),
    ]);
    assert_eq!(
        text(&XML, &spaced),
        "<Greeting xmlns=\"http://example\"><msg>Hello</msg></Greeting>"
    );
    spaced.insert(1, (Step::Prefix, "pre "));
    assert_eq!(
        text(&XML, &spaced),
        "<pre:Greeting xmlns:pre=\"http://example\"><pre:msg>Hello</pre:msg></pre:Greeting>"
    );
    spaced[1] = (Step::Prefix, "1p:");
    assert_eq!(made(&XML, &spaced, 99).code, XML_BAD_PREFIX);
}

#[test]
fn what_xml_cannot_have_is_hexadecimal_and_told() {
    let steps = [(item("3D"), "a<b&'\"")];
    assert_eq!(text(&XML, &steps), "<_3D>a&lt;b&amp;&apos;&quot;</_3D>");
    let steps = [(item("XmlX"), "A\0 ")];
    let bad = made(&XML, &steps, 99);
    assert_eq!(bad.bytes, b"<hex._XmlX>410020</hex._XmlX>");
    assert_eq!(bad.code, XML_ILLEGAL);
    let declared = Step::Xml {
        utf8: true,
        declaration: true,
    };
    assert_eq!(
        text(&declared, &[(item("A"), "1")]),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><A>1</A>"
    );
}

#[test]
fn a_receiver_that_is_too_small_holds_the_beginning() {
    let cut = made(&JSON, &[(item("A"), "xyz")], 5);
    assert_eq!((cut.bytes.as_slice(), cut.code), (&b"{\"A\":"[..], 1));
    assert_eq!(made(&XML, &[(item("A"), "xyz")], 5).code, XML_TOO_SMALL);
}

#[test]
fn steps_out_of_order_are_none() {
    let mut document = Document::begin(&JSON).unwrap();
    assert_eq!(document.take(&Step::Close, None), None);
    assert_eq!(document.take(&item("A"), None), None);
    assert_eq!(document.take(&JSON, None), None);
    assert!(Document::begin(&Step::End).is_none());
}

#[test]
fn json_may_be_in_other_characters() {
    let steps = [(item("A"), "\u{e4}"), (Step::Null("N".to_owned()), "")];
    let steps = [
        (open("G"), ""),
        steps[0].clone(),
        steps[1].clone(),
        (Step::Close, ""),
    ];
    let of = |characters, room| {
        let mut document = Document::begin(&Step::Json(characters)).unwrap();
        for (step, value) in &steps {
            let bytes = Characters::Programs.bytes(value);
            let value = Value::Text {
                bytes: &bytes,
                justified: false,
            };
            document.take(step, Some(value)).unwrap();
        }
        document.finish(room)
    };
    let all = "{\"G\":{\"A\":\"\u{e4}\",\"N\":null}}";
    let made = of(Characters::Utf8, 99);
    assert_eq!((made.count, &*made.bytes), (25, all.as_bytes()));
    let made = of(Characters::Programs, 99);
    assert_eq!((made.count, made.bytes[11]), (24, 0xE4));
    let made = of(Characters::National, 99);
    assert_eq!(
        (made.count, made.code, &made.bytes[22..24]),
        (24, 0, &b"\0\xe4"[..])
    );
    let cut = of(Characters::National, 9);
    assert_eq!(
        (cut.count, cut.code, &*cut.bytes),
        (4, JSON_TOO_SMALL, &b"\0{\0\"\0G\0\""[..])
    );
}
