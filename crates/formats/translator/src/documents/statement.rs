//! The phrases of JSON GENERATE and XML GENERATE.
//!
//! Not here: which items they mean (`record`), exception phrases (`ending`).

use crate::token::{Kind, Token};
use crate::verbs::is_verb;

/// An identifier: its name with qualifiers, and its subscripts.
#[derive(Debug, Clone, Default)]
pub(super) struct Reference {
    /// Name, then the groups it is in.
    pub(super) names: Vec<String>,
    /// As written between the brackets.
    pub(super) subscripts: String,
    /// As written, reference modification with it.
    pub(super) written: String,
}

/// Figurative constants of a WHEN phrase.
pub(super) type Figures = Vec<&'static str>;

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
const FIGURES: [(&[&str], &str); 4] = [
    (&["ZERO", "ZEROS", "ZEROES"], "ZERO"),
    (&["SPACE", "SPACES"], "SPACE"),
    (&["LOW-VALUE", "LOW-VALUES"], "LOW-VALUE"),
    (&["HIGH-VALUE", "HIGH-VALUES"], "HIGH-VALUE"),
];
/// Words that begin a phrase, so that an identifier in front of one is the last of its phrase.
const PHRASES: &[&str] = &[
    "COUNT",
    "WITH",
    "ENCODING",
    "XML-DECLARATION",
    "ATTRIBUTES",
    "NAMESPACE",
    "NAMESPACE-PREFIX",
    "NAME",
    "TYPE",
    "SUPPRESS",
    "CONVERTING",
    "INDICATING",
    "ON",
    "NOT",
    "EXCEPTION",
    "END-JSON",
    "END-XML",
];

impl Statement {
    /// Reads it from the word behind GENERATE; answers the word behind it too.
    pub(super) fn read(tokens: &[Token], at: usize, json: bool) -> Result<(Self, usize), Wrong> {
        let mut reader = Reader { tokens, at };
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
                self.read_truths(from)?;
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

    fn read_truths(&mut self, from: &mut Reader<'_>) -> Result<(), String> {
        while !from.ends_list() {
            from.take("ALSO");
            let item = from.reference()?;
            from.expect("TO")?;
            from.take("JSON");
            if !from.take("BOOLEAN") && !from.take("BOOL") {
                return Err("CONVERTING TO other than JSON BOOLEAN".to_owned());
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
}

/// The characters of an alphanumeric literal.
fn text(literal: &str) -> Result<String, String> {
    let quote = literal.chars().next().unwrap_or(' ');
    let inside = literal
        .strip_prefix(quote)
        .and_then(|l| l.strip_suffix(quote));
    match inside.filter(|_| matches!(quote, '\'' | '"')) {
        Some(inside) => Ok(inside.replace(&format!("{quote}{quote}"), &quote.to_string())),
        None => Err(format!("{literal} as a name")),
    }
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<&Token> {
        while self.tokens.get(self.at)?.kind == Kind::Comma {
            self.at += 1;
        }
        self.tokens.get(self.at)
    }

    fn word(&mut self) -> Option<String> {
        self.next().map(Token::upper)
    }

    fn take(&mut self, word: &str) -> bool {
        let here = self.next().is_some_and(|t| t.is(word));
        self.at += usize::from(here);
        here
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.take(word) {
            true => Ok(()),
            false => Err(format!(
                "{} in place of {word}",
                self.word().unwrap_or_default()
            )),
        }
    }

    fn is_literal(&mut self) -> bool {
        self.next().is_some_and(|t| t.kind == Kind::Literal)
    }

    fn literal(&mut self) -> Result<String, String> {
        let text = self.next().map(|t| t.text.to_string()).unwrap_or_default();
        match self.is_literal() {
            true => {
                self.at += 1;
                Ok(text)
            }
            false => Err(format!("{text} in place of a literal")),
        }
    }

    fn literal_or_item(&mut self) -> Result<String, String> {
        match self.is_literal() {
            true => self.literal(),
            false => Ok(self.reference()?.written),
        }
    }

    /// No further item of a list follows.
    fn ends_list(&mut self) -> bool {
        self.is_over() || self.next().is_some_and(|t| t.is_any(PHRASES))
    }

    /// The statement ends here: a sentence, another statement, an exception phrase.
    fn is_over(&mut self) -> bool {
        self.next().is_none_or(|t| {
            t.kind != Kind::Word
                || is_verb(t)
                || t.is_any(&["ON", "NOT", "EXCEPTION", "END-JSON", "END-XML"])
        })
    }

    fn reference(&mut self) -> Result<Reference, String> {
        let name = self
            .next()
            .filter(|t| t.kind == Kind::Word)
            .map(Token::upper);
        let Some(name) = name else {
            let found = self.next().map(|t| t.text.to_string()).unwrap_or_default();
            return Err(format!("{found} in place of an item"));
        };
        self.at += 1;
        let mut of = Reference {
            written: name.clone(),
            names: vec![name],
            subscripts: String::new(),
        };
        while self
            .tokens
            .get(self.at)
            .is_some_and(|t| t.is_any(&["OF", "IN"]))
        {
            let Some(group) = self
                .tokens
                .get(self.at + 1)
                .filter(|t| t.kind == Kind::Word)
            else {
                break;
            };
            of.written += &format!(" OF {}", group.text);
            of.names.push(group.upper());
            self.at += 2;
        }
        while self
            .tokens
            .get(self.at)
            .is_some_and(|t| t.kind == Kind::Open)
        {
            let first = of.subscripts.is_empty();
            let inside = self.brackets();
            if first && !inside.contains(" : ") {
                of.subscripts.clone_from(&inside);
            }
            of.written += &format!(" ( {inside} )");
        }
        Ok(of)
    }

    /// What stands between brackets, as words.
    fn brackets(&mut self) -> String {
        let mut depth = 0;
        let mut inside = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            if token.kind != Kind::Comma {
                inside.push(&*token.text);
            }
        }
        inside.get(1..).unwrap_or_default().join(" ")
    }

    /// WHEN with figurative constants; any other WHEN is that of a statement around.
    fn when(&mut self) -> Option<Figures> {
        let begin = self.at;
        let mut figures = Vec::new();
        if self.take("WHEN") {
            while let Some(figure) = self.figure() {
                figures.push(figure);
                self.take("OR");
            }
        }
        if figures.is_empty() {
            self.at = begin;
            return None;
        }
        Some(figures)
    }

    fn figure(&mut self) -> Option<&'static str> {
        let word = self.word()?;
        let (_, figure) = FIGURES.iter().find(|(names, _)| names.contains(&&*word))?;
        self.at += 1;
        Some(figure)
    }
}
