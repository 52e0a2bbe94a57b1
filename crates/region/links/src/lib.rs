//! Links between regions: commands that another region carries out, and units of work over both.
//!
//! What: [`Links`] sends commands of tasks to the regions that CONNECTION definitions name, runs
//! those of other regions in mirror tasks of its own, and takes part in the end of units of work.
//! Begin at [`Links::ship`], then `caller` (the calling side), `partner` (the called side),
//! `mirrors`, `keep`. Stands over a region's [`Desk`]. Why its own room: tasks, stores and commands
//! need not know how another region is reached. The protocol is Transom's own; it does not talk to
//! CICS. Not here: which commands go (`region/commands`), what a mirror runs (`region/supplied`),
//! tasks (`region/server`).

#![forbid(unsafe_code)]

mod caller;
mod definition;
mod desk;
mod ends;
mod figures;
mod frames;
mod keep;
mod mirrors;
mod partner;
mod places;
mod reach;
mod routing;
mod services;
mod stream;
mod tokens;
mod units;

pub use desk::{Desk, Ended, Later, NewMirror, OnEnd, caller as caller_of, info};
pub use desk::{NewRouted, NotBegun, OnOver, RoutingDesk};
pub use figures::LinkReading;
pub use frames::Load;
pub use routing::balance::{Algorithm, Balance};

use caller::{Link, Sent};
use definition::Defined;
use frames::{Answered, Attach};
use mirrors::Mirrors;
use routing::Surrogates;
use routing::away::{NOT_IN_SERVICE, UNKNOWN, away};
use routing::balance::Balancer;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use transom_messages::{self as messages, Message, Operator};
use transom_recovery::UowId;
use transom_recovery::guard::lock;
use transom_region_ipic::Keyring;
use transom_types::{Applid, Resp, SysId, TransId, UserId};
use transom_wire::Shared;
use transom_wire::partner::Work;
use transom_wire::requests::RegionAnswer;

/// Connections of other regions at a time; who comes later is not answered.
pub const CONNECTIONS_MAX: usize = 2_000;
/// Complaints of different texts that are remembered, so that each is told once.
const COMPLAINTS_MAX: usize = 1_000;

/// What links stand on beside definitions.
#[derive(Debug, Clone)]
pub struct LinkConfig {
    /// Where regions of this host have their sockets.
    pub folder: PathBuf,
    /// Certificates of links over TCP.
    pub keyring: Option<PathBuf>,
    /// Connections over TCP at a time; who comes later is closed.
    pub connections_max: usize,
    /// Regions among which EYU9XLOP chooses.
    pub balance: Balance,
}

impl LinkConfig {
    /// Links of this host alone.
    pub fn here(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            keyring: None,
            connections_max: CONNECTIONS_MAX,
            balance: Balance::default(),
        }
    }
}

/// The region as others know it.
#[derive(Debug, Clone, Copy)]
pub struct Own {
    /// Its APPLID.
    pub applid: Applid,
    /// Its SYSIDNT.
    pub sysid: SysId,
}

/// All links of a region.
pub struct Links {
    own: Own,
    net: LinkConfig,
    shared: Arc<dyn Shared + Send + Sync>,
    desk: Arc<dyn Desk>,
    operator: Operator,
    mirrors: Arc<Mirrors>,
    surrogates: Arc<Surrogates>,
    balancer: Balancer,
    table: Mutex<HashMap<SysId, Arc<Link>>>,
    defined: Defined,
    /// Links that take part in units of work; under its APPLID a region does so once.
    members: Mutex<HashMap<Applid, Arc<Link>>>,
    /// Conversations of callers, by the connection they come by.
    received: Mutex<HashMap<SysId, Arc<AtomicUsize>>>,
    places: Arc<Semaphore>,
    /// The same for those over TCP.
    strangers: Arc<Semaphore>,
    told: Mutex<HashSet<String>>,
    tokens: Mutex<tokens::Tokens>,
    begun: AtomicBool,
    open: AtomicBool,
    stopped: AtomicBool,
}

/// A command of a task for another region.
#[derive(Debug, Clone)]
pub struct Shipping {
    /// The task.
    pub task: u32,
    /// CONNECTION.
    pub system: SysId,
    /// User of the task.
    pub userid: UserId,
    /// Transaction of the mirror; blank: CSMI.
    pub transid: TransId,
    /// SYNCONRETURN.
    pub apart: bool,
    /// The command, as the mirror reads it.
    pub command: Vec<u8>,
    /// For a session, where none is free.
    pub waits: bool,
    /// Unit of work of the task; one that is apart may have none yet.
    pub uow: Option<UowId>,
}

impl Links {
    /// Links of a region; nothing is opened before [`Links::begin`].
    pub fn new(
        own: Own,
        net: LinkConfig,
        shared: Arc<dyn Shared + Send + Sync>,
        desk: Arc<dyn Desk>,
        operator: Operator,
    ) -> Arc<Self> {
        Arc::new(Self {
            own,
            shared,
            mirrors: Arc::new(Mirrors::new(desk.clone())),
            surrogates: Arc::default(),
            balancer: Balancer::new(net.balance.clone()),
            desk,
            operator,
            table: Mutex::default(),
            defined: Defined::default(),
            members: Mutex::default(),
            received: Mutex::default(),
            places: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            strangers: Arc::new(Semaphore::new(net.connections_max)),
            net,
            told: Mutex::default(),
            tokens: Mutex::default(),
            begun: AtomicBool::new(false),
            open: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
        })
    }

    /// Links are kept from now on. Needs a tokio runtime.
    pub fn begin(self: &Arc<Self>) {
        if !self.begun.swap(true, Ordering::SeqCst) {
            tokio::spawn(self.clone().keep());
        }
    }

    /// The region stops: its socket goes, sessions end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        if self.open.swap(false, Ordering::SeqCst) {
            // Whoever connects meanwhile finds nobody.
            let _ = std::fs::remove_file(reach::socket(self.folder(), self.own.applid));
        }
        for link in lock(&self.table).values() {
            link.close_idle();
        }
    }

    /// Has another region carry out a command.
    pub async fn ship(&self, shipping: Shipping) -> RegionAnswer {
        let name = shipping.system;
        let unlinked = |why: Message| away(NOT_IN_SERVICE, why);
        let link = match self.usable(name) {
            Ok(link) => link,
            Err((error, why)) => return away(error, why),
        };
        let attach = Attach {
            userid: shipping.userid,
            transid: shipping.transid,
            depth: self.mirrors.depth(shipping.task) + 1,
            apart: shipping.apart,
            command: shipping.command,
            origin: match shipping.uow.is_some_and(|uow| link.talk(uow).is_some()) {
                // Its mirror knows.
                true => Vec::new(),
                false => self.desk.origin(shipping.task).unwrap_or_default(),
            },
        };
        let sent = match (shipping.apart, shipping.uow) {
            (true, uow) => link.run_apart(uow, attach, shipping.waits).await,
            (false, None) => return unlinked(messages::is::not_linked(name)),
            (false, Some(uow)) => match self.join(&link).await {
                Ok(()) => link.run(uow, attach, shipping.waits).await,
                Err(error) => return unlinked(messages::is::not_joined(name, error)),
            },
        };
        answer(&link, sent)
    }

    /// The link to a system, where it may be used; else why not, and as DYRERROR has it.
    fn usable(&self, name: SysId) -> Result<Arc<Link>, (u8, Message)> {
        let in_service = self.defined.find(&*self.shared, name);
        let (Some(in_service), Some(link)) = (in_service, self.link(name)) else {
            return Err((UNKNOWN, messages::is::not_linked(name)));
        };
        let why = match (in_service, link.wanted.load(Ordering::SeqCst)) {
            (true, true) => return Ok(link),
            (false, _) => messages::is::out_of_service(name),
            (true, false) => messages::is::was_released(name),
        };
        link.counts.not_usable();
        Err((NOT_IN_SERVICE, why))
    }

    /// A mirror has an answer and waits for work.
    pub async fn next(&self, task: u32, answer: Option<Vec<u8>>) -> Option<Work> {
        self.mirrors.next(task, answer).await
    }

    /// Figures of all links.
    pub fn read(&self) -> Vec<LinkReading> {
        let table = lock(&self.table);
        let mut all: Vec<LinkReading> = table.values().map(|link| link.read()).collect();
        all.sort_by_key(|link| link.name);
        all
    }

    /// Mirrors that run.
    pub fn mirrors(&self) -> usize {
        self.mirrors.count()
    }

    /// Where regions of this host meet.
    fn folder(&self) -> &Path {
        &self.net.folder
    }

    /// Certificates of links over TCP.
    fn keyring(&self) -> Result<Keyring, Message> {
        let folder = self.net.keyring.clone();
        let none =
            || messages::is::keyring_not_usable("transom.toml", "[links] keyring is missing");
        folder.map(Keyring::new).ok_or_else(none)
    }

    /// The operator hears a text once.
    fn complain(&self, why: &Message) {
        let mut told = lock(&self.told);
        if told.len() < COMPLAINTS_MAX && told.insert(why.to_string()) {
            self.operator.tell(why.clone());
        }
    }

    /// Conversations of a caller.
    fn received(&self, name: SysId) -> Arc<AtomicUsize> {
        lock(&self.received).entry(name).or_default().clone()
    }
}

impl Link {
    /// Its figures.
    pub(crate) fn read(&self) -> LinkReading {
        let (counts, relaxed) = (&self.counts, Ordering::Relaxed);
        LinkReading {
            name: self.name,
            applid: self.applid,
            acquired: self.acquired.load(relaxed),
            figures: vec![
                ("conversations", counts.conversations.load(relaxed)),
                ("commands", counts.commands.load(relaxed)),
                ("sessions", self.used.load(relaxed) as u64),
                ("sessions_waited_for", counts.queued.load(relaxed)),
                ("waiting", self.waiting.load(relaxed) as u64),
                ("sessions_wanted", counts.wanted.load(relaxed)),
                ("no_link", counts.no_link.load(relaxed)),
                ("all_in_use", counts.in_use.load(relaxed)),
                ("failed", counts.failed.load(relaxed)),
                ("bytes_sent", counts.sent.load(relaxed)),
                ("bytes_received", counts.received.load(relaxed)),
            ],
        }
    }
}

fn answer(link: &Link, sent: Sent) -> RegionAnswer {
    match sent {
        Sent::Answer(bytes) => RegionAnswer::with_data(bytes),
        Sent::Other(Answered::Abended { code, text }) => RegionAnswer::abend(code, text),
        Sent::Other(Answered::NotRun { resp, resp2, text }) => {
            RegionAnswer::refused(resp, resp2, text)
        }
        Sent::Other(_) => {
            let text = messages::is::session_lost(link.name, "an answer out of turn");
            RegionAnswer::refused(Resp::TERMERR, 17, text)
        }
        Sent::Lost(error) => {
            let text = messages::is::session_lost(link.name, &error);
            RegionAnswer::refused(Resp::TERMERR, 17, text)
        }
        Sent::NoSession(error, why) => away(error, why),
        Sent::InConversation => RegionAnswer::refused(Resp::INVREQ, 14, ""),
        Sent::OtherMirror => RegionAnswer::refused(Resp::INVREQ, 15, ""),
    }
}

#[cfg(test)]
mod tests;
