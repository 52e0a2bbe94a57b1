//! Users, rules, certificates, definitions and the log level of a running region, read again.
//!
//! What: a [`Reload`], which `transom reload` asks at the console and SIGHUP asks: transom.toml,
//! the file of users, the files of certificates and the decks are read, all of it or, where
//! something is wrong, nothing. Definitions that are new or other ones are installed
//! ([`definitions`]). What else has changed since the start is named: it needs a restart.
//! Why only these: whoever is dismissed, and a certificate that runs out, cannot wait for a night;
//! the other tables say what the process was built from. Not here: files (`region/system`,
//! `region/security`, `doors/tcpip`), the console (`transom run`).

#![forbid(unsafe_code)]

mod definitions;

use definitions::Known;
use serde_json::{Value, json};
use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::Mutex;
use transom_csd::Definition;
use transom_messages::{Line, Message, Operator, rl};
use transom_region_server::LocalRegion;
use transom_security::UserConfig;
use transom_settings::{LogSettings, Settings};
use transom_system::{Finding, SystemDirectory, decks};
use transom_tcpip::Renewal;

/// How the caller reads what is about users, and hears of the log.
#[derive(Debug, Clone, Copy)]
pub struct Readers {
    /// Rules and the file of users.
    pub config: fn(&SystemDirectory) -> UserConfig,
    /// What is wrong with the rules, with their lines.
    pub problems: fn(&Settings) -> Vec<(usize, String)>,
    /// Why nobody of the file of users could sign on.
    pub problem: fn(&SystemDirectory) -> Option<Message>,
    /// Takes the log level.
    pub log: fn(&LogSettings),
}

/// Reads again for one region.
pub struct Reload {
    region: Arc<LocalRegion>,
    operator: Operator,
    readers: Readers,
    /// What counts now; one reload at a time.
    counts: Mutex<Counts>,
}

/// What a region runs by.
pub struct Counts {
    root: PathBuf,
    settings: Settings,
    server_xml: Vec<Stamped>,
    known: Known,
}

/// A file by its name in messages, with time and length.
type Stamped = (String, Option<(SystemTime, u64)>);

/// Tables that a reload takes, or that the region does not run by.
const TAKEN: [&str; 3] = ["authority", "service_classes", "report_classes"];

/// SIGHUP, which ends the process no more. `None` where somebody sits in front: a terminal that is
/// closed sends it to end what runs there.
pub fn hangup() -> Option<Signal> {
    match std::io::stderr().is_terminal() {
        true => None,
        false => signal(SignalKind::hangup()).ok(),
    }
}

impl Reload {
    /// Of a region that was just started.
    pub fn of(
        counts: Counts,
        region: &Arc<LocalRegion>,
        (operator, readers): (&Operator, Readers),
    ) -> Arc<Self> {
        Arc::new(Self {
            region: region.clone(),
            operator: operator.clone(),
            readers,
            counts: Mutex::new(counts),
        })
    }

    /// Reads again at each SIGHUP.
    pub fn on(self: &Arc<Self>, hangup: Option<Signal>) {
        let (Some(mut hangup), me) = (hangup, self.clone()) else {
            return;
        };
        tokio::spawn(async move {
            while hangup.recv().await.is_some() {
                // The operator is told.
                let _told = me.run().await;
            }
        });
    }

    /// What the console answers.
    pub async fn answer(&self) -> Value {
        match self.run().await {
            Ok(told) => json!({"told": told}),
            Err(why) => json!({"error": why.to_string()}),
        }
    }

    /// Reads again; answers what the operator is told.
    ///
    /// # Errors
    /// Something is wrong: nothing has changed.
    pub async fn run(&self) -> Result<Vec<String>, Message> {
        let mut counts = self.counts.lock().await;
        let done = self.renew(&mut counts).await;
        match &done {
            Ok(told) => told.iter().for_each(|line| self.tell(line.clone())),
            Err(why) => self.tell(why.clone()),
        }
        done.map(|told| told.iter().map(Message::to_string).collect())
    }

    fn tell(&self, message: Message) {
        self.operator.tell(Line::heard(message));
    }

    async fn renew(&self, counts: &mut Counts) -> Result<Vec<Message>, Message> {
        let (root, readers) = (counts.root.clone(), self.readers);
        let read = tokio::task::spawn_blocking(move || Read::of(root, readers));
        let read = read.await.map_err(rl::not_reloaded)??;
        let rules = read.users.rules.clone();
        let notice = self.region.renew_authority(rules).await;
        let notice = notice.map_err(rl::not_reloaded)?;
        let certificates = read.renewal.apply();
        let rules = read.system.settings.authority.len();
        let mut told = vec![rl::reloaded(rules, certificates)];
        told.extend(notice);
        told.extend(counts.take_level(&read.system.settings.log, readers.log));
        told.extend(counts.known.take(&self.region, read.defined).await?);
        let new = Counts::of(&read.system, &[]);
        let waits = counts.waits(&new);
        if !waits.is_empty() {
            told.push(rl::needs_restart(waits.join(", ")));
        }
        counts.settings.authority = new.settings.authority;
        Ok(told)
    }
}

/// Everything, read before anything changes.
struct Read {
    system: SystemDirectory,
    users: UserConfig,
    renewal: Renewal,
    defined: Vec<Definition>,
}

impl Read {
    fn of(root: PathBuf, readers: Readers) -> Result<Self, Message> {
        let (system, found) = SystemDirectory::open(&root, readers.problems)?;
        no_errors(found)?;
        if let Some(why) = (readers.problem)(&system) {
            return Err(rl::not_reloaded(why));
        }
        let decks = decks::read(&system);
        no_errors(decks.findings)?;
        let renewal = Renewal::read().map_err(rl::not_reloaded)?;
        Ok(Self {
            users: (readers.config)(&system),
            renewal,
            defined: decks.defined,
            system,
        })
    }
}

fn no_errors(found: Vec<Finding>) -> Result<(), Message> {
    let wrong = found.into_iter().filter(|finding| finding.is_error);
    let wrong: Vec<String> = wrong.map(|finding| finding.text).collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(rl::not_reloaded(wrong.join("; "))),
    }
}

impl Counts {
    /// Of a directory as it was read, and what its decks define.
    pub fn of(system: &SystemDirectory, defined: &[Definition]) -> Self {
        let stamped = |path: &PathBuf| {
            let facts = fs::metadata(path);
            let stamp = facts.and_then(|facts| Ok((facts.modified()?, facts.len())));
            (system.shown(path), stamp.ok())
        };
        Self {
            root: system.root.clone(),
            settings: system.settings.clone(),
            server_xml: system.server_xml.iter().map(stamped).collect(),
            known: Known::of(defined),
        }
    }

    /// The log level; told where it is another one.
    fn take_level(&mut self, new: &LogSettings, take: fn(&LogSettings)) -> Option<Message> {
        let old = std::mem::replace(&mut self.settings.log.level, new.level);
        take(new);
        (old != new.level).then(|| rl::log_level(new.level))
    }

    /// What of the new ones a restart waits for.
    fn waits(&self, new: &Self) -> Vec<String> {
        let tables = self.settings.differences(&new.settings);
        let tables = tables.into_iter().filter(|name| !TAKEN.contains(name));
        let mut names: Vec<String> = tables.map(|name| format!("[{name}]")).collect();
        names.extend(others(&self.server_xml, &new.server_xml));
        names
    }
}

/// Names of files that are other ones, new or gone.
fn others(old: &[Stamped], new: &[Stamped]) -> Vec<String> {
    let missing = |from: &[Stamped], in_: &[Stamped]| -> Vec<String> {
        let missing = from.iter().filter(|one| !in_.contains(one));
        missing.map(|(name, _)| name.clone()).collect()
    };
    let mut names = missing(old, new);
    names.extend(missing(new, old));
    names.sort_unstable();
    names.dedup();
    names
}
