//! Values as the public examples and tables of Enterprise COBOL have them.

use super::*;

fn target(name: &str, parent: u32, receiver: Receiver) -> Target {
    Target {
        name: name.to_owned(),
        exact: false,
        parent,
        suppressed: false,
        truth: false,
        ignored: false,
        null: false,
        table: Table::No,
        receiver,
    }
}

fn text(characters: u32) -> Receiver {
    Receiver::Text {
        characters,
        justified: false,
        alphabetic: false,
    }
}

fn digits(whole: i32, scale: i32) -> Receiver {
    Receiver::Number {
        whole,
        scale,
        native: 0,
        signed: true,
    }
}

/// `01 G. 05 H. 10 A PIC X(10). 10 N PIC 9. 10 C PIC X(10).`
fn example() -> Vec<Target> {
    vec![
        target("G", 0, Receiver::Group),
        target("h", 0, Receiver::Group),
        target("a", 1, text(10)),
        target("3_", 1, digits(1, 0)),
        target("C-c", 1, text(10)),
    ]
}

/// `01 R. 05 T PIC S9(3)V9 OCCURS 3. 05 O OCCURS 0 TO 5 DEPENDING ON ... 10 X PIC X(2).`
fn tables() -> Vec<Target> {
    vec![
        target("R", 0, Receiver::Group),
        Target {
            table: Table::Fixed(3),
            ..target("T", 0, digits(3, 1))
        },
        Target {
            table: Table::Depending,
            ..target("O", 0, Receiver::Group)
        },
        target("X", 2, text(2)),
    ]
}

fn parse(document: &[u8]) -> JsonParse {
    JsonParse::new(document, Some(Characters::Utf8), false)
}

/// What the program is told, with JSON-CODE and JSON-STATUS behind it.
fn told(targets: &[Target], document: &str, occurrences: u32) -> String {
    run(parse(document.as_bytes()), targets, occurrences)
}

fn run(mut parse: JsonParse, targets: &[Target], occurrences: u32) -> String {
    for target in targets {
        parse.add(target.clone()).unwrap();
    }
    let mut out = String::new();
    loop {
        let want = parse.next_value();
        let said = match want {
            Want::Text(_) => String::from_utf8_lossy(parse.text()).into_owned(),
            Want::Number(n) => match targets[n].receiver {
                Receiver::Number { whole, scale, .. } => {
                    let digits = parse.digits(whole as usize, scale as usize).unwrap();
                    String::from_utf8(digits).unwrap()
                }
                _ => format!("{:?}", parse.floats().unwrap().1),
            },
            Want::Truth(_, is) => is.to_string(),
            Want::Null(_) => "null".to_owned(),
            Want::Count(_) => {
                parse.count(occurrences);
                continue;
            }
            Want::Done => break,
        };
        let (Want::Text(n) | Want::Number(n) | Want::Truth(n, _) | Want::Null(n)) = want else {
            continue;
        };
        let indexes: String = parse.indexes().map(|i| format!("({i})")).collect();
        out += &format!("{}{indexes}={said} ", targets[n].name);
    }
    out + &format!("{}/{}", parse.code(), parse.status())
}

#[test]
fn names_match_by_group_and_without_case() {
    let of = |document: &str| told(&example(), document, 0);
    assert_eq!(
        of(r#"{"g": {"H": {"3_": 5, "A": "Eh?", "c-C": "See"}}}"#),
        "3_=+5 a=Eh? C-c=See 0/0"
    );
    assert_eq!(
        of(r#"{"g":{"H":{"A":"Eh?","c-C":"See"}}}"#),
        "a=Eh? C-c=See 0/1"
    );
    assert_eq!(
        of(r#"{"G":{"h":{"A":"Eh?","B":{"deep":[1,{"x":[]}]},"3_":5,"c-C":"See"}}}"#),
        "a=Eh? 3_=+5 C-c=See 0/2"
    );
    assert_eq!(of(r#"{"g":{"A":"Eh?","3_":5,"c-C":"See"}}"#), "106/3");
    assert_eq!(of("{}"), "106/1");
    let mut exact = example();
    exact[2].exact = true;
    exact[2].name = "Ä+".to_owned();
    assert_eq!(
        told(&exact, r#"{"g":{"h":{"Ä+":"1","ä+":"2"}}}"#, 0),
        "Ä+=1 0/3"
    );
    let mut omitted = example();
    omitted[0].name.clear();
    assert_eq!(
        told(&omitted, r#"{"h":{"a":"1","3_":"2","c-c":3}}"#, 0),
        "a=1 3_=+2 C-c=3 0/0"
    );
    let mut suppressed = example();
    suppressed[3].suppressed = true;
    assert_eq!(
        told(
            &suppressed,
            r#"{"g":{"h":{"a":"1","3_":true,"c-c":"3"}}}"#,
            0
        ),
        "a=1 C-c=3 0/0"
    );
}

#[test]
fn repeated_pairs_count_once() {
    let of = |document: &str| told(&example(), document, 0);
    let inside = |members: &str| of(&format!(r#"{{"g":{{"h":{{{members},"3_":1,"c-c":""}}}}}}"#));
    assert_eq!(inside(r#""a":"A","A":"\u0041""#), "a=A 3_=+1 C-c= 0/4");
    assert_eq!(inside(r#""a":"A","A":"B""#), "a=A 103/0");
    assert_eq!(inside(r#""a":1,"A":1.0"#), "a=1 3_=+1 C-c= 0/4");
    let group = r#""h":{"a":"1","3_":1,"c-c":""}"#;
    assert_eq!(
        of(&format!("{{\"g\":{{{group}, {group}}}}}")),
        "a=1 3_=+1 C-c= 0/4"
    );
}

#[test]
fn tables_take_as_many_elements_as_they_have() {
    let of = |document: &str| told(&tables(), document, 2);
    let all = r#"{"R":{"T":[1.25,"7",-2],"O":[{"X":"ab"},{"X":"c"}]}}"#;
    assert_eq!(
        of(all),
        "T(1)=+0012 T(2)=+0070 T(3)=-0020 X(1)=ab X(2)=c 0/0"
    );
    assert_eq!(
        of(r#"{"R":{"T":[1],"O":[{"X":"ab"},{},{"X":"never"}]}}"#),
        "T(1)=+0010 X(1)=ab 0/25"
    );
    assert_eq!(
        of(r#"{"R":{"T":[null,2,null],"O":null}}"#),
        "T(2)=+0020 0/96"
    );
    assert_eq!(of(r#"{"R":{"T":5,"O":[]}}"#), "104/0");
    let array: Vec<Target> = vec![
        Target {
            table: Table::Fixed(2),
            ..target("", 0, Receiver::Group)
        },
        target("C1", 0, digits(1, 0)),
    ];
    assert_eq!(
        told(&array, r#"[{"C1":1},{"C1":2}]"#, 0),
        "C1(1)=+1 C1(2)=+2 0/0"
    );
    assert_eq!(told(&example(), r#"[{"C1":1}]"#, 0), "108/0");
}

#[test]
fn values_fit_or_say_so() {
    let one = |receiver: Receiver, value: &str| {
        let targets = [target("V", 0, receiver)];
        let told = told(&targets, &format!("{{\"v\":{value}}}"), 0);
        told.strip_prefix("V=").unwrap_or(&told).to_owned()
    };
    assert_eq!(one(text(3), r#""abcd""#), "abc 0/256");
    assert_eq!(one(text(3), r#""abc  ""#), "abc 0/0");
    let right = Receiver::Text {
        characters: 3,
        justified: true,
        alphabetic: false,
    };
    assert_eq!(one(right, r#""abcd""#), "bcd 0/256");
    assert_eq!(
        one(text(9), r#""a\"\\\/\b\f\n\r\t""#),
        "a\"\\/\u{8}\u{c}\n\r\t 0/0"
    );
    assert_eq!(
        one(text(3), r#""€\ud83d\ude00\udead""#),
        "\u{1a}\u{1a}\u{1a} 0/512"
    );
    assert_eq!(one(text(5), "-120"), "120 0/0");
    assert_eq!(one(text(5), "1.5"), "104/0");
    assert_eq!(one(text(5), "1e3"), "104/0");
    let letters = Receiver::Text {
        characters: 3,
        justified: false,
        alphabetic: true,
    };
    assert_eq!(one(letters, "1"), "104/0");
    assert_eq!(one(digits(2, 2), "123.456"), "+2345 0/128");
    assert_eq!(one(digits(2, 2), "-0.995"), "-0099 0/0");
    assert_eq!(one(digits(2, 2), r#""12x""#), "104/0");
    assert_eq!(one(digits(2, 2), r#""""#), "104/0");
    assert_eq!(one(digits(2, 2), "true"), "107/0");
    assert_eq!(one(digits(2, 2), "{}"), "104/0");
    assert_eq!(one(digits(2, 2), "null"), "0/32");
    assert_eq!(one(Receiver::Float { short: false }, "1e-3"), "0.001 0/0");
    assert_eq!(one(Receiver::Group, "\"x\""), "104/0");
    let truth = [Target {
        truth: true,
        ..target("V", 0, text(1))
    }];
    assert_eq!(told(&truth, r#"{"v":true}"#, 0), "V=true 0/0");
    assert_eq!(told(&truth, r#"{"v":"true"}"#, 0), "104/0");
}

#[test]
fn text_that_is_no_json_is_told() {
    let of = |document: &str| told(&[target("V", 0, text(3))], document, 0);
    assert_eq!(of(""), "101/0");
    assert_eq!(of(" \t\r\n"), "101/0");
    assert_eq!(of(r#"{"v":"a"}   "#), "V=a 0/0");
    assert_eq!(of(r#"{"v":"a"} x"#), "V=a 102/0");
    for bad in [
        "x",
        "1",
        "{",
        "{]",
        r#"{"v"}"#,
        r#"{"v":}"#,
        r#"{"v":1,}"#,
        r#"{,"v":1}"#,
        r#"{"v":01}"#,
        r#"{"v":tru}"#,
        r#"{"v":"a}"#,
        r#"{"v":"\q"}"#,
        r#"{"v":"\u12"}"#,
        "{\"v\":\"a\u{1}\"}",
        r#"{"q":[1,]}"#,
        r#"{"q":[1 2]}"#,
        r#"{"q":{"a":1,}}"#,
        r#"{'v':1}"#,
    ] {
        assert!(
            of(bad).ends_with("100/0") || of(bad).ends_with("100/2"),
            "{bad} {}",
            of(bad)
        );
    }
    let mut parse = parse(b"{\"v\":\"\xff\"}");
    parse.add(target("V", 0, text(3))).unwrap();
    assert_eq!((parse.next_value(), parse.code()), (Want::Done, 100));
}

#[test]
fn null_is_told_ignored_or_counted() {
    let of = |targets: &[Target], document: &str| told(targets, document, 2);
    let document = r#"{"g":{"h":{"A":null,"3_":null,"c-C":null}}}"#;
    let mut some = example();
    some[2].ignored = true;
    some[3].null = true;
    assert_eq!(of(&some, document), "3_=null 0/32");
    some[4].ignored = true;
    assert_eq!(of(&some, document), "3_=null 0/0");
    // What is told counts before what all ignore.
    let ignoring = |document: &str, targets: &[Target]| {
        let text = document.as_bytes();
        let parse = JsonParse::new(text, Some(Characters::Utf8), true);
        run(parse, targets, 2)
    };
    assert_eq!(ignoring(document, &example()), "0/0");
    assert_eq!(ignoring(document, &some), "3_=null 0/0");
    assert_eq!(ignoring(r#"{"g":null}"#, &example()), "106/0");
    // Elements of a table, and a table as a whole, where no element could take anything.
    let mut elements = tables();
    elements[1].null = true;
    elements[2].ignored = true;
    assert_eq!(
        of(
            &elements,
            r#"{"R":{"T":[null,2,null],"O":[null,{"X":null}]}}"#
        ),
        "T(1)=null T(2)=+0020 T(3)=null 0/32"
    );
    assert_eq!(of(&elements, r#"{"R":{"T":null,"O":null}}"#), "0/32");
    elements[1].truth = true;
    assert_eq!(of(&elements, r#"{"R":{"T":true,"O":[]}}"#), "104/0");
}

#[test]
fn texts_are_read_in_their_characters() {
    let targets = [target("V", 0, text(3))];
    let of = |text: &[u8], characters| run(JsonParse::new(text, characters, false), &targets, 0);
    let latin = b"{\"v\":\"\xe4\"}";
    assert_eq!(of(latin, Some(Characters::Programs)), "V=\u{fffd} 0/0");
    assert_eq!(of(latin, Some(Characters::Utf8)), "100/0");
    assert_eq!(of(latin, Characters::of_ccsid(939)), "109/0");
    let wide: Vec<u8> = "{\"v\":\"\u{20ac}a\"}   "
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(of(&wide, Some(Characters::National)), "V=\u{1a}a 0/512");
    assert_eq!(of(&wide[1..], Some(Characters::National)), "100/0");
}

/// Each document ends, whatever was done to it: cut, deep, long, with other bytes in it.
#[test]
fn no_document_takes_more_than_its_length() {
    let deep = format!("{{\"q\":{}", "[".repeat(1_000_000));
    assert_eq!(told(&example(), &deep, 0), "100/2");
    let deep = format!(
        "{{\"q\":{}{}}}",
        "{\"a\":".repeat(200_000),
        "}".repeat(200_000)
    );
    assert_eq!(told(&example(), &deep, 0), "100/2");
    let long = format!("{{\"{}\":1}}", "n".repeat(1_000_000));
    assert_eq!(told(&example(), &long, 0), "106/3");
    let good = r#"{"R":{"T":[1.25,"7",-2e1],"O":[{"X":"a\u00e4\n"},{"X":null}],"q":{"a":[true]}}}"#;
    for cut in 0..good.len() {
        let told = told(&tables(), &good[..cut], 2);
        assert!(
            told.contains(" 10") || told.starts_with("10"),
            "{cut}: {told}"
        );
    }
    let mut seed = 7u32;
    for _ in 0..20_000 {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] = b"{}[]\",:\\0e-. \xc3\x01x"[(seed >> 3) as usize % 16];
        }
        let mut parse = parse(&bytes);
        for target in tables() {
            parse.add(target).unwrap();
        }
        let steps =
            std::iter::repeat_with(|| parse.next_value()).take_while(|want| *want != Want::Done);
        assert!(steps.count() <= good.len());
    }
}
