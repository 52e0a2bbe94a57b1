//! Comparison of field values with the constants of rules.

use crate::shape::Op;
use std::cmp::Ordering;

/// Whether `value op constant` holds. Numbers compare by value, texts by character without blanks
/// at the end; a number field never equals a constant that is no number.
pub(super) fn holds(value: &str, number: bool, op: Op, constant: &str) -> bool {
    let order = if number {
        compare_numbers(value, constant.trim())
    } else {
        Some(
            value
                .trim_end_matches(' ')
                .cmp(constant.trim_end_matches(' ')),
        )
    };
    match (op, order) {
        (Op::Ne, None) => true,
        (_, None) => false,
        (Op::Eq, Some(order)) => order == Ordering::Equal,
        (Op::Ne, Some(order)) => order != Ordering::Equal,
        (Op::Lt, Some(order)) => order == Ordering::Less,
        (Op::Le, Some(order)) => order != Ordering::Greater,
        (Op::Gt, Some(order)) => order == Ordering::Greater,
        (Op::Ge, Some(order)) => order != Ordering::Less,
    }
}

fn compare_numbers(a: &str, b: &str) -> Option<Ordering> {
    match (parts(a), parts(b)) {
        (Some(a), Some(b)) => Some(compare_parts(a, b)),
        // Exponents come from floating-point fields only.
        _ => a.parse::<f64>().ok()?.partial_cmp(&b.parse::<f64>().ok()?),
    }
}

/// Sign, digits before the point without leading zeros, digits after it without trailing zeros.
fn parts(text: &str) -> Option<(bool, &str, &str)> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let digits_only = whole
        .bytes()
        .chain(fraction.bytes())
        .all(|b| b.is_ascii_digit());
    if !digits_only || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let (whole, fraction) = (
        whole.trim_start_matches('0'),
        fraction.trim_end_matches('0'),
    );
    let zero = whole.is_empty() && fraction.is_empty();
    Some((negative && !zero, whole, fraction))
}

fn compare_parts(a: (bool, &str, &str), b: (bool, &str, &str)) -> Ordering {
    let size =
        a.1.len()
            .cmp(&b.1.len())
            .then_with(|| a.1.cmp(b.1))
            .then_with(|| a.2.cmp(b.2));
    match (a.0, b.0) {
        (false, true) => Ordering::Greater,
        (true, false) => Ordering::Less,
        (false, false) => size,
        (true, true) => size.reverse(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value_and_texts_without_trailing_blanks() {
        assert!(holds("0012.50", true, Op::Eq, "12.5"));
        assert!(holds("-3", true, Op::Lt, "2"));
        assert!(holds("-3", true, Op::Gt, "-10"));
        assert!(holds("9", true, Op::Lt, "10"));
        assert!(holds("-0", true, Op::Eq, "0"));
        assert!(!holds("5", true, Op::Eq, "five"));
        assert!(holds("5", true, Op::Ne, "five"));
        assert!(holds("1.5e3", true, Op::Ge, "1500"));
        assert!(holds("Y   ", false, Op::Eq, "Y"));
        assert!(holds("9", false, Op::Gt, "10"));
    }
}
