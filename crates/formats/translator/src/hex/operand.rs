//! Which item a literal of the PROCEDURE DIVISION is moved to or compared with.
//!
//! Why: it decides whether the literal is characters. What: the statement around a word by its
//! verb, and the item by the rules of that statement. Not here: what items hold (see `items`).

use super::items::{Holds, Items};
use crate::eib;
use crate::token::{Kind, Token};
use crate::verbs::is_verb;

/// Finds operands, statement by statement, in the order of the words.
pub(super) struct Operands<'a> {
    tokens: &'a [Token],
    /// Own items first, then those of other programs of the file.
    items: Vec<&'a Items>,
    /// Verb of the statement.
    verb: usize,
    /// EVALUATEs that are open.
    evaluates: Vec<usize>,
}

impl<'a> Operands<'a> {
    pub(super) fn new(tokens: &'a [Token], items: Vec<&'a Items>, start: usize) -> Self {
        Self {
            tokens,
            items,
            verb: start,
            evaluates: Vec::new(),
        }
    }

    /// Goes over a word.
    pub(super) fn pass(&mut self, at: usize) {
        let token = &self.tokens[at];
        if token.kind == Kind::Period {
            self.evaluates.clear();
            self.verb = at;
        } else if token.is("EVALUATE") {
            self.evaluates.push(at);
            self.verb = at;
        } else if token.is("END-EVALUATE") {
            self.evaluates.pop();
            self.verb = at;
        } else if is_verb(token) {
            self.verb = at;
        }
    }

    /// What the literal here is used with.
    pub(super) fn of_literal(&self, at: usize) -> Holds {
        if let Some(function) = self.function(at) {
            let bytes = function.starts_with("HEX-") || function.starts_with("BIT-");
            return if bytes {
                Holds::Unclear
            } else {
                Holds::Characters
            };
        }
        let verb = self.tokens[self.verb].upper();
        let found = match verb.as_str() {
            "MOVE" => self.receivers(at),
            "INSPECT" | "UNSTRING" => self.right(self.verb, at),
            "STRING" => self.after("INTO", at),
            "DISPLAY" => Some(Holds::Characters),
            "INITIALIZE" => self.initialized(at),
            "WHEN" | "IF" | "EVALUATE" | "PERFORM" | "SEARCH" => self.compared(at),
            _ => None,
        };
        found.unwrap_or(Holds::Unclear)
    }

    /// Where the statement ends.
    fn end(&self, at: usize) -> usize {
        let rest = self.tokens[at + 1..].iter();
        let last = |t: &Token| t.kind == Kind::Period || is_verb(t);
        let length = rest.take(STATEMENT_MAX).position(last);
        (at + 1 + length.unwrap_or(0)).min(self.tokens.len())
    }

    /// The function whose argument the literal is.
    fn function(&self, at: usize) -> Option<String> {
        let mut depth = 0;
        for n in (self.verb..at).rev() {
            match self.tokens[n].kind {
                Kind::Close => depth += 1,
                Kind::Open if depth > 0 => depth -= 1,
                Kind::Open => {
                    let name = n.checked_sub(1)?;
                    let word = self.tokens.get(name.checked_sub(1)?)?;
                    return word.is("FUNCTION").then(|| self.tokens[name].upper());
                }
                _ => {}
            }
        }
        None
    }

    /// All receivers of a MOVE must hold the same.
    fn receivers(&self, at: usize) -> Option<Holds> {
        let end = self.end(at);
        let to = (at..end).find(|n| self.tokens[*n].is("TO"))?;
        let mut found: Option<Holds> = None;
        let mut n = to + 1;
        while n < end {
            let (holds, next) = self.item(n, end);
            n = next;
            match (holds, found) {
                (Some(one), Some(other)) if one != other => return Some(Holds::Unclear),
                (Some(one), _) => found = Some(one),
                (None, _) => {}
            }
        }
        found
    }

    fn after(&self, word: &str, at: usize) -> Option<Holds> {
        let end = self.end(at);
        let place = (at..end).find(|n| self.tokens[*n].is(word))?;
        self.right(place, end)
    }

    fn initialized(&self, at: usize) -> Option<Holds> {
        let words = self.tokens[self.verb..at].iter().rev().take(4);
        let characters = ["ALPHANUMERIC", "ALPHABETIC", "ALPHANUMERIC-EDITED"];
        let found = words.into_iter().any(|t| t.is_any(&characters));
        found.then_some(Holds::Characters)
    }

    /// The other side of a comparison.
    fn compared(&self, at: usize) -> Option<Holds> {
        let next = self.tokens.get(at + 1);
        let first = next.is_some_and(|t| t.kind == Kind::Operator || t.is_any(RELATIONS));
        if first && let Some(found) = self.right(at, self.end(at)) {
            return Some(found);
        }
        let left = self.left(at);
        if left.is_some() {
            return left;
        }
        if self.tokens[self.verb].is("WHEN")
            && let Some(found) = self.subject(at)
        {
            return Some(found);
        }
        self.right(at, self.end(at))
    }

    /// The subject of EVALUATE that stands at the same place as this WHEN.
    fn subject(&self, at: usize) -> Option<Holds> {
        let also = |tokens: &[Token]| tokens.iter().filter(|t| t.is("ALSO")).count();
        let number = also(&self.tokens[self.verb..at]);
        let start = *self.evaluates.last()?;
        let end = self.end(start);
        let mut place = start;
        for _ in 0..number {
            place = (place + 1..end).find(|n| self.tokens[*n].is("ALSO"))?;
        }
        let next = (place + 1..end).find(|n| self.tokens[*n].is("ALSO"));
        self.right(place, next.unwrap_or(end))
    }

    /// The nearest item in front of a literal.
    fn left(&self, at: usize) -> Option<Holds> {
        let mut n = at;
        while n > self.verb + 1 {
            n -= 1;
            let token = &self.tokens[n];
            if token.kind == Kind::Close {
                n = self.opening(n)?;
                continue;
            }
            if token.is("ALSO") {
                return None;
            }
            if self.known(token).is_none() {
                continue;
            }
            while n > self.verb + 2 && self.tokens[n - 1].is_any(&["OF", "IN"]) {
                n -= 2;
            }
            return self.item(n, at).0;
        }
        None
    }

    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        for n in (self.verb..=close).rev() {
            match self.tokens[n].kind {
                Kind::Close => depth += 1,
                Kind::Open => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(n);
            }
        }
        None
    }

    /// The first item behind a word.
    fn right(&self, at: usize, end: usize) -> Option<Holds> {
        let mut n = at + 1;
        while n < end {
            let (holds, next) = self.item(n, end);
            if holds.is_some() {
                return holds;
            }
            n = next;
        }
        None
    }

    /// The item whose name stands here, and the word behind it with qualifiers and subscripts.
    fn item(&self, at: usize, end: usize) -> (Option<Holds>, usize) {
        let token = &self.tokens[at];
        if token.kind == Kind::Open {
            // Subscripts of the item before.
            let close = (at..end).find(|n| self.tokens[*n].kind == Kind::Close);
            return (None, close.unwrap_or(at) + 1);
        }
        if self.known(token).is_none() {
            return (None, at + 1);
        }
        let mut groups = Vec::new();
        let mut next = at + 1;
        while next + 1 < end && self.tokens[next].is_any(&["OF", "IN"]) {
            groups.push(self.tokens[next + 1].upper());
            next += 2;
        }
        let name = token.upper();
        let holds = self
            .items
            .iter()
            .find_map(|items| items.named(&name, &groups));
        (holds.or_else(|| self.known(token)), next)
    }

    /// A name of data, whatever its groups.
    fn known(&self, token: &Token) -> Option<Holds> {
        if token.kind != Kind::Word {
            return None;
        }
        let name = token.upper();
        let found = self.items.iter().find_map(|items| items.named(&name, &[]));
        found.or_else(|| eib::is_field(&name).then(|| of_eib(&name)))
    }
}

/// Words of one statement that are looked at.
const STATEMENT_MAX: usize = 2_000;

const RELATIONS: &[&str] = &[
    "EQUAL", "EQUALS", "GREATER", "LESS", "IS", "NOT", "=", "<", ">",
];

fn of_eib(name: &str) -> Holds {
    match name {
        "EIBAID" | "EIBTRMID" | "EIBTRNID" | "EIBDS" | "EIBRSRCE" | "EIBREQID" => Holds::Characters,
        _ => Holds::Codes,
    }
}
