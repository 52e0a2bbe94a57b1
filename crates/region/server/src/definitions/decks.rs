//! Definitions of decks -> what a region installs, at its start or while it runs.
//!
//! Not here: deck syntax (`transom_csd`), the fields of a record (the table of resource kinds), and
//! what a running region checks before it installs something (`install`).

use transom_csd::{Definition, ResourceKind};
use transom_messages::si;
use transom_types::TransId;
use transom_wire::definitions::{
    ClassLimit, FileEntry, JournalModel, ProfileEntry, ProgramEntry, TdQueueEntry,
    TerminalDefinition, TransactionEntry, TsModelEntry,
};

/// What decks define, as a region starts with it.
#[derive(Debug, Default)]
pub struct Definitions {
    /// PROGRAM.
    pub programs: Vec<ProgramEntry>,
    /// TRANSACTION.
    pub transactions: Vec<TransactionEntry>,
    /// TRANCLASS.
    pub classes: Vec<ClassLimit>,
    /// FILE.
    pub files: Vec<FileEntry>,
    /// TDQUEUE.
    pub td_queues: Vec<TdQueueEntry>,
    /// TSMODEL.
    pub ts_models: Vec<TsModelEntry>,
    /// JOURNALMODEL.
    pub journal_models: Vec<JournalModel>,
    /// TERMINAL with its TYPETERM.
    pub terminals: Vec<TerminalDefinition>,
    /// PROFILE.
    pub profiles: Vec<ProfileEntry>,
    /// TASKREQ: attention identifiers that start a transaction.
    pub keys: Vec<(u8, TransId)>,
}

/// What is to be said about a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// It cannot be installed.
    pub is_error: bool,
    /// Deck, line, message.
    pub text: String,
}

/// One definition as the region takes it.
pub(super) enum Entry {
    Program(ProgramEntry),
    Transaction(TransactionEntry),
    Class(ClassLimit),
    File(FileEntry),
    TdQueue(TdQueueEntry),
    TsModel(TsModelEntry),
    JournalModel(JournalModel),
    Terminal(TerminalDefinition),
    Profile(ProfileEntry),
}

/// `None`: it defines nothing here (a resource of another region, a model without prefix), or doors
/// and later domains use it. The error names the attribute that does not fit.
pub(super) fn entry(d: &Definition, all: &[Definition]) -> Result<Option<Entry>, String> {
    Ok(match d.kind {
        ResourceKind::Program => Some(Entry::Program(ProgramEntry::of_attributes(d))),
        ResourceKind::Transaction => TransactionEntry::from_definition(d).map(Entry::Transaction),
        ResourceKind::TranClass => Some(Entry::Class(ClassLimit::of_attributes(d))),
        ResourceKind::File => Some(Entry::File(FileEntry::from_definition(d)?)),
        ResourceKind::TdQueue => Some(Entry::TdQueue(TdQueueEntry::from_definition(d))),
        ResourceKind::TsModel => TsModelEntry::from_definition(d).map(Entry::TsModel),
        ResourceKind::JournalModel => Some(Entry::JournalModel(JournalModel::from_definition(d))),
        ResourceKind::Terminal => TerminalDefinition::from_definition(d, all).map(Entry::Terminal),
        ResourceKind::Profile => Some(Entry::Profile(ProfileEntry::of_attributes(d))),
        _ => None,
    })
}

impl Definitions {
    /// Takes definitions in the order of their decks, and says what cannot be done with them.
    pub fn of(all: &[Definition]) -> (Self, Vec<Remark>) {
        let mut taken = Self::default();
        let mut remarks = Vec::new();
        for definition in all {
            let place = format!("{}:{}", definition.deck, definition.line);
            match entry(definition, all) {
                Ok(Some(entry)) => taken.add(entry),
                Ok(None) => {}
                Err(text) => remarks.push(Remark {
                    is_error: true,
                    text: format!(
                        "{place}: {}",
                        si::definition_not_usable(&definition.name, text)
                    ),
                }),
            }
            if definition.kind != ResourceKind::Transaction {
                continue;
            }
            match TransactionEntry::key(definition) {
                Some(Ok(key)) => {
                    let transid = TransId::from_field(definition.name.as_bytes());
                    taken.keys.push((key, transid));
                }
                Some(Err(name)) => remarks.push(Remark {
                    is_error: false,
                    text: format!("{place}: {}", si::taskreq_not_a_key(name)),
                }),
                None => {}
            }
        }
        (taken, remarks)
    }

    fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Program(entry) => self.programs.push(entry),
            Entry::Transaction(entry) => self.transactions.push(entry),
            Entry::Class(entry) => self.classes.push(entry),
            Entry::File(entry) => self.files.push(entry),
            Entry::TdQueue(entry) => self.td_queues.push(entry),
            Entry::TsModel(entry) => self.ts_models.push(entry),
            Entry::JournalModel(entry) => self.journal_models.push(entry),
            Entry::Terminal(entry) => self.terminals.push(entry),
            Entry::Profile(entry) => self.profiles.push(entry),
        }
    }
}
