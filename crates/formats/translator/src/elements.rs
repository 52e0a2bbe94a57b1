//! Tables whose elements are arguments of a function all at once: `FUNCTION SUM (T (ALL))`.
//!
//! Why: cobc has no subscript ALL. What: the elements one by one, the last subscript changing
//! first; refused where their number is in an item, or where there are too many. Not here: what
//! functions make of their arguments.

use crate::data::Data;
use crate::token::{Kind, Session, Token};
use std::ops::Range;
use transom_messages as messages;

/// Arguments that one reference becomes.
const MOST_ELEMENTS: u32 = 1_000;

/// Writes the elements of tables with a subscript ALL.
pub(crate) fn name_elements(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    let all = |pair: &[Token]| pair[0].is("ALL") && is_subscript_end(&pair[1]);
    if !tokens.windows(2).any(all) {
        return tokens;
    }
    let data = Data::of_file(&tokens);
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 64);
    let mut procedure = false;
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        procedure |= token.is("PROCEDURE");
        let found = (procedure && depth > 0 && token.kind == Kind::Open)
            .then(|| Reference::read(&tokens, at))
            .flatten();
        if let Some(reference) = found {
            out.truncate(out.len() - (at - reference.name.start));
            reference.write(&tokens, &data, session, &mut out);
            at = reference.close + 1;
            continue;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Period => depth = 0,
            _ => {}
        }
        out.push(token.clone());
        at += 1;
    }
    out
}

fn is_subscript_end(token: &Token) -> bool {
    matches!(token.kind, Kind::Close | Kind::Comma | Kind::Word)
}

/// A reference to a table with a subscript ALL.
struct Reference {
    /// The name with those of its groups.
    name: Range<usize>,
    /// Places of ALL, with the number of the subscript.
    alls: Vec<(usize, usize)>,
    close: usize,
}

impl Reference {
    fn read(tokens: &[Token], open: usize) -> Option<Self> {
        let mut start = open.checked_sub(1)?;
        while start >= 2 && tokens[start - 1].is_any(&["OF", "IN"]) {
            start -= 2;
        }
        let named = tokens[start].kind == Kind::Word;
        let function = start > 0 && tokens[start - 1].is("FUNCTION");
        let (alls, close) = subscripts(tokens, open)?;
        (named && !function && !alls.is_empty()).then_some(Self {
            name: start..open,
            alls,
            close,
        })
    }

    fn write(&self, tokens: &[Token], data: &Data, session: &mut Session, out: &mut Vec<Token>) {
        let name = &tokens[self.name.start];
        let groups: Vec<String> = tokens[self.name.start + 1..self.name.end]
            .iter()
            .filter(|t| !t.is_any(&["OF", "IN"]))
            .map(Token::upper)
            .collect();
        let bounds = data
            .named(&name.upper(), &groups)
            .next()
            .and_then(|item| self.bounds(tokens, data, item));
        let Some(bounds) = bounds else {
            let text = messages::tr::elements_not_known(&name.text, MOST_ELEMENTS);
            session.problem(text, name.at);
            return out.push(name.clone());
        };
        let mut element = vec![1; bounds.len()];
        loop {
            self.write_element(tokens, &element, out);
            let Some(turn) = (0..element.len()).rfind(|i| element[*i] < bounds[*i]) else {
                return;
            };
            element[turn] += 1;
            element[turn + 1..].fill(1);
        }
    }

    /// Elements of each dimension that ALL stands for; `None`: not known, or too many.
    fn bounds(&self, tokens: &[Token], data: &Data, item: usize) -> Option<Vec<u32>> {
        let around: Vec<usize> = std::iter::once(item).chain(data.around(item)).collect();
        let tables = around.into_iter().rev().map(|at| &data.entries[at]);
        let tables: Vec<_> = tables.filter(|e| e.clauses.occurs > 0).collect();
        let bounds = self.alls.iter().map(|(_, dimension)| {
            let table = tables.get(*dimension)?;
            let words = &tokens[table.start..table.end];
            let fixed = !words.iter().any(|t| t.is("DEPENDING"));
            fixed.then_some(table.clauses.occurs)
        });
        let bounds: Vec<u32> = bounds.collect::<Option<_>>()?;
        let count = bounds.iter().try_fold(1u32, |n, b| n.checked_mul(*b))?;
        (count <= MOST_ELEMENTS).then_some(bounds)
    }

    fn write_element(&self, tokens: &[Token], element: &[u32], out: &mut Vec<Token>) {
        let words = tokens.iter().enumerate().take(self.close + 1);
        for (at, token) in words.skip(self.name.start) {
            let number = self.alls.iter().position(|(place, _)| *place == at);
            match number.and_then(|i| element.get(i)) {
                Some(number) => out.push(token.spelled(&number.to_string())),
                None => out.push(token.clone()),
            }
        }
    }
}

/// Places of ALL among subscripts and their numbers, and the closing parenthesis.
fn subscripts(tokens: &[Token], open: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    let mut alls = Vec::new();
    let (mut depth, mut number, mut operand) = (0usize, 0usize, false);
    for at in open..tokens.len() {
        let token = &tokens[at];
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Comma => {}
            Kind::Word if depth != 1 || token.is_any(&["OF", "IN"]) => {}
            Kind::Word if matches!(&*token.text, "+" | "-" | "*" | "/") => operand = false,
            Kind::Word => {
                let joined = tokens[at - 1].is_any(&["OF", "IN"]);
                number += usize::from(operand && !joined);
                operand = true;
                if token.is("ALL") {
                    alls.push((at, number));
                }
            }
            // A literal behind ALL, a colon: these are no subscripts.
            _ => return None,
        }
        if depth == 0 {
            return Some((alls, at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    const DATA: &str = "DATA DIVISION.\n WORKING-STORAGE SECTION.\n 01 N PIC 9.\n 01 G.\n \
        05 T PIC 9 OCCURS 3.\n 05 R OCCURS 2.\n 10 C PIC 9 OCCURS 2 TIMES.\n \
        05 L PIC 9 OCCURS 1001.\n 05 O PIC 9 OCCURS 1 TO 5 DEPENDING ON N.\n PROCEDURE DIVISION.\n";

    fn said(statement: &str) -> (String, usize) {
        let mut session = Session::default();
        let text = format!("{DATA} {statement}");
        let tokens = lex(&text, 0, Some(true), &mut session).tokens;
        let tokens = name_elements(tokens, &mut session);
        let start = tokens.iter().rposition(|t| t.is("COMPUTE")).unwrap();
        let words: Vec<&str> = tokens[start + 1..].iter().map(|t| &*t.text).collect();
        (words.join(" "), session.problems.len())
    }

    #[test]
    fn all_elements_are_named() {
        for (source, wanted) in [
            ("SUM (T (ALL))", "SUM ( T ( 1 ) T ( 2 ) T ( 3 ) )"),
            (
                "MAX (N T OF G (ALL) 7)",
                "MAX ( N T OF G ( 1 ) T OF G ( 2 ) T OF G ( 3 ) 7 )",
            ),
            (
                "SUM (C (ALL, N + 1))",
                "SUM ( C ( 1 , N + 1 ) C ( 2 , N + 1 ) )",
            ),
            ("SUM (C (N ALL))", "SUM ( C ( N 1 ) C ( N 2 ) )"),
            (
                "SUM (C (ALL ALL))",
                "SUM ( C ( 1 1 ) C ( 1 2 ) C ( 2 1 ) C ( 2 2 ) )",
            ),
        ] {
            let (text, problems) = said(&format!("COMPUTE N = FUNCTION {source}."));
            assert_eq!(text, format!("N = FUNCTION {wanted} ."));
            assert_eq!(problems, 0);
        }
    }

    #[test]
    fn elements_that_are_not_known_are_refused() {
        for table in ["O", "L", "UNKNOWN"] {
            let (_, problems) = said(&format!("COMPUTE N = FUNCTION SUM ({table} (ALL))."));
            assert_eq!(problems, 1, "{table}");
        }
        let (_, problems) = said("COMPUTE N = 1 INSPECT T (1) REPLACING ALL '1' BY '2'.");
        assert_eq!(problems, 0);
    }
}
