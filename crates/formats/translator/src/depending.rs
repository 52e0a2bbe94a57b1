//! Groups with a table of varying length that hold the number of its elements too.
//!
//! Why: z/OS takes the largest length of such a group where it is a receiver, since what is moved
//! brings the number along; cobc takes the length by the number that is there before, so that
//! `MOVE RECORD-READ TO GROUP-1` lost its last elements. cobc also forgets where reference
//! modification without a length begins. What: the largest number is moved first, and the length
//! is written out. Not here: STRING and UNSTRING, which keep what they do not fill, groups in front
//! of other items, which have the length by the number on z/OS too, and senders in the same record.

use crate::data::Data;
use crate::token::{Kind, Token};
use std::collections::HashMap;
use std::ops::Range;

/// A group with a table of varying length.
#[derive(Debug)]
struct Group {
    /// Number of its entry.
    at: usize,
    record: Range<usize>,
    /// Moves the largest number to each object in it; empty: the length is that by the number.
    largest: Vec<Token>,
}

/// Writes the moves and the lengths.
pub(crate) fn largest_receivers(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is("DEPENDING")) {
        return tokens;
    }
    let data = Data::of_file(&tokens);
    let groups = groups(&tokens, &data);
    if groups.is_empty() {
        return tokens;
    }
    let scan = Scan {
        tokens: &tokens,
        data: &data,
        groups,
    };
    let mut out = Vec::with_capacity(tokens.len() + 64);
    let (mut procedure, mut exec) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        if procedure && !exec {
            scan.in_front(at, &mut out);
        }
        exec &= !token.is("END-EXEC");
        out.push(token.clone());
        if procedure && !exec && token.kind == Kind::Colon {
            scan.behind_colon(at, &mut out);
        }
    }
    out
}

/// Groups by name; a name of several items is left out.
fn groups(tokens: &[Token], data: &Data) -> HashMap<String, Group> {
    let mut out = HashMap::new();
    for record in data.records() {
        for at in record.clone() {
            let entry = &data.entries[at];
            let item = data.item(at);
            let Some(name) = entry.name.as_ref().filter(|_| entry.has_children) else {
                continue;
            };
            let tables = item.clone().filter_map(|n| depends(tokens, data, n));
            let tables: Vec<(String, u32)> = tables.collect();
            if tables.is_empty() || data.named(name, &[]).count() != 1 {
                continue;
            }
            let followed = (item.end..record.end).any(|n| {
                let behind = &data.entries[n];
                behind.is_item() && !behind.clauses.redefines
            });
            let mut largest = Vec::new();
            for (object, most) in tables {
                let inside = |n: &usize| data.entries[*n].name.as_ref() == Some(&object);
                if !followed && most > 1 && item.clone().any(|n| inside(&n)) {
                    let words = ["MOVE", &most.to_string(), "TO", &object, "OF", name];
                    largest.extend(words.map(|text| tokens[entry.start].spelled(text)));
                }
            }
            let group = Group {
                at,
                record: record.clone(),
                largest,
            };
            out.insert(name.clone(), group);
        }
    }
    out
}

/// The object that an entry depends on, and the largest number.
fn depends(tokens: &[Token], data: &Data, at: usize) -> Option<(String, u32)> {
    let entry = &data.entries[at];
    let words = &tokens[entry.start..entry.end];
    let at = words.iter().position(|t| t.is("DEPENDING"))?;
    let name = words[at + 1..].iter().find(|t| !t.is("ON"))?;
    Some((name.upper(), entry.clauses.occurs))
}

struct Scan<'a> {
    tokens: &'a [Token],
    data: &'a Data,
    groups: HashMap<String, Group>,
}

impl Scan<'_> {
    /// In front of MOVE, of READ and RETURN with INTO, of WRITE with FROM: the largest numbers.
    fn in_front(&self, at: usize, out: &mut Vec<Token>) {
        let token = &self.tokens[at];
        let (senders, receivers) = match () {
            () if token.is("MOVE") => match self.moved(at) {
                Some(both) => both,
                None => return,
            },
            () if token.is_any(&["READ", "RETURN"]) => match self.read_into(at) {
                Some(into) => (at..at, into..into + 1),
                None => return,
            },
            () if token.is_any(&["WRITE", "REWRITE", "RELEASE"]) => match self.from(at) {
                Some(both) => both,
                None => return,
            },
            () => return,
        };
        for n in receivers {
            let Some(group) = self.groups.get(&self.tokens[n].upper()) else {
                continue;
            };
            let part = self.tokens.get(n + 1).is_some_and(|t| t.kind == Kind::Open);
            let qualifies = self.tokens[n - 1].is_any(&["OF", "IN"]);
            if !part && !qualifies && !self.shares(&senders, group) {
                let line = token.at;
                out.extend(group.largest.iter().map(|t| Token {
                    at: line,
                    ..t.clone()
                }));
            }
        }
    }

    /// Words of the sender and of the receivers.
    fn moved(&self, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let rest = &self.tokens[at..];
        let to = rest
            .iter()
            .position(|t| t.is("TO") || t.kind == Kind::Period);
        let to = at + to.filter(|to| rest[*to].is("TO"))?;
        if self.tokens[at + 1].is_any(&["CORR", "CORRESPONDING"]) {
            return None;
        }
        let ends = |t: &Token| t.kind == Kind::Period || crate::verbs::is_verb(t);
        let behind = self.tokens[to..].iter().position(ends)?;
        Some((at + 1..to, to + 1..to + behind))
    }

    /// `WRITE RECORD-1 FROM X`: the sender and the record.
    fn from(&self, at: usize) -> Option<(Range<usize>, Range<usize>)> {
        let from = self.tokens.get(at + 2).is_some_and(|t| t.is("FROM"));
        from.then_some((at + 3..(at + 4).min(self.tokens.len()), at + 1..at + 2))
    }

    fn read_into(&self, at: usize) -> Option<usize> {
        let near = self.tokens[at + 1..].iter().take(6);
        let near = near
            .take_while(|t| t.kind == Kind::Word && (t.is("NEXT") || !crate::verbs::is_verb(t)));
        let into = near.take_while(|t| !t.is("INTO")).count() + at + 1;
        let name = self.tokens.get(into).is_some_and(|t| t.is("INTO"));
        name.then_some(into + 1).filter(|n| *n < self.tokens.len())
    }

    /// The sender is in the record, or in one that shares storage with others.
    fn shares(&self, senders: &Range<usize>, group: &Group) -> bool {
        let redefines = |record: &Range<usize>| {
            let first = self.data.entries.get(record.start);
            first.is_some_and(|entry| entry.clauses.redefines)
        };
        self.tokens[senders.clone()].iter().any(|t| {
            let name = t.upper();
            let named = self.data.named(&name, &[]);
            let mut records = named.filter_map(|n| self.data.records().find(|r| r.contains(&n)));
            t.kind == Kind::Word && records.any(|r| r == group.record || redefines(&r))
        }) || redefines(&group.record)
    }

    /// Behind `GROUP (3:`: its length from there on.
    fn behind_colon(&self, at: usize, out: &mut Vec<Token>) {
        let closes = self
            .tokens
            .get(at + 1)
            .is_some_and(|t| t.kind == Kind::Close);
        let Some(open) = self.opened(at).filter(|_| closes) else {
            return;
        };
        let Some(name) = open.checked_sub(1).map(|n| &self.tokens[n]) else {
            return;
        };
        let Some(group) = self.groups.get(&name.upper()) else {
            return;
        };
        let near = &self.tokens[at];
        let in_table = |n: usize| self.data.entries[n].clauses.occurs > 0;
        if name.kind != Kind::Word || in_table(group.at) || self.data.around(group.at).any(in_table)
        {
            return;
        }
        out.extend(["LENGTH", "OF", &name.text, "-", "("].map(|text| near.spelled(text)));
        out.extend_from_slice(&self.tokens[open + 1..at]);
        out.extend([")", "+", "1"].map(|text| near.spelled(text)));
    }

    /// The parenthesis that is open at a colon.
    fn opened(&self, colon: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..colon).rev() {
            match self.tokens[at].kind {
                Kind::Close => depth += 1,
                Kind::Open if depth == 0 => return Some(at),
                Kind::Open => depth -= 1,
                Kind::Period => return None,
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;
    use crate::token::Session;

    const DATA: &str = "DATA DIVISION.\n WORKING-STORAGE SECTION.\n 01 LINES-READ PIC X(99).\n \
        01 G.\n 05 N PIC 99.\n 05 T PIC X OCCURS 0 TO 9 DEPENDING ON N.\n \
        01 H.\n 03 I.\n 05 K PIC 99.\n 05 U PIC X OCCURS 5 DEPENDING ON K.\n 03 V PIC X.\n \
        01 A.\n 05 B PIC X OCCURS 1 TO 4 DEPENDING ON N.\n PROCEDURE DIVISION.\n";

    fn said(statement: &str) -> String {
        let mut session = Session::default();
        let tokens = lex(&format!("{DATA} {statement}"), 0, Some(true), &mut session).tokens;
        let tokens = largest_receivers(tokens);
        let start = tokens.iter().rposition(|t| t.is("PROCEDURE")).unwrap() + 3;
        let words: Vec<&str> = tokens[start..].iter().map(|t| &*t.text).collect();
        words.join(" ")
    }

    #[test]
    fn a_receiver_with_its_own_number_has_its_largest_length() {
        for (source, wanted) in [
            (
                "MOVE LINES-READ TO G .",
                "MOVE 9 TO N OF G MOVE LINES-READ TO G .",
            ),
            (
                "MOVE SPACES TO A G V .",
                "MOVE 9 TO N OF G MOVE SPACES TO A G V .",
            ),
            ("MOVE V TO H .", "MOVE V TO H ."),
            (
                "MOVE LINES-READ TO H .",
                "MOVE 5 TO K OF H MOVE LINES-READ TO H .",
            ),
            ("WRITE G FROM V .", "MOVE 9 TO N OF G WRITE G FROM V ."),
            (
                "READ F NEXT RECORD INTO G AT END",
                "MOVE 9 TO N OF G READ F NEXT RECORD INTO G AT END",
            ),
        ] {
            assert_eq!(said(source), wanted);
        }
    }

    #[test]
    fn others_keep_their_length() {
        for source in [
            "MOVE LINES-READ TO I .",
            "MOVE LINES-READ TO A .",
            "MOVE N TO G .",
            "MOVE G TO LINES-READ .",
            "MOVE CORR H TO G .",
            "MOVE LINES-READ TO T ( 1 ) .",
            "READ F AT END MOVE 1 TO N .",
        ] {
            assert_eq!(said(source), source);
        }
    }

    #[test]
    fn a_length_that_is_left_out_begins_where_it_says() {
        assert_eq!(
            said("MOVE A (3:) TO V ."),
            "MOVE A ( 3 : LENGTH OF A - ( 3 ) + 1 ) TO V ."
        );
        assert_eq!(
            said("MOVE LINES-READ (3:) TO V ."),
            "MOVE LINES-READ ( 3 : ) TO V ."
        );
    }
}
