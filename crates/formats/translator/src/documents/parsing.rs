//! The phrases of JSON PARSE.
//!
//! Not here: which items they mean (`record`), exception phrases (`ending`).

use super::reader::{Reader, Reference, text};
use crate::token::Token;

/// What an item holds when it is true, and when it is false.
#[derive(Debug)]
pub(super) enum Truths {
    /// The condition-name is true or false.
    Condition(Reference),
    Conditions(Reference, Reference),
    Literals(String, String),
}

/// A statement without its exception phrases.
#[derive(Debug, Default)]
pub(super) struct Parse {
    pub(super) source: Reference,
    pub(super) receiver: Reference,
    pub(super) detail: bool,
    /// No name: OMITTED.
    pub(super) names: Vec<(Reference, Option<String>)>,
    pub(super) suppress: Vec<Reference>,
    pub(super) truths: Vec<(Reference, Truths)>,
}

impl Parse {
    /// Reads it from the word behind PARSE; answers the word behind it too, also with the error.
    pub(super) fn read(tokens: &[Token], at: usize) -> Result<(Self, usize), (String, usize)> {
        let mut reader = Reader::new(tokens, at);
        let mut parse = Self::default();
        match parse.phrases(&mut reader) {
            Ok(()) => Ok((parse, reader.at)),
            Err(why) => Err((why, reader.at)),
        }
    }

    fn phrases(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        self.source = from.reference()?;
        from.expect("INTO")?;
        self.receiver = from.reference()?;
        loop {
            let with = from.take("WITH");
            if from.take("DETAIL") {
                self.detail = true;
            } else if from.take("NAME") {
                from.take("OF");
                while !from.ends_list() {
                    let item = from.reference()?;
                    from.take("IS");
                    let name = match from.take("OMITTED") {
                        true => None,
                        false => Some(text(&from.literal()?)?),
                    };
                    self.names.push((item, name));
                }
            } else if from.take("SUPPRESS") {
                while !from.ends_list() {
                    self.suppress.push(from.reference()?);
                }
            } else if from.take("CONVERTING") {
                self.read_truths(from)?;
            } else {
                return match (with, from.word()) {
                    (false, Some(word)) if !from.is_over() => Err(format!("{word} in it")),
                    (false, _) => Ok(()),
                    (true, word) => Err(format!("WITH {}", word.unwrap_or_default())),
                };
            }
        }
    }

    fn read_truths(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.take("FROM");
            from.take("JSON");
            if !from.take("BOOLEAN") && !from.take("BOOL") {
                return Err("CONVERTING FROM other than JSON BOOLEAN".to_owned());
            }
            from.take("USING");
            let truths = if from.is_literal() {
                let yes = from.literal()?;
                from.take("AND");
                Truths::Literals(yes, from.literal()?)
            } else {
                let yes = from.reference()?;
                match from.take("AND") {
                    true => Truths::Conditions(yes, from.reference()?),
                    false => Truths::Condition(yes),
                }
            };
            self.truths.push((item, truths));
        }
        Ok(())
    }
}
