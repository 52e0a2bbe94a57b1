//! Certificates of clients: which are believed, and what becomes of others.
//!
//! What: a client proves to have the key of a certificate that an authority of ours has signed,
//! that is in date and not revoked. Why here: the handshake of every door decides it alike, before
//! a byte of a protocol is read. Not here: which user a certificate stands for.

use crate::TcpError;
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{CertificateError, Error};
use sha2::{Digest, Sha256};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_rustls::rustls::ServerConnection;
use transom_messages::{self as messages, Operator};
use transom_types::ClientCertificate;

/// Refused clients told in a minute; the others are counted.
const TOLD_PER_MINUTE: u32 = 5;
const MINUTE: Duration = Duration::from_secs(60);

/// Whose certificates a listener takes.
#[derive(Debug, Clone)]
pub struct ClientTrust {
    /// PEM file with certificates of authorities, and lists of what they have revoked.
    pub file: PathBuf,
    /// Who shows no certificate is refused.
    pub required: bool,
    /// Is told who is refused.
    pub operator: Operator,
}

/// The same, ready for handshakes.
pub(crate) struct Trusted {
    verifier: Arc<dyn ClientCertVerifier>,
    operator: Operator,
    told: Mutex<Told>,
}

struct Told {
    since: Instant,
    count: u32,
}

impl Trusted {
    /// Takes the bytes of the file.
    ///
    /// # Errors
    /// It has no authority, or one that cannot be used.
    pub(crate) fn new(trust: ClientTrust, pem: &[u8]) -> Result<Self, TcpError> {
        let file = trust.file.clone();
        let unusable = |why: &dyn std::fmt::Display| {
            TcpError::new(messages::tc::key_store_not_usable(file.display(), why))
        };
        let mut roots = RootCertStore::empty();
        for authority in CertificateDer::pem_slice_iter(pem) {
            let authority = authority.map_err(|e| unusable(&e))?;
            roots.add(authority).map_err(|e| unusable(&e))?;
        }
        if roots.is_empty() {
            return Err(unusable(&"it holds no certificate of an authority"));
        }
        let lists = CertificateRevocationListDer::pem_slice_iter(pem);
        let lists: Vec<_> = lists.collect::<Result<_, _>>().map_err(|e| unusable(&e))?;
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let mut builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .with_crls(lists)
            .only_check_end_entity_revocation();
        if !trust.required {
            builder = builder.allow_unauthenticated();
        }
        Ok(Self {
            verifier: builder.build().map_err(|e| unusable(&e))?,
            operator: trust.operator,
            told: Mutex::new(Told {
                since: Instant::now(),
                count: 0,
            }),
        })
    }

    pub(crate) fn verifier(&self) -> Arc<dyn ClientCertVerifier> {
        self.verifier.clone()
    }

    /// A handshake failed; what has nothing to do with certificates concerns the client alone.
    pub(crate) fn failed(&self, error: &io::Error, client: SocketAddr) {
        let Some(why) = reason(error) else {
            return;
        };
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.duration_since(told.since) >= MINUTE {
            let untold = told.count.saturating_sub(TOLD_PER_MINUTE);
            *told = Told {
                since: now,
                count: 0,
            };
            if untold > 0 {
                self.operator
                    .tell(messages::tc::more_certificates_refused(untold));
            }
        }
        told.count = told.count.saturating_add(1);
        if told.count <= TOLD_PER_MINUTE {
            drop(told);
            self.operator
                .tell(messages::tc::certificate_refused(client, why));
        }
    }
}

impl std::fmt::Debug for Trusted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Trusted")
    }
}

/// Why a certificate was not taken; `None`: the handshake failed for something else.
fn reason(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?.downcast_ref::<Error>()?;
    let text = match error {
        Error::NoCertificatesPresented => "it showed no certificate",
        Error::InvalidCertificate(error) => match error {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "its certificate has expired"
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "its certificate is not valid yet"
            }
            CertificateError::Revoked => "its certificate is revoked",
            CertificateError::UnknownIssuer => "no known authority has signed its certificate",
            CertificateError::UnknownRevocationStatus => {
                "no list says whether its certificate is revoked"
            }
            other => return Some(format!("its certificate is not usable: {other}")),
        },
        _ => return None,
    };
    Some(text.to_owned())
}

/// The certificate the other end of a connection showed.
pub(crate) fn shown(connection: &ServerConnection) -> Option<ClientCertificate> {
    let der = connection.peer_certificates()?.first()?;
    let certificate = webpki::EndEntityCert::try_from(der).ok()?;
    let fingerprint = Sha256::digest(der.as_ref()).into();
    Some(ClientCertificate::new(certificate.subject(), fingerprint))
}
