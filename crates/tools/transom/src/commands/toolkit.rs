//! The toolkit: bind files, service archives, API archives.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Ls2jsArgs {
    /// File with parameter lines, KEY=value
    parameters: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServiceCommand {
    /// Build a service archive from a YAML description and copybooks
    Build(BuildArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ApiCommand {
    /// Build an API archive from a YAML description
    Build(BuildArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BuildArgs {
    /// The YAML description
    description: PathBuf,
    /// The archive to write
    #[arg(short, long)]
    output: PathBuf,
}

pub(crate) fn ls2js(args: &Ls2jsArgs) -> Result<(), String> {
    Err(format!("{}", args.parameters.display()))
}
pub(crate) fn service(c: &ServiceCommand) -> Result<(), String> {
    let ServiceCommand::Build(b) = c;
    Err(format!("{} {}", b.description.display(), b.output.display()))
}
pub(crate) fn api(c: &ApiCommand) -> Result<(), String> {
    let ApiCommand::Build(b) = c;
    Err(format!("{} {}", b.description.display(), b.output.display()))
}
