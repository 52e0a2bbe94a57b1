//! Queues outside the region: files, jobs of internal readers, lines of the log.
//!
//! Not here: what a file or a job looks like (`transom_sequential`).

use super::TransientData;
use super::queue::Asked;
use crate::replier::{Replier, lock};
use std::sync::Arc;
use transom_messages::{self as messages, Line, Severity, Source};
use transom_sequential::extrapartition as files;
use transom_sequential::jobs;
use transom_types::Resp;
use transom_wire::definitions::TdQueueEntry;
use transom_wire::requests::RegionAnswer;

impl TransientData {
    pub(super) fn write_file(self: &Arc<Self>, replier: Replier, asked: Asked, record: Vec<u8>) {
        let Some(folder) = self.folders.files.clone() else {
            self.write_log(replier.task_number(), &asked, &record);
            return replier.answer(&RegionAnswer::normal());
        };
        let Asked { entry, queue, .. } = asked;
        let umask = self.folders.umask;
        self.blocking(replier, entry, move |entry| {
            let path = files::path(&folder, entry).ok_or_else(bad_name)?;
            lock(&queue.file).write((&path, umask), entry, &record)?;
            Ok(RegionAnswer::normal())
        });
    }

    pub(super) fn read_file(self: &Arc<Self>, replier: Replier, asked: Asked) {
        let folder = self.folders.files.clone();
        let Asked { entry, queue, .. } = asked;
        self.blocking(replier, entry, move |entry| {
            let Some(folder) = folder else {
                return Ok(RegionAnswer::refused(Resp::QZERO, 0, ""));
            };
            let path = files::path(&folder, entry).ok_or_else(bad_name)?;
            Ok(match lock(&queue.file).read(&path, entry)? {
                Some(record) => RegionAnswer::with_data(record),
                None => RegionAnswer::refused(Resp::QZERO, 0, ""),
            })
        });
    }

    pub(super) fn write_job(self: &Arc<Self>, replier: Replier, asked: &Asked, record: &[u8]) {
        let collected = lock(&asked.queue.jobs).add(record);
        let complete = match collected {
            Ok(complete) if complete.is_empty() => return replier.answer(&RegionAnswer::normal()),
            Ok(complete) => complete,
            Err(jobs::Full) => {
                let text = messages::td::job_too_long(asked.entry.text(), jobs::JOB_BYTES_MAX);
                self.kernel.tell_few(text.clone());
                return replier.answer(&RegionAnswer::refused(Resp::NOSPACE, 0, text));
            }
        };
        let Some(folder) = self.folders.jobs.clone() else {
            let text = messages::td::no_job_folder(asked.entry.text());
            self.kernel.tell_few(text.clone());
            return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
        };
        let service = self.clone();
        self.blocking(replier, asked.entry.clone(), move |entry| {
            for job in complete {
                let path = jobs::store(&folder, &job)?;
                service
                    .kernel
                    .tell(messages::td::job_stored(entry.text(), path.display()));
            }
            Ok(RegionAnswer::normal())
        });
    }

    /// Runs file work where it may block; a failure is IOERR with a message.
    fn blocking(
        self: &Arc<Self>,
        replier: Replier,
        entry: TdQueueEntry,
        work: impl FnOnce(&TdQueueEntry) -> std::io::Result<RegionAnswer> + Send + 'static,
    ) {
        let service = self.clone();
        let name = entry.text();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            let text = messages::ei::no_runtime();
            return replier.answer(&RegionAnswer::refused(Resp::IOERR, 0, text));
        };
        let done = runtime.spawn_blocking(move || work(&entry));
        replier.answer_with(async move {
            let reason = match done.await {
                Ok(Ok(answer)) => return answer,
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the work was given up".to_owned(),
            };
            let text = messages::td::not_written(&name, &reason);
            service.kernel.tell_few(text.clone());
            RegionAnswer::refused(Resp::IOERR, 0, text)
        });
    }

    pub(super) fn write_log(&self, task_number: u32, asked: &Asked, record: &[u8]) {
        let text = String::from_utf8_lossy(record);
        let text = format!("{} {}", asked.entry.text(), text.trim_end());
        let line = Line::text(Severity::Information, text);
        let line = self.kernel.of_task(line, task_number);
        self.kernel.operator.of(Source::Command).tell(line);
    }
}

fn bad_name() -> std::io::Error {
    std::io::Error::other("the name of its data set is not one for a file")
}
