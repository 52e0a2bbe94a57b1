//! Statements -> changes of a [`Csd`]: the frame, DEFINE and ALTER.
//!
//! Not here: DELETE, COPY and what changes lists (`groups.rs`), operands they do not know
//! (`operands.rs`).

mod groups;
mod operands;
mod selection;
mod whole;

use crate::definition::Definition;
use crate::hint::hint;
use crate::scan::{Operand, Statement, scan};
use crate::store::Csd;
use crate::value::{check, name};
use crate::verbs::{Verb, verb_words};
use crate::{MAX_DECK_BYTES, MAX_DEFINITIONS, MAX_PROBLEMS};
use selection::Selection;
use transom_messages::{self as messages, Place, Problem};
use transom_resources::{Attribute, ResourceKind, common_attributes};

/// Longest group and list name.
const GROUP_NAME: usize = 8;

/// What came of the statements of a deck.
#[derive(Debug)]
pub struct Applied {
    /// What is wrong, in the order of the lines.
    pub problems: Vec<Problem>,
    /// A statement changed nothing: it is done already, or what it is about is not there.
    pub without_change: bool,
}

impl Csd {
    /// Runs the statements of a deck. `deck` names it in problems. What is wrong is left out and
    /// told; the rest takes effect.
    pub fn parse_deck(&mut self, deck: &str, text: &str) -> Vec<Problem> {
        self.apply(deck, text).problems
    }

    /// As [`parse_deck`](Self::parse_deck), and says whether all statements did something.
    pub fn apply(&mut self, deck: &str, text: &str) -> Applied {
        let count = self.definition_count();
        let mut context = Context::new(self, deck, count);
        if text.len() > MAX_DECK_BYTES {
            context.problem(1, messages::cs::deck_too_long(MAX_DECK_BYTES));
            return context.finish();
        }
        let (statements, problems) = scan(deck, text);
        context.problems = problems;
        for statement in &statements {
            context.statement(statement);
        }
        context.finish()
    }
}

struct Context<'a> {
    csd: &'a mut Csd,
    deck: &'a str,
    problems: Vec<Problem>,
    /// A statement changed nothing.
    without_change: bool,
    /// Definitions in the CSD.
    count: usize,
    /// A statement with a mistake does nothing, as with DFHCSDUP; else what is right of it.
    whole: bool,
}

impl<'a> Context<'a> {
    fn new(csd: &'a mut Csd, deck: &'a str, count: usize) -> Self {
        Self {
            csd,
            deck,
            problems: Vec::new(),
            without_change: false,
            count,
            whole: false,
        }
    }
}

impl Context<'_> {
    fn problem(&mut self, line: u32, message: messages::Message) {
        let place = Place::line(self.deck, line);
        self.problems.push(Problem::new(message, place));
    }

    fn problem_at(&mut self, (line, column): (u32, u32), message: messages::Message) {
        let place = Place::from(self.deck).at(line, column);
        self.problems.push(Problem::new(message, place));
    }

    /// There is something wrong, and the statement counts as a whole.
    fn refused(&self) -> bool {
        self.whole && !self.problems.is_empty()
    }

    /// Of a statement that changes nothing.
    fn unchanged(&mut self, line: u32, message: messages::Message) {
        self.problem(line, message);
        self.without_change = true;
    }

    fn finish(mut self) -> Applied {
        self.problems.sort_by_key(|problem| problem.place.line);
        let more = self.problems.len().saturating_sub(MAX_PROBLEMS);
        if more > 0 {
            let line = self.problems[MAX_PROBLEMS].place.line;
            self.problems.truncate(MAX_PROBLEMS);
            self.problem(line, messages::cs::problems_not_shown(more));
        }
        Applied {
            problems: self.problems,
            without_change: self.without_change,
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let line = statement.line;
        if self.whole {
            self.unknown_operands(statement);
            if self.refused() {
                return;
            }
        }
        match statement.verb {
            Some(Verb::Define | Verb::UserDefine) => self.define(statement),
            Some(Verb::Alter) => self.alter(statement),
            Some(Verb::Delete) => self.delete(statement),
            Some(Verb::Add) => self.add(statement),
            Some(Verb::Remove) => self.remove(statement),
            Some(Verb::Append) => self.append(statement),
            Some(Verb::Copy | Verb::Rename) => self.copy(statement),
            Some(Verb::Ignored) => {
                self.problem(line, messages::cs::without_effect(&statement.word));
            }
            None => {
                let near = hint(&statement.word, verb_words());
                let message = messages::cs::not_a_command(&statement.word, near);
                self.problem_at((line, statement.column), message);
            }
        }
        if !self.whole {
            self.unknown_operands(statement);
        }
    }

    /// The resource of DEFINE and ALTER: the first operand.
    fn resource<'s>(&mut self, statement: &'s Statement) -> Option<(ResourceKind, &'s Operand)> {
        let Some(operand) = statement.operands.first() else {
            self.problem(
                statement.line,
                messages::cs::resource_missing(&statement.word),
            );
            return None;
        };
        let kind = ResourceKind::by_keyword(&operand.keyword);
        if kind.is_none() {
            let known = ResourceKind::all().map(ResourceKind::keyword);
            self.problem(
                operand.line,
                messages::cs::not_a_resource_type(&operand.keyword, hint(&operand.keyword, known)),
            );
        }
        Some((kind?, operand))
    }

    /// The checked name in an operand such as GROUP; a problem when it is missing or wrong.
    fn required(&mut self, statement: &Statement, keyword: &str) -> Option<String> {
        let found = self.optional(statement, keyword);
        if found.is_none() {
            self.problem(
                statement.line,
                messages::cs::operand_missing(&statement.word, keyword),
            );
        }
        found?
    }

    /// `None`: not given. `Some(None)`: given and wrong.
    fn optional(&mut self, statement: &Statement, keyword: &str) -> Option<Option<String>> {
        let operand = find(statement, keyword)?;
        let value = operand.value.as_deref().unwrap_or("").to_ascii_uppercase();
        match name(&value, GROUP_NAME) {
            Ok(value) => Some(Some(value)),
            Err(reason) => {
                self.problem(
                    operand.line,
                    messages::cs::name_not_valid(keyword, &value, &reason),
                );
                Some(None)
            }
        }
    }

    fn define(&mut self, statement: &Statement) {
        let Some((kind, operand)) = self.resource(statement) else {
            return;
        };
        let Some(group) = self.required(statement, "GROUP") else {
            return;
        };
        let value = operand.value.as_deref().unwrap_or("");
        let name = match name(&resource_name(kind, value), kind.name_length()) {
            Ok(name) => name,
            Err(reason) => {
                self.problem(
                    operand.line,
                    messages::cs::name_not_valid(kind.keyword(), value, &reason),
                );
                return;
            }
        };
        if self
            .csd
            .groups
            .get(&group)
            .is_some_and(|g| g.contains(kind, &name))
        {
            self.unchanged(
                statement.line,
                messages::cs::already_defined(format_args!("{}({name})", kind.keyword()), &group),
            );
            return;
        }
        let Some(()) = self.room(statement.line) else {
            return;
        };
        let mut definition = Definition {
            kind,
            name,
            group: group.clone(),
            deck: self.deck.to_string(),
            line: statement.line,
            attributes: Vec::new(),
        };
        for (attribute, value) in self.attributes(kind, &definition.name, statement) {
            definition.set(attribute.keyword, value);
        }
        if self.refused() {
            return;
        }
        if statement.verb == Some(Verb::UserDefine) {
            match self.csd.with_user_defaults(&definition) {
                Ok(whole) => definition = whole,
                Err(refused) => {
                    self.count -= 1;
                    return self.problem(statement.line, refused.message);
                }
            }
        }
        self.csd.groups.entry(group).or_default().put(definition);
    }

    /// `None`: no more definitions fit.
    fn room(&mut self, line: u32) -> Option<()> {
        if self.count >= MAX_DEFINITIONS {
            self.problem(line, messages::cs::too_many_definitions(MAX_DEFINITIONS));
            return None;
        }
        self.count += 1;
        Some(())
    }

    /// The attributes of a statement that can be used; problems for the others.
    fn attributes(
        &mut self,
        kind: ResourceKind,
        name: &str,
        statement: &Statement,
    ) -> Vec<(&'static Attribute, String)> {
        let mut out: Vec<(&'static Attribute, String)> = Vec::new();
        for operand in statement
            .operands
            .iter()
            .skip(1)
            .filter(|o| o.keyword != "GROUP")
        {
            let what = format!("{}({name})", kind.keyword());
            let Some(attribute) = kind.attribute(&operand.keyword) else {
                let all = kind.attributes().iter().chain(common_attributes());
                let near = hint(&operand.keyword, all.map(|a| a.keyword));
                self.problem(
                    operand.line,
                    messages::cs::not_an_attribute(&what, &operand.keyword, &near),
                );
                continue;
            };
            let value = operand.value.as_deref().unwrap_or("");
            // ATTRIBUTE() takes the value away, so that the default counts.
            if value.is_empty() {
                continue;
            }
            if out.iter().any(|(a, _)| a.keyword == attribute.keyword) {
                self.problem(
                    operand.line,
                    messages::cs::attribute_twice(&what, attribute.keyword),
                );
                out.retain(|(a, _)| a.keyword != attribute.keyword);
            }
            match check(attribute.rule, value) {
                Ok(value) => out.push((attribute, value)),
                Err(reason) => {
                    self.problem(
                        operand.line,
                        messages::cs::value_not_valid(&what, attribute.keyword, value, &reason),
                    );
                }
            }
        }
        out
    }

    fn alter(&mut self, statement: &Statement) {
        let Some((kind, operand)) = self.resource(statement) else {
            return;
        };
        let Some(group) = self.required(statement, "GROUP") else {
            return;
        };
        let pattern = operand.value.as_deref().unwrap_or("");
        let changes = self.attributes(kind, pattern, statement);
        // An empty value in ALTER brings the default back.
        let emptied: Vec<&'static str> = statement
            .operands
            .iter()
            .skip(1)
            .filter(|o| o.value.as_deref().is_some_and(str::is_empty))
            .filter_map(|o| Some(kind.attribute(&o.keyword)?.keyword))
            .collect();
        if self.refused() {
            return;
        }
        let selection = Selection { kind, pattern };
        let changed = self.csd.groups.get_mut(&group).map_or(0, |g| {
            g.change(|definition| {
                let fits = selection.fits(definition);
                if fits {
                    definition
                        .attributes
                        .retain(|(keyword, _)| !emptied.contains(keyword));
                    for (attribute, value) in &changes {
                        definition.set(attribute.keyword, value.clone());
                    }
                }
                fits
            })
        });
        if changed == 0 {
            self.missing(statement, &format!("{}({pattern})", kind.keyword()), &group);
        }
    }

    /// ALTER and COPY find nothing: most likely a mistake.
    fn missing(&mut self, statement: &Statement, what: &str, group: &str) {
        self.unchanged(
            statement.line,
            messages::cs::not_in_group(&statement.word, what, group),
        );
    }

    /// DELETE and REMOVE find nothing: usual at the head of a deck that can run again.
    fn nothing(&mut self, statement: &Statement, what: &str) {
        self.unchanged(
            statement.line,
            messages::cs::nothing_to_remove(&statement.word, what),
        );
    }
}

fn resource_name(kind: ResourceKind, value: &str) -> String {
    match kind.name_keeps_case() {
        true => value.to_string(),
        false => value.to_ascii_uppercase(),
    }
}

/// An operand by keyword, abbreviated to three letters or more.
fn find<'s>(statement: &'s Statement, keyword: &str) -> Option<&'s Operand> {
    let exact = statement.operands.iter().find(|o| o.keyword == keyword);
    exact.or_else(|| {
        statement
            .operands
            .iter()
            .find(|o| o.keyword.len() >= 3 && keyword.starts_with(&o.keyword))
    })
}
