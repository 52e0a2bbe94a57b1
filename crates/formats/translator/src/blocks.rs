//! Finds EXEC ... END-EXEC blocks among the words.
//!
//! Why: the rest of the translator sees a block as one item. Not here: what is in a block.

use crate::token::{At, Kind, Session, Token};
use transom_messages as messages;

/// A word or a whole block.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Word(Token),
    Block(Block),
}

/// `EXEC kind body END-EXEC`.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// CICS, SQL, DLI ... in upper case.
    pub(crate) kind: String,
    pub(crate) at: At,
    pub(crate) end_at: At,
    pub(crate) body: Vec<Token>,
}

/// Words of one block; more is no command.
const MAX_BLOCK: usize = 20_000;

/// Groups words into items.
pub(crate) fn group(tokens: Vec<Token>, session: &mut Session) -> Vec<Item> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is("END-EXEC") {
            session.problem(messages::tr::end_exec_alone(), token.at);
            at += 1;
            continue;
        }
        let kind = tokens.get(at + 1).filter(|t| t.kind == Kind::Word);
        let (true, Some(kind)) = (token.is_any(&["EXEC", "EXECUTE"]), kind) else {
            out.push(Item::Word(token.clone()));
            at += 1;
            continue;
        };
        let (end, closed) = find_end(&tokens, at + 2);
        if !closed {
            session.problem(messages::tr::end_exec_missing(kind.upper()), token.at);
        }
        let body = tokens[at + 2..end].to_vec();
        let last = tokens
            .get(end)
            .filter(|_| closed)
            .or_else(|| tokens.get(end - 1));
        let end_at = last.map_or(token.at, |t| t.at);
        out.push(Item::Block(Block {
            kind: kind.upper(),
            at: token.at,
            end_at,
            body,
        }));
        at = end + usize::from(closed);
    }
    out
}

/// Index of END-EXEC, or of the word where an unclosed block is given up.
fn find_end(tokens: &[Token], start: usize) -> (usize, bool) {
    let mut period = None;
    // EXECUTE is a statement of SQL, and a privilege.
    let is_sql = tokens[start - 1].is("SQL");
    for (n, token) in tokens[start..].iter().enumerate().take(MAX_BLOCK) {
        let at = start + n;
        if token.is("END-EXEC") {
            return (at, true);
        }
        if token.kind == Kind::Period && period.is_none() {
            period = Some(at);
        }
        let begins = match is_sql {
            true => begins_block(tokens, at),
            false => token.is_any(&["EXEC", "EXECUTE"]),
        };
        if begins || token.is("DIVISION") {
            break;
        }
    }
    (period.unwrap_or(start.min(tokens.len())), false)
}

/// Whether a block begins here: EXEC, and what kind of block.
pub(crate) fn begins_block(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_any(words));
    is(at, &["EXEC", "EXECUTE"]) && is(at + 1, &["CICS", "SQL", "DLI", "SQLIMS"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::lex;

    fn items(text: &str) -> (Vec<Item>, Session) {
        let mut session = Session::default();
        let inclusion = session.include("T", text, None);
        let tokens = lex(text, inclusion, Some(true), &mut session).tokens;
        let items = group(tokens, &mut session);
        (items, session)
    }

    #[test]
    fn an_unclosed_block_ends_at_its_period() {
        let (items, session) = items("EXEC CICS RETURN .\nMOVE A TO B.");
        assert!(matches!(&items[0], Item::Block(b) if b.body.len() == 1));
        assert_eq!(items.len(), 7);
        assert_eq!(session.problems[0].id(), "TXMTR0010E");
    }

    #[test]
    fn execute_is_a_statement_of_sql() {
        let text = "EXEC SQL EXECUTE S1 END-EXEC EXECUTE CICS RETURN END-EXEC";
        let (items, session) = items(text);
        assert!(session.problems.is_empty(), "{:?}", session.problems);
        assert!(matches!(&items[0], Item::Block(b) if b.body.len() == 2));
        assert_eq!(items.len(), 2);
    }

    #[test]
    fn execute_is_a_privilege_of_sql() {
        let text = "EXEC SQL GRANT EXECUTE ON PLAN P TO A END-EXEC EXEC CICS RETURN END-EXEC";
        let (found, session) = items(text);
        assert!(session.problems.is_empty(), "{:?}", session.problems);
        assert_eq!(found.len(), 2);
        let (_, session) = items("EXEC SQL OPEN C1 .\nEXEC SQL CLOSE C1 END-EXEC");
        assert_eq!(session.problems[0].id(), "TXMTR0010E");
    }

    #[test]
    fn exec_as_last_word_does_no_harm() {
        assert_eq!(items("EXEC").0.len(), 1);
        assert_eq!(items("EXEC CICS").0.len(), 1);
        assert_eq!(items("END-EXEC").1.problems[0].id(), "TXMTR0011E");
    }
}
