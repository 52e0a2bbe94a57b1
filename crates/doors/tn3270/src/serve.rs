//! A bound listener and its sessions.

use crate::clients::Clients;
use crate::luname::LuNames;
use crate::session;
use crate::statistics::SessionCounts;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use transom_region_api::Region;
use transom_tcpip::{Limits, Listener, ListenerConfig, TcpError, Tls};

/// Longest sweep of the listener: sessions that may be idle for ever.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 86_400);

/// What to listen on and how to treat clients.
#[derive(Debug, Clone)]
pub struct Tn3270Config {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key. Without `start_tls` every connection begins with TLS.
    pub tls: Option<Tls>,
    /// Connections begin in the clear and must change to TLS by telnet option 46.
    pub start_tls: bool,
    /// Name the region shows in BIND images (APPLID).
    pub applid: String,
    /// Coded character set of terminals that name none.
    pub ccsid: u32,
    /// Connections at a time; more wait in the backlog.
    pub sessions_max: usize,
    /// From accept to logon.
    pub logon_time: Duration,
    /// A client that takes nothing of what was sent for so long is given up.
    pub write_time: Duration,
    /// A session without input ends after this long; `None`: never.
    pub idle_time: Option<Duration>,
    /// A client that is silent for so long gets a sign of life (NOP), so that one that vanished is
    /// found out by TCP and no firewall forgets it; `None`: never.
    pub keep_alive: Option<Duration>,
    /// The sign of life must be answered (TIMING-MARK) within this time, or the session ends;
    /// `None`: not.
    pub answer_time: Option<Duration>,
    /// Connections of one client address; 0: as many as there are.
    pub sessions_per_client_max: usize,
}

impl Tn3270Config {
    /// A listener without TLS and with the default limits.
    pub fn new(address: SocketAddr, applid: &str) -> Self {
        Self {
            address,
            tls: None,
            start_tls: false,
            applid: applid.to_owned(),
            ccsid: 37,
            sessions_max: 10_000,
            logon_time: Duration::from_secs(30),
            write_time: Duration::from_secs(60),
            idle_time: None,
            keep_alive: Some(Duration::from_secs(120)),
            answer_time: None,
            sessions_per_client_max: 0,
        }
    }
}

/// One TN3270 listener. Clones share it.
#[derive(Clone)]
pub struct Tn3270 {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) config: Tn3270Config,
    pub(crate) region: Arc<dyn Region>,
    pub(crate) names: Arc<LuNames>,
    pub(crate) clients: Arc<Clients>,
    pub(crate) counts: SessionCounts,
    listener: Listener,
}

impl Tn3270 {
    /// Binds.
    ///
    /// # Errors
    /// TXMTC0001E when the address cannot be listened on.
    pub fn bind(config: Tn3270Config, region: Arc<dyn Region>) -> Result<Self, TcpError> {
        let limits = Limits {
            connections: config.sessions_max,
            idle_time: FOR_EVER,
            ..Limits::default()
        };
        let listener = Listener::bind(ListenerConfig {
            address: config.address,
            tls: config.tls.clone().filter(|_| !config.start_tls),
            limits,
        })?;
        Ok(Self {
            shared: Arc::new(Shared {
                config,
                region,
                names: Arc::default(),
                clients: Arc::default(),
                counts: SessionCounts::default(),
                listener,
            }),
        })
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.shared.listener.address()
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        self.shared.listener.open()
    }

    /// Counters.
    pub fn counts(&self) -> &SessionCounts {
        &self.shared.counts
    }

    /// Accepts and serves sessions for ever. Spawn it on the runtime that also runs the region's
    /// pump: then a screen costs no change of thread.
    ///
    /// # Errors
    /// The runtime cannot watch the socket.
    pub async fn serve(self) -> std::io::Result<()> {
        let acceptor = self.shared.listener.acceptor()?;
        let reaper = self.shared.clone();
        tokio::spawn(async move { reaper.listener.reap().await });
        loop {
            let incoming = acceptor.accept().await;
            let shared = self.shared.clone();
            tokio::spawn(async move {
                // A client that fails its handshake or goes away concerns nobody else.
                if let Ok(connection) = incoming.open().await {
                    session::run(shared, connection).await;
                } else {
                    shared.counts.refused.add();
                }
            });
        }
    }

    /// Asks all sessions to end and waits for that, at most `time`; answers how many did not.
    pub async fn drain(&self, time: Duration) -> usize {
        self.shared.listener.drain(time).await
    }
}
