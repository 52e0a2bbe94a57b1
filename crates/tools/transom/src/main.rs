//! `transom`: the one executable, where rooms are wired together.
//!
//! What: the command line and one module per command. Not here: anything a room does itself.

#![forbid(unsafe_code)]

mod commands;
mod console;
mod ends;
mod lives;
mod memory;
mod service;
mod system;

use clap::{CommandFactory, Parser, Subcommand};
use commands::output::print;
use std::path::PathBuf;
use std::process::ExitCode;

/// Buffers of 16 to 64 KB come and go with every request; the system's allocator gives them back to
/// the kernel each time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// With the commit it was built from, where the build says so.
const VERSION: &str = match option_env!("TRANSOM_VERSION") {
    Some(version) => version,
    None => env!("CARGO_PKG_VERSION"),
};

/// Run CICS applications on Linux and open them to the web
#[derive(Debug, Parser)]
#[command(
    version = VERSION,
    after_help = "Examples:
  transom run samples/gateway
  transom check my-system
  transom explain TXMPG0001E"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve a system directory: compile what changed, start region and gateway; or the regions
    /// that a plex.toml names
    Run(commands::run::RunArgs),
    /// Serve the APIs of a system directory; the programs run in regions of other processes
    Gateway(commands::gateway::GatewayArgs),
    /// Take TN3270 sessions to their hosts, with TLS on either side
    Redirector(transom_redirector::RedirectorArgs),
    /// Compile the programs of a system directory that changed
    Build {
        /// The system directory
        dir: PathBuf,
    },
    /// Carry out commands of DFHCSDUP on the resource definitions of a system directory
    Csd(transom_csd_utility::CsdArgs),
    /// Say what of the machine and of a system directory makes a region fail or slow
    Doctor(transom_doctor::DoctorArgs),
    /// Report everything in a system directory that would not work
    Check(commands::check::CheckArgs),
    /// Make a system directory to begin with, as a tutorial shows it
    Init(transom_init::InitArgs),
    /// Make a system directory of a checkout of an application
    Import(transom_import::ImportArgs),
    /// Make bind file and JSON schemas from copybooks, as BAQLS2JS does
    Ls2js(transom_toolkit::Ls2jsArgs),
    /// Build service archives (.sar)
    #[command(subcommand)]
    Service(transom_toolkit::ServiceCommand),
    /// Build API archives (.aar)
    #[command(subcommand)]
    Api(transom_toolkit::ApiCommand),
    /// Look at data through a copybook
    #[command(subcommand)]
    Copybook(transom_toolkit::CopybookCommand),
    /// Define and load data sets by IDCAMS statements or jobs
    Idcams(commands::idcams::IdcamsArgs),
    /// Run a program of a job with its files and EXEC SQL
    Batch(transom_batch::BatchArgs),
    /// Run scripts of Db2 statements against the database of EXEC SQL, unload and load tables
    Sql(transom_batch::SqlArgs),
    /// Make the COBOL member of a Db2 table
    Dclgen(transom_toolkit::DclgenArgs),
    /// Read every record of the store and name the damaged ones
    Verify(commands::verify::VerifyArgs),
    /// Tell whether a region runs on a system directory, and what it does
    Status(transom_plex::StatusArgs),
    /// End the region of a system directory
    Stop(transom_plex::StopArgs),
    /// Let a running region read users, rules and certificates again
    Reload(transom_plex::ReloadArgs),
    /// Regions that are run together
    #[command(subcommand)]
    Plex(transom_plex::PlexCommand),
    /// Copy the store of a system directory, while a region uses it or not
    Backup(commands::backup::BackupArgs),
    /// Put a backup in the place of a store
    Restore(commands::backup::RestoreArgs),
    /// Make the store of a system directory as short as its data
    Compact(commands::compact::CompactArgs),
    /// Apply forward recovery logs to a store that was restored
    ForwardRecover(commands::backup::ForwardArgs),
    /// Put the keys of data sets into the order transom.toml asks for
    Rebuild(commands::rebuild::RebuildArgs),
    /// Translate one COBOL source and print the result
    Translate(commands::translate::TranslateArgs),
    /// Add, list and remove users
    #[command(subcommand)]
    User(commands::user::UserCommand),
    /// Drive a workload against an HTTP endpoint or a TN3270 listener and report on it
    Drive(Box<transom_driver::DriveCommand>),
    /// Show the monitoring records of a region, as they were and as they come
    Monitor(transom_monitor::MonitorArgs),
    /// Report on the monitoring records of a region: rates, response times, where time goes
    Report(transom_monitor::ReportArgs),
    /// List the dumps of a region, or show one with its source
    Dump(transom_monitor::DumpArgs),
    /// Print the auxiliary trace of a region
    Trace(transom_monitor::TraceArgs),
    /// Explain a message, or list all
    Explain {
        /// Message number, for example TXMPG0001E
        id: Option<String>,
    },
    /// Print what completes this command line in a shell
    Completions(transom_manual::CompletionsArgs),
    /// Write the manual pages
    Manual(transom_manual::ManualArgs),
    /// Write the reference pages
    #[command(hide = true)]
    Reference {
        /// Folder for the pages
        dir: PathBuf,
    },
    /// Process that COBOL workers are forked from
    #[command(hide = true)]
    CobolZygote {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
}

fn main() -> ExitCode {
    // The zygote must fork before this process has threads, and needs no command line parser.
    let mut args = std::env::args_os().skip(1);
    let word = args.next();
    let of_step = word.as_ref().is_some_and(|word| word == "step-zygote");
    if of_step || word.is_some_and(|word| word == "cobol-zygote") {
        let of_region = transom_region_supplied::make_commands as fn() -> _;
        let commands = [of_region, transom_region_batch::make_commands][usize::from(of_step)];
        let rest = transom_region_cobol::start(args.collect());
        let code = transom_workers::zygote_main(&rest, commands);
        return ExitCode::from(u8::try_from(code).unwrap_or(1));
    }
    memory::in_small_pages();
    let cli = Cli::parse();
    transom_log::begin();
    keep_to_myself(&cli.command);
    // Their exit codes are condition codes.
    match &cli.command {
        Command::Idcams(args) => return commands::idcams::run(args),
        Command::Verify(args) => return commands::verify::run(args),
        _ => {}
    }
    if let Some(code) = with_code(&cli.command) {
        transom_log::end();
        return code;
    }
    let code = match dispatch(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            transom_log::say(text);
            ExitCode::FAILURE
        }
    };
    transom_log::end();
    code
}

/// How commands that ask a region print.
const REGION: transom_plex::Output = transom_plex::Output {
    print: commands::output::print,
    say: |message| transom_log::say(message),
};

/// Commands whose exit codes say more than yes or no.
fn with_code(command: &Command) -> Option<ExitCode> {
    Some(match command {
        Command::Batch(args) => commands::batch::run(args),
        Command::Status(args) => transom_plex::status(args, REGION),
        Command::Stop(args) => transom_plex::stop(args, REGION),
        Command::Plex(plex) => transom_plex::command(plex, print, |text| transom_log::say(text)),
        Command::Reload(args) => transom_plex::reload(args, REGION),
        Command::Doctor(args) => transom_doctor::doctor(args, AROUND),
        Command::Csd(args) => transom_csd_utility::csd(args, CSD),
        Command::Import(args) => commands::import::run(args),
        Command::Backup(args) => commands::backup::backup(args),
        Command::Restore(args) => commands::backup::restore(args),
        Command::Compact(args) => commands::compact::run(args),
        Command::ForwardRecover(args) => commands::backup::forward(args),
        _ => return None,
    })
}

/// Files of a system are for its user alone: log, checkpoint, journals, dumps, queues on disk hold
/// records. Tools that write where they are told keep the user's own mask.
fn keep_to_myself(command: &Command) {
    use Command::{
        Backup, Batch, Build, Check, Compact, Csd, ForwardRecover, Gateway, Idcams, Import,
        Rebuild, Redirector, Restore, Run, User, Verify,
    };
    if matches!(
        command,
        Run(_)
            | Gateway(_)
            | Redirector(_)
            | Batch(_)
            | Build { .. }
            | Check(_)
            | Csd(_)
            | Import(_)
            | Idcams(_)
            | Rebuild(_)
            | Verify(_)
            | Backup(_)
            | Restore(_)
            | Compact(_)
            | ForwardRecover(_)
            | User(_)
    ) {
        rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    }
}

/// Where the toolkit prints.
const OUTPUT: transom_toolkit::Output = transom_toolkit::Output {
    results: print,
    findings: commands::output::findings,
};

/// What `transom doctor` is given.
const AROUND: transom_doctor::Around = transom_doctor::Around {
    problems: system::users::problems,
    print,
    say: |text| transom_log::say(text),
};

/// What `transom csd` is given.
const CSD: transom_csd_utility::Around = transom_csd_utility::Around {
    problems: system::users::problems,
    print,
    say: |text| transom_log::say(text),
};

fn dispatch(command: Command) -> Result<(), String> {
    match command {
        Command::Run(args) if transom_plex::is_plex(&args.dir) => commands::plex::run(&args.dir),
        Command::Run(args) => commands::run::run(&args),
        Command::Gateway(args) => commands::gateway::run(&args),
        Command::Redirector(args) => commands::redirector::run(&args),
        Command::Build { dir } => commands::build::build_only(&dir),
        Command::Check(args) => commands::check::run(&args),
        Command::Init(args) => transom_init::init(&args, print),
        Command::Sql(args) => commands::sql::run(&args),
        Command::Dclgen(args) => transom_toolkit::dclgen(&args, OUTPUT, commands::sql::table),
        Command::Ls2js(args) => transom_toolkit::ls2js(&args, OUTPUT),
        Command::Service(command) => transom_toolkit::service(&command, OUTPUT),
        Command::Api(command) => transom_toolkit::api(&command, OUTPUT),
        Command::Copybook(command) => transom_toolkit::copybook(&command, OUTPUT),
        Command::Monitor(args) => transom_monitor::monitor(&args, print),
        Command::Report(args) => transom_monitor::report(&args, print),
        Command::Dump(args) => transom_monitor::dump(&args, print),
        Command::Trace(args) => transom_monitor::trace(&args, print),
        Command::Translate(args) => commands::translate::run(&args),
        Command::User(command) => commands::user::run(&command),
        Command::Drive(command) => transom_driver::command(&command),
        Command::Rebuild(args) => commands::rebuild::run(&args),
        Command::Explain { id } => transom_manual::explain(id.as_deref()).map(|page| print(&page)),
        Command::Completions(args) => {
            print(&transom_manual::completions(&args, Cli::command()));
            Ok(())
        }
        Command::Manual(args) => transom_manual::manual(&args, Cli::command()),
        Command::Reference { dir } => commands::reference::run(&dir, Cli::command()),
        // Done before, but for the last.
        _ => Err("this command is for the region only".to_owned()),
    }
}
