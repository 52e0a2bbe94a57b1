//! `[terminals]` as listeners.
//!
//! What: which ports there are, with which certificate, and whose certificates clients may show.
//! Not here: a connection (`session`).

use crate::config::Tn3270Config;
use crate::serve::Tn3270;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_messages::{self as messages, Message, Operator, Source};
use transom_region_api::Terminals;
use transom_settings::TerminalSettings;
use transom_tcpip::{ClientTrust, TcpError, Tls, create_self_signed};

/// `client_certificates`: every client shows one.
const REQUIRED: &str = "REQUIRED";

/// What listeners are made of.
pub struct Plan<'a> {
    /// `[terminals]`.
    pub settings: &'a TerminalSettings,
    /// The folder its files are below.
    pub root: &'a Path,
    /// Certificate that is made when TLS is wanted and none is named.
    pub own_certificate: PathBuf,
    /// APPLID.
    pub applid: &'a str,
    /// Ports in place of those of the table, without TLS and with it.
    pub ports: (Option<u16>, Option<u16>),
    /// Is told of certificates that are made, and of clients that are refused.
    pub operator: Operator,
}

/// Why there is no listener.
#[derive(Debug)]
pub enum NoListener {
    /// The table asks for what cannot be.
    Settings(Message),
    /// A port or a file.
    Tcp(TcpError),
}

impl fmt::Display for NoListener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(message) => message.fmt(f),
            Self::Tcp(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoListener {}

impl From<TcpError> for NoListener {
    fn from(error: TcpError) -> Self {
        Self::Tcp(error)
    }
}

/// Binds what the table wants.
///
/// # Errors
/// A port that cannot be listened on, a certificate that cannot be used, certificates of clients
/// that a port without TLS would not see.
pub fn listeners(plan: &Plan<'_>, region: &Arc<dyn Terminals>) -> Result<Vec<Tn3270>, NoListener> {
    let table = plan.settings;
    let plain = plan.ports.0.or(table.port);
    let secure = plan.ports.1.or(table.tls_port);
    let clear = plain.filter(|_| !table.start_tls);
    if table.client_certificates == REQUIRED && (table.client_ca.is_none() || clear.is_some()) {
        let message = messages::zc::certificates_without_tls();
        return Err(NoListener::Settings(message));
    }
    let tls = match table.start_tls || secure.is_some() {
        true => Some(plan.tls()?),
        false => None,
    };
    let config = |port| {
        let address = SocketAddr::new(table.address, port);
        let mut config = Tn3270Config::new(address, plan.applid);
        config.settings = table.clone();
        config
    };
    let mut wanted = Vec::new();
    if let Some(port) = plain {
        let mut config = config(port);
        config.tls = tls.clone().filter(|_| table.start_tls);
        wanted.push(config);
    }
    if let Some(port) = secure {
        let mut config = config(port);
        config.settings.start_tls = false;
        config.tls = tls;
        wanted.push(config);
    }
    let bound = wanted
        .into_iter()
        .map(|config| Tn3270::bind(config, region.clone()));
    Ok(bound.collect::<Result<_, _>>()?)
}

impl Plan<'_> {
    /// The named certificate, or one of our own that is made at the first start.
    fn tls(&self) -> Result<Tls, TcpError> {
        let file = match &self.settings.certificate {
            Some(name) => self.root.join(name),
            None => {
                let own = &self.own_certificate;
                if !own.exists() {
                    create_self_signed(own, &["localhost", "127.0.0.1"])?;
                    let made = messages::tc::certificate_made("localhost", own.display());
                    self.operator.tell(made);
                }
                own.clone()
            }
        };
        match self.clients() {
            Some(clients) => Tls::with_clients(&[file], clients),
            None => Tls::from_pem_files(&[file]),
        }
    }

    /// Whose certificates clients may show.
    fn clients(&self) -> Option<ClientTrust> {
        Some(ClientTrust {
            file: self.root.join(self.settings.client_ca.as_ref()?),
            required: self.settings.client_certificates == REQUIRED,
            operator: self.operator.of(Source::Door),
        })
    }
}
