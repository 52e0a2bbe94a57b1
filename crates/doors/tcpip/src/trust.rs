//! Certificates of clients: which are believed, and what becomes of others.
//!
//! What: a client proves to have the key of a certificate that an authority of ours has signed,
//! that is in date and not revoked. Why here: the handshake of every door decides it alike, before
//! a byte of a protocol is read. The file of authorities and lists is read again when it has
//! changed: a certificate that was stolen must be out before somebody starts the region anew. Not
//! here: which user a certificate stands for.

use crate::TcpError;
use crate::revoked::{Moment, next_update};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::ClientCertVerifier;
use rustls::{CertificateError, CommonState, Error};
use sha2::{Digest, Sha256};
use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use transom_messages::{self as messages, Operator};
use transom_types::ClientCertificate;

/// Refused clients told in a minute; the others are counted.
const TOLD_PER_MINUTE: u32 = 5;
const MINUTE: Duration = Duration::from_secs(60);
/// Between two looks at the file, at least.
const LOOK: Duration = Duration::from_secs(1);
/// Lists that are late are told again after this time.
const DAY: Duration = Duration::from_secs(86_400);

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
    trust: ClientTrust,
    told: Mutex<Told>,
    file: Mutex<Looked>,
}

/// The file as it was looked at last.
struct Looked {
    at: Instant,
    stamp: Option<Stamp>,
    /// When lists after those of the file were to come.
    due: Vec<Option<Moment>>,
    told_late: Option<Instant>,
}

/// What changes when a file does: device, number, length, time of the last change.
type Stamp = (u64, u64, u64, i64, i64);

/// What a file says.
struct Read {
    verifier: Arc<dyn ClientCertVerifier>,
    due: Vec<Option<Moment>>,
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
    pub(crate) fn new(
        trust: ClientTrust,
        pem: &[u8],
    ) -> Result<(Self, Arc<dyn ClientCertVerifier>), TcpError> {
        let now = Instant::now();
        let stamp = stamp(&trust.file);
        let Read { verifier, due } = read(&trust, pem)?;
        let trusted = Self {
            told: Mutex::new(Told {
                since: now,
                count: 0,
            }),
            file: Mutex::new(Looked {
                at: now,
                stamp,
                due,
                told_late: None,
            }),
            trust,
        };
        trusted.tell_late(&mut trusted.looked());
        Ok((trusted, verifier))
    }

    /// What decides from now on, if the file has changed; `load` reads it. One that cannot be used
    /// is told, and what was read before goes on to decide.
    pub(crate) fn changed(
        &self,
        load: impl FnOnce(&Path) -> Result<Vec<u8>, TcpError>,
    ) -> Option<Arc<dyn ClientCertVerifier>> {
        let mut looked = self.looked();
        if looked.at.elapsed() < LOOK {
            return None;
        }
        looked.at = Instant::now();
        let file = &self.trust.file;
        let now = stamp(file);
        let changed = if now == looked.stamp {
            None
        } else {
            looked.stamp = now;
            match load(file).and_then(|pem| read(&self.trust, &pem)) {
                Ok(Read { verifier, due }) => {
                    let lists = due.len();
                    (looked.due, looked.told_late) = (due, None);
                    let told = messages::tc::authorities_read_again(file.display(), lists);
                    self.trust.operator.tell(told);
                    Some(verifier)
                }
                Err(why) => {
                    let told = messages::tc::authorities_not_usable(file.display(), &why);
                    self.trust.operator.tell(told);
                    None
                }
            }
        };
        self.tell_late(&mut looked);
        changed
    }

    /// Tells which lists are late, once a day.
    fn tell_late(&self, looked: &mut Looked) {
        if looked.told_late.is_some_and(|told| told.elapsed() < DAY) {
            return;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = Moment::of(now.unwrap_or_default().as_secs());
        let late = |(at, due): (usize, &Option<Moment>)| Some((at + 1, (*due)?));
        for (number, due) in looked.due.iter().enumerate().filter_map(late) {
            if due < now {
                looked.told_late = Some(Instant::now());
                let file = self.trust.file.display();
                let told = messages::tc::revocations_late(number, file, due);
                self.trust.operator.tell(told);
            }
        }
    }

    fn looked(&self) -> std::sync::MutexGuard<'_, Looked> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A handshake failed; what has nothing to do with certificates concerns the client alone.
    pub(crate) fn failed(&self, error: &io::Error, client: SocketAddr) {
        let error = error.get_ref().and_then(|e| e.downcast_ref::<Error>());
        if let Some(error) = error {
            self.refused(error, client);
        }
    }

    /// The same of an error of TLS.
    pub(crate) fn refused(&self, error: &Error, client: SocketAddr) {
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
                self.trust
                    .operator
                    .tell(messages::tc::more_certificates_refused(untold));
            }
        }
        told.count = told.count.saturating_add(1);
        if told.count <= TOLD_PER_MINUTE {
            drop(told);
            self.trust
                .operator
                .tell(messages::tc::certificate_refused(client, why));
        }
    }
}

impl std::fmt::Debug for Trusted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Trusted")
    }
}

fn stamp(file: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(file).ok()?;
    let changed = (found.ctime(), found.ctime_nsec());
    Some((found.dev(), found.ino(), found.len(), changed.0, changed.1))
}

/// A file that cannot be used has no authority, or something in it that is none and no list.
fn read(trust: &ClientTrust, pem: &[u8]) -> Result<Read, TcpError> {
    let unusable = |why: &dyn std::fmt::Display| {
        TcpError::new(messages::tc::key_store_not_usable(
            trust.file.display(),
            why,
        ))
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
    let due = lists
        .iter()
        .map(|list| next_update(list.as_ref()))
        .collect();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    // A list that is late decides on: who is in it is out, and others must not be locked out by an
    // authority that is late.
    let mut builder = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
        .with_crls(lists)
        .only_check_end_entity_revocation();
    if !trust.required {
        builder = builder.allow_unauthenticated();
    }
    let verifier = builder.build().map_err(|e| unusable(&e))?;
    Ok(Read { verifier, due })
}

/// Why a certificate was not taken; `None`: the handshake failed for something else.
fn reason(error: &Error) -> Option<String> {
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
pub fn shown(connection: &CommonState) -> Option<ClientCertificate> {
    let der = connection.peer_certificates()?.first()?;
    let certificate = webpki::EndEntityCert::try_from(der).ok()?;
    let fingerprint = Sha256::digest(der.as_ref()).into();
    Some(ClientCertificate::new(certificate.subject(), fingerprint))
}
