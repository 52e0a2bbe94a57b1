//! TLS of terminals.
//!
//! What: a connector that trusts the certificates of a file, or any. Why any: a driver measures
//! servers with certificates of their own making, and sends them nothing secret. Not here: the
//! server's side.

use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    WebPkiSupportedAlgorithms, aws_lc_rs, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};

/// Begins TLS on connections to one host.
#[derive(Clone)]
pub(crate) struct Connector {
    connector: TlsConnector,
    name: ServerName<'static>,
}

impl Connector {
    /// `host` is HOST:PORT; `ca` a PEM file.
    ///
    /// # Errors
    /// The file or the host name cannot be used.
    pub(crate) fn new(host: &str, ca: Option<&Path>) -> Result<Self, String> {
        let host = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let host = host.trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(host).map_err(|e| e.to_string())?;
        let provider = Arc::new(aws_lc_rs::default_provider());
        let algorithms = provider.signature_verification_algorithms;
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| e.to_string())?;
        let config = match ca {
            Some(file) => builder.with_root_certificates(roots(file)?),
            None => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyCertificate(algorithms))),
        };
        Ok(Self {
            connector: TlsConnector::from(Arc::new(config.with_no_client_auth())),
            name,
        })
    }

    /// The handshake.
    pub(crate) async fn connect(
        &self,
        socket: TcpStream,
    ) -> Result<TlsStream<TcpStream>, std::io::Error> {
        self.connector.connect(self.name.clone(), socket).await
    }
}

fn roots(file: &Path) -> Result<RootCertStore, String> {
    let shown = file.display();
    let bytes = std::fs::read(file).map_err(|e| format!("{shown}: {e}"))?;
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_slice_iter(&bytes) {
        let certificate = certificate.map_err(|e| format!("{shown}: {e}"))?;
        roots
            .add(certificate)
            .map_err(|e| format!("{shown}: {e}"))?;
    }
    if roots.is_empty() {
        return Err(format!("{shown} holds no certificate"));
    }
    Ok(roots)
}

/// Takes any certificate, but only signatures that fit it.
#[derive(Debug)]
struct AnyCertificate(WebPkiSupportedAlgorithms);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.0)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.0)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_schemes()
    }
}
