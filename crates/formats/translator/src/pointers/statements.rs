//! SET, ALLOCATE and FREE of pointers.

use super::Work;
use super::data::Usage;
use super::edits::words;
use super::operand::Range;
use crate::token::{At, Kind};
use crate::verbs::is_verb;
use transom_messages as messages;

/// What a SET sends.
enum Sender {
    Null,
    Address(Range),
    Pointer(Range),
    /// Anything else.
    Other,
}

/// What a SET sends to.
enum Receiver {
    Address(Range),
    Pointer(Range),
    Other(Range),
}

impl Work<'_> {
    /// SET; answers where to go on.
    pub(super) fn set(&mut self, at: usize) -> usize {
        let mut next = at + 1;
        let mut receivers = Vec::new();
        while !self.is(next, &["TO", "UP", "DOWN"]) {
            let Some((receiver, end)) = self.receiver(next) else {
                return at + 1;
            };
            receivers.push(receiver);
            next = end;
            next += usize::from(self.word(next).is_some_and(|t| t.kind == Kind::Comma));
        }
        if !self.is(next, &["TO"]) {
            return self.step(at, next, &receivers);
        }
        let Some((sender, end)) = self.sender(next + 1) else {
            return at + 1;
        };
        let concerns = matches!(sender, Sender::Pointer(_))
            || receivers.iter().any(|r| matches!(r, Receiver::Pointer(_)));
        if !concerns {
            return end;
        }
        let place = self.at(at);
        let mut text = String::new();
        for receiver in &receivers {
            match self.store(receiver, &sender) {
                Some(statements) => text.push_str(&statements),
                None => {
                    let message = messages::tr::pointer_not_set(self.written(at, end));
                    self.session.problem(message, place);
                    return end;
                }
            }
        }
        self.edits.replace(at, end, words(&text, place));
        end
    }

    fn receiver(&self, at: usize) -> Option<(Receiver, usize)> {
        if let Some(name) = self.address_of(at) {
            return Some((Receiver::Address(name), name.1));
        }
        let name = self.identifier(at)?;
        let receiver = if self.is_pointer(name) {
            Receiver::Pointer(name)
        } else {
            Receiver::Other(name)
        };
        Some((receiver, name.1))
    }

    fn sender(&self, at: usize) -> Option<(Sender, usize)> {
        if let Some(name) = self.address_of(at) {
            return Some((Sender::Address(name), name.1));
        }
        if self.is(at, &["NULL", "NULLS"]) {
            return Some((Sender::Null, at + 1));
        }
        if self.is(at, &["ENTRY"]) {
            let named = self.identifier(at + 1).map_or(at + 2, |name| name.1);
            return Some((Sender::Other, named));
        }
        let Some(name) = self.identifier(at) else {
            return Some((Sender::Other, at + 1));
        };
        let sender = if self.is_pointer(name) {
            Sender::Pointer(name)
        } else {
            Sender::Other
        };
        Some((sender, name.1))
    }

    /// Statements for one receiver; `None`: there are none that do it.
    fn store(&mut self, receiver: &Receiver, sender: &Sender) -> Option<String> {
        Some(match (receiver, sender) {
            (Receiver::Pointer(to), Sender::Null) => format!("MOVE 0 TO {} ", self.text(*to)),
            (Receiver::Pointer(to), Sender::Pointer(from)) => {
                if self.kind_of(*to) != self.kind_of(*from) {
                    return None;
                }
                format!("MOVE {} TO {} ", self.text(*from), self.text(*to))
            }
            (Receiver::Pointer(to), Sender::Address(of)) => {
                if self.kind_of(*to) == Some(Usage::Function) {
                    return None;
                }
                let to = self.text(*to);
                self.address_into(*of, &to)
            }
            (Receiver::Address(of), Sender::Pointer(from)) => {
                if self.kind_of(*from) == Some(Usage::Function) {
                    return None;
                }
                let from = self.text(*from);
                self.address_from(*of, &from)
            }
            (Receiver::Address(to) | Receiver::Other(to), Sender::Null) => {
                format!("SET {} TO NULL ", self.target(receiver, *to))
            }
            (Receiver::Address(to) | Receiver::Other(to), Sender::Address(of)) => {
                let of = self.text(*of);
                format!("SET {} TO ADDRESS OF {of} ", self.target(receiver, *to))
            }
            _ => return None,
        })
    }

    fn target(&self, receiver: &Receiver, name: Range) -> String {
        let name = self.text(name);
        match receiver {
            Receiver::Address(_) => format!("ADDRESS OF {name}"),
            _ => name,
        }
    }

    /// Statements that put `ADDRESS OF` a name into an item of four bytes.
    pub(super) fn address_into(&mut self, of: Range, to: &str) -> String {
        format!(
            "SET TXM-POINTER TO ADDRESS OF {} {}",
            self.text(of),
            self.low_into(to)
        )
    }

    /// Statements that put the address in `TXM-POINTER` into an item of four bytes.
    fn low_into(&mut self, to: &str) -> String {
        self.temporaries = true;
        format!("IF TXM-POINTER-HIGH NOT = 0 CALL 'TXMHIGH' END-IF MOVE TXM-POINTER-LOW TO {to} ")
    }

    /// Statements that set `ADDRESS OF` a name from an item of four bytes.
    pub(super) fn address_from(&mut self, of: Range, from: &str) -> String {
        self.temporaries = true;
        format!(
            "MOVE 0 TO TXM-POINTER-HIGH MOVE {from} TO TXM-POINTER-LOW \
             SET ADDRESS OF {} TO TXM-POINTER ",
            self.text(of)
        )
    }

    /// SET UP BY and DOWN BY.
    fn step(&mut self, at: usize, word: usize, receivers: &[Receiver]) -> usize {
        let by = word + 1 + usize::from(self.is(word + 1, &["BY"]));
        let pointer = |r: &Receiver| matches!(r, Receiver::Pointer(_));
        if !receivers.iter().any(pointer) {
            return by;
        }
        let place = self.at(at);
        let length = self.is(by, &["LENGTH"]);
        let of = by + 1 + usize::from(self.is(by + 1, &["OF"]));
        let end = if length {
            self.identifier(of).map(|name| name.1)
        } else {
            let number = self
                .word(by)
                .is_some_and(|t| t.text.bytes().all(|b| b.is_ascii_digit()));
            let number = number.then_some(by + 1);
            number.or_else(|| self.identifier(by).map(|name| name.1))
        };
        let complete = end.filter(|_| receivers.iter().all(pointer));
        let Some(end) = complete else {
            let message = messages::tr::pointer_not_set(self.written(at, end.unwrap_or(by + 1)));
            self.session.problem(message, place);
            return by;
        };
        let sign = if self.is(word, &["UP"]) { '+' } else { '-' };
        let step = self.text((by, end));
        let mut text = String::new();
        for receiver in receivers {
            if let Receiver::Pointer(to) = receiver {
                let to = self.text(*to);
                text.push_str(&format!("COMPUTE {to} = {to} {sign} {step} "));
            }
        }
        self.edits.replace(at, end, words(&text, place));
        end
    }

    /// ALLOCATE ... RETURNING pointer.
    pub(super) fn allocate(&mut self, at: usize) -> usize {
        let mut next = at + 1;
        while self
            .word(next)
            .is_some_and(|t| t.kind != Kind::Period && !is_verb(t))
        {
            if self.is(next, &["RETURNING"])
                && let Some(name) = self.identifier(next + 1)
                && self.is_pointer(name)
            {
                let place = self.at(at);
                let to = self.text(name);
                let text = format!("TXM-POINTER {}", self.low_into(&to));
                self.edits.replace(name.0, name.1, words(&text, place));
                return name.1;
            }
            next += 1;
        }
        next
    }

    /// FREE of pointers.
    pub(super) fn free(&mut self, at: usize) -> usize {
        let place = self.at(at);
        let mut next = at + 1;
        let mut text = String::new();
        let mut pointers = false;
        loop {
            let address = self.address_of(next);
            let Some(name) = address.or_else(|| self.identifier(next)) else {
                break;
            };
            let written = self.text((next, name.1));
            if address.is_none() && self.is_pointer(name) {
                pointers = true;
                text.push_str(&format!(
                    "MOVE 0 TO TXM-POINTER-HIGH MOVE {written} TO TXM-POINTER-LOW \
                     FREE TXM-POINTER MOVE 0 TO {written} "
                ));
            } else {
                text.push_str(&format!("FREE {written} "));
            }
            next = name.1;
        }
        if pointers {
            self.temporaries = true;
            self.edits.replace(at, next, words(&text, place));
        }
        next.max(at + 1)
    }

    /// A statement as the user wrote it, for messages.
    pub(super) fn written(&self, from: usize, to: usize) -> String {
        self.text((from, to))
    }

    /// A field of four bytes with this address, and the statements that fill it.
    pub(super) fn kept_address(&mut self, of: Range) -> (String, String) {
        self.addresses += 1;
        let field = format!("TXM-ADDRESS-{}", self.addresses);
        let statements = self.address_into(of, &field);
        (field, statements)
    }

    /// Puts generated statements before an item.
    pub(super) fn before(&mut self, at: usize, text: &str, place: At) {
        self.edits.insert(at, words(text, place));
    }
}
