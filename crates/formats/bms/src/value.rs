//! Values of operands: lists, numbers, quoted text, hexadecimal text.
//!
//! Every function tells what was expected, in words that end the sentence `X=value is not valid:`.

use crate::scan::Operand;

/// `(A,B)` or `A` as upper-case words.
pub(crate) fn words(operand: &Operand) -> Vec<String> {
    let value = operand.value.trim();
    let inner = value
        .strip_prefix('(')
        .and_then(|v| v.strip_suffix(')'))
        .unwrap_or(value);
    inner
        .split(',')
        .map(|w| w.trim().to_ascii_uppercase())
        .filter(|w| !w.is_empty())
        .collect()
}

/// One upper-case word.
pub(crate) fn word(operand: &Operand) -> Result<String, String> {
    match words(operand).as_slice() {
        [one] => Ok(one.clone()),
        _ => Err("one word is expected".to_owned()),
    }
}

/// A number in a range.
pub(crate) fn number(text: &str, from: u16, to: u16) -> Result<u16, String> {
    text.parse::<u16>()
        .ok()
        .filter(|n| (from..=to).contains(n))
        .ok_or_else(|| format!("a number from {from} to {to} is expected"))
}

/// A pair of numbers `(a,b)`.
pub(crate) fn pair(operand: &Operand, to: (u16, u16)) -> Result<(u16, u16), String> {
    match words(operand).as_slice() {
        [a, b] => Ok((number(a, 1, to.0)?, number(b, 1, to.1)?)),
        _ => Err("two numbers (line,column) are expected".to_owned()),
    }
}

/// YES or NO.
pub(crate) fn yes_no(operand: &Operand) -> Result<bool, String> {
    match word(operand)?.as_str() {
        "YES" => Ok(true),
        "NO" => Ok(false),
        _ => Err("YES or NO is expected".to_owned()),
    }
}

/// Text in quotes; `''` is a quote and `&&` an ampersand.
pub(crate) fn quoted(operand: &Operand) -> Result<String, String> {
    operand
        .value
        .strip_prefix('\'')
        .and_then(|v| v.strip_suffix('\''))
        .map(|v| v.replace("''", "'").replace("&&", "&"))
        .ok_or_else(|| "text in quotes is expected".to_owned())
}

/// Text in quotes as bytes of CCSID 819.
pub(crate) fn latin1(operand: &Operand) -> Result<Vec<u8>, String> {
    quoted(operand)?
        .chars()
        .map(|c| u8::try_from(u32::from(c)).map_err(|_| format!("{c} is not in code page 819")))
        .collect()
}

/// Hexadecimal digits in pairs, with or without quotes or `X'..'`.
pub(crate) fn hexadecimal(operand: &Operand) -> Result<Vec<u8>, String> {
    let expected = || "pairs of hexadecimal digits are expected".to_owned();
    let value = operand.value.trim();
    let digits = value
        .strip_prefix(['X', 'x'])
        .unwrap_or(value)
        .trim_matches('\'');
    let digits: Vec<u8> = digits
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8).ok_or_else(expected))
        .collect::<Result<_, _>>()?;
    match digits.as_chunks::<2>() {
        (pairs, []) => Ok(pairs.iter().map(|[high, low]| high << 4 | low).collect()),
        _ => Err(expected()),
    }
}
