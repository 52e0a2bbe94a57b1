//! `transom user`: adds, lists and removes the users of a system directory.
//!
//! Passwords are read from the terminal without showing them, or as one line of standard input. Not
//! here: the file itself (`region/security`).

use super::output::print;
use crate::system::{self, users};
use clap::{Args, Subcommand};
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use transom_security::{Secret, User, UserFile};

/// Longest line read as a password, in bytes.
const LINE_BYTES_MAX: usize = 1_024;

/// Who may sign on
#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Add a user, or give an existing one other attributes and a new password
    Add(AddArgs),
    /// List the users
    List {
        /// The system directory
        dir: PathBuf,
    },
    /// Remove a user
    Delete {
        /// The system directory
        dir: PathBuf,
        /// The user
        userid: String,
    },
    /// Take a user all authority, at once in a region that runs
    Revoke {
        /// The system directory
        dir: PathBuf,
        /// The user
        userid: String,
    },
    /// End a revocation
    Restore {
        /// The system directory
        dir: PathBuf,
        /// The user
        userid: String,
    },
    /// Give a user a certificate of TLS to prove who he is, or take it away
    Certificate {
        /// The system directory
        dir: PathBuf,
        /// The user
        userid: String,
        /// Its subject as openssl shows it with `-nameopt RFC2253`, or sha256: and its fingerprint
        certificate: String,
        /// Take it away
        #[arg(long)]
        remove: bool,
    },
    /// Give a user another password and end a revocation
    Password {
        /// The system directory
        dir: PathBuf,
        /// The user
        userid: String,
        #[command(flatten)]
        secret: SecretArgs,
    },
}

/// A new user.
#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The system directory
    dir: PathBuf,
    /// User identifier: 1 to 8 letters, digits or # @ $
    userid: String,
    /// Name of the person
    #[arg(long, default_value = "")]
    name: String,
    /// A group the user belongs to; may be repeated, the first is the default
    #[arg(long)]
    group: Vec<String>,
    /// Operator classes
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=24))]
    opclass: Vec<u8>,
    /// Operator identifier, at most 3 characters; otherwise the first of the user identifier
    #[arg(long, default_value = "")]
    opid: String,
    /// Operator priority
    #[arg(long, default_value_t = 0)]
    priority: u8,
    /// Minutes without input after which the user is signed off; 0: never
    #[arg(long, default_value_t = 0)]
    timeout: u32,
    #[command(flatten)]
    secret: SecretArgs,
}

/// How the secret is meant.
#[derive(Debug, Args)]
pub(crate) struct SecretArgs {
    /// Read a phrase of 9 to 100 characters in place of a password
    #[arg(long)]
    phrase: bool,
    /// The user must change it at the next sign-on
    #[arg(long)]
    must_change: bool,
}

pub(crate) fn run(command: &UserCommand) -> Result<(), String> {
    match command {
        UserCommand::Add(args) => add(args),
        UserCommand::List { dir } => list(dir),
        UserCommand::Revoke { dir, userid } => Ok(file(dir)?.set_revoked(userid, true)?),
        UserCommand::Restore { dir, userid } => Ok(file(dir)?.set_revoked(userid, false)?),
        UserCommand::Certificate {
            dir,
            userid,
            certificate,
            remove,
        } => Ok(file(dir)?.set_certificate(userid, certificate, *remove)?),
        UserCommand::Delete { dir, userid } => Ok(file(dir)?.delete(userid)?),
        UserCommand::Password {
            dir,
            userid,
            secret,
        } => {
            let new = read_secret(secret.phrase)?;
            Ok(file(dir)?.reset(userid, &new, secret.must_change)?)
        }
    }
}

fn add(args: &AddArgs) -> Result<(), String> {
    let user = User {
        userid: args.userid.clone(),
        name: args.name.clone(),
        groups: args.group.iter().map(|g| g.to_ascii_uppercase()).collect(),
        opclass: args.opclass.clone(),
        opid: args.opid.to_ascii_uppercase(),
        priority: args.priority,
        timeout_minutes: args.timeout,
        ..User::default()
    };
    let users = file(&args.dir)?;
    let secret = read_secret(args.secret.phrase)?;
    Ok(users.put(&user, &secret, args.secret.must_change)?)
}

fn list(dir: &Path) -> Result<(), String> {
    let mut out = String::new();
    for (user, revoked) in file(dir)?.list()? {
        let state = if revoked { "revoked" } else { "" };
        let groups = user.groups.join(",");
        let line = format!("{:8} {:20} {groups:20} {state}", user.userid, user.name);
        out.push_str(line.trim_end());
        out.push('\n');
    }
    print(&out);
    Ok(())
}

fn file(dir: &Path) -> Result<UserFile, String> {
    let (system, _) = system::open(dir)?;
    let settings = &system.settings.users;
    let passwords = users::passwords(settings);
    Ok(UserFile::new(&settings.path(&system.root), passwords))
}

/// One line, not shown while it is typed.
fn read_secret(phrase: bool) -> Result<Secret, String> {
    let typed = std::io::stdin().is_terminal();
    if typed {
        eprint!("{}: ", if phrase { "Phrase" } else { "Password" });
        let _ = std::io::stderr().flush();
        echo(false);
    }
    let mut line = Vec::new();
    let stdin = std::io::stdin().lock();
    let read = std::io::Read::take(stdin, LINE_BYTES_MAX as u64).read_until(b'\n', &mut line);
    if typed {
        echo(true);
        eprintln!();
    }
    read.map_err(|e| format!("the password cannot be read: {e}"))?;
    let text = String::from_utf8_lossy(&line);
    // As a 3270 sends it: one byte a character.
    let bytes: Vec<u8> = text
        .trim_end_matches(['\n', '\r'])
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(0))
        .collect();
    let secret = match phrase {
        true => Secret::phrase(&bytes),
        false => Secret::password(&bytes),
    };
    line.fill(0);
    match phrase && !secret.is_phrase() {
        true => Err("a phrase has 9 to 100 characters".into()),
        false => Ok(secret),
    }
}

fn echo(on: bool) {
    let word = if on { "echo" } else { "-echo" };
    let _ = Command::new("stty")
        .arg(word)
        .stdin(Stdio::inherit())
        .status();
}
