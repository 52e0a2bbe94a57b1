//! Any bytes as records in either direction: a screen takes or refuses them, and what it sends can
//! be read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_datastream::inbound::{parse, parse_buffer};
use transom_datastream::{Aid, Outbound, Screen, ScreenOptions, ScreenSize, WriteCommand};

fuzz_target!(|records: Vec<Vec<u8>>| {
    let mut screen = Screen::new(ScreenOptions {
        alternate: ScreenSize::MODEL_5,
        ..ScreenOptions::default()
    });
    for record in records.iter().take(16) {
        let size = screen.size();
        let _inbound = parse(record, size);
        let _buffer = parse_buffer(record, size);
        // What the check lets pass, a terminal takes: unless it modifies a field that is not there.
        let _checked = Outbound::from_application(WriteCommand::Write, 0xC3, record, size);
        let _applied = screen.apply(record);
        screen.reset();
        let _typed = screen.type_text(record.get(..8).unwrap_or(record));
        if let Ok(sent) = screen.press(Aid::ENTER) {
            parse(&sent, screen.size()).expect("what a screen sends can be read");
        }
        if let Ok(applied) = screen.apply(&[0xF2]) {
            let sent = applied.reply.expect("a read is answered");
            let buffer = parse_buffer(&sent, screen.size()).expect("what a screen sends can be read");
            assert_eq!(buffer.positions(), screen.size().positions());
        }
    }
});
