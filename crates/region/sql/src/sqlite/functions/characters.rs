//! Functions of characters. A character is a byte of the programs' code page.

use super::code::{Answer, Code};
use super::value::{Arg, Args, as_type};
use rusqlite::types::Value;
use transom_sql::{Family, Type};

fn text(value: impl Into<String>) -> Answer {
    Ok(Value::Text(value.into()))
}

fn number(value: usize) -> Answer {
    Ok(Value::Integer(i64::try_from(value).unwrap_or(i64::MAX)))
}

/// The characters whose bytes these hexadecimal digits are.
pub(super) fn chars(args: &Args<'_>) -> Answer {
    let digits = args.text(0)?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes: Option<String> = (0..digits.len())
        .step_by(2)
        .map(|at| byte(at).map(char::from))
        .collect();
    bytes.map(Value::Text).ok_or_else(|| args.wrong(0))
}

pub(super) fn concat(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    text(format!("{}{}", args.text(0)?, args.text(1)?))
}

/// Db2's LIKE: `%`, `_` and an escape character; case and blanks count.
pub(super) fn like(args: &Args<'_>) -> Answer {
    if args.get(0).is_null() || args.get(1).is_null() {
        return Ok(Value::Null);
    }
    let (value, pattern) = (args.text(0)?, args.text(1)?);
    let escape = match args.get(2) {
        Arg::Text(escape) if escape.chars().count() != 1 => return Err(Code::new(-130)),
        Arg::Text(escape) => escape.chars().next(),
        _ => None,
    };
    let parts = parts(pattern, escape).ok_or(Code::new(-130))?;
    let value: Vec<char> = value.chars().collect();
    Ok(Value::Integer(matches(&value, &parts).into()))
}

enum Part {
    One(char),
    Any,
    All,
}

fn parts(pattern: &str, escape: Option<char>) -> Option<Vec<Part>> {
    let mut out = Vec::new();
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        out.push(match c {
            c if Some(c) == escape => match chars.next()? {
                c @ ('%' | '_') => Part::One(c),
                c if Some(c) == escape => Part::One(c),
                _ => return None,
            },
            '%' => Part::All,
            '_' => Part::Any,
            c => Part::One(c),
        });
    }
    Some(out)
}

/// Goes back to the last `%` when a character differs: no worse than the product of the lengths.
fn matches(value: &[char], pattern: &[Part]) -> bool {
    let (mut v, mut p) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while v < value.len() {
        match pattern.get(p) {
            Some(Part::All) => {
                back = Some((p, v));
                p += 1;
                continue;
            }
            Some(Part::Any) => {
                (v, p) = (v + 1, p + 1);
                continue;
            }
            Some(Part::One(c)) if *c == value[v] => {
                (v, p) = (v + 1, p + 1);
                continue;
            }
            _ => {}
        }
        match back {
            Some((star, from)) => {
                back = Some((star, from + 1));
                (v, p) = (from + 1, star + 1);
            }
            None => return false,
        }
    }
    pattern[p..].iter().all(|part| matches!(part, Part::All))
}

/// CHAR and VARCHAR of a value.
fn as_text(args: &Args<'_>) -> Answer {
    if args.get(0).is_null() {
        return Ok(Value::Null);
    }
    match (args.get(0), args.first) {
        (Arg::Text(value), kind) if kind.is_datetime() => text(value.clone()),
        (Arg::Text(value), _) => {
            let length = args.result.length().unwrap_or(u32::MAX) as usize;
            let cut: String = value.chars().take(length).collect();
            as_type(&Arg::Text(cut), args.first, args.result)
        }
        (Arg::Real(_), _) => Err(Code(-84, vec![args.name.to_owned()])),
        (Arg::Integer(n), _) => as_type(&Arg::Text(n.to_string()), args.first, args.result),
        (other, _) => as_type(other, args.first, args.result),
    }
}

pub(super) fn char(args: &Args<'_>) -> Answer {
    match (args.first.family(), args.get(0), args.get(1)) {
        (Family::Date | Family::Time, Arg::Text(value), Arg::Text(form)) => {
            super::dates::formatted(value, args.first, form).ok_or_else(|| args.wrong(1))
        }
        _ => as_text(args),
    }
}

pub(super) fn varchar(args: &Args<'_>) -> Answer {
    as_text(args)
}

/// Bytes a value has in Db2.
pub(super) fn length(args: &Args<'_>) -> Answer {
    if args.get(0).is_null() {
        return Ok(Value::Null);
    }
    match (args.first, args.get(0)) {
        (Type::SmallInt, _) => number(2),
        (Type::Integer, _) => number(4),
        (Type::BigInt, _) => number(8),
        (Type::Decimal { precision, .. }, _) => number(usize::from(precision) / 2 + 1),
        (Type::Date, _) => number(4),
        (Type::Time, _) => number(3),
        (Type::Timestamp(_), _) => number(10),
        (_, Arg::Text(value)) => number(value.chars().count()),
        (_, Arg::Blob(bytes)) => number(bytes.len()),
        _ => number(8),
    }
}

pub(super) fn character_length(args: &Args<'_>) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        _ => number(args.text(0)?.chars().count()),
    }
}

/// SUBSTR(value, start, length): beyond the end -138.
pub(super) fn substr(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let value: Vec<char> = args.text(0)?.chars().collect();
    let start = args.whole(1)?;
    let count = value.len() as i64;
    // The most a varying string can have: blanks stand behind what it has.
    let most = match args.first {
        Type::Char(n) | Type::VarChar(n) => count.max(n.into()),
        _ => count,
    };
    if start < 1 || start > most.max(1) {
        return Err(Code(-138, vec!["2".to_owned(), "SUBSTR".to_owned()]));
    }
    let from = value.len().min((start - 1) as usize);
    let length = match args.values.len() {
        2 => (count - start + 1).max(0),
        _ => args.whole(2)?,
    };
    let fixed = matches!(args.first, Type::Char(_));
    if length < 0 || (length > most - start + 1 && !fixed) {
        return Err(Code(-138, vec!["3".to_owned(), "SUBSTR".to_owned()]));
    }
    let length = length as usize;
    let mut out: String = value[from..].iter().take(length).collect();
    out.extend(std::iter::repeat_n(' ', length - out.chars().count()));
    text(out)
}

fn end(args: &Args<'_>, right: bool) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let value: Vec<char> = args.text(0)?.chars().collect();
    let length = usize::try_from(args.whole(1)?);
    let length = length.map_err(|_| Code(-138, vec!["2".to_owned(), args.name.to_owned()]))?;
    let count = length.min(value.len());
    let part = match right {
        true => &value[value.len() - count..],
        false => &value[..count],
    };
    text(part.iter().collect::<String>())
}

pub(super) fn left(args: &Args<'_>) -> Answer {
    end(args, false)
}

pub(super) fn right(args: &Args<'_>) -> Answer {
    end(args, true)
}

fn find(value: &str, what: &str, from: usize) -> usize {
    let value: Vec<char> = value.chars().collect();
    let what: Vec<char> = what.chars().collect();
    if what.is_empty() {
        return 1;
    }
    let places = (from..(value.len() + 1).saturating_sub(what.len()).max(from))
        .find(|at| value[*at..].starts_with(&what));
    places.map_or(0, |at| at + 1)
}

/// LOCATE(what, value, start).
pub(super) fn locate(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let start = match args.values.len() {
        2 => 1,
        _ => args.whole(2)?,
    };
    let from = usize::try_from(start - 1).map_err(|_| args.wrong(2))?;
    number(find(args.text(1)?, args.text(0)?, from))
}

/// POSSTR(value, what).
pub(super) fn posstr(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    number(find(args.text(0)?, args.text(1)?, 0))
}

fn changed(args: &Args<'_>, change: impl Fn(&str) -> String) -> Answer {
    match args.get(0) {
        Arg::Null => Ok(Value::Null),
        _ => text(change(args.text(0)?)),
    }
}

pub(super) fn upper(args: &Args<'_>) -> Answer {
    changed(args, str::to_ascii_uppercase)
}

pub(super) fn lower(args: &Args<'_>) -> Answer {
    changed(args, str::to_ascii_lowercase)
}

/// The characters that go: blanks, or those of the second argument.
fn trimmed(args: &Args<'_>) -> Vec<char> {
    match args.get(1) {
        Arg::Text(set) if !set.is_empty() => set.chars().collect(),
        _ => vec![' '],
    }
}

pub(super) fn ltrim(args: &Args<'_>) -> Answer {
    changed(args, |value| {
        value.trim_start_matches(&*trimmed(args)).to_owned()
    })
}

pub(super) fn rtrim(args: &Args<'_>) -> Answer {
    changed(args, |value| {
        value.trim_end_matches(&*trimmed(args)).to_owned()
    })
}

/// STRIP(value, BOTH, character).
pub(super) fn strip(args: &Args<'_>) -> Answer {
    let side = match args.get(1) {
        Arg::Text(side) => side.to_ascii_uppercase(),
        _ => "BOTH".to_owned(),
    };
    let what = match args.get(2) {
        Arg::Text(what) => what.chars().next().unwrap_or(' '),
        _ => ' ',
    };
    changed(args, |value| {
        let value = match &*side {
            "T" | "TRAILING" => value,
            _ => value.trim_start_matches(what),
        };
        let value = match &*side {
            "L" | "LEADING" => value,
            _ => value.trim_end_matches(what),
        };
        value.to_owned()
    })
}

pub(super) fn replace(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let (what, by) = (args.text(1)?, args.text(2)?);
    match what.is_empty() {
        true => Err(args.wrong(1)),
        false => text(args.text(0)?.replace(what, by)),
    }
}

/// Longest string of Db2.
const STRING_MAX: usize = 32_704;

pub(super) fn repeat(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let value = args.text(0)?;
    let count = usize::try_from(args.whole(1)?).map_err(|_| args.wrong(1))?;
    match value.len().saturating_mul(count) > STRING_MAX {
        true => Err(Code(-137, vec![count.to_string()])),
        false => text(value.repeat(count)),
    }
}

pub(super) fn space(args: &Args<'_>) -> Answer {
    if args.has_null() {
        return Ok(Value::Null);
    }
    let count = usize::try_from(args.whole(0)?).map_err(|_| args.wrong(0))?;
    match count > STRING_MAX {
        true => Err(args.wrong(0)),
        false => text(" ".repeat(count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_is_db2s() {
        let is_like = |value: &str, pattern: &str| {
            let value: Vec<char> = value.chars().collect();
            matches(&value, &parts(pattern, Some('+')).unwrap())
        };
        assert!(is_like("TRANSOM", "TR%OM"));
        assert!(is_like("TRANSOM", "%S_M"));
        assert!(is_like("50%", "50+%"));
        assert!(!is_like("505", "50+%"));
        assert!(!is_like("AB  ", "AB"));
        assert!(!is_like("ab", "AB"));
        assert!(parts("A+B", Some('+')).is_none());
    }

    #[test]
    fn positions_count_from_one() {
        assert_eq!(find("ABCABC", "BC", 0), 2);
        assert_eq!(find("ABCABC", "BC", 2), 5);
        assert_eq!(find("ABC", "X", 0), 0);
        assert_eq!(find("ABC", "ABCD", 9), 0);
    }
}
