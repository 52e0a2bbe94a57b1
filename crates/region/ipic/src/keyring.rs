//! Certificates of this region, and authorities it believes.
//!
//! What: a folder with `ca.pem` (authorities, and lists of what they have revoked) and a file of
//! chain and key for each label. Files are read when they are needed, so a certificate that is
//! replaced is used by the next connection. TLS 1.3 alone: all linked regions run one release. Not
//! here: handshakes (`connect`, `door`).

use rustls::client::WebPkiServerVerifier;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use std::fmt::Display;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transom_messages::{Message, is};

/// Most bytes of a file.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Authorities and what they have revoked.
const AUTHORITIES: &str = "ca.pem";
/// The file of no label.
const DEFAULT: &str = "default";
/// TLS that is spoken.
const VERSIONS: &[&rustls::SupportedProtocolVersion] = &[&rustls::version::TLS13];

/// A folder of certificates.
#[derive(Debug, Clone)]
pub struct Keyring {
    folder: PathBuf,
}

/// Authorities and lists of `ca.pem`.
struct Trust {
    roots: Arc<RootCertStore>,
    lists: Vec<CertificateRevocationListDer<'static>>,
}

impl Keyring {
    /// A folder; it is read when a connection needs it.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// How this region connects to others.
    ///
    /// # Errors
    /// TXMIS0040E: a file is not there, open to others, or has no certificate.
    pub fn connecting(&self, label: &str) -> Result<Arc<ClientConfig>, Message> {
        let trust = self.trust()?;
        let (chain, key) = self.own(label)?;
        let at = self.folder.join(AUTHORITIES);
        let verifier = WebPkiServerVerifier::builder_with_provider(trust.roots, provider())
            .with_crls(trust.lists)
            .build()
            .map_err(|e| unusable(&at, e))?;
        let builder = ClientConfig::builder_with_provider(provider())
            .with_protocol_versions(VERSIONS)
            .map_err(|e| unusable(&at, e))?;
        let config = builder
            .with_webpki_verifier(verifier)
            .with_client_auth_cert(chain, key)
            .map_err(|e| unusable(&self.file_of(label), e))?;
        Ok(Arc::new(config))
    }

    /// How others are let in: only who shows a certificate of the authorities.
    ///
    /// # Errors
    /// As of [`Keyring::connecting`].
    pub fn accepting(&self, label: &str) -> Result<Arc<ServerConfig>, Message> {
        let trust = self.trust()?;
        let (chain, key) = self.own(label)?;
        let at = self.folder.join(AUTHORITIES);
        let verifier = WebPkiClientVerifier::builder_with_provider(trust.roots, provider())
            .with_crls(trust.lists)
            .build()
            .map_err(|e| unusable(&at, e))?;
        let builder = ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(VERSIONS)
            .map_err(|e| unusable(&at, e))?;
        let config = builder
            .with_client_cert_verifier(verifier)
            .with_single_cert(chain, key)
            .map_err(|e| unusable(&self.file_of(label), e))?;
        Ok(Arc::new(config))
    }

    fn trust(&self) -> Result<Trust, Message> {
        let file = self.folder.join(AUTHORITIES);
        let bytes = read(&file).map_err(|e| unusable(&file, e))?;
        let mut roots = RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(&bytes) {
            let certificate = certificate.map_err(|e| unusable(&file, e))?;
            roots.add(certificate).map_err(|e| unusable(&file, e))?;
        }
        if roots.is_empty() {
            return Err(unusable(&file, "it holds no certificate"));
        }
        let lists = CertificateRevocationListDer::pem_slice_iter(&bytes);
        let lists: Result<Vec<_>, _> = lists.collect();
        Ok(Trust {
            roots: Arc::new(roots),
            lists: lists.map_err(|e| unusable(&file, e))?,
        })
    }

    fn own(&self, label: &str) -> Result<Own, Message> {
        let file = self.file_of(label);
        let bytes = read(&file).map_err(|e| unusable(&file, e))?;
        let open = std::fs::metadata(&file).is_ok_and(|meta| meta.mode() & 0o077 != 0);
        if open {
            return Err(unusable(&file, "others may read the key"));
        }
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
        let chain = chain.map_err(|e| unusable(&file, e))?;
        if chain.is_empty() {
            return Err(unusable(&file, "it holds no certificate"));
        }
        let key = PrivateKeyDer::from_pem_slice(&bytes).map_err(|e| unusable(&file, e))?;
        Ok((chain, key))
    }

    fn file_of(&self, label: &str) -> PathBuf {
        let label = label.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@#$ ".contains(c);
        let name = match label.is_empty() || label.starts_with('.') || !label.chars().all(plain) {
            true if !label.is_empty() => "label-with-other-characters",
            true => DEFAULT,
            false => label,
        };
        self.folder.join(format!("{name}.pem"))
    }
}

/// Chain and key.
type Own = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::aws_lc_rs::default_provider())
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file)?;
    opened.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > FILE_BYTES_MAX {
        true => Err(io::Error::other("it is too long")),
        false => Ok(bytes),
    }
}

fn unusable(file: &Path, why: impl Display) -> Message {
    is::keyring_not_usable(file.display(), why)
}
