//! Members of the user's own that have the name of a supplied copybook.
//!
//! What: which values they have otherwise. Why: a member of IBM that was transferred as text has
//! lost the bytes that are no characters, and nobody sees that in it. Not here: who tells it.

use crate::hex;
use crate::lexer::lex;
use crate::system::system_copybook;
use crate::token::{Kind, Session, Token};
use std::collections::BTreeMap;

/// Items that a copybook of the user's own has with another VALUE than the supplied one; none where
/// there is no supplied one of the name.
pub fn other_values(name: &str, own: &str) -> Option<Vec<String>> {
    let (_, supplied) = system_copybook(name)?;
    let own = values(own);
    let differs =
        |(item, value): &(String, Vec<Vec<u8>>)| own.get(item).is_some_and(|other| other != value);
    // In their order.
    let mut known = in_order(supplied);
    known.retain(differs);
    Some(known.into_iter().map(|(item, _)| item).collect())
}

fn values(text: &str) -> BTreeMap<String, Vec<Vec<u8>>> {
    in_order(text).into_iter().collect()
}

/// Items and condition names with the bytes of their VALUEs, where all of them are literals.
fn in_order(text: &str) -> Vec<(String, Vec<Vec<u8>>)> {
    let tokens = lex(text, 0, None, &mut Session::default()).tokens;
    let entries = tokens.split(|token| token.kind == Kind::Period);
    entries.filter_map(entry).collect()
}

fn entry(words: &[Token]) -> Option<(String, Vec<Vec<u8>>)> {
    let name = words.get(1)?.upper();
    let clause = words.iter().position(|t| t.is_any(&["VALUE", "VALUES"]))?;
    let literals = words[clause + 1..].iter();
    let literals = literals.filter(|t| !t.is_any(&["IS", "ARE"]) && t.kind != Kind::Comma);
    let bytes: Option<Vec<Vec<u8>>> = literals.map(hex::characters).collect();
    Some((name, bytes?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::MEMBERS;

    const MEMBER: &str = "\
       01  DFHBMSCA.
           02  DFHBMPEM PIC X VALUE IS X'19'.
           02  DFHBMBRY PIC X VALUE IS X'C8'.
           02  DFHBMUNP PIC X VALUE IS SPACE.
           02  DFHBMASK PIC X VALUE '1'.
           02  DFHBMFLG PIC X.
               88  DFHERASE VALUES ARE X'80', 'b'.
           02  DFHBMPSO PIC X.
           02  DFHOWN   PIC X VALUE '?'.
";

    #[test]
    fn values_that_a_transfer_changed_are_named() {
        let found = other_values("dfhbmsca", MEMBER).unwrap();
        assert_eq!(found, ["DFHBMASK", "DFHERASE"]);
        assert_eq!(other_values("CUSTREC", MEMBER), None);
        for (name, text) in MEMBERS {
            assert_eq!(other_values(name, text), Some(Vec::new()), "{name}");
        }
    }
}
