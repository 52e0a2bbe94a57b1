//! JSON GENERATE and XML GENERATE, by the rules and examples of the Language Reference.

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
