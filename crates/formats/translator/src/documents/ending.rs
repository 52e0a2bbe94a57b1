//! Exception phrases and ends of the statements, as IF.
//!
//! Why a stack: phrases belong to the innermost statement that is open and can have them, and CALL
//! has phrases of the same words. Not here: the statements themselves.

use super::words::words;
use crate::token::{At, Kind, Token};
use crate::verbs::is_verb;

/// A statement that may have exception phrases.
#[derive(Debug)]
struct Open {
    /// END-JSON, END-XML, END-CALL.
    end: &'static str,
    /// Item that tells an exception; `None`: a CALL.
    code: Option<&'static str>,
    /// It has a phrase, which IF stands for.
    phrase: bool,
    /// Ends of statements inside its phrases that have no end yet.
    inner: Vec<&'static str>,
}

/// Statements that are open, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Endings(Vec<Open>);

impl Endings {
    /// A statement has begun.
    pub(super) fn open(&mut self, json: bool, code: &'static str) {
        self.0.push(Open {
            end: if json { "END-JSON" } else { "END-XML" },
            code: Some(code),
            phrase: false,
            inner: Vec::new(),
        });
    }

    /// Another statement begins: those without phrases are over.
    pub(super) fn verb(&mut self, token: &Token, out: &mut Vec<Token>) {
        while self.0.last().is_some_and(|open| !open.phrase) {
            self.0.pop();
        }
        if token.is("ELSE") {
            self.end_of_inner(&["END-IF"], true, token.at, out);
        } else if token.is("WHEN") {
            self.end_of_inner(&["END-EVALUATE", "END-SEARCH"], true, token.at, out);
        }
    }

    /// Writes the word at `at`; answers what comes after it.
    pub(super) fn step(&mut self, tokens: &[Token], at: usize, out: &mut Vec<Token>) -> usize {
        let token = &tokens[at];
        if token.kind == Kind::Period {
            self.0.clear();
        }
        if token.is_any(&["EXEC", "EXECUTE"]) {
            self.verb(token, out);
            let block = tokens[at..].iter().position(|t| t.is("END-EXEC"));
            let end = block.map_or(tokens.len(), |n| at + n + 1);
            out.extend_from_slice(&tokens[at..end]);
            return end;
        }
        if let Some((not, length)) = phrase(&tokens[at..])
            && !self.0.is_empty()
        {
            return self.phrase(tokens, at, not, length, out);
        }
        if let Some(n) = self.0.iter().rposition(|open| token.is(open.end)) {
            let end = self.close(n, token.at, out);
            if !end {
                out.push(token.clone());
            }
            return at + 1;
        }
        if token.is_any(&["END-JSON", "END-XML"]) {
            // Of a statement that was refused or had no phrases.
            return at + 1;
        }
        if is_verb(token) {
            self.verb(token, out);
            self.inside(tokens, at, out);
        }
        if token.is("CALL") {
            self.0.push(Open {
                end: "END-CALL",
                code: None,
                phrase: false,
                inner: Vec::new(),
            });
        }
        out.push(token.clone());
        at + 1
    }

    /// ON EXCEPTION or NOT ON EXCEPTION.
    fn phrase(
        &mut self,
        tokens: &[Token],
        at: usize,
        not: bool,
        length: usize,
        out: &mut Vec<Token>,
    ) -> usize {
        let place = tokens[at].at;
        if let Some(open) = self.0.last_mut() {
            match (open.code, open.phrase, not) {
                (None, _, _) => out.extend_from_slice(&tokens[at..at + length]),
                (Some(_), true, _) => {
                    for end in open.inner.drain(..).rev() {
                        words(end, place, out);
                    }
                    words("ELSE", place, out);
                }
                (Some(code), false, false) => words(&format!("IF {code} NOT = 0"), place, out),
                (Some(code), false, true) => words(&format!("IF {code} = 0"), place, out),
            }
            open.phrase = true;
        }
        at + length
    }

    /// Ends statement `n` and those inside; whether it was one of ours.
    fn close(&mut self, n: usize, place: At, out: &mut Vec<Token>) -> bool {
        let mut ours = false;
        for (k, mut open) in self
            .0
            .drain(n..)
            .enumerate()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            for end in open.inner.drain(..).rev() {
                words(end, place, out);
            }
            if open.phrase && open.code.is_some() {
                words("END-IF", place, out);
            } else if open.phrase && k > 0 {
                words(open.end, place, out);
            }
            if k == 0 {
                ours = open.code.is_some();
            }
        }
        ours
    }

    /// Keeps count of statements inside a phrase that have an end of their own.
    fn inside(&mut self, tokens: &[Token], at: usize, out: &mut Vec<Token>) {
        let token = &tokens[at];
        const ENDS: [(&str, &str); 4] = [
            ("IF", "END-IF"),
            ("EVALUATE", "END-EVALUATE"),
            ("SEARCH", "END-SEARCH"),
            ("PERFORM", "END-PERFORM"),
        ];
        for (verb, end) in ENDS {
            if token.is(end) {
                self.end_of_inner(&[end], false, token.at, out);
            } else if token.is(verb)
                && (verb != "PERFORM" || inline(&tokens[at + 1..]))
                && let Some(open) = self.0.last_mut()
            {
                open.inner.push(end);
            }
        }
    }

    /// A word that ends one of these, or goes on with it (ELSE, WHEN): inside the innermost open
    /// statement, or around it, which ends that statement.
    fn end_of_inner(&mut self, ends: &[&str], goes_on: bool, at: At, out: &mut Vec<Token>) {
        while let Some(open) = self.0.last_mut() {
            if let Some(n) = open.inner.iter().rposition(|end| ends.contains(end)) {
                open.inner.truncate(n + usize::from(goes_on));
                return;
            }
            let last = self.0.len() - 1;
            self.close_one(last, at, out);
        }
    }

    fn close_one(&mut self, n: usize, at: At, out: &mut Vec<Token>) {
        if let Some(open) = self.0.get(n) {
            let (ours, phrase, end) = (open.code.is_some(), open.phrase, open.end);
            self.0.truncate(n);
            match (ours, phrase) {
                (true, true) => words("END-IF", at, out),
                (false, true) => words(end, at, out),
                _ => {}
            }
        }
    }
}

/// `NOT ON EXCEPTION`, `EXCEPTION` and so on: with NOT, and how many words.
fn phrase(tokens: &[Token]) -> Option<(bool, usize)> {
    let not = usize::from(tokens.first()?.is("NOT"));
    let on = usize::from(tokens.get(not)?.is("ON"));
    let is = tokens.get(not + on)?.is("EXCEPTION");
    is.then_some((not == 1, not + on + 1))
}

/// PERFORM with its statements behind it.
fn inline(rest: &[Token]) -> bool {
    let Some(first) = rest.first() else {
        return false;
    };
    let counted = rest.get(1).is_some_and(|t| t.is("TIMES"));
    counted || is_verb(first) || first.is_any(&["VARYING", "UNTIL", "WITH", "TEST"])
}
