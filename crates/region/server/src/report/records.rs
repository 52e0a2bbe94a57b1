//! Statistics records: what the domains counted since the region started.
//!
//! Not here: what counts since a reset, when records are written (`recording`).

use super::Statistics;
use transom_monitoring::statistics::{self as table, Counted, Layout, Value};
use transom_region_dispatcher::ClassCounts;
use transom_types::{FileName, TdQueueName, TransId};
use transom_wire::Space;
use transom_wire::definitions::{FileEntry, FileUse, TdQueueEntry, TransactionEntry, use_count};

impl Statistics {
    /// The records of a layout: of all resources there are, or of the one with this name, padded or
    /// not.
    pub(crate) fn counted(&self, layout: &'static Layout, of: Option<&[u8]>) -> Vec<Counted> {
        match layout.name {
            "DFHXMGDS" => vec![self.manager()],
            "DFHXMCDS" => self.classes(of),
            "DFHXMRDS" => self.each(Space::Transaction, of, |name| self.transaction(name)),
            "DFHLDRDS" => self.each(Space::Program, of, |name| Some(self.program(name))),
            "DFHA17DS" => self.each(Space::File, of, |name| self.file(name)),
            "DFHTQRDS" => self.each(Space::TransientData, of, |name| self.transient_data(name)),
            "DFHMNGDS" => vec![self.own()],
            _ => Vec::new(),
        }
    }

    fn each(
        &self,
        space: Space,
        of: Option<&[u8]>,
        counted: impl Fn(&[u8]) -> Option<Counted>,
    ) -> Vec<Counted> {
        let mut names = self.times.kernel.shared().group_names(space);
        names.retain(|name| of.is_none_or(|of| of.trim_ascii_end() == name.trim_ascii_end()));
        names.sort();
        names.iter().filter_map(|name| counted(name)).collect()
    }

    fn manager(&self) -> Counted {
        let counts = self.dispatcher.counts().0;
        let numbers = [
            counts.admitted,
            self.dispatcher.max_tasks().into(),
            counts.active as u64,
            counts.waiting as u64,
            counts.reached_max,
            counts.active_peak as u64,
            counts.waiting_peak as u64,
            counts.admitted,
            counts.waited,
            0,
        ];
        Counted::new(
            &table::TRANSACTION_MANAGER,
            numbers.map(Value::Number).to_vec(),
        )
    }

    fn classes(&self, of: Option<&[u8]>) -> Vec<Counted> {
        let mut classes = self.dispatcher.counts().1;
        classes.sort_by_key(|class| class.limit.name);
        let named = |name: &[u8]| of.is_none_or(|of| of.trim_ascii_end() == name.trim_ascii_end());
        classes.retain(|class| named(class.limit.name.as_bytes()));
        let counted = |class: &ClassCounts| {
            let numbers = [
                class.attached,
                class.purged,
                class.accepted_later,
                class.accepted,
                class.accepted_later,
                class.limit.max_active.into(),
                class.limit.purge_threshold.into(),
                class.peak.into(),
                class.queued_peak as u64,
                class.reached_max,
                class.reached_threshold,
                class.active.into(),
                class.queued as u64,
            ];
            let name = Value::Text(class.limit.name.as_bytes().to_vec());
            let numbers = numbers.map(Value::Number);
            let values = [name].into_iter().chain(numbers).collect();
            Counted::new(&table::TRANSACTION_CLASS, values)
        };
        classes.iter().map(counted).collect()
    }

    fn transaction(&self, name: &[u8]) -> Option<Counted> {
        let shared = self.times.kernel.shared();
        let entry = TransactionEntry::find(shared, TransId::from_field(name))?;
        let values = vec![
            Value::Text(name.to_vec()),
            Value::Text(entry.program.as_bytes().to_vec()),
            Value::Text(entry.class.as_bytes().to_vec()),
            Value::Number(entry.priority.into()),
            Value::Number(use_count(shared, Space::Transaction, name)),
        ];
        Some(Counted::new(&table::TRANSACTION, values))
    }

    fn program(&self, name: &[u8]) -> Counted {
        let used = use_count(self.times.kernel.shared(), Space::Program, name);
        let values = vec![Value::Text(name.to_vec()), Value::Number(used)];
        Counted::new(&table::PROGRAM, values)
    }

    fn file(&self, name: &[u8]) -> Option<Counted> {
        let shared = self.times.kernel.shared();
        let file = FileName::from_field(name);
        let entry = FileEntry::find(shared, file)?;
        let counts = FileEntry::counts(shared, file);
        let uses = [
            FileUse::Read,
            FileUse::ReadUpdate,
            FileUse::Browse,
            FileUse::Add,
            FileUse::Update,
            FileUse::Delete,
        ];
        let mut values = vec![
            Value::Text(name.to_vec()),
            Value::Text(entry.dsname.into_bytes()),
        ];
        let of = |used: FileUse| counts.get(used as usize).copied().unwrap_or(0);
        values.extend(uses.into_iter().map(|used| Value::Number(of(used))));
        Some(Counted::new(&table::FILE, values))
    }

    fn transient_data(&self, name: &[u8]) -> Option<Counted> {
        let queue = TdQueueName::from_field(name);
        let entry = TdQueueEntry::find(self.times.kernel.shared(), queue)?;
        let counts = self.transient.counts(queue);
        let level = entry.transid.map_or(0, |_| entry.trigger_level.into());
        let transid = entry.transid.map(|transid| transid.as_bytes().to_vec());
        let values = vec![
            Value::Text(name.to_vec()),
            Value::Number(counts.written),
            Value::Number(counts.read),
            Value::Number(counts.deleted),
            Value::Number(level),
            Value::Text(transid.unwrap_or_default()),
            Value::Number(counts.triggered),
            Value::Number(counts.records),
        ];
        Some(Counted::new(&table::TRANSIENT_DATA, values))
    }

    fn own(&self) -> Counted {
        let figures = self.times.monitoring.figures();
        let numbers = [figures.scheduled, figures.lost];
        Counted::new(&table::MONITORING, numbers.map(Value::Number).to_vec())
    }
}
