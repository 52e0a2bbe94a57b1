//! Hexadecimal literals that mean EBCDIC characters.
//!
//! What: X'40' that is moved to, compared with or the VALUE of an item of characters becomes the
//! blank that programs here have; what is not clear stays as it is, with a message at its place.
//! Why: it would be `@` in silence. The rule with examples is docs/decisions/0021. Supplied
//! copybooks have the bytes of this side and are passed over. Not here: EXEC CICS, whose literals
//! stay.

mod items;
mod literal;
mod operand;

pub(crate) use literal::{bytes, characters};

use crate::system::is_system_path;
use crate::token::{Session, Token};
use crate::{HexLiterals, Options};
use items::{Holds, Items};
use literal::Bytes;
use operand::Operands;
use transom_messages::tr;

/// Part of a file that begins with a division header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// IDENTIFICATION and ENVIRONMENT DIVISION.
    Front,
    Data,
    Procedure,
}

/// Reads hexadecimal literals as the options say.
pub(crate) fn read_literals(
    mut tokens: Vec<Token>,
    options: &Options,
    session: &mut Session,
) -> Vec<Token> {
    if !tokens.iter().any(|token| literal::bytes(token).is_some()) {
        return tokens;
    }
    let parts = parts(&tokens);
    let items: Vec<Items> = parts
        .iter()
        .filter(|(part, ..)| *part == Part::Data)
        .map(|(_, start, end)| Items::read(&tokens, *start, *end))
        .collect();
    let mut rewritten = Vec::new();
    let mut data = 0;
    for (part, start, end) in parts {
        data += usize::from(part == Part::Data);
        // Those of the program come first, then those of the programs around it.
        let near = items[..data].iter().rev().chain(&items[data..]);
        let mut operands = Operands::new(&tokens, near.collect(), start);
        let mut exec = false;
        for (at, token) in tokens.iter().enumerate().take(end).skip(start) {
            exec = token.is_any(&["EXEC", "EXECUTE"]) || (exec && !token.is("END-EXEC"));
            let Some(bytes) = literal::bytes(token) else {
                operands.pass(at);
                continue;
            };
            let holds = match part {
                _ if exec => Holds::Unclear,
                Part::Front => Holds::Characters,
                Part::Data => items[data - 1].of_entry(at),
                Part::Procedure => operands.of_literal(at),
            };
            if !is_system_path(session.file_of(token.at)) {
                rewritten.extend(read(token, &bytes, holds, options, session).map(|new| (at, new)));
            }
        }
    }
    for (at, token) in rewritten {
        tokens[at] = token;
    }
    tokens
}

/// The literal to be written in its place, or a message.
fn read(
    token: &Token,
    bytes: &[u8],
    holds: Holds,
    options: &Options,
    session: &mut Session,
) -> Option<Token> {
    let text = &token.text;
    let left = match (literal::meaning(bytes), holds) {
        (Bytes::Ends, _) | (_, Holds::Codes) => return None,
        (_, Holds::Flag) if matches!(bytes, [0x80 | 0x82 | 0x02]) => return None,
        // A number in storage that holds numbers.
        (Bytes::Other(_), Holds::Binary) => return None,
        (Bytes::Other(why), _) => tr::hex_literal_left(text, why),
        (_, Holds::Binary) => tr::hex_literal_left(
            text,
            "its item holds, or shares storage with, numbers that are no characters",
        ),
        (_, Holds::Stream) => {
            tr::hex_literal_left(text, "control characters stand in the same record")
        }
        (_, Holds::Unclear) => tr::hex_literal_left(text, "it is not clear what it is used with"),
        (Bytes::Characters(here), Holds::Characters | Holds::Flag) => match options.hex_literals {
            HexLiterals::Ebcdic => return Some(literal::rewritten(token, &here)),
            HexLiterals::Bytes => {
                let (now, meant) = (literal::shown(bytes), literal::shown(&here));
                tr::hex_literal_other_characters(text, now, meant)
            }
        },
    };
    session.problem(left, token.at);
    None
}

/// Divisions in their order.
fn parts(tokens: &[Token]) -> Vec<(Part, usize, usize)> {
    let mut out: Vec<(Part, usize, usize)> = vec![(Part::Front, 0, tokens.len())];
    for (at, pair) in tokens.windows(2).enumerate() {
        let division = pair[1].is("DIVISION");
        let part = match () {
            () if division && pair[0].is("DATA") => Part::Data,
            () if division && pair[0].is("PROCEDURE") => Part::Procedure,
            () if division && pair[0].is_any(&["IDENTIFICATION", "ID"]) => Part::Front,
            () if pair[0].is("END") && pair[1].is("PROGRAM") => Part::Front,
            () => continue,
        };
        if let Some(last) = out.last_mut() {
            last.2 = at;
        }
        // Behind header and period.
        let start = (at + 3).min(tokens.len());
        out.push((
            part,
            if part == Part::Data { start } else { at },
            tokens.len(),
        ));
    }
    out
}
