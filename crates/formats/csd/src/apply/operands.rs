//! Operands of the commands of groups and lists.
//!
//! Why: what a command does not know may be the next statement, misspelt, and must not be lost
//! without a word. Not here: attributes of DEFINE and ALTER.

use super::Context;
use crate::hint::hint;
use crate::scan::{Operand, Statement};
use crate::verbs::{Verb, is_bare, verb_words};
use transom_messages as messages;
use transom_resources::ResourceKind;

impl Context<'_> {
    /// What a statement does not know is told: it may be another statement, misspelt.
    pub(super) fn unknown_operands(&mut self, statement: &Statement) {
        let Some(known) = statement.verb.and_then(operands) else {
            return;
        };
        let is_known = |o: &&Operand| {
            let word = o.keyword.as_str();
            let mut named = known.iter();
            is_bare(word)
                || named.any(|k| *k == word || word.len() >= 3 && k.starts_with(word))
                || known.contains(&RESOURCE) && ResourceKind::by_keyword(word).is_some()
        };
        for operand in statement.operands.iter().filter(|o| !is_known(o)) {
            let word = operand.keyword.as_str();
            let near = match verb_words().any(|verb| verb == word) {
                true => "; a command begins on a line of its own".to_owned(),
                false => hint(word, known.iter().copied().filter(|k| !k.is_empty())),
            };
            let message = messages::cs::not_an_operand(&statement.word, word, near);
            self.problem_at((operand.line, operand.column), message);
        }
    }
}

/// Stands for the types of resources among operands.
const RESOURCE: &str = "";

/// Operands of a command; `None`: it tells unknown ones itself, or does nothing.
fn operands(verb: Verb) -> Option<&'static [&'static str]> {
    match verb {
        Verb::Define | Verb::UserDefine | Verb::Alter | Verb::Ignored => None,
        Verb::Add => Some(&["GROUP", "LIST", "BEFORE", "AFTER"]),
        Verb::Remove => Some(&["GROUP", "LIST"]),
        Verb::Append => Some(&["LIST", "TO", "FROMCSD"]),
        Verb::Delete => Some(&["GROUP", "LIST", RESOURCE]),
        Verb::Copy | Verb::Rename => Some(&["GROUP", "TO", "AS", "FROMCSD", RESOURCE]),
    }
}
