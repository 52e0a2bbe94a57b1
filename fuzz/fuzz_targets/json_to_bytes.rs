//! Any text as JSON: a record or an error, and what was stored can be read again.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use transom_copybook::convert::{Decoder, Encoder};

static BOTH: LazyLock<(Encoder, Decoder)> = LazyLock::new(|| (common::encoder(), common::decoder()));

fuzz_target!(|json: &[u8]| {
    let mut record = Vec::new();
    if BOTH.0.encode(json, &[], &mut record).is_ok() {
        assert!(record.len() <= BOTH.0.max_record_len());
        let mut text = Vec::new();
        let _shown = BOTH.1.decode(&record, &mut text);
    } else {
        assert!(record.is_empty());
    }
});
