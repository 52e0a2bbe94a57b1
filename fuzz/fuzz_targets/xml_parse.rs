//! Any bytes as the document of an XML PARSE, whole and in two segments: events, then an end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_documents::{Answer, XmlParse};

fuzz_target!(|bytes: &[u8]| {
    for (utf8, cut) in [(false, bytes.len()), (true, bytes.len() / 2)] {
        let (first, second) = bytes.split_at(cut);
        let mut parse = XmlParse::new(first, utf8);
        let (mut code, mut segments, mut events) = (0, 0, 0);
        loop {
            match parse.next(code, 16) {
                Answer::Event(event) => {
                    assert!(event.text.len() <= 16);
                    let more = event.name == "END-OF-INPUT" && segments == 0;
                    code = i32::from(more);
                }
                Answer::Segment => {
                    segments += 1;
                    parse.segment(second);
                }
                Answer::End(_) => break,
                Answer::BadCode => panic!("no code but those there are was given"),
            }
            events += 1;
            assert!(events <= 4 * bytes.len() + 8);
        }
    }
});
