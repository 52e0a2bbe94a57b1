//! Log streams that the catalog names (LOGSTREAMID of LOG(ALL)).
//!
//! Why: a forward recovery log of the catalog has no number and no JOURNALMODEL; it is written as a
//! journal of a name that no program can write to. Not here: journals.

use super::{JOURNALS_MAX, Journal, Journals, STREAM};
use crate::replier::lock;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use transom_journal::{Entry, FRAME_BYTES, Record, body_bytes, is_whole};
use transom_types::JournalName;
use transom_wire::definitions::JournalKind;

impl Journals {
    /// The journal of a log stream, under a name no program can write to; `None`: the region has no
    /// journals, or too many, or it is no name of a stream.
    pub(crate) fn of_stream(&self, stream: &str) -> Option<JournalName> {
        self.folder.as_ref()?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@#$.".contains(&byte);
        if stream.is_empty() || !stream.bytes().all(plain) || stream.starts_with('.') {
            return None;
        }
        let mut known = lock(&self.known);
        let same = |(name, journal): &(&JournalName, &Journal)| {
            name.as_str().starts_with(STREAM) && journal.file == stream
        };
        if let Some((name, _)) = known.iter().find(same) {
            return Some(*name);
        }
        if known.len() >= JOURNALS_MAX {
            self.refused.refused();
            return None;
        }
        let name = JournalName::from_field(format!("{STREAM}{:04}", known.len()).as_bytes());
        let journal = Journal {
            kind: JournalKind::Mvs,
            file: stream.to_owned(),
            enabled: true,
            written: false,
        };
        known.insert(name, journal);
        Some(name)
    }

    /// Name of the file of a journal without `.jnl`.
    pub(crate) fn file_of(&self, name: JournalName) -> String {
        self.named(name)
            .map_or_else(String::new, |journal| journal.file)
    }

    /// Whether a journal takes records: it is enabled, and no write to it has failed.
    pub(crate) fn can_go_on(&self, name: JournalName) -> bool {
        let Some(journal) = self.named(name) else {
            return false;
        };
        let open = lock(&self.open).get(&journal.file).cloned();
        journal.enabled && open.is_none_or(|stream| !stream.has_failed())
    }

    /// Files without `.jnl` in the folder of journals that are forward recovery logs, by their
    /// first record.
    pub(crate) fn forward_logs(&self) -> Vec<String> {
        let folder = self.folder.as_ref().and_then(|f| std::fs::read_dir(f).ok());
        let mut names = Vec::new();
        for entry in folder.into_iter().flatten().flatten() {
            let name = entry.file_name();
            if let Some(name) = name.to_str().and_then(|n| n.strip_suffix(".jnl"))
                && first_is_entry(&entry.path()).unwrap_or(false)
            {
                names.push(name.to_owned());
            }
        }
        names
    }
}

fn first_is_entry(path: &Path) -> io::Result<bool> {
    let mut from = File::open(path)?;
    let mut frame = [0; FRAME_BYTES];
    from.read_exact(&mut frame)?;
    let mut body = Vec::new();
    from.take(body_bytes(frame) as u64).read_to_end(&mut body)?;
    let record = Record::of(&body).filter(|_| is_whole(frame, &body));
    Ok(record.is_some_and(|record| Entry::of(&record).is_some()))
}
