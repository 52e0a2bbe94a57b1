//! Any text as the document of a JSON PARSE: values, then an end.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_documents::{JsonParse, Receiver, Table, Target, Want};

fn target(name: &str, parent: u32, table: Table, receiver: Receiver) -> Target {
    Target {
        name: name.to_owned(),
        exact: false,
        parent,
        suppressed: false,
        truth: name == "b",
        table,
        receiver,
    }
}

fuzz_target!(|text: &[u8]| {
    let number = Receiver::Number {
        whole: 3,
        scale: 2,
        native: 0,
        signed: true,
    };
    let characters = Receiver::Text {
        characters: 5,
        justified: false,
        alphabetic: false,
    };
    let mut parse = JsonParse::new(text);
    for target in [
        target("r", 0, Table::No, Receiver::Group),
        target("n", 0, Table::Fixed(3), number),
        target("g", 0, Table::Depending, Receiver::Group),
        target("t", 2, Table::No, characters),
        target("b", 2, Table::No, characters),
        target("f", 0, Table::No, Receiver::Float { short: false }),
    ] {
        parse.add(target).unwrap();
    }
    let mut values = 0;
    loop {
        match parse.next_value() {
            Want::Done => break,
            Want::Count(_) => parse.count(2),
            Want::Text(_) => assert!(parse.text().len() <= 5),
            Want::Number(_) => {
                let (_, long) = parse.floats().unwrap();
                assert!(long.is_finite());
                assert_eq!(parse.digits(3, 2).unwrap().len(), 6);
            }
            Want::Truth(..) => {}
        }
        values += 1;
        assert!(values <= text.len());
    }
});
