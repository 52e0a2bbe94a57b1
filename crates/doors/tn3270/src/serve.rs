//! A bound listener and its sessions.

use crate::config::Tn3270Config;
use crate::negotiation::telnet_line;
use crate::session;
use crate::shared::Shared;
use crate::statistics::SessionCounts;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use transom_messages as messages;
use transom_region_api::Terminals;
use transom_tcpip::{Limits, Listener, ListenerConfig, ListenerCounters, TcpError};

/// Longest sweep of the listener: sessions that may be idle for ever.
const FOR_EVER: Duration = Duration::from_secs(100 * 365 * 86_400);

/// One TN3270 listener. Clones share it.
#[derive(Clone)]
pub struct Tn3270 {
    shared: Arc<Shared>,
    listener: Listener,
}

impl Tn3270 {
    /// Binds.
    ///
    /// # Errors
    /// TXMTC0001E when the address cannot be listened on.
    pub fn bind(config: Tn3270Config, region: Arc<dyn Terminals>) -> Result<Self, TcpError> {
        let most = config.settings.max_sessions;
        let limits = Limits {
            connections: config.settings.max_sessions,
            // Counted by the session, which has another bound and words of its own.
            per_client: 0,
            idle_time: FOR_EVER,
            ..Limits::default()
        };
        let listener = Listener::bind(ListenerConfig {
            address: config.address,
            tls: config.tls.clone().filter(|_| !config.settings.start_tls),
            limits,
            refusal: telnet_line(&messages::zc::most_sessions(most)).into_bytes(),
        })?;
        Ok(Self {
            shared: Arc::new(Shared {
                config,
                region,
                names: Arc::default(),
                clients: Arc::default(),
                counts: SessionCounts::default(),
            }),
            listener,
        })
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        self.listener.open()
    }

    /// Counters of the listener.
    pub fn listener_counters(&self) -> &Arc<ListenerCounters> {
        self.listener.counters()
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
        let acceptor = self.listener.acceptor()?;
        let reaper = self.listener.clone();
        tokio::spawn(async move { reaper.reap().await });
        loop {
            let incoming = acceptor.accept().await;
            let begin = Box::pin(session::begin(self.shared.clone(), incoming));
            tokio::spawn(async move {
                // A client that fails its handshake or goes away concerns nobody else.
                if let Some(begun) = begin.await {
                    session::serve(begun).await;
                }
            });
        }
    }

    /// Asks all sessions to end and waits for that, at most `time`; answers how many did not.
    pub async fn drain(&self, time: Duration) -> usize {
        self.listener.drain(time).await
    }
}
