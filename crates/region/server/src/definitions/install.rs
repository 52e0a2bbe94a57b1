//! Installing definitions in a running region, and telling what would not install.
//!
//! A file that is open and a queue that is enabled are in use: they are not replaced, unless
//! nothing runs yet. Programs and transactions are; tasks that run keep what they began with. What
//! CEDA installs is kept (`catalog`).

use super::DefinitionFile;
use crate::resources::install_transaction;
use std::fmt;
use transom_csd::{Csd, Definition, Installs, ResourceKind};
use transom_messages::{self as messages, Message};
use transom_types::ProgramName;
use transom_wire::definitions::request::Wanted;
use transom_wire::definitions::{Entry, FileEntry, ProgramEntry, TdQueueEntry};
use transom_wire::{SUPPLIED, Shared};

/// Why it is looked whether a definition installs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Only to tell.
    Check,
    /// To install it while tasks run.
    Now,
    /// To install it at a start.
    Start,
}

/// Why a definition is not installed.
pub(super) enum NotInstalled {
    /// The kind or the moment does not allow it.
    Message(Message),
    /// The file was installed and not opened; what the operator is told.
    File(String),
}

/// What came of one definition.
pub(super) struct Told {
    pub(super) text: String,
    /// It is in force, or would be.
    pub(super) installed: bool,
}

impl Told {
    fn new(text: String, installed: bool) -> Self {
        Self { text, installed }
    }
}

impl From<Message> for NotInstalled {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl fmt::Display for NotInstalled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => message.fmt(f),
            Self::File(text) => f.write_str(text),
        }
    }
}

impl DefinitionFile {
    /// The same as lines.
    pub(super) fn install_texts(&self, csd: &Csd, wanted: &Wanted, really: bool) -> Vec<String> {
        let lines = self.install_all(csd, wanted, really).into_iter();
        lines.map(|line| line.text).collect()
    }

    /// Installs definitions, or only tells what would not install.
    pub(super) fn install_all(&self, csd: &Csd, wanted: &Wanted, really: bool) -> Vec<Told> {
        let mut lines = Vec::new();
        let mut kept = Vec::new();
        let way = if really { Way::Now } else { Way::Check };
        let mut all = wanted.selected(csd);
        // DB2ENTRY and DB2TRAN need it.
        all.sort_by_key(|definition| definition.kind != ResourceKind::Db2Conn);
        for definition in all {
            let what = format!("{}({})", definition.kind.keyword(), definition.name);
            let done = self.one(definition, way);
            let installed = matches!(done, Ok(true) | Err(NotInstalled::File(_)));
            if really && installed && definition.kind.installs() == Installs::Now {
                kept.push(definition);
            }
            let text = match done {
                Ok(true) if really => format!("{what} {}", messages::am::installed()),
                Ok(true) => format!("{what} {}", messages::am::installable()),
                Ok(false) => format!("{what} {}", messages::am::at_next_start()),
                Err(text) => format!("{what} {text}"),
            };
            lines.push(Told::new(text, installed));
            if let Some(text) = self.missing(csd, definition).filter(|_| !really) {
                lines.push(Told::new(format!("{what} {text}"), true));
            }
        }
        if let Err(error) = self.catalog.keep(&kept) {
            let told = messages::am::not_cataloged("CEDA INSTALL", &error);
            lines.push(Told::new(told.to_string(), true));
            self.kernel.tell(told);
        }
        lines
    }

    /// A definition names another one that is nowhere.
    fn missing(&self, csd: &Csd, definition: &Definition) -> Option<String> {
        let named = match definition.kind {
            ResourceKind::Transaction => definition.get("PROGRAM")?,
            _ => return None,
        };
        let groups = csd.groups().filter_map(|group| csd.group(group));
        let known = groups
            .flatten()
            .any(|d| d.kind == ResourceKind::Program && d.name == named);
        let program = ProgramName::from_field(named.as_bytes());
        let installed = ProgramEntry::find(self.kernel.shared(), program).is_some();
        let module = self.resources.newest_module(program).is_some();
        (!known && !installed && !module)
            .then(|| messages::am::program_not_defined(named).to_string())
    }

    /// `false`: the next start installs it.
    pub(super) fn one(&self, definition: &Definition, way: Way) -> Result<bool, NotInstalled> {
        let wrong = |text: &str| messages::am::not_installable(text);
        let kind = definition.kind;
        match kind.installs() {
            Installs::Now => {}
            Installs::Accepted => return Ok(true),
            Installs::AtStart => return Ok(false),
            Installs::Refused => {
                let text = format!("this region has nothing of the kind {}", kind.keyword());
                return Err(wrong(&text).into());
            }
        }
        let definition = definition.clone().at(self.kernel.system.sysid.as_str());
        let Some(entry) = Entry::of(&definition).map_err(messages::am::not_installable)? else {
            if kind == ResourceKind::Transaction {
                return Err(
                    wrong("PROGRAM is missing, and it is a transaction of this system").into(),
                );
            }
            return Ok(kind == ResourceKind::TsModel);
        };
        let shared = self.kernel.shared();
        match &entry {
            Entry::File(entry) => return self.file(entry, way),
            Entry::Transaction(entry) if self.resources.is_supplied(entry.transid) => {
                return Err(wrong("a transaction of the region itself").into());
            }
            Entry::Program(entry) if is_of_region(shared, entry.program) => {
                return Err(wrong("a program of the region itself").into());
            }
            Entry::TdQueue(queue)
                if way != Way::Start
                    && TdQueueEntry::find(shared, queue.name).is_some_and(|old| old.enabled) =>
            {
                return Err(messages::am::in_use_disable().into());
            }
            _ => {}
        }
        transom_region_sql::installable(&entry, shared, way == Way::Start)?;
        match way == Way::Check || self.put(entry) {
            true => Ok(true),
            false => Err(messages::sm::shared_full().into()),
        }
    }

    fn file(&self, file: &FileEntry, way: Way) -> Result<bool, NotInstalled> {
        let shared = self.kernel.shared();
        let old = FileEntry::find(shared, file.name);
        if old.is_some_and(|old| old.shape.is_some()) {
            match way {
                // Opened by the definition of the deck that this one replaces.
                Way::Start => self.files.close(file.name),
                Way::Check | Way::Now => return Err(messages::am::in_use_close().into()),
            }
        }
        if way != Way::Check {
            file.warning()
                .into_iter()
                .for_each(|text| self.kernel.tell(text));
            let said = self.files.install(std::slice::from_ref(file));
            let told = said.into_iter().next();
            return told.map_or(Ok(true), |text| Err(NotInstalled::File(text)));
        }
        Ok(true)
    }

    fn put(&self, entry: Entry) -> bool {
        let shared = self.kernel.shared();
        match entry {
            Entry::Program(mut entry) => {
                let module = self.resources.newest_module(entry.program);
                entry.path = module.unwrap_or_default();
                entry.install(shared)
            }
            Entry::TranClass(limit) => {
                self.dispatcher.install_class(limit);
                true
            }
            Entry::TsModel(model) => model.install(shared),
            Entry::Db2Conn(connection) => connection.install_whole(shared),
            Entry::Db2Entry(entry) => entry.install_whole(shared),
            Entry::Transaction(entry) => {
                install_transaction(&entry, shared, &self.resources.rights)
            }
            other => other.install(shared),
        }
    }
}

/// A program of the region itself has no module.
fn is_of_region(shared: &dyn Shared, program: ProgramName) -> bool {
    ProgramEntry::find(shared, program).is_some_and(|old| old.path.starts_with(SUPPLIED))
}
