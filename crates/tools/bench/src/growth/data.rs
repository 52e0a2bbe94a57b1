//! Records, an order that is none, and bytes written: the same for the store and its peers.
//!
//! Not here: what is done with them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Bytes of a record; its first ten are the key, twelve behind them the alternate key.
pub(super) const RECORD: usize = 200;
/// Records changed in a unit of work.
pub(super) const PER_UNIT: u64 = 50;

/// A record; `number` mixed is its place in no order.
pub(super) fn record(number: u64, change: u8) -> Vec<u8> {
    let alternate = mixed(number, 1_000_000_000_000);
    let mut record = format!("{number:010}{alternate:012}").into_bytes();
    record.resize(RECORD, b'A' + change);
    record
}

/// A number below a bound in place of another one, each once, without order: steps that may leave
/// the bound are made until one does not.
pub(super) fn mixed(number: u64, below: u64) -> u64 {
    let mask = below.next_power_of_two() - 1;
    let half = (mask.count_ones() / 2).max(1);
    let mut x = number;
    loop {
        for odd in [0x9E37_79B9_7F4A_7C15_u64, 0xD134_2543_DE82_EF95] {
            x = (x.wrapping_mul(odd) ^ 0x5DEE_CE66) & mask;
            x ^= x >> half;
        }
        if x < below {
            return x;
        }
    }
}

/// Bytes the device of a folder has written so far, whoever caused them. Not those of the process:
/// the kernel counts a large folio as a whole when one page of it is changed, a hundred times too
/// much.
pub(super) fn written(folder: &Path) -> u64 {
    let device = || {
        let number = fs::metadata(folder).ok()?.dev();
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let text = fs::read_to_string(format!("/sys/dev/block/{major}:{minor}/stat")).ok()?;
        let sectors: u64 = text.split_whitespace().nth(6)?.parse().ok()?;
        Some(sectors * 512)
    };
    device().unwrap_or(0)
}
