//! Programs of program list tables: what a region runs at its start (PLTPI) and its end (PLTSD).
//!
//! What: one after the other, each as a task of its own without terminal. Those of PLTPI belong to
//! transaction CPLT and to PLTPIUSR; those of PLTSD to transaction and user of the task that asked
//! for the end, or to CPLT where it was none; that task may name another table than PLTSD. Why a
//! task each: one that abends takes back its own unit of work and nothing else. Not here: reading
//! tables (`formats/csd`), when the stages come (`LocalRegion`).

use super::kernel::Kernel;
use super::program_list_config::{ProgramListConfig, TRANSACTION};
use super::resources::Resources;
use super::shutdown::Shutdown;
use super::starter::{Ended, NewTask};
use super::tasks::Tasks;
use super::workers::Workers;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_csd::ProgramList;
use transom_messages::{self as messages, Message};
use transom_region_api::{Fault, LinkFailure, Payload, StartedBy};
use transom_types::{ProgramName, TransId, UserId};
use transom_wire::definitions::ProgramEntry;
use transom_wire::payload::Sections;

/// Between two looks at what workers have done, where nobody else looks.
const LOOK: Duration = Duration::from_millis(2);

/// The service.
pub(crate) struct ProgramLists {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) workers: Arc<dyn Workers>,
    pub(crate) tasks: Arc<Tasks>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) shutdown: Arc<Shutdown>,
    pub(crate) config: ProgramListConfig,
}

/// For whom a program runs.
#[derive(Clone, Copy)]
struct Stage {
    /// PLTPI or PLTSD.
    table: &'static str,
    transid: TransId,
    userid: Option<UserId>,
    /// Programs nobody defined are defined whatever PGAIPGM says.
    defines: bool,
    /// Nobody else looks at what workers have done.
    alone: bool,
}

impl ProgramLists {
    /// PLTPI: all programs; one that does not end well does not keep the others from running.
    pub(crate) async fn initialize(&self) {
        let Some(list) = &self.config.initialization else {
            return;
        };
        let mut stage = Stage {
            table: "PLTPI",
            transid: TransId::from_field(TRANSACTION),
            userid: self.config.user,
            defines: true,
            alone: true,
        };
        let mut good = 0;
        for programs in [&list.before, &list.after] {
            for program in programs {
                match self.run(stage, *program).await {
                    Ok(()) => good += 1,
                    Err(message) => self.kernel.tell(message),
                }
            }
            stage.defines = false;
        }
        let all = list.programs().count();
        self.kernel.tell(messages::si::plt_ran("PLTPI", good, all));
    }

    /// First quiesce stage of PLTSD, while tasks and terminals are there.
    pub(crate) async fn quiesce(&self) {
        if let Some(list) = self.ending() {
            self.end(&list.before, false).await;
        }
    }

    /// Second quiesce stage of PLTSD, when no task is left.
    pub(crate) async fn finish(&self) {
        if let Some(list) = self.ending() {
            self.end(&list.after, true).await;
        }
    }

    /// Programs of the second stage that will not run: tasks did not end in time.
    pub(crate) fn leave_out(&self) {
        let left = self.ending().map_or(0, |list| list.after.len());
        if left > 0 {
            self.kernel.tell(messages::si::plt_left_out(left));
        }
    }

    /// The table that PERFORM SHUTDOWN named, else that of PLTSD.
    fn ending(&self) -> Option<&ProgramList> {
        let named = self.shutdown.by().and_then(|task| task.list.as_ref());
        named.or(self.config.shutdown.as_ref())
    }

    /// A stage of PLTSD ends with the first program that does not end well.
    async fn end(&self, programs: &[ProgramName], last: bool) {
        let by = self.shutdown.by();
        let (transid, userid) = by.map(|task| (task.transid, task.userid)).unzip();
        let stage = Stage {
            table: "PLTSD",
            transid: transid.unwrap_or(TransId::from_field(TRANSACTION)),
            userid,
            defines: last,
            alone: last,
        };
        let mut good = 0;
        for program in programs {
            if let Err(message) = self.run(stage, *program).await {
                self.kernel.tell(message);
                break;
            }
            good += 1;
        }
        if !programs.is_empty() {
            let told = messages::si::plt_ran("PLTSD", good, programs.len());
            self.kernel.tell(told);
        }
    }

    /// Runs a program to its end. The error is why it did not end well.
    async fn run(&self, stage: Stage, program: ProgramName) -> Result<(), Message> {
        let shared = self.kernel.shared();
        if stage.defines && ProgramEntry::find(shared, program).is_none() {
            self.resources.define_module(program, shared);
        }
        let (ended, end) = oneshot::channel();
        let on_end = Box::new(move |task: Ended| {
            // The region may have stopped waiting.
            let _nobody = ended.send(task.result.map(|_| ()));
        });
        let task = NewTask {
            transid: stage.transid,
            program: Some(program),
            userid: stage.userid,
            payload: Payload::Commarea(Vec::new()),
            reply_bytes_max: 0,
            started_by: StartedBy::Internal,
            start_code: *b"U ",
            client: None,
            sections: Sections::default(),
            restarts: 0,
        };
        let started = self.tasks.start_of_region(task, on_end);
        let result = match started {
            Ok(_) if stage.alone => self.look_until(end).await,
            Ok(_) => end.await.ok(),
            Err(failure) => Some(Err(failure)),
        };
        match result {
            Some(Ok(())) => Ok(()),
            Some(Err(failure)) => Err(why(stage.table, program, &failure)),
            None => Err(messages::si::plt_not_run(
                stage.table,
                program,
                "the region ends",
            )),
        }
    }

    /// Does the work of the region's pump until a task has ended.
    async fn look_until<T>(&self, mut end: oneshot::Receiver<T>) -> Option<T> {
        loop {
            match self.kernel.clock.timeout(LOOK, &mut end).await {
                Ok(ended) => return ended.ok(),
                Err(_) => {
                    self.workers.wake();
                    self.workers.drain();
                }
            }
        }
    }
}

fn why(table: &str, program: ProgramName, failure: &LinkFailure) -> Message {
    match failure.fault {
        Fault::Abend(code) => messages::si::plt_abended(table, program, code),
        _ => messages::si::plt_not_run(table, program, &failure.text),
    }
}
