//! What a job does, as far as an import asks: clusters, loads, definitions, tables, programs.
//!
//! Not here: choosing among jobs (`clusters`), running any.

use crate::kind::words_of;
use std::collections::{BTreeMap, BTreeSet};
use transom_idcams::jcl::{DataSet, DdSource, Disposition, InstreamLine, Step, read};
use transom_idcams::{Command, Place, SourceLine, Statement, StatementKind, parse, parse_text};
use transom_messages::id;

/// Steps that touch data sets and no program of the application.
const UTILITIES: [&str; 6] = [
    "IDCAMS", "IEBGENER", "ICEGENER", "IEFBR14", "SDSF", "IEBCOPY",
];
/// Columns of a card that hold a statement of Db2.
const COLUMNS: usize = 72;

/// What is known of a job, or of statements of IDCAMS.
#[derive(Debug, Default, Clone)]
pub(crate) struct Facts {
    /// Clusters, alternate indexes and paths.
    pub(crate) defines: Vec<String>,
    /// Longest records of the clusters.
    pub(crate) lengths: BTreeMap<String, u32>,
    /// Data sets it reads and does not make itself.
    pub(crate) inputs: BTreeSet<String>,
    /// From which data set into which one records go; in-stream has no name.
    pub(crate) loads: Vec<(String, String)>,
    /// Members its steps read.
    pub(crate) members: BTreeSet<String>,
    /// Programs of the application it runs.
    pub(crate) programs: BTreeSet<String>,
    /// It has statements of DFHCSDUP in it.
    pub(crate) deck: bool,
    /// Statements of Db2 in it, with their lines.
    pub(crate) sql: Vec<(u32, String)>,
    /// Nothing but utilities that run here or are of no consequence.
    pub(crate) utilities_only: bool,
    /// Symbols without a value.
    pub(crate) symbols: BTreeSet<String>,
    /// Lines that count when its clusters are made.
    pub(crate) text: String,
    /// It cannot be run as it is.
    pub(crate) wrong: bool,
}

/// Looks at statements of IDCAMS.
pub(crate) fn of_statements(text: &str) -> Facts {
    let mut facts = Facts {
        utilities_only: true,
        text: text.to_owned(),
        ..Facts::default()
    };
    let script = parse_text(text);
    facts.wrong = script.problems.iter().any(|p| p.is_error());
    facts.statements(&script.statements, None, &BTreeSet::new());
    facts
}

/// Looks at a job. `member` gives texts of libraries; `is_program` knows the application's
/// programs.
pub(crate) fn of_job(
    text: &str,
    symbols: &[(String, String)],
    member: &dyn Fn(&str) -> Option<String>,
    is_program: &dyn Fn(&str) -> bool,
) -> Facts {
    let job = read(text, symbols, member);
    let mut facts = Facts {
        utilities_only: true,
        ..Facts::default()
    };
    for problem in job.problems.iter().filter(|p| p.is_error()) {
        match symbol(problem.message.as_ref()) {
            Some(name) => _ = facts.symbols.insert(name),
            None => facts.wrong = true,
        }
    }
    let mut made = BTreeSet::new();
    for step in &job.steps {
        facts.step(step, member, is_program, &mut made);
    }
    facts.inputs = facts.inputs.difference(&made).cloned().collect();
    facts
}

/// The symbol a message says has no value.
fn symbol(text: &str) -> Option<String> {
    // Its words stand in one place; a name that cannot be one finds it again.
    let sample = id::symbol_without_value("?").to_string();
    let (front, back) = sample.split_once('?')?;
    Some(text.strip_prefix(front)?.strip_suffix(back)?.to_owned())
}

impl Facts {
    fn step(
        &mut self,
        step: &Step,
        member: &dyn Fn(&str) -> Option<String>,
        is_program: &dyn Fn(&str) -> bool,
        made: &mut BTreeSet<String>,
    ) {
        let program = step.program.as_str();
        self.utilities_only &= UTILITIES.contains(&program);
        if is_program(program) {
            self.programs.insert(program.to_owned());
        }
        let sysin = lines(step, "SYSIN", member, &mut self.members);
        match program {
            "IDCAMS" => {
                let text: Vec<SourceLine<'_>> = sysin
                    .iter()
                    .map(|line| SourceLine {
                        number: line.number,
                        text: &line.text,
                    })
                    .collect();
                let script = parse(&text);
                self.wrong |= script.problems.iter().any(|p| p.is_error());
                for line in &sysin {
                    self.text.push_str(&line.text);
                    self.text.push('\n');
                }
                self.statements(&script.statements, Some(step), made);
            }
            "IEBGENER" | "ICEGENER" => {
                self.inputs
                    .extend(data_sets(step, "SYSUT1").map(|d| d.name.clone()));
            }
            "DFHCSDUP" => self.deck |= sysin.iter().any(|line| is_definition(&line.text)),
            "IEFBR14" | "SDSF" => {}
            _ => self.other(step, &sysin, is_program),
        }
        let new = step.dds.iter().flat_map(|dd| &dd.sources).filter_map(named);
        let new = new.filter(|data| data.disposition == Disposition::New && !data.deleted);
        made.extend(new.map(|data| data.name.clone()));
    }

    /// A step that the terminal monitor or the site runs: tables or a program.
    fn other(&mut self, step: &Step, sysin: &[InstreamLine], is_program: &dyn Fn(&str) -> bool) {
        let is_sql = |line: &InstreamLine| {
            let words = words_of(&line.text);
            let first = words.first().map_or("", String::as_str);
            matches!(first, "CREATE" | "INSERT") && words.len() > 2
        };
        if sysin.iter().any(is_sql) {
            self.sql.extend(sysin.iter().map(|line| {
                let text = line.text.chars().take(COLUMNS).collect();
                (line.number, text)
            }));
            // A statement does not go on in the next step.
            self.sql.push((0, ";".to_owned()));
        }
        let run = step.dd("SYSTSIN").into_iter().flat_map(|dd| &dd.sources);
        for source in run {
            let DdSource::Instream(lines) = source else {
                continue;
            };
            for line in lines {
                let words = words_of(&line.text);
                let at = words.iter().position(|w| w == "PROGRAM");
                let name = at.and_then(|at| words.get(at + 1));
                let name = name.map(|w| w.trim_end_matches(')').to_owned());
                self.programs.extend(name.filter(|name| is_program(name)));
            }
        }
    }

    fn statements(&mut self, list: &[Statement], step: Option<&Step>, made: &BTreeSet<String>) {
        for statement in list {
            match &statement.kind {
                StatementKind::Command(command) => self.command(command, step, made),
                StatementKind::If {
                    then, otherwise, ..
                } => {
                    self.statements(then, step, made);
                    self.statements(otherwise, step, made);
                }
                _ => {}
            }
        }
    }

    fn command(&mut self, command: &Command, step: Option<&Step>, made: &BTreeSet<String>) {
        match command {
            Command::Repro(repro) => {
                let to = places(&repro.to, step);
                for from in places(&repro.from, step) {
                    if !from.is_empty() && !made.contains(&from) {
                        self.inputs.insert(from.clone());
                    }
                    self.loads.extend(to.first().map(|to| (from, to.clone())));
                }
            }
            Command::DefineCluster(cluster) => {
                self.defines.push(cluster.name.clone());
                self.lengths.insert(cluster.name.clone(), cluster.max_len);
            }
            Command::DefineAix(index) => {
                self.defines.push(index.name.clone());
                self.inputs.insert(index.relate.clone());
            }
            Command::DefinePath(path) => self.defines.push(path.name.clone()),
            _ => {}
        }
    }
}

fn is_definition(line: &str) -> bool {
    let words = words_of(line);
    let first = words.first().map_or("", String::as_str);
    matches!(first, "DEFINE" | "DEF") && words.len() > 1 && !line.starts_with('*')
}

/// Names of data sets behind a place; lines in the job have the empty name.
fn places(place: &Place, step: Option<&Step>) -> Vec<String> {
    let dd = match place {
        Place::Dataset(name) => return vec![name.clone()],
        Place::Dd(dd) => dd,
    };
    let found = step.and_then(|step| step.dd(dd));
    let sources = found.into_iter().flat_map(|dd| &dd.sources);
    let names = sources.filter_map(|source| match source {
        DdSource::Instream(_) => Some(String::new()),
        DdSource::DataSet(data) if data.generation.is_some() => Some(format!("{}(+0)", data.name)),
        DdSource::DataSet(data) => Some(data.name.clone()),
        DdSource::Dummy | DdSource::Output => None,
    });
    names.collect()
}

fn named(source: &DdSource) -> Option<&DataSet> {
    match source {
        DdSource::DataSet(data) => Some(data),
        _ => None,
    }
}

fn data_sets<'s>(step: &'s Step, dd: &str) -> impl Iterator<Item = &'s DataSet> + use<'s> {
    let sources = step.dd(dd).into_iter().flat_map(|dd| &dd.sources);
    sources.filter_map(named)
}

/// Lines of a DD statement, in the job or in a member.
fn lines(
    step: &Step,
    dd: &str,
    member: &dyn Fn(&str) -> Option<String>,
    members: &mut BTreeSet<String>,
) -> Vec<InstreamLine> {
    let mut all = Vec::new();
    for source in step.dd(dd).into_iter().flat_map(|dd| &dd.sources) {
        match source {
            DdSource::Instream(lines) => all.extend(lines.iter().cloned()),
            DdSource::DataSet(data) => {
                let Some(name) = &data.member else {
                    continue;
                };
                let text = member(name).unwrap_or_default();
                members.insert(name.clone());
                all.extend((1..).zip(text.lines()).map(|(number, text)| InstreamLine {
                    number,
                    text: text.to_owned(),
                }));
            }
            DdSource::Dummy | DdSource::Output => {}
        }
    }
    all
}
