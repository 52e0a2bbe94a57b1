//! Mirror tasks and the conversations they serve.
//!
//! What: a conversation hands a command to its mirror and gets the answer, or hears how the mirror
//! ended. A mirror asks for work as any task asks its region. Why by task number: whoever asks is
//! known by it, and a program that is no mirror finds nothing here. Not here: what mirrors do
//! (`region/supplied`), connections (`partner`).

use crate::desk::{Desk, Ended, Later, NewMirror};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use transom_recovery::guard::lock;
use transom_types::{Applid, Resp};
use transom_wire::partner::Work;

/// All mirrors of a region.
pub(crate) struct Mirrors {
    pub(crate) desk: Arc<dyn Desk>,
    by_task: Mutex<HashMap<u32, Arc<Mirror>>>,
}

/// What a mirror says.
#[derive(Debug)]
pub(crate) enum Said {
    Answer(Vec<u8>),
    Ended(Ended),
}

/// Both ends of a conversation with a mirror. Neither queue holds more than one thing: a caller
/// waits for the answer before it asks again.
struct Mirror {
    depth: u8,
    /// Region that ends its unit of work; `None`: it does so itself.
    caller: Option<Applid>,
    todo: tokio::sync::Mutex<UnboundedReceiver<Work>>,
    says: UnboundedSender<Said>,
}

/// The caller's end.
pub(crate) struct Conversation {
    pub(crate) task: u32,
    work: UnboundedSender<Work>,
    said: UnboundedReceiver<Said>,
    mirrors: Arc<Mirrors>,
    /// The mirror has ended.
    pub(crate) over: bool,
}

impl Mirrors {
    pub(crate) fn new(desk: Arc<dyn Desk>) -> Self {
        Self {
            desk,
            by_task: Mutex::default(),
        }
    }

    /// Mirrors that run.
    pub(crate) fn count(&self) -> usize {
        lock(&self.by_task).len()
    }

    /// Regions the request has passed that this task serves; 0: it is no mirror.
    pub(crate) fn depth(&self, task: u32) -> u8 {
        lock(&self.by_task).get(&task).map_or(0, |m| m.depth)
    }

    /// Tasks of mirrors whose unit of work another region ends, with that region.
    pub(crate) fn callers(&self) -> Vec<(u32, Applid)> {
        let all = lock(&self.by_task);
        let with_caller = all.iter().filter_map(|(task, m)| Some((*task, m.caller?)));
        with_caller.collect()
    }

    /// Starts a mirror for a region.
    ///
    /// # Errors
    /// It did not run, and why.
    pub(crate) fn begin(
        self: &Arc<Self>,
        new: NewMirror,
        (caller, depth): (Applid, u8),
    ) -> Result<Conversation, Ended> {
        let (work, todo) = unbounded_channel();
        let (says, said) = unbounded_channel();
        let at_end = says.clone();
        // Its task number, and whether it has ended: it may end before its start is over.
        let state = Arc::new(Mutex::new((None, false)));
        let (mirrors, own) = (self.clone(), state.clone());
        let on_end = Box::new(move |ended| {
            // Nobody listens to a mirror whose caller is gone.
            let _ = at_end.send(Said::Ended(ended));
            let mut state = lock(&own);
            state.1 = true;
            if let Some(task) = state.0 {
                lock(&mirrors.by_task).remove(&task);
            }
        });
        let mirror = Mirror {
            depth,
            caller: (!new.apart).then_some(caller),
            todo: tokio::sync::Mutex::new(todo),
            says,
        };
        let task = self.desk.start(new, on_end)?;
        let mut state = lock(&state);
        if !state.1 {
            lock(&self.by_task).insert(task, Arc::new(mirror));
            state.0 = Some(task);
        }
        drop(state);
        Ok(Conversation {
            task,
            work,
            said,
            mirrors: self.clone(),
            over: false,
        })
    }

    /// A mirror has an answer and waits for work; `None`: its caller is gone, or the task is none.
    pub(crate) fn next(
        self: &Arc<Self>,
        task: u32,
        answer: Option<Vec<u8>>,
    ) -> Later<Option<Work>> {
        let mirrors = self.clone();
        Box::pin(async move {
            let mirror = mirrors.known(task).await?;
            if let Some(answer) = answer {
                let _ = mirror.says.send(Said::Answer(answer));
            }
            mirror.todo.lock().await.recv().await
        })
    }

    /// The mirror of a task that may be starting just now.
    async fn known(&self, task: u32) -> Option<Arc<Mirror>> {
        for _ in 0..STARTING_LOOKS {
            if let Some(mirror) = lock(&self.by_task).get(&task) {
                return Some(mirror.clone());
            }
            tokio::time::sleep(STARTING_PAUSE).await;
        }
        None
    }
}

/// How often, and with what pause, a mirror is looked for that asks before its start is over.
const STARTING_LOOKS: u32 = 200;
const STARTING_PAUSE: std::time::Duration = std::time::Duration::from_millis(5);

impl Conversation {
    /// Has the mirror run a command.
    pub(crate) async fn run(&mut self, command: Vec<u8>) -> Said {
        let gone = || {
            let text = "the mirror has ended".to_owned();
            Said::Ended(Ended::NotRun(Resp::SYSIDERR, 0, text))
        };
        if self.work.send(Work::Run(command)).is_err() {
            self.over = true;
            return gone();
        }
        let said = self.said.recv().await.unwrap_or_else(gone);
        self.over = matches!(said, Said::Ended(_));
        said
    }

    /// The unit of work has ended; so does the mirror.
    pub(crate) fn end(mut self) {
        self.over = true;
        // It has ended by itself otherwise.
        let _ = self.work.send(Work::End);
    }
}

impl Drop for Conversation {
    /// The caller is gone: what it began is backed out with the end of the task, which abends when
    /// it asks for more; what is prepared waits.
    fn drop(&mut self) {
        if !self.over {
            self.mirrors.desk.abandon(self.task);
            self.mirrors.desk.purge(self.task);
        }
    }
}
