//! TLS to the server.
//!
//! What: `sslmode` and `sslrootcert` of a connection string, as programs that use libpq know them,
//! and the handshake. `prefer` and `require` encrypt without looking at the certificate;
//! `verify-ca` looks at who signed it, `verify-full` at the name, too; `require` with `sslrootcert`
//! is `verify-ca`. `sslrootcert=system` are the certificates of the machine. Other than in libpq
//! the default is `verify-full` with those, but for servers on this machine, where it is `prefer`:
//! records must not cross a network in clear because nobody thought of it. Not here: client
//! certificates, channel binding.

use std::fmt;
use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::config::{Config, Host, SslMode};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{
    HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier,
};
use tokio_rustls::rustls::crypto::{
    CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature,
};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme,
};
use transom_recovery::StoreError;

/// Where Debian, and most others, keep the certificates of the machine.
const SYSTEM_ROOTS: &str = "/etc/ssl/certs/ca-certificates.crt";

/// Makes connections of a store secure, as its connection string says.
#[derive(Clone)]
pub struct Tls {
    config: Arc<ClientConfig>,
}

/// A connection string in two parts.
pub fn read(connect: &str) -> Result<(Config, Tls), StoreError> {
    let (rest, mode, roots) = take_options(connect);
    let wrong =
        |text: String| StoreError::Wrong(format!("connection string of PostgreSQL: {text}"));
    let mut config: Config = rest.parse().map_err(|e: tokio_postgres::Error| {
        let detail =
            std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
        wrong(detail)
    })?;
    let near = Near::of(&config);
    let mode = match (mode.as_deref(), near) {
        (None, Near::Elsewhere) => "verify-full",
        (None, _) => "prefer",
        (Some(mode), _) => mode,
    };
    let (ssl_mode, name, chain) = match (mode, &roots) {
        ("disable", _) => (SslMode::Disable, false, false),
        ("prefer" | "allow", _) => (SslMode::Prefer, false, false),
        ("require", None) => (SslMode::Require, false, false),
        ("require" | "verify-ca", _) => (SslMode::Require, false, true),
        ("verify-full", _) => (SslMode::Require, true, true),
        (other, _) => return Err(wrong(format!("sslmode {other} is not known"))),
    };
    // A socket of this machine needs no TLS, and has no name to check.
    config.ssl_mode(match near {
        Near::Socket => SslMode::Disable,
        Near::Loopback | Near::Elsewhere => ssl_mode,
    });
    let roots = match (chain, roots) {
        (false, _) => None,
        (true, Some(path)) if path == "system" => Some(SYSTEM_ROOTS.to_owned()),
        (true, Some(path)) => Some(path),
        (true, None) if mode == "verify-full" => Some(SYSTEM_ROOTS.to_owned()),
        (true, None) => return Err(wrong("sslrootcert is needed for this sslmode".to_owned())),
    };
    let config_of_tls = client_config(roots.as_deref(), name).map_err(|e| wrong(e.to_string()))?;
    let tls = Tls {
        config: Arc::new(config_of_tls),
    };
    Ok((config, tls))
}

/// How far the servers of a connection string are away; the farthest one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Near {
    /// Sockets of this machine; those are also the default of a string without hosts.
    Socket,
    Loopback,
    Elsewhere,
}

impl Near {
    /// An address counts before the name of its host: the connection goes there.
    fn of(config: &Config) -> Self {
        let addresses = config.get_hostaddrs();
        let sockets = |host: &Host| matches!(host, Host::Unix(_));
        let loopback = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                let address = name.parse::<IpAddr>().is_ok_and(|a| a.is_loopback());
                address || name.eq_ignore_ascii_case("localhost")
            }
        };
        match addresses {
            [] if config.get_hosts().iter().all(sockets) => Self::Socket,
            [] if config.get_hosts().iter().all(loopback) => Self::Loopback,
            [_, ..] if addresses.iter().all(IpAddr::is_loopback) => Self::Loopback,
            _ => Self::Elsewhere,
        }
    }
}

/// Why a connection cannot be secured as its string says.
#[derive(Debug)]
enum TlsError {
    /// The protocol versions of rustls.
    Versions(Error),
    /// The file of `sslrootcert`, and what is wrong with it.
    Roots(String, String),
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Versions(error) => error.fmt(f),
            Self::Roots(path, why) => write!(f, "sslrootcert {path}: {why}"),
        }
    }
}

fn client_config(roots: Option<&str>, name: bool) -> Result<ClientConfig, TlsError> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let chain = match roots {
        Some(path) => Some(chain_verifier(path, &provider)?),
        None => None,
    };
    let verifier = Verifier {
        chain,
        name,
        provider: provider.clone(),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Versions)?;
    Ok(builder
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth())
}

fn chain_verifier(
    path: &str,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<WebPkiServerVerifier>, TlsError> {
    let failed = |e: &dyn fmt::Display| TlsError::Roots(path.to_owned(), e.to_string());
    let mut store = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(path).map_err(|e| failed(&e))? {
        store
            .add(certificate.map_err(|e| failed(&e))?)
            .map_err(|e| failed(&e))?;
    }
    WebPkiServerVerifier::builder_with_provider(Arc::new(store), provider.clone())
        .build()
        .map_err(|e| failed(&e))
}

/// Takes `sslmode` and `sslrootcert` out of a connection string.
fn take_options(connect: &str) -> (String, Option<String>, Option<String>) {
    let (mut mode, mut roots) = (None, None);
    let mut keep = |key: &str, value: &str| match key {
        "sslmode" => {
            mode = Some(value.to_owned());
            false
        }
        "sslrootcert" => {
            roots = Some(value.to_owned());
            false
        }
        _ => true,
    };
    let url = connect.starts_with("postgres://") || connect.starts_with("postgresql://");
    let rest = if url {
        let (place, query) = connect.split_once('?').unwrap_or((connect, ""));
        let kept: Vec<&str> = query
            .split('&')
            .filter(|pair| {
                let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
                !pair.is_empty() && keep(key, &value.replace("%2F", "/"))
            })
            .collect();
        match kept.is_empty() {
            true => place.to_owned(),
            false => format!("{place}?{}", kept.join("&")),
        }
    } else {
        let kept = pairs(connect).into_iter().filter(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            keep(key.trim(), value.trim().trim_matches('\''))
        });
        kept.collect::<Vec<_>>().join(" ")
    };
    (rest, mode, roots)
}

/// `key=value` pairs; a value in quotes may contain blanks.
fn pairs(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut quoted, mut escaped) = (None, false, false);
    for (at, c) in text.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match c {
            '\\' => escaped = true,
            '\'' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => {
                found.extend(start.take().and_then(|s: usize| text.get(s..at)));
                continue;
            }
            _ => {}
        }
        start.get_or_insert(at);
    }
    found.extend(start.and_then(|s| text.get(s..)));
    found
}

/// Looks at a certificate as far as `sslmode` says.
#[derive(Debug)]
struct Verifier {
    chain: Option<Arc<WebPkiServerVerifier>>,
    name: bool,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chain) = &self.chain else {
            return Ok(ServerCertVerified::assertion());
        };
        let looked =
            chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now);
        match looked {
            // The chain was looked at before the name.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.name => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, cert, dss, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, cert, dss, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider
            .signature_verification_algorithms
            .supported_schemes()
    }
}

/// One handshake to be done.
pub struct Handshake {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

/// An encrypted connection.
pub struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

impl<S> MakeTlsConnect<S> for Tls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = io::Error;

    fn make_tls_connect(&mut self, domain: &str) -> io::Result<Handshake> {
        // A socket of this machine has no name; nothing is encrypted there.
        let name = if domain.is_empty() {
            "localhost"
        } else {
            domain
        };
        let name = ServerName::try_from(name.to_owned());
        Ok(Handshake {
            config: self.config.clone(),
            name: name.map_err(io::Error::other)?,
        })
    }
}

impl<S> TlsConnect<S> for Handshake
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        let connector = TlsConnector::from(self.config);
        Box::pin(async move { connector.connect(self.name, stream).await.map(Encrypted) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_tls_are_read_as_libpq_reads_them() {
        let (rest, mode, roots) =
            take_options("host=db sslmode=verify-full password='a b' sslrootcert='/etc/my ca.pem'");
        assert_eq!(rest, "host=db password='a b'");
        assert_eq!(mode.as_deref(), Some("verify-full"));
        assert_eq!(roots.as_deref(), Some("/etc/my ca.pem"));
        let (rest, mode, _) = take_options("postgres://u@h/db?sslmode=require&connect_timeout=3");
        assert_eq!(rest, "postgres://u@h/db?connect_timeout=3");
        assert_eq!(mode.as_deref(), Some("require"));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for (connect, part) in [
            ("host=db sslmode=verify-ca", "sslrootcert is needed"),
            ("host=db sslmode=sometimes", "sslmode sometimes"),
            ("host=db sslmode=verify-ca sslrootcert=/no/such", "/no/such"),
            ("host", "connection string"),
        ] {
            let error = read(connect).err().map(|e| e.to_string());
            assert!(
                error.as_ref().is_some_and(|e| e.contains(part)),
                "{error:?}"
            );
        }
        let (config, _) = read("host=/tmp sslmode=require").unwrap();
        assert_eq!(config.get_ssl_mode(), SslMode::Disable);
    }

    #[test]
    fn records_leave_this_machine_encrypted() {
        for (connect, near) in [
            ("user=u", Near::Socket),
            ("host=/tmp user=u", Near::Socket),
            ("host=localhost", Near::Loopback),
            ("host=127.0.0.1,/tmp", Near::Loopback),
            ("hostaddr=127.0.0.1", Near::Loopback),
            ("host=db", Near::Elsewhere),
            ("host=/tmp,db", Near::Elsewhere),
            ("hostaddr=10.0.0.5", Near::Elsewhere),
            ("host=localhost hostaddr=10.0.0.5", Near::Elsewhere),
        ] {
            assert_eq!(Near::of(&connect.parse().unwrap()), near, "{connect}");
        }
        for (connect, mode) in [
            ("hostaddr=10.0.0.5 sslmode=require", SslMode::Require),
            ("hostaddr=10.0.0.5 sslmode=prefer", SslMode::Prefer),
            ("host=localhost", SslMode::Prefer),
            ("host=db sslmode=disable", SslMode::Disable),
        ] {
            let (config, _) = read(connect).unwrap();
            assert_eq!(config.get_ssl_mode(), mode, "{connect}");
        }
        // Without a word a server elsewhere must show a certificate that somebody known signed.
        let roots = tempfile::tempdir().unwrap();
        let file = roots.path().join("roots.pem");
        let signed = rcgen::generate_simple_self_signed(["db".to_owned()]).unwrap();
        std::fs::write(&file, signed.cert.pem()).unwrap();
        let (config, tls) = read(&format!("host=db sslrootcert={}", file.display())).unwrap();
        assert_eq!(config.get_ssl_mode(), SslMode::Require);
        let shown = format!("{:?}", tls.config);
        assert!(shown.contains("name: true"), "{shown}");
    }
}
