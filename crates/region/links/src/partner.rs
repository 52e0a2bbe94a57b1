//! The called side: connections that other regions make, and the mirrors behind them.
//!
//! What: a connection is answered when a CONNECTION for the caller is installed and in service;
//! then it is a session, or keeps a link. Its end is the end of the conversation on it: what is not
//! prepared is backed out. Not here: mirrors (`mirrors`), the calling side (`caller`).

use crate::Links;
use crate::definition::{Definition, Way, shown};
use crate::desk::{Ended, NewMirror, caller};
use crate::frames::{
    Answered, Asked, Attach, DEPTH_MAX, Doubt, Hello, Holds, MAGIC, VERSION, Why, table,
};
use crate::mirrors::{Conversation, Said};
use crate::stream::Stream;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, SystemTime};
use transom_messages as messages;
use transom_recovery::{Outcome, Part, StoreError, UowId};
use transom_types::{Applid, Resp, TransId};
use transom_wire::partner::command_id;

/// Time a caller has for its first frame.
const HELLO_TIME: Duration = Duration::from_secs(5);
/// Transaction of a mirror when the caller names none.
const MIRROR: &[u8] = b"CSMI";
/// Units of work told at a time.
const DOUBTS_MAX: usize = 10_000;

/// A conversation that the other region has here.
pub(crate) struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Links {
    /// Serves one connection to its end.
    pub(crate) async fn serve(self: &Arc<Self>, mut stream: Stream, way: Way) -> io::Result<()> {
        let hello = tokio::time::timeout(HELLO_TIME, stream.asked());
        let hello = hello.await.map_err(|_| io::ErrorKind::TimedOut)?;
        let hello = match hello {
            Ok(Asked::Hello(hello)) => hello,
            Ok(_) => return self.refuse(stream, messages::is::not_a_region()).await,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return self.refuse(stream, messages::is::not_a_region()).await;
            }
            Err(error) => return Err(error),
        };
        let connection = match self.recognise(&hello, &way) {
            Ok(connection) => connection,
            Err(why) => return self.refuse(stream, why).await,
        };
        let welcome = Answered::Welcome(self.hello(hello.applid));
        stream.answer(&welcome).await?;
        loop {
            match stream.asked().await? {
                Asked::Attach(attach) => {
                    self.converse(&mut stream, &connection, hello.applid, attach)
                        .await?;
                }
                Asked::Route(routed) => {
                    self.host(&mut stream, &connection, hello.applid, routed)
                        .await?;
                }
                Asked::Doubts => {
                    let answer = self.doubts(hello.applid).await;
                    stream.answer(&answer).await?;
                }
                Asked::Load => stream.answer(&Answered::Load(self.desk.load())).await?,
                Asked::Resolve { uow, commit } => {
                    let answer = self.resolve(hello.applid, uow, commit).await;
                    stream.answer(&answer).await?;
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    /// What this region says of itself to another one.
    pub(crate) fn hello(&self, partner: Applid) -> Hello {
        Hello {
            magic: MAGIC,
            version: VERSION,
            table: table(),
            applid: self.own.applid,
            sysid: self.own.sysid,
            partner,
        }
    }

    async fn refuse(&self, mut stream: Stream, why: messages::Message) -> io::Result<()> {
        self.complain(&why);
        let text = why.to_string();
        stream.answer(&Answered::Refused(text)).await?;
        stream.close().await;
        Ok(())
    }

    /// The connection by which the caller may come.
    fn recognise(&self, hello: &Hello, way: &Way) -> Result<Definition, messages::Message> {
        let (own, theirs) = (self.own.applid, hello.applid);
        if hello.magic != MAGIC {
            return Err(messages::is::not_a_region());
        }
        if (hello.version, hello.table) != (VERSION, table()) {
            return Err(messages::is::other_release(theirs));
        }
        if hello.partner != own {
            return Err(messages::is::other_applid(theirs, hello.partner, own));
        }
        let all = Definition::all(&*self.shared);
        let service = match way {
            Way::Host => None,
            Way::Service(_, who) if !who.may_be(theirs) => {
                return Err(messages::is::wrong_name(theirs));
            }
            Way::Service(name, _) => Some(*name),
        };
        let secure = matches!(way, Way::Service(_, who) if who.is_secure());
        let fits = |entry: &Definition| {
            entry.applid == theirs && entry.service == service && (secure || !entry.secure)
        };
        match (all.into_iter().find(fits), service) {
            (None, None) => Err(messages::is::no_connection(theirs)),
            (None, Some(name)) => Err(messages::is::no_ipconn(theirs, shown(&name))),
            (Some(entry), _) if !entry.in_service => Err(messages::is::out_of_service(entry.name)),
            (Some(entry), _) => Ok(entry),
        }
    }

    /// One more conversation of the other region, of those that the definition allows.
    pub(crate) fn admit(&self, connection: &Definition) -> Result<Counted, messages::Message> {
        let counted = Counted(self.received(connection.name));
        let running = counted.0.fetch_add(1, Relaxed);
        match connection.receive {
            Some(most) if running >= usize::from(most) => {
                Err(messages::is::no_session(connection.name))
            }
            _ => Ok(counted),
        }
    }

    /// One conversation, to its end.
    async fn converse(
        self: &Arc<Self>,
        stream: &mut Stream,
        connection: &Definition,
        caller: Applid,
        attach: Attach,
    ) -> io::Result<()> {
        let _counted = match self.admit(connection) {
            Ok(counted) => counted,
            Err(text) => return stream.answer(&not_run(&text)).await,
        };
        if attach.depth > DEPTH_MAX {
            let text = messages::is::too_far(caller, DEPTH_MAX);
            self.complain(&text);
            return stream.answer(&not_run(&text)).await;
        }
        let new = mirror(connection, &attach);
        let mut mirror = match self.mirrors.begin(new, (caller, attach.depth)) {
            Ok(mirror) => mirror,
            Err(ended) => return stream.answer(&told(ended)).await,
        };
        let mut command = attach.command;
        let mut calls = false;
        loop {
            calls |= runs_programs(&command);
            let said = tokio::select! {
                said = mirror.run(command) => said,
                // Dropping the conversation ends the mirror.
                () = stream.gone() => return Err(io::ErrorKind::UnexpectedEof.into()),
            };
            let answer = match said {
                Said::Answer(answer) => Answered::Ran {
                    holds: self.holds(mirror.task, calls),
                    answer,
                },
                Said::Ended(ended) => return stream.answer(&told(ended)).await,
            };
            if attach.apart {
                // It has ended its unit of work.
                mirror.end();
                return stream.answer(&answer).await;
            }
            stream.answer(&answer).await?;
            command = match self.between(stream, &mirror).await? {
                Next::Run(command) => command,
                Next::LetGo => {
                    // Nothing, if the caller took what it was told.
                    let _none = self.desk.end(mirror.task, Outcome::Backout).await;
                    mirror.end();
                    return Ok(());
                }
                Next::End(outcome) => {
                    let done = self.desk.end(mirror.task, outcome).await;
                    mirror.end();
                    return stream.answer(&answered(done)).await;
                }
            };
        }
    }

    /// What a mirror has after a command; `calls`: it ran programs, which may have begun anything.
    fn holds(&self, task: u32, calls: bool) -> Holds {
        match self.desk.part(task) {
            None if !calls => Holds::Nothing,
            Some(Part::Changes | Part::Prepared) => Holds::Changes,
            _ => Holds::Locks,
        }
    }

    /// What the caller wants next; prepares on the way.
    async fn between(&self, stream: &mut Stream, mirror: &Conversation) -> io::Result<Next> {
        loop {
            match stream.asked().await? {
                Asked::Run(command) => return Ok(Next::Run(command)),
                Asked::LetGo => return Ok(Next::LetGo),
                Asked::Commit => return Ok(Next::End(Outcome::Commit)),
                Asked::Backout => return Ok(Next::End(Outcome::Backout)),
                Asked::Prepare(uow) => {
                    let Some(uow) = UowId::from_bytes(&uow) else {
                        return Err(io::ErrorKind::InvalidData.into());
                    };
                    let done = self.desk.prepare(mirror.task, uow).await;
                    stream.answer(&answered(done)).await?;
                }
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    async fn doubts(&self, of: Applid) -> Answered {
        match self.desk.in_doubt().await {
            Ok(all) => {
                let mut doubts: Vec<Doubt> = Vec::new();
                for doubt in all.into_iter().take(DOUBTS_MAX) {
                    let Some(uow) = caller(&doubt.info).filter(|uow| uow.applid == of) else {
                        continue;
                    };
                    let age = SystemTime::now().duration_since(doubt.since);
                    doubts.push(Doubt {
                        uow: uow.to_bytes(),
                        age_s: age.unwrap_or_default().as_secs(),
                    });
                }
                Answered::Doubts(doubts)
            }
            Err(error) => answered(Err(error)),
        }
    }

    /// Ends a unit of work whose conversation is gone.
    async fn resolve(&self, of: Applid, uow: [u8; 16], commit: bool) -> Answered {
        let outcome = match commit {
            true => Outcome::Commit,
            false => Outcome::Backout,
        };
        let all = match self.desk.in_doubt().await {
            Ok(all) => all,
            Err(error) => return answered(Err(error)),
        };
        let wanted = UowId::from_bytes(&uow).filter(|uow| uow.applid == of);
        let mine = all.iter().find(|doubt| {
            let named = caller(&doubt.info);
            named.is_some() && named == wanted
        });
        match mine {
            None => answered(Err(StoreError::NotFound)),
            Some(doubt) => {
                let done = self.desk.resolve(doubt.uow, outcome).await;
                if done.is_ok() {
                    let (ended, uow) = (word(outcome), doubt.uow);
                    self.operator.tell(messages::is::resolved(uow, ended, of));
                }
                answered(done)
            }
        }
    }
}

/// The command is LINK.
fn runs_programs(command: &[u8]) -> bool {
    command_id(command).is_none_or(|id| id == transom_commands::cmd::LINK.0)
}

enum Next {
    Run(Vec<u8>),
    LetGo,
    End(Outcome),
}

fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Commit => "committed",
        Outcome::Backout => "backed out",
    }
}

/// No mirror runs.
fn not_run(why: &messages::Message) -> Answered {
    Answered::NotRun {
        resp: Resp::SYSIDERR,
        resp2: 0,
        text: why.to_string(),
    }
}

/// The mirror a caller asks for.
fn mirror(connection: &Definition, attach: &Attach) -> NewMirror {
    NewMirror {
        transid: match attach.transid.is_blank() {
            true => TransId::from_field(MIRROR),
            false => attach.transid,
        },
        userid: connection.user(attach.userid),
        apart: attach.apart,
        origin: attach.origin.clone(),
    }
}

fn told(ended: Ended) -> Answered {
    match ended {
        Ended::Normal => Answered::NotRun {
            resp: Resp::SYSIDERR,
            resp2: 0,
            text: messages::is::mirror_ended().to_string(),
        },
        Ended::Abend(code, text) => Answered::Abended { code, text },
        Ended::NotRun(resp, resp2, text) => Answered::NotRun { resp, resp2, text },
    }
}

fn answered(done: Result<(), StoreError>) -> Answered {
    let Err(error) = done else {
        return Answered::Done;
    };
    let why = match error {
        StoreError::NotFound => Why::NotFound,
        StoreError::Unknown(_) | StoreError::Io(_) | StoreError::Closed => Why::Unknown,
        StoreError::Unavailable(_) => Why::Later,
        _ => Why::BackedOut,
    };
    let text = error.to_string();
    Answered::Failed { why, text }
}
