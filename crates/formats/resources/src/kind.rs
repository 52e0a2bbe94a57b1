//! Kinds of resources and their rows.

use crate::answer::{Answer, Bounds, Constant, Set};
use crate::attribute::{Attribute, Effect, Field, FieldValue, Rule};
use transom_commands::{OptionId, opt};

include!(concat!(env!("OUT_DIR"), "/kinds.rs"));

/// One kind.
struct Kind {
    kind: ResourceKind,
    keyword: &'static str,
    title: &'static str,
    name: Rule,
    one: bool,
    installs: Installs,
    record: Option<Record>,
    constants: &'static [(OptionId, Constant)],
    by_code: &'static [Answer],
    attributes: &'static [Attribute],
}

/// What installing a definition does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Installs {
    /// A running region takes it.
    Now,
    /// A region takes it when it starts.
    AtStart,
    /// It is accepted and changes nothing.
    Accepted,
    /// This region has nothing of the kind.
    Refused,
}

/// What the region keeps of an installed definition, besides its attributes' fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// Name of the type.
    pub name: &'static str,
    /// The name of the resource.
    pub key: Field,
    /// Space of shared memory it lies in, a group for each name; empty: it lies elsewhere.
    pub space: &'static str,
    /// Several attributes together make a field.
    pub combined: bool,
    /// What commands answer when there is none of the name.
    pub missing: Option<Missing>,
    /// What no attribute says.
    pub state: &'static [State],
}

/// A field of a record that no attribute says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// The field.
    pub field: Field,
    /// Options that tell and change it; they are among [`ResourceKind::other_answers`].
    pub answers: &'static [Answer],
}

/// The condition of a name that nothing has, and its RESP2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// Name of the condition.
    pub resp: &'static str,
    /// INQUIRE.
    pub inquire: u32,
    /// SET.
    pub set: u32,
    /// DISCARD.
    pub discard: u32,
}

impl ResourceKind {
    /// All kinds, in name order.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(|row| row.kind)
    }

    /// The keyword: `TRANSACTION`.
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// What such a resource is, in some words.
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// The kind of a keyword (upper case) or of an unambiguous abbreviation of one.
    pub fn by_keyword(word: &str) -> Option<Self> {
        let exact = KINDS.iter().find(|row| row.keyword == word);
        if let Some(row) = exact {
            return Some(row.kind);
        }
        let mut fits = KINDS.iter().filter(|row| row.keyword.starts_with(word));
        match (fits.next(), fits.next()) {
            (Some(row), None) if word.len() >= 3 => Some(row.kind),
            _ => None,
        }
    }

    /// Most characters of a name of this kind.
    pub fn name_length(self) -> usize {
        self.row().name.name_length()
    }

    /// Names of this kind keep their case; all others are upper case.
    pub fn name_keeps_case(self) -> bool {
        matches!(self.row().name, Rule::CaseName(_))
    }

    /// A region has one of the kind, and INQUIRE, SET and DISCARD do not name it.
    pub fn is_one(self) -> bool {
        self.row().one
    }

    /// What installing a definition does.
    pub fn installs(self) -> Installs {
        self.row().installs
    }

    /// What the region keeps of an installed definition.
    pub fn record(self) -> Option<&'static Record> {
        self.row().record.as_ref()
    }

    /// Attributes of this kind only; [`common_attributes`] belong to every kind.
    pub fn attributes(self) -> &'static [Attribute] {
        self.row().attributes
    }

    /// The attribute of a keyword (upper case) or of an unambiguous abbreviation of one.
    pub fn attribute(self, word: &str) -> Option<&'static Attribute> {
        let all = || self.attributes().iter().chain(common_attributes());
        if let Some(exact) = all().find(|a| a.keyword == word) {
            return Some(exact);
        }
        let mut fits = all().filter(|a| a.keyword.starts_with(word));
        match (fits.next(), fits.next()) {
            (Some(attribute), None) if word.len() >= 2 => Some(attribute),
            _ => None,
        }
    }

    /// Options of INQUIRE that every resource of the kind answers alike. The later of two for one
    /// option counts, and an answer of the resource itself before both.
    pub fn constants(self) -> impl Iterator<Item = (OptionId, Constant)> {
        COMMON_ANSWERS.iter().chain(self.row().constants).copied()
    }

    /// Options of INQUIRE and SET about what no attribute says.
    pub fn other_answers(self) -> &'static [Answer] {
        self.row().by_code
    }

    /// What SET takes for an option with a number.
    pub fn bounds(self, option: OptionId) -> Option<Bounds> {
        let mut all = self.attributes().iter();
        all.find_map(|attribute| {
            let mut answers = attribute.answers.iter();
            let answer = answers.find(|answer| answer.option == option)?;
            attribute.bounds(answer)
        })
    }

    fn row(self) -> &'static Kind {
        // The generator writes enumeration and rows in one order.
        &KINDS[self as usize]
    }
}

/// Attributes every kind has: description, owner data, and the trail DFHCSDUP EXTRACT writes.
pub fn common_attributes() -> &'static [Attribute] {
    COMMON
}
