//! Jobs: steps with programs of the system directory, beside those of utilities.
//!
//! What: EXEC PGM of a program, and IKJEFT01 with DSN RUN. Not here: JCL, COND, IF and DD
//! statements (formats/idcams, region/utilities), a step (`program`), commands of SYSTSIN (`tso`).

use crate::beside::{not_opened, user};
use crate::dd::{Dds, datasets};
use crate::program::{BatchArgs, Built, Programs, Run, lines_of};
use crate::tso::{self, Command};
use std::path::Path;
use std::sync::Arc;
use transom_datasets::Datasets;
use transom_idcams::jcl::Step;
use transom_messages::{Line, jb};
use transom_region_batch::StepEnd;
use transom_region_sql::Script;
use transom_utilities::{
    DdOption, FileOptions, Folder, StepDds, StepPrograms, StepRan, SysPrint, Utilities, today,
};

/// Condition codes: commands that are not known, SQL that failed, a step that could not end.
const UNKNOWN: u16 = 12;
const SQL_FAILED: u16 = 8;
const FAILED: u16 = 16;

/// Runs a job; its highest condition code, 255 after an abend.
pub(crate) fn run(args: &BatchArgs, file: &Path, programs: &Programs) -> Result<u8, String> {
    let text = std::fs::read(file);
    let shown = file.display().to_string();
    let text = text.map_err(|why| jb::option_not_valid(&shown, why).to_string())?;
    let text = String::from_utf8_lossy(&text);
    let files = files(args).map_err(|why| why.to_string())?;
    let symbols = symbols(&args.set)?;
    let datasets = datasets(&args.dir, "of a job", programs.datasets)?;
    let mut steps = Steps {
        args,
        programs,
        built: (programs.build)(&args.dir)?,
        datasets: datasets.clone(),
    };
    let utilities = Utilities {
        datasets: &datasets,
        files: &files,
        today: today(),
    };
    let mut print = Print(programs.print);
    Ok(utilities.run_job((&shown, &text), &symbols, &mut steps, &mut print))
}

struct Print(fn(&str));

impl SysPrint for Print {
    fn line(&mut self, text: &str) {
        (self.0)(text);
    }
}

fn files(args: &BatchArgs) -> Result<FileOptions, transom_utilities::OptionError> {
    let dds = args.dd.iter().map(|text| DdOption::parse(text));
    let folders = args.ps.iter().map(|text| Folder::parse("--ps", text));
    let output = args.out.as_ref().map(|text| Folder::parse("--out", text));
    Ok(FileOptions {
        dds: dds.collect::<Result<_, _>>()?,
        folders: folders.collect::<Result<_, _>>()?,
        output: output.transpose()?,
        libraries: args.lib.clone(),
        source_page: None,
    })
}

fn symbols(list: &[String]) -> Result<Vec<(String, String)>, String> {
    let pair = |text: &String| match text.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(
            jb::option_not_valid(format_args!("--set {text}"), "NAME=VALUE is expected")
                .to_string(),
        ),
    };
    list.iter().map(pair).collect()
}

/// The programs of a job.
struct Steps<'a> {
    args: &'a BatchArgs,
    programs: &'a Programs,
    built: Built,
    datasets: Arc<Datasets>,
}

impl StepPrograms for Steps<'_> {
    fn run(&mut self, step: &Step, dds: StepDds) -> Option<StepRan> {
        let name = step.program.as_str();
        (self.programs.print)("");
        Some(match name {
            "IKJEFT01" | "IKJEFT1A" | "IKJEFT1B" => self.terminal_monitor(step, &dds),
            _ => self.program(step, (name, &step.parm), &dds),
        })
    }
}

impl Steps<'_> {
    fn tell(&self, line: impl Into<Line>) {
        self.programs.operator.tell(line);
    }

    /// The commands of SYSTSIN; the code of the last RUN is that of the step.
    fn terminal_monitor(&self, step: &Step, dds: &StepDds) -> StepRan {
        let lines = dds.lines("SYSTSIN").unwrap_or_default();
        let mut ran = StepRan::Code(0);
        for command in tso::commands(&lines) {
            ran = match command {
                Command::Nothing => continue,
                Command::Run { program, .. } if is_script_program(&program) => {
                    StepRan::Code(self.script(dds))
                }
                Command::Run { program, parm } => self.program(step, (&program, &parm), dds),
                Command::Unknown(text) => {
                    self.tell(jb::command_unknown(&step.name, text));
                    return StepRan::Code(UNKNOWN);
                }
            };
            if ran == StepRan::Abended {
                break;
            }
        }
        ran
    }

    /// DSNTEP2 and those like it: the statements of SYSIN.
    fn script(&self, dds: &StepDds) -> u16 {
        let text = dds.lines("SYSIN").unwrap_or_default().join("\n");
        let print = self.programs.print;
        let run = || {
            let database = (self.programs.database)(&self.args.dir)?;
            let user = user(self.args.user.as_ref());
            let mut script = Script::on(&*database.engine, &user).map_err(not_opened)?;
            let done = script.print(&[("SYSIN".to_owned(), text)], &mut |line: &str| print(line));
            done.map_err(|problem| problem.place_first().to_string())
        };
        match run() {
            Ok(()) => 0,
            Err(why) => {
                self.tell(Line::heard(why));
                SQL_FAILED
            }
        }
    }

    fn program(&self, step: &Step, (name, parm): (&str, &str), dds: &StepDds) -> StepRan {
        let Some(module) = self.built.module(name) else {
            self.tell(jb::program_unknown(&step.name, name));
            return StepRan::Abended;
        };
        let run = Run {
            name,
            module,
            parm,
            dds: Dds {
                folder: self.args.dir.clone(),
                by_name: dds.clone(),
                datasets: Some(self.datasets.clone()),
            },
            sysin: lines_of(dds.lines("SYSIN").unwrap_or_default()),
        };
        match run.carried_out(self.args, self.programs, &self.built) {
            Ok(StepEnd::Code(code)) => StepRan::Code(code),
            Ok(StepEnd::Abend(abend)) => {
                let name = format!("step {} ({name})", step.name);
                self.tell(jb::abended(name, abend.code, abend.text));
                StepRan::Abended
            }
            Err(why) => {
                self.tell(Line::heard(why));
                StepRan::Code(FAILED)
            }
        }
    }
}

/// Programs of Db2 that run statements.
fn is_script_program(name: &str) -> bool {
    matches!(name, "DSNTEP2" | "DSNTEP4" | "DSNTIAD")
}
