//! The calling side of one link: its sessions, and the part it has in units of work.
//!
//! What: a unit of work has at most one conversation on a link; it begins with the first command
//! and lasts to the end of the unit of work, which the coordinator decides
//! (`ends`). A session whose conversation broke off is closed, and the partner backs out
//! what it had not prepared. Why a lock around each stream: a future that is dropped half-way takes
//! the stream with it, so no answer is ever taken for another's. Not here: keeping the link up
//! (`keep`), the called side (`partner`).

use crate::definition::{Limits, Place as Where};
use crate::figures::Counts;
use crate::frames::{Answered, Asked, Attach, Hello, Holds};
use crate::reach::{self, Reach};
use crate::routing::away::NOT_IN_SERVICE;
use crate::stream::Stream;
use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use tokio::sync::OnceCell;
use transom_messages as messages;
use transom_recovery::guard::lock;
use transom_recovery::{Part, StoreError, UowId};
use transom_types::{Applid, SysId, TransId};

/// Sessions that wait for a conversation.
const IDLE_MAX: usize = 64;

/// One link, as the caller has it.
pub(crate) struct Link {
    pub(crate) name: SysId,
    pub(crate) applid: Applid,
    /// How it is reached now.
    pub(crate) place: Mutex<Where>,
    pub(crate) reach: Reach,
    pub(crate) hello: Hello,
    /// SENDCOUNT, and who waits for a session.
    pub(crate) limits: Mutex<Limits>,
    pub(crate) used: AtomicUsize,
    pub(crate) waiting: AtomicUsize,
    pub(crate) freed: tokio::sync::Notify,
    idle: Mutex<Vec<Stream>>,
    by_uow: Mutex<HashMap<UowId, Arc<Talk>>>,
    /// The connection that keeps it.
    pub(crate) control: tokio::sync::Mutex<Option<Stream>>,
    pub(crate) acquired: AtomicBool,
    /// Nobody released it.
    pub(crate) wanted: AtomicBool,
    /// What the definition was made to say last.
    pub(crate) shown: AtomicBool,
    /// It takes part in units of work; once.
    pub(crate) joined: OnceCell<()>,
    pub(crate) counts: Counts,
}

/// A conversation of a unit of work.
pub(crate) struct Talk {
    transid: TransId,
    pub(crate) part: AtomicU8,
    /// Absent while something is asked, and for good when it broke off.
    pub(crate) stream: tokio::sync::Mutex<Option<Stream>>,
}

/// How a command fared that was sent.
pub(crate) enum Sent {
    Answer(Vec<u8>),
    Other(Answered),
    /// The session broke off.
    Lost(io::Error),
    /// There was none: as DYRERROR has it, and why.
    NoSession(u8, messages::Message),
    /// Another transaction's mirror is in conversation.
    OtherMirror,
    /// The unit of work has a mirror there.
    InConversation,
}

/// A place among the sessions.
pub(crate) struct Place<'a>(pub(crate) &'a Link);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

impl Link {
    pub(crate) fn new(
        name: SysId,
        (applid, place): (Applid, Where),
        reach: Reach,
        hello: Hello,
    ) -> Self {
        Self {
            name,
            applid,
            place: Mutex::new(place),
            reach,
            hello,
            limits: Mutex::default(),
            used: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            freed: tokio::sync::Notify::new(),
            idle: Mutex::default(),
            by_uow: Mutex::default(),
            control: tokio::sync::Mutex::new(None),
            acquired: AtomicBool::new(false),
            wanted: AtomicBool::new(true),
            shown: AtomicBool::new(false),
            joined: OnceCell::new(),
            counts: Counts::default(),
        }
    }

    /// Sends a command of a unit of work; its first one begins the conversation.
    pub(crate) async fn run(&self, uow: UowId, attach: Attach, waits: bool) -> Sent {
        let talk = lock(&self.by_uow).get(&uow).cloned();
        let Some(talk) = talk else {
            return self.begin(uow, attach, waits).await;
        };
        if !attach.transid.is_blank() && attach.transid != talk.transid {
            return Sent::OtherMirror;
        }
        let mut slot = talk.stream.lock().await;
        let Some(mut stream) = slot.take() else {
            return Sent::Lost(io::ErrorKind::NotConnected.into());
        };
        let answered = self
            .exchange(&mut stream, &Asked::Run(attach.command))
            .await;
        match answered {
            Ok(answered @ Answered::Ran { .. }) => {
                *slot = Some(stream);
                talk.heard(&answered);
                sent(answered)
            }
            // The mirror is gone, and what it had changed: the unit of work can only be backed out.
            Ok(answered) => Sent::Other(answered),
            Err(error) => Sent::Lost(error),
        }
    }

    async fn begin(&self, uow: UowId, attach: Attach, waits: bool) -> Sent {
        let (transid, asked) = (attach.transid, Asked::Attach(attach));
        if let Err((error, why)) = self.place(waits).await {
            return Sent::NoSession(error, why);
        }
        let place = Place(self);
        let (stream, answered) = match self.open(&asked).await {
            Ok(opened) => opened,
            Err(sent) => return sent,
        };
        let talk = Talk {
            transid,
            part: AtomicU8::new(Part::None as u8),
            stream: tokio::sync::Mutex::new(None),
        };
        match answered {
            Answered::Ran { .. } => {
                talk.heard(&answered);
                *talk.stream.lock().await = Some(stream);
                // Its place goes with the conversation.
                std::mem::forget(place);
                lock(&self.by_uow).insert(uow, Arc::new(talk));
                sent(answered)
            }
            other => {
                self.keep(stream);
                Sent::Other(other)
            }
        }
    }

    /// Runs a command in a unit of work of its own.
    pub(crate) async fn run_apart(&self, uow: Option<UowId>, attach: Attach, waits: bool) -> Sent {
        if uow.is_some_and(|uow| lock(&self.by_uow).contains_key(&uow)) {
            return Sent::InConversation;
        }
        if let Err((error, why)) = self.place(waits).await {
            return Sent::NoSession(error, why);
        }
        let _place = Place(self);
        match self.open(&Asked::Attach(attach)).await {
            Ok((stream, answered)) => {
                self.keep(stream);
                sent(answered)
            }
            Err(sent) => sent,
        }
    }

    /// Begins a conversation on a session that waits, or a new one. One that turns out to be dead
    /// before it took the request is passed over.
    async fn open(&self, asked: &Asked) -> Result<(Stream, Answered), Sent> {
        let away = |why| Sent::NoSession(NOT_IN_SERVICE, why);
        let mut stream = self.session().await.map_err(away)?;
        match self.exchange(&mut stream, asked).await {
            Ok(answered) => Ok((stream, answered)),
            Err(error) => Err(Sent::Lost(error)),
        }
    }

    /// A session that waits, or a new one.
    pub(crate) async fn session(&self) -> Result<Stream, messages::Message> {
        self.counts.conversations.fetch_add(1, Ordering::Relaxed);
        let waits = loop {
            let Some(mut stream) = lock(&self.idle).pop() else {
                break None;
            };
            if stream.is_quiet() {
                break Some(stream);
            }
        };
        if let Some(stream) = waits {
            return Ok(stream);
        }
        let made = self.connect().await;
        made.map_err(|why| {
            self.counts.failed.fetch_add(1, Ordering::Relaxed);
            self.counts.no_link.fetch_add(1, Ordering::Relaxed);
            messages::is::not_reached(self.name, self.applid, &why)
        })
    }

    async fn exchange(&self, stream: &mut Stream, asked: &Asked) -> io::Result<Answered> {
        self.counts.commands.fetch_add(1, Ordering::Relaxed);
        let answered = stream.exchange(asked).await;
        let (sent, received) = stream.bytes();
        self.counts.sent.fetch_add(sent, Ordering::Relaxed);
        self.counts.received.fetch_add(received, Ordering::Relaxed);
        if answered.is_err() {
            self.counts.failed.fetch_add(1, Ordering::Relaxed);
        }
        answered
    }

    /// A new session.
    pub(crate) async fn connect(&self) -> io::Result<Stream> {
        let place = lock(&self.place).clone();
        reach::session(&self.reach, &place, &self.hello).await
    }

    pub(crate) fn keep(&self, stream: Stream) {
        let mut idle = lock(&self.idle);
        if idle.len() < IDLE_MAX && self.wanted.load(Ordering::Relaxed) {
            idle.push(stream);
        }
    }

    /// Sessions that wait are closed.
    pub(crate) fn close_idle(&self) {
        lock(&self.idle).clear();
    }

    /// Its connection is gone.
    pub(crate) fn let_go(&self) {
        self.wanted.store(false, Ordering::SeqCst);
        self.acquired.store(false, Ordering::SeqCst);
        self.shown.store(false, Ordering::SeqCst);
        if let Ok(mut control) = self.control.try_lock() {
            *control = None;
        }
        self.close_idle();
    }

    /// Conversations of units of work.
    pub(crate) fn conversations(&self) -> usize {
        lock(&self.by_uow).len()
    }

    /// Units of work that have a conversation.
    pub(crate) fn units(&self) -> Vec<UowId> {
        lock(&self.by_uow).keys().copied().collect()
    }

    /// Takes the conversation of a unit of work off.
    pub(crate) fn forget(&self, uow: UowId) {
        if lock(&self.by_uow).remove(&uow).is_some() {
            self.leave();
        }
    }

    pub(crate) fn talk(&self, uow: UowId) -> Option<Arc<Talk>> {
        lock(&self.by_uow).get(&uow).cloned()
    }

    /// Asks something of the conversation of a unit of work. The stream goes when that fails.
    pub(crate) async fn ask(&self, talk: &Talk, asked: Asked) -> io::Result<(Stream, Answered)> {
        // Broken off before anything was asked: the partner has not heard of this.
        let taken = talk.stream.lock().await.take();
        let mut stream = taken.ok_or(io::ErrorKind::NotConnected)?;
        if !stream.is_quiet() {
            return Err(io::ErrorKind::NotConnected.into());
        }
        let answered = self.exchange(&mut stream, &asked).await?;
        Ok((stream, answered))
    }

    /// Ends a conversation that holds nothing at the partner; nobody waits for that.
    pub(crate) async fn let_go_of(&self, uow: UowId, talk: &Talk) {
        if let Some(mut stream) = talk.stream.lock().await.take()
            && stream.is_quiet()
            && stream.say(&Asked::LetGo).await.is_ok()
        {
            self.counts
                .sent
                .fetch_add(stream.bytes().0, Ordering::Relaxed);
            self.keep(stream);
        }
        self.forget(uow);
    }

    /// Asks the region itself, without a conversation.
    pub(crate) async fn ask_region(&self, asked: Asked) -> Result<Answered, StoreError> {
        let away = || StoreError::Unavailable(format!("region {} is away", self.applid.as_str()));
        let mut control = self.control.lock().await;
        let Some(mut stream) = control.take() else {
            return Err(away());
        };
        match stream.exchange(&asked).await {
            Ok(answered) => {
                *control = Some(stream);
                Ok(answered)
            }
            Err(_) => Err(away()),
        }
    }
}

impl Talk {
    fn heard(&self, answered: &Answered) {
        let Answered::Ran { holds, .. } = answered else {
            return;
        };
        let part = match holds {
            Holds::Nothing => Part::None,
            Holds::Locks => Part::Locks,
            Holds::Changes => Part::Changes,
        };
        // What has begun there stays to the end.
        self.part.fetch_max(part as u8, Ordering::SeqCst);
    }

    /// The partner keeps nothing for it.
    pub(crate) fn holds_nothing(&self) -> bool {
        self.part.load(Ordering::SeqCst) == Part::None as u8
    }

    pub(crate) fn part(&self) -> Part {
        match self.part.load(Ordering::SeqCst) {
            part if part == Part::Prepared as u8 => Part::Prepared,
            part if part == Part::Changes as u8 => Part::Changes,
            _ => Part::Locks,
        }
    }
}

fn sent(answered: Answered) -> Sent {
    match answered {
        Answered::Ran { answer, .. } => Sent::Answer(answer),
        other => Sent::Other(other),
    }
}
