//! What a listener listens on and how it treats clients.

use std::net::SocketAddr;
use std::time::Duration;
use transom_settings::TerminalSettings;
use transom_tcpip::Tls;

/// What to listen on and how to treat clients.
#[derive(Debug, Clone)]
pub struct Tn3270Config {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key. Without `start_tls` every connection begins with TLS.
    pub tls: Option<Tls>,
    /// Name the region shows in BIND images (APPLID).
    pub applid: String,
    /// A client that takes nothing of what was sent for so long is given up.
    pub write_time: Duration,
    /// How clients are treated: [terminals] without its ports, address and certificate.
    pub settings: TerminalSettings,
}

impl Tn3270Config {
    /// A listener without TLS and with the default settings.
    pub fn new(address: SocketAddr, applid: &str) -> Self {
        Self {
            address,
            tls: None,
            applid: applid.to_owned(),
            write_time: Duration::from_secs(60),
            settings: TerminalSettings::default(),
        }
    }
}
