//! Any bytes as a record: JSON in UTF-8 or an error.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use transom_copybook::convert::Decoder;

static DECODER: LazyLock<Decoder> = LazyLock::new(common::decoder);

fuzz_target!(|record: &[u8]| {
    let mut text = Vec::new();
    if DECODER.decode(record, &mut text).is_ok() {
        assert!(std::str::from_utf8(&text).is_ok());
    }
});
