//! Events in the order of the public examples, and documents that are none.

use super::{Answer, XmlParse};
use crate::parse::Characters;

const PROGRAMS: Characters = Characters::Programs;

/// All events with their text, and how the statement ends.
fn told(segments: &[&str], utf8: bool) -> String {
    let mut rest = segments.iter();
    let first = rest.next().unwrap();
    let mut parse = XmlParse::new(first.as_bytes(), characters(utf8), false);
    let mut out = Vec::new();
    let mut code = 0;
    loop {
        match parse.next(code, usize::MAX) {
            Answer::Event(event) => {
                let text = String::from_utf8_lossy(&event.text);
                let mut line = event.name.to_owned();
                if !text.is_empty() {
                    line += &format!(" {text}");
                }
                if !event.namespace.is_empty() || !event.prefix.is_empty() {
                    let part = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                    line += &format!(" [{}={}]", part(&event.prefix), part(&event.namespace));
                }
                if event.information == 2 {
                    line += " ..";
                }
                code = event.code;
                if event.name == "END-OF-INPUT" && rest.len() > 0 {
                    code = 1;
                }
                out.push(line);
            }
            Answer::Segment => {
                parse.segment(rest.next().unwrap().as_bytes());
            }
            Answer::End(code) => {
                out.push(format!("{code:X}"));
                return out.join("|");
            }
            Answer::BadCode => panic!("{out:?}"),
        }
    }
}

fn characters(utf8: bool) -> Characters {
    match utf8 {
        true => Characters::Utf8,
        false => PROGRAMS,
    }
}

fn one(document: &str) -> String {
    let told = told(&[document], false);
    told.strip_prefix("START-OF-DOCUMENT|").unwrap().to_owned()
}

#[test]
fn a_simple_document_has_the_events_of_the_guide() {
    assert_eq!(
        one(r#"<?xml version="1.0"?><msg type="short">Hello, World!</msg>   "#),
        "VERSION-INFORMATION 1.0|START-OF-ELEMENT msg|ATTRIBUTE-NAME type|\
         ATTRIBUTE-CHARACTERS short|CONTENT-CHARACTERS Hello, World!|END-OF-ELEMENT msg|\
         END-OF-DOCUMENT|0"
    );
    assert_eq!(
        one(
            "<?xml version='1.0' encoding='IBM-1140' standalone='yes'?>\r\n<!--just an example-->\
             <?spread please use  real?><a><b/>x &amp; &#x41;\r\n<![CDATA[<relish>]]></a><?end?>"
        ),
        "VERSION-INFORMATION 1.0|ENCODING-DECLARATION IBM-1140|STANDALONE-DECLARATION yes|\
         COMMENT just an example|PROCESSING-INSTRUCTION-TARGET spread|\
         PROCESSING-INSTRUCTION-DATA please use  real|START-OF-ELEMENT a|START-OF-ELEMENT b|\
         END-OF-ELEMENT b|CONTENT-CHARACTERS x & A\n|START-OF-CDATA-SECTION|\
         CONTENT-CHARACTERS <relish>|END-OF-CDATA-SECTION|END-OF-ELEMENT a|\
         PROCESSING-INSTRUCTION-TARGET end|END-OF-DOCUMENT|0"
    );
    assert_eq!(
        one("<a v='&lt;1&#9;\t2' w=''/>"),
        "START-OF-ELEMENT a|ATTRIBUTE-NAME v|ATTRIBUTE-CHARACTERS <1\t 2|ATTRIBUTE-NAME w|\
         ATTRIBUTE-CHARACTERS|END-OF-ELEMENT a|END-OF-DOCUMENT|0"
    );
    assert_eq!(
        one("<!DOCTYPE a SYSTEM 'a>.dtd'><a>x&more;y</a>"),
        "DOCUMENT-TYPE-DECLARATION a|START-OF-ELEMENT a|CONTENT-CHARACTERS x|\
         UNRESOLVED-REFERENCE more|CONTENT-CHARACTERS y|END-OF-ELEMENT a|END-OF-DOCUMENT|0"
    );
}

#[test]
fn namespaces_hold_in_their_element() {
    assert_eq!(
        one("<q:a xmlns:q='u:1' xmlns='u:2' q:x='1' x='2'><b xmlns=''/><b/></q:a>"),
        "START-OF-ELEMENT a [q=u:1]|NAMESPACE-DECLARATION [q=u:1]|NAMESPACE-DECLARATION [=u:2]|\
         ATTRIBUTE-NAME x [q=u:1]|ATTRIBUTE-CHARACTERS 1|ATTRIBUTE-NAME x|\
         ATTRIBUTE-CHARACTERS 2|START-OF-ELEMENT b|NAMESPACE-DECLARATION|END-OF-ELEMENT b|\
         START-OF-ELEMENT b [=u:2]|END-OF-ELEMENT b [=u:2]|END-OF-ELEMENT a [q=u:1]|\
         END-OF-DOCUMENT|0"
    );
    assert_eq!(one("<q:a/>"), "EXCEPTION|40800");
    assert_eq!(one("<a q:b=''/>"), "START-OF-ELEMENT a|EXCEPTION|40801");
    assert!(one("<a xmlns:p='u' xmlns:q='u' p:x='' q:x=''/>").ends_with("EXCEPTION|C0000"));
}

#[test]
fn segments_go_on_where_the_last_one_ended() {
    assert_eq!(
        told(
            &[
                "<?xml version='1.0'?>",
                "<Tagline>",
                "COBOL is the language",
                "!</Tagline> "
            ],
            false
        ),
        "START-OF-DOCUMENT|VERSION-INFORMATION 1.0|END-OF-INPUT|START-OF-ELEMENT Tagline|\
         END-OF-INPUT|CONTENT-CHARACTERS COBOL is the language ..|END-OF-INPUT|\
         CONTENT-CHARACTERS !|END-OF-ELEMENT Tagline|END-OF-DOCUMENT|0"
    );
    // Wherever it is cut, the same is told.
    let document = "<?xml version='1.0'?><a b='&lt;x>'>t]&gt;u<!--c--><![CDATA[]>]]></a>";
    let whole = one(document);
    let joined = |told: &str| {
        let all: Vec<&str> = told.split('|').collect();
        let mut out: Vec<String> = Vec::new();
        let mut open = false;
        for event in all.into_iter().filter(|e| *e != "END-OF-INPUT") {
            let text = event.strip_suffix(" ..");
            let piece = text.unwrap_or(event);
            let more = piece.strip_prefix("CONTENT-CHARACTERS ");
            match (out.last_mut().filter(|_| open), more) {
                (Some(last), Some(more)) => *last += more,
                _ => out.push(piece.to_owned()),
            }
            open = text.is_some();
        }
        out.join("|")
    };
    for cut in 1..document.len() {
        let (a, b) = document.split_at(cut);
        let told = told(&[a, b], false);
        let told = told.strip_prefix("START-OF-DOCUMENT|").unwrap();
        assert_eq!(joined(told), whole, "{a} {b}");
    }
}

#[test]
fn documents_that_are_not_well_formed_end_with_an_exception() {
    assert_eq!(
        one("<msg>Hello</mmsg>"),
        "START-OF-ELEMENT msg|CONTENT-CHARACTERS Hello|EXCEPTION|C3035"
    );
    assert!(one("<a>\u{1}</a>").ends_with("EXCEPTION|C3030"));
    assert!(one("<a>&#2;</a>").ends_with("EXCEPTION|C3030"));
    assert_eq!(
        one("<a>x"),
        "START-OF-ELEMENT a|CONTENT-CHARACTERS x ..|END-OF-INPUT|EXCEPTION|41301"
    );
    assert_eq!(one("   "), "END-OF-INPUT|EXCEPTION|41301");
    for bad in [
        "x",
        "<a",
        "<a/>x",
        "<a/><b/>",
        "</a>",
        "<a b/>",
        "<a b=c/>",
        "<a b='1'c='2'/>",
        "<1/>",
        "<a b='1' b='2'/>",
        "<a b='<'/>",
        "<a>]]></a>",
        "<a>&nosuch;</a>",
        "<a>&#x110000;</a>",
        "<a><!-- -- --></a>",
        "<a><?XML?></a>",
        "<?xml?><a/>",
        "< a/>",
        "<?xml version='1.0' standalone='maybe'?><a/>",
        "<a:b:c/>",
        "<:a/>",
        "<a b=''' '/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
        " <?xml version='1.0'?><a/>",
    ] {
        let told = one(bad);
        assert!(told.contains("EXCEPTION|"), "{bad} {told}");
    }
    let euro = told(&["<a>&#8364;\u{e4}</a>"], true);
    assert!(
        euro.contains("CONTENT-CHARACTERS \u{20ac}\u{e4}|"),
        "{euro}"
    );
    let mut cut = XmlParse::new(b"<a>\xc3</a>", Characters::Utf8, false);
    let mut last = String::new();
    while let Answer::Event(event) = cut.next(0, usize::MAX) {
        last = format!("{}{:X}", event.name, event.code);
    }
    assert_eq!(last, "EXCEPTIONC3030");
}

#[test]
fn a_text_that_is_too_long_comes_in_pieces() {
    let mut parse = XmlParse::new(b"<a>12345</a>", PROGRAMS, false);
    let mut pieces = Vec::new();
    while let Answer::Event(event) = parse.next(0, 2) {
        if event.name == "CONTENT-CHARACTERS" {
            pieces.push((event.text, event.information));
        }
    }
    let wanted = [("12", 2), ("34", 2), ("5", 1)];
    assert_eq!(
        pieces,
        wanted.map(|(text, n)| (text.as_bytes().to_vec(), n))
    );
}

#[test]
fn the_procedure_ends_the_statement_by_xml_code() {
    let mut parse = XmlParse::new(b"<a/>", PROGRAMS, false);
    assert!(matches!(parse.next(0, usize::MAX), Answer::Event(_)));
    assert_eq!(parse.next(-1, usize::MAX), Answer::End(-1));
    let mut parse = XmlParse::new(b"<a/>", PROGRAMS, false);
    assert!(matches!(parse.next(0, usize::MAX), Answer::Event(_)));
    assert_eq!(parse.next(1, usize::MAX), Answer::BadCode);
    let mut parse = XmlParse::new(b"x", PROGRAMS, false);
    assert!(matches!(parse.next(0, usize::MAX), Answer::Event(_)));
    assert!(matches!(parse.next(0, usize::MAX), Answer::Event(e) if e.name == "EXCEPTION"));
    assert_eq!(parse.next(0, usize::MAX), Answer::End(0x000C_0000));
}

#[test]
fn parsing_goes_on_behind_a_prefix_that_is_not_declared() {
    let mut parse = XmlParse::new(b"<q:a r:x='1'>t</q:a>", PROGRAMS, false);
    let mut told = Vec::new();
    loop {
        match parse.next(0, usize::MAX) {
            Answer::Event(event) => told.push(format!(
                "{} {}{}",
                event.name,
                String::from_utf8_lossy(&event.text),
                event.code
            )),
            other => {
                assert_eq!(other, Answer::End(0));
                break;
            }
        }
    }
    assert_eq!(
        told.join("|"),
        "START-OF-DOCUMENT 0|EXCEPTION 264192|START-OF-ELEMENT q:a0|EXCEPTION 264193|\
         ATTRIBUTE-NAME r:x0|ATTRIBUTE-CHARACTERS 10|CONTENT-CHARACTERS t0|END-OF-ELEMENT q:a0|\
         END-OF-DOCUMENT 0"
    );
}

/// Events with national texts in brackets.
fn national(parse: &mut XmlParse) -> String {
    let mut told = Vec::new();
    while let Answer::Event(event) = parse.next(0, usize::MAX) {
        let text = match Characters::National.text(&event.text) {
            Some(text) if event.national => format!("[{text}]"),
            _ => String::from_utf8_lossy(&event.text).into_owned(),
        };
        told.push(format!("{} {text}", event.name));
    }
    told.join("|")
}

#[test]
fn national_documents_have_national_texts() {
    let document = "<a b='\u{e4}&#x20AC;'>\u{1f600}</a>";
    let wanted = "START-OF-DOCUMENT []|START-OF-ELEMENT [a]|ATTRIBUTE-NAME [b]|\
                  ATTRIBUTE-CHARACTERS [\u{e4}\u{20ac}]|CONTENT-CHARACTERS [\u{1f600}]|\
                  END-OF-ELEMENT [a]|END-OF-DOCUMENT []";
    let bytes = Characters::National.bytes(document);
    let mut parse = XmlParse::new(&bytes, Characters::National, false);
    assert_eq!(national(&mut parse), wanted);
    let mut parse = XmlParse::new(document.as_bytes(), Characters::Utf8, true);
    assert_eq!(national(&mut parse), wanted);
    // Half of a pair is no character.
    let mut parse = XmlParse::new(b"\0<\0a\0>\xde\x00\0<", Characters::National, false);
    assert!(national(&mut parse).ends_with("|EXCEPTION []"));
}

#[test]
fn characters_that_the_document_lacks_have_events_of_their_own() {
    let document = b"<a b='x&#8364;&#x1F600;'>abc&#x1234;xyz</a>";
    let mut parse = XmlParse::new(document, PROGRAMS, false);
    assert_eq!(
        national(&mut parse),
        "START-OF-DOCUMENT |START-OF-ELEMENT a|ATTRIBUTE-NAME b|ATTRIBUTE-CHARACTERS x|\
         ATTRIBUTE-NATIONAL-CHARACTER [\u{20ac}]|ATTRIBUTE-NATIONAL-CHARACTER [\u{1f600}]|\
         CONTENT-CHARACTERS abc|CONTENT-NATIONAL-CHARACTER [\u{1234}]|CONTENT-CHARACTERS xyz|\
         END-OF-ELEMENT a|END-OF-DOCUMENT "
    );
    let mut parse = XmlParse::new(b"<a xmlns='&#8364;'/>", PROGRAMS, false);
    assert!(national(&mut parse).ends_with("|EXCEPTION "));
}

/// Each document ends, whatever was done to it: cut, deep, long, with other bytes in it.
#[test]
fn no_document_takes_more_than_its_length() {
    let end = |document: &str| {
        let told = one(document);
        told.rsplit('|').next().unwrap().to_owned()
    };
    assert_eq!(end(&"<a>".repeat(100_000)), "41301");
    let deep = format!("{}{}", "<a>".repeat(100_000), "</a>".repeat(100_000));
    assert_eq!(end(&deep), "0");
    assert_eq!(end(&format!("<{}/>", "n".repeat(1_000_000))), "0");
    let many: String = (0..20_000).map(|n| format!(" a{n}=''")).collect();
    assert_eq!(end(&format!("<a{many}/>")), "0");
    let good = "<?xml version='1.0'?><!DOCTYPE a><a xmlns:p='u' p:b=\"&lt;\">t<!--c--><?d e?>&#65;\
                <![CDATA[]]]]></a>";
    for cut in 0..good.len() {
        assert_ne!(end(&good[..cut]), "0", "{cut}");
    }
    let mut seed = 7u32;
    for _ in 0..20_000 {
        let mut bytes = good.as_bytes().to_vec();
        for _ in 0..3 {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (seed >> 8) as usize % bytes.len();
            bytes[at] = b"<>/?!-[]&;='\" x:\xc3\x01"[(seed >> 3) as usize % 18];
        }
        for utf8 in [false, true] {
            let mut parse = XmlParse::new(&bytes, characters(utf8), false);
            let mut events = 0;
            while let Answer::Event(_) = parse.next(0, usize::MAX) {
                events += 1;
                assert!(events <= 3 * bytes.len());
            }
        }
    }
}
