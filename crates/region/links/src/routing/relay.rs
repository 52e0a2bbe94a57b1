//! The terminal's side of a routed transaction.
//!
//! What: a session carries it to the other region; what the task there asks of its terminal is
//! asked here, one thing at a time, until it is over. The session broken off: the relay task
//! abends, and the other region ends its task. Not here: the relay program (`region/supplied`).

use super::away::{NOT_IN_SERVICE, away};
use super::balance::Run;
use super::duplex;
use crate::Links;
use crate::caller::Link;
use crate::frames::{Answered, Asked, DEPTH_MAX, Routed};
use crate::stream::Stream;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use transom_messages::{self as messages, Message};
use transom_types::{AbendCode, Applid, SysId, TermId};
use transom_wire::bms::PageRequest;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Over, Question, Routing};
use transom_wire::terminal::Request;

/// A relay task ends so when its session broke off.
const LOST: &[u8; 4] = b"AZI6";

/// A session to another region, with its place.
pub(super) struct Way {
    entered: Entered,
    stream: Stream,
}

impl Way {
    /// The region.
    pub(super) fn system(&self) -> SysId {
        self.entered.0.name
    }
}

/// A place among the sessions.
struct Entered(Arc<Link>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Links {
    /// Has another region run the transaction of a terminal, to its end.
    pub async fn route(&self, task: u32, routing: Routing) -> RegionAnswer {
        let mut path = self.surrogates.path(task);
        path.push(self.own.applid);
        if path.len() > usize::from(DEPTH_MAX) {
            let why = messages::is::too_far(self.own.applid, DEPTH_MAX);
            return away(NOT_IN_SERVICE, why);
        }
        if routing.system.is_blank() {
            return self.balanced(task, routing, path).await;
        }
        match self.way(routing.system, routing.waits).await {
            Ok(way) => self.run_there(way, task, routing, path).await.0,
            Err((error, why)) => away(error, why),
        }
    }

    /// A session to a region, with a place among those there may be.
    pub(super) async fn way(&self, system: SysId, waits: bool) -> Result<Way, (u8, Message)> {
        let link = self.usable(system)?;
        link.place(waits).await?;
        let entered = Entered(link);
        let stream = entered.0.session().await;
        let stream = stream.map_err(|why| (NOT_IN_SERVICE, why))?;
        Ok(Way { entered, stream })
    }

    /// Runs it on this session. Also how it went; `None`: it did not run.
    pub(super) async fn run_there(
        &self,
        way: Way,
        task: u32,
        routing: Routing,
        path: Vec<Applid>,
    ) -> (RegionAnswer, Option<Run>) {
        let Way {
            entered,
            mut stream,
        } = way;
        let link = &entered.0;
        let routed = Routed {
            userid: routing.userid,
            transid: routing.transid,
            path,
            facts: routing.facts,
            payload: routing.payload,
            started: routing.started,
        };
        let (begun, mut user) = (Instant::now(), Duration::ZERO);
        let over = self
            .relay(link, &mut stream, (task, &mut user), routed)
            .await;
        let response = begun.elapsed().saturating_sub(user);
        let run = |abended| Some(Run { abended, response });
        match over {
            Ok(over) => {
                link.keep(stream);
                let run = match &over {
                    Over::Ended(_) => run(false),
                    Over::Failed(failed) => failed.code.and_then(|_| run(true)),
                };
                (RegionAnswer::with(&over), run)
            }
            Err(error) => {
                link.counts.failed.fetch_add(1, Relaxed);
                let text = messages::is::session_lost(link.name, &error);
                let abend = RegionAnswer::abend(AbendCode::from_field(LOST), text);
                (abend, run(true))
            }
        }
    }

    async fn relay(
        &self,
        link: &Arc<Link>,
        stream: &mut Stream,
        (task, user): (u32, &mut Duration),
        routed: Routed,
    ) -> io::Result<Over> {
        let counts = &link.counts;
        let own = routed.facts.terminal;
        let (reader, mut writer) = stream.halves();
        let sent = duplex::send(&mut writer, &Asked::Route(routed)).await?;
        counts.sent.fetch_add(sent, Relaxed);
        let mut area = None;
        let mut reading = Box::pin(duplex::next(reader));
        loop {
            let (reader, heard) = (&mut reading).await;
            let question = match heard? {
                Answered::Over(over) => return Ok(with_area(over, area)),
                Answered::Asks(question) => question,
                _ => return Err(io::ErrorKind::InvalidData.into()),
            };
            counts.commands.fetch_add(1, Relaxed);
            if let Question::Terminal(Request::KeepArea(bytes)) = &question {
                area = Some(bytes.clone());
            }
            reading.set(duplex::next(reader));
            let (mut asking, asked) = (pin!(self.ask(task, own, question)), Instant::now());
            let answer = tokio::select! {
                answer = &mut asking => answer,
                // The task ended while it waited; nobody wants the answer any more.
                (_, heard) = &mut reading => return match heard? {
                    Answered::Over(over) => Ok(with_area(over, area)),
                    _ => Err(io::ErrorKind::InvalidData.into()),
                },
            };
            *user += asked.elapsed();
            let sent = duplex::send(&mut writer, &Asked::Told(answer)).await?;
            counts.sent.fetch_add(sent, Relaxed);
        }
    }

    /// The terminal of a task, here or still farther away.
    async fn ask(&self, task: u32, own: TermId, question: Question) -> RegionAnswer {
        let question = match question {
            Question::Terminal(request) => Question::Terminal(named(request, own)),
            retrieve => retrieve,
        };
        match self.surrogates.ask(task, &question) {
            Some(answer) => answer.await,
            None => self.desk.ask(task, own, question).await,
        }
    }
}

/// The terminal by its name here.
fn named(request: Request, own: TermId) -> Request {
    match request {
        Request::Inquire(_) => Request::Inquire(own),
        Request::Set(_, change) => Request::Set(own, change),
        Request::Page(PageRequest::Deliver(mut delivery)) => {
            delivery
                .targets
                .iter_mut()
                .for_each(|target| target.1 = own);
            Request::Page(PageRequest::Deliver(delivery))
        }
        other => other,
    }
}

/// The user area that an abended task left.
fn with_area(mut over: Over, area: Option<Vec<u8>>) -> Over {
    if let Over::Failed(failed) = &mut over {
        failed.area = area;
    }
    over
}
