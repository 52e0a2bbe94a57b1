//! Reading of definitions as EXEC CICS CSD asks for it: is it there, what comes next.
//!
//! Groups, lists and the definitions of a group come by name, definitions of one kind together; the
//! groups of a list in their order. A browse goes on behind the last one it had, so it passes over
//! what was deleted meanwhile and nobody keeps it. Conditions: NOTFND 1 (resource), 2 (group), 3
//! (list), END 1.

use crate::definition::Definition;
use crate::operation::asked::{Refused, Resource};
use crate::operation::names::{GROUP, LIST, no_list, of_resource, word};
use crate::store::Csd;
use std::fmt::Write as _;
use transom_language::language;
use transom_messages as messages;
use transom_types::Resp;

language! {
    /// A question.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Look {
        /// The group is there, in the list where one is given.
        1 = Group { group: String, list: String },
        2 = List(list: String),
        3 = Definition(resource: Resource),
        /// The group behind this one; of a list where one is given, behind so many of its groups.
        4 = NextGroup { list: String, after: String, place: u32 },
        5 = NextList(after: String),
        /// The definition of the group behind this one.
        6 = NextDefinition { group: String, after: Option<Resource> },
    }

    /// The answer.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Found {
        /// Of a group, a list or a resource.
        pub name: String,
        pub kind: String,
        /// `KEYWORD(value)` with blanks between.
        pub attributes: String,
    }
}

impl Csd {
    /// Answers a question.
    ///
    /// # Errors
    /// The condition that CICS raises.
    pub fn look(&self, look: &Look) -> Result<Found, Refused> {
        match look {
            Look::Group { group, list } => {
                word("GROUP", group, GROUP)?;
                if !list.is_empty() {
                    word("LIST", list, LIST)?;
                }
                let of = self.of_list(list)?;
                let there = match of {
                    Some(groups) => groups.contains(group),
                    None => self.group(group).is_some(),
                };
                there.then(Found::default).ok_or_else(|| no_group(group))
            }
            Look::List(list) => {
                word("LIST", list, LIST)?;
                let found = self.list(list).map(|_| Found::default());
                found.ok_or_else(|| no_list("INQUIRELIST", list))
            }
            Look::Definition(resource) => {
                let kind = of_resource(resource, false)?;
                let kind = kind.ok_or_else(|| no_group(&resource.group))?;
                self.present(kind, resource).map(found)
            }
            Look::NextGroup { list, after, place } => match self.of_list(list)? {
                Some(groups) => next(groups.get(*place as usize)),
                None => next(self.groups().find(|name| *name > after.as_str())),
            },
            Look::NextList(after) => next(self.lists().find(|name| *name > after.as_str())),
            Look::NextDefinition { group, after } => {
                let all = self.group(group).ok_or_else(|| no_group(group))?;
                let after = after.as_ref().map(|r| (r.kind.as_str(), r.name.as_str()));
                let behind = all.iter().filter(|d| after.is_none_or(|a| key(d) > a));
                behind.min_by_key(|d| key(d)).map(found).ok_or_else(end)
            }
        }
    }

    /// The groups of a list, where one is given.
    fn of_list(&self, list: &str) -> Result<Option<&[String]>, Refused> {
        if list.is_empty() {
            return Ok(None);
        }
        let groups = self.list(list);
        groups
            .map(Some)
            .ok_or_else(|| no_list("STARTBRGROUP", list))
    }
}

/// All attributes of a definition in one text, as CREATE and CSD DEFINE take it.
pub fn attributes_text(definition: &Definition) -> String {
    let mut text = String::new();
    for (keyword, value) in definition.attributes() {
        let blank = if text.is_empty() { "" } else { " " };
        let _ = write!(text, "{blank}{keyword}({value})");
    }
    text
}

fn key(definition: &Definition) -> (&str, &str) {
    (definition.kind.keyword(), definition.name.as_str())
}

fn found(definition: &Definition) -> Found {
    Found {
        name: definition.name.clone(),
        kind: definition.kind.keyword().to_owned(),
        attributes: attributes_text(definition),
    }
}

fn next(name: Option<impl AsRef<str>>) -> Result<Found, Refused> {
    let found = |name: &str| Found {
        name: name.to_owned(),
        ..Found::default()
    };
    name.map(|name| found(name.as_ref())).ok_or_else(end)
}

fn end() -> Refused {
    Refused::new(Resp::END, 1, messages::am::nothing_found())
}

fn no_group(group: &str) -> Refused {
    Refused::new(Resp::NOTFND, 2, messages::cs::group_not_found(group))
}
