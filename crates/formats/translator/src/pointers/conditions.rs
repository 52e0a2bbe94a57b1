//! Comparisons of pointers: with NULL, and with an address.
//!
//! Two pointers, and two addresses, compare as they stand.

use super::Work;
use super::edits::words;
use super::operand::Range;
use crate::token::{Kind, Token};
use crate::verbs::is_verb;
use transom_messages as messages;

impl Work<'_> {
    /// NULL in a condition: 0 where a pointer stands on the other side.
    pub(super) fn null(&mut self, at: usize) -> usize {
        let other = self
            .other_before(at)
            .or_else(|| self.relation(at + 1).and_then(|to| self.identifier(to)));
        let other = other.or_else(|| self.subject(at));
        if other.is_some_and(|name| self.address_before(name).is_none() && self.is_pointer(name)) {
            let place = self.at(at);
            self.edits.replace(at, at + 1, words("0", place));
        }
        at + 1
    }

    /// ADDRESS OF in a condition: a field of four bytes where a pointer stands on the other side.
    pub(super) fn address(&mut self, at: usize) -> usize {
        let Some(name) = self.address_of(at) else {
            return at + 1;
        };
        let other = self
            .other_before(at)
            .or_else(|| self.relation(name.1).and_then(|to| self.identifier(to)));
        let other = other
            .or_else(|| self.subject(at))
            .or_else(|| self.whens(name.1));
        if !other.is_some_and(|o| self.address_before(o).is_none() && self.is_pointer(o)) {
            return name.1;
        }
        let place = self.at(at);
        let Some(statement) = self.statement_of(at) else {
            let message = messages::tr::address_compared(self.text(name));
            self.session.problem(message, place);
            return name.1;
        };
        let (field, statements) = self.kept_address(name);
        self.before(statement, &statements, place);
        self.edits.replace(at, name.1, words(&field, place));
        name.1
    }

    /// The operand before a relation that ends here.
    fn other_before(&self, at: usize) -> Option<Range> {
        self.identifier_before(self.relation_before(at)?)
    }

    /// An object of WHEN is compared with the subject of EVALUATE at the same place.
    fn subject(&self, at: usize) -> Option<Range> {
        let mut place = 0;
        let mut back = at;
        loop {
            back = back.checked_sub(1)?;
            if self.is(back, &["ALSO"]) {
                place += 1;
            } else if self.is(back, &["WHEN"]) {
                break;
            } else if !self.part_of_object(back) {
                return None;
            }
        }
        if back + 1 != at && !self.is(at - 1, &["ALSO"]) {
            return None;
        }
        let evaluate = self.enclosing(back)?;
        let mut subject = evaluate + 1;
        while place > 0 {
            place -= usize::from(self.is(subject, &["ALSO"]));
            subject += 1;
            if self.is(subject, &["WHEN"]) {
                return None;
            }
        }
        self.is(evaluate, &["EVALUATE"])
            .then(|| self.identifier(subject))
            .flatten()
    }

    fn part_of_object(&self, at: usize) -> bool {
        self.word(at)
            .is_some_and(|t| t.kind != Kind::Period && !is_verb(t))
    }

    /// `EVALUATE ADDRESS OF x WHEN p`: a pointer among the objects.
    fn whens(&self, end: usize) -> Option<Range> {
        if !self.is(end, &["WHEN"]) {
            return None;
        }
        let mut at = end;
        let mut depth = 0_usize;
        while let Some(token) = self.word(at).filter(|t| t.kind != Kind::Period) {
            depth += usize::from(token.is("EVALUATE"));
            if token.is("END-EVALUATE") {
                match depth {
                    0 => return None,
                    _ => depth -= 1,
                }
            }
            let object = self.identifier(at + 1);
            if depth == 0
                && token.is("WHEN")
                && let Some(name) = object.filter(|name| self.is_pointer(*name))
            {
                return Some(name);
            }
            at += 1;
        }
        None
    }

    /// Where statements go that compute an operand of this condition: before IF or EVALUATE. A
    /// condition that is computed again and again has no such place.
    fn statement_of(&self, at: usize) -> Option<usize> {
        let mut back = at;
        loop {
            back = back.checked_sub(1)?;
            let token = self.word(back)?;
            if token.is_any(&["IF", "EVALUATE"]) {
                return Some(back);
            }
            if token.is("WHEN") {
                let evaluate = self.enclosing(back)?;
                return self.is(evaluate, &["EVALUATE"]).then_some(evaluate);
            }
            if token.kind == Kind::Period || token.is("UNTIL") || is_verb(token) {
                return None;
            }
        }
    }

    /// The EVALUATE or SEARCH this WHEN belongs to.
    fn enclosing(&self, when: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for at in (0..when).rev() {
            let Some(token) = self.word(at) else { continue };
            if token.kind == Kind::Period {
                return None;
            }
            depth += usize::from(ends(token));
            if begins(token) {
                match depth {
                    0 => return Some(at),
                    _ => depth -= 1,
                }
            }
        }
        None
    }
}

fn ends(token: &Token) -> bool {
    token.is_any(&["END-EVALUATE", "END-SEARCH"])
}

fn begins(token: &Token) -> bool {
    token.is_any(&["EVALUATE", "SEARCH"])
}
