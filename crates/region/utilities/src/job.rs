//! Runs statements, or the steps of a job that concern data sets.

use crate::host_files::Made;
use crate::idcams;
use crate::options::FileSpec;
use crate::places::{Target, Temporary};
use crate::print::Report;
use crate::records::files::{Other, RecordReader};
use crate::runner::Runner;
use crate::steps::{StepRan, dds_of};
use std::collections::BTreeMap;
use transom_idcams::jcl::{DataSet, DdSource, Disposition, Job, Step, read};
use transom_idcams::{SourceLine, listing};
use transom_messages::Problem;
use transom_messages::id;

/// Statement that stands for an IEBGENER step without control statements.
const GENER: &str = " REPRO INFILE(SYSUT1) OUTFILE(SYSUT2)";

/// Answer for a job one of whose steps ended abnormally.
const ABENDED: u8 = u8::MAX;

/// Columns of a card.
const CARD: usize = 80;

/// Runs a job, or plain statements; answers the highest condition code.
pub(crate) fn run_text(
    runner: &mut Runner<'_>,
    name: &str,
    text: &str,
    symbols: &[(String, String)],
) -> u8 {
    if text.starts_with("//") {
        return run(runner, name, text, symbols);
    }
    let lines: Vec<SourceLine<'_>> = (1..)
        .zip(text.lines())
        .map(|(number, text)| SourceLine { number, text })
        .collect();
    idcams::run(runner, name, &lines, None)
}

/// Runs a job; answers its highest condition code.
fn run(runner: &mut Runner<'_>, file: &str, text: &str, symbols: &[(String, String)]) -> u8 {
    let files = runner.files;
    runner.temporary = Temporary::default();
    let job = read(text, symbols, &|name| files.member(name));
    show_problems(&mut runner.report, file, &job);
    if job.problems.iter().any(Problem::is_error) {
        return 16;
    }
    let mut codes: Vec<(String, u32)> = Vec::new();
    let mut answers: BTreeMap<usize, bool> = BTreeMap::new();
    let mut ended = false;
    for step in &job.steps {
        ended |= job.conditions.iter().any(|c| c.holds(&codes, ""));
        // An IF is answered when its first step is reached.
        let mut taken = true;
        for (number, then) in &step.guards {
            let test = || {
                let test = job.tests.get(*number);
                test.is_some_and(|t| t.holds(&codes, step.prefix()))
            };
            taken &= *answers.entry(*number).or_insert_with(test) == *then;
        }
        if ended || !taken || step.is_bypassed(&codes) {
            let why = if taken { "COND" } else { "IF" };
            runner.report.line("");
            runner.report.line(id::step_bypassed(&step.name, why));
            continue;
        }
        let ran = run_step(runner, file, step);
        if ran == Some(StepRan::Abended) {
            return ABENDED;
        }
        if let Some(StepRan::Code(code)) = ran {
            delete_at_end(runner, step);
            codes.push((step.name.clone(), u32::from(code)));
            let name = format!("step {}", step.name);
            runner.report.line(id::ended(name, code));
        }
    }
    let max = codes.iter().map(|c| c.1).max().unwrap_or(0);
    u8::try_from(max).unwrap_or(ABENDED - 1)
}

fn show_problems(report: &mut Report<'_>, file: &str, job: &Job) {
    for problem in &job.problems {
        report.problem(file, problem.clone());
    }
}

/// The condition code of a step; none when it is not run here.
fn run_step(runner: &mut Runner<'_>, file: &str, step: &Step) -> Option<StepRan> {
    let code = match step.program.as_str() {
        "IEFBR14" => Some(allocate(runner, step)),
        "IDCAMS" => {
            runner
                .report
                .line(format!("\nSTEP {} {file}:{}", step.name, step.line));
            let Some(lines) = sysin(runner, step) else {
                runner.report.line(id::sysin_missing(&step.name));
                return Some(StepRan::Code(12));
            };
            let lines: Vec<SourceLine<'_>> = lines
                .iter()
                .map(|(number, text)| SourceLine {
                    number: *number,
                    text,
                })
                .collect();
            Some(idcams::run(runner, file, &lines, Some(step)))
        }
        "IEBGENER" | "ICEGENER" if is_plain(step) => {
            runner
                .report
                .line(format!("\nSTEP {} {file}:{}", step.name, step.line));
            let lines = [SourceLine {
                number: step.line,
                text: GENER,
            }];
            Some(idcams::run(runner, file, &lines, Some(step)))
        }
        program => {
            let made = Made::default();
            let dds = dds_of(&runner.places(Some(step)), step, &made);
            let programs = runner.programs.as_deref_mut();
            if let Some(ran) = programs.and_then(|programs| programs.run(step, dds)) {
                for (path, format) in made.files() {
                    runner.temporary.note(&path, format);
                }
                return Some(ran);
            }
            runner.report.line("");
            runner.report.line(id::program_not_run(&step.name, program));
            None
        }
    };
    code.map(|code| StepRan::Code(code.into()))
}

/// The data sets of a DD statement that are files here, with what the statement says.
fn files<'s>(runner: &Runner<'_>, step: &'s Step) -> Vec<(&'s DataSet, FileSpec)> {
    let places = runner.places(Some(step));
    let sources = step.dds.iter().flat_map(|dd| &dd.sources);
    let named = sources.filter_map(|source| match source {
        DdSource::DataSet(data) if data.member.is_none() => match places.data_set(data, true) {
            Ok(Target::File(file)) => Some((data, file)),
            _ => None,
        },
        _ => None,
    });
    named.collect()
}

/// A step without a program makes what its DD statements say is new.
fn allocate(runner: &mut Runner<'_>, step: &Step) -> u8 {
    let mut code = 0;
    for (data, file) in files(runner, step) {
        let new = data.disposition == Disposition::New && !data.deleted;
        if !new || file.path.exists() {
            continue;
        }
        match std::fs::write(&file.path, "") {
            Ok(()) => runner
                .report
                .line(id::done(format!("NONVSAM {}", data.name), "is made")),
            Err(error) => {
                runner.report.line(id::file_failed(&data.name, error));
                code = 12;
            }
        }
    }
    code
}

/// DISP=(..,DELETE): files go when their step has ended. A cluster of the catalog stays: only
/// DELETE deletes it.
fn delete_at_end(runner: &mut Runner<'_>, step: &Step) {
    for (data, file) in files(runner, step) {
        if data.deleted && file.path.is_file() && std::fs::remove_file(&file.path).is_ok() {
            runner
                .report
                .line(id::done(format!("NONVSAM {}", data.name), "is deleted"));
        }
    }
}

/// An IEBGENER that only copies.
fn is_plain(step: &Step) -> bool {
    let sysin = step.dd("SYSIN").map(|d| d.sources.as_slice());
    matches!(sysin, None | Some([DdSource::Dummy]))
}

/// The statements of a step: in the job, or in a member.
fn sysin(runner: &Runner<'_>, step: &Step) -> Option<Vec<(u32, String)>> {
    let mut lines = Vec::new();
    for source in &step.dd("SYSIN")?.sources {
        match source {
            DdSource::Instream(list) => {
                lines.extend(list.iter().map(|l| (l.number, l.text.clone())))
            }
            DdSource::DataSet(DataSet {
                member: Some(member),
                ..
            }) => {
                let text = runner.files.member(member)?;
                lines.extend((1..).zip(text.lines().map(str::to_owned)));
            }
            DdSource::DataSet(data) => {
                let file = runner.files.file_of(&data.name)?;
                let card = Other {
                    max: Some(CARD),
                    fixed: None,
                };
                let mut reader = RecordReader::open(&file, card, &mut Vec::new()).ok()?;
                while let Some(record) = reader.next().ok()? {
                    let number = u32::try_from(lines.len() + 1).ok()?;
                    lines.push((number, listing::text(&record)));
                }
            }
            _ => {}
        }
    }
    (!lines.is_empty()).then_some(lines)
}
