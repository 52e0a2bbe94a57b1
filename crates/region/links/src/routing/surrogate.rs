//! Surrogates of terminals: tasks of this region whose terminal another one has.
//!
//! What: which question of a task goes back to the region of its terminal, and the way there. A
//! terminal has the name here that it has there, or one of CICS's aliases where that name is taken.
//! Why by task number: a task has one terminal. Not here: the session that carries questions
//! (`hosted`), who answers them (`relay`).

use crate::desk::Later;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_recovery::guard::lock;
use transom_types::{AbendCode, Applid, TermId};
use transom_wire::definitions::TerminalEntry;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::Question;
use transom_wire::terminal::{Facts, Request};

/// What is asked of a terminal, and the way back.
pub(super) type Asking = (Question, oneshot::Sender<RegionAnswer>);

/// Tasks of this region at terminals of others.
#[derive(Default)]
pub(crate) struct Surrogates {
    pub(super) by_task: Mutex<HashMap<u32, Surrogate>>,
    aliases: Mutex<Aliases>,
}

/// A terminal of another region, as long as its task runs.
pub(crate) struct Surrogate {
    pub(super) facts: Facts,
    pub(super) path: Vec<Applid>,
    /// By START.
    pub(super) started: bool,
    /// The task does nothing but wait for a user to type.
    pub(super) reads: Arc<AtomicBool>,
    pub(super) questions: UnboundedSender<Asking>,
}

impl Surrogates {
    /// Regions the request has passed that this task serves, the terminal's first.
    pub(crate) fn path(&self, task: u32) -> Vec<Applid> {
        let by_task = lock(&self.by_task);
        by_task.get(&task).map_or_else(Vec::new, |s| s.path.clone())
    }

    /// Tasks at terminals of other regions.
    pub(crate) fn count(&self) -> usize {
        lock(&self.by_task).len()
    }

    /// Tasks that do nothing but wait for a user to type.
    pub(super) fn reading(&self) -> Vec<u32> {
        let by_task = lock(&self.by_task);
        let waits = by_task.iter().filter(|(_, s)| s.reads.load(Relaxed));
        waits.map(|(task, _)| *task).collect()
    }

    /// The name of a terminal of another region here; `is_here` knows those of this one.
    pub(super) fn name(
        &self,
        by_task: &HashMap<u32, Surrogate>,
        name: TermId,
        is_here: impl Fn(TermId) -> bool,
    ) -> TermId {
        let in_use = |name| by_task.values().any(|s| s.facts.terminal == name);
        let taken = |name| in_use(name) || is_here(name);
        match taken(name) {
            false => name,
            true => lock(&self.aliases).next(taken).unwrap_or(name),
        }
    }

    /// Asks the region of the terminal of a task; `None`: that is this one, or the question is not
    /// about it.
    pub(crate) fn ask(&self, task: u32, question: &Question) -> Option<Later<RegionAnswer>> {
        let (tell, told) = oneshot::channel();
        let (own, inquires, reads);
        {
            let by_task = lock(&self.by_task);
            let surrogate = by_task.get(&task)?;
            let question = of_own(question, surrogate)?;
            own = surrogate.facts.terminal;
            inquires = matches!(question, Question::Terminal(Request::Inquire(_)));
            reads = surrogate.reads.clone();
            reads.store(is_read(&question), Relaxed);
            // Its session is gone: the way back is dropped, and the answer says so.
            let _gone = surrogate.questions.send((question, tell));
        }
        Some(Box::pin(async move {
            let mut answer = told.await.unwrap_or_else(|_| {
                let text = messages::is::caller_gone();
                RegionAnswer::abend(AbendCode::from_field(b"AZI6"), text)
            });
            reads.store(false, Relaxed);
            if inquires && let Some(entry) = TerminalEntry::decode(&answer.data) {
                answer.data = as_here(entry, own, task).encode();
            }
            answer
        }))
    }
}

/// The question, where it is about the task's own terminal, or its START.
fn of_own(question: &Question, surrogate: &Surrogate) -> Option<Question> {
    let own = &surrogate.facts;
    let request = match question {
        Question::Retrieve { .. } => return surrogate.started.then(|| question.clone()),
        Question::Terminal(request) => request,
    };
    let request = match request {
        Request::List | Request::Sessions => return None,
        Request::InquireNetname(name) if *name != own.netname => return None,
        Request::InquireNetname(_) => Request::Inquire(own.terminal),
        Request::Inquire(name) | Request::Set(name, _) if *name != own.terminal => return None,
        other => other.clone(),
    };
    Some(Question::Terminal(request))
}

/// A user answers it.
fn is_read(question: &Question) -> bool {
    let read = |request: &Request| matches!(request, Request::Read(..) | Request::Signal);
    matches!(question, Question::Terminal(request) if read(request))
}

/// What INQUIRE TERMINAL tells of it in this region.
fn as_here(entry: TerminalEntry, own: TermId, task: u32) -> TerminalEntry {
    TerminalEntry {
        terminal: own,
        task,
        ..entry
    }
}

/// Names for terminals whose own is taken: `{` and three characters, as CICS makes them.
#[derive(Default)]
struct Aliases(u32);

/// In the order in which CICS uses them.
const DIGITS: &[u8; 36] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const ALIASES: u32 = 36 * 36 * 36;

impl Aliases {
    fn next(&mut self, taken: impl Fn(TermId) -> bool) -> Option<TermId> {
        for _ in 0..ALIASES {
            let number = self.0;
            self.0 = (number + 1) % ALIASES;
            let digit = |n: u32| DIGITS.get((n % 36) as usize).copied().unwrap_or(b'A');
            let name = [
                b'{',
                digit(number / 1296),
                digit(number / 36),
                digit(number),
            ];
            let name = TermId::from_field(&name);
            if !taken(name) {
                return Some(name);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_are_those_of_cics() {
        let mut aliases = Aliases::default();
        let free = |_| false;
        let name = |aliases: &mut Aliases| aliases.next(free).unwrap().as_str().to_owned();
        assert_eq!(name(&mut aliases), "{AAA");
        assert_eq!(name(&mut aliases), "{AAB");
        aliases.0 = 26;
        assert_eq!(name(&mut aliases), "{AA0");
        aliases.0 = ALIASES - 1;
        assert_eq!(name(&mut aliases), "{999");
        assert_eq!(name(&mut aliases), "{AAA");
        assert_eq!(aliases.next(|_| true), None);
    }
}
