//! TLS as somebody uses it who drives it himself: settings for both ends, without sockets.
//!
//! What: what a redirector needs to accept terminals and to connect to hosts. Why apart from
//! [`Tls`](crate::Tls): a terminal's session lasts all day, so nothing is kept to take a session up
//! again and every handshake proves both ends anew; and there is no HTTP to agree on. Not here: the
//! handshake.

use crate::TcpError;
use crate::client;
use crate::revoked::ran_out;
use crate::tls::{Own, read_key_store, read_own, trusted, unusable};
use crate::trust::{ClientTrust, Trusted};
use rustls::SupportedProtocolVersion;
use rustls::client::Resumption;
use rustls::pki_types::UnixTime;
use rustls::server::NoServerSessionStorage;
use rustls::server::danger::ClientCertVerifier;
use rustls::version::{TLS12, TLS13};
use rustls::{CertificateError, ClientConfig, CommonState, Error, ServerConfig};
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock};

/// Versions of TLS from the one named on.
const NEWER: &[&SupportedProtocolVersion] = &[&TLS13];
const BOTH: &[&SupportedProtocolVersion] = &[&TLS13, &TLS12];

/// Accepts terminals.
pub struct TerminalTls {
    own: Own,
    versions: &'static [&'static SupportedProtocolVersion],
    trusted: Option<Trusted>,
    now: RwLock<Now>,
    changes: AtomicU64,
}

/// What handshakes go by now.
#[derive(Clone)]
struct Now {
    config: Arc<ServerConfig>,
    verifier: Option<Arc<dyn ClientCertVerifier>>,
}

impl fmt::Debug for TerminalTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TerminalTls")
    }
}

impl TerminalTls {
    /// Reads certificate and key, and whose certificates clients may show. `only_13`: no TLS 1.2.
    ///
    /// # Errors
    /// As of [`Tls::with_clients`](crate::Tls::with_clients).
    pub fn new(file: &Path, clients: Option<ClientTrust>, only_13: bool) -> Result<Self, TcpError> {
        let own = read_own(&[file.to_owned()])?;
        let versions = versions(only_13);
        let (trusted, verifier) = trusted(clients)?.unzip();
        let config = accepting(&own, versions, verifier.clone());
        let config = config.map_err(|e| unusable(file, e))?;
        Ok(Self {
            own,
            versions,
            trusted,
            now: RwLock::new(Now { config, verifier }),
            changes: AtomicU64::new(0),
        })
    }

    /// What the next handshake goes by. Looks whether it is decided otherwise now which
    /// certificates of clients are taken.
    pub fn config(&self) -> Arc<ServerConfig> {
        let changed = self.trusted.as_ref();
        if let Some(verifier) = changed.and_then(|t| t.changed(read_key_store))
            && let Ok(config) = accepting(&self.own, self.versions, Some(verifier.clone()))
        {
            let verifier = Some(verifier);
            *self.now.write().unwrap_or_else(PoisonError::into_inner) = Now { config, verifier };
            self.changes.fetch_add(1, Relaxed);
        }
        self.now().config
    }

    fn now(&self) -> Now {
        let now = self.now.read();
        now.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Clients may show certificates.
    pub fn asks(&self) -> bool {
        self.trusted.is_some()
    }

    /// How often it was decided anew whose certificates are taken. Looks whether it is.
    pub fn changes(&self) -> u64 {
        self.config();
        self.changes.load(Relaxed)
    }

    /// Why the certificate that the client of a connection has shown would not be taken now: its
    /// authority has revoked it, or is none any more. One that ran out meanwhile stays.
    pub fn withdrawn(&self, connection: &CommonState) -> Option<&'static str> {
        let verifier = self.now().verifier?;
        let (first, others) = connection.peer_certificates()?.split_first()?;
        match verifier.verify_client_cert(first, others, UnixTime::now()) {
            Err(Error::InvalidCertificate(CertificateError::Revoked)) => Some("it is revoked"),
            Err(Error::InvalidCertificate(CertificateError::UnknownIssuer)) => {
                Some("no known authority has signed it")
            }
            _ => None,
        }
    }

    /// A handshake failed: tells the operator when it was for the client's certificate.
    pub fn failed(&self, error: &Error, client: SocketAddr) {
        if let Some(trusted) = &self.trusted {
            trusted.refused(error, client);
        }
    }

    /// When the certificate ran out, if it did.
    pub fn expired(&self) -> Option<String> {
        ran_out(&self.own.0).map(|until| until.to_string())
    }

    /// Connects to hosts whose certificates are in `trust`, or issued by one in it, and shows that
    /// of `own`.
    ///
    /// # Errors
    /// TXMTC0002E when a file cannot be read or holds no certificate.
    pub fn connecting(
        trust: &Path,
        own: Option<&PathBuf>,
        only_13: bool,
    ) -> Result<Arc<ClientConfig>, TcpError> {
        let own = own.map(PathBuf::as_path);
        let mut config = client::config(trust, own, versions(only_13))?;
        config.resumption = Resumption::disabled();
        Ok(Arc::new(config))
    }
}

fn versions(only_13: bool) -> &'static [&'static SupportedProtocolVersion] {
    if only_13 { NEWER } else { BOTH }
}

fn accepting(
    (chain, key): &Own,
    versions: &[&'static SupportedProtocolVersion],
    verifier: Option<Arc<dyn ClientCertVerifier>>,
) -> Result<Arc<ServerConfig>, Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_protocol_versions(versions)?;
    let builder = match verifier {
        Some(verifier) => builder.with_client_cert_verifier(verifier),
        None => builder.with_no_client_auth(),
    };
    let mut config = builder.with_single_cert(chain.clone(), key.clone_key())?;
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    Ok(Arc::new(config))
}
