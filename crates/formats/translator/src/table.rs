//! Programs that are only data: tables for EXEC CICS LOAD.
//!
//! Why: a table of constants is an assembler module on z/OS, and LOAD answers its address. Here it
//! is a COBOL program that has WORKING-STORAGE and does nothing; it tells the run time where its
//! first record lies. Not here: loading it.

use crate::blocks::Item;
use crate::structure::{Program, programs};
use crate::token::{Kind, Session, Token};

/// Words of a PROCEDURE DIVISION that does nothing.
const NOTHING: &[&str] = &["GOBACK", "STOP", "RUN", "EXIT", "PROGRAM", "CONTINUE"];

/// Adds the call that tells where the table is.
pub(crate) fn tell_tables(items: Vec<Item>) -> Vec<Item> {
    let programs = programs(&items, &mut Session::default());
    let [program] = programs.as_slice() else {
        return items;
    };
    let Some((at, record)) = table(&items, program) else {
        return items;
    };
    let mut items = items;
    let place = record.at;
    let words = ["CALL", "'TXMTABLE'", "USING", &record.text, "END-CALL", "."];
    let call = words.map(|word| {
        Item::Word(Token {
            kind: match word {
                "." => Kind::Period,
                "'TXMTABLE'" => Kind::Literal,
                _ => Kind::Word,
            },
            text: word.into(),
            at: place,
            glued: word == ".",
            debug: false,
        })
    });
    items.splice(at..at, call);
    items
}

/// Where the call goes, and the name of the first record; `None`: the program is no table.
fn table(items: &[Item], program: &Program) -> Option<(usize, Token)> {
    let word = |at: usize| match items.get(at) {
        Some(Item::Word(token)) => Some(token),
        _ => None,
    };
    let (start, header) = program.procedure?;
    // PROCEDURE DIVISION and its period.
    if header != start + 2 || program.linkage.is_some() || program.local.is_some() {
        return None;
    }
    let end = program.end.min(items.len());
    let idle = (header + 1..end).all(|at| {
        word(at).is_some_and(|t| t.kind == Kind::Period || t.is_any(NOTHING))
            || ends_program(items, at)
    });
    let first = program.working?;
    let level = word(first)?.is_any(&["01", "1"]);
    let name = word(first + 1).filter(|t| t.kind == Kind::Word && !t.is("FILLER"))?;
    (idle && level).then(|| (header + 1, name.clone()))
}

/// END PROGRAM and its name.
fn ends_program(items: &[Item], at: usize) -> bool {
    let is = |at: usize, name: &str| matches!(items.get(at), Some(Item::Word(t)) if t.is(name));
    is(at, "END") && is(at + 1, "PROGRAM") || at >= 2 && is(at - 2, "END") && is(at - 1, "PROGRAM")
}
