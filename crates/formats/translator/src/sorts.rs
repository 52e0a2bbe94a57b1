//! SORT and MERGE with USING and GIVING.
//!
//! Why: the compiler tells the run time which files a statement has, but neither their FILE STATUS,
//! nor whether it is SORT or MERGE, nor whether the program asks for SORT-RETURN. What: a
//! `CALL 'TXMSORT'` in front of each that says it, as region/batch reads it (`edge/sorts.c`); and
//! what cannot be done is refused. Not here: SORT with INPUT and OUTPUT PROCEDURE alone.

use crate::token::{Kind, Session, Token};
use crate::verbs::is_verb;
use std::collections::HashMap;
use transom_messages as messages;

/// Files of one statement; `FILES_MAX` of the run time.
const FILES_MAX: usize = 32;

/// Statuses by the names behind SELECT.
type Statuses = HashMap<String, Vec<Token>>;

/// What a statement has.
#[derive(Default)]
struct Sort {
    files: Vec<String>,
    input: bool,
    output: bool,
}

/// Says in front of each SORT and MERGE with files what they are.
pub(crate) fn tell_sorts(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is_any(&["SORT", "MERGE"])) {
        return tokens;
    }
    let asks = tokens.iter().any(|t| t.is("SORT-RETURN"));
    let refused = refusal(&tokens);
    let mut statuses = Statuses::new();
    let (mut procedure, mut exec) = (false, false);
    let mut out = Vec::with_capacity(tokens.len() + 32);
    for (at, token) in tokens.iter().enumerate() {
        if tokens.get(at + 1).is_some_and(|t| t.is("DIVISION")) {
            procedure = token.is("PROCEDURE");
        }
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        exec &= !token.is("END-EXEC");
        if !procedure && token.is("SELECT") {
            select(&tokens[at + 1..], &mut statuses);
        }
        if procedure && !exec && token.is_any(&["SORT", "MERGE"]) {
            let sort = statement(&tokens[at + 1..]);
            let too_many = sort.files.len() > FILES_MAX;
            let refused = refused.or(too_many.then_some(("more than 32 files", "sort in steps")));
            match refused {
                _ if sort.files.is_empty() => {}
                Some((why, way)) => {
                    let what = format_args!("{} with USING or GIVING and {why}", token.upper());
                    session.problem(messages::tr::not_supported(what, way), token.at);
                }
                None => out.extend(call(token, &sort, asks, &statuses)),
            }
        }
        out.push(token.clone());
    }
    out
}

/// Why files of a sort are refused in this source, and the way out.
fn refusal(tokens: &[Token]) -> Option<(&'static str, &'static str)> {
    let way = "read and write the files in INPUT PROCEDURE and OUTPUT PROCEDURE";
    let online = |w: &[Token]| w[0].is_any(&["EXEC", "EXECUTE"]) && w[1].is("CICS");
    if tokens.windows(2).any(online) {
        return Some(("EXEC CICS", way));
    }
    let error = |w: &[Token]| {
        w[0].is("USE")
            && w.iter()
                .take_while(|t| t.kind != Kind::Period)
                .any(|t| t.is_any(&["ERROR", "EXCEPTION"]))
    };
    let declared = (0..tokens.len()).any(|at| error(&tokens[at..(at + 8).min(tokens.len())]));
    declared.then_some(("declaratives for errors of files", way))
}

/// A file of FILE-CONTROL: remembers its FILE STATUS.
fn select(behind: &[Token], statuses: &mut Statuses) {
    let words = behind.iter().take_while(|t| t.kind != Kind::Period);
    let words: Vec<&Token> = words.skip_while(|t| t.is("OPTIONAL")).collect();
    let Some(name) = words.first() else {
        return;
    };
    let at = words.iter().position(|t| t.is("STATUS"));
    let item = at.map_or(words.len(), |at| at + 1);
    let mut item = words.iter().skip(item).skip_while(|t| t.is("IS"));
    let mut status: Vec<Token> = item.next().map(|t| (**t).clone()).into_iter().collect();
    while let Some(word) = item.next().filter(|t| t.is_any(&["IN", "OF"])) {
        status.push((**word).clone());
        status.extend(item.next().map(|t| (**t).clone()));
    }
    statuses.insert(name.upper(), status);
}

/// Reads a statement behind its verb.
fn statement(behind: &[Token]) -> Sort {
    let mut sort = Sort::default();
    let mut files = false;
    let words = behind.iter();
    for word in words.take_while(|t| t.kind != Kind::Period && !is_verb(t)) {
        match () {
            () if word.is_any(&["USING", "GIVING"]) => files = true,
            () if word.is("INPUT") => (sort.input, files) = (true, false),
            () if word.is("OUTPUT") => (sort.output, files) = (true, false),
            () if files && word.kind == Kind::Word => sort.files.push(word.upper()),
            () => {}
        }
    }
    sort
}

fn call(verb: &Token, sort: &Sort, asks: bool, statuses: &Statuses) -> Vec<Token> {
    let flag = |is: bool, letter: char| if is { letter } else { '-' };
    let mut said = String::from(if verb.is("MERGE") { 'M' } else { 'S' });
    said.push(flag(asks, 'R'));
    said.push(flag(sort.output, 'O'));
    said.push(flag(sort.input, 'I'));
    let none = Vec::new();
    let found = |name: &String| statuses.get(name).unwrap_or(&none);
    let items: Vec<&Vec<Token>> = sort.files.iter().map(found).collect();
    said.extend(items.iter().map(|i| if i.is_empty() { 'N' } else { 'Y' }));
    let token = |kind, text: &str| verb.beside(kind, text);
    let word = |text: &str| token(Kind::Word, text);
    let mut call = vec![
        word("CALL"),
        token(Kind::Literal, "'TXMSORT'"),
        word("USING"),
        word("BY"),
        word("CONTENT"),
        token(Kind::Literal, &format!("'{said}'")),
    ];
    if items.iter().any(|i| !i.is_empty()) {
        call.extend([word("BY"), word("REFERENCE")]);
    }
    let items = items.into_iter().flatten();
    call.extend(items.map(|item| Token {
        at: verb.at,
        ..item.clone()
    }));
    call.push(word("END-CALL"));
    call
}
