//! TLS from this end: whom a client of ours believes.
//!
//! What: certificates of servers are checked against those of a PEM file, names included. Why no
//! list of the system: who is called is said in a configuration, and so is whom to believe. Not
//! here: what is sent.

use crate::TcpError;
use crate::tls::read_own;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use transom_messages as messages;

/// Most bytes of a file of certificates.
const TRUST_BYTES: u64 = 1024 * 1024;

/// Connects with TLS.
#[derive(Clone)]
pub struct ClientTls(TlsConnector);

impl fmt::Debug for ClientTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientTls")
    }
}

impl ClientTls {
    /// Believes servers whose certificates are in the file, or were issued by one in it.
    ///
    /// # Errors
    /// TXMTC0002E when the file cannot be read or holds no certificate.
    pub fn trusting(file: &Path) -> Result<Self, TcpError> {
        let config = config(file, None, rustls::DEFAULT_VERSIONS)?;
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }

    /// Does the handshake with the server of a name.
    ///
    /// # Errors
    /// Its certificate is none of those believed, or not of this name.
    pub async fn connect(&self, host: &str, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let name = ServerName::try_from(host.to_owned());
        let name = name.map_err(|e| io::Error::new(io::ErrorKind::InvalidInput, e))?;
        self.0.connect(name, stream).await
    }
}

/// Believes servers by a file of certificates, and shows one of its own if it has one.
pub(crate) fn config(
    file: &Path,
    own: Option<&Path>,
    versions: &[&'static SupportedProtocolVersion],
) -> Result<ClientConfig, TcpError> {
    let unusable = |why: &dyn fmt::Display| {
        TcpError::new(messages::tc::key_store_not_usable(file.display(), why))
    };
    let meta = std::fs::metadata(file).map_err(|e| unusable(&e))?;
    if meta.len() > TRUST_BYTES {
        return Err(unusable(&format_args!(
            "it is longer than {TRUST_BYTES} bytes"
        )));
    }
    let bytes = std::fs::read(file).map_err(|e| unusable(&e))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|e| unusable(&e))?;
        roots.add(certificate).map_err(|e| unusable(&e))?;
    }
    if roots.is_empty() {
        return Err(unusable(&"it holds no certificate"));
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .map_err(|e| unusable(&e))?
        .with_root_certificates(roots);
    match own {
        None => Ok(builder.with_no_client_auth()),
        Some(file) => {
            let (chain, key) = read_own(&[file.to_owned()])?;
            let config = builder.with_client_auth_cert(chain, key);
            config.map_err(|e| crate::tls::unusable(file, e))
        }
    }
}
