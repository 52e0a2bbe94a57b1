//! Any text as IDCAMS statements and as a job; any bytes as a file of records.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_idcams::record::{Cut, FileFormat, split};
use transom_idcams::{jcl, parse_text};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _script = parse_text(&text);
    let _job = jcl::read(&text, &[], &|name| (name == "P").then(|| text.clone().into_owned()));
    for format in [FileFormat::Fixed(3), FileFormat::Variable, FileFormat::Blocked, FileFormat::Lines] {
        let (mut rest, mut left) = (bytes, 0);
        while let Ok(cut) = split(format, rest, true, &mut left) {
            let taken = match cut {
                Cut::Record { range, consumed, .. } => {
                    assert!(range.end <= consumed);
                    consumed
                }
                Cut::Skip(taken) => taken,
                Cut::Need(_) | Cut::End => break,
            };
            assert!(taken > 0);
            rest = &rest[taken..];
        }
    }
});
