//! Installed programs and transactions, as the region itself keeps them.
//!
//! What: installing, finding and autoinstalling. Definitions live in shared memory only: region and
//! workers read and change the same ones. Not here: deck syntax, the SET commands.

use super::config::{Absent, RegionConfig};
use super::replier::lock;
use super::starter::refused;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use transom_messages::{self as messages, Message, Operator};
use transom_region_api::{Fault, LinkFailure, ProgramStatus, TransactionStatus};
use transom_security::Rights;
use transom_types::{ProgramName, Resp, TransId};
use transom_wire::definitions::{Concurrency, ProgramEntry, TransactionEntry, use_count};
use transom_wire::routing::RELAY;
use transom_wire::{LateModules, SUPPLIED, Shared, Space};

/// Mirror transactions every region has, as in the supplied group DFHISC.
const MIRRORS: &[&str] = &["CSMI", "CPMI", "CVMI", "CEHP", "CEHS"];
/// First program of a mirror.
const MIRROR_PROGRAM: &[u8] = b"DFHMIRS";
/// Missing programs the operator is told of.
const TOLD_MAX: usize = 10_000;

pub(super) struct Resources {
    /// Who keeps of transactions what authority depends on.
    pub(super) rights: Arc<Rights>,
    module_dir: PathBuf,
    autoinstall: AtomicBool,
    /// Transactions of the region itself.
    supplied: HashSet<TransId>,
    /// Programs whose sources gave no module.
    absent: HashMap<ProgramName, Absent>,
    /// Programs whose modules are still made.
    late: Option<Arc<dyn LateModules>>,
    operator: Operator,
    /// Missing programs the operator has heard of.
    told: Mutex<HashSet<ProgramName>>,
}

impl Resources {
    /// Publishes the definitions of the configuration.
    pub(super) fn install(
        config: &RegionConfig,
        shared: &dyn Shared,
        rights: Arc<Rights>,
    ) -> Arc<Self> {
        let mirrors = MIRRORS.iter().map(|name| {
            TransactionEntry::new(
                TransId::from_field(name.as_bytes()),
                ProgramName::from_field(MIRROR_PROGRAM),
            )
        });
        // Shared storage cannot be full yet: its smallest size holds many thousand definitions.
        let mut stored = config.system.install(shared);
        let of_lists = config.program_lists.transaction();
        let internal = of_lists.transid;
        let own = mirrors.chain([of_lists]);
        for entry in own.chain(config.transactions.iter().cloned()) {
            stored &= install_transaction(&entry, shared, &rights);
        }
        for (transaction, program) in &config.supplied {
            stored &= program.install(shared);
            // That of a mirror may come from a deck.
            if !is_mirror(transaction.transid) {
                rights.installed(transaction);
                stored &= transaction.install(shared);
            }
        }
        for entry in &config.programs {
            stored &= entry.install(shared);
        }
        for entry in &config.resources {
            stored &= entry.install(shared);
        }
        if !stored {
            let message = messages::sm::shared_full_not_all("definition");
            config.operator.tell(message);
        }
        Arc::new(Self {
            rights,
            module_dir: config.module_dir.clone(),
            supplied: {
                let supplied = config.supplied.iter().map(|(t, _)| t.transid);
                let supplied = supplied.filter(|transid| !is_mirror(*transid));
                supplied.chain([internal]).collect()
            },
            autoinstall: AtomicBool::new(config.system.program_autoinstall),
            absent: config.absent.clone(),
            late: config.late.clone(),
            operator: config.operator.clone(),
            told: Mutex::default(),
        })
    }

    /// Why a program cannot run, for people. The operator hears it once for each program that is
    /// missing: a caller that tests RESP may say nothing of it.
    pub(super) fn why_not(&self, name: ProgramName, shared: &dyn Shared) -> Message {
        let entry = ProgramEntry::find(shared, name);
        if entry.as_ref().is_some_and(|entry| !entry.enabled) {
            return messages::pg::disabled(name);
        }
        let module = module_path(&self.module_dir, name).is_some();
        let failed = self.late.as_ref().and_then(|late| late.failed(name));
        let failed = failed.map(|file| Absent { file, needs: None });
        let why = match (self.absent.get(&name).or(failed.as_ref()), &entry) {
            (_, Some(_)) if module => messages::pg::newcopy_needed(name),
            (_, None) if module && !self.autoinstalls() => messages::pg::no_autoinstall(name),
            (Some(Absent { file, needs }), _) => match needs {
                Some(facility) => messages::pg::needs(name, file, facility),
                None => messages::pg::not_compiled(name, file),
            },
            (None, Some(_)) => messages::pg::no_source(name),
            (None, None) => messages::pg::not_defined(name),
        };
        let mut told = lock(&self.told);
        if told.len() < TOLD_MAX && told.insert(name) {
            self.operator.tell(why.clone());
        }
        why
    }

    /// The transaction belongs to the region itself.
    pub(super) fn is_supplied(&self, transid: TransId) -> bool {
        self.supplied.contains(&transid)
    }

    /// The definition of a program; defines it when autoinstall is active and a module exists.
    pub(super) fn program(&self, name: ProgramName, shared: &dyn Shared) -> Option<ProgramEntry> {
        let mut entry = ProgramEntry::find(shared, name);
        if entry.as_ref().is_some_and(|entry| entry.path.is_empty()) && self.arrived(name, shared) {
            entry = ProgramEntry::find(shared, name);
        }
        entry.or_else(|| self.autoinstall(name, shared).ok())
    }

    /// Whether a program has a module, with or without a definition.
    pub(super) fn module(&self, name: ProgramName, shared: &dyn Shared) -> bool {
        self.arrived(name, shared);
        module_path(&self.module_dir, name).is_some()
    }

    /// Who still makes the module of a program.
    pub(super) fn late(&self, name: ProgramName) -> Option<Arc<dyn LateModules>> {
        self.late.clone().filter(|late| late.is_pending(name))
    }

    /// Gives a definition its module, if that was still to be made when the region started and is
    /// there now. `true`: it was given.
    pub(super) fn arrived(&self, name: ProgramName, shared: &dyn Shared) -> bool {
        if !self.late.as_ref().is_some_and(|late| late.knows(name)) {
            return false;
        }
        let Some(path) = module_path(&self.module_dir, name) else {
            return false;
        };
        match ProgramEntry::find(shared, name) {
            Some(entry) if entry.path.is_empty() && entry.remote_system.is_blank() => {
                ProgramEntry { path, ..entry }.install(shared)
            }
            _ => false,
        }
    }

    /// The transaction and the program a task runs: those of a LINK from outside, or the
    /// transaction's own.
    pub(super) fn to_run(
        &self,
        shared: &dyn Shared,
        transid: TransId,
        program: Option<ProgramName>,
        at_terminal: bool,
    ) -> Result<(ProgramEntry, TransactionEntry), LinkFailure> {
        let transaction = TransactionEntry::named_so(shared, transid).ok_or_else(|| {
            let text = messages::xm::not_defined(transid).to_string();
            refused(
                Fault::Refused {
                    resp: Resp::TRANSIDERR,
                    resp2: 0,
                },
                text,
            )
        })?;
        if !transaction.enabled {
            let (resp, resp2) = (Resp::DISABLED, 0);
            let text = messages::xm::disabled(transid).into();
            return Err(refused(Fault::Refused { resp, resp2 }, text));
        }
        let is_routed = transaction.is_routed() && at_terminal && program.is_none();
        if transaction.is_remote() && !is_routed {
            let text = messages::xm::of_another_system(transid, transaction.remote_system);
            let (resp, resp2) = (Resp::SYSIDERR, 0);
            return Err(refused(Fault::Refused { resp, resp2 }, text.into()));
        }
        let from_outside = program.is_some();
        let name = match is_routed {
            true => ProgramName::from_field(RELAY),
            false => program.unwrap_or(transaction.program),
        };
        // Looked at before the definition: the module may arrive in between.
        let is_late = self.late(name).is_some();
        let program = self.program(name, shared);
        let pgmiderr = |resp2, text| {
            Err(refused(
                Fault::Refused {
                    resp: Resp::PGMIDERR,
                    resp2,
                },
                text,
            ))
        };
        match program {
            // What they do is for the transactions they belong to: authority is asked at their
            // attach, and their COMMAREA is their own.
            Some(p) if from_outside && p.path.starts_with(SUPPLIED) => {
                pgmiderr(1, messages::pg::of_the_region(name).to_string())
            }
            None => pgmiderr(1, self.why_not(name, shared).to_string()),
            Some(p) if !p.enabled => pgmiderr(2, messages::pg::disabled(name).to_string()),
            // The task waits for its module.
            Some(p) if p.path.is_empty() && is_late => Ok((p, transaction)),
            Some(p) if p.path.is_empty() => pgmiderr(3, self.why_not(name, shared).to_string()),
            Some(p) => Ok((p, transaction)),
        }
    }

    /// Defines a program from its module. The error is true when autoinstall is not active.
    pub(super) fn autoinstall(
        &self,
        name: ProgramName,
        shared: &dyn Shared,
    ) -> Result<ProgramEntry, bool> {
        if !self.autoinstalls() {
            return Err(true);
        }
        self.define_module(name, shared).ok_or(false)
    }

    /// Defines a program from its module, whether autoinstall is active or not.
    pub(super) fn define_module(
        &self,
        name: ProgramName,
        shared: &dyn Shared,
    ) -> Option<ProgramEntry> {
        let late = self.late(name);
        let path = match module_path(&self.module_dir, name) {
            Some(path) => path,
            None => late.map(|_| String::new())?,
        };
        let mut entry = ProgramEntry::new(name, &path);
        entry.autoinstalled = true;
        // Without room for the definition the program still runs; it is defined at its next use.
        let _stored = entry.install(shared);
        Some(entry)
    }

    fn autoinstalls(&self) -> bool {
        self.autoinstall.load(Ordering::Relaxed)
    }

    /// SET SYSTEM AUTOACTIVE and AUTOINACTIVE.
    pub(super) fn set_autoinstall(&self, active: bool) {
        self.autoinstall.store(active, Ordering::Relaxed);
    }

    /// The newest module of a program, for NEWCOPY.
    pub(super) fn newest_module(&self, name: ProgramName) -> Option<String> {
        module_path(&self.module_dir, name)
    }

    pub(super) fn program_status(
        &self,
        name: ProgramName,
        shared: &dyn Shared,
    ) -> Option<ProgramStatus> {
        let is_late = self.late(name).is_some();
        let entry = self.program(name, shared)?;
        Some(ProgramStatus {
            name,
            enabled: entry.enabled,
            threadsafe: entry.concurrency != Concurrency::Quasirent,
            use_count: use_count(shared, Space::Program, name.as_bytes()),
            loadable: !entry.path.is_empty() || is_late,
        })
    }

    pub(super) fn transaction_status(
        &self,
        name: TransId,
        shared: &dyn Shared,
    ) -> Option<TransactionStatus> {
        let entry = TransactionEntry::find(shared, name)?;
        Some(TransactionStatus {
            name,
            program: entry.program,
            enabled: entry.enabled,
            priority: entry.priority,
            class: Some(entry.class).filter(|c| !c.is_blank()),
            use_count: use_count(shared, Space::Transaction, name.as_bytes()),
        })
    }
}

/// Installs or replaces a transaction with its other names; the operator hears of names that change
/// hands. `false`: shared storage is full.
pub(super) fn install_transaction(
    entry: &TransactionEntry,
    shared: &dyn Shared,
    rights: &Rights,
) -> bool {
    rights.installed(entry);
    let Some(taken) = entry.install_with_names(shared) else {
        return false;
    };
    for (name, before) in taken {
        rights.tell(messages::xm::alias_moved(name, before, entry.transid));
    }
    for name in entry.other_names() {
        if TransactionEntry::find(shared, name).is_some() {
            rights.tell(messages::xm::alias_is_transaction(name, entry.transid));
        }
    }
    true
}

/// `DIR/NAME.so` with links followed, so that a new version has a new path. Names that could leave
/// the folder have no module.
fn module_path(folder: &Path, name: ProgramName) -> Option<String> {
    let name = name.as_str();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '@' | '#' | '$' | '-' | '_');
    if name.is_empty() || !name.chars().all(plain) {
        return None;
    }
    let path = folder.join(format!("{name}.so")).canonicalize().ok()?;
    Some(path.to_str()?.to_owned())
}

fn is_mirror(transid: TransId) -> bool {
    MIRRORS.contains(&transid.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stay_in_their_folder() {
        let folder = std::env::temp_dir().join(format!("transom-modules-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("PAY.so"), b"").unwrap();
        let find = |name: &[u8]| module_path(&folder, ProgramName::from_field(name));
        assert!(find(b"PAY").is_some_and(|p| p.ends_with("PAY.so")));
        assert_eq!(find(b"NONE"), None);
        assert_eq!(find(b"../PAY"), None);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
