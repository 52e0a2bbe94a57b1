//! Words of a statement: identifiers, literals, the ends of lists.
//!
//! Not here: which phrases a statement has (`statement`, `parsing`, `events`).

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
    "DETAIL",
    "IGNORING",
    "PROCESSING",
    "RETURNING",
    "VALIDATING",
    "END-JSON",
    "END-XML",
];

/// The characters of an alphanumeric literal.
pub(super) fn text(literal: &str) -> Result<String, String> {
    let quote = literal.chars().next().unwrap_or(' ');
    let inside = literal
        .strip_prefix(quote)
        .and_then(|l| l.strip_suffix(quote));
    match inside.filter(|_| matches!(quote, '\'' | '"')) {
        Some(inside) => Ok(inside.replace(&format!("{quote}{quote}"), &quote.to_string())),
        None => Err(format!("{literal} as a name")),
    }
}

pub(super) struct Reader<'a> {
    tokens: &'a [Token],
    /// The word that comes next.
    pub(super) at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(tokens: &'a [Token], at: usize) -> Self {
        Self { tokens, at }
    }

    fn next(&mut self) -> Option<&Token> {
        while self.tokens.get(self.at)?.kind == Kind::Comma {
            self.at += 1;
        }
        self.tokens.get(self.at)
    }

    pub(super) fn word(&mut self) -> Option<String> {
        self.next().map(Token::upper)
    }

    pub(super) fn take(&mut self, word: &str) -> bool {
        let here = self.next().is_some_and(|t| t.is(word));
        self.at += usize::from(here);
        here
    }

    pub(super) fn expect(&mut self, word: &str) -> Result<(), String> {
        match self.take(word) {
            true => Ok(()),
            false => Err(format!(
                "{} in place of {word}",
                self.word().unwrap_or_default()
            )),
        }
    }

    pub(super) fn is_literal(&mut self) -> bool {
        self.next().is_some_and(|t| t.kind == Kind::Literal)
    }

    pub(super) fn literal(&mut self) -> Result<String, String> {
        let text = self.next().map(|t| t.text.to_string()).unwrap_or_default();
        match self.is_literal() {
            true => {
                self.at += 1;
                Ok(text)
            }
            false => Err(format!("{text} in place of a literal")),
        }
    }

    pub(super) fn literal_or_item(&mut self) -> Result<String, String> {
        match self.is_literal() {
            true => self.literal(),
            false => Ok(self.reference()?.written),
        }
    }

    /// No further item of a list follows.
    pub(super) fn ends_list(&mut self) -> bool {
        self.is_over() || self.next().is_some_and(|t| t.is_any(PHRASES))
    }

    /// The statement ends here: a sentence, another statement, an exception phrase.
    pub(super) fn is_over(&mut self) -> bool {
        self.next().is_none_or(|t| {
            t.kind != Kind::Word
                || is_verb(t)
                || t.is_any(&["ON", "NOT", "EXCEPTION", "END-JSON", "END-XML"])
        })
    }

    pub(super) fn reference(&mut self) -> Result<Reference, String> {
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
            ..Reference::default()
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
    pub(super) fn when(&mut self) -> Option<Figures> {
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

    /// `NULL USING` a figurative constant, behind CONVERTING `direction`; `None`: there is no NULL.
    pub(super) fn null_using(&mut self, direction: &str) -> Result<Option<&'static str>, String> {
        if !self.take("NULL") {
            return Ok(None);
        }
        self.take("USING");
        let word = self.word().unwrap_or_default();
        let figure = self.figure();
        let figure = figure.ok_or_else(|| format!("CONVERTING {direction} NULL USING {word}"))?;
        Ok(Some(figure))
    }

    /// A figurative constant.
    fn figure(&mut self) -> Option<&'static str> {
        let word = self.word()?;
        let (_, figure) = FIGURES.iter().find(|(names, _)| names.contains(&&*word))?;
        self.at += 1;
        Some(figure)
    }
}
