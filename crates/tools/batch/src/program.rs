//! `transom batch`: a COBOL program of a job, with its DD statements, PARM and SYSIN.
//!
//! What: options, what the step needs, its condition code. Not here: what a step does
//! (region/batch), what DD names stand for (`dd`).

use crate::beside::{Database, not_opened, user};
use crate::dd::{Dds, OpenDatasets};
use clap::Args;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_messages::{Operator, jb};
use transom_region_batch::{Environment, NoSql, Step, StepEnd, SysIn, run as run_step};
use transom_types::{ProgramName, UserId};

/// Condition codes of steps that did not run, and of those whose end was not as it should be.
const NOT_RUN: u8 = 12;
const FAILED: u8 = 16;
/// Exit code after an abend.
const ABENDED: u8 = 255;
/// Longest PARM.
const PARM_MAX: usize = 32_760;

#[derive(Debug, Args)]
#[command(
    after_help = "The program is one of cobol/, without EXEC CICS. It runs without a region: data sets of the store can be
used while no region has it, tables of EXEC SQL also beside a region. The exit code is RETURN-CODE, 255 after an abend.

Examples:
  transom batch my-bank BANKDATA --dd VSAM=BANK.CUSTOMER --parm '1,10000,1,1000000000000000'
  transom batch my-app UNLOADER --dd IN=APP.MASTER,SHR --sysin cards.txt"
)]
pub struct BatchArgs {
    /// The system directory
    dir: PathBuf,
    /// PROGRAM-ID
    program: String,
    /// What a DD name stands for: NAME=DATASET[,SHR], NAME=DUMMY
    #[arg(long, value_name = "NAME=DATASET")]
    dd: Vec<String>,
    /// PARM of the step
    #[arg(long, value_name = "TEXT", default_value = "")]
    parm: String,
    /// File of SYSIN, which ACCEPT reads
    #[arg(long, value_name = "FILE")]
    sysin: Option<PathBuf>,
    /// Authorization ID of EXEC SQL; default: the environment's USER
    #[arg(long, value_name = "ID")]
    user: Option<String>,
}

/// Programs of a system directory, compiled.
pub struct Built {
    /// PROGRAM-IDs and modules.
    pub modules: Vec<(String, PathBuf)>,
    /// Folder of the modules, for CALL.
    pub folder: PathBuf,
    /// Folder of dumps.
    pub dumps: PathBuf,
    /// The hidden subcommand whose zygote runs steps, with what it must know.
    pub zygote: Vec<OsString>,
}

/// What the command line hands in.
pub struct Programs {
    /// Compiles what changed.
    pub build: fn(&Path) -> Result<Built, String>,
    pub datasets: OpenDatasets,
    pub database: fn(&Path) -> Result<Database, String>,
    /// Prints a line of SYSOUT.
    pub print: fn(&str),
    pub operator: Operator,
}

/// Runs the command; its exit code.
pub(crate) fn run(args: &BatchArgs, programs: &Programs) -> u8 {
    match step(args, programs) {
        Ok(code) => code,
        Err((code, text)) => {
            programs.operator.tell(transom_messages::Line::heard(text));
            code
        }
    }
}

fn step(args: &BatchArgs, programs: &Programs) -> Result<u8, (u8, String)> {
    let not_run = |text: String| (NOT_RUN, text);
    let name = args.program.to_ascii_uppercase();
    let refused = |what: &str, why: &dyn std::fmt::Display| {
        not_run(jb::option_not_valid(what, why).to_string())
    };
    let program = ProgramName::new(&name).map_err(|why| refused(&args.program, &why))?;
    if args.parm.chars().count() > PARM_MAX {
        return Err(refused(
            "--parm",
            &format_args!("{PARM_MAX} characters at most"),
        ));
    }
    let sysin = sysin(args.sysin.as_deref()).map_err(|why| refused("--sysin", &why))?;
    let dds = Dds::open(&args.dir, &args.dd, programs.datasets).map_err(not_run)?;
    let built = (programs.build)(&args.dir).map_err(not_run)?;
    let module = built.modules.iter().find(|(id, _)| *id == name);
    let (_, module) = module.ok_or_else(|| not_run(jb::no_module(&name).to_string()))?;
    let print = programs.print;
    let step = Step {
        zygote: built.zygote,
        program,
        module: module.clone(),
        modules: built.folder,
        dumps: built.dumps,
        parm: args.parm.chars().map(character).collect(),
        user: UserId::from_field(user(args.user.as_ref()).as_bytes()),
        sysout: Arc::new(move |line: &str| print(line)),
        operator: programs.operator.clone(),
    };
    let (database, dir) = (programs.database, args.dir.clone());
    let environment = Environment {
        places: Box::new(dds),
        sql: Box::new(move || {
            let database = database(&dir).map_err(NoSql)?;
            let session = database.engine.session(Arc::default());
            session.map_err(|why| NoSql(not_opened(why)))
        }),
        sysin,
    };
    let name = program.as_str();
    match run_step(step, environment).map_err(|why| (FAILED, why.to_string()))? {
        StepEnd::Code(code) => {
            programs.operator.tell(jb::ended(name, code));
            Ok(u8::try_from(code).unwrap_or(ABENDED - 1))
        }
        StepEnd::Abend(abend) => {
            let told = jb::abended(name, &abend.code, &abend.text);
            Err((ABENDED, told.to_string()))
        }
    }
}

/// Programs run in ISO 8859-1.
fn character(c: char) -> u8 {
    u8::try_from(u32::from(c)).unwrap_or(b'?')
}

/// Lines of a file, or nothing.
fn sysin(file: Option<&Path>) -> std::io::Result<SysIn> {
    let Some(file) = file else {
        return Ok(Box::new(|| None));
    };
    let mut lines = BufReader::new(File::open(file)?).split(b'\n');
    Ok(Box::new(move || {
        let mut line = lines.next()?.ok()?;
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let text = String::from_utf8_lossy(&line);
        Some(text.chars().map(character).collect())
    }))
}
