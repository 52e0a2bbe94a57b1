//! A COBOL program of a job, with its DD statements, PARM and SYSIN.
//!
//! What: options, what the step needs. Not here: what a step does (region/batch), what DD names
//! stand for (`dd`), jobs (`job`).

use crate::beside::{Database, not_opened, user};
use crate::dd::{Dds, OpenDatasets};
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_messages::Operator;
use transom_region_batch::{Environment, NoSql, Step, StepEnd, SysIn, run as run_step};
use transom_types::{ProgramName, UserId};

#[derive(Debug, Args)]
#[command(
    after_help = "The program is one of cobol/, without EXEC CICS. It runs without a region: data sets of the store can be
used while no region has it, tables of EXEC SQL also beside a region. The exit code is RETURN-CODE, of a job the
highest condition code, and 255 after an abend. Files are described as by `transom idcams`.

Examples:
  transom batch my-bank BANKDATA --dd VSAM=BANK.CUSTOMER --parm '1,10000,1,1000000000000000'
  transom batch my-app UNLOADER --dd IN=APP.MASTER,SHR --dd OUT=./master.bin,format=fixed:300 --sysin cards.txt
  transom batch my-bank BANKDATA.jcl
  transom batch my-app CLOSE.jcl --ps files --out files --lib procs --set DATE=26001"
)]
pub struct BatchArgs {
    /// The system directory
    pub(crate) dir: PathBuf,
    /// PROGRAM-ID, or a file with a job
    #[arg(value_name = "PROGRAM|JOB")]
    pub(crate) program: String,
    /// What a DD name stands for: NAME=DATASET[,SHR], NAME=DUMMY, NAME=*, NAME=./FILE[,format=..]
    #[arg(long, value_name = "NAME=DATASET")]
    pub(crate) dd: Vec<String>,
    /// PARM of the step
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) parm: String,
    /// File of SYSIN, which ACCEPT reads
    #[arg(long, value_name = "FILE")]
    pub(crate) sysin: Option<PathBuf>,
    /// Of jobs: folder with files that have the names of data sets, with attributes for all of them
    #[arg(long, value_name = "FOLDER")]
    pub(crate) ps: Vec<String>,
    /// Of jobs: folder for files that are written, with attributes
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<String>,
    /// Of jobs: folder with procedures and members of libraries
    #[arg(long, value_name = "FOLDER")]
    pub(crate) lib: Vec<PathBuf>,
    /// Of jobs: value of a symbol
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Authorization ID of EXEC SQL; default: the environment's USER
    #[arg(long, value_name = "ID")]
    pub(crate) user: Option<String>,
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

impl Built {
    /// The module of a program.
    pub(crate) fn module(&self, name: &str) -> Option<&Path> {
        let found = self.modules.iter().find(|(id, _)| id == name);
        found.map(|(_, path)| path.as_path())
    }
}

/// One program with what it needs.
pub(crate) struct Run<'a> {
    pub(crate) name: &'a str,
    pub(crate) module: &'a Path,
    pub(crate) parm: &'a str,
    pub(crate) dds: Dds,
    pub(crate) sysin: SysIn,
}

impl Run<'_> {
    /// Runs it; the error is a message.
    pub(crate) fn carried_out(
        self,
        args: &BatchArgs,
        programs: &Programs,
        built: &Built,
    ) -> Result<StepEnd, String> {
        let print = programs.print;
        let step = Step {
            zygote: built.zygote.clone(),
            program: ProgramName::from_field(self.name.as_bytes()),
            module: self.module.to_owned(),
            modules: built.folder.clone(),
            dumps: built.dumps.clone(),
            parm: self.parm.chars().map(character).collect(),
            user: UserId::from_field(user(args.user.as_ref()).as_bytes()),
            sysout: Arc::new(move |line: &str| print(line)),
            operator: programs.operator.clone(),
        };
        let (database, dir) = (programs.database, args.dir.clone());
        let environment = Environment {
            places: Box::new(self.dds),
            sql: Box::new(move || {
                let database = database(&dir).map_err(NoSql)?;
                let session = database.engine.session(Arc::default());
                session.map_err(|why| NoSql(not_opened(why)))
            }),
            sysin: self.sysin,
        };
        run_step(step, environment).map_err(|why| why.to_string())
    }
}

/// Programs run in ISO 8859-1.
fn character(c: char) -> u8 {
    u8::try_from(u32::from(c)).unwrap_or(b'?')
}

/// Lines of a job as SYSIN.
pub(crate) fn lines_of(lines: Vec<String>) -> SysIn {
    let mut lines = lines.into_iter();
    Box::new(move || Some(lines.next()?.chars().map(character).collect()))
}
