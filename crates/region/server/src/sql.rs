//! EXEC SQL: what tasks ask of the database.
//!
//! Not here: the database (`transom_region_sql`), items of programs (worker).

use super::kernel::Kernel;
use super::replier::Replier;
use super::starter::{Ending, TaskEvents};
use super::syncpoint::UnitsOfWork;
use std::sync::Arc;
use transom_region_sql::SqlDatabase;
use transom_wire::requests::RegionAnswer;
use transom_wire::sql::Request;

/// The service.
pub(crate) struct Sql(
    pub(crate) Arc<Kernel>,
    pub(crate) Arc<UnitsOfWork>,
    pub(crate) SqlDatabase,
);

impl Sql {
    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        let Some(request) = Request::decode(request) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let (service, task) = (self.clone(), replier.task_number());
        replier.answer_with(async move {
            let Self(kernel, uows, database) = &*service;
            let uow = uows.current(task);
            let attach = || database.attach(kernel.shared(), (task, uow));
            let tell = || uows.subscribe(task, database.unit_end(task, uow));
            let asked = (task, uow, request);
            let answered = database.answer((attach, tell), uows.manager(), asked);
            let (answer, text) = answered.await;
            text.into_iter().for_each(|text| kernel.tell(text));
            answer
        });
    }
}

impl TaskEvents for Sql {
    fn task_ended(&self, task_number: u32, _ending: Ending) {
        self.2.task_ended(task_number);
    }
}
