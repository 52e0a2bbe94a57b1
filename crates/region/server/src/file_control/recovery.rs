//! Where the recovery of a file comes from when it is opened: its definition, or the catalog.
//!
//! RLSACCESS(YES): LOG and LOGSTREAMID of the catalog, always. Other files: their definition; with
//! RLS=YES and NONRLSRECOV=VSAMCAT the catalog where it has a LOG, both ways. Why: one data set
//! has one recovery, whichever region opens it. Not here: what recovery means (`records`),
//! journals.

use super::Journals;
use super::automatic::fwdrecov_log;
use std::sync::Arc;
use transom_datasets::{Cluster, Log};
use transom_messages::{self as messages, Message};
use transom_types::JournalName;
use transom_wire::definitions::{FileEntry, Recovery};

/// Attribute of the catalog with the log stream of LOG(ALL).
const LOGSTREAMID: &str = "LOGSTREAMID";

/// What an open file recovers.
pub(super) struct InEffect {
    pub(super) recovery: Recovery,
    /// Forward recovery log.
    pub(super) forward: Option<JournalName>,
    /// What the operator should know.
    pub(super) warning: Option<Message>,
}

impl InEffect {
    /// That of a user-maintained data table: its changes are backed out when its definition says
    /// so, and nothing else is done for it.
    pub(super) fn of_table(entry: &FileEntry) -> Self {
        Self {
            recovery: entry.recovery,
            forward: None,
            warning: None,
        }
    }
}

/// The recovery of a file over a cluster. The error refuses to open it.
pub(super) fn in_effect(
    entry: &FileEntry,
    cluster: &Cluster,
    catalog_counts: bool,
    journals: &Arc<Journals>,
) -> Result<InEffect, Message> {
    let log = match cluster.log {
        Some(log) if entry.rls || catalog_counts => log,
        None if entry.rls => {
            return Err(messages::fc::log_not_set(entry.name, &cluster.name));
        }
        log => return Ok(of_definition(entry, cluster, log)),
    };
    let recovery = match log {
        Log::None => Recovery::None,
        Log::Undo => Recovery::BackoutOnly,
        Log::All => Recovery::All,
    };
    let forward = match log {
        Log::All => Some(stream(entry, cluster, journals)?),
        Log::None | Log::Undo => None,
    };
    // A definition that would have been backed out, over LOG(NONE).
    let lost = recovery == Recovery::None && entry.recovery != Recovery::None;
    let warning = lost.then(|| messages::fc::catalog_overrides(entry.name, &cluster.name));
    Ok(InEffect {
        recovery,
        forward,
        warning,
    })
}

fn of_definition(entry: &FileEntry, cluster: &Cluster, log: Option<Log>) -> InEffect {
    let lost = matches!(log, Some(Log::Undo | Log::All)) && entry.recovery == Recovery::None;
    InEffect {
        recovery: entry.recovery,
        forward: fwdrecov_log(entry),
        warning: lost.then(|| messages::fc::log_not_used(entry.name, &cluster.name)),
    }
}

/// The log stream of LOG(ALL).
fn stream(
    entry: &FileEntry,
    cluster: &Cluster,
    journals: &Arc<Journals>,
) -> Result<JournalName, Message> {
    let stream = cluster.extra.listed.get(LOGSTREAMID);
    let journal = stream.and_then(|stream| journals.of_stream(stream));
    journal.ok_or_else(|| messages::fc::log_stream_missing(entry.name, &cluster.name))
}
