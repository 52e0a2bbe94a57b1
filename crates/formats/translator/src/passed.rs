//! Parameters BY VALUE, and RETURNING, of a PROCEDURE DIVISION.
//!
//! Why: the compiler passes numbers by value in the order of the machine's bytes, and a program
//! that describes one as COMP reads it in the other order; RETURNING it has not got. What: both are
//! refused. Not here: parameters of a CALL, which may be those of a C function.

use crate::data::{Data, Usage};
use crate::token::{Kind, Session, Token};
use transom_messages as messages;

/// Reports what is not passed as on z/OS.
pub(crate) fn refuse_parameters(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    let headers = tokens.windows(2).enumerate();
    let headers = headers.filter(|(_, w)| w[0].is("PROCEDURE") && w[1].is("DIVISION"));
    let places: Vec<usize> = headers.map(|(at, _)| at).collect();
    let says = |word: &str| tokens.iter().any(|t| t.is(word));
    if !says("VALUE") && !says("RETURNING") {
        return tokens;
    }
    let data = Data::of_file(&tokens);
    for at in places {
        let mut by_value = false;
        for token in tokens[at..].iter().take_while(|t| t.kind != Kind::Period) {
            by_value &= !token.is("REFERENCE");
            by_value |= token.is("VALUE");
            if token.is("RETURNING") {
                let what = messages::tr::not_supported(
                    "PROCEDURE DIVISION RETURNING",
                    "pass the item BY REFERENCE",
                );
                session.problem(what, token.at);
            } else if by_value && is_binary(&data, token) {
                let what = messages::tr::not_supported(
                    format_args!("binary item {} BY VALUE", token.upper()),
                    "describe it as COMP-5, or pass it BY REFERENCE",
                );
                session.problem(what, token.at);
            }
        }
    }
    tokens
}

fn is_binary(data: &Data, token: &Token) -> bool {
    let name = token.upper();
    let mut named = data.named(&name, &[]);
    let binary = |at: usize| data.entries[at].clauses.usage == Some(Usage::Binary);
    token.kind == Kind::Word && named.any(binary)
}
