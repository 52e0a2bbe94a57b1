//! Runs the statements of one SYSIN: condition codes, IF and the commands.
//!
//! What: [`run`], and one file per group of commands. Why: a command answers a condition code
//! and lines, and everything else (what is shown of a statement, when a run ends) is the same for
//! all. Not here: how statements are read (formats/idcams).

mod alter;
mod copy;
mod entries;
mod examine;
mod list;
mod portable;

use crate::print::Failure;
use crate::runner::Runner;
use std::collections::BTreeMap;
use transom_idcams::jcl::Step;
use transom_idcams::{Command, Register, SourceLine, Statement, StatementKind, parse};
use transom_messages::{Problem, id};

/// Columns of a statement that are shown.
const SHOWN_COLUMNS: usize = 72;

/// Whether the statements that follow are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    Stop,
}

/// One SYSIN on its way.
struct Run<'r, 'a> {
    runner: &'r mut Runner<'a>,
    step: Option<&'r Step>,
    file: &'r str,
    lines: BTreeMap<u32, &'r str>,
    problems: std::iter::Peekable<std::vec::IntoIter<Problem>>,
    last: u8,
    max: u8,
    /// Last line shown.
    shown: u32,
}

/// Runs statements; answers MAXCC. `file` is what messages call the text.
pub(crate) fn run(
    runner: &mut Runner<'_>,
    file: &str,
    lines: &[SourceLine<'_>],
    step: Option<&Step>,
) -> u8 {
    let script = parse(lines);
    let mut run = Run {
        runner,
        step,
        file,
        lines: lines.iter().map(|l| (l.number, l.text)).collect(),
        problems: script.problems.into_iter().peekable(),
        last: 0,
        max: 0,
        shown: 0,
    };
    let _flow = run.list(&script.statements);
    run.problems_to(u32::MAX);
    run.max
}

impl Run<'_, '_> {
    fn list(&mut self, statements: &[Statement]) -> Flow {
        for statement in statements {
            if self.statement(statement) == Flow::Stop || self.last >= 16 {
                return Flow::Stop;
            }
        }
        Flow::GoOn
    }

    fn statement(&mut self, statement: &Statement) -> Flow {
        match &statement.kind {
            StatementKind::If {
                test,
                then,
                otherwise,
            } => {
                self.show(statement.line, statement.line);
                let code = match test.register {
                    Register::Last => self.last,
                    Register::Max => self.max,
                };
                let taken = if test.comparison.holds(u32::from(code), test.value) {
                    then
                } else {
                    otherwise
                };
                return self.list(taken);
            }
            StatementKind::Set { register, value } => {
                self.show(statement.line, statement.last_line);
                match register {
                    Register::Max => self.max = *value,
                    Register::Last => {
                        self.last = *value;
                        self.max = self.max.max(*value);
                    }
                }
            }
            StatementKind::Parm => self.show(statement.line, statement.last_line),
            StatementKind::Cancel => {
                self.show(statement.line, statement.last_line);
                return Flow::Stop;
            }
            StatementKind::Invalid => {
                self.show(statement.line, statement.last_line);
                self.ended(12);
            }
            StatementKind::Broken => {
                self.show(statement.line, statement.last_line);
                self.ended(16);
                return Flow::Stop;
            }
            StatementKind::Command(command) => {
                self.show(statement.line, statement.last_line);
                let code = self.command(command).unwrap_or_else(|failure| {
                    self.runner.report.line(&failure.text);
                    failure.code
                });
                self.runner.report.progress(None);
                self.ended(code);
            }
        }
        Flow::GoOn
    }

    /// The statement as it stands in the text, then what is wrong with it.
    fn show(&mut self, first: u32, last: u32) {
        // IF and what stands on its line are shown once.
        let first = first.max(self.shown + 1);
        if first <= last {
            self.runner.report.line("");
        }
        for (_, text) in self
            .lines
            .range(first..=last.max(first))
            .take_while(|l| *l.0 <= last)
        {
            let text: String = text.chars().take(SHOWN_COLUMNS).collect();
            self.runner.report.line(text.trim_end());
        }
        self.shown = self.shown.max(last);
        self.problems_to(last);
    }

    fn problems_to(&mut self, line: u32) {
        while let Some(problem) = self.problems.next_if(|p| p.place.line <= line) {
            self.runner.report.problem(self.file, problem);
        }
    }

    fn ended(&mut self, code: u8) {
        self.last = code;
        self.max = self.max.max(code);
        self.runner.report.line(id::condition_code(code));
    }

    fn command(&mut self, command: &Command) -> Result<u8, Failure> {
        let runner = &mut *self.runner;
        let places = runner.places(self.step);
        match command {
            Command::DefineCluster(cluster) => entries::define_cluster(runner, cluster),
            Command::DefineAix(index) => entries::define_index(runner, index),
            Command::DefinePath(path) => entries::define_path(runner, path),
            Command::DefineOther { kind, name } => {
                entries::define_other(runner, *kind, name);
                Ok(0)
            }
            Command::Delete(delete) => entries::delete(runner, delete),
            Command::Alter(alter) => alter::alter(runner, alter),
            Command::ListCatalog(list) => list::list(runner, list),
            Command::BuildIndex(build) => copy::build_index(runner, &places, build),
            Command::Repro(repro) => copy::repro(runner, &places, repro),
            Command::Print(print) => copy::print(runner, &places, print),
            Command::Examine(examine) => examine::examine(runner, examine),
            Command::Export(export) => portable::export(runner, &places, export),
            Command::Import(import) => portable::import(runner, &places, import),
            Command::Verify(verify) => copy::verify(runner, &places, verify),
        }
    }
}
