//! What a start does with what earlier runs installed and discarded.
//!
//! Why: CICS restores installed definitions from its catalog at a warm or emergency start; here
//! every start reads the decks first, and the catalog counts over them. Not here: the table
//! (`catalog`), what installing checks (`install`).

use super::DefinitionFile;
use super::install::Way;
use super::lock;
use crate::config::StartMode;
use std::sync::Mutex;
use transom_csd::{Csd, ResourceKind};
use transom_messages as messages;
use transom_monitoring::statistics as table;
use transom_recovery::StoreError;
use transom_region_monitoring::Gone;
use transom_types::{FileName, Resp, TransClass};
use transom_wire::Shared;
use transom_wire::definitions::{Enablement, FileEntry};
use transom_wire::definitions::{KEPT_GROUP, Kept, Names, installed_names, take_off};
use transom_wire::requests::RegionAnswer;

/// RESP2 of DISCARD FILE: it is open or enabled.
const FILE_IN_USE: u32 = 2;
/// Definitions a start names of those it has taken up.
const SHOWN_MAX: usize = 10;

impl DefinitionFile {
    /// What earlier runs created, installed or discarded: installed again, in place of what decks
    /// say, or taken off again; forgotten by a cold or initial start.
    pub(crate) fn take_up(&self, start: StartMode) {
        // Nothing runs yet: what is installed now comes from decks.
        let of_decks = self.of_decks.get_or_init(|| Mutex::new(self.installed()));
        let kept = match start {
            StartMode::Auto => self.catalog.all(),
            StartMode::Cold | StartMode::Initial { .. } => {
                self.catalog.empty().map(|()| Vec::new())
            }
        };
        let kept = kept.unwrap_or_else(|error| {
            self.kernel.tell(messages::am::catalog_not_readable(&error));
            Vec::new()
        });
        let (mut taken, mut gone) = (Vec::new(), Vec::new());
        for one in kept {
            match one {
                Kept::Installed(statement) => self.install_again(&statement, &mut taken),
                Kept::Discarded { kind, name } => {
                    // The decks may have it no longer.
                    if !lock(of_decks).contains(&(&*kind, name.clone())) {
                        self.cataloged(&kind, &name, self.catalog.forget(&kind, &name));
                    } else if let Some(kind) = ResourceKind::by_keyword(&kind) {
                        self.take_off(kind, &name);
                        gone.push(format!("{}({name})", kind.keyword()));
                    }
                }
            }
        }
        if !taken.is_empty() {
            self.kernel.tell(messages::am::taken_up(shown(taken)));
        }
        if !gone.is_empty() {
            self.kernel.tell(messages::am::not_taken_up(shown(gone)));
        }
    }

    /// DISCARD: a definition goes, and the next start does not bring it back.
    pub(super) fn discard(&self, kind: &str, name: &str) -> RegionAnswer {
        let shared = self.kernel.shared();
        match ResourceKind::by_keyword(kind) {
            // The dispatcher took it off.
            None | Some(ResourceKind::TranClass) => {}
            Some(ResourceKind::File) if is_in_use(shared, name) => {
                return RegionAnswer::refused(Resp::INVREQ, FILE_IN_USE, "");
            }
            Some(kind) => {
                if let Some(layout) = counted_in(kind) {
                    let gone = Gone::Discarded(layout, name.as_bytes());
                    self.kernel.gone(&gone);
                }
                take_off(shared, kind, name);
            }
        }
        let of_decks = self.of_decks.get();
        match of_decks.is_some_and(|names| lock(names).contains(&(kind, name.to_owned()))) {
            true => self.cataloged(kind, name, self.catalog.keep_discarded(kind, name)),
            false => self.cataloged(kind, name, self.catalog.forget(kind, name)),
        }
        RegionAnswer::normal()
    }

    fn cataloged(&self, kind: &str, name: &str, done: Result<(), StoreError>) {
        if let Err(error) = done {
            let what = format!("{kind}({name})");
            self.kernel.tell(messages::am::not_cataloged(&what, &error));
        }
    }

    fn install_again(&self, statement: &str, taken: &mut Vec<String>) {
        let mut csd = Csd::new();
        for problem in csd.parse_deck("CREATE", statement) {
            self.kernel.tell(problem.message);
        }
        for definition in csd.group(KEPT_GROUP).unwrap_or_default() {
            let what = format!("{}({})", definition.kind.keyword(), definition.name);
            match self.install_created(definition, Way::Start) {
                Ok(()) => taken.push(what),
                Err(why) => self.kernel.tell(messages::am::not_created(&what, &why)),
            }
        }
    }

    fn take_off(&self, kind: ResourceKind, name: &str) {
        match kind {
            ResourceKind::TranClass => {
                let class = TransClass::from_field(name.as_bytes());
                self.dispatcher.discard_class(class);
            }
            ResourceKind::File => self.files.close(FileName::from_field(name.as_bytes())),
            _ => {}
        }
        take_off(self.kernel.shared(), kind, name);
    }

    fn installed(&self) -> Names {
        let mut names = installed_names(self.kernel.shared());
        let classes = self.dispatcher.counts().1.into_iter();
        let kind = ResourceKind::TranClass.keyword();
        names.extend(classes.map(|class| (kind, class.limit.name.as_str().to_owned())));
        names
    }
}

/// The record of what such a resource counted.
fn counted_in(kind: ResourceKind) -> Option<&'static table::Layout> {
    match kind {
        ResourceKind::File => Some(&table::FILE),
        ResourceKind::Program => Some(&table::PROGRAM),
        ResourceKind::Transaction => Some(&table::TRANSACTION),
        ResourceKind::TdQueue => Some(&table::TRANSIENT_DATA),
        _ => None,
    }
}

/// The file is open or enabled. A command looked before it asked.
fn is_in_use(shared: &dyn Shared, name: &str) -> bool {
    let file = FileEntry::find(shared, FileName::from_field(name.as_bytes()));
    file.is_some_and(|file| file.shape.is_some() || file.status == Enablement::Enabled)
}

fn shown(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(SHOWN_MAX);
    names.truncate(SHOWN_MAX);
    let names = names.join(", ");
    match more {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}
