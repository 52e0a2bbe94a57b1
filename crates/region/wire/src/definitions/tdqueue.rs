//! An installed transient data queue.

use super::not_usable::NotUsable;
use super::{TdKind, TdQueueEntry};
use crate::shared::Shared;
use transom_csd::Definition;
use transom_types::{TdQueueName, TermId};

/// Names an indirect name may lead through.
const INDIRECT_MAX: usize = 32;
/// DDNAMEs of a TYPE(EXTRA) queue that make it an internal reader, besides SYSOUTCLASS.
const READER_DDNAMES: [&str; 2] = ["INTRDR", "INREADER"];

impl TdQueueEntry {
    /// An intrapartition queue with CICS's defaults.
    pub fn new(name: TdQueueName) -> Self {
        Self::with_defaults(name)
    }

    /// The queue a TDQUEUE definition describes.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let text = |keyword| definition.get(keyword).unwrap_or_default().trim();
        let mut queue = Self::of_attributes(definition);
        if text("ATIFACILITY") == "TERMINAL" && queue.transid.is_some() {
            let facility = match text("FACILITYID") {
                "" => TermId::from_field(queue.name.as_bytes()),
                name => TermId::from_field(name.as_bytes()),
            };
            queue.terminal = Some(facility);
        }
        queue.kind = match text("TYPE") {
            "REMOTE" => TdKind::Remote,
            _ if queue.remote_system != [b' '; 4] => TdKind::Remote,
            "INDIRECT" => TdKind::Indirect,
            "EXTRA" => extrapartition(&queue, text("TYPEFILE")),
            _ => TdKind::Intra,
        };
        Ok(Some(queue))
    }

    /// Another name of a queue.
    pub fn indirect(name: TdQueueName, target: TdQueueName) -> Self {
        Self {
            kind: TdKind::Indirect,
            target,
            ..Self::new(name)
        }
    }

    /// The queue a name leads to, through other names or none. `None`: there is none.
    pub fn led_to(shared: &dyn Shared, mut name: TdQueueName) -> Option<Self> {
        for _ in 0..INDIRECT_MAX {
            let entry = Self::find(shared, name)?;
            match entry.kind {
                TdKind::Indirect => name = entry.target,
                _ => return Some(entry),
            }
        }
        None
    }

    /// The name as text.
    pub fn text(&self) -> String {
        self.name.to_string()
    }
}

fn extrapartition(queue: &TdQueueEntry, typefile: &str) -> TdKind {
    if READER_DDNAMES.contains(&queue.ddname.as_str()) {
        return TdKind::Reader;
    }
    match typefile {
        "INPUT" | "RDBACK" => TdKind::Input,
        _ => TdKind::Output,
    }
}

#[cfg(test)]
mod tests {
    use super::super::TdRecovery;
    use super::*;

    fn queue(deck: &str) -> TdQueueEntry {
        let mut csd = transom_csd::Csd::new();
        let problems = csd.parse_deck("TEST", deck);
        assert!(problems.is_empty(), "{problems:?}");
        let found = csd.install_all();
        TdQueueEntry::from_definition(&found[0]).unwrap().unwrap()
    }

    #[test]
    fn the_job_queue_of_an_application_is_an_internal_reader() {
        let queue = queue(
            "DEFINE TDQUEUE(JOBS) GROUP(CARDDEMO) TYPE(EXTRA) DATABUFFERS(1)\n\
             DDNAME(INREADER)\n\
             ERROROPTION(IGNORE) OPENTIME(INITIAL) TYPEFILE(OUTPUT) RECORDSIZE(80)\n\
             RECORDFORMAT(FIXED) BLOCKFORMAT(UNBLOCKED) DISPOSITION(MOD)\n",
        );
        assert_eq!(queue.kind, TdKind::Reader);
        assert_eq!((queue.record_bytes, queue.fixed), (80, true));
    }

    #[test]
    fn a_queue_that_starts_a_task() {
        let queue = queue(
            "DEFINE TDQUEUE(TRGQ) GROUP(A) TYPE(INTRA) ATIFACILITY(FILE)\n\
             TRANSID(TRG1)\n\
             TRIGGERLEVEL(3) RECOVSTATUS(LOGICAL)\n",
        );
        assert_eq!((queue.trigger_level, queue.terminal), (3, None));
        assert_eq!(queue.recovery, TdRecovery::Logical);
    }
}
