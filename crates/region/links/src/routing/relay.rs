//! The terminal's side of a routed transaction.
//!
//! What: a session carries it to the other region; what the task there asks of its terminal is
//! asked here, one thing at a time, until it is over. The session broken off: the relay task
//! abends, and the other region ends its task. Not here: the relay program (`region/supplied`).

use super::away::NOT_IN_SERVICE;
use super::duplex;
use crate::Links;
use crate::caller::{Link, Place};
use crate::frames::{Answered, Asked, DEPTH_MAX, Routed};
use crate::stream::Stream;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use transom_messages::{self as messages, Message};
use transom_types::{AbendCode, Resp, TermId};
use transom_wire::bms::PageRequest;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Over, Question, Routing};
use transom_wire::terminal::Request;

/// A relay task ends so when its session broke off.
const LOST: &[u8; 4] = b"AZI6";

/// There is no way to the other region.
fn away(error: u8, why: Message) -> RegionAnswer {
    RegionAnswer {
        data: vec![error],
        ..RegionAnswer::refused(Resp::SYSIDERR, 0, why)
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
        let link = match self.usable(routing.system) {
            Ok(link) => link,
            Err((error, why)) => return away(error, why),
        };
        let entered = match routing.waits {
            true => link.enter().await,
            false => link.enter_at_once(),
        };
        if let Err((error, why)) = entered {
            return away(error, why);
        }
        let _place = Place(&link);
        let mut stream = match link.session().await {
            Ok(stream) => stream,
            Err(why) => return away(NOT_IN_SERVICE, why),
        };
        let routed = Routed {
            userid: routing.userid,
            transid: routing.transid,
            path,
            facts: routing.facts,
            payload: routing.payload,
            started: routing.started,
        };
        match self.relay(&link, &mut stream, task, routed).await {
            Ok(over) => {
                link.keep(stream);
                RegionAnswer::with(&over)
            }
            Err(error) => {
                link.counts.failed.fetch_add(1, Relaxed);
                let text = messages::is::session_lost(link.name, &error);
                RegionAnswer::abend(AbendCode::from_field(LOST), text)
            }
        }
    }

    async fn relay(
        &self,
        link: &Arc<Link>,
        stream: &mut Stream,
        task: u32,
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
            let mut asking = pin!(self.ask(task, own, question));
            let answer = tokio::select! {
                answer = &mut asking => answer,
                // The task ended while it waited; nobody wants the answer any more.
                (_, heard) = &mut reading => return match heard? {
                    Answered::Over(over) => Ok(with_area(over, area)),
                    _ => Err(io::ErrorKind::InvalidData.into()),
                },
            };
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
