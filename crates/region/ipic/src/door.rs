//! Where regions come in over TCP: one open TCPIPSERVICE.
//!
//! What: a listener, the handshake with whoever connects, and who that is. Why the name is asked
//! for later: a region says its APPLID in its first frame, and only then it is known which name its
//! certificate must have. Not here: frames (`region/links`).

use crate::connect::{Reached, prepare};
use crate::name_of;
use rustls::ServerConfig;
use rustls::pki_types::CertificateDer;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use transom_types::Applid;
use webpki::EndEntityCert;

/// Time for a handshake.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Pause after a connection that could not be taken: no descriptors, most likely.
const PAUSE: Duration = Duration::from_millis(100);

/// An open service.
pub struct Door {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
}

/// Who came.
pub struct Came {
    carrier: Reached,
    /// What it showed; `None`: there is no TLS.
    certificate: Option<CertificateDer<'static>>,
}

/// Who did not get in.
#[derive(Debug)]
pub struct Strange {
    /// Where it came from.
    pub peer: SocketAddr,
    /// Why.
    pub why: io::Error,
}

impl Door {
    /// Listens.
    ///
    /// # Errors
    /// The address cannot be had.
    pub async fn open(at: SocketAddr, tls: Option<Arc<ServerConfig>>) -> io::Result<Self> {
        let listener = TcpListener::bind(at).await?;
        let tls = tls.map(TlsAcceptor::from);
        Ok(Self { listener, tls })
    }

    /// Where.
    ///
    /// # Errors
    /// The socket is gone.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The next connection, before its handshake.
    pub async fn knock(&self) -> (TcpStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok(accepted) => return accepted,
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// What does the handshake of a connection, apart from the listener.
    pub fn tls(&self) -> Option<TlsAcceptor> {
        self.tls.clone()
    }
}

impl Came {
    /// Does the handshake.
    ///
    /// # Errors
    /// No TLS, no certificate, one of another authority, or too slow.
    pub async fn greet(
        tls: Option<TlsAcceptor>,
        (stream, peer): (TcpStream, SocketAddr),
    ) -> Result<Self, Strange> {
        let strange = |why| Strange { peer, why };
        prepare(&stream).map_err(strange)?;
        let Some(tls) = tls else {
            return Ok(Self {
                carrier: Box::new(stream),
                certificate: None,
            });
        };
        let shaken = tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await;
        let late = |_| io::Error::from(io::ErrorKind::TimedOut);
        let stream = shaken
            .map_err(late)
            .and_then(|done| done)
            .map_err(strange)?;
        let shown = stream.get_ref().1.peer_certificates();
        let first = shown.and_then(|all| all.first()).cloned();
        let none = || io::Error::other("it showed no certificate");
        let certificate = first.ok_or_else(none).map_err(strange)?;
        Ok(Self {
            carrier: Box::new(stream),
            certificate: Some(certificate),
        })
    }

    /// What says later who it may be, and the connection.
    pub fn divide(self) -> (Reached, Shown) {
        (self.carrier, Shown(self.certificate))
    }
}

/// A certificate that was shown, or none.
pub struct Shown(Option<CertificateDer<'static>>);

impl Shown {
    /// There was one.
    pub fn is_secure(&self) -> bool {
        self.0.is_some()
    }

    /// It has the name of this region. Without TLS nothing says otherwise.
    pub fn may_be(&self, applid: Applid) -> bool {
        let Some(certificate) = &self.0 else {
            return true;
        };
        name_of(applid).is_some_and(|name| {
            EndEntityCert::try_from(certificate)
                .is_ok_and(|known| known.verify_is_valid_for_subject_name(&name).is_ok())
        })
    }
}
