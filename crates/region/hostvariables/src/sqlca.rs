//! The SQLCA, or what a program has in its place.

use transom_commands::sql::{FLAG_NATIVE, Role};
use transom_wire::sql::SqlAnswer;
use transom_workers::seam::{ItemKind, SqlCall};

/// Bytes of the SQLCA.
const LENGTH: usize = 136;
/// SQLERRMC.
const TOKENS_MAX: usize = 70;
/// Between tokens.
const SEPARATOR: u8 = 0xFF;

/// What SQLWARN says besides the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Warnings {
    /// SQLWARN1: a string was cut.
    pub cut: bool,
    /// SQLWARN3: there are fewer host variables than columns.
    pub columns: bool,
}

/// Fills what the program has.
pub fn fill(call: &mut dyn SqlCall, answer: &SqlAnswer, warnings: Warnings) {
    let native = call.statement().has(FLAG_NATIVE);
    let (code, state) = code(answer, warnings);
    let filled = |role: &Role| matches!(role, Role::Sqlca | Role::Sqlcode | Role::Sqlstate);
    let mut from = 0;
    loop {
        let mut roles = call.statement().roles().enumerate().skip(from);
        let next = roles.find(|(_, role)| filled(role));
        drop(roles);
        let Some((n, role)) = next else {
            return;
        };
        from = n + 1;
        match role {
            Role::Sqlca => {
                let bytes = call.bytes_mut(n);
                if let Some(area) = bytes.first_chunk_mut::<LENGTH>() {
                    *area = sqlca((code, state), answer, warnings, native);
                }
            }
            Role::Sqlcode => {
                let big = !matches!(call.item(n).kind, ItemKind::Binary { big: false });
                let bytes = call.bytes_mut(n);
                if let Some(field) = bytes.first_chunk_mut::<4>() {
                    *field = word(code, !big);
                }
            }
            Role::Sqlstate => {
                if let Some(field) = call.bytes_mut(n).first_chunk_mut::<5>() {
                    *field = state;
                }
            }
            _ => {}
        }
    }
}

/// Of a PREPARE: an UPDATE or DELETE of all rows, which SQLWARN4 tells.
const ALL_ROWS: [u8; 5] = *b"01504";

/// A warning is no error, but has a state of its own.
fn code(answer: &SqlAnswer, warnings: Warnings) -> (i32, [u8; 5]) {
    match answer.code {
        0 if warnings.cut => (0, *b"01004"),
        0 if warnings.columns => (0, *b"01503"),
        code => (code, answer.state),
    }
}

fn sqlca(
    (code, state): (i32, [u8; 5]),
    answer: &SqlAnswer,
    warnings: Warnings,
    native: bool,
) -> [u8; LENGTH] {
    let mut out = [0; LENGTH];
    out[..8].copy_from_slice(b"SQLCA   ");
    out[8..12].copy_from_slice(&word(LENGTH as i32, native));
    out[12..16].copy_from_slice(&word(code, native));
    let mut text = Vec::new();
    for (n, token) in answer.tokens.iter().enumerate() {
        text.extend((n > 0).then_some(SEPARATOR));
        text.extend(latin(token));
    }
    text.truncate(TOKENS_MAX);
    let length = text.len() as i16;
    out[16..18].copy_from_slice(&match native {
        true => length.to_ne_bytes(),
        false => length.to_be_bytes(),
    });
    out[18..18 + TOKENS_MAX].fill(b' ');
    out[18..18 + text.len()].copy_from_slice(&text);
    out[88..96].copy_from_slice(b"DSN     ");
    let count = i32::try_from(answer.count).unwrap_or(i32::MAX);
    out[104..108].copy_from_slice(&word(count, native));
    let position = i32::try_from(answer.position()).unwrap_or(i32::MAX);
    out[112..116].copy_from_slice(&word(position, native));
    out[120..131].fill(b' ');
    let warned = [
        (warnings.cut, 121),
        (warnings.columns, 123),
        (state == ALL_ROWS, 124),
    ];
    for (_, at) in warned.iter().filter(|(set, _)| *set) {
        out[*at] = b'W';
        out[120] = b'W';
    }
    out[131..136].copy_from_slice(&state);
    out
}

fn word(value: i32, native: bool) -> [u8; 4] {
    match native {
        true => value.to_ne_bytes(),
        false => value.to_be_bytes(),
    }
}

fn latin(text: &str) -> Vec<u8> {
    let byte = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_as_db2_fills_it() {
        let answer = SqlAnswer {
            count: 3,
            tokens: vec!["A".to_owned(), "B".to_owned()],
            ..SqlAnswer::of(-803, *b"23505")
        };
        let warnings = Warnings {
            cut: true,
            columns: false,
        };
        let area = sqlca(code(&answer, warnings), &answer, warnings, false);
        assert_eq!(&area[..16], b"SQLCA   \0\0\0\x88\xFF\xFF\xFC\xDD");
        assert_eq!(&area[16..22], b"\0\x03A\xFFB ");
        assert_eq!(&area[104..108], [0, 0, 0, 3]);
        assert_eq!(&area[120..136], b"WW         23505");
    }
}
