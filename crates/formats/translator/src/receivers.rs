//! ADD, SUBTRACT, MULTIPLY and DIVIDE with several receivers of which one is the operand too.
//!
//! Why: the result that is added, subtracted, multiplied by or divided by is there before the first
//! receiver changes; cobc looks at the operand again for each receiver: `ADD A TO A B` added the
//! doubled A to B. What: `ADD A ZERO TO A B`, which is computed once; MULTIPLY and DIVIDE name the
//! receiver that the operand depends on last, and are refused where the order of receivers
//! matters. Not here: GIVING, whose result is computed once.

use crate::token::{Kind, Session, Token};
use crate::verbs::is_verb;
use std::ops::Range;
use transom_messages as messages;

/// Words that end the receivers.
const ENDS: &[&str] = &[
    "GIVING",
    "ON",
    "SIZE",
    "NOT",
    "REMAINDER",
    "CORR",
    "CORRESPONDING",
];

/// Writes the statements so that their operand is computed once.
pub(crate) fn compute_once(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len() + 16);
    let (mut procedure, mut exec) = (false, false);
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        let statement = (procedure && !exec).then(|| Statement::read(&tokens, at));
        exec &= !token.is("END-EXEC");
        match statement.flatten().filter(|s| s.depends(&tokens)) {
            Some(statement) => {
                statement.write(&tokens, session, &mut out);
                at = statement.end();
            }
            None => {
                out.push(token.clone());
                at += 1;
            }
        }
    }
    out
}

/// A statement with one operand and several receivers.
struct Statement {
    start: usize,
    operand: Range<usize>,
    receivers: Vec<Range<usize>>,
}

impl Statement {
    fn read(tokens: &[Token], start: usize) -> Option<Self> {
        let verb = tokens.get(start)?;
        let joins: &[&str] = match () {
            () if verb.is("ADD") => &["TO"],
            () if verb.is("SUBTRACT") => &["FROM"],
            () if verb.is("MULTIPLY") => &["BY"],
            () if verb.is("DIVIDE") => &["INTO"],
            () => return None,
        };
        let operand = start + 1..operand(tokens, start + 1)?;
        if !tokens.get(operand.end)?.is_any(joins) {
            return None;
        }
        let mut receivers = Vec::new();
        let mut at = operand.end + 1;
        while let Some(end) = receiver(tokens, at) {
            receivers.push(at..end);
            at = end;
            if tokens.get(at).is_some_and(|t| t.kind == Kind::Comma) {
                at += 1;
            }
        }
        let giving = tokens.get(at).is_some_and(|t| t.is("GIVING"));
        (receivers.len() > 1 && !giving).then_some(Self {
            start,
            operand,
            receivers,
        })
    }

    fn end(&self) -> usize {
        self.receivers.last().map_or(self.operand.end, |r| r.end)
    }

    /// The operand is made of a receiver.
    fn depends(&self, tokens: &[Token]) -> bool {
        self.receivers.iter().any(|r| self.is_of(tokens, r))
    }

    fn is_of(&self, tokens: &[Token], receiver: &Range<usize>) -> bool {
        mentions(&tokens[self.operand.clone()], &tokens[receiver.start])
    }

    fn write(&self, tokens: &[Token], session: &mut Session, out: &mut Vec<Token>) {
        let verb = &tokens[self.start];
        let sums = verb.is_any(&["ADD", "SUBTRACT"]);
        out.extend_from_slice(&tokens[self.start..self.operand.end]);
        if sums {
            out.push(verb.beside(Kind::Word, "ZERO"));
            out.extend_from_slice(&tokens[self.operand.end..self.end()]);
            return;
        }
        let (last, first): (Vec<_>, Vec<_>) = self
            .receivers
            .iter()
            .cloned()
            .partition(|r| self.is_of(tokens, r));
        let moved = |r: &Range<usize>| {
            let behind = self.receivers.iter().filter(|other| other.start > r.start);
            let parts = |other: &Range<usize>| &tokens[other.clone()];
            behind
                .into_iter()
                .any(|other| mentions(parts(other), &tokens[r.start]))
        };
        if last.len() > 1 || last.iter().any(moved) {
            let what = format!("{} of an item by itself and others", verb.upper());
            let instead = "move the item to another one, and name that";
            session.problem(messages::tr::not_supported(what, instead), verb.at);
        }
        out.push(tokens[self.operand.end].clone());
        for receiver in first.into_iter().chain(last) {
            out.extend_from_slice(&tokens[receiver]);
        }
    }
}

/// A word of these names this item.
fn mentions(words: &[Token], item: &Token) -> bool {
    words
        .iter()
        .any(|t| t.kind == Kind::Word && t.text.eq_ignore_ascii_case(&item.text))
}

/// Where an identifier ends; none: a literal, a function or an expression begins here.
fn operand(tokens: &[Token], start: usize) -> Option<usize> {
    let first = tokens.get(start)?;
    let letters = first.text.chars().any(|c| c.is_ascii_alphabetic());
    if first.kind != Kind::Word || !letters || first.is_any(&["FUNCTION", "LENGTH", "ZERO"]) {
        return None;
    }
    let mut at = start + 1;
    while tokens.get(at)?.is_any(&["OF", "IN"]) {
        at += 2;
    }
    if tokens.get(at)?.kind == Kind::Open {
        let mut depth = 0usize;
        loop {
            match tokens.get(at)?.kind {
                Kind::Open => depth += 1,
                Kind::Close => depth -= 1,
                Kind::Period => return None,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    Some(at)
}

/// Where a receiver ends, with its ROUNDED.
fn receiver(tokens: &[Token], start: usize) -> Option<usize> {
    let first = tokens.get(start)?;
    if is_verb(first) || first.is_any(ENDS) {
        return None;
    }
    let mut at = operand(tokens, start)?;
    if tokens.get(at).is_some_and(|t| t.is("ROUNDED")) {
        at += 1;
        let is = |at: usize, word| tokens.get(at).is_some_and(|t: &Token| t.is(word));
        if is(at, "MODE") {
            at += 1 + usize::from(is(at + 1, "IS")) + 1;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn said(statement: &str) -> Result<String, String> {
        let mut session = Session::default();
        let text = format!("PROCEDURE DIVISION.\n {statement}");
        let tokens = lex(&text, 0, Some(true), &mut session).tokens;
        let tokens = compute_once(tokens, &mut session);
        if let Some(problem) = session.problems.first() {
            return Err(problem.words().to_owned());
        }
        let words: Vec<&str> = tokens[3..].iter().map(|t| &*t.text).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn an_operand_that_is_a_receiver_is_computed_once() {
        for (source, wanted) in [
            ("ADD A TO A B.", "ADD A ZERO TO A B ."),
            (
                "ADD T (I) TO I, B ROUNDED.",
                "ADD T ( I ) ZERO TO I , B ROUNDED .",
            ),
            (
                "SUBTRACT A OF G FROM B A OF G .",
                "SUBTRACT A OF G ZERO FROM B A OF G .",
            ),
            (
                "MULTIPLY A BY A ROUNDED B T(1).",
                "MULTIPLY A BY B T ( 1 ) A ROUNDED .",
            ),
            (
                "DIVIDE A INTO A B ON SIZE ERROR",
                "DIVIDE A INTO B A ON SIZE ERROR",
            ),
        ] {
            assert_eq!(said(source).unwrap(), wanted);
        }
    }

    #[test]
    fn other_statements_stay() {
        for source in [
            "ADD A TO B C .",
            "ADD A TO A ADD A TO B .",
            "ADD A B TO A C .",
            "ADD 1 TO A B .",
            "ADD A TO A GIVING B C .",
            "MULTIPLY A BY B GIVING A B .",
            "ADD CORR A TO A .",
        ] {
            assert_eq!(said(source).unwrap(), source);
        }
    }

    #[test]
    fn an_order_that_matters_is_refused() {
        for source in ["MULTIPLY A BY A T(A).", "DIVIDE T(A) INTO A T(1)."] {
            let problem = said(source).unwrap_err();
            assert!(problem.contains("by itself"), "{problem}");
        }
    }
}
