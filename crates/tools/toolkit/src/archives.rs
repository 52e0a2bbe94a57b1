//! `ls2js` (bind files and schemas), `service build` (.sar), `api build` (.aar).
//!
//! What: the files they read and write. Not here: what is in them (`formats/apidef`).

use crate::files::{folder_of, read, write};
use crate::import::{ImportArgs, import};
use crate::output::Output;
use clap::{Args, Subcommand};
use std::path::PathBuf;
use transom_apidef::ls2js::{Bind, generate};
use transom_apidef::plan::AnyPlan;
use transom_apidef::sar::ServiceArchive;
use transom_apidef::toolkit::{build_api, build_service};
use transom_copybook::Profile;
use transom_copybook::shape::RecordFormat;
use transom_system::read_text;

/// `transom ls2js`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  transom ls2js toolkit/comm1k.ls2js

File names in the parameters count from the folder of the parameter file.")]
pub struct Ls2jsArgs {
    /// File with parameter lines, KEY=value
    parameters: PathBuf,
}

/// `transom service`.
#[derive(Debug, Subcommand)]
pub enum ServiceCommand {
    /// Build a service archive from a YAML description and copybooks
    #[command(after_help = "Example:
  transom service build toolkit/enquiry.yaml --copy copy -o resources/zosconnect/services/enquiry.sar")]
    Build {
        #[command(flatten)]
        files: BuildArgs,
        /// Folder of the copybooks; default: copy and ../copy beside the description
        #[arg(long)]
        copy: Vec<PathBuf>,
    },
    /// Build a service archive from a REST service of a Db2 service manager that runs
    #[command(after_help = "Example:
  transom service import --port 42100 --service employees -o resources/zosconnect/services/employees.sar

With --user the password is the first line of standard input.")]
    Import(ImportArgs),
}

/// `transom api`.
#[derive(Debug, Subcommand)]
pub enum ApiCommand {
    /// Build an API archive from a YAML description
    #[command(after_help = "Example:
  transom api build toolkit/accounts.yaml -o resources/zosconnect/apis/accounts.aar")]
    Build {
        #[command(flatten)]
        files: BuildArgs,
        /// Folder of the services (.sar, .wsbind) the API calls; default: the description's folder,
        /// ../bindfiles and ../resources/zosconnect/services
        #[arg(long)]
        services: Vec<PathBuf>,
    },
}

/// From what to what.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// The YAML description
    description: PathBuf,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

/// Suffixes a copybook file may have.
const COPYBOOK_SUFFIXES: [&str; 6] = ["cpy", "CPY", "cbl", "CBL", "copy", "cob"];

/// Runs it.
///
/// # Errors
/// What is wrong with a file, as a text.
pub fn ls2js(args: &Ls2jsArgs, out: Output) -> Result<(), String> {
    let text = read_text(&args.parameters)?;
    let folder = folder_of(&args.parameters);
    let library = text
        .lines()
        .find_map(|l| l.trim().strip_prefix("PDSLIB="))
        .map_or_else(|| folder.to_path_buf(), |l| folder.join(l.trim()));
    let name = args.parameters.display().to_string();
    let generated = generate(&name, &text, |member| {
        copybook(std::slice::from_ref(&library), member)
    })
    .map_err(|p| p.id_first().to_string())?;
    let parameters = &generated.bind.parameters;
    let schema = |value: &serde_json::Value| {
        serde_json::to_string_pretty(value)
            .map(|t| t + "\n")
            .map_err(|e| e.to_string())
    };
    let mut report = String::new();
    let mut put = |file: &Option<String>, bytes: &[u8]| -> Result<(), String> {
        let Some(file) = file else { return Ok(()) };
        write(&folder.join(file), bytes)?;
        report += &format!("written: {file}\n");
        Ok(())
    };
    put(&parameters.bind_file, generated.bind_text.as_bytes())?;
    put(
        &parameters.request_schema_file,
        schema(&generated.request_schema)?.as_bytes(),
    )?;
    put(
        &parameters.response_schema_file,
        schema(&generated.response_schema)?.as_bytes(),
    )?;
    if let Some(archive) = &generated.archive {
        put(&parameters.service_archive, archive)?;
    }
    for notice in &generated.notices {
        report += &format!("{}\n", notice.id_first());
    }
    if let Some(log) = &parameters.log_file {
        write(&folder.join(log), report.as_bytes())?;
    }
    out.print(&report);
    Ok(())
}

/// Runs it.
///
/// # Errors
/// What is wrong with a file, as a text.
pub fn service(command: &ServiceCommand, out: Output) -> Result<(), String> {
    let (files, copy) = match command {
        ServiceCommand::Build { files, copy } => (files, copy),
        ServiceCommand::Import(args) => return import(args, out),
    };
    let text = read_text(&files.description)?;
    let folder = folder_of(&files.description);
    let folders = if copy.is_empty() {
        vec![
            folder.to_path_buf(),
            folder.join("copy"),
            folder.join("../copy"),
        ]
    } else {
        copy.clone()
    };
    let name = files.description.display().to_string();
    let built = build_service(&name, &text, |member| copybook(&folders, member))
        .map_err(|p| p.id_first().to_string())?;
    write(&files.output, &built.bytes)?;
    out.print(&format!(
        "service {}: {}\n",
        built.name,
        files.output.display()
    ));
    Ok(())
}

/// Runs it.
///
/// # Errors
/// What is wrong with a file, as a text.
pub fn api(command: &ApiCommand, out: Output) -> Result<(), String> {
    let ApiCommand::Build { files, services } = command;
    let text = read_text(&files.description)?;
    let folder = folder_of(&files.description);
    let folders = if services.is_empty() {
        ["", "../bindfiles", "../resources/zosconnect/services"]
            .iter()
            .map(|f| folder.join(f))
            .collect()
    } else {
        services.clone()
    };
    let name = files.description.display().to_string();
    let failed = std::cell::RefCell::new(None);
    let find = |service: &str| match find_service(&folders, service) {
        Ok(plan) => plan,
        Err(error) => {
            *failed.borrow_mut() = Some(error);
            None
        }
    };
    let bytes = build_api(&name, &text, find).map_err(|p| {
        failed
            .borrow_mut()
            .take()
            .unwrap_or_else(|| p.id_first().to_string())
    })?;
    write(&files.output, &bytes)?;
    out.print(&format!("API archive: {}\n", files.output.display()));
    Ok(())
}

/// The plan of a service by its name: an archive, or a bind file.
fn find_service(folders: &[PathBuf], name: &str) -> Result<Option<AnyPlan>, String> {
    for folder in folders {
        let archive = folder.join(format!("{name}.sar"));
        let bind = folder.join(format!("{name}.wsbind"));
        let service = if archive.is_file() {
            ServiceArchive::read(&archive.display().to_string(), &read(&archive)?)
        } else if bind.is_file() {
            Bind::read(&bind.display().to_string(), &read(&bind)?)
                .and_then(|b| b.service(name, Profile::Native))
        } else {
            continue;
        };
        let service = service.map_err(|p| p.id_first().to_string())?;
        let plan = AnyPlan::new(&service, &RecordFormat::region());
        return plan.map(Some).map_err(|p| p.id_first().to_string());
    }
    Ok(None)
}

/// Text of a copybook by file or member name.
fn copybook(folders: &[PathBuf], name: &str) -> Option<String> {
    let candidates = |folder: &PathBuf| {
        let mut list = vec![folder.join(name)];
        list.extend(
            COPYBOOK_SUFFIXES
                .iter()
                .map(|s| folder.join(format!("{name}.{s}"))),
        );
        list
    };
    let file = folders.iter().flat_map(candidates).find(|f| f.is_file())?;
    read_text(&file).ok()
}
