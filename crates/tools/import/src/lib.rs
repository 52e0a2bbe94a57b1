//! `transom import`: a checkout of an application becomes a system directory.
//!
//! What: files are sorted by what stands in them ([`sorted`]), a plan says what goes where
//! ([`plan`]), it is written as a whole ([`write`]); then programs are compiled, what does not
//! compile is left out, and tables are made. Reading order: this file, `sorted`, `plan`,
//! `clusters`. Why a room: it knows forms of texts and starts no region. Not here: compiling, the
//! database and `transom check`, which are handed in ([`Beside`]); rules that know an application
//! by its name.

#![forbid(unsafe_code)]

mod arguments;
mod clusters;
mod data;
mod datasets;
mod decks;
mod draft;
mod jobs;
mod kind;
mod maps;
mod members;
mod names;
mod placeholders;
mod plan;
mod sorted;
mod stub;
mod summary;
mod tables;
mod tasks;
mod walk;
mod write;

pub use arguments::ImportArgs;

use arguments::Wanted;
use draft::Plan;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use transom_messages::{Message, im};
use transom_region_sql::Script;
use transom_system::build::Outcome;
use transom_system::report::{SourceReport, SourceState};
use write::{Content, Item};

/// What an import needs of the rooms that run a system directory.
pub struct Beside<'a> {
    /// Compiles its programs.
    pub build: &'a dyn Fn(&Path) -> Result<Outcome, String>,
    /// Opens its database.
    pub script: &'a dyn Fn(&Path) -> Result<Script, String>,
    /// Tells the user something.
    pub say: &'a dyn Fn(&Message),
    /// Prints a result.
    pub print: fn(&str),
}

/// Exit code when programs were left out.
const SET_ASIDE: u8 = 4;
/// Where sources go that do not compile.
const LEFT_OUT: &str = "left-out";

/// Makes the system directory and checks it; a failure is told.
pub fn run(
    args: &ImportArgs,
    beside: &Beside<'_>,
    check: &dyn Fn() -> Result<(), String>,
    tell: impl Fn(String),
) -> ExitCode {
    match import(args, beside).and_then(|left_out| check().map(|()| left_out)) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(count) => {
            (beside.say)(&im::set_aside(count));
            ExitCode::from(SET_ASIDE)
        }
        Err(text) => {
            tell(text);
            ExitCode::FAILURE
        }
    }
}

/// Makes the system directory; `transom check` of it comes next. Answers how many programs were
/// left out.
///
/// # Errors
/// What stands against it, said already but for how much there is; nothing was written.
pub fn import(args: &ImportArgs, beside: &Beside<'_>) -> Result<usize, String> {
    let refused = |list: Vec<Message>| {
        list.iter().for_each(beside.say);
        match list.len() {
            1 => "1 error; nothing was written".to_owned(),
            n => format!("{n} errors; nothing was written"),
        }
    };
    let wanted = args.check().map_err(refused)?;
    let sorted = sorted::Sorted::read(&wanted).map_err(|message| refused(vec![message]))?;
    let mut plan = plan::plan(&sorted);
    let something = ["cobol", "csd", "archives"];
    if something.iter().all(|what| plan.summary.number(what) == 0) {
        plan.errors.push(im::nothing(wanted.root.display()));
    }
    sorted.remarks.iter().for_each(beside.say);
    plan.remarks.iter().for_each(beside.say);
    if !plan.errors.is_empty() {
        return Err(refused(plan.errors));
    }
    plan.items.push(Item {
        to: "transom.toml".to_owned(),
        content: Content::Text(settings(&wanted, &plan)),
    });
    write::remove_left(&wanted.dir).iter().for_each(beside.say);
    write::write(&wanted.dir, &plan.items).map_err(|message| refused(vec![message]))?;
    let left_out = leave_out(&wanted, beside)?;
    make_tables(&wanted.dir, &plan, beside)?;
    (beside.print)(&plan.summary.text());
    Ok(left_out)
}

fn settings(wanted: &Wanted, plan: &Plan) -> String {
    let mut text = format!("[region]\nAPPLID = \"{}\"\n", wanted.applid);
    if !plan.lists.is_empty() {
        let lists: Vec<String> = plan.lists.iter().map(|l| format!("\"{l}\"")).collect();
        text.push_str(&format!("GRPLIST = [{}]\n", lists.join(", ")));
    }
    text.push_str(&format!("\n[terminals]\nport = {}\n", wanted.port));
    if let Some(schema) = &plan.qualifier {
        text.push_str(&format!("\n[sql]\nqualifier = \"{schema}\"\n"));
    }
    text
}

/// Compiles; what does not compile goes out of the way, so that the rest can run.
fn leave_out(wanted: &Wanted, beside: &Beside<'_>) -> Result<usize, String> {
    let mut count = 0;
    let outcome = (beside.build)(&wanted.dir)?;
    let failed = |report: &&SourceReport| {
        matches!(report.state, SourceState::Failed | SourceState::Needs(_))
    };
    for report in outcome.reports.iter().filter(failed) {
        let reason = match report.state {
            SourceState::Needs(facility) => format!("it needs {}", facility.name()),
            _ => {
                let of_file = |text: &&str| text.starts_with(&report.file);
                let errors = outcome.findings.iter().filter(|f| f.is_error);
                let mut texts = errors.map(|f| f.text.as_str());
                let first = texts.find(of_file).unwrap_or(&report.file);
                first.lines().next().unwrap_or_default().to_owned()
            }
        };
        let from = wanted.dir.join(&report.file);
        let name = from.file_name().map(ToOwned::to_owned).unwrap_or_default();
        let to = wanted.dir.join(LEFT_OUT).join(name);
        let moved = fs::read(&from)
            .and_then(|text| fs::create_dir_all(wanted.dir.join(LEFT_OUT)).map(|()| text))
            .and_then(|text| fs::rename(&from, &to).map(|()| text));
        let not_written = |why| im::not_written(to.display(), walk::reason(&why)).to_string();
        let text = moved.map_err(not_written)?;
        if !wanted.stub {
            (beside.say)(&im::left_out(&report.program, reason));
            count += 1;
            continue;
        }
        let text = transom_types::text(text).to_ascii_uppercase();
        let online = text.contains("EXEC CICS") || text.contains("DFHCOMMAREA");
        fs::write(&from, stub::source(&report.program, online)).map_err(not_written)?;
        (beside.say)(&im::stubbed(&report.program, reason));
    }
    Ok(count)
}

fn make_tables(dir: &Path, plan: &Plan, beside: &Beside<'_>) -> Result<(), String> {
    if plan.statements.is_empty() {
        return Ok(());
    }
    let mut script = (beside.script)(dir)?;
    for (place, text) in &plan.statements {
        let mut wrong = None;
        let done = script.run(text, |done| {
            if done.answer.code < 0 {
                wrong.get_or_insert_with(|| done.problem().to_string());
            }
        });
        let wrong = done.err().map(|why| why.to_string()).or(wrong);
        if let Some(reason) = wrong {
            (beside.say)(&im::statement(place, reason));
        }
    }
    Ok(())
}
