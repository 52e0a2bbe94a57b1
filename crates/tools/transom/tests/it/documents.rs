//! JSON GENERATE, XML GENERATE, JSON PARSE and XML PARSE, by the rules and examples of the
//! Language Reference.

use crate::harness::Programs;

/// Code, length and document of a case.
fn case(programs: &Programs, which: &str) -> (i32, usize, String) {
    let area = format!("{which:<414}");
    let reply = programs.link("DOCS", area.as_bytes());
    let reply = reply.unwrap_or_else(|e| panic!("{which}: {e:?} {}", programs.log.lock().unwrap()));
    let text = |range| std::str::from_utf8(&reply[range]).unwrap().trim();
    let number = |range| text(range).parse::<i32>().unwrap();
    let length = usize::try_from(number(8..14)).unwrap();
    let document = String::from_utf8_lossy(&reply[14..]).trim_end().to_owned();
    (number(2..8), length, document)
}

#[test]
fn items_become_json_and_xml() {
    let sources = [cobol!("documents/DOCS")];
    let programs = Programs::new(&[&sources[0]]);
    let good = |which: &str, wanted: &str| {
        assert_eq!(
            case(&programs, which),
            (0, wanted.len(), wanted.to_owned()),
            "{which}"
        );
    };
    good(
        "J1",
        r#"{"GRP":{"Ac-No":"SX1234","More":{"Stuff":[7.8,-9.0]},"SSN":"987-65-4321"}}"#,
    );
    good("J2", r#"{"account \"no\"":"SX1234"}"#);
    good(
        "J3",
        "{\"Numbers\":{\"P\":-12.34,\"B\":42,\"B5\":32000,\"Z\":0,\"M\":-7,\"F1\":1.50000000E+00,\
         \"F2\":-2.50000000000000000E-01,\"E\":\"  1.50-\",\"PP\":1200,\"R\":\"ab\"}}",
    );
    good(
        "J4",
        "{\"Orders\":{\"Cnt\":2,\"Flag\":true,\"Opt\":false,\"Ord\":[{\"Num\":10,\"Txt\":\"text\",\
         \"Qty\":[1]},{\"Num\":20,\"Txt\":\"text\",\"Qty\":[2]}]}}",
    );
    good(
        "J5",
        r#"{"Orders":{"Cnt":0,"Flag":"Y","Opt":"N","Ord":[]}}"#,
    );
    good("J6", r#"{"Ord":{"Num":20,"Txt":"text","Qty":[0,2,0]}}"#);
    good("J7", r#"{"Marks":{"3rd":"a\"b\\c<&>","XmlTag":" "}}"#);
    good("JA", r#"{"Orders":{}}"#);
    let (code, _, document) = case(&programs, "J9");
    assert_eq!(
        (code, &*document),
        (0, "{\"Ac-No\":\"SX1234\"}           +")
    );
    good(
        "X1",
        "<GRP><Ac-No>SX1234</Ac-No><More><Stuff>7.8</Stuff><Stuff>-9.0</Stuff></More>\
         <SSN>987-65-4321</SSN></GRP>",
    );
    good(
        "X2",
        "<Orders Cnt=\"2\" Opt=\"N\"><Flag>Y</Flag><Ord Num=\"10\" Txt=\"text\"><Qty>1</Qty></Ord>\
         <Ord Num=\"20\" Txt=\"text\"><Qty>2</Qty></Ord></Orders>",
    );
    good(
        "X3",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><q:Marks xmlns:q=\"http://a.b/c\">\
         <q:_3rd>a&quot;b\\c&lt;&amp;&gt;</q:_3rd><q:tag> </q:tag></q:Marks>",
    );
}

#[test]
fn exceptions_have_their_codes() {
    let sources = [
        cobol!("documents/DOCS"),
        cobol!("documents/DOCNEST"),
        cobol!("documents/DOCSUB"),
    ];
    let programs = Programs::new(&[&sources[0], &sources[1], &sources[2]]);
    let (code, length, document) = case(&programs, "J8");
    assert_eq!((code, length), (1, 9));
    assert_eq!(document, "TOO SMALL {\"GRP\":{\"");
    let (code, length, document) = case(&programs, "X4");
    assert_eq!((code, length), (417, document.len()));
    assert_eq!(document, "<hex._XmlTag>004120</hex._XmlTag>");
    assert_eq!(case(&programs, "X5").0, 400);
    // Digits that are none are a data exception, as in MOVE.
    let bad = programs.link("DOCS", format!("{:<414}", "JB").as_bytes());
    assert!(format!("{bad:?}").contains("ASRA"), "{bad:?}");
    // A document is begun anew by the next task.
    assert_eq!(case(&programs, "J6").0, 0);
    let nested = programs.text("DOCNEST", &" ".repeat(60));
    let json = r#"{"OUTER-ITEM":{"WORD":"outer"}}"#;
    assert_eq!(nested, format!("{json:<39}<A>{{</A>{:12}!", ""));
}

/// JSON-CODE, JSON-STATUS, the exception phrase that ran, and what was filled.
fn parsed(programs: &Programs, which: &str, document: &str) -> String {
    let area = [format!("{which:<14}").as_bytes(), document.as_bytes()].concat();
    let mut padded = area;
    padded.resize(414, b' ');
    let reply = programs.link("JPARSE", &padded);
    let reply = reply.unwrap_or_else(|e| panic!("{which}: {e:?} {}", programs.log.lock().unwrap()));
    let text: String = reply.iter().map(|b| char::from(*b)).collect();
    text[2..].trim_end().to_owned()
}

#[test]
fn values_of_json_fill_items_as_move_does() {
    let sources = [cobol!("documents/JPARSE")];
    let programs = Programs::new(&[&sources[0]]);
    let of = |which: &str, document: &str| parsed(&programs, which, document);
    assert_eq!(
        of("01", r#"{"g": {"H": {"3_": 5, "A": "Eh?", "c-C": "See"}}}"#),
        " 0000000GOODEh?       5See"
    );
    assert_eq!(
        of("01", r#"{"g":{"h":{"a":"Eh\u00e4","b":1}}}"#),
        " 0000003GOODEh\u{e4}       0"
    );
    assert_eq!(of("01", r#"{"g":{"a":"Eh?"}}"#), " 1060003EXC           0");
    assert_eq!(
        of("01", r#"{"g":{"h":{"a":"kept","3_":"x"}}}"#),
        " 1040000EXC kept      0"
    );
    assert_eq!(of("01", "{"), " 1000000EXC           0");
    assert_eq!(of("01", "  "), " 1010000EXC           0");
    assert_eq!(
        of(
            "02",
            r#"{"some-data":{"msg":[{"ver":5,"uid":10,"txt":"Hello"},{"ver":5,"uid":11,"txt":"World"},{"ver":5,"uid":12,"txt":"!"}]}}"#
        ),
        " 0000000NONE50010Hello          50011World          50012!"
    );
    assert_eq!(
        of(
            "03",
            r#"{"odo-data":{"msg":[{"uid":1,"sub":[1,2]},null,{"uid":3,"sub":[-4]}]}}"#
        ),
        " 0000072NONE0001AB    000000    0003M0    000000"
    );
    assert_eq!(
        of(
            "04",
            r#"{"P":-12.349,"b":70000,"B5":70000,"Z":9,"f2":1.5e0,"e":"1234","XX":-12,"jr":"abcde","ed":"wxyz","pp":12345}"#
        ),
        " 0000384NONE   -12  1,234.00       0   4464      0   1500 12   bcde wx/yz  12300  -1234"
    );
    assert_eq!(
        of("05", r#"{"flags":{"f-1":true,"F-A":false,"f-l":true}}"#),
        " 0000000NONEYNyes"
    );
    assert_eq!(
        of("05", r#"{"flags":{"f-1":false,"F-A":true,"f-l":false}}"#),
        " 0000000NONENJno"
    );
    assert_eq!(
        of("06", r#"[{"C1":{"M1":1}},{"C1":{"M1":2}}]"#),
        " 0000000NONE001200"
    );
    assert_eq!(
        of(
            "07",
            r#"{"toptable":{"b1":[{"c1":{"m+":7}},{"c1":{"m+":8}}]}}"#
        ),
        " 0000000NONE000078"
    );
}

#[test]
fn null_leaves_an_item_or_says_so() {
    let sources = [cobol!("documents/JPARSE")];
    let programs = Programs::new(&[&sources[0]]);
    let of = |which: &str, document: &str| parsed(&programs, which, document);
    assert_eq!(
        of(
            "08",
            r#"{"null-data":{"n-a":null,"n-b":null,"n-b-is":"!","n-f":null,"n-g":null,"n-t":[{"n-c":null,"n-c-is":"a","n-e":[{"n-d":null,"n-d-is":"b"},{"n-d":1,"n-d-is":null}]},null]}}"#
        ),
        " 0000096NONE***   !_***a0b1********"
    );
    assert_eq!(
        of(
            "08",
            r#"{"null-data":{"n-a":5,"n-b":"x","n-b-is":"!","n-f":true,"n-g":{"n-h":"h"},"n-t":[]}}"#
        ),
        " 0000008NONE005x  !+h**************"
    );
    // Indicators are no items of the text: they lack nothing, and take nothing from it.
    assert_eq!(
        of(
            "09",
            "{\"null-data\":{\"n-a\":null,\"n-b\":null,\"n-f\":false,\"n-t\":[{\"n-c\":\"\u{e4}\",\"n-e\":[{\"n-d\":null},{\"n-d\":7}]},{\"n-c\":null,\"n-e\":[]}]}}"
        ),
        " 0000008NONE******Y-N\u{c3}\u{a4}N*071**Y****"
    );
    assert_eq!(
        of(
            "09",
            r#"{"null-data":{"n-a":1,"n-b":"b","n-b-is":"?","n-f":null,"n-t":[{"n-c":"c","n-e":[{"n-d":1},{"n-d":2}]},{"n-c":"d","n-e":[{"n-d":3},{"n-d":null}]}]}}"#
        ),
        " 0000000NONE001b  N*Yc N1121d N31*0"
    );
    assert_eq!(
        of(
            "13",
            r#"{"n-t":{"n-c":"c","n-c-is":"?","n-e":[{"n-d":null},{"n-d":2}]}}"#
        ),
        " 0000000NONE****************c ?*021"
    );
}

#[test]
fn a_json_text_may_be_national_or_in_the_characters_of_programs() {
    let sources = [cobol!("documents/JPARSE")];
    let programs = Programs::new(&[&sources[0]]);
    let of = |which: &str, document: &str| parsed(&programs, which, document);
    assert_eq!(
        of("10", r#"{"g":{"h":{"3_":5,"A":"Eh?","c-C":"See"}}}"#),
        " 0000000NONEEh?       5See"
    );
    // Each byte of UTF-8 is a character of its own.
    assert_eq!(of("11", "{\"a\":\"\u{e4}\"}"), " 0000000NONE\u{c3}\u{a4}");
    assert_eq!(of("12", r#"{"a":"x"}"#), " 1090000EXC");
}

/// XML-CODE, the exception phrase that ran, and the events.
fn events(programs: &Programs, which: &str, document: &str, segment: &str) -> String {
    let mut area = format!("{which:<16}").into_bytes();
    area.extend_from_slice(document.as_bytes());
    area.resize(216, b' ');
    area.extend_from_slice(segment.as_bytes());
    area.resize(1016, b' ');
    let reply = programs.link("XPARSE", &area);
    let reply = reply.unwrap_or_else(|e| panic!("{which}: {e:?} {}", programs.log.lock().unwrap()));
    String::from_utf8_lossy(&reply[2..]).trim_end().to_owned()
}

#[test]
fn each_event_performs_the_processing_procedure() {
    let sources = [cobol!("documents/XPARSE"), cobol!("documents/XINNER")];
    let programs = Programs::new(&[&sources[0], &sources[1]]);
    let of = |document: &str| events(&programs, "C", document, "");
    assert_eq!(
        of(r#"<?xml version="1.0"?><msg type="short">Hello, World!</msg>"#),
        " 000000000GOODSTART-OF-DOCUMENT=|VERSION-INFORMATION=1.0|START-OF-ELEMENT=msg|\
         ATTRIBUTE-NAME=type|ATTRIBUTE-CHARACTERS=short|CONTENT-CHARACTERS=Hello, World!|\
         END-OF-ELEMENT=msg|END-OF-DOCUMENT=|"
    );
    assert_eq!(
        of("<p:a xmlns:p='u'>41</p:a>"),
        " 000000000GOODSTART-OF-DOCUMENT=|START-OF-ELEMENT=a[p u]|NAMESPACE-DECLARATION=[p u]|\
         CONTENT-CHARACTERS=41|   42|END-OF-ELEMENT=a[p u]|END-OF-DOCUMENT=|"
    );
    // A program that is linked to has its own.
    assert!(
        of("<a>Link</a>").ends_with("CONTENT-CHARACTERS=Link|END-OF-ELEMENT=a|END-OF-DOCUMENT=|")
    );
    assert_eq!(
        of("<a><stop>x</stop></a>"),
        "-000000001EXC START-OF-DOCUMENT=|START-OF-ELEMENT=a|START-OF-ELEMENT=stop|"
    );
    assert_eq!(
        of("<msg>Hello</mmsg>"),
        " 000798773EXC START-OF-DOCUMENT=|START-OF-ELEMENT=msg|CONTENT-CHARACTERS=Hello|EXCEPTION=|"
    );
    assert_eq!(
        events(&programs, "C", "<a>1<b>text ", " goes on</b></a>").replace(&" ".repeat(180), "~"),
        " 000000000GOODSTART-OF-DOCUMENT=|START-OF-ELEMENT=a|CONTENT-CHARACTERS=1|    2|\
         START-OF-ELEMENT=b|CONTENT-CHARACTERS=text~         ..|END-OF-INPUT=|\
         CONTENT-CHARACTERS= goes on|END-OF-ELEMENT=b|END-OF-ELEMENT=a|END-OF-DOCUMENT=|"
    );
    assert!(
        events(&programs, "U", "<a>\u{20ac}</a>", "").contains("CONTENT-CHARACTERS=\u{20ac}|"),
        "UTF-8"
    );
    let bad = programs.link("XPARSE", &{
        let mut area = format!("{:<16}<bad/>", "C").into_bytes();
        area.resize(1016, b' ');
        area
    });
    assert!(format!("{bad:?}").contains("4038"), "{bad:?}");
    // A document is begun anew by the next task.
    assert!(of("<a/>").contains("GOOD"));
}
