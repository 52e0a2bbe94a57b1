//! A job as values, and the meaning of DD and EXEC operands.

use super::lines::{InstreamLine, Operand, Statement, split};
use super::test::{IfTest, find};
use crate::record::FileFormat;
use crate::script::Comparison;
use transom_messages as messages;
use transom_messages::Problem;

/// A job.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Job {
    pub name: String,
    /// COND of the JOB statement: no further step runs when one holds.
    pub conditions: Vec<Condition>,
    pub steps: Vec<Step>,
    /// What the IF statements ask, in order.
    pub tests: Vec<IfTest>,
    /// With an error among them the job must not run.
    pub problems: Vec<Problem>,
}

/// A step of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `STEP05`; within a procedure `STEP05.PRC001`.
    pub name: String,
    /// PGM.
    pub program: String,
    /// PARM, without its apostrophes.
    pub parm: String,
    /// Line of EXEC in the job; within a procedure the line of the EXEC that called it.
    pub line: u32,
    /// COND: the step does not run when one holds.
    pub conditions: Vec<Condition>,
    /// COND=ONLY: it runs after an abnormal end.
    pub only: bool,
    /// The IF statements it stands in: place in [`Job::tests`], and whether it is in THEN.
    pub guards: Vec<(usize, bool)>,
    pub dds: Vec<Dd>,
}

impl Step {
    /// The DD statement of a name.
    pub fn dd(&self, name: &str) -> Option<&Dd> {
        self.dds.iter().find(|d| d.name.eq_ignore_ascii_case(name))
    }

    /// Whether COND keeps the step from running, given name and condition code of each earlier step
    /// that ran.
    pub fn is_bypassed(&self, codes: &[(String, u32)]) -> bool {
        let prefix = self.prefix();
        self.only || self.conditions.iter().any(|c| c.holds(codes, prefix))
    }

    /// Name of the EXEC that called the procedure it is in; empty in the job itself.
    pub fn prefix(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(prefix, _)| prefix)
    }
}

impl Condition {
    /// Whether it holds for a step that ran; see [`IfTest::holds`] for `prefix`.
    pub fn holds(&self, codes: &[(String, u32)], prefix: &str) -> bool {
        let holds = |code: u32| self.comparison.holds(self.code, code);
        match &self.step {
            None => codes.iter().any(|(_, code)| holds(*code)),
            Some(step) => find(codes, step, prefix).is_some_and(holds),
        }
    }
}

/// `COND=(4,LT)`: holds when 4 is less than a step's code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub code: u32,
    pub comparison: Comparison,
    /// All earlier steps when none is named.
    pub step: Option<String>,
}

/// A DD statement with those concatenated to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dd {
    pub name: String,
    pub line: u32,
    pub sources: Vec<DdSource>,
}

/// What a DD statement names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DdSource {
    /// Lines in the job.
    Instream(Vec<InstreamLine>),
    DataSet(DataSet),
    /// DUMMY, NULLFILE.
    Dummy,
    /// SYSOUT and everything else that is printed.
    Output,
}

/// A data set of a DD statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataSet {
    pub name: String,
    pub member: Option<String>,
    /// `(+1)`, `(0)`.
    pub generation: Option<i32>,
    pub disposition: Disposition,
    /// It goes away when its step has ended normally.
    pub deleted: bool,
    /// LRECL, bytes.
    pub record_len: Option<usize>,
    /// RECFM.
    pub record_format: Option<String>,
}

impl DataSet {
    /// The format that RECFM and LRECL of the DD statement give a file.
    pub fn format(&self) -> Option<FileFormat> {
        let recfm = self.record_format.as_deref()?;
        match recfm.chars().next()? {
            'F' => self.record_len.map(FileFormat::Fixed),
            'V' if recfm.contains('B') => Some(FileFormat::Blocked),
            'V' => Some(FileFormat::Variable),
            _ => None,
        }
    }
}

/// First word of DISP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    New,
    Old,
    Share,
    Modify,
}

/// What a DD statement names, from its operands.
pub(super) fn source(statement: &Statement, problems: &mut Vec<Problem>) -> DdSource {
    if let Some(lines) = &statement.instream {
        return DdSource::Instream(lines.clone());
    }
    let at = (statement.line, 0);
    if statement.positional().any(|word| word == "DUMMY") {
        return DdSource::Dummy;
    }
    let Some(name) = statement.value("DSN").or_else(|| statement.value("DSNAME")) else {
        return DdSource::Output;
    };
    if name == "NULLFILE" {
        return DdSource::Dummy;
    }
    match data_set(statement, name) {
        Some(found) => DdSource::DataSet(found),
        None => {
            problems.push(Problem::new(
                messages::id::jcl_not_supported(format_args!("DSN={name}")),
                at,
            ));
            DdSource::Dummy
        }
    }
}

fn data_set(statement: &Statement, name: &str) -> Option<DataSet> {
    let name = name.trim_matches('\'').to_ascii_uppercase();
    if name.starts_with('*') {
        return None;
    }
    let (name, inside) = match name.split_once('(') {
        Some((name, rest)) => (name.to_owned(), Some(rest.strip_suffix(')')?.to_owned())),
        None => (name, None),
    };
    let generation = inside.as_ref().and_then(|text| text.parse().ok());
    let member = inside.filter(|_| generation.is_none());
    let status = statement
        .value("DISP")
        .map(items)
        .and_then(|list| list.into_iter().next());
    let disposition = match status.as_deref() {
        Some("OLD") => Disposition::Old,
        Some("SHR") => Disposition::Share,
        Some("MOD") => Disposition::Modify,
        _ => Disposition::New,
    };
    let normal = statement
        .value("DISP")
        .map(items)
        .and_then(|list| list.get(1).cloned());
    // What a step makes and nobody catalogs goes too.
    let deleted = match normal.as_deref() {
        Some("DELETE") => true,
        None | Some("") => disposition == Disposition::New && statement.value("DISP").is_some(),
        _ => false,
    };
    let attribute = |key: &str| {
        let dcb = statement.value("DCB").map(items).unwrap_or_default();
        let inside = dcb
            .iter()
            .find_map(|item| item.strip_prefix(key)?.strip_prefix('=').map(str::to_owned));
        statement.value(key).map(str::to_owned).or(inside)
    };
    Some(DataSet {
        name,
        member,
        generation,
        disposition,
        deleted,
        record_len: attribute("LRECL")
            .and_then(|text| text.parse().ok())
            .filter(|n| *n > 0),
        record_format: attribute("RECFM"),
    })
}

/// COND of an EXEC statement.
pub(super) fn conditions(statement: &Statement, problems: &mut Vec<Problem>) -> Vec<Condition> {
    let Some(text) = statement.value("COND") else {
        return Vec::new();
    };
    let list = items(text);
    let single = list.first().is_some_and(|item| item.parse::<u32>().is_ok());
    let groups = if single { vec![text.to_owned()] } else { list };
    let mut conditions = Vec::new();
    for group in groups.iter().filter(|g| *g != "EVEN" && *g != "ONLY") {
        match condition(group) {
            Some(condition) => conditions.push(condition),
            None => {
                problems.push(Problem::new(
                    messages::id::jcl_not_supported(format_args!("COND={text}")),
                    (statement.line, 0),
                ));
            }
        }
    }
    conditions
}

fn condition(text: &str) -> Option<Condition> {
    let list = items(text);
    let comparison = match list.get(1)?.as_str() {
        "EQ" => Comparison::Equal,
        "NE" => Comparison::NotEqual,
        "GT" => Comparison::Greater,
        "LT" => Comparison::Less,
        "GE" => Comparison::GreaterOrEqual,
        "LE" => Comparison::LessOrEqual,
        _ => return None,
    };
    Some(Condition {
        code: list.first()?.parse().ok()?,
        comparison,
        step: list.get(2).cloned(),
    })
}

/// `(A,(B,C),D)` -> `A`, `(B,C)`, `D`; a text without parentheses is one item.
pub(super) fn items(text: &str) -> Vec<String> {
    let inner = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    split(inner.unwrap_or(text))
}

/// Operands of a DD statement in a job laid over those of the procedure.
pub(super) fn overlay(old: &mut Statement, new: &Statement) {
    if new.instream.is_some() || new.positional().next().is_some() {
        old.instream = new.instream.clone();
        old.operands = new.operands.clone();
        return;
    }
    for operand in &new.operands {
        if matches!(operand.key.as_deref(), Some("DSN" | "DSNAME")) {
            old.instream = None;
            old.operands
                .retain(|o| o.key.is_some() && !matches!(o.key.as_deref(), Some("DSN" | "DSNAME")));
        }
        old.operands.retain(|o| o.key != operand.key);
        old.operands.push(Operand {
            key: operand.key.clone(),
            value: operand.value.clone(),
        });
    }
}
