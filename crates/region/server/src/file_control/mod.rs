//! File control: what needs a lock, a unit of work or the only writer.
//!
//! What: the files that are open with their data sets, and the requests of workers. `open`: opening
//! and closing; `records`: reading and changing; `users`: who uses a file; `journal`: user
//! journals, `automatic` those of files. Not here: data sets (`transom_datasets`), commands.

mod automatic;
mod condition;
mod journal;
mod open;
mod records;
mod report;
mod users;

pub(super) use journal::{JOURNALS_MAX, answer as answer_journal};
pub(super) use report::statistics;
use transom_messages as messages;
pub(super) use users::task_ended;

use super::replier::{Replier, lock};
use super::{DataConfig, Inner};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, RwLock};
use transom_datasets::{Dataset, Datasets};
use transom_recovery::UowStore;
use transom_recovery::guard::{read, write};
use transom_types::{ProgramName, Resp};
use transom_wire::Shared;
use transom_wire::definitions::FileEntry;
use transom_wire::file_control::{Action, FileRequest};
use transom_wire::requests::RegionAnswer;

/// State of the service.
#[derive(Default)]
pub(crate) struct Files {
    datasets: RwLock<Option<Arc<Datasets>>>,
    open: Mutex<HashMap<ProgramName, OpenFile>>,
    journals: journal::Journals,
    users: users::Users,
}

/// A file that is open.
#[derive(Clone)]
struct OpenFile {
    dataset: Dataset,
    recoverable: bool,
    journaling: Option<Arc<automatic::Journaling>>,
}

impl Files {
    /// Figures of the journals.
    pub(super) fn journals(&self) -> [u64; 5] {
        self.journals.figures()
    }

    /// Reads the catalog of the store. The error is a message.
    pub(super) fn start(
        &self,
        store: Arc<dyn UowStore>,
        config: &DataConfig,
    ) -> Result<(), String> {
        let datasets = transom_recovery::wait(Datasets::open(store))
            .map_err(|e| messages::fc::catalog_not_readable(&e).to_string())?;
        *write(&self.datasets) = Some(Arc::new(datasets));
        let models = config.journal_models.clone();
        self.journals.start(config.journal_dir.clone(), models);
        Ok(())
    }

    /// Installs the files and opens those with OPENTIME(STARTUP); answers what to tell the
    /// operator.
    pub(super) fn install(&self, files: &[FileEntry], shared: &dyn Shared) -> Vec<String> {
        let mut said = Vec::new();
        for file in files {
            if !file.install(shared) {
                said.push(messages::sm::shared_full_not_all("file").to_string());
                break;
            }
            if file.open_at_startup && file.remote_system.is_blank() {
                let opened = self.open_now(shared, file.name);
                said.extend(opened.err().map(|refused| refused.text));
            }
        }
        said
    }

    /// Lets go of the store.
    pub(super) fn close_all(&self) {
        lock(&self.open).clear();
        *write(&self.datasets) = None;
    }

    /// The catalog of data sets, for utilities; `None` before the region has started.
    pub(crate) fn datasets(&self) -> Option<Arc<Datasets>> {
        read(&self.datasets).clone()
    }

    fn of(&self, name: ProgramName) -> Option<OpenFile> {
        lock(&self.open).get(&name).cloned()
    }
}

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let Some(FileRequest { file, action }) = FileRequest::decode(request) else {
        let text = messages::ei::request_damaged();
        return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
    };
    let task = replier.task_number();
    let region = inner.clone();
    match action {
        Action::Open => replier.answer_with(async move {
            let opened = open::open(&region, file).await;
            opened.map_or_else(|refused| refused, |()| RegionAnswer::normal())
        }),
        Action::Close(busy) => users::end(inner, replier, file, true, busy),
        Action::Disable(busy) => users::end(inner, replier, file, false, busy),
        Action::Left => {
            users::settle(inner, file);
            replier.answer(&RegionAnswer::normal());
        }
        Action::Empty => replier.answer_with(async move { open::empty(&region, file).await }),
        action => match inner.services.files.of(file) {
            Some(open) => {
                replier.answer_with(records::run(region, task, file, open, action));
            }
            None => replier.answer(&condition::not_open(file)),
        },
    }
}
