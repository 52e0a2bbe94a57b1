//! Values as SMF records have them: moments, clocks, dates, packed numbers, EBCDIC text.
//!
//! Not here: which fields a record has, and in what order ([`super`]).

use transom_copybook::codepage::CP037;
use transom_language::codec::Writer;

/// Periods of a clock have three bytes.
const PERIODS_MAX: u32 = 0xFF_FFFF;
/// Seconds from 1900, where STCK begins, to 1970.
const EPOCH_S: u64 = 2_208_988_800;

/// Time and periods of a clock.
pub(super) fn clock(out: &mut Writer, (ns, periods): (u64, u32)) -> &mut Writer {
    out.u64((ns / 1_000) << 12).u32(periods.min(PERIODS_MAX))
}

/// A moment as STCK has it: bit 51 is a microsecond.
pub(super) fn stck(unix_ns: u64) -> u64 {
    let us = unix_ns / 1_000 + EPOCH_S * 1_000_000;
    (us << 12) | ((unix_ns % 1_000) * 4_096 / 1_000)
}

/// Seven decimal digits and a plus sign.
pub(super) fn packed(number: u64) -> u32 {
    let mut digits = number % 10_000_000;
    let mut packed = 0xC;
    for place in 1..8 {
        packed |= ((digits % 10) as u32) << (4 * place);
        digits /= 10;
    }
    packed
}

/// 0cyydddF of local seconds since 1970.
pub(super) fn date(local_s: i64) -> u32 {
    let ms = (local_s + EPOCH_S as i64) * 1_000;
    let at = transom_types::calendar::DateTime::from_abstime(ms);
    let (century, year) = ((at.year - 1900) / 100, at.year % 100);
    let digit = |number: u32, place: u32| number / 10_u32.pow(place) % 10;
    let digits = [
        century,
        digit(year, 1),
        digit(year, 0),
        digit(at.day_of_year, 2),
        digit(at.day_of_year, 1),
        digit(at.day_of_year, 0),
    ];
    let date = digits.iter().fold(0, |date, digit| date << 4 | digit);
    date << 4 | 0xF
}

/// Text in so many bytes, padded with blanks.
pub(super) fn ebcdic(text: impl AsRef<[u8]>, bytes: usize) -> Vec<u8> {
    let mut field = vec![CP037.space; bytes];
    for (to, from) in field.iter_mut().zip(text.as_ref()) {
        *to = CP037.from_latin1[usize::from(*from)];
    }
    field
}
