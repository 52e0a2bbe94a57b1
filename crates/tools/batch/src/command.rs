//! `transom batch`: one program, or a job.
//!
//! Not here: what a program needs (`program`), steps of jobs (`job`).

use crate::dd::Dds;
use crate::job;
use crate::program::{BatchArgs, Programs, Run, lines_of};
use std::path::Path;
use transom_messages::{Line, jb};
use transom_region_batch::{StepEnd, SysIn};
use transom_types::ProgramName;

/// Condition codes of steps that did not run, and of those whose end was not as it should be.
const NOT_RUN: u8 = 12;
const FAILED: u8 = 16;
/// Exit code after an abend.
const ABENDED: u8 = 255;
/// Longest PARM.
const PARM_MAX: usize = 32_760;

/// Runs the command; its exit code.
pub(crate) fn run(args: &BatchArgs, programs: &Programs) -> u8 {
    let file = Path::new(&args.program);
    let ran = match file.is_file() {
        true => job::run(args, file, programs).map_err(|text| (NOT_RUN, text)),
        false => step(args, programs),
    };
    ran.unwrap_or_else(|(code, text)| {
        programs.operator.tell(Line::heard(text));
        code
    })
}

fn step(args: &BatchArgs, programs: &Programs) -> Result<u8, (u8, String)> {
    let not_run = |text: String| (NOT_RUN, text);
    let name = args.program.to_ascii_uppercase();
    let refused = |what: &str, why: &dyn std::fmt::Display| {
        not_run(jb::option_not_valid(what, why).to_string())
    };
    ProgramName::new(&name).map_err(|why| refused(&args.program, &why))?;
    if args.parm.chars().count() > PARM_MAX {
        let why = format!("{PARM_MAX} characters at most");
        return Err(refused("--parm", &why));
    }
    let sysin = sysin(args.sysin.as_deref()).map_err(|why| refused("--sysin", &why))?;
    let dds = Dds::open(&args.dir, &args.dd, programs.datasets).map_err(not_run)?;
    let built = (programs.build)(&args.dir).map_err(not_run)?;
    let module = built.module(&name);
    let run = Run {
        name: &name,
        module: module.ok_or_else(|| not_run(jb::no_module(&name).to_string()))?,
        parm: &args.parm,
        dds,
        sysin,
    };
    match run
        .carried_out(args, programs, &built)
        .map_err(|why| (FAILED, why))?
    {
        StepEnd::Code(code) => {
            programs.operator.tell(jb::ended(&name, code));
            Ok(u8::try_from(code).unwrap_or(ABENDED - 1))
        }
        StepEnd::Abend(abend) => {
            let told = jb::abended(&name, abend.code, abend.text);
            Err((ABENDED, told.to_string()))
        }
    }
}

/// Lines of a file, or nothing.
fn sysin(file: Option<&Path>) -> std::io::Result<SysIn> {
    let text = match file {
        Some(file) => std::fs::read(file)?,
        None => Vec::new(),
    };
    let text = String::from_utf8_lossy(&text);
    Ok(lines_of(text.lines().map(str::to_owned).collect()))
}
