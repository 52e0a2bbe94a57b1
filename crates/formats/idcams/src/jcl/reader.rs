//! What a job is read into: branches, members and the finished steps.
//!
//! Not here: symbols, procedures and overrides (`resolve`).

use super::lines::{Operand, Statement, statements};
use super::step::{Dd, Job, Step, conditions, items, source};
use super::test::IfTest;
use super::{MAX_IF_DEPTH, MAX_INCLUDES};
use crate::{MAX_PROBLEMS, MAX_TEXT_BYTES};
use std::collections::BTreeMap;
use transom_messages as messages;
use transom_messages::Problem;

pub(super) struct Reader<'a> {
    pub(super) job: Job,
    /// Procedures in the job itself.
    pub(super) inline: BTreeMap<String, Vec<Statement>>,
    pub(super) procedure: &'a dyn Fn(&str) -> Option<String>,
    /// EXEC statements looked at, those of procedures included.
    pub(super) executed: usize,
    pub(super) included: usize,
    /// Bytes of procedures and members read, and of symbols put in.
    pub(super) read: usize,
    /// DD statements by names of step and DD, for references.
    pub(super) seen: BTreeMap<(String, String), Statement>,
}

/// A step with statements not yet interpreted, so that DD statements of the job can change them.
pub(super) struct RawStep {
    /// Names of the EXEC statements from the job down.
    pub(super) names: Vec<String>,
    pub(super) exec: Statement,
    pub(super) line: u32,
    pub(super) guards: Vec<(usize, bool)>,
    pub(super) dds: Vec<Statement>,
}

impl Reader<'_> {
    pub(super) fn problem(&mut self, line: u32, message: messages::Message) {
        if self.job.problems.len() < MAX_PROBLEMS {
            self.job.problems.push(Problem::new(message, (line, 0)));
        }
    }

    /// Takes procedures (PROC to PEND) out of the job.
    pub(super) fn take_inline(&mut self, list: Vec<Statement>) -> Vec<Statement> {
        let mut rest = Vec::new();
        let mut open: Option<(String, Vec<Statement>)> = None;
        for statement in list {
            match (statement.operation.as_str(), &mut open) {
                ("PROC", None) => open = Some((statement.name.clone(), vec![statement])),
                ("PEND", Some(_)) => self.inline.extend(open.take()),
                (_, Some((_, body))) => body.push(statement),
                (_, None) => rest.push(statement),
            }
        }
        self.inline.extend(open);
        rest
    }

    /// Whether a text more may be read; says so once when not.
    pub(super) fn has_room(&mut self, bytes: usize, line: u32) -> bool {
        let before = self.read <= MAX_TEXT_BYTES;
        self.read = self.read.saturating_add(bytes);
        let room = self.read <= MAX_TEXT_BYTES;
        if before && !room {
            self.problem(line, messages::id::members_too_long(MAX_TEXT_BYTES));
        }
        room
    }

    /// IF opens a branch, ELSE turns it round, ENDIF closes it.
    pub(super) fn branch(&mut self, statement: &Statement, open: &mut Vec<(usize, bool)>) {
        let depth = open.len();
        let wrong = match (statement.operation.as_str(), open.last_mut()) {
            ("IF", _) if depth >= MAX_IF_DEPTH => {
                Some(format!("IF is nested deeper than {MAX_IF_DEPTH}"))
            }
            ("IF", _) => {
                let text = statement.positional().next().unwrap_or("");
                let test = IfTest::parse(text);
                let wrong = test.is_none();
                open.push((self.job.tests.len(), true));
                self.job.tests.push(test.unwrap_or(IfTest::Never));
                wrong.then(|| {
                    format!("IF {text}: RC, RUN and ABEND with THEN at the end are expected")
                })
            }
            ("ELSE", Some((_, then))) if *then => {
                *then = false;
                None
            }
            ("ENDIF", Some(_)) => {
                open.pop();
                None
            }
            (word, _) => Some(format!("{word} without its IF")),
        };
        if let Some(reason) = wrong {
            self.problem(statement.line, messages::id::jcl_not_valid(reason));
        }
    }

    /// The statements of a member.
    pub(super) fn include(&mut self, statement: &Statement) -> Vec<Statement> {
        let line = statement.line;
        let Some(name) = statement.value("MEMBER").map(str::to_ascii_uppercase) else {
            self.problem(line, messages::id::jcl_not_valid("INCLUDE without MEMBER"));
            return Vec::new();
        };
        self.included += 1;
        if self.included > MAX_INCLUDES {
            if self.included == MAX_INCLUDES + 1 {
                self.problem(line, messages::id::too_many_includes(MAX_INCLUDES));
            }
            return Vec::new();
        }
        let Some(text) = (self.procedure)(&name) else {
            self.problem(line, messages::id::member_not_found(&name));
            return Vec::new();
        };
        if !self.has_room(text.len(), line) {
            return Vec::new();
        }
        let mut list = statements(&text, &mut self.job.problems);
        for included in &mut list {
            included.line = line;
        }
        self.take_inline(list)
    }

    pub(super) fn finish(&mut self, raw: RawStep) {
        let program = raw.exec.value("PGM").unwrap_or("").to_ascii_uppercase();
        let conditions = conditions(&raw.exec, &mut self.job.problems);
        let name = raw.names.join(".");
        let only = raw
            .exec
            .value("COND")
            .is_some_and(|c| items(c).iter().any(|i| i == "ONLY"));
        let mut dds: Vec<Dd> = Vec::new();
        for statement in &raw.dds {
            let statement = &self.referred(statement, &name);
            self.seen
                .insert((name.clone(), statement.name.clone()), statement.clone());
            let source = source(statement, &mut self.job.problems);
            match dds.last_mut() {
                Some(last) if statement.name.is_empty() => last.sources.push(source),
                _ => dds.push(Dd {
                    name: statement.name.clone(),
                    line: statement.line,
                    sources: vec![source],
                }),
            }
        }
        let parm = raw.exec.value("PARM").map(parm_of).unwrap_or_default();
        self.job.steps.push(Step {
            name,
            program,
            parm,
            line: raw.line,
            conditions,
            only,
            guards: raw.guards,
            dds,
        });
    }

    /// A DD statement with what `DSN=*.STEP.DD` and `DCB=*.STEP.DD` refer to put in.
    fn referred(&self, statement: &Statement, step: &str) -> Statement {
        let mut statement = statement.clone();
        let target = |text: &str| {
            let path = text
                .trim_matches(['(', ')'])
                .strip_prefix("*.")?
                .to_ascii_uppercase();
            let (name, dd) = path.rsplit_once('.').unwrap_or((step, path.as_str()));
            let prefix = step.rsplit_once('.').map_or("", |(prefix, _)| prefix);
            let own = format!("{prefix}.{name}");
            let key = |name: &str| (name.to_owned(), dd.to_owned());
            self.seen
                .get(&key(&own))
                .or_else(|| self.seen.get(&key(name)))
        };
        let mut more = Vec::new();
        for operand in &mut statement.operands {
            let Some(found) = target(&operand.value) else {
                continue;
            };
            match operand.key.as_deref() {
                Some("DSN" | "DSNAME") => {
                    if let Some(name) = found.value("DSN").or_else(|| found.value("DSNAME")) {
                        name.clone_into(&mut operand.value);
                    }
                }
                Some("DCB") => {
                    "".clone_into(&mut operand.value);
                    let wanted =
                        |o: &&Operand| matches!(o.key.as_deref(), Some("DCB" | "LRECL" | "RECFM"));
                    more.extend(found.operands.iter().filter(wanted).cloned());
                }
                _ => {}
            }
        }
        if !more.is_empty() {
            statement
                .operands
                .retain(|o| o.key.as_deref() != Some("DCB") || !o.value.is_empty());
            statement.operands.extend(more);
        }
        statement
    }
}

/// `'A,B'`, `('A','B')`, `(A,B)` and `A` as the program sees them.
fn parm_of(value: &str) -> String {
    let inner = value.strip_prefix('(').and_then(|v| v.strip_suffix(')'));
    let mut quoted = false;
    let mut text = String::new();
    let mut rest = inner.unwrap_or(value).chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\'' if quoted && rest.peek() == Some(&'\'') => text.extend(rest.next()),
            '\'' => quoted = !quoted,
            c => text.push(c),
        }
    }
    text
}
