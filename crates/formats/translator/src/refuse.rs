//! Says what of a source is not supported, and takes away what has no effect.
//!
//! Why: cobc accepts some parts of the language and does them otherwise, and of others its message
//! is about a generated line. What is looked for stands in the table (`language`); national items,
//! which cobc knows only as bytes, are looked for here. Not here: supplying what is lacking.

use crate::declared::Declared;
use crate::documents::NATIONAL;
use crate::language::{Row, Status, found};
use crate::lexer::Card;
use crate::token::{At, Kind, Session, Token};
use crate::verbs::is_verb;
use std::collections::HashSet;
use transom_messages as messages;

/// Reports what is not supported and drops what has no effect.
pub(crate) fn refuse(tokens: Vec<Token>, declared: &Declared, session: &mut Session) -> Vec<Token> {
    let mut scan = Scan {
        tokens: &tokens,
        declared,
        session,
        data: false,
        procedure: false,
        exec: false,
        drop: HashSet::new(),
    };
    for at in 0..tokens.len() {
        scan.step(at);
    }
    let drop = scan.drop;
    let mut at = 0;
    let mut kept = tokens;
    kept.retain(|_| {
        at += 1;
        !drop.contains(&(at - 1))
    });
    kept
}

/// Reports options of CBL and PROCESS cards.
pub(crate) fn refuse_options(cards: &[Card], session: &mut Session) {
    for card in cards {
        for option in crate::flags::card_options(&card.text) {
            for (row, words) in found('O') {
                let same = option == words || option.starts_with(&format!("{words}("));
                if same || words.ends_with('(') && option.starts_with(words) {
                    report(row, &format!("option {option}"), card.at, session);
                }
            }
        }
    }
}

fn report(row: &Row, what: &str, at: At, session: &mut Session) {
    let message = match row.status {
        Status::Refused => messages::tr::not_supported(what, row.note),
        Status::Warned => messages::tr::option_without_effect(what, row.note),
        _ => return,
    };
    session.problem(message, at);
}

/// Categories of data in INITIALIZE.
const CATEGORIES: &[&str] = &[
    "ALPHABETIC",
    "ALPHANUMERIC",
    "ALPHANUMERIC-EDITED",
    "DBCS",
    "EGCS",
    "NATIONAL",
    "NATIONAL-EDITED",
    "NUMERIC",
    "NUMERIC-EDITED",
    "UTF-8",
];

struct Scan<'a> {
    tokens: &'a [Token],
    declared: &'a Declared,
    session: &'a mut Session,
    data: bool,
    procedure: bool,
    exec: bool,
    drop: HashSet<usize>,
}

impl Scan<'_> {
    fn step(&mut self, at: usize) {
        let token = &self.tokens[at];
        match token.kind {
            Kind::Directive => return self.directive(at),
            Kind::Literal => return self.literal(at),
            Kind::Word => {}
            _ => return,
        }
        if self.next(at, 1).is_some_and(|t| t.is("DIVISION")) {
            self.data = token.is("DATA");
            self.procedure = token.is("PROCEDURE");
        }
        if token.is_any(&["EXEC", "EXECUTE"]) {
            self.exec = true;
        }
        self.exec &= !token.is("END-EXEC");
        if self.exec {
            return;
        }
        let begins = at == 0 || self.tokens[at - 1].kind == Kind::Period;
        if begins && self.next(at, 1).is_some_and(|t| t.kind == Kind::Period) {
            self.words('H', at);
        }
        if self.first_of_line(at) && !self.data && !self.declared.names.contains(&token.upper()) {
            self.words('F', at);
        }
        if self.data {
            self.words('D', at);
            self.picture(at);
            if token.is("VOLATILE") {
                self.drop.insert(at);
            }
        }
        if self.procedure {
            self.words('P', at);
            if !self.declared.names.contains(&token.upper()) {
                self.words('R', at);
            }
            self.national(at);
            self.without_effect(at);
            self.values_of_a_category(at);
        }
        self.currency(at);
    }

    /// `INITIALIZE .. NUMERIC TO VALUE`: the compiler takes it for ALL TO VALUE.
    fn values_of_a_category(&mut self, at: usize) {
        let ahead = |n: usize, word: &str| self.next(at, n).is_some_and(|t| t.is(word));
        let to = usize::from(ahead(1, "TO"));
        if !ahead(1 + to, "VALUE") || !self.tokens[at].is_any(CATEGORIES) {
            return;
        }
        let message = messages::tr::not_supported(
            format_args!("{} TO VALUE", self.tokens[at].upper()),
            "say ALL TO VALUE, or move the values",
        );
        self.session.problem(message, self.tokens[at].at);
    }

    /// `CURRENCY SIGN 'EUR' PICTURE SYMBOL '$'`: the compiler edits with the symbol.
    fn currency(&mut self, at: usize) {
        if !self.tokens[at].is("SYMBOL") || at == 0 || !self.tokens[at - 1].is("PICTURE") {
            return;
        }
        let sign = self.tokens[..at].iter().rev();
        let sign = sign.take(3).find(|t| t.kind == Kind::Literal);
        let symbol = self.tokens[at..].iter().take(3);
        let symbol = symbol.skip(1).find(|t| t.kind == Kind::Literal);
        let inner = |t: &Token| t.text.trim_matches(['\'', '"']).to_owned();
        if sign.map(inner) != symbol.map(inner) {
            let row = found('S').next();
            if let Some((row, words)) = row {
                report(row, words, self.tokens[at].at, self.session);
            }
        }
    }

    fn next(&self, at: usize, ahead: usize) -> Option<&Token> {
        self.tokens.get(at + ahead)
    }

    fn first_of_line(&self, at: usize) -> bool {
        let here = self.tokens[at].at;
        let before = at.checked_sub(1).map(|n| self.tokens[n].at);
        before.is_none_or(|b| (b.inclusion, b.line) != (here.inclusion, here.line))
    }

    /// Rows whose words stand here.
    fn words(&mut self, way: char, at: usize) {
        // SET pointer TO ENTRY is no statement of its own.
        if at > 0 && self.tokens[at].is("ENTRY") && self.tokens[at - 1].is("TO") {
            return;
        }
        for (row, words) in found(way) {
            let mut ahead = 0;
            let here = words.split(' ').all(|word| {
                ahead += 1;
                self.next(at, ahead - 1).is_some_and(|t| t.is(word))
            });
            if here {
                report(row, words, self.tokens[at].at, self.session);
                return;
            }
        }
    }

    fn directive(&mut self, at: usize) {
        let token = &self.tokens[at];
        let text = token.upper();
        let word = text.trim_start_matches(['>', ' ']);
        let word = word.split([' ', '.']).next().unwrap_or("");
        let Some((row, _)) = found('>').find(|(_, known)| *known == word) else {
            return;
        };
        report(row, &format!(">>{word}"), token.at, self.session);
        self.drop.insert(at);
    }

    fn literal(&mut self, at: usize) {
        let token = &self.tokens[at];
        if self.exec {
            return;
        }
        let prefix = token.upper();
        let prefix = prefix.split(['\'', '"']).next().unwrap_or("");
        if let Some((row, _)) = found('L').find(|(_, known)| *known == prefix) {
            report(
                row,
                &format!("literal {prefix}'...'"),
                token.at,
                self.session,
            );
        }
    }

    /// Letters of a picture that the compiler has not got.
    fn picture(&mut self, at: usize) {
        if !self.tokens[at].is_any(&["PIC", "PICTURE"]) {
            return;
        }
        let skip = 1 + usize::from(self.next(at, 1).is_some_and(|t| t.is("IS")));
        let Some(picture) = self.next(at, skip) else {
            return;
        };
        let (text, place) = (picture.upper(), picture.at);
        for (row, letter) in found('C') {
            let here = match letter {
                "E" => text.contains("E+") || text.contains("E-"),
                _ => text.starts_with(letter),
            };
            if here {
                report(row, row.name, place, self.session);
            }
        }
    }

    /// A national item where its bytes would be taken for characters.
    fn national(&mut self, at: usize) {
        let token = &self.tokens[at];
        let name = token.upper();
        let register = NATIONAL.contains(&&*name) && !self.declared.names.contains(&name);
        if !register && !self.declared.national.contains_key(&name) {
            return;
        }
        let before = |n: usize| at.checked_sub(n).map(|n| &self.tokens[n]);
        let is = |n: usize, words: &[&str]| before(n).is_some_and(|t| t.is_any(words));
        let of = is(1, &["OF"]) && is(2, &["LENGTH", "ADDRESS"]);
        let document = is(1, &["PARSE"]) && is(2, &["JSON", "XML"])
            || is(1, &["GENERATE"]) && is(2, &["JSON"]);
        let moved = register && is(1, &["MOVE"]) && self.is_received(at + 2);
        let part = register && self.next(at, 1).is_some_and(|t| t.kind == Kind::Open);
        if of
            || document
            || moved
            || self.argument(at) && !part
            || self.received(at)
            || self.passed(at)
        {
            return;
        }
        let message = messages::tr::not_supported(
            format_args!("national item {} in this place", token.upper()),
            "move FUNCTION DISPLAY-OF of it to an alphanumeric item, and FUNCTION NATIONAL-OF back",
        );
        self.session.problem(message, token.at);
    }

    /// Argument of a function that takes national data by itself.
    fn argument(&self, at: usize) -> bool {
        let mut depth = 0;
        for n in (0..at).rev() {
            let token = &self.tokens[n];
            match token.kind {
                Kind::Close => depth += 1,
                Kind::Open if depth == 0 => {
                    let name = n.checked_sub(1).map(|n| self.tokens[n].upper());
                    let name = name.unwrap_or_default();
                    return crate::supplied::is_supplied(&name)
                        || matches!(name.as_str(), "LENGTH" | "BYTE-LENGTH");
                }
                Kind::Open => depth -= 1,
                Kind::Period => return false,
                _ => {}
            }
        }
        false
    }

    /// `MOVE FUNCTION NATIONAL-OF(...) TO item`, or of a special register, and nothing more.
    fn received(&self, at: usize) -> bool {
        crate::supplied::receiver_of(self.tokens, at).is_some()
            || at >= 3
                && self.tokens[at - 2].is_any(&NATIONAL)
                && self.tokens[at - 3].is("MOVE")
                && self.is_received(at)
    }

    /// A national item stands here as the only receiver behind TO.
    fn is_received(&self, at: usize) -> bool {
        self.tokens[at - 1].is("TO")
            && self
                .next(at, 0)
                .is_some_and(|t| self.declared.national.contains_key(&t.upper()))
            && crate::supplied::is_last(self.tokens, at)
    }

    /// After CALL: its bytes are passed as they are.
    fn passed(&self, at: usize) -> bool {
        let words = self.tokens[..at].iter().rev();
        let mut words = words.take_while(|t| t.kind != Kind::Period);
        words.find(|t| is_verb(t)).is_some_and(|t| t.is("CALL"))
    }

    /// SERVICE LABEL, READY TRACE, RESET TRACE.
    fn without_effect(&mut self, at: usize) {
        let pairs = [("SERVICE", "LABEL"), ("READY", "TRACE"), ("RESET", "TRACE")];
        let here = |(a, b): &(&str, &str)| {
            self.tokens[at].is(a) && self.next(at, 1).is_some_and(|t| t.is(b))
        };
        if pairs.iter().any(here) {
            self.drop.insert(at + 1);
            self.drop.insert(at);
        }
    }
}
