//! Which other regions have a part in units of work of this one, for INQUIRE and SET UOWLINK.
//!
//! What: conversations of tasks (the other region is the subordinate) and of mirrors (it
//! coordinates), what is prepared and waits for its coordinator, and what another region has not
//! been told yet. Why tokens are kept: a UOW link has the same one as long as it is there, whoever
//! asks. Not here: databases that take part (`transom_recovery`), the commands (`region/commands`).

use crate::Links;
use crate::definition::{Definition, Place};
use crate::desk::caller;
use crate::tokens::Key;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::SeqCst;
use transom_recovery::InDoubt;
use transom_recovery::guard::lock;
use transom_types::{Applid, Resp, SysId};
use transom_wire::partner::{LinkState, UnitLink};
use transom_wire::requests::RegionAnswer;

/// In front of the name of a region that takes part in units of work.
const REGION: &str = "region:";

/// What holds a UOW link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// A session.
    Conversation,
    /// It is in doubt.
    Doubt,
    /// The other region does not know the outcome yet.
    Debt,
}

impl Links {
    /// All UOW links.
    pub async fn unit_links(&self) -> Vec<UnitLink> {
        let found = self.found().await;
        let definitions = Definition::all(&*self.shared);
        let shown = |(key, token, _)| self.shown(key, token, &definitions);
        found.into_iter().map(shown).collect()
    }

    /// Nobody will tell the other region any more; what it has in doubt it has to be told there.
    pub async fn forget_unit_link(&self, token: u32) -> RegionAnswer {
        let refused = |resp2| RegionAnswer::refused(Resp::INVREQ, resp2, "");
        let found = self.found().await;
        let Some(((uow, applid, _), _, by)) = found.into_iter().find(|(_, t, _)| *t == token)
        else {
            return RegionAnswer::refused(Resp::UOWLNOTFOUND, 1, "");
        };
        let definitions = Definition::all(&*self.shared);
        match by {
            By::Conversation => refused(5),
            By::Doubt => refused(3),
            By::Debt if definitions.iter().any(|d| d.applid == applid) => refused(7),
            By::Debt => {
                let Some(manager) = self.desk.manager() else {
                    return RegionAnswer::refused(Resp::UOWLNOTFOUND, 1, "");
                };
                let name = format!("{REGION}{}", applid.as_str());
                match manager.forget(uow, &name).await {
                    Ok(()) => RegionAnswer::normal(),
                    // Somebody else has done it.
                    Err(_) => refused(2),
                }
            }
        }
    }

    /// All of them, with their tokens.
    async fn found(&self) -> Vec<(Key, u32, By)> {
        // A store that is closed has none; its region stops.
        let doubts = self.desk.in_doubt().await.unwrap_or_default();
        let mut all: BTreeMap<Key, By> = doubts.iter().filter_map(of_doubt).collect();
        let links: Vec<_> = lock(&self.table).values().cloned().collect();
        for link in links {
            for uow in link.units() {
                all.insert((uow, link.applid, false), By::Conversation);
            }
        }
        for (task, applid) in self.mirrors.callers() {
            if let Some(uow) = self.desk.unit(task) {
                all.entry((uow, applid, true)).or_insert(By::Conversation);
            }
        }
        let mut tokens = lock(&self.tokens);
        tokens.keep(|key| all.contains_key(key));
        let token = |(key, by)| (key, tokens.of(key), by);
        all.into_iter().map(token).collect()
    }

    fn shown(&self, key: Key, token: u32, definitions: &[Definition]) -> UnitLink {
        let (uow, applid, coordinates) = key;
        let definition = definitions.iter().find(|d| d.applid == applid);
        let link = definition.and_then(|d| self.link(d.name));
        let state = match (definition, link) {
            (None, _) => LinkState::Unconnected,
            (_, Some(link)) if link.acquired.load(SeqCst) => LinkState::Ok,
            _ => LinkState::Unavailable,
        };
        let mut unit = [0; 16];
        unit[..8].copy_from_slice(&uow.number.to_be_bytes());
        let (host, port) = match definition.map(|d| &d.place) {
            Some(Place::Tcp { host, port, .. }) => (host.clone(), *port),
            _ => (String::new(), 0),
        };
        UnitLink {
            token,
            unit,
            applid,
            system: definition.map_or(SysId::BLANK, |d| d.name),
            coordinates,
            over_tcp: definition.is_some_and(|d| d.place != Place::Host),
            host,
            port,
            state,
        }
    }
}

/// The UOW link of a unit of work that nobody works in any more; `None`: no region is involved.
fn of_doubt(doubt: &InDoubt) -> Option<(Key, By)> {
    if let Some(untold) = &doubt.untold {
        let applid = untold.partner.strip_prefix(REGION)?;
        let applid = Applid::from_field(applid.as_bytes());
        return Some(((doubt.uow, applid, false), By::Debt));
    }
    let applid = caller(&doubt.info)?.applid;
    Some(((doubt.uow, applid, true), By::Doubt))
}
