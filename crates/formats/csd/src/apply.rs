//! Statements -> changes of a [`Csd`]: the frame, DEFINE and ALTER.
//!
//! Not here: DELETE, COPY and what changes lists (`groups.rs`).

mod groups;

use crate::definition::Definition;
use crate::problem::{Problem, hint};
use crate::scan::{Operand, Statement, Verb, scan, verb_words};
use crate::store::Csd;
use crate::value::{check, matches, name};
use crate::{MAX_DECK_BYTES, MAX_DEFINITIONS, MAX_PROBLEMS};
use transom_resources::{Attribute, ResourceKind, common_attributes};

/// Longest group and list name.
const GROUP_NAME: usize = 8;

/// Runs a deck.
pub(crate) fn run(csd: &mut Csd, deck: &str, text: &str) -> Vec<Problem> {
    let count = csd.definition_count();
    let mut context = Context {
        csd,
        deck,
        problems: Vec::new(),
        count,
    };
    if text.len() > MAX_DECK_BYTES {
        let text = format!("the deck has more than {MAX_DECK_BYTES} bytes and is not read");
        context.problem(1, "TXMCS0013E", text);
        return context.problems;
    }
    let (statements, problems) = scan(deck, text);
    context.problems = problems;
    for statement in &statements {
        context.statement(statement);
    }
    context.finish()
}

struct Context<'a> {
    csd: &'a mut Csd,
    deck: &'a str,
    problems: Vec<Problem>,
    /// Definitions in the CSD.
    count: usize,
}

/// What of a group a statement is about.
struct Selection<'a> {
    kind: ResourceKind,
    pattern: &'a str,
}

impl Selection<'_> {
    fn fits(&self, definition: &Definition) -> bool {
        definition.kind == self.kind
            && matches(
                &self.pattern.to_ascii_uppercase(),
                &definition.name.to_ascii_uppercase(),
            )
    }
}

impl Context<'_> {
    fn problem(&mut self, line: u32, id: &'static str, text: String) {
        self.problems.push(Problem {
            deck: self.deck.to_string(),
            line,
            id,
            text,
        });
    }

    fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.line);
        let more = self.problems.len().saturating_sub(MAX_PROBLEMS);
        if more > 0 {
            let line = self.problems[MAX_PROBLEMS].line;
            self.problems.truncate(MAX_PROBLEMS);
            self.problem(
                line,
                "TXMCS0013E",
                format!("{more} more problems are not shown"),
            );
        }
        self.problems
    }

    fn statement(&mut self, statement: &Statement) {
        let line = statement.line;
        match statement.verb {
            Some(Verb::Define) => self.define(statement),
            Some(Verb::Alter) => self.alter(statement),
            Some(Verb::Delete) => self.delete(statement),
            Some(Verb::Add) => self.add(statement),
            Some(Verb::Remove) => self.remove(statement),
            Some(Verb::Append) => self.append(statement),
            Some(Verb::Copy | Verb::Rename) => self.copy(statement),
            Some(Verb::Ignored) => {
                let text = format!("{} has no effect here", statement.word);
                self.problem(line, "TXMCS0012I", text);
            }
            None => {
                let text = format!(
                    "{} is no command{}",
                    statement.word,
                    hint(&statement.word, verb_words())
                );
                self.problem(line, "TXMCS0001E", text);
            }
        }
    }

    /// The resource of DEFINE and ALTER: the first operand.
    fn resource<'s>(&mut self, statement: &'s Statement) -> Option<(ResourceKind, &'s Operand)> {
        let Some(operand) = statement.operands.first() else {
            let text = format!("{} names no resource", statement.word);
            self.problem(statement.line, "TXMCS0014E", text);
            return None;
        };
        let kind = ResourceKind::by_keyword(&operand.keyword);
        if kind.is_none() {
            let known = ResourceKind::all().map(ResourceKind::keyword);
            let text = format!(
                "{} is no type of resource{}",
                operand.keyword,
                hint(&operand.keyword, known)
            );
            self.problem(operand.line, "TXMCS0002E", text);
        }
        Some((kind?, operand))
    }

    /// The checked name in an operand such as GROUP; a problem when it is missing or wrong.
    fn required(&mut self, statement: &Statement, keyword: &str) -> Option<String> {
        let found = self.optional(statement, keyword);
        if found.is_none() {
            let text = format!("{} needs {keyword}(name)", statement.word);
            self.problem(statement.line, "TXMCS0014E", text);
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
                let text = format!("{keyword}({value}): {reason}");
                self.problem(operand.line, "TXMCS0004E", text);
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
                let text = format!("{}({value}): {reason}", kind.keyword());
                self.problem(operand.line, "TXMCS0004E", text);
                return;
            }
        };
        if self
            .csd
            .groups
            .get(&group)
            .is_some_and(|g| g.contains(kind, &name))
        {
            let text = format!(
                "{}({name}) is already in group {group}; the first definition stays",
                kind.keyword()
            );
            self.problem(statement.line, "TXMCS0011W", text);
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
        self.csd.groups.entry(group).or_default().put(definition);
    }

    /// `None`: no more definitions fit.
    fn room(&mut self, line: u32) -> Option<()> {
        if self.count >= MAX_DEFINITIONS {
            let text = format!("more than {MAX_DEFINITIONS} definitions; this one is left out");
            self.problem(line, "TXMCS0013E", text);
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
                let text = format!("{what}: {} is no attribute{near}", operand.keyword);
                self.problem(operand.line, "TXMCS0003W", text);
                continue;
            };
            let value = operand.value.as_deref().unwrap_or("");
            // ATTRIBUTE() takes the value away, so that the default counts.
            if value.is_empty() {
                continue;
            }
            if out.iter().any(|(a, _)| a.keyword == attribute.keyword) {
                let text = format!("{what}: {} twice; the last one counts", attribute.keyword);
                self.problem(operand.line, "TXMCS0008W", text);
                out.retain(|(a, _)| a.keyword != attribute.keyword);
            }
            match check(attribute.rule, value) {
                Ok(value) => out.push((attribute, value)),
                Err(reason) => {
                    let text = format!("{what}: {}({value}): {reason}", attribute.keyword);
                    self.problem(operand.line, "TXMCS0005W", text);
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
        let text = format!("{}: {what} is not in group {group}", statement.word);
        self.problem(statement.line, "TXMCS0009W", text);
    }

    /// DELETE and REMOVE find nothing: usual at the head of a deck that can run again.
    fn nothing(&mut self, statement: &Statement, what: &str) {
        let text = format!("{}: there is no {what}", statement.word);
        self.problem(statement.line, "TXMCS0010I", text);
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

/// The resource type and name of DELETE and COPY, wherever they stand.
fn selection(statement: &Statement) -> Option<Selection<'_>> {
    let operands = statement.operands.iter().filter(|o| o.value.is_some());
    operands
        .filter(|o| !matches!(o.keyword.as_str(), "GROUP" | "LIST" | "TO" | "AS"))
        .find_map(|o| {
            let kind = ResourceKind::by_keyword(&o.keyword)?;
            Some(Selection {
                kind,
                pattern: o.value.as_deref()?,
            })
        })
}
