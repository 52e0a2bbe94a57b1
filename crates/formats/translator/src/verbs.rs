//! Words that begin a statement of the PROCEDURE DIVISION, or end one.
//!
//! Why: what a word means follows from the statement it stands in, and statements have no mark of
//! their own. Words that begin another part of a statement (ELSE, WHEN, THEN) count too. Not here:
//! which statements there are for users (`language`).

use crate::token::{Kind, Token};

const VERBS: &[&str] = &[
    "ACCEPT",
    "ADD",
    "ALLOCATE",
    "ALTER",
    "CALL",
    "CANCEL",
    "CLOSE",
    "COMPUTE",
    "CONTINUE",
    "DELETE",
    "DISPLAY",
    "DIVIDE",
    "ELSE",
    "ENTRY",
    "EVALUATE",
    "EXEC",
    "EXECUTE",
    "EXIT",
    "FREE",
    "GENERATE",
    "GO",
    "GOBACK",
    "IF",
    "INITIALIZE",
    "INSPECT",
    "INVOKE",
    "JSON",
    "MERGE",
    "MOVE",
    "MULTIPLY",
    "NEXT",
    "OPEN",
    "PERFORM",
    "READ",
    "RELEASE",
    "RETURN",
    "REWRITE",
    "SEARCH",
    "SET",
    "SORT",
    "START",
    "STOP",
    "STRING",
    "SUBTRACT",
    "THEN",
    "UNSTRING",
    "WHEN",
    "WRITE",
    "XML",
];

/// The word begins a statement or a part of one, or ends one (`END-CALL`).
pub(crate) fn is_verb(token: &Token) -> bool {
    let ended = || {
        let verb = token.text.split_at_checked(4);
        verb.is_some_and(|(end, verb)| {
            end.eq_ignore_ascii_case("END-") && VERBS.iter().any(|v| verb.eq_ignore_ascii_case(v))
        })
    };
    token.is_any(VERBS) || (token.kind == Kind::Word && ended())
}

/// Words of conditions and statements that no operand is: what stands in parentheses behind one is
/// an expression or a condition.
const CONNECTIVES: &[&str] = &[
    "ALSO", "AND", "ARE", "BY", "EQUAL", "EQUALS", "FROM", "GIVING", "GREATER", "INTO", "IS",
    "LESS", "NOT", "OR", "THAN", "THROUGH", "THRU", "TO", "UNTIL",
];

pub(crate) fn is_connective(token: &Token) -> bool {
    is_verb(token) || token.is_any(CONNECTIVES)
}
