//! The phrases of JSON GENERATE and XML GENERATE.
//!
//! Not here: which items they mean (`record`), exception phrases (`ending`).

use super::parsing::{Encoding, encoding};
use super::reader::{Figures, Reader, Reference, text};
use crate::token::Token;

/// What SUPPRESS names.
#[derive(Debug)]
pub(super) enum Suppress {
    Item(Reference, Option<Figures>),
    Every {
        /// NUMERIC or NONNUMERIC.
        numeric: Option<bool>,
        /// ATTRIBUTE or ELEMENT.
        attribute: Option<bool>,
        when: Figures,
    },
}

/// INDICATING: what says that an item is null.
#[derive(Debug)]
pub(super) enum Indicator {
    Condition(Reference),
    /// The item is equal to the literal.
    Literal(String, Reference),
}

impl Indicator {
    /// The condition-name or item.
    pub(super) fn name(&self) -> &Reference {
        match self {
            Indicator::Condition(name) | Indicator::Literal(_, name) => name,
        }
    }
}

/// What makes an item true: a condition-name, or a literal.
#[derive(Debug)]
pub(super) enum Truth {
    Condition(Reference),
    Literal(String),
}

/// A statement without its exception phrases.
#[derive(Debug, Default)]
pub(super) struct Statement {
    pub(super) json: bool,
    pub(super) receiver: Reference,
    pub(super) source: Reference,
    pub(super) count: Option<Reference>,
    /// No name: OMITTED.
    pub(super) names: Vec<(Reference, Option<String>)>,
    pub(super) suppress: Vec<Suppress>,
    pub(super) truths: Vec<(Reference, Truth)>,
    /// CONVERTING TO JSON NULL: the figurative constant.
    pub(super) nulls: Vec<(Reference, &'static str)>,
    pub(super) indicators: Vec<(Reference, Indicator)>,
    /// Of JSON.
    pub(super) encoding: Encoding,
    /// Of XML.
    pub(super) utf8: bool,
    pub(super) declaration: bool,
    pub(super) attributes: bool,
    /// An item or a literal.
    pub(super) namespace: Option<String>,
    pub(super) prefix: Option<String>,
    /// TYPE: whether it is an attribute.
    pub(super) types: Vec<(Reference, bool)>,
}

/// What is not supported, and the word behind it.
type Wrong = (String, usize);

impl Statement {
    /// Reads it from the word behind GENERATE; answers the word behind it too.
    pub(super) fn read(tokens: &[Token], at: usize, json: bool) -> Result<(Self, usize), Wrong> {
        let mut reader = Reader::new(tokens, at);
        let mut statement = Self {
            json,
            ..Self::default()
        };
        match statement.phrases(&mut reader) {
            Ok(()) => Ok((statement, reader.at)),
            Err(why) => Err((why, reader.at)),
        }
    }

    fn phrases(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        self.receiver = from.reference()?;
        from.expect("FROM")?;
        self.source = from.reference()?;
        loop {
            let with = from.take("WITH");
            if from.take("COUNT") {
                from.take("IN");
                self.count = Some(from.reference()?);
            } else if from.take("NAME") {
                from.take("OF");
                self.read_names(from)?;
            } else if from.take("SUPPRESS") {
                self.read_suppress(from)?;
            } else if self.json && from.take("CONVERTING") {
                self.read_conversions(from)?;
            } else if self.json && from.take("INDICATING") {
                self.read_indicators(from)?;
            } else if self.json && from.take("ENCODING") {
                self.encoding = encoding(from)?;
            } else if self.json || !self.xml_phrase(from)? {
                return match (with, from.word()) {
                    (false, Some(word)) if !from.is_over() => Err(format!("{word} in it")),
                    (false, _) => Ok(()),
                    (true, word) => Err(format!("WITH {}", word.unwrap_or_default())),
                };
            }
        }
    }

    fn xml_phrase(&mut self, from: &mut Reader<'_>) -> Result<bool, String> {
        if from.take("XML-DECLARATION") {
            self.declaration = true;
        } else if from.take("ATTRIBUTES") {
            self.attributes = true;
        } else if from.take("ENCODING") {
            if !from.take("1208") {
                return Err("ENCODING other than 1208".to_owned());
            }
            self.utf8 = true;
        } else if from.take("NAMESPACE") {
            from.take("IS");
            self.namespace = Some(from.literal_or_item()?);
        } else if from.take("NAMESPACE-PREFIX") {
            from.take("IS");
            self.prefix = Some(from.literal_or_item()?);
        } else if from.take("TYPE") {
            from.take("OF");
            while !from.ends_list() {
                let item = from.reference()?;
                from.take("IS");
                let attribute = from.take("ATTRIBUTE");
                if !attribute && !from.take("ELEMENT") {
                    return Err("TYPE IS CONTENT".to_owned());
                }
                self.types.push((item, attribute));
            }
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    fn read_names(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            let item = from.reference()?;
            from.take("IS");
            let name = match from.take("OMITTED") {
                true => None,
                false => Some(text(&from.literal()?)?),
            };
            self.names.push((item, name));
        }
        Ok(())
    }

    fn read_suppress(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            let every = from.take("EVERY");
            let numeric = match (from.take("NUMERIC"), from.take("NONNUMERIC")) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                _ => None,
            };
            let attribute = match (from.take("ATTRIBUTE"), from.take("ELEMENT")) {
                (true, _) => Some(true),
                (false, true) => Some(false),
                _ if from.take("CONTENT") => return Err("SUPPRESS EVERY CONTENT".to_owned()),
                _ => None,
            };
            if every || numeric.is_some() || attribute.is_some() {
                let when = from.when().ok_or("SUPPRESS EVERY without WHEN")?;
                self.suppress.push(Suppress::Every {
                    numeric,
                    attribute,
                    when,
                });
            } else {
                let item = from.reference()?;
                let when = from.when();
                self.suppress.push(Suppress::Item(item, when));
            }
        }
        Ok(())
    }

    fn read_conversions(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.expect("TO")?;
            from.take("JSON");
            if let Some(figure) = from.null_using("TO")? {
                self.nulls.push((item, figure));
                continue;
            }
            if !from.take("BOOLEAN") && !from.take("BOOL") {
                return Err("CONVERTING TO other than JSON BOOLEAN and JSON NULL".to_owned());
            }
            from.expect("USING")?;
            let truth = match from.is_literal() {
                true => Truth::Literal(from.literal()?),
                false => Truth::Condition(from.reference()?),
            };
            self.truths.push((item, truth));
        }
        Ok(())
    }

    fn read_indicators(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.take("IS");
            from.take("JSON");
            from.expect("NULL")?;
            from.take("USING");
            let indicator = match from.is_literal() {
                true => {
                    let literal = from.literal()?;
                    from.expect("IN")?;
                    Indicator::Literal(literal, from.reference()?)
                }
                false => Indicator::Condition(from.reference()?),
            };
            self.indicators.push((item, indicator));
        }
        Ok(())
    }
}
