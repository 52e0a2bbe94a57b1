//! What workers and operators ask of the region: autoinstall, SET, operator messages.

use super::kernel::Kernel;
use super::replier::Replier;
use super::resources::Resources;
use super::shutdown::{self, Asking};
use super::starter::Starter;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_csd::ProgramList;
use transom_messages::{self as messages, Line, Source};
use transom_region_api::SetRequest;
use transom_region_dispatcher::Dispatcher;
use transom_types::{AbendCode, ProgramName, Resp, TransId};
use transom_wire::definitions::{ProgramEntry, SystemEntry, TaskEntry, TransactionEntry};
use transom_wire::requests::{RegionAnswer, RegionRequest, Shutdown};

/// RESP2 of PERFORM SHUTDOWN.
const PLT_NOT_FOUND: u32 = 3;
/// Largest MXT, as in CICS.
const MAX_TASKS_MAX: u32 = 2_000;

/// The service.
pub(crate) struct RegionControl {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) starter: Arc<dyn Starter>,
    pub(crate) shutdown: Arc<shutdown::Shutdown>,
    /// Program list tables.
    pub(crate) tables: BTreeMap<String, ProgramList>,
}

impl RegionControl {
    /// Answers a worker.
    pub(crate) fn answer(&self, replier: Replier, request: &[u8]) {
        let request = RegionRequest::decode(request);
        let Some(RegionRequest::Module(name)) = request else {
            return replier.answer(&self.answered(request));
        };
        let (resources, kernel) = (self.resources.clone(), self.kernel.clone());
        replier.answer_with(async move {
            if let Some(late) = resources.late(name) {
                let (done, ended) = oneshot::channel();
                late.want(name, Box::new(move || done.send(()).unwrap_or(())));
                let _ended = ended.await;
            }
            match resources.module(name, kernel.shared()) {
                true => RegionAnswer::normal(),
                false => RegionAnswer::refused(Resp::PGMIDERR, 3, ""),
            }
        });
    }

    fn answered(&self, request: Option<RegionRequest>) -> RegionAnswer {
        match request {
            Some(RegionRequest::InstallProgram(name)) => self.autoinstall(name),
            Some(RegionRequest::Set(request)) => self.set(&request),
            Some(RegionRequest::Operator(task_number, text)) => {
                let line = self.kernel.of_task(Line::heard(text), task_number);
                self.kernel.operator.of(Source::Command).tell(line);
                RegionAnswer::normal()
            }
            Some(RegionRequest::Shutdown(asked)) => self.end(&asked),
            Some(RegionRequest::WhyNot(name)) => {
                let why = self.resources.why_not(name, self.kernel.shared());
                RegionAnswer {
                    text: why.to_string(),
                    ..RegionAnswer::normal()
                }
            }
            // Answered before.
            Some(RegionRequest::Module(_)) | None => RegionAnswer::damaged(),
        }
    }

    /// PERFORM SHUTDOWN. Programs of a table run in an end that is not immediate.
    fn end(&self, asked: &Shutdown) -> RegionAnswer {
        let list = match (&asked.table, asked.immediate) {
            (None, _) | (_, true) => None,
            (Some(name), false) => match ProgramList::member(name) {
                None => Some(ProgramList::default()),
                Some(member) => match self.tables.get(&member) {
                    None => {
                        let told = messages::xm::plt_not_found(&member);
                        self.kernel.tell(told.clone());
                        return RegionAnswer::refused(Resp::INVREQ, PLT_NOT_FOUND, told);
                    }
                    found => found.cloned(),
                },
            },
        };
        self.kernel.tell(messages::xm::shutdown_asked());
        let asking = Asking {
            transid: asked.transid,
            userid: asked.userid,
            list,
        };
        self.shutdown.ask_by(asked.immediate, asking);
        RegionAnswer::normal()
    }

    fn autoinstall(&self, name: ProgramName) -> RegionAnswer {
        match self.resources.autoinstall(name, self.kernel.shared()) {
            Ok(_) => RegionAnswer::normal(),
            Err(inactive) => {
                let why = self.resources.why_not(name, self.kernel.shared());
                RegionAnswer::refused(Resp::PGMIDERR, if inactive { 9 } else { 1 }, why)
            }
        }
    }

    /// Carries out a SET.
    pub(crate) fn set(&self, request: &SetRequest) -> RegionAnswer {
        match request {
            SetRequest::ProgramEnabled(name, enabled) => self.change_program(*name, |p| {
                p.enabled = *enabled;
                RegionAnswer::normal()
            }),
            SetRequest::ProgramNewCopy(name) => {
                self.change_program(*name, |p| match self.resources.newest_module(*name) {
                    Some(path) => {
                        p.path = path;
                        RegionAnswer::normal()
                    }
                    None => RegionAnswer::refused(Resp::IOERR, 8, messages::pg::no_module(name)),
                })
            }
            SetRequest::TransactionEnabled(name, enabled) => {
                self.change_transaction(*name, |t| t.enabled = *enabled)
            }
            SetRequest::TransactionPriority(name, priority) => {
                self.change_transaction(*name, |t| t.priority = *priority)
            }
            SetRequest::MaxTasks(n) => self.set_max_tasks(*n),
            SetRequest::Purge { task, force } => {
                let running = TaskEntry::find(self.kernel.shared(), *task);
                if !force && running.is_some_and(|task| !task.purgeable) {
                    let text = messages::xm::not_purgeable(task);
                    return RegionAnswer::refused(Resp::INVREQ, 5, text);
                }
                if self.starter.purge(*task, AbendCode::AKC3, *force) {
                    RegionAnswer::normal()
                } else {
                    RegionAnswer::refused(Resp::TASKIDERR, 1, messages::xm::no_task(task))
                }
            }
        }
    }

    /// Workers were sized for the MXT of the start; more tasks than that cannot run.
    fn set_max_tasks(&self, n: u32) -> RegionAnswer {
        let most = self.kernel.system.max_tasks.min(MAX_TASKS_MAX);
        if n == 0 || n > most {
            let text = messages::xm::mxt_not_possible(n, most);
            return RegionAnswer::refused(Resp::INVREQ, 1, text);
        }
        self.dispatcher.set_max_tasks(n);
        let shared = self.kernel.shared();
        let mut system = SystemEntry::find(shared).unwrap_or_else(|| self.kernel.system.clone());
        system.max_tasks = n;
        stored(system.install(shared))
    }

    fn change_program(
        &self,
        name: ProgramName,
        change: impl FnOnce(&mut ProgramEntry) -> RegionAnswer,
    ) -> RegionAnswer {
        let Some(mut entry) = self.resources.program(name, self.kernel.shared()) else {
            return RegionAnswer::refused(Resp::PGMIDERR, 7, messages::pg::no_definition(name));
        };
        let answer = change(&mut entry);
        if answer.resp != Resp::NORMAL {
            return answer;
        }
        stored(entry.install(self.kernel.shared()))
    }

    fn change_transaction(
        &self,
        name: TransId,
        change: impl FnOnce(&mut TransactionEntry),
    ) -> RegionAnswer {
        let Some(mut entry) = TransactionEntry::find(self.kernel.shared(), name) else {
            return RegionAnswer::refused(Resp::TRANSIDERR, 1, messages::xm::not_defined(name));
        };
        change(&mut entry);
        stored(entry.install(self.kernel.shared()))
    }
}

fn stored(stored: bool) -> RegionAnswer {
    if stored {
        RegionAnswer::normal()
    } else {
        RegionAnswer::refused(Resp::NOSTG, 0, messages::sm::shared_full())
    }
}
