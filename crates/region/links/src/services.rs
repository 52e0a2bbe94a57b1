//! Open TCPIPSERVICEs: where regions of other hosts come in.
//!
//! What: a listener for each installed service that is open, begun and ended as definitions change.
//! Who connects does a handshake first, and is served when it is over. Not here: handshakes
//! (`region/ipic`), what callers may (`partner`).

use crate::Links;
use crate::definition::{Way, shown};
use crate::stream::Stream;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::task::JoinHandle;
use transom_messages::{self as messages, Message};
use transom_region_ipic::{Came, Door};
use transom_wire::definitions::{ServiceTls, TcpipServiceEntry};

/// Services that are open, by name.
#[derive(Default)]
pub(crate) struct Services {
    open: HashMap<[u8; 8], Open>,
}

/// One of them.
struct Open {
    at: SocketAddr,
    tls: ServiceTls,
    label: String,
    serving: JoinHandle<()>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Open {
    fn is(&self, entry: &TcpipServiceEntry) -> bool {
        let at = entry.listens_at();
        entry.open && (at, entry.tls, &entry.certificate) == (Some(self.at), self.tls, &self.label)
    }
}

impl Services {
    /// Opens and closes what definitions say.
    pub(crate) async fn look(&mut self, links: &Arc<Links>) {
        let entries = TcpipServiceEntry::all(&*links.shared);
        let known = |name: &[u8; 8]| entries.iter().find(|entry| entry.name == *name);
        self.open
            .retain(|name, open| known(name).is_some_and(|entry| open.is(entry)));
        for entry in entries.iter().filter(|entry| entry.open) {
            if self.open.contains_key(&entry.name) {
                continue;
            }
            match open(links, entry).await {
                Ok(open) => {
                    self.open.insert(entry.name, open);
                }
                Err(why) => links.complain(&why),
            }
        }
    }

    /// None is open.
    pub(crate) fn are_none(&self) -> bool {
        self.open.is_empty()
    }

    /// All of them close.
    pub(crate) fn close(&mut self) {
        self.open.clear();
    }
}

async fn open(links: &Arc<Links>, entry: &TcpipServiceEntry) -> Result<Open, Message> {
    let name = shown(&entry.name);
    let cannot = |at: &str, why: &str| messages::is::service_not_open(&name, at, why);
    let Some(at) = entry.listens_at() else {
        return Err(cannot(&entry.host, "it is no address"));
    };
    let tls = match entry.tls {
        ServiceTls::ClientAuth => Some(links.keyring()?.accepting(&entry.certificate)?),
        _ => None,
    };
    let door = Door::open(at, tls).await;
    let door = door.map_err(|e| cannot(&at.to_string(), &e.to_string()))?;
    let told = door.address().unwrap_or(at);
    links.operator.tell(messages::is::service_open(&name, told));
    let (own, service) = (links.clone(), entry.name);
    let serving = tokio::spawn(async move { serve(&own, &door, service).await });
    Ok(Open {
        at,
        tls: entry.tls,
        label: entry.certificate.clone(),
        serving,
    })
}

async fn serve(links: &Arc<Links>, door: &Door, service: [u8; 8]) {
    loop {
        let knocked = door.knock().await;
        let Ok(place) = links.strangers.clone().try_acquire_owned() else {
            let most = links.net.connections_max;
            links.complain(&messages::is::service_full(shown(&service), most));
            continue;
        };
        let (links, tls) = (links.clone(), door.tls());
        tokio::spawn(async move {
            match Came::greet(tls, knocked).await {
                Ok(came) => {
                    let (carrier, who) = came.divide();
                    // It ends with the caller; what went wrong concerns only this connection.
                    let _ = links
                        .serve(Stream::new(carrier), Way::Service(service, who))
                        .await;
                }
                Err(strange) => {
                    let (peer, name) = (strange.peer.ip(), shown(&service));
                    links.complain(&messages::is::not_secure(peer, name, strange.why));
                }
            }
            drop(place);
        });
    }
}
