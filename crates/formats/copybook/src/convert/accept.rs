//! JSON values and texts into elementary items.

use super::error::ConvertError;
use super::float;
use super::json::{Chars, Raw};
use super::leaf::Leaf;
use super::number::Number;
use super::page::{Page, translate};
use super::store::Misfit;
use crate::shape::{BytesForm, CharVarying, FloatFormat};
use transom_messages as messages;

type Done = Result<(), Box<ConvertError>>;

/// Stores a JSON string; in a number what it spells, unless `strict`.
///
/// Plain text is the hot path: `raw` stays in registers because only `uncommon` takes its address.
#[inline]
pub(super) fn string(leaf: &Leaf, raw: Raw<'_>, item: &mut [u8], strict: bool) -> Done {
    match leaf {
        Leaf::Text {
            page,
            varying,
            justified,
            ..
        } if raw.plain => {
            let room = room(item.len(), *varying);
            if raw.bytes.len() > room {
                return Err(too_long(raw.at, raw.bytes.len(), room));
            }
            plain_text(page, raw.bytes, *varying, *justified, item);
            Ok(())
        }
        leaf => uncommon(leaf, raw.bytes, raw.at, raw.plain, item, strict),
    }
}

/// A string that has escapes or characters beyond ASCII, or is not for a text.
#[inline(never)]
fn uncommon(
    leaf: &Leaf,
    bytes: &[u8],
    at: usize,
    plain: bool,
    item: &mut [u8],
    strict: bool,
) -> Done {
    let raw = Raw { bytes, at, plain };
    match leaf {
        Leaf::Number { .. } | Leaf::Float { .. } => spelled(leaf, &raw, item, strict),
        leaf => characters(leaf, Chars::of(&raw)?, at, item),
    }
}

/// A number in quotes, as clients send it that keep leading zeros.
fn spelled(leaf: &Leaf, raw: &Raw<'_>, item: &mut [u8], strict: bool) -> Done {
    let text = Chars::of(raw)?.collect::<Result<String, _>>()?;
    match numeric(&text).filter(|_| !strict) {
        Some(digits) => number(leaf, digits.as_bytes(), raw.at, item, strict),
        None => Err(ConvertError::new(messages::cb::string_for_number(), raw.at)),
    }
}

fn room(len: usize, varying: CharVarying) -> usize {
    len - usize::from(varying == CharVarying::Null && len > 0)
}

fn pad(page: &Page, varying: CharVarying) -> u8 {
    if varying == CharVarying::Null {
        0
    } else {
        page.cp.space
    }
}

#[inline]
fn plain_text(page: &Page, text: &[u8], varying: CharVarying, justified: bool, item: &mut [u8]) {
    let split = if justified {
        item.len() - text.len()
    } else {
        text.len()
    };
    let (left, right) = item.split_at_mut(split);
    let (place, rest) = if justified {
        (right, left)
    } else {
        (left, right)
    };
    if page.identity {
        place.copy_from_slice(text);
    } else {
        translate(place, text, &page.cp.from_latin1);
    }
    rest.fill(pad(page, varying));
}

/// Stores characters that need decoding.
fn characters(
    leaf: &Leaf,
    chars: impl Iterator<Item = Result<char, Box<ConvertError>>>,
    at: usize,
    item: &mut [u8],
) -> Done {
    match leaf {
        Leaf::Text {
            page,
            varying,
            justified,
            ..
        } => {
            let room = room(item.len(), *varying);
            let mut len = 0;
            for c in chars {
                let c = c?;
                let byte = page
                    .cp
                    .from_char(c)
                    .ok_or_else(|| unmappable(at, c, page))?;
                if len < room {
                    item[len] = byte;
                }
                len += 1;
            }
            if len > room {
                return Err(too_long(at, len, room));
            }
            item[len..].fill(pad(page, *varying));
            if *justified {
                item.rotate_right(item.len() - len);
            }
            Ok(())
        }
        Leaf::National { .. } => national(chars, at, item),
        Leaf::Bytes {
            form: BytesForm::Hex,
        } => hex(chars, at, item),
        Leaf::Bytes {
            form: BytesForm::Base64,
        } => base64(chars, at, item),
        Leaf::Number { .. } | Leaf::Float { .. } => Ok(()),
    }
}

fn national(
    chars: impl Iterator<Item = Result<char, Box<ConvertError>>>,
    at: usize,
    item: &mut [u8],
) -> Done {
    let room = item.len() / 2;
    let mut len = 0;
    for c in chars {
        let mut units = [0; 2];
        for unit in c?.encode_utf16(&mut units) {
            if let Some(place) = item.get_mut(len * 2..len * 2 + 2) {
                place.copy_from_slice(&unit.to_be_bytes());
            }
            len += 1;
        }
    }
    if len > room {
        return Err(too_long(at, len, room));
    }
    for place in item[len * 2..].chunks_mut(2) {
        place.copy_from_slice(&[0, b' '][..place.len()]);
    }
    Ok(())
}

fn hex(
    chars: impl Iterator<Item = Result<char, Box<ConvertError>>>,
    at: usize,
    item: &mut [u8],
) -> Done {
    item.fill(0);
    let mut len = 0;
    for c in chars {
        let digit = c?
            .to_digit(16)
            .ok_or_else(|| not_bytes(at, "hexadecimal digits"))?;
        if let Some(byte) = item.get_mut(len / 2) {
            *byte = *byte << 4 | digit as u8;
        }
        len += 1;
    }
    match len {
        len if len % 2 == 1 => Err(not_bytes(at, "an even number of hexadecimal digits")),
        len if len > item.len() * 2 => Err(too_long(at, len, item.len() * 2)),
        _ => Ok(()),
    }
}

fn base64(
    chars: impl Iterator<Item = Result<char, Box<ConvertError>>>,
    at: usize,
    item: &mut [u8],
) -> Done {
    item.fill(0);
    let (mut bits, mut held, mut len, mut symbols, mut padding) = (0u32, 0, 0, 0usize, 0usize);
    for c in chars {
        let value = match c? {
            c @ 'A'..='Z' => c as u32 - 65,
            c @ 'a'..='z' => c as u32 - 71,
            c @ '0'..='9' => c as u32 + 4,
            '+' => 62,
            '/' => 63,
            '=' if padding < 2 => {
                padding += 1;
                continue;
            }
            _ => return Err(not_bytes(at, "base 64")),
        };
        if padding > 0 {
            return Err(not_bytes(at, "base 64"));
        }
        symbols += 1;
        bits = bits << 6 | value;
        held += 6;
        if held >= 8 {
            held -= 8;
            if let Some(byte) = item.get_mut(len) {
                *byte = (bits >> held) as u8;
            }
            len += 1;
        }
    }
    if !(symbols + padding).is_multiple_of(4) || symbols % 4 == 1 {
        return Err(not_bytes(at, "base 64 with padding"));
    }
    if len > item.len() {
        Err(too_long(at, len, item.len()))
    } else {
        Ok(())
    }
}

/// Stores a number in JSON syntax; in a string its characters, unless `strict`.
#[inline]
pub(super) fn number(leaf: &Leaf, text: &[u8], at: usize, item: &mut [u8], strict: bool) -> Done {
    match leaf {
        Leaf::Number { number, .. } => match number.fit(text) {
            Ok(value) => {
                number.write(value, item);
                Ok(())
            }
            Err(misfit) => Err(describe(misfit, number, text, at)),
        },
        Leaf::Float { format, .. } => floating(*format, text, at, item),
        Leaf::Text { .. } | Leaf::National { .. } if !strict => {
            characters(leaf, text.iter().map(|b| Ok(char::from(*b))), at, item)
        }
        _ => Err(ConvertError::new(messages::cb::number_for_string(), at)),
    }
}

fn floating(format: FloatFormat, text: &[u8], at: usize, item: &mut [u8]) -> Done {
    match std::str::from_utf8(text) {
        Ok(text) if float::store(text, item, format) => Ok(()),
        _ => Err(ConvertError::new(messages::cb::out_of_float_range(), at)),
    }
}

/// Stores a text that is no JSON: a path, query or header value, or a default. Numbers may have
/// leading zeros, a plus sign and blanks around them.
pub(super) fn text(leaf: &Leaf, text: &str, item: &mut [u8]) -> Done {
    if leaf.is_string() {
        return characters(leaf, text.chars().map(Ok), 0, item);
    }
    match numeric(text) {
        Some(digits) => number(leaf, digits.as_bytes(), 0, item, true),
        None => Err(ConvertError::new(
            messages::cb::value_not_a_number(format_args!("{:?}", clip(text))),
            0,
        )),
    }
}

/// A number in JSON syntax of one that may have leading zeros, a plus sign and blanks around it.
fn numeric(text: &str) -> Option<String> {
    let trimmed = text.trim_matches([' ', '\t', '\r', '\n']);
    let (sign, digits) = match trimmed.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    if !is_number(digits.as_bytes()) {
        return None;
    }
    let whole = digits.find(['.', 'e', 'E']).unwrap_or(digits.len());
    let zeros = digits
        .bytes()
        .take(whole.saturating_sub(1))
        .take_while(|b| *b == b'0')
        .count();
    Some(format!("{sign}{}", &digits[zeros..]))
}

fn is_number(text: &[u8]) -> bool {
    let digits = |at: usize| text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(0);
    let mut at = whole;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return false;
        }
        at += 1 + fraction;
    }
    if whole > 0 && matches!(text.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(text.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    whole > 0 && at == text.len()
}

#[cold]
fn describe(misfit: Misfit, number: &Number, text: &[u8], at: usize) -> Box<ConvertError> {
    let shown = String::from_utf8_lossy(&text[..text.len().min(48)]).into_owned();
    match misfit {
        Misfit::TooLarge => {
            let range = range(number);
            ConvertError::new(messages::cb::out_of_range(&shown, &range), at)
        }
        Misfit::TooPrecise => {
            let decimals = number.scale;
            ConvertError::new(messages::cb::too_many_decimals(&shown, decimals.max(0)), at)
        }
        Misfit::Negative => ConvertError::new(messages::cb::negative(&shown), at),
    }
}

fn range(number: &Number) -> String {
    use super::number::{Value, put};
    let mut shown = Vec::new();
    put(
        &mut shown,
        Value {
            negative: true,
            magnitude: number.least,
        },
        number.scale,
    );
    shown.extend_from_slice(b" to ");
    put(
        &mut shown,
        Value {
            negative: false,
            magnitude: number.most,
        },
        number.scale,
    );
    String::from_utf8_lossy(&shown).into_owned()
}

#[cold]
fn too_long(at: usize, len: usize, room: usize) -> Box<ConvertError> {
    ConvertError::new(messages::cb::string_too_long(len, room), at)
}

#[cold]
fn unmappable(at: usize, c: char, page: &Page) -> Box<ConvertError> {
    ConvertError::new(
        messages::cb::not_in_code_page(format_args!("U+{:04X}", c as u32), page.cp.ccsid),
        at,
    )
}

#[cold]
fn not_bytes(at: usize, what: &str) -> Box<ConvertError> {
    ConvertError::new(messages::cb::string_not(what), at)
}

fn clip(text: &str) -> String {
    text.chars().take(48).collect()
}
