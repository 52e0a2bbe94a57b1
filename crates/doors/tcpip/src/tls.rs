//! Certificates and keys for TLS listeners.
//!
//! Keys are PEM: one file, or a certificate and a key file. Java key stores are recognised so that
//! the message can say how to turn them into PEM. Not here: whom a client's certificate is believed
//! (`trust`).

use crate::TcpError;
use crate::revoked::ran_out;
use crate::trust::{ClientTrust, Trusted};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::NoServerSessionStorage;
use rustls::server::danger::ClientCertVerifier;
use std::io::Write;
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock, Weak};
use tokio_rustls::TlsAcceptor;
use transom_messages::{self as messages, Operator};

/// Most bytes of one key store file.
const KEY_STORE_BYTES: u64 = 1024 * 1024;

/// Names a certificate of our own is good for.
const LOCAL_NAMES: [&str; 2] = ["localhost", "127.0.0.1"];

/// A certificate chain with its key, ready to serve. Clones serve the same.
#[derive(Clone)]
pub struct Tls(Arc<Shared>);

struct Shared {
    files: Vec<PathBuf>,
    /// Where clients show certificates: whose are taken.
    clients: Option<ClientTrust>,
    live: RwLock<Arc<Live>>,
}

/// What serves now.
struct Live {
    own: Own,
    trusted: Option<Trusted>,
    /// With the present decision on certificates of clients.
    acceptor: RwLock<TlsAcceptor>,
}

/// All that serve in this process.
static ALL: Mutex<Vec<Weak<Shared>>> = Mutex::new(Vec::new());

/// Certificates as their files are now, which serve from [`Renewal::apply`] on.
pub struct Renewal(Vec<(Arc<Shared>, Live)>);

impl Renewal {
    /// Reads the files of all certificates that serve in this process again. One that has run out
    /// does not take the place of another.
    ///
    /// # Errors
    /// The first that is unusable; nothing has changed.
    pub fn read() -> Result<Self, TcpError> {
        let all = {
            let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|one| one.strong_count() > 0);
            all.clone()
        };
        let all = all.iter().filter_map(Weak::upgrade);
        let read = |one: Arc<Shared>| {
            let live = Live::read(&one.files, one.clients.clone())?;
            let is_other = Tls(one.clone()).live().own.0 != live.own.0;
            match ran_out(&live.own.0).filter(|_| is_other) {
                Some(until) => {
                    let file = one.files.first().cloned().unwrap_or_default();
                    Err(unusable(&file, format!("it ran out on {until}")))
                }
                None => Ok((one, live)),
            }
        };
        Ok(Self(all.map(read).collect::<Result<_, TcpError>>()?))
    }

    /// Handshakes from now on have them; connections stay. Answers how many are others than before.
    pub fn apply(self) -> usize {
        let mut others = 0;
        for (one, live) in self.0 {
            let mut now = one.live.write().unwrap_or_else(PoisonError::into_inner);
            others += usize::from(now.own.0 != live.own.0);
            *now = Arc::new(live);
        }
        others
    }
}

/// The certificate chain and its key.
pub(crate) type Own = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tls")
    }
}

impl Tls {
    /// Reads certificates and one private key from PEM files.
    ///
    /// # Errors
    /// TXMTC0002E when a file cannot be read or lacks a certificate or key, TXMTC0003E when it is
    /// a PKCS#12 or Java key store.
    pub fn from_pem_files(files: &[PathBuf]) -> Result<Self, TcpError> {
        Self::read(files, None)
    }

    /// The named PEM file, else one of our own for this machine, which is made where there is none
    /// yet; the operator is told.
    ///
    /// # Errors
    /// As of [`Tls::from_pem_files`], and where no file can be made.
    pub fn named_or_own(
        named: Option<PathBuf>,
        own: &Path,
        operator: &Operator,
    ) -> Result<Self, TcpError> {
        if let Some(named) = named {
            return Self::from_pem_files(&[named]);
        }
        if !own.exists() {
            create_self_signed(own, &LOCAL_NAMES)?;
            let made = messages::tc::certificate_made(LOCAL_NAMES.join(", "), own.display());
            operator.tell(made);
        }
        Self::from_pem_files(&[own.to_owned()])
    }

    /// The same for clients who show certificates themselves.
    ///
    /// # Errors
    /// As of [`Tls::from_pem_files`], also for the file of authorities.
    pub fn with_clients(files: &[PathBuf], clients: ClientTrust) -> Result<Self, TcpError> {
        Self::read(files, Some(clients))
    }

    fn read(files: &[PathBuf], clients: Option<ClientTrust>) -> Result<Self, TcpError> {
        let live = Live::read(files, clients.clone())?;
        let shared = Arc::new(Shared {
            files: files.to_vec(),
            clients,
            live: RwLock::new(Arc::new(live)),
        });
        let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.strong_count() > 0);
        all.push(Arc::downgrade(&shared));
        Ok(Self(shared))
    }

    fn live(&self) -> Arc<Live> {
        let live = self.0.live.read().unwrap_or_else(PoisonError::into_inner);
        live.clone()
    }

    /// A handshake failed: tells the operator when it was for the client's certificate.
    pub(crate) fn failed(&self, error: &std::io::Error, client: SocketAddr) {
        if let Some(trusted) = &self.live().trusted {
            trusted.failed(error, client);
        }
    }

    /// What does the next handshake. Looks whether it is decided otherwise now which certificates
    /// of clients are taken.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let live = self.live();
        let verifier = live.trusted.as_ref();
        let verifier = verifier.and_then(|trusted| trusted.changed(read_key_store));
        if let Some(Ok(acceptor)) = verifier.map(|verifier| serving(&live.own, Some(verifier))) {
            *live
                .acceptor
                .write()
                .unwrap_or_else(PoisonError::into_inner) = acceptor;
        }
        let acceptor = live.acceptor.read();
        acceptor.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Live {
    fn read(files: &[PathBuf], clients: Option<ClientTrust>) -> Result<Self, TcpError> {
        let own = read_own(files)?;
        let named = files.first().cloned().unwrap_or_default();
        let (trusted, verifier) = trusted(clients)?.unzip();
        let acceptor = serving(&own, verifier).map_err(|e| unusable(&named, e))?;
        Ok(Self {
            own,
            trusted,
            acceptor: RwLock::new(acceptor),
        })
    }
}

/// Certificates and one private key of PEM files.
pub(crate) fn read_own(files: &[PathBuf]) -> Result<Own, TcpError> {
    let mut chain = Vec::new();
    let mut key = None;
    for file in files {
        let bytes = read_key_store(file)?;
        for certificate in CertificateDer::pem_slice_iter(&bytes) {
            chain.push(certificate.map_err(|e| unusable(file, e))?);
        }
        if key.is_none() {
            key = PrivateKeyDer::from_pem_slice(&bytes).ok();
        }
    }
    let named = files.first().cloned().unwrap_or_default();
    if chain.is_empty() {
        return Err(unusable(&named, "it holds no certificate"));
    }
    let key = key.ok_or_else(|| unusable(&named, "it holds no private key"))?;
    Ok((chain, key))
}

/// Serves with a certificate and who decides about those of clients.
fn serving(
    (chain, key): &Own,
    verifier: Option<Arc<dyn ClientCertVerifier>>,
) -> Result<TlsAcceptor, rustls::Error> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder =
        ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let asks = verifier.is_some();
    let builder = match verifier {
        Some(verifier) => builder.with_client_cert_verifier(verifier),
        None => builder.with_no_client_auth(),
    };
    let mut config = builder.with_single_cert(chain.clone(), key.clone_key())?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    if asks {
        // A session that is taken up again would bring its certificate along, whatever became of
        // that meanwhile.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
    } else if let Ok(ticketer) = rustls::crypto::aws_lc_rs::Ticketer::new() {
        config.ticketer = ticketer;
    }
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// What a key store file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyStoreKind {
    /// PEM text.
    Pem,
    /// PKCS#12 (`.p12`, `.pfx`).
    Pkcs12,
    /// Java key store (`.jks`, `.jceks`).
    Jks,
    /// Something else.
    Unknown,
}

/// Recognises a key store by its first bytes, else by the file name's ending.
pub fn key_store_kind(file: &Path, bytes: &[u8]) -> KeyStoreKind {
    let window = &bytes[..bytes.len().min(64 * 1024)];
    if window.windows(10).any(|w| w == b"-----BEGIN") {
        return KeyStoreKind::Pem;
    }
    match bytes {
        [0xFE, 0xED, 0xFE, 0xED, ..] | [0xCE, 0xCE, 0xCE, 0xCE, ..] => return KeyStoreKind::Jks,
        // A DER sequence with a long length: what every PKCS#12 file begins with.
        [0x30, 0x80..=0x84, ..] => return KeyStoreKind::Pkcs12,
        _ => {}
    }
    let ending = file
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("")
        .to_ascii_lowercase();
    match ending.as_str() {
        "p12" | "pfx" => KeyStoreKind::Pkcs12,
        "jks" | "jceks" => KeyStoreKind::Jks,
        _ => KeyStoreKind::Unknown,
    }
}

/// Writes a self-signed certificate and its key into one PEM file readable by its owner only.
/// For samples and tests: clients must be told to trust it.
///
/// # Errors
/// TXMTC0002E when the file exists already or cannot be written.
pub fn create_self_signed(file: &Path, names: &[&str]) -> Result<(), TcpError> {
    let names: Vec<String> = names.iter().map(|n| (*n).to_string()).collect();
    let made = rcgen::generate_simple_self_signed(names).map_err(|e| unusable(file, e))?;
    let text = format!("{}{}", made.signing_key.serialize_pem(), made.cert.pem());
    let write = || -> std::io::Result<()> {
        let mut out = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(file)?;
        out.write_all(text.as_bytes())?;
        out.sync_all()
    };
    write().map_err(|e| unusable(file, e))
}

/// Who decides which certificates of clients are taken, and who does it in a handshake.
type OfClients = (Trusted, Arc<dyn ClientCertVerifier>);

/// What certificates of clients are taken by, where they may show one.
pub(crate) fn trusted(clients: Option<ClientTrust>) -> Result<Option<OfClients>, TcpError> {
    let read = |clients: ClientTrust| {
        let bytes = read_key_store(&clients.file)?;
        Trusted::new(clients, &bytes)
    };
    clients.map(read).transpose()
}

pub(crate) fn read_key_store(file: &Path) -> Result<Vec<u8>, TcpError> {
    let size = std::fs::metadata(file).map_or(0, |m| m.len());
    if size > KEY_STORE_BYTES {
        return Err(unusable(
            file,
            format_args!("it is larger than {KEY_STORE_BYTES} bytes"),
        ));
    }
    let read = std::fs::read(file);
    let bytes = read.as_deref().unwrap_or_default();
    let kind = match key_store_kind(file, bytes) {
        KeyStoreKind::Pkcs12 => "a PKCS#12 file",
        KeyStoreKind::Jks => "a Java key store",
        KeyStoreKind::Pem | KeyStoreKind::Unknown => return read.map_err(|e| unusable(file, e)),
    };
    Err(TcpError::new(messages::tc::key_store_format(convert_hint(
        file, kind,
    ))))
}

fn convert_hint(file: &Path, kind: &str) -> String {
    let (name, pem) = (file.display(), file.with_extension("pem"));
    let first = if kind.contains("Java") {
        format!(
            "keytool -importkeystore -srckeystore {name} -destkeystore key.p12 -deststoretype PKCS12; "
        )
    } else {
        String::new()
    };
    let p12 = if first.is_empty() {
        name.to_string()
    } else {
        "key.p12".to_string()
    };
    format!(
        "Key store {name} is {kind}; keys are read as PEM. Convert it ({first}openssl pkcs12 -in \
         {p12} -out {pem} -nodes) and write location=\"{pem}\" in the keyStore element",
        pem = pem.display()
    )
}

pub(crate) fn unusable(file: &Path, reason: impl std::fmt::Display) -> TcpError {
    TcpError::new(messages::tc::key_store_not_usable(file.display(), &reason))
}
