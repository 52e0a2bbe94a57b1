//! A bound listener.

use crate::serve;
use crate::shared::{Desk, Shared};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use transom_http::{AccessLog, Logons};
use transom_messages::{Operator, Source};
use transom_tcpip::{Listener, ListenerCounters};

/// One listener. Clones share it.
#[derive(Clone)]
pub struct Dbrest {
    shared: Arc<Shared>,
}

impl Dbrest {
    pub(crate) fn new(
        listener: Listener,
        desk: Desk,
        (operator, access): (Operator, Option<AccessLog>),
    ) -> Self {
        Self {
            shared: Arc::new(Shared {
                logons: Logons::new(desk.users.clone()),
                listener,
                desk,
                operator: operator.of(Source::Door),
                access,
            }),
        }
    }

    /// What its requests share.
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.shared.listener.address()
    }

    /// It is HTTPS.
    pub fn secure(&self) -> bool {
        self.shared.listener.secure()
    }

    /// Counters of the listener.
    pub fn listener_counters(&self) -> &Arc<ListenerCounters> {
        self.shared.listener.counters()
    }

    /// Accepts and serves for ever.
    ///
    /// # Errors
    /// The runtime cannot watch the socket.
    pub async fn serve(self) -> std::io::Result<()> {
        let reaper = self.shared.listener.clone();
        tokio::spawn(async move { reaper.reap().await });
        serve::accept(self.shared).await
    }

    /// Asks all connections to finish and waits for that, at most `time`; answers how many did not.
    pub async fn drain(&self, time: Duration) -> usize {
        self.shared.listener.drain(time).await
    }
}

/// The answer for whose connection there is no room, as it travels.
pub(crate) fn no_room() -> Vec<u8> {
    let body = r#"{"StatusCode":503,"StatusDescription":"Too many connections."}"#;
    format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: \
         1\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
