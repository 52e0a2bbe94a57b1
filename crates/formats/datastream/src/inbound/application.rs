//! Data of a terminal as programs read it.
//!
//! What: [`parse_application`] takes apart what EXEC CICS RECEIVE gives: characters in the code
//! page of programs (CCSID 819), before each modified field an SBA order with its address as the
//! terminal sent it. Why: the codes of SA and GE are printable there, so [`super::parse`] would
//! read them as orders. Not here: key and cursor, which are in the EIB.

use crate::address::decode_address;
use crate::order::SBA;

/// What a program has received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplicationRead<'a> {
    /// Characters in front of the first field: all of them on a screen without fields.
    pub text: &'a [u8],
    /// Modified fields; those without a whole address are left out.
    pub fields: Vec<ApplicationField<'a>>,
}

/// One modified field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApplicationField<'a> {
    /// Position of the first character, one behind the field attribute.
    pub position: u16,
    pub characters: &'a [u8],
}

/// Takes received data apart.
pub fn parse_application(data: &[u8]) -> ApplicationRead<'_> {
    let mut parts = data.split(|byte| *byte == SBA);
    let text = parts.next().unwrap_or_default();
    let fields = parts.filter_map(field).collect();
    ApplicationRead { text, fields }
}

fn field(part: &[u8]) -> Option<ApplicationField<'_>> {
    match part {
        [high, low, characters @ ..] => Some(ApplicationField {
            position: decode_address(*high, *low).ok()?,
            characters,
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_are_text() {
        let read = parse_application(b"\x11\xC1\xD9I PROG(A)\x11\xC2\xE9x\x11\x80\x00y\x11");
        assert_eq!(read.text, b"");
        let fields: Vec<_> = read
            .fields
            .iter()
            .map(|f| (f.position, f.characters))
            .collect();
        assert_eq!(fields, [(89, &b"I PROG(A)"[..]), (169, b"x")]);
        assert_eq!(parse_application(b"CEMT I TASK").text, b"CEMT I TASK");
    }
}
