//! Keeping links: which there are, whether the other region answers, what the operator wants.
//!
//! What: looks at the CONNECTIONs that are installed, again and again. One in service that nobody
//! released gets a connection of its own, which shows at once that the other region is gone. What
//! SET changes lies in the definition, and so does what INQUIRE tells. Why by looking: definitions
//! lie in shared memory, and whoever changes them tells nobody. Not here: sessions (`caller`).

use crate::Links;
use crate::caller::Link;
use crate::definition::{Definition, Way};
use crate::frames::{Answered, Asked};
use crate::reach::{self, Reach};
use crate::services::Services;
use crate::stream::Stream;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};
use tokio::net::UnixListener;
use transom_intersystem::is_trusted;
use transom_messages as messages;
use transom_recovery::StoreError;
use transom_recovery::guard::lock;
use transom_types::SysId;

/// Time between two looks.
const LOOK: Duration = Duration::from_millis(200);
/// The same where nothing is defined that leads to or from other regions: such a region sleeps.
const LOOK_ALONE: Duration = Duration::from_secs(1);
/// Time a region has to say how much work it has.
const WEIGH_TIME: Duration = Duration::from_secs(2);
/// Time between two tries to open the socket of this region.
const AGAIN: Duration = Duration::from_secs(2);

impl Links {
    /// Looks until the region stops.
    pub(crate) async fn keep(self: Arc<Self>) {
        let mut next_try = Instant::now();
        let mut services = Services::default();
        while !self.stopped.load(SeqCst) {
            let entries = Definition::all(&*self.shared);
            services.look(&self).await;
            if !entries.is_empty() && !self.open.load(SeqCst) && Instant::now() >= next_try {
                next_try = Instant::now() + AGAIN;
                self.listen();
            }
            self.take_up(&entries);
            let alone = entries.is_empty() && services.are_none();
            let links: Vec<(Definition, Arc<Link>)> = entries
                .into_iter()
                .filter_map(|entry| Some((entry.clone(), self.link(entry.name)?)))
                .collect();
            for (entry, link) in links {
                // A host that does not answer takes its time, and nobody else waits for it.
                let own = self.clone();
                tokio::spawn(async move { own.look_at(&entry, &link).await });
            }
            tokio::time::sleep(if alone { LOOK_ALONE } else { LOOK }).await;
        }
        services.close();
    }

    /// Opens the socket of this region.
    fn listen(self: &Arc<Self>) {
        let made = transom_intersystem::prepare(self.folder()).map_err(|e| e.to_string());
        let socket = reach::socket(self.folder(), self.own.applid);
        let listener = made.and_then(|()| reach::listen(&socket).map_err(|e| e.to_string()));
        match listener {
            Ok(listener) => {
                self.open.store(true, SeqCst);
                let links = self.clone();
                tokio::spawn(async move { links.accept(listener).await });
            }
            Err(why) => {
                let line = messages::is::links_not_open(self.own.applid, socket.display(), &why);
                self.complain(&line);
            }
        }
    }

    async fn accept(self: Arc<Self>, listener: UnixListener) {
        while !self.stopped.load(SeqCst) {
            let accepted = tokio::time::timeout(AGAIN, listener.accept()).await;
            let Ok(Ok((carrier, _))) = accepted else {
                continue;
            };
            let trusted = carrier.peer_cred().is_ok_and(|peer| is_trusted(peer.uid()));
            let Ok(place) = self.places.clone().try_acquire_owned() else {
                continue;
            };
            if trusted {
                let links = self.clone();
                tokio::spawn(async move {
                    // It ends with the caller; what went wrong concerns only this connection.
                    let _ = links.serve(Stream::new(carrier), Way::Host).await;
                    drop(place);
                });
            }
        }
    }

    /// Links of new definitions begin, those of definitions that are gone end.
    fn take_up(self: &Arc<Self>, entries: &[Definition]) {
        let mut table = lock(&self.table);
        for entry in entries {
            let other = |link: &Arc<Link>| link.applid != entry.applid;
            if table.get(&entry.name).is_none_or(other) {
                // A region keeps its place in units of work, whatever its connection is called.
                let before = lock(&self.members).get(&entry.applid).cloned();
                let link = before.unwrap_or_else(|| Arc::new(self.make(entry)));
                link.wanted.store(true, SeqCst);
                table.insert(entry.name, link);
            }
        }
        let known = |name: &SysId| entries.iter().any(|entry| entry.name == *name);
        table.retain(|name, link| {
            let stays = known(name) || link.conversations() > 0;
            if !stays {
                link.let_go();
            }
            stays
        });
    }

    fn make(&self, entry: &Definition) -> Link {
        let (applid, place) = (entry.applid, entry.place.clone());
        let reach = Reach {
            socket: reach::socket(self.folder(), applid),
            keyring: self.keyring().ok(),
        };
        Link::new(entry.name, (applid, place), reach, self.hello(applid))
    }

    /// The link of a name.
    pub(crate) fn link(&self, name: SysId) -> Option<Arc<Link>> {
        lock(&self.table).get(&name).cloned()
    }

    async fn look_at(self: &Arc<Self>, entry: &Definition, link: &Arc<Link>) {
        *lock(&link.limits) = entry.limits;
        let moved = *lock(&link.place) != entry.place;
        let acquired = link.acquired.load(SeqCst);
        if entry.acquired != acquired && link.shown.load(SeqCst) == acquired {
            // SET CONNECTION ACQUIRED or RELEASED.
            link.wanted.store(entry.acquired, SeqCst);
        }
        let Ok(mut control) = link.control.try_lock() else {
            return;
        };
        if moved {
            *lock(&link.place) = entry.place.clone();
            link.close_idle();
            *control = None;
        }
        if control.as_mut().is_some_and(|stream| !stream.is_quiet()) {
            *control = None;
        }
        if !entry.in_service || !link.wanted.load(SeqCst) {
            *control = None;
            link.close_idle();
        } else if control.is_none() {
            *control = match link.connect().await {
                Ok(stream) => Some(stream),
                Err(why) => {
                    self.not_reached(entry, &why);
                    None
                }
            };
        }
        self.weigh(link, &mut control).await;
        let (now, acquired) = (control.is_some(), link.acquired.load(SeqCst));
        if now != acquired {
            link.acquired.store(now, SeqCst);
            let (name, applid) = (link.name, link.applid);
            self.operator.tell(match now {
                true => messages::is::acquired(name, applid),
                false => messages::is::released(name, applid),
            });
            link.close_idle();
        }
        if entry.acquired != now {
            entry.show(&*self.shared, now);
        }
        link.shown.store(now, SeqCst);
        drop(control);
        if now && !acquired {
            let (links, link) = (self.clone(), link.clone());
            tokio::spawn(async move {
                let joined = links.join(&link).await;
                if joined.is_ok()
                    && let Some(manager) = links.desk.manager()
                {
                    manager.look_again();
                }
            });
        }
    }

    /// Asks a region among which transactions are balanced how much work it has. One that does not
    /// answer is taken for gone.
    async fn weigh(&self, link: &Link, control: &mut Option<Stream>) {
        let Some(stream) = control.as_mut().filter(|_| self.balancer.wants(link.name)) else {
            return;
        };
        let answered = tokio::time::timeout(WEIGH_TIME, stream.exchange(&Asked::Load)).await;
        match answered {
            Ok(Ok(Answered::Load(load))) => self.balancer.loaded(link.name, load),
            _ => *control = None,
        }
    }

    /// Certificates that are wrong do not mend themselves; that nobody answers may.
    fn not_reached(&self, entry: &Definition, why: &io::Error) {
        if why.kind() == io::ErrorKind::InvalidData && entry.secure {
            self.complain(&messages::is::not_reached(entry.name, entry.applid, why));
        }
    }

    /// The link takes part in units of work from now on.
    pub(crate) async fn join(&self, link: &Arc<Link>) -> Result<(), StoreError> {
        let joining = async {
            let manager = self.desk.manager().ok_or(StoreError::Closed)?;
            let name = format!("region:{}", link.applid.as_str());
            if !self.first(link) {
                let applid = link.applid.as_str();
                let text = format!("region {applid} has a link already");
                return Err(StoreError::Wrong(text));
            }
            let participant = link.clone();
            let joined = tokio::task::spawn_blocking(move || {
                manager.join(&name, Box::new(move |_| Ok(participant.clone() as _)))
            });
            let joined = joined.await.unwrap_or(Err(StoreError::Closed));
            if let Err(error) = &joined {
                lock(&self.members).remove(&link.applid);
                self.complain(&messages::is::not_joined(link.name, error));
            }
            joined
        };
        link.joined.get_or_try_init(|| joining).await.copied()
    }

    /// The link is the one of its region that takes part in units of work.
    fn first(&self, link: &Arc<Link>) -> bool {
        let mut members = lock(&self.members);
        let member = members.entry(link.applid).or_insert_with(|| link.clone());
        Arc::ptr_eq(member, link)
    }
}
