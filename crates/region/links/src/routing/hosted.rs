//! A task at a terminal of another region, from its beginning to its end.
//!
//! What: a session asks for it, and hands on what it asks of its terminal and what that answers.
//! The end of the session is the end of the task. Not here: who asks what (`surrogate`), the other
//! end of the session (`relay`).

use super::duplex;
use super::surrogate::{Asking, Surrogate};
use crate::Links;
use crate::definition::Definition;
use crate::desk::{Later, NewRouted, NotBegun, OnOver};
use crate::frames::{Answered, Asked, Routed};
use crate::stream::Stream;
use std::io;
use std::sync::Arc;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_recovery::guard::lock;
use transom_types::Applid;
use transom_wire::carried::payload_of;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Failed, Over, Question};

impl Links {
    /// Asks the region of the terminal of a task, where that is another one.
    pub fn asks_elsewhere(&self, task: u32, question: &Question) -> Option<Later<RegionAnswer>> {
        self.surrogates.ask(task, question)
    }

    /// Tasks that do nothing but wait for a user of another region to type.
    pub fn waiting_for_users(&self) -> Vec<u32> {
        self.surrogates.reading()
    }

    /// Tasks at terminals of other regions.
    pub fn routed(&self) -> usize {
        self.surrogates.count()
    }

    /// Runs a transaction of a terminal of the caller, to its end.
    pub(crate) async fn host(
        self: &Arc<Self>,
        stream: &mut Stream,
        connection: &Definition,
        caller: Applid,
        routed: Routed,
    ) -> io::Result<()> {
        let _counted = match self.admit(connection) {
            Ok(counted) => counted,
            Err(text) => return stream.answer(&failed(text.to_string())).await,
        };
        if routed.path.contains(&self.own.applid) {
            let text = messages::is::turns_back(routed.transid, caller, self.own.applid);
            self.complain(&text);
            return stream.answer(&failed(text.to_string())).await;
        }
        let mut hosted = match self.begin_hosted(connection, routed) {
            Ok(hosted) => hosted,
            Err(NotBegun(text)) => return stream.answer(&failed(text)).await,
        };
        hosted.converse(stream).await
    }

    fn begin_hosted(
        self: &Arc<Self>,
        connection: &Definition,
        routed: Routed,
    ) -> Result<Hosted, NotBegun> {
        let damaged = || NotBegun(messages::is::not_a_region().to_string());
        let (payload, _) = payload_of(routed.payload).ok_or_else(damaged)?;
        let (questions, asked) = unbounded_channel();
        let (tell, over) = oneshot::channel();
        let on_over: OnOver = Box::new(move |over| {
            // Nobody listens when the session is gone.
            let _gone = tell.send(over);
        });
        // Held meanwhile: the task may ask before its number is known.
        let mut by_task = lock(&self.surrogates.by_task);
        let mut facts = routed.facts;
        facts.system = connection.name;
        facts.there = facts.terminal;
        let is_here = |name| self.desk.has_terminal(name);
        facts.terminal = self.surrogates.name(&by_task, facts.terminal, is_here);
        let new = NewRouted {
            transid: routed.transid,
            userid: connection.user(routed.userid),
            facts: facts.clone(),
            payload,
            started: routed.started,
        };
        let surrogate = Surrogate {
            facts,
            path: routed.path,
            started: new.started.is_some(),
            reads: Arc::default(),
            questions,
        };
        let task = self.desk.begin(new, on_over)?;
        by_task.insert(task, surrogate);
        drop(by_task);
        Ok(Hosted {
            task,
            asked,
            over,
            ended: false,
            links: self.clone(),
        })
    }
}

/// A routed task, as its session has it.
struct Hosted {
    task: u32,
    asked: UnboundedReceiver<Asking>,
    over: oneshot::Receiver<Over>,
    ended: bool,
    links: Arc<Links>,
}

impl Hosted {
    /// Hands on what is asked and told until the task is over.
    async fn converse(&mut self, stream: &mut Stream) -> io::Result<()> {
        if stream.has_more() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let (reader, mut writer) = stream.halves();
        let mut reading = Box::pin(duplex::next(reader));
        let mut waiting: Option<oneshot::Sender<RegionAnswer>> = None;
        loop {
            tokio::select! {
                Some((question, tell)) = self.asked.recv() => {
                    waiting = Some(tell);
                    duplex::send(&mut writer, &Answered::Asks(question)).await?;
                }
                over = &mut self.over => {
                    self.ended = true;
                    let over = over.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
                    duplex::send(&mut writer, &Answered::Over(over)).await?;
                    // An answer may be on its way still: the session is not used again.
                    return match waiting {
                        Some(_) => Err(io::ErrorKind::Interrupted.into()),
                        None => Ok(()),
                    };
                }
                (reader, heard) = &mut reading => {
                    match (heard?, waiting.take()) {
                        (Asked::Told(answer), Some(tell)) => {
                            // The task may have been purged meanwhile.
                            let _purged = tell.send(answer);
                        }
                        _ => return Err(io::ErrorKind::InvalidData.into()),
                    }
                    reading.set(duplex::next(reader));
                }
            }
        }
    }
}

impl Drop for Hosted {
    /// The session is gone before the task has ended: it is backed out.
    fn drop(&mut self) {
        lock(&self.links.surrogates.by_task).remove(&self.task);
        if !self.ended {
            self.links.desk.purge(self.task);
        }
    }
}

fn failed(text: String) -> Answered {
    Answered::Over(Over::Failed(Failed {
        code: None,
        text,
        area: None,
    }))
}
