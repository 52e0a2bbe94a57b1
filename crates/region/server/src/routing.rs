//! Transactions of terminals that another region runs: tasks and terminals of both sides.
//!
//! What: what links need for it of a region. Not here: sessions and surrogates
//! (`transom_region_links`), the relay program (`region/supplied`).

use super::partner::{MirrorDesk, Partners};
use super::replier::{Replier, Waits};
use super::starter::{Ended, NewTask};
use super::terminal::message;
use std::sync::Arc;
use tokio::sync::oneshot;
use transom_region_api::{Fault, LinkFailure, StartedBy};
use transom_region_links::{Later, NewRouted, NotBegun, OnOver, RoutingDesk};
use transom_types::{ProgramName, TermId};
use transom_wire::carried::payload_bytes;
use transom_wire::definitions::TransactionEntry;
use transom_wire::interval;
use transom_wire::payload::{Section, Sections};
use transom_wire::requests::{Domain, RegionAnswer};
use transom_wire::routing::{Failed, Over, Question};
use transom_wire::terminal::Asked;
use transom_workers::Ask;

impl Partners {
    /// What a task asks of its terminal or its START, where another region has it.
    pub(crate) fn asks_elsewhere(
        &self,
        task: u32,
        domain: Domain,
        request: &[u8],
    ) -> Option<Later<RegionAnswer>> {
        if self.links.routed() == 0 {
            return None;
        }
        let question = match domain {
            Domain::Terminal => Question::Terminal(Asked::decode(request)?.request),
            Domain::Interval => match interval::Request::decode(request)? {
                interval::Request::Retrieve { wait, dtimout_ms } => {
                    Question::Retrieve { wait, dtimout_ms }
                }
                _ => return None,
            },
            _ => return None,
        };
        self.links.asks_elsewhere(task, &question)
    }
}

impl RoutingDesk for MirrorDesk {
    fn begin(&self, task: NewRouted, on_over: OnOver) -> Result<u32, NotBegun> {
        let transid = task.transid;
        let mut sections = Sections::default();
        sections.add(Section::Terminal, &task.facts.encode());
        let (started_by, start_code) = match &task.started {
            None => (StartedBy::Terminal, *b"TD"),
            Some(started) => {
                sections.add(Section::RetrieveElsewhere, &started.owner);
                (StartedBy::Start, started.start_code)
            }
        };
        let new = NewTask {
            transid,
            program: None,
            userid: task.userid,
            payload: task.payload,
            reply_bytes_max: 0,
            started_by,
            start_code,
            client: None,
            sections,
            restarts: 0,
        };
        let kernel = self.kernel.clone();
        let told = move |failure: &LinkFailure| {
            let entry = TransactionEntry::named_so(kernel.shared(), transid);
            let program = entry.map_or(ProgramName::BLANK, |entry| entry.program);
            message::text(failure, transid, program, &kernel.system)
        };
        let at_end = told.clone();
        let on_end = Box::new(move |ended: Ended| {
            on_over(match ended.result {
                Ok((payload, sections)) => Over::Ended(payload_bytes(payload, &sections)),
                Err(failure) => over(&failure, at_end(&failure)),
            });
        });
        match self.starter.start(new, on_end) {
            Ok(accepted) => Ok(accepted.task_number),
            Err(failure) => Err(NotBegun(told(&failure))),
        }
    }

    fn ask(&self, task: u32, own: TermId, question: Question) -> Later<RegionAnswer> {
        let (tell, told) = oneshot::channel();
        let ask = Ask::new(task, Vec::new(), move |answer: &[u8]| {
            // The task has ended meanwhile.
            let _gone = tell.send(RegionAnswer::of(answer));
        });
        // A purge of the task ends its own wait, and with it this one.
        let replier = Replier::new(ask, Arc::new(Waits::default()));
        match question {
            Question::Terminal(request) => {
                let asked = Asked { own, request };
                self.terminals.answer(replier, &asked.encode());
            }
            Question::Retrieve { wait, dtimout_ms } => {
                let request = interval::Request::Retrieve { wait, dtimout_ms };
                self.intervals.answer(replier, &request.encode());
            }
        }
        Box::pin(async move { told.await.unwrap_or_else(|_| RegionAnswer::of(&[])) })
    }

    fn has_terminal(&self, name: TermId) -> bool {
        self.terminals.exists(name)
    }
}

fn over(failure: &LinkFailure, text: String) -> Over {
    let code = match failure.fault {
        Fault::Abend(code) => Some(code),
        _ => None,
    };
    let area = None;
    Over::Failed(Failed { code, text, area })
}
