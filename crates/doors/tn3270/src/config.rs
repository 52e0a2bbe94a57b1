//! What a listener listens on and how it treats clients.

use std::net::SocketAddr;
use std::time::Duration;
use transom_tcpip::Tls;

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
