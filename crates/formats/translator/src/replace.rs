//! REPLACING of COPY and the REPLACE statement: text words against text words.
//!
//! Source of the rules: "COPY statement" and "REPLACE statement" of the Enterprise COBOL language
//! reference; partial words by pseudo-text such as `==:TAG:==` as IBM and COBOL 2002 allow.

use crate::token::{At, Kind, Session, Token};
use std::rc::Rc;
use transom_messages as messages;

/// One `x BY y`.
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    from: Vec<Token>,
    to: Vec<Token>,
    part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Leading,
    Trailing,
}

/// Text words one translation may grow to.
pub(crate) const MAX_TOKENS: usize = 2_000_000;

/// Reads `x BY y ...` up to the separator period; answers the pairs and the index after the
/// last word read (the period is not consumed).
pub(crate) fn read_pairs(
    tokens: &[Token],
    start: usize,
    session: &mut Session,
) -> (Vec<Pair>, usize) {
    let mut at = start;
    let mut pairs = Vec::new();
    loop {
        at = skip_commas(tokens, at);
        let Some(token) = tokens.get(at) else {
            return (pairs, at);
        };
        if token.kind == Kind::Period {
            return (pairs, at);
        }
        let part = match (token, tokens.get(at + 1)) {
            (t, Some(n)) if t.is("LEADING") && n.kind == Kind::Pseudo => Part::Leading,
            (t, Some(n)) if t.is("TRAILING") && n.kind == Kind::Pseudo => Part::Trailing,
            _ => Part::Whole,
        };
        at += usize::from(part != Part::Whole);
        let place = token.at;
        let Some((from, next)) = operand(tokens, at) else {
            session.problem(messages::tr::replacing_not_complete(), place);
            return (pairs, tokens.len());
        };
        let by = skip_commas(tokens, next);
        if !tokens.get(by).is_some_and(|t| t.is("BY")) {
            session.problem(messages::tr::replacing("BY is missing"), place);
            return (pairs, next);
        }
        let Some((to, next)) = operand(tokens, by + 1) else {
            session.problem(messages::tr::replacing("nothing follows BY"), place);
            return (pairs, tokens.len());
        };
        if from.is_empty() {
            session.problem(
                messages::tr::replacing("the text to replace is empty"),
                place,
            );
        } else {
            pairs.push(Pair { from, to, part });
        }
        at = next;
    }
}

fn skip_commas(tokens: &[Token], mut at: usize) -> usize {
    while tokens.get(at).is_some_and(|t| t.kind == Kind::Comma) {
        at += 1;
    }
    at
}

/// Pseudo-text, a literal, or a word with its qualifiers and subscripts.
fn operand(tokens: &[Token], start: usize) -> Option<(Vec<Token>, usize)> {
    let first = tokens.get(start)?;
    if first.kind == Kind::Pseudo {
        let end = tokens[start + 1..]
            .iter()
            .position(|t| t.kind == Kind::Pseudo)?
            + start
            + 1;
        let mut words = tokens[start + 1..end].to_vec();
        if let Some(word) = words.first_mut() {
            word.glued = false;
        }
        return Some((words, end + 1));
    }
    if first.kind == Kind::Period {
        return None;
    }
    let mut end = start + 1;
    if first.kind == Kind::Word {
        while tokens.get(end).is_some_and(|t| t.is_any(&["OF", "IN"]))
            && tokens.get(end + 1).is_some_and(|t| t.kind == Kind::Word)
        {
            end += 2;
        }
        if tokens.get(end).is_some_and(|t| t.kind == Kind::Open) {
            end += tokens[end..].iter().position(|t| t.kind == Kind::Close)? + 1;
        }
    }
    Some((tokens[start..end].to_vec(), end))
}

/// Replaces in all words. Replaced text stands where the replaced text stood.
pub(crate) fn apply(tokens: Vec<Token>, pairs: &[Pair]) -> Vec<Token> {
    if pairs.is_empty() {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    // Set when the word before vanished: the next word sticks to what stood before that.
    let mut inherit: Option<bool> = None;
    while let Some(token) = tokens.get(at) {
        if out.len() >= MAX_TOKENS {
            break;
        }
        if let Some((pair, length)) = pairs
            .iter()
            .find_map(|p| Some((p, matches(p, &tokens[at..])?)))
        {
            let glued = inherit.take().unwrap_or(token.glued);
            let words = replacement(pair, token);
            if words.is_empty() {
                inherit = Some(glued);
            }
            for (n, mut word) in words.into_iter().enumerate() {
                if n == 0 {
                    word.glued = glued;
                }
                push(&mut out, word);
            }
            at += length;
            continue;
        }
        let mut word = token.clone();
        if let Some(glued) = inherit.take() {
            word.glued = word.glued && glued;
        }
        push(&mut out, word);
        at += 1;
    }
    out
}

/// Appends a word; two words without a blank between them are one.
fn push(out: &mut Vec<Token>, word: Token) {
    if let Some(last) = out.last_mut()
        && word.glued
        && word.kind == Kind::Word
        && last.kind == Kind::Word
        && last.text.len() + word.text.len() <= MAX_WORD
    {
        last.text = format!("{}{}", last.text, word.text).into();
        return;
    }
    out.push(word);
}

/// Words do not grow beyond this by replacing.
const MAX_WORD: usize = 1024;

/// Number of words a pair matches here.
fn matches(pair: &Pair, tokens: &[Token]) -> Option<usize> {
    let first = tokens.first()?;
    if pair.part != Part::Whole {
        let [word] = pair.from.as_slice() else {
            return None;
        };
        if first.kind != Kind::Word || word.kind != Kind::Word {
            return None;
        }
        let (text, part) = (first.upper(), word.upper());
        let found = match pair.part {
            Part::Leading => text.starts_with(&part),
            _ => text.ends_with(&part),
        };
        return found.then_some(1);
    }
    let mut at = 0;
    for wanted in pair.from.iter().filter(|t| t.kind != Kind::Comma) {
        while at > 0 && tokens.get(at)?.kind == Kind::Comma {
            at += 1;
        }
        let have = tokens.get(at)?;
        let same = match wanted.kind {
            Kind::Literal => wanted.text == have.text,
            _ => wanted.text.eq_ignore_ascii_case(&have.text),
        };
        if !same || wanted.kind != have.kind {
            return None;
        }
        at += 1;
    }
    (at > 0).then_some(at)
}

fn replacement(pair: &Pair, matched: &Token) -> Vec<Token> {
    let place = |mut word: Token, at: At| {
        word.at = at;
        word.debug = matched.debug;
        word
    };
    if pair.part == Part::Whole {
        return pair
            .to
            .iter()
            .map(|t| place(t.clone(), matched.at))
            .collect();
    }
    let cut = pair.from[0].text.len();
    let new: String = pair.to.iter().map(|t| &*t.text).collect();
    let text = &matched.text;
    let joined = match pair.part {
        Part::Leading => text.get(cut..).map(|rest| format!("{new}{rest}")),
        _ => text
            .get(..text.len() - cut)
            .map(|rest| format!("{rest}{new}")),
    };
    match joined {
        Some(joined) if joined.is_empty() => Vec::new(),
        Some(joined) => vec![Token {
            text: Rc::from(joined),
            ..matched.clone()
        }],
        None => vec![matched.clone()],
    }
}

/// Carries out REPLACE statements and takes them out of the text.
pub(crate) fn replace_statements(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is("REPLACE")) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len());
    let mut pairs: Vec<Pair> = Vec::new();
    let mut run: Vec<Token> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if !token.is("REPLACE") || !starts_replace(&tokens, at + 1) {
            run.push(token.clone());
            at += 1;
            continue;
        }
        out.extend(apply(std::mem::take(&mut run), &pairs));
        if tokens[at + 1].is("OFF") {
            pairs.clear();
            at += 2;
        } else {
            let also = tokens[at + 1].is("ALSO");
            let (new, next) = read_pairs(&tokens, at + 1 + usize::from(also), session);
            if !also {
                pairs.clear();
            }
            pairs.splice(0..0, new);
            at = next;
        }
        at += usize::from(tokens.get(at).is_some_and(|t| t.kind == Kind::Period));
    }
    out.extend(apply(run, &pairs));
    out
}

fn starts_replace(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|t| {
        t.kind == Kind::Pseudo || t.is_any(&["OFF", "LEADING", "TRAILING", "ALSO"])
    })
}
