//! What JSON PARSE does with null, and in which characters its text is.
//!
//! Not here: phrases (`parsing`), items that take values (`filling`).

use super::calls::Calls;
use super::encodings::characters;
use super::indicators::Indicated;
use super::parsing::Parse;
use super::said::Said;
use crate::token::At;
use transom_documents::{Characters, Receiver, Step};

/// The first step, which hands over the text.
pub(super) fn begin(parse: &Parse, national: bool, out: &mut Calls) -> Result<(), String> {
    let mut items = vec![parse.source.written.clone()];
    let absent = Characters::Utf8;
    let characters = characters(&parse.encoding, national, absent, out, &mut items)?;
    let begin = Step::JsonParse {
        characters,
        ignores_null: parse.ignores_null,
    };
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    out.step(&begin, &items);
    Ok(())
}

/// What is done when the item is null; `None`: nothing.
pub(super) fn when_null(
    at: At,
    item: &str,
    said: &Said<'_>,
    receiver: Receiver,
    indicated: Option<&Indicated>,
) -> Result<Option<Calls>, String> {
    let mut calls = Calls::new(at);
    match (said.null, indicated) {
        (Some(_), Some(_)) => {
            Err("CONVERTING FROM JSON NULL and INDICATING of one item".to_owned())
        }
        (Some(figure), None) if !may_take(figure, receiver) => Err(format!(
            "CONVERTING FROM JSON NULL of {item} USING {figure}"
        )),
        (Some(figure), None) => {
            calls.write(&format!("MOVE {figure} TO {item}"));
            Ok(Some(calls))
        }
        (None, Some([null, _])) => {
            calls.write(null);
            Ok(Some(calls))
        }
        (None, None) => Ok(None),
    }
}

/// MOVE of the figurative constant is allowed.
fn may_take(figure: &str, receiver: Receiver) -> bool {
    match receiver {
        Receiver::Group => false,
        Receiver::Text { alphabetic, .. } => !alphabetic || figure == "SPACE",
        Receiver::Number { .. } | Receiver::Float { .. } => figure == "ZERO",
    }
}
