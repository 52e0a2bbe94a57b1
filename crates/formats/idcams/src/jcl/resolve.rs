//! Statements -> job: procedures, symbols and overrides.

use super::lines::{Operand, Statement, statements};
use super::reader::{RawStep, Reader};
use super::step::{Job, conditions, overlay};
use super::{MAX_PROC_DEPTH, MAX_STEPS};
use crate::{MAX_PROBLEMS, MAX_TEXT_BYTES};
use std::collections::BTreeMap;
use transom_messages as messages;

/// Values of symbols, longest name first when they are put in.
type Symbols = BTreeMap<String, String>;

/// Reads a job. `symbols` are set before its first line; `procedure` gives the text of a procedure
/// that is not in the job.
pub fn read(
    text: &str,
    symbols: &[(String, String)],
    procedure: &dyn Fn(&str) -> Option<String>,
) -> Job {
    let mut reader = Reader {
        job: Job::default(),
        inline: BTreeMap::new(),
        procedure,
        executed: 0,
        included: 0,
        read: 0,
        seen: BTreeMap::new(),
    };
    if text.len() > MAX_TEXT_BYTES {
        reader.problem(1, messages::id::job_too_long(MAX_TEXT_BYTES));
        return reader.job;
    }
    let list = statements(text, &mut reader.job.problems);
    let list = reader.take_inline(list);
    let mut values: Symbols = symbols
        .iter()
        .map(|(k, v)| (k.to_ascii_uppercase(), v.clone()))
        .collect();
    let steps = reader.steps(&list, &mut values, 0);
    for raw in steps {
        reader.finish(raw);
    }
    reader.job.problems.truncate(MAX_PROBLEMS);
    reader.job
}

/// Where [`Reader::steps`] is.
#[derive(Default)]
struct Place {
    steps: Vec<RawStep>,
    /// Where the steps of the last EXEC begin: DD statements that follow belong to them.
    current: usize,
    last_dd: Option<(usize, usize)>,
    /// The IF statements that are open.
    open: Vec<(usize, bool)>,
}

impl Reader<'_> {
    fn steps(&mut self, list: &[Statement], symbols: &mut Symbols, depth: usize) -> Vec<RawStep> {
        let mut at = Place::default();
        let mut waiting: Vec<Statement> = list.iter().rev().cloned().collect();
        while let Some(raw) = waiting.pop() {
            let statement = self.put_in(&raw, symbols);
            match statement.operation.as_str() {
                "JOB" => self.begin(&statement),
                "SET" | "PROC" => set(&statement, symbols),
                "EXEC" => {
                    at.current = at.steps.len();
                    at.last_dd = None;
                    let mut steps = self.exec(&statement, symbols, depth);
                    for step in &mut steps {
                        step.guards.splice(0..0, at.open.iter().copied());
                    }
                    at.steps.extend(steps);
                }
                "DD" => {
                    let own = at.steps.get_mut(at.current..).unwrap_or(&mut []);
                    at.last_dd = add_dd(own, statement, at.last_dd);
                }
                "IF" | "ELSE" | "ENDIF" => self.branch(&statement, &mut at.open),
                "INCLUDE" => {
                    let included = self.include(&statement);
                    waiting.extend(included.into_iter().rev());
                }
                "PEND" | "JCLLIB" | "OUTPUT" | "COMMAND" | "NOTIFY" | "EXPORT" | "SCHEDULE"
                | "CNTL" | "ENDCNTL" | "" => {}
                word => {
                    self.problem(
                        statement.line,
                        messages::id::jcl_not_supported(format_args!("the statement {word}")),
                    );
                }
            }
        }
        if !at.open.is_empty() {
            let line = list.last().map_or(0, |s| s.line);
            self.problem(line, messages::id::jcl_not_valid("IF without its ENDIF"));
        }
        at.steps
    }

    fn begin(&mut self, statement: &Statement) {
        self.job.name.clone_from(&statement.name);
        self.job.conditions = conditions(statement, &mut self.job.problems);
    }

    /// The steps an EXEC statement stands for.
    fn exec(&mut self, statement: &Statement, symbols: &Symbols, depth: usize) -> Vec<RawStep> {
        self.executed += 1;
        if self.executed > MAX_STEPS {
            if self.executed == MAX_STEPS + 1 {
                self.problem(statement.line, messages::id::too_many_steps(MAX_STEPS));
            }
            return Vec::new();
        }
        if statement.value("PGM").is_some() {
            return vec![RawStep {
                names: vec![statement.name.clone()],
                exec: statement.clone(),
                line: statement.line,
                guards: Vec::new(),
                dds: Vec::new(),
            }];
        }
        let first = statement.positional().next();
        let Some(name) = statement
            .value("PROC")
            .or(first)
            .map(str::to_ascii_uppercase)
        else {
            self.problem(statement.line, messages::id::exec_without_name());
            return Vec::new();
        };
        if depth >= MAX_PROC_DEPTH {
            self.problem(
                statement.line,
                messages::id::procedures_too_deep(MAX_PROC_DEPTH),
            );
            return Vec::new();
        }
        let Some(body) = self.body(&name, statement.line) else {
            self.problem(statement.line, messages::id::procedure_not_found(&name));
            return Vec::new();
        };
        let mut inner = symbols.clone();
        for operand in statement
            .operands
            .iter()
            .filter(|o| o.key.as_deref() != Some("PROC"))
        {
            if let Some(key) = &operand.key {
                inner.insert(key.clone(), value_of(operand));
            }
        }
        let mut steps = self.steps(&body, &mut inner, depth + 1);
        for step in &mut steps {
            give_condition(step, statement);
            step.names.insert(0, statement.name.clone());
            step.line = statement.line;
        }
        steps
    }

    fn body(&mut self, name: &str, line: u32) -> Option<Vec<Statement>> {
        if let Some(body) = self.inline.get(name) {
            return Some(body.clone());
        }
        let text = (self.procedure)(name)?;
        if !self.has_room(text.len(), line) {
            return Some(Vec::new());
        }
        Some(statements(&text, &mut self.job.problems))
    }

    /// A text with its symbols put in; as it is once the job has grown too much.
    fn put_into(
        &mut self,
        text: &str,
        symbols: &Symbols,
        unknown: &mut Vec<String>,
        line: u32,
    ) -> String {
        let room = MAX_TEXT_BYTES.saturating_sub(self.read);
        let new = substitute(text, symbols, unknown, text.len() + room);
        match self.has_room(new.len().saturating_sub(text.len()), line) {
            true => new,
            false => text.to_owned(),
        }
    }

    /// A statement with its symbols put in.
    fn put_in(&mut self, statement: &Statement, symbols: &Symbols) -> Statement {
        let mut statement = statement.clone();
        let mut unknown = Vec::new();
        for operand in &mut statement.operands {
            let is_dsn = matches!(operand.key.as_deref(), Some("DSN" | "DSNAME"));
            if is_dsn && is_temporary(&operand.value, symbols) {
                operand.value.insert(0, '&');
            } else if operand.value.contains('&') {
                operand.value =
                    self.put_into(&operand.value, symbols, &mut unknown, statement.line);
            }
        }
        if statement.value("SYMBOLS").is_some() {
            for line in statement.instream.iter_mut().flatten() {
                line.text = self.put_into(&line.text, symbols, &mut unknown, line.number);
            }
        }
        // What the system sets (SYSUID and others) matters in JOB statements only.
        if statement.operation != "JOB" {
            for name in unknown {
                self.problem(statement.line, messages::id::symbol_without_value(&name));
            }
        }
        statement
    }
}

/// Longest value of a symbol, in bytes: values made of values must not grow without end.
const VALUE_MAX: usize = 1024;

fn set(statement: &Statement, symbols: &mut Symbols) {
    for operand in &statement.operands {
        let value = value_of(operand);
        let own = operand.key.clone().unwrap_or_default();
        if statement.operation == "SET" {
            symbols.insert(own, value);
        } else {
            symbols.entry(own).or_insert(value);
        }
    }
}

/// The value without quotes; what is too long is cut off.
fn value_of(operand: &Operand) -> String {
    let value = operand.value.trim_matches('\'');
    value.chars().take(VALUE_MAX).collect()
}

/// COND of the EXEC of a procedure is that of all its steps, `COND.STEP` of one.
fn give_condition(step: &mut RawStep, call: &Statement) {
    let own = format!("COND.{}", step.names.first().map_or("", String::as_str));
    let given = call.value(&own).or_else(|| call.value("COND"));
    if let Some(given) = given {
        step.exec
            .operands
            .retain(|o| o.key.as_deref() != Some("COND"));
        step.exec.operands.push(Operand {
            key: Some("COND".to_owned()),
            value: given.to_owned(),
        });
    }
}

/// Adds a DD to the steps of the last EXEC; `STEP.NAME` goes to that step of the procedure and
/// changes a DD of this name. `last` is where a concatenated DD belongs: step and position.
fn add_dd(
    steps: &mut [RawStep],
    mut statement: Statement,
    last: Option<(usize, usize)>,
) -> Option<(usize, usize)> {
    if statement.name.is_empty() {
        let (step, at) = last?;
        let dds = &mut steps.get_mut(step)?.dds;
        let at = (at + 1).min(dds.len());
        dds.insert(at, statement);
        return Some((step, at));
    }
    let qualified = statement
        .name
        .split_once('.')
        .map(|(s, d)| (s.to_owned(), d.to_owned()));
    let index = match &qualified {
        Some((step, dd)) => {
            statement.name.clone_from(dd);
            steps.iter().position(|s| s.names.last() == Some(step))?
        }
        None => 0,
    };
    let dds = &mut steps.get_mut(index)?.dds;
    if let Some(at) = dds.iter().position(|d| d.name == statement.name) {
        if let Some(old) = dds.get_mut(at) {
            overlay(old, &statement);
        }
        return Some((index, at));
    }
    dds.push(statement);
    Some((index, dds.len() - 1))
}

/// One & before the whole name of a data set that is no symbol: temporary, as with two.
fn is_temporary(name: &str, symbols: &Symbols) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$');
    let Some(name) = name.strip_prefix('&') else {
        return false;
    };
    // A member of a temporary library, or one of its generations.
    let (name, rest) = name.split_at(name.find('(').unwrap_or(name.len()));
    let is_one = !name.is_empty() && name.chars().all(is_name);
    is_one
        && (rest.is_empty() || rest.ends_with(')'))
        && !symbols.contains_key(&name.to_ascii_uppercase())
}

/// Puts values in place of `&NAME` and `&NAME.`; `&&NAME` stays.
/// What is longer than `most` need not be whole.
fn substitute(text: &str, symbols: &Symbols, unknown: &mut Vec<String>, most: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&').filter(|_| out.len() <= most) {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('&') {
            out.push_str("&&");
            rest = after;
            continue;
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$');
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        match symbols.get(&name.to_ascii_uppercase()) {
            Some(value) => {
                out.push_str(value);
                rest = after.strip_prefix('.').unwrap_or(after);
            }
            None => {
                // An & alone is no symbol: the AND of an IF.
                if !name.is_empty() {
                    unknown.push(name.to_owned());
                }
                out.push('&');
                out.push_str(name);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}
