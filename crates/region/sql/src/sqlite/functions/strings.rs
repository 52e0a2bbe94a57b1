//! Functions of characters: places, padding, codes.
//!
//! Not here: those that are as old as SQL (`characters`).

use super::code::{Answer, Code};
use super::value::{Arg, Args};
use rusqlite::types::Value;
use transom_copybook::codepage::CP037;
use transom_sql::{Family, Type};

fn text(value: impl Into<String>) -> Answer {
    Ok(Value::Text(value.into()))
}

fn number(value: usize) -> Answer {
    Ok(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
}

fn chars(args: &Args<'_>, n: usize) -> Result<Vec<char>, Code> {
    Ok(args.text(n)?.chars().collect())
}

/// -138: a start or length that is not in the string.
fn outside(args: &Args<'_>, n: usize) -> Code {
    let name = args.name.trim_start_matches("db2_").to_uppercase();
    Code(-138, vec![(n + 1).to_string(), name])
}

/// The character in a byte of ISO 8859-1.
fn latin(c: char) -> u8 {
    u8::try_from(u32::from(c)).unwrap_or(b'?')
}

pub(super) fn ascii(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let first = args.text(0)?.chars().next();
    number(first.map_or(0, |c| usize::from(latin(c))))
}

/// Of the lowest 256 codes, as both functions count.
fn code_of(args: &Args<'_>) -> Result<u8, Code> {
    Ok(args.whole(0)?.rem_euclid(256) as u8)
}

pub(super) fn ascii_chr(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    match code_of(args)? {
        code @ ..128 => text(char::from(code)),
        _ => Err(Code(-84, vec!["ASCII_CHR above 127".to_owned()])),
    }
}

pub(super) fn ebcdic_chr(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let code = code_of(args)?;
    text(char::from(CP037.to_latin1[usize::from(code)]))
}

/// `HEX` in a database whose characters are those of code page 037.
pub(super) fn hex_ebcdic(args: &Args<'_>) -> Answer {
    hex(args, |byte| CP037.from_latin1[usize::from(byte)])
}

pub(super) fn hex_ascii(args: &Args<'_>) -> Answer {
    hex(args, |byte| byte)
}

fn hex(args: &Args<'_>, of: fn(u8) -> u8) -> Answer {
    let digits = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02X}")).collect::<String>();
    text(match (args.first, args.get(0)) {
        (_, Arg::Null) => return Ok(Value::Null),
        (Type::SmallInt, Arg::Integer(n)) => digits(&(*n as i16).to_be_bytes()),
        (Type::Integer, Arg::Integer(n)) => digits(&(*n as i32).to_be_bytes()),
        (_, Arg::Integer(n)) => digits(&n.to_be_bytes()),
        (Type::Decimal { precision, scale }, value) => {
            let value = value.exact().and_then(|value| value.rescaled(scale));
            let value = value.ok_or_else(|| args.wrong(0))?;
            let width = usize::from(precision) / 2 * 2 + 1;
            let sign = if value.digits < 0 { 'D' } else { 'C' };
            format!("{:0width$}{sign}", value.digits.unsigned_abs())
        }
        (kind, Arg::Text(value)) if kind.is_datetime() => {
            value.chars().filter(char::is_ascii_digit).collect()
        }
        (_, Arg::Text(value)) => {
            let bytes: Vec<u8> = value.chars().map(|c| of(latin(c))).collect();
            digits(&bytes)
        }
        (kind, Arg::Blob(bytes)) if kind.family() == Family::Bytes => digits(bytes),
        _ => return Err(Code(-84, vec!["HEX".to_owned()])),
    })
}

/// Source, place and count, and what comes there.
fn replaced(args: &Args<'_>, by: usize, at: usize, count: Option<usize>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (source, new) = (chars(args, 0)?, chars(args, by)?);
    let start = args.whole(at)?;
    let from = usize::try_from(start - 1)
        .ok()
        .filter(|from| *from <= source.len());
    let from = from.ok_or_else(|| outside(args, at))?;
    let count = match count {
        None => new.len(),
        Some(n) => {
            let count = usize::try_from(args.whole(n)?).ok();
            let count = count.filter(|count| *count <= source.len());
            count.ok_or_else(|| outside(args, n))?
        }
    };
    let behind = source.len().min(from + count);
    let parts = source[..from].iter().chain(&new).chain(&source[behind..]);
    text(parts.collect::<String>())
}

/// INSERT(source, start, length, new)
pub(super) fn insert(args: &Args<'_>) -> Answer {
    replaced(args, 3, 1, Some(2))
}

/// OVERLAY(source, new, start, length)
pub(super) fn overlay(args: &Args<'_>) -> Answer {
    replaced(args, 1, 2, (args.values.len() > 3).then_some(3))
}

/// LOCATE_IN_STRING(source, what, start, instance): a start below zero counts from the end, and
/// goes to the front.
pub(super) fn locate_in_string(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (source, what) = (chars(args, 0)?, chars(args, 1)?);
    let given = |n: usize| match args.values.len() > n {
        true => args.whole(n),
        false => Ok(1),
    };
    let (start, instance) = (given(2)?, given(3)?);
    if start == 0 {
        return Err(args.wrong(2));
    }
    let instance = usize::try_from(instance - 1).map_err(|_| args.wrong(3))?;
    if what.is_empty() {
        return number(1);
    }
    let is_at = |at: &usize| source[*at..].starts_with(&what);
    let count = source.len() as i64;
    let found = match start > 0 {
        true => (((start - 1).min(count)) as usize..source.len())
            .filter(is_at)
            .nth(instance),
        false => {
            let last = (count + start).max(-1) + 1;
            (0..last as usize).rev().filter(is_at).nth(instance)
        }
    };
    number(found.map_or(0, |at| at + 1))
}

/// POSITION(what, source)
pub(super) fn position(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (what, source) = (chars(args, 0)?, chars(args, 1)?);
    let mut places = 0..source.len() + 1;
    let found = places.find(|at| source[*at..].starts_with(&what));
    number(found.map_or(0, |at| at + 1))
}

/// What lies in the string of `length` characters from `start`, which may be in front of it.
pub(super) fn substring(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let source = chars(args, 0)?;
    let count = source.len() as i64;
    let start = args.whole(1)?;
    let end = match args.values.len() {
        2 => count + 1,
        _ => match args.whole(2)? {
            ..0 => return Err(outside(args, 2)),
            length => start.saturating_add(length),
        },
    };
    let from = start.clamp(1, count + 1) as usize - 1;
    let to = end.clamp(1, count + 1) as usize - 1;
    text(source[from..to.max(from)].iter().collect::<String>())
}

/// Longest string of Db2.
const STRING_MAX: usize = 32_704;

/// So many characters from the left, and what has to come to them.
fn padded(args: &Args<'_>) -> Result<(String, String), Code> {
    let source = args.text(0)?;
    let length = usize::try_from(args.whole(1)?).ok();
    let length = length.filter(|length| *length <= STRING_MAX);
    let length = length.ok_or_else(|| args.wrong(1))?;
    let with = match args.values.len() {
        2 => " ",
        _ => args.text(2)?,
    };
    if with.is_empty() {
        return Err(args.wrong(2));
    }
    let kept: String = source.chars().take(length).collect();
    let missing = length - kept.chars().count();
    Ok((kept, with.chars().cycle().take(missing).collect()))
}

pub(super) fn lpad(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (kept, more) = padded(args)?;
    text(more + &kept)
}

pub(super) fn rpad(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (kept, more) = padded(args)?;
    text(kept + &more)
}

/// TRANSLATE(source, to, from, pad); of one argument UPPER.
pub(super) fn translate(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    if args.values.len() == 1 {
        return super::characters::upper(args);
    }
    let (to, from) = (chars(args, 1)?, chars(args, 2)?);
    let pad = match args.values.len() {
        3 => ' ',
        _ => {
            let mut pad = args.text(3)?.chars();
            match (pad.next(), pad.next()) {
                (Some(pad), None) => pad,
                _ => return Err(args.wrong(3)),
            }
        }
    };
    let of = |c: char| match from.iter().position(|f| *f == c) {
        Some(at) => to.get(at).copied().unwrap_or(pad),
        None => c,
    };
    text(args.text(0)?.chars().map(of).collect::<String>())
}

/// RAISE_ERROR(state, text): a value of it is an error.
pub(super) fn raise_error(args: &Args<'_>) -> Answer {
    let state = args.text(0)?;
    let known = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase();
    let class = state.get(..2).unwrap_or_default();
    if state.len() != 5 || !state.chars().all(known) || ["00", "01", "02"].contains(&class) {
        return Err(Code(-435, vec![state.to_owned()]));
    }
    Err(Code(-438, vec![args.text(1)?.to_owned(), state.to_owned()]))
}

/// Ends a statement with the SQLCODE it is given.
pub(super) fn fail(args: &Args<'_>) -> Answer {
    let code = i32::try_from(args.whole(0)?).unwrap_or(-901);
    Err(Code::new(code))
}
