//! Log streams that the catalog names (LOGSTREAMID of LOG(ALL)).
//!
//! Why: a forward recovery log of the catalog has no number and no JOURNALMODEL; it is written as a
//! journal of a name that no program can write to. Not here: journals.

use super::{JOURNALS_MAX, Journal, Journals, STREAM};
use crate::replier::lock;
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
}
