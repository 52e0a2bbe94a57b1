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

/// What ENCODING says.
#[derive(Debug, Default)]
pub(super) enum Encoding {
    /// Nothing: UTF-8, or a national document.
    #[default]
    Absent,
    /// `1208`.
    Literal(i64),
    Item(Reference),
    FromCodepage,
}

/// INDICATING: how an item tells that another one is null.
#[derive(Debug)]
pub(super) struct Indicator {
    pub(super) truths: Truths,
    /// The item that takes the literals.
    pub(super) item: Option<Reference>,
}

/// A statement without its exception phrases.
#[derive(Debug, Default)]
pub(super) struct Parse {
    pub(super) source: Reference,
    pub(super) receiver: Reference,
    pub(super) detail: bool,
    pub(super) encoding: Encoding,
    /// IGNORING JSON NULL FOR ALL.
    pub(super) ignores_null: bool,
    /// IGNORING JSON NULL FOR items.
    pub(super) ignored: Vec<Reference>,
    pub(super) indicators: Vec<(Reference, Indicator)>,
    /// CONVERTING FROM JSON NULL: the figurative constant.
    pub(super) nulls: Vec<(Reference, &'static str)>,
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
                self.read_conversions(from)?;
            } else if from.take("IGNORING") {
                self.read_ignored(from)?;
            } else if from.take("INDICATING") {
                self.read_indicators(from)?;
            } else if from.take("ENCODING") {
                self.encoding = encoding(from)?;
            } else {
                return match (with, from.word()) {
                    (false, Some(word)) if !from.is_over() => Err(format!("{word} in it")),
                    (false, _) => Ok(()),
                    (true, word) => Err(format!("WITH {}", word.unwrap_or_default())),
                };
            }
        }
    }

    fn read_conversions(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.take("FROM");
            from.take("JSON");
            if let Some(figure) = from.null_using("FROM")? {
                self.nulls.push((item, figure));
                continue;
            }
            if !from.take("BOOLEAN") && !from.take("BOOL") {
                return Err("CONVERTING FROM other than JSON BOOLEAN and JSON NULL".to_owned());
            }
            self.truths.push((item, truths(from)?));
        }
        Ok(())
    }

    fn read_ignored(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        loop {
            from.take("JSON");
            from.take("NULL");
            from.take("FOR");
            match from.take("ALL") {
                true => self.ignores_null = true,
                false => self.ignored.push(from.reference()?),
            }
            // JSON would begin a statement, too.
            if !from.take("ALSO") && from.ends_list() {
                return Ok(());
            }
        }
    }

    fn read_indicators(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.take("IS");
            from.take("JSON");
            from.expect("NULL")?;
            let truths = truths(from)?;
            let literals = matches!(truths, Truths::Literals(..));
            if literals {
                from.expect("IN")?;
            }
            let indicator = match literals {
                true => Some(from.reference()?),
                false => None,
            };
            let indicator = Indicator {
                truths,
                item: indicator,
            };
            self.indicators.push((item, indicator));
        }
        Ok(())
    }
}

/// What is behind USING.
fn truths(from: &mut Reader<'_>) -> Result<Truths, String> {
    from.take("USING");
    if from.is_literal() {
        let yes = from.literal()?;
        from.take("AND");
        return Ok(Truths::Literals(yes, from.literal()?));
    }
    let yes = from.reference()?;
    Ok(match from.take("AND") {
        true => Truths::Conditions(yes, from.reference()?),
        false => Truths::Condition(yes),
    })
}

/// What is behind ENCODING.
pub(super) fn encoding(from: &mut Reader<'_>) -> Result<Encoding, String> {
    if from.take("FROM") {
        from.expect("CODEPAGE")?;
        return Ok(Encoding::FromCodepage);
    }
    let word = from.word().unwrap_or_default();
    match word.parse() {
        Ok(number) => {
            from.at += 1;
            Ok(Encoding::Literal(number))
        }
        Err(_) => Ok(Encoding::Item(from.reference()?)),
    }
}
