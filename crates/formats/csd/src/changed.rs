//! Which groups and lists the statements of a text change.
//!
//! Why: locks keep others from changing a group, not from copying it or naming it. Not here: whose
//! lock it is (`region/decks`).

use crate::scan::{Statement, scan};
use crate::store::Csd;
use crate::verbs::{Verb, verb, whole};
use transom_messages::{self as messages, Message};

/// A group or list that a statement changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The command, written out.
    pub verb: &'static str,
    pub name: String,
    pub is_list: bool,
}

impl Changed {
    /// What the statements of a text change, in their order.
    pub fn by(text: &str) -> Vec<Self> {
        let (statements, _) = scan("", text);
        statements.iter().flat_map(Self::of).collect()
    }

    /// The name is one that nobody changes, or a group is to have the name of a list, or the other
    /// way round.
    ///
    /// # Errors
    /// The message that says so.
    pub fn is_free(&self, csd: &Csd) -> Result<(), Message> {
        let name = self.name.as_str();
        let (group, list) = (csd.group(name).is_some(), csd.list(name).is_some());
        if name.starts_with(crate::operation::asked::PROTECTED) {
            return Err(messages::cs::name_is_protected(name));
        }
        match self.is_list {
            true if group && !list => Err(messages::cs::name_is_a_group(name)),
            false if list && !group => Err(messages::cs::name_is_a_list(name)),
            _ => Ok(()),
        }
    }

    fn of(statement: &Statement) -> Vec<Self> {
        let Some(word) = whole(&statement.word) else {
            return Vec::new();
        };
        let named = |keyword: &str| {
            let mut all = statement.operands.iter();
            let found = all.find(|o| {
                o.keyword == keyword || o.keyword.len() >= 3 && keyword.starts_with(&o.keyword)
            });
            found.and_then(|o| Some(o.value.as_deref()?.trim().to_ascii_uppercase()))
        };
        let to = |name: Option<String>, is_list| {
            name.map(|name| Self {
                verb: word,
                name,
                is_list,
            })
        };
        let (group, list) = (|| to(named("GROUP"), false), || to(named("LIST"), true));
        let all = match verb(&statement.word) {
            Some(Verb::Add | Verb::Remove) => [list(), None],
            Some(Verb::Append) => [to(named("TO"), true), None],
            Some(Verb::Copy) => [to(named("TO"), false).or_else(group), None],
            Some(Verb::Rename) => [group(), to(named("TO"), false)],
            _ if matches!(word, "LIST" | "EXTRACT" | "SCAN" | "INSTALL") => [None, None],
            _ => [group(), list()],
        };
        all.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let all = Changed::by(text).into_iter();
        all.map(|c| format!("{} {}", c.verb, c.name)).collect()
    }

    #[test]
    fn a_copy_changes_its_target() {
        assert_eq!(names(" COPY GROUP(a) TO(b)"), ["COPY B"]);
        assert_eq!(names(" COPY PROG(X) G(a) AS(Y)"), ["COPY A"]);
        assert_eq!(names(" ADD GROUP(A) LIST( L1 )"), ["ADD L1"]);
        assert_eq!(
            names(" RENAME PROG(X) GROUP(A) TO(B)"),
            ["RENAME A", "RENAME B"]
        );
        let text = " DEF PROG(X) GROUP(A)\n DESCRIPTION(LIST(Z))\n UNLOCK LIST(L)\n";
        assert_eq!(names(text), ["DEFINE A", "UNLOCK L"]);
        assert_eq!(names(" LIST ALL"), [""; 0]);
    }
}
