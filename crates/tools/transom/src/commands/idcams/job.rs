//! Runs the steps of a job that concern data sets.

use super::files::{Other, RecordReader};
use super::report::Report;
use super::runner::Runner;
use transom_idcams::jcl::{DataSet, DdSource, Job, Step, read};
use transom_idcams::{Problem, SourceLine, listing};

/// Statement that stands for an IEBGENER step without control statements.
const GENER: &str = " REPRO INFILE(SYSUT1) OUTFILE(SYSUT2)";

/// Columns of a card.
const CARD: usize = 80;

/// Runs a job; answers its highest condition code.
pub(super) fn run(
    runner: &mut Runner<'_>,
    file: &str,
    text: &str,
    symbols: &[(String, String)],
) -> u8 {
    let files = runner.files;
    let job = read(text, symbols, &|name| files.member(name));
    show_problems(runner.report, file, &job);
    if job.problems.iter().any(Problem::is_error) {
        runner.report.max = 16;
        return 16;
    }
    let mut codes: Vec<(String, u32)> = Vec::new();
    for step in &job.steps {
        if step.is_bypassed(&codes) {
            runner.report.line(format!(
                "\nTXMID0036I step {} is bypassed by COND",
                step.name
            ));
            continue;
        }
        if let Some(code) = run_step(runner, file, step) {
            codes.push((step.name.clone(), u32::from(code)));
            runner.report.line(format!(
                "TXMID0021I step {} ended, highest condition code was {code}",
                step.name
            ));
        }
    }
    let max = codes.iter().map(|c| c.1).max().unwrap_or(0);
    u8::try_from(max).unwrap_or(16)
}

fn show_problems(report: &mut Report, file: &str, job: &Job) {
    for problem in &job.problems {
        report.problem(file, problem);
    }
}

/// The condition code of a step; none when it is not run here.
fn run_step(runner: &mut Runner<'_>, file: &str, step: &Step) -> Option<u8> {
    match step.program.as_str() {
        "IEFBR14" => Some(0),
        "IDCAMS" => {
            runner
                .report
                .line(format!("\nSTEP {} {file}:{}", step.name, step.line));
            let Some(lines) = sysin(runner, step) else {
                runner.report.line(format!(
                    "TXMID0037E step {} has no SYSIN with statements",
                    step.name
                ));
                runner.report.max = runner.report.max.max(12);
                return Some(12);
            };
            let lines: Vec<SourceLine<'_>> = lines
                .iter()
                .map(|(number, text)| SourceLine {
                    number: *number,
                    text,
                })
                .collect();
            Some(runner.run(file, &lines, Some(step)))
        }
        "IEBGENER" if is_plain(step) => {
            runner
                .report
                .line(format!("\nSTEP {} {file}:{}", step.name, step.line));
            let lines = [SourceLine {
                number: step.line,
                text: GENER,
            }];
            Some(runner.run(file, &lines, Some(step)))
        }
        program => {
            let text = format!("\nTXMID0035I step {}: {program} is not run here", step.name);
            runner.report.line(text);
            None
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
