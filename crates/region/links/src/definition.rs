//! What a link goes by: an installed IPCONN or CONNECTION, in one form.
//!
//! What: who the other region is, how it is reached, how many conversations, whose authority its
//! requests have. An IPCONN stands in front of a CONNECTION of its name, as in CICS. Not here: what
//! may be installed (`region/wire`).

use std::collections::HashMap;
use std::sync::Mutex;
use transom_recovery::guard::lock;
use transom_region_ipic::Shown;
use transom_types::{Applid, SysId, UserId};
use transom_wire::definitions::{ConnectionEntry, DEFINITION, IpConnEntry, IpConnUser};
use transom_wire::{Shared, Space};

/// How another region is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// By its socket on this host.
    Host,
    /// Over TCP.
    Tcp {
        host: String,
        port: u16,
        /// Label of the certificate that is shown; `None`: no TLS.
        tls: Option<String>,
    },
    /// It comes here; from here nobody reaches it.
    Nowhere,
}

/// Whose authority requests of the other region have here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Authority {
    /// That of the user it says.
    Caller,
    /// That of the link; `None`: DFLTUSER.
    Link(Option<UserId>),
}

/// What the definition says of sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) sessions: Option<u16>,
    pub(crate) queue: Option<u16>,
    pub(crate) queue_seconds: Option<u16>,
}

/// How a caller came.
pub(crate) enum Way {
    /// By the socket of this region.
    Host,
    /// By a TCPIPSERVICE, with what it showed.
    Service([u8; 8], Shown),
}

/// One definition.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    pub(crate) name: SysId,
    pub(crate) applid: Applid,
    pub(crate) place: Place,
    pub(crate) in_service: bool,
    /// What the definition says, which SET changes.
    pub(crate) acquired: bool,
    /// Conversations that the other region may have here.
    pub(crate) receive: Option<u16>,
    pub(crate) limits: Limits,
    /// TCPIPSERVICE it comes in by; `None`: by the socket of this host.
    pub(crate) service: Option<[u8; 8]>,
    /// Whoever comes must have shown a certificate.
    pub(crate) secure: bool,
    authority: Authority,
    /// Where the definition lies.
    space: Space,
    key: Vec<u8>,
}

/// Systems with a definition, and whether it is in service, as they were read last: it is asked
/// with each command, and changes rarely.
#[derive(Default)]
pub(crate) struct Defined(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// What [`Shared::changes`] said when they were read.
    changes: [u64; 2],
    in_service: HashMap<SysId, bool>,
}

impl Defined {
    /// A definition is in service; `None`: there is none.
    pub(crate) fn find(&self, shared: &dyn Shared, name: SysId) -> Option<bool> {
        let changes = [Space::Connection, Space::IpConn].map(|space| shared.changes(space));
        let mut known = lock(&self.0);
        if known.changes != changes {
            known.in_service.clear();
            known.changes = changes;
        }
        if let Some(in_service) = known.in_service.get(&name) {
            return Some(*in_service);
        }
        let in_service = Definition::of(shared, name)?.in_service;
        known.in_service.insert(name, in_service);
        Some(in_service)
    }
}

impl Definition {
    /// All of them.
    pub(crate) fn all(shared: &dyn Shared) -> Vec<Self> {
        let over_tcp = IpConnEntry::all(shared).into_iter();
        let mut all: Vec<Self> = over_tcp.map(Self::of_ipconn).collect();
        for entry in ConnectionEntry::all(shared) {
            if !all.iter().any(|other| other.name == entry.name) {
                all.push(Self::of_connection(&entry, shared));
            }
        }
        all
    }

    /// The one that REMOTESYSTEM and SYSID mean.
    pub(crate) fn of(shared: &dyn Shared, system: SysId) -> Option<Self> {
        if let Some(entry) = IpConnEntry::to(shared, system) {
            return Some(Self::of_ipconn(entry));
        }
        let entry = ConnectionEntry::to(shared, system)?;
        Some(Self::of_connection(&entry, shared))
    }

    fn of_connection(entry: &ConnectionEntry, shared: &dyn Shared) -> Self {
        let (sessions, receive) = entry.counts(shared);
        Self {
            name: entry.name,
            applid: entry.applid(),
            place: Place::Host,
            in_service: entry.in_service,
            acquired: entry.acquired,
            receive,
            limits: Limits {
                sessions,
                queue: entry.queue_limit,
                queue_seconds: entry.max_queue_seconds,
            },
            service: None,
            secure: false,
            authority: match entry.identify {
                true => Authority::Caller,
                false => Authority::Link(entry.security_name),
            },
            space: Space::Connection,
            key: entry.name.as_bytes().to_vec(),
        }
    }

    fn of_ipconn(entry: IpConnEntry) -> Self {
        let tls = entry.tls.then(|| entry.certificate.clone());
        Self {
            name: entry.system(),
            applid: entry.applid(),
            place: match entry.port {
                0 => Place::Nowhere,
                port => Place::Tcp {
                    host: entry.host.clone(),
                    port,
                    tls,
                },
            },
            in_service: entry.in_service,
            acquired: entry.acquired,
            receive: Some(entry.receive_count),
            limits: Limits {
                sessions: Some(entry.send_count),
                queue: entry.queue_limit,
                queue_seconds: entry.max_queue_seconds,
            },
            service: Some(entry.service),
            secure: entry.tls,
            authority: match entry.user {
                IpConnUser::Identify => Authority::Caller,
                IpConnUser::Default => Authority::Link(None),
                IpConnUser::Local | IpConnUser::Verify => Authority::Link(entry.security_name),
            },
            space: Space::IpConn,
            key: entry.name.to_vec(),
        }
    }

    /// Whose authority a mirror has; `None`: DFLTUSER.
    pub(crate) fn user(&self, caller: UserId) -> Option<UserId> {
        match self.authority {
            Authority::Caller => Some(caller).filter(|user| !user.is_blank()),
            Authority::Link(user) => user,
        }
    }

    /// Writes into the definition whether the other region answers.
    pub(crate) fn show(&self, shared: &dyn Shared, acquired: bool) {
        shared.with_group(self.space, &self.key, &mut |group| {
            let Some(bytes) = group.get(DEFINITION) else {
                return;
            };
            let shown = match self.space {
                Space::IpConn => {
                    IpConnEntry::decode(bytes).map(|now| IpConnEntry { acquired, ..now }.encode())
                }
                _ => ConnectionEntry::decode(bytes)
                    .map(|now| ConnectionEntry { acquired, ..now }.encode()),
            };
            if let Some(shown) = shown {
                // No more storage than before.
                let _ = group.put(DEFINITION, &shown);
            }
        });
    }
}

/// The name of a TCPIPSERVICE without blanks.
pub(crate) fn shown(name: &[u8; 8]) -> String {
    String::from_utf8_lossy(name).trim_end().to_owned()
}
