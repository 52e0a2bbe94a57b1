//! CALL and PROCEDURE DIVISION USING: addresses as parameters.
//!
//! A pointer is passed as it stands. `ADDRESS OF x` by reference is a pointer that the called
//! program may change: it gets one of four bytes, and what it leaves there becomes the address.

use super::Work;
use super::operand::Range;
use crate::token::Kind;
use crate::verbs::is_verb;
use transom_messages as messages;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Reference,
    Content,
    Value,
}

impl Work<'_> {
    /// CALL; answers where to go on.
    pub(super) fn call(&mut self, at: usize) -> usize {
        let target = self.identifier(at + 1);
        if target.is_some_and(|name| self.is_pointer(name)) {
            let place = self.at(at);
            let message = messages::tr::pointer_called(self.text((at + 1, at + 2)));
            self.session.problem(message, place);
        }
        let mut next = target.map_or(at + 2, |name| name.1);
        if !self.is(next, &["USING"]) {
            return next;
        }
        next += 1;
        let mut mode = Mode::Reference;
        let mut back = Vec::new();
        let place = self.at(at);
        while self.word(next).is_some_and(|t| !ends_arguments(t)) {
            if let Some(name) = self.address_of(next) {
                if mode != Mode::Value {
                    let (field, statements) = self.kept_address(name);
                    self.before(at, &statements, place);
                    self.edits
                        .replace(next, name.1, super::edits::words(&field, place));
                    back.push((mode, name, field));
                }
                next = name.1;
                continue;
            }
            mode = match self.word(next).map(|t| t.upper()).as_deref() {
                Some("REFERENCE") => Mode::Reference,
                Some("CONTENT") => Mode::Content,
                Some("VALUE") => Mode::Value,
                _ => mode,
            };
            next = self.identifier(next).map_or(next + 1, |name| name.1);
        }
        back.retain(|(mode, name, _)| *mode == Mode::Reference && self.is_settable(*name));
        if !back.is_empty() {
            self.set_back(next, &back);
        }
        next
    }

    fn is_settable(&self, name: Range) -> bool {
        let name = self.word(name.0).map(|t| t.upper()).unwrap_or_default();
        self.tables[self.me].has_settable_address(&name)
    }

    /// After the CALL whose arguments end here: addresses the called program may have set.
    fn set_back(&mut self, end: usize, back: &[(Mode, Range, String)]) {
        let mut end = end;
        if self.is(end, &["RETURNING", "GIVING"]) {
            end = self.identifier(end + 1).map_or(end + 1, |name| name.1);
        }
        let place = self.at(end);
        if self.is(end, &["ON", "NOT", "EXCEPTION", "OVERFLOW"]) {
            let message = messages::tr::address_by_reference(self.text(back[0].1));
            self.session.problem(message, place);
            return;
        }
        let mut text = String::new();
        let ended = self.is(end, &["END-CALL"]);
        if !ended {
            text.push_str("END-CALL ");
        }
        for (_, name, field) in back {
            text.push_str(&self.address_from(*name, field));
        }
        self.before(end + usize::from(ended), &text, place);
    }

    /// A pointer that comes by value: cobc would read its bytes in the other order.
    pub(super) fn parameters(&mut self, start: usize, header: usize) {
        let mut by_value = false;
        let mut at = start;
        while at < header {
            if self.is(at, &["REFERENCE", "VALUE"]) {
                by_value = self.is(at, &["VALUE"]);
            }
            let name = self.identifier(at);
            if by_value && let Some(name) = name.filter(|name| self.is_pointer(*name)) {
                let place = self.at(at);
                let message = messages::tr::pointer_by_value(self.text(name));
                self.session.problem(message, place);
            }
            at = name.map_or(at + 1, |name| name.1);
        }
    }
}

fn ends_arguments(token: &crate::token::Token) -> bool {
    token.kind == Kind::Period
        || is_verb(token)
        || token.is_any(&["RETURNING", "GIVING", "ON", "NOT", "EXCEPTION", "OVERFLOW"])
}
