//! File control: what needs a lock, a unit of work or the only writer.
//!
//! What: the files that are open with their data sets, and the requests of workers. `open`: opening
//! and closing; `records`: reading and changing; `users`: who uses a file, `ending`: closing it
//! when nobody does; `journal`: user journals, `automatic` those of files, `forward` their forward
//! recovery logs; `data_table`, `loading`: data tables. Not here: data sets (`transom_datasets`),
//! commands.

mod automatic;
mod condition;
mod data_table;
mod ending;
mod ends;
mod forward;
mod journal;
mod loading;
mod open;
mod records;
mod recovery;
mod report;
mod users;

pub(crate) use journal::Journals;

use super::config::DataConfig;
use super::kernel::Kernel;
use super::replier::{Replier, lock};
use super::starter::Starter;
use super::syncpoint::UnitsOfWork;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use transom_datasets::{Dataset, Datasets, KeyException, KeyRules};
use transom_messages::{self as messages, Message};
use transom_recovery::UowStore;
use transom_recovery::guard::{read, write};
use transom_types::{FileName, Resp};
use transom_wire::definitions::FileEntry;
use transom_wire::file_control::{Action, FileRequest};
use transom_wire::requests::RegionAnswer;

/// The service.
pub(crate) struct Files {
    kernel: Arc<Kernel>,
    uows: Arc<UnitsOfWork>,
    starter: Arc<dyn Starter>,
    journals: Arc<Journals>,
    /// `[data] define_missing`.
    define_missing: bool,
    /// `None` after the region has stopped.
    datasets: RwLock<Option<Arc<Datasets>>>,
    open: Mutex<HashMap<FileName, OpenFile>>,
    users: users::Users,
    ends: ends::Ends,
    /// LOG of the catalog counts for files without RLSACCESS(YES) too.
    recovery_of_catalog: bool,
    /// FTIMEOUT.
    ftimeout: Duration,
}

/// A file that is open.
#[derive(Clone)]
struct OpenFile {
    dataset: Dataset,
    recoverable: bool,
    /// RLSACCESS(YES).
    rls: bool,
    journaling: Option<Arc<automatic::Journaling>>,
    /// It is a user-maintained data table.
    table: Option<Arc<data_table::UserTable>>,
}

impl OpenFile {
    fn records(self) -> data_table::Records {
        data_table::Records {
            dataset: self.dataset,
            table: self.table,
        }
    }
}

/// Reads the catalog of a store.
pub(crate) fn catalog(
    store: Arc<dyn UowStore>,
    exceptions: Vec<KeyException>,
) -> Result<Arc<Datasets>, Message> {
    let datasets = transom_recovery::wait(Datasets::open(store))
        .map_err(|e| messages::fc::catalog_not_readable(&e))?;
    let rules = KeyRules {
        collating: datasets.rules().collating,
        exceptions,
    };
    Ok(Arc::new(datasets.with_rules(rules)))
}

impl Files {
    pub(crate) fn new(
        kernel: Arc<Kernel>,
        uows: Arc<UnitsOfWork>,
        starter: Arc<dyn Starter>,
        journals: Arc<Journals>,
        datasets: Arc<Datasets>,
        config: &DataConfig,
    ) -> Self {
        Self {
            kernel,
            uows,
            starter,
            journals,
            define_missing: config.define_missing,
            ftimeout: config.ftimeout,
            datasets: RwLock::new(Some(datasets)),
            open: Mutex::default(),
            users: users::Users::default(),
            ends: ends::Ends::default(),
            recovery_of_catalog: config.recovery_of_catalog,
        }
    }

    /// Installs the files and opens those with OPENTIME(STARTUP); answers what to tell the
    /// operator.
    pub(crate) fn install(&self, files: &[FileEntry]) -> Vec<String> {
        let mut said = Vec::new();
        for file in files {
            if !file.install(self.kernel.shared()) {
                said.push(messages::sm::shared_full_not_all("file").to_string());
                break;
            }
            if file.open_at_startup && file.remote_system.is_blank() {
                let opened = self.open_now(file.name);
                said.extend(opened.err().map(|refused| refused.text));
            }
        }
        said
    }

    /// Lets go of the store.
    pub(crate) fn close_all(&self) {
        lock(&self.open).clear();
        *write(&self.datasets) = None;
    }

    /// The catalog of data sets, for utilities; `None` after the region has stopped.
    pub(crate) fn datasets(&self) -> Option<Arc<Datasets>> {
        read(&self.datasets).clone()
    }

    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(FileRequest { file, action }) = FileRequest::decode(request) else {
            let text = messages::ei::request_damaged();
            return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
        };
        let task = replier.task_number();
        let service = self.clone();
        match action {
            Action::Open => replier.answer_with(async move {
                let opened = service.open(file).await;
                opened.map_or_else(|refused| refused, |()| RegionAnswer::normal())
            }),
            Action::Close(busy) => self.end(replier, file, true, busy),
            Action::Disable(busy) => self.end(replier, file, false, busy),
            Action::Left => {
                self.settle(file);
                replier.answer(&RegionAnswer::normal());
            }
            Action::Empty => replier.answer_with(async move { service.empty(file).await }),
            action => match self.of(file) {
                Some(open) => replier.answer_with(service.run(task, file, open, action)),
                None => replier.answer(&condition::not_open(file)),
            },
        }
    }

    fn of(&self, name: FileName) -> Option<OpenFile> {
        lock(&self.open).get(&name).cloned()
    }
}
