//! Text of one coded character set in another, as CHAR containers are converted.
//!
//! What: bytes of one coded character set to another. A character the target does not have becomes
//! a blank and is reported. Not here: which sets are known (`codepage`).

use super::Encoding;

/// Recoded data.
pub struct Recoded {
    /// In the other set.
    pub bytes: Vec<u8>,
    /// Some characters had no counterpart and are blanks now.
    pub lossy: bool,
}

/// Converts; `None` when one of the sets is not supported.
pub fn recode(bytes: &[u8], from: u32, to: u32) -> Option<Recoded> {
    let (from, to) = (Encoding::by_ccsid(from)?, Encoding::by_ccsid(to)?);
    if from.ccsid() == to.ccsid() {
        return Some(Recoded {
            bytes: bytes.to_vec(),
            lossy: false,
        });
    }
    if let (Encoding::Single(from), Encoding::Single(to)) = (from, to) {
        let mut lossy = false;
        let bytes = bytes.iter().map(
            |byte| match to.from_char(from.to_char[usize::from(*byte)]) {
                Some(byte) => byte,
                None => {
                    lossy = true;
                    to.space
                }
            },
        );
        let bytes = bytes.collect();
        return Some(Recoded { bytes, lossy });
    }
    let mut out = Recoded {
        bytes: Vec::with_capacity(bytes.len() * 2),
        lossy: false,
    };
    characters(bytes, from, &mut |c| add(c, to, &mut out));
    Some(out)
}

/// Calls `each` for every character; `None` stands for bytes that are none.
fn characters(bytes: &[u8], from: Encoding, each: &mut dyn FnMut(Option<char>)) {
    match from {
        Encoding::Single(page) => {
            bytes
                .iter()
                .for_each(|byte| each(Some(page.to_char[usize::from(*byte)])));
        }
        Encoding::Utf8 => {
            for chunk in bytes.utf8_chunks() {
                chunk.valid().chars().for_each(|c| each(Some(c)));
                if !chunk.invalid().is_empty() {
                    each(None);
                }
            }
        }
        Encoding::Utf16Be => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let units = pairs.iter().map(|pair| u16::from_be_bytes(*pair));
            char::decode_utf16(units).for_each(|c| each(c.ok()));
            if !rest.is_empty() {
                each(None);
            }
        }
    }
}

fn add(c: Option<char>, to: Encoding, out: &mut Recoded) {
    out.lossy |= c.is_none();
    let c = c.unwrap_or(' ');
    match to {
        Encoding::Single(page) => match page.from_char(c) {
            Some(byte) => out.bytes.push(byte),
            None => {
                out.lossy = true;
                out.bytes.push(page.space);
            }
        },
        Encoding::Utf8 => {
            let mut buffer = [0; 4];
            out.bytes
                .extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
        Encoding::Utf16Be => {
            let mut buffer = [0; 2];
            for unit in c.encode_utf16(&mut buffer) {
                out.bytes.extend_from_slice(&unit.to_be_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], from: u32, to: u32, expect: &[u8], lossy: bool) {
        let got = recode(bytes, from, to).unwrap();
        assert_eq!(
            (got.bytes.as_slice(), got.lossy),
            (expect, lossy),
            "{from} to {to}"
        );
    }

    #[test]
    fn between_host_and_local() {
        check(b"AB 12", 819, 37, &[0xC1, 0xC2, 0x40, 0xF1, 0xF2], false);
        check(&[0xC1, 0xAD], 1047, 819, b"A[", false);
        check(&[0x9F], 1140, 1208, "\u{20AC}".as_bytes(), false);
        check("\u{20AC}5".as_bytes(), 1208, 37, &[0x40, 0xF5], true);
        check(&[b'a', 0xFF, b'b'], 1208, 819, b"a b", true);
        check(b"A\xE9", 819, 1200, &[0, b'A', 0, 0xE9], false);
        check(&[0, b'A', 7], 1200, 819, b"A ", true);
        assert!(recode(b"x", 930, 37).is_none());
    }
}
