//! DSNTIAR and DSNTIAC: the lines that say what an SQLCA has.
//!
//! Not here: their texts (`transom_sql`).

use super::arguments::Arguments;
use transom_sql::Sqlca;

/// Where their SQLCA is among their arguments, in the order of `region/workers/edge/services.c`,
/// behind the services of Language Environment. DSNTIAC has EIB and COMMAREA in front.
pub(super) const FIRST_ARGUMENT: [usize; 2] = [0, 2];

/// Bytes of the SQLCA.
const SQLCA_BYTES: usize = 136;
/// A line, in bytes.
const WIDTH: std::ops::RangeInclusive<usize> = 72..=240;
/// Fewest bytes of a message area.
const AREA_MIN: usize = 240;

/// Fills the message area; answers the return code: 4, it was too short for all lines; 8, no such
/// length of a line; 12, no such length of the area.
///
/// # Safety
/// Three addresses: of an SQLCA, a message area that can be written, a fullword.
pub(super) unsafe fn dsntiar(arguments: *const *mut u8) -> i32 {
    // SAFETY: by the caller.
    let of = Arguments(unsafe { std::slice::from_raw_parts(arguments, 3) });
    let (sqlca, length) = (of.bytes::<SQLCA_BYTES>(0), of.bytes::<2>(1));
    let area = usize::from(u16::from_be_bytes(length));
    let width = usize::try_from(i32::from_be_bytes(of.bytes(2))).unwrap_or(0);
    if !WIDTH.contains(&width) {
        return 8;
    }
    if area < AREA_MIN {
        return 12;
    }
    let (text, whole) = lines(&sqlca, area, width);
    of.store(1, &[&length[..], &text].concat());
    if whole { 0 } else { 4 }
}

/// As many lines as fit, padded, and whether all do.
fn lines(sqlca: &[u8; SQLCA_BYTES], area: usize, width: usize) -> (Vec<u8>, bool) {
    let lines = transom_sql::dsntiar(&read(sqlca), width);
    let room = area / width;
    let mut out = Vec::with_capacity(area);
    for line in lines.iter().take(room) {
        let bytes = line
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'));
        out.extend(bytes);
        out.resize(out.len().div_ceil(width) * width, b' ');
    }
    out.resize(area, b' ');
    (out, lines.len() <= room)
}

fn read(sqlca: &[u8; SQLCA_BYTES]) -> Sqlca {
    // SQLCABC is 136: its bytes tell the order of all others.
    let native = sqlca[8] != 0;
    let word = |at: usize| {
        let bytes = [sqlca[at], sqlca[at + 1], sqlca[at + 2], sqlca[at + 3]];
        match native {
            true => i32::from_ne_bytes(bytes),
            false => i32::from_be_bytes(bytes),
        }
    };
    let length = match native {
        true => i16::from_ne_bytes([sqlca[16], sqlca[17]]),
        false => i16::from_be_bytes([sqlca[16], sqlca[17]]),
    };
    let text = |bytes: &[u8]| -> String { bytes.iter().map(|b| char::from(*b)).collect() };
    let tokens = &sqlca[18..88][..usize::try_from(length).unwrap_or(0).min(70)];
    let tokens = tokens.split(|b| *b == 0xFF).map(text);
    Sqlca {
        code: word(12),
        state: text(&sqlca[131..136]),
        tokens: tokens.filter(|token| !token.is_empty()).collect(),
        module: text(&sqlca[88..96]).trim_end().to_owned(),
        numbers: std::array::from_fn(|n| word(96 + 4 * n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fill_the_area() {
        let mut sqlca = [b' '; SQLCA_BYTES];
        sqlca[8..12].copy_from_slice(&136_i32.to_be_bytes());
        sqlca[12..16].copy_from_slice(&(-204_i32).to_be_bytes());
        sqlca[16..18].copy_from_slice(&[0, 8]);
        sqlca[18..26].copy_from_slice(b"BANK.EMP");
        sqlca[88..96].copy_from_slice(b"DSNXOTL ");
        sqlca[96..120].fill(0);
        sqlca[131..136].copy_from_slice(b"42704");
        let (text, whole) = lines(&sqlca, 720, 72);
        let text = String::from_utf8(text).unwrap();
        let first = " DSNT408I SQLCODE = -204, ERROR:  BANK.EMP IS AN UNDEFINED NAME";
        assert_eq!(text[..72].trim_end(), first);
        assert_eq!(
            text[72..144].trim_end(),
            " DSNT418I SQLSTATE   = 42704 SQLSTATE RETURN CODE"
        );
        assert!(whole && text.len() == 720, "{text}");
        assert!(!lines(&sqlca, 240, 120).1);
        // COMP-5 has the order of the machine.
        sqlca[8..12].copy_from_slice(&136_i32.to_le_bytes());
        sqlca[12..16].copy_from_slice(&(100_i32).to_le_bytes());
        sqlca[16..18].fill(0);
        assert_eq!(read(&sqlca).code, 100);
        assert_eq!(read(&sqlca).tokens.len(), 0);
    }
}
