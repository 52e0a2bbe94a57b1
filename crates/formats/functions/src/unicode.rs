//! NATIONAL-OF, DISPLAY-OF, and the functions that count characters of UTF-8 and UTF-16.

use super::value::{Answer, Operand, Problem, Value};
use transom_copybook::Encoding;

/// Code page of programs (LOCALCCSID), which an absent second argument means.
const OWN: i64 = 819;

fn encoding(ccsid: Option<i64>) -> Result<Encoding, Problem> {
    let ccsid = ccsid.unwrap_or(OWN);
    let known = u32::try_from(ccsid).ok().and_then(Encoding::by_ccsid);
    known.ok_or(Problem::CodePage(ccsid))
}

pub(super) fn national_of(bytes: &[u8], ccsid: Option<i64>, room: Option<usize>) -> Answer {
    let text = match encoding(ccsid)? {
        Encoding::Single(page) => page.decode(bytes),
        Encoding::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        Encoding::Utf16Be => return Ok(Value::National(bytes.to_vec())),
    };
    let mut units: Vec<u16> = text.encode_utf16().collect();
    if let Some(room) = room {
        units.resize(room, u16::from(b' '));
    }
    Ok(Value::National(
        units.into_iter().flat_map(u16::to_be_bytes).collect(),
    ))
}

pub(super) fn display_of(bytes: &[u8], ccsid: Option<i64>) -> Answer {
    let encoding = encoding(ccsid)?;
    if !bytes.len().is_multiple_of(2) {
        return Err(Problem::NotNational);
    }
    let text: String = char::decode_utf16(units(bytes))
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Ok(Value::Text(match encoding {
        Encoding::Single(page) => page.encode(&text).0,
        Encoding::Utf8 => text.into_bytes(),
        Encoding::Utf16Be => bytes.to_vec(),
    }))
}

fn units(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes
        .chunks_exact(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
}

/// Starts of characters in units (bytes, or pairs of them), and the end; the place from 1 of the
/// first invalid one otherwise.
fn starts(of: &Operand<'_>) -> Result<Vec<usize>, usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    if of.national {
        let units: Vec<u16> = units(of.bytes).collect();
        if of.bytes.len() % 2 == 1 {
            return Err(units.len() + 1);
        }
        while at < units.len() {
            starts.push(at);
            at += match (units[at], units.get(at + 1)) {
                (0xD800..=0xDBFF, Some(0xDC00..=0xDFFF)) => 2,
                (0xD800..=0xDFFF, _) => return Err(at + 1),
                _ => 1,
            };
        }
    } else {
        let text = std::str::from_utf8(of.bytes).map_err(|e| e.valid_up_to() + 1)?;
        starts.extend(text.char_indices().map(|(at, _)| at));
        at = text.len();
    }
    starts.push(at);
    Ok(starts)
}

fn valid(of: &Operand<'_>) -> Result<Vec<usize>, Problem> {
    starts(of).map_err(Problem::Invalid)
}

pub(super) fn invalid(of: &Operand<'_>) -> Value {
    Value::Integer(starts(of).err().unwrap_or(0))
}

pub(super) fn length(of: &Operand<'_>) -> Answer {
    Ok(Value::Integer(valid(of)?.len() - 1))
}

/// The nth character (from 1): where it starts and the next one does.
fn nth(starts: &[usize], n: i64) -> Option<(usize, usize)> {
    let n = usize::try_from(n).ok()?.checked_sub(1)?;
    Some((*starts.get(n)?, *starts.get(n + 1)?))
}

pub(super) fn position(of: &Operand<'_>, n: i64) -> Answer {
    Ok(Value::Integer(
        nth(&valid(of)?, n).map_or(0, |(start, _)| start + 1),
    ))
}

pub(super) fn width(of: &Operand<'_>, n: i64) -> Answer {
    Ok(Value::Integer(
        nth(&valid(of)?, n).map_or(0, |(start, end)| end - start),
    ))
}

pub(super) fn part(of: &Operand<'_>, from: i64, count: i64) -> Answer {
    let starts = valid(of)?;
    let last = from.checked_add(count).and_then(|n| n.checked_sub(1));
    let (first, last) = (nth(&starts, from), last.and_then(|n| nth(&starts, n)));
    let (Some((start, _)), Some((_, end)), true) = (first, last, count > 0) else {
        return Err(Problem::Characters(count, from));
    };
    let unit = if of.national { 2 } else { 1 };
    let bytes = of.bytes[start * unit..end * unit].to_vec();
    Ok(if of.national {
        Value::National(bytes)
    } else {
        Value::Text(bytes)
    })
}

/// Place of the first character beyond U+FFFF, 0 without one.
pub(super) fn supplementary(of: &Operand<'_>) -> Answer {
    let starts = valid(of)?;
    let wide = if of.national { 2 } else { 4 };
    let found = starts.windows(2).find(|w| w[1] - w[0] == wide);
    Ok(Value::Integer(found.map_or(0, |w| w[0] + 1)))
}
