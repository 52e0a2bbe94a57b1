//! `transom backup`, `transom restore` and `transom forward-recover`.

use super::output::{findings, print};
use super::store::seen_datasets;
use crate::system::{self, SystemDirectory, sql, store as stores};
use clap::Args;
use serde_json::json;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use transom_log::say;
use transom_messages::{bk, sq};
use transom_region_sql::{Held, put_back};
use transom_utilities::{Beside, Forward, LogApplied, Manifest, Source, moment};

/// It was not done.
pub(super) const FAILED: u8 = 8;

#[derive(Debug, Args)]
#[command(
    after_help = "The store is copied as it is at one moment, while a region uses it or while none does, and the \
copy is checked: each page, each record. Programs, decks, users.toml, journals and what lies in databases are not part \
of it. The database of EXEC SQL is, as it is at that moment. The exit code is 0, or 8 when there is no backup.

Examples:
  transom backup my-system /backups/my-system-2026-11-22
  transom backup my-system /backups/tonight --json"
)]
pub(crate) struct BackupArgs {
    /// The system directory
    dir: PathBuf,
    /// Folder of the backup; not there yet, or empty
    target: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "No region may run. The files of the store that was there are kept in the folder `replaced` of \
the store. A backup of another store or of a later version is refused. The exit code is 0, or 8 when the store is as it was.

Examples:
  transom restore /backups/my-system-2026-11-22 my-system
  transom restore /backups/tonight my-system --replace"
)]
pub(crate) struct RestoreArgs {
    /// Folder of the backup
    backup: PathBuf,
    /// The system directory
    dir: PathBuf,
    /// Also when the store that is there cannot be read
    #[arg(long)]
    replace: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "After `transom restore` and before a region runs: what was committed after the backup is done \
again from the forward recovery logs in the folder `journals` (RECOVERY(ALL) with FWDRECOVLOG, or LOG(ALL) with \
LOGSTREAMID). Data sets without such a log stay as they were at the backup. The exit code is 0, 4 with warnings, or 8 \
when something could not be applied.

Examples:
  transom forward-recover my-system
  transom forward-recover my-system --to 2026-11-22T14:59:00Z
  transom forward-recover my-system --file CUSTFILE=BANK.CUSTOMER"
)]
pub(crate) struct ForwardArgs {
    /// The system directory
    dir: PathBuf,
    /// Up to this moment: 2026-11-22T14:59:00Z or with +01:00; without it to the end of the logs
    #[arg(long, value_parser = parsed_moment)]
    to: Option<u64>,
    /// Data set of a file, for a log that does not say it
    #[arg(long, value_name = "FILE=DATA.SET")]
    file: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn parsed_moment(text: &str) -> Result<u64, String> {
    moment(text).ok_or_else(|| "a moment is 2026-11-22T14:59:00Z, or with +01:00 for the Z".into())
}

pub(crate) fn backup(args: &BackupArgs) -> ExitCode {
    ended(make_backup(args))
}

fn make_backup(args: &BackupArgs) -> Result<u8, String> {
    let system = opened(&args.dir)?;
    let source = Source {
        store: &system.settings.data.path(&system.root),
        options: stores::local_options(&system),
        journals: &stores::journals(&system),
        applid: &system.settings.region.applid,
        databases: databases(&system),
    };
    let now_ms = now().as_millis() as u64;
    let held = sql::config(&system).held();
    let held = held.map_err(|e| sq::not_opened(&e).to_string())?;
    let mut release = || held.iter().for_each(Held::release);
    let copy = |target: &Path| held.iter().try_for_each(|held| held.copy(target));
    let beside = held.is_some().then_some(Beside {
        release: &mut release,
        copy: &copy,
    });
    let made = transom_utilities::backup(&source, beside, &args.target, now_ms);
    let made = made.map_err(|e| e.to_string())?;
    if args.json {
        print(&format!("{:#}\n", made.json()));
    } else {
        let target = args.target.display();
        let line = bk::made(target, made.bytes, made.logs.len(), &made.made);
        print(&format!("{line}\n"));
    }
    warn_of(&made.databases);
    Ok(0)
}

pub(crate) fn restore(args: &RestoreArgs) -> ExitCode {
    ended(do_restore(args))
}

fn do_restore(args: &RestoreArgs) -> Result<u8, String> {
    let system = opened(&args.dir)?;
    let store = system.settings.data.path(&system.root);
    let now_ns = u64::try_from(now().as_nanos()).unwrap_or(u64::MAX);
    let options = stores::local_options(&system);
    let manifest = Manifest::checked(&args.backup).map_err(|e| e.to_string())?;
    let restore =
        || transom_utilities::restore(&args.backup, &store, options, args.replace, now_ns);
    let database = system.settings.sql.path(&system.root);
    let done = put_back(manifest.database(&args.backup), &database, restore);
    let (done, kept) = done.map_err(|e| e.to_string())?;
    let (dir, when) = (args.dir.display(), &done.manifest.made);
    if args.json {
        let answer = json!({
            "backup": done.manifest.json(), "replaced": done.replaced, "sql_replaced": kept,
        });
        print(&format!("{answer:#}\n"));
    } else {
        let line = match &done.replaced {
            Some(replaced) => bk::restored_keeping(dir, when, replaced.display()),
            None => bk::restored(dir, when),
        };
        print(&format!("{line}\n"));
        if let Some(kept) = kept {
            print(&format!("{}\n", bk::database_kept(kept.display())));
        }
    }
    let mut names = done.manifest.databases;
    names.extend(databases(&system));
    names.sort();
    names.dedup();
    warn_of(&names);
    Ok(0)
}

pub(crate) fn forward(args: &ForwardArgs) -> ExitCode {
    ended(recover(args))
}

fn recover(args: &ForwardArgs) -> Result<u8, String> {
    let system = opened(&args.dir)?;
    let mut files = HashMap::new();
    for pair in &args.file {
        let (file, name) = pair
            .split_once('=')
            .ok_or_else(|| format!("--file {pair}: FILE=DATA.SET is expected"))?;
        files.insert(file.to_ascii_uppercase(), name.to_ascii_uppercase());
    }
    let datasets = seen_datasets(&args.dir)?;
    let done = transom_utilities::forward_recover(&Forward {
        dir: &args.dir,
        datasets: &datasets,
        journals: &stores::journals(&system),
        until_ms: args.to,
        files,
    });
    let (logs, notes) = done.map_err(|e| e.to_string())?;
    if args.json {
        let log = |log: &LogApplied| {
            json!({
                "name": log.name, "units_of_work": log.units, "changes": log.changes,
                "not_as_logged": log.surprises, "up_to": log.up_to,
            })
        };
        let logs: Vec<_> = logs.iter().map(log).collect();
        print(&format!("{:#}\n", json!({"logs": logs})));
    } else {
        for log in &logs {
            let line = bk::applied(&log.name, log.units, log.changes, &log.up_to);
            print(&format!("{line}\n"));
        }
        if logs.is_empty() {
            print("no log has anything to apply\n");
        }
    }
    let surprises = logs.iter().any(|log| log.surprises > 0);
    notes.into_iter().for_each(say);
    Ok(if surprises { 4 } else { 0 })
}

/// The directory, when it has a store of its own.
pub(super) fn opened(dir: &Path) -> Result<SystemDirectory, String> {
    let (system, found) = system::open(dir)?;
    if findings(&found) > 0 {
        return Err(format!(
            "{}: transom.toml has errors; nothing was done",
            dir.display()
        ));
    }
    match system.settings.data.postgresql {
        Some(_) => Err(bk::no_local_store(dir.display()).to_string()),
        None => Ok(system),
    }
}

fn databases(system: &SystemDirectory) -> Vec<String> {
    let stores = system.settings.stores.iter();
    let stores = stores.map(|store| store.name.clone());
    let server = (system.settings.sql.engine == "POSTGRES").then(|| "[sql]".to_owned());
    stores.chain(server).collect()
}

fn warn_of(databases: &[String]) {
    if !databases.is_empty() {
        say(bk::databases_not_in_backup(databases.join(", ")));
    }
}

fn ended(done: Result<u8, String>) -> ExitCode {
    match done {
        Ok(code) => ExitCode::from(code),
        Err(text) => {
            say(text);
            ExitCode::from(FAILED)
        }
    }
}

fn now() -> Duration {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
}
