//! Generic names: `*` is any characters, `+` exactly one.
//!
//! Why here: CEMT, CEDA and the rules of authority select by the same patterns.

/// The pattern covers the name. Time grows with the product of the lengths at most.
pub fn matches(pattern: &[u8], name: &[u8]) -> bool {
    matches_with(pattern, name, b'+')
}

/// The same where another byte than `+` stands for one character.
pub fn matches_with(pattern: &[u8], name: &[u8], one: u8) -> bool {
    let (mut p, mut n) = (0, 0);
    // Where to go on when a guess of the last `*` was too short.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(byte) if *byte == one => (p, n) = (p + 1, n + 1),
            Some(byte) if name.get(n) == Some(byte) => (p, n) = (p + 1, n + 1),
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                (p, n) = (at + 1, from + 1);
            }
        }
    }
    pattern.iter().skip(p).all(|byte| *byte == b'*')
}

/// There is something to search for.
pub fn is_generic(name: &str) -> bool {
    name.contains(['*', '+'])
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_pluses() {
        for (pattern, name, fits) in [
            ("PAY*", "PAYROLL", true),
            ("PAY*", "TAX", false),
            ("C++N", "CESN", true),
            ("C++N", "CN", false),
            ("*A*B*", "XXAXXB", true),
            ("*A*B", "XXAXXBC", false),
            ("", "", true),
            ("*", "", true),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                fits,
                "{pattern} {name}"
            );
        }
        let pattern = "*A".repeat(40);
        assert!(!matches(pattern.as_bytes(), &[b'A'; 39]));
    }
}
