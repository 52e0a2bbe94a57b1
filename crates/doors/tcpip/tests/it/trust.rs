//! Clients that show certificates: good ones, and every kind of bad one.

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DistinguishedName,
    DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose,
    RevokedCertParams, SerialNumber, date_time_ymd,
};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use transom_messages::Operator;
use transom_tcpip::{ClientTrust, Limits, Listener, ListenerConfig, Tls, create_self_signed};

struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

/// What a client proves itself with.
struct Shown {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
}

impl Authority {
    fn new(name: &str) -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        Self {
            issuer: Issuer::new(params, key),
            pem,
        }
    }

    fn certificate(&self, name: &str, serial: u64, last_year: i32) -> Shown {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name = DistinguishedName::new();
        params
            .distinguished_name
            .push(DnType::OrganizationName, "Bank");
        params.distinguished_name.push(DnType::CommonName, name);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        params.serial_number = Some(SerialNumber::from(serial));
        params.not_before = date_time_ymd(2010, 1, 1);
        params.not_after = date_time_ymd(last_year, 12, 31);
        let key = KeyPair::generate().unwrap();
        let made = params.signed_by(&key, &self.issuer).unwrap();
        Shown {
            chain: vec![made.der().clone()],
            key: PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
        }
    }

    fn revokes(&self, serial: u64) -> String {
        self.revokes_until(serial, 2090)
    }

    /// The same, by a list that is followed by another one at the begin of a year.
    fn revokes_until(&self, serial: u64, year: i32) -> String {
        let revoked = RevokedCertParams {
            serial_number: SerialNumber::from(serial),
            revocation_time: date_time_ymd(2024, 1, 1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2024, 1, 1),
            next_update: date_time_ymd(year, 1, 1),
            crl_number: SerialNumber::from(1),
            issuing_distribution_point: None,
            revoked_certs: vec![revoked],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.issuer).unwrap().pem().unwrap()
    }
}

/// A listener that tells each client its subject.
struct Server {
    folder: tempfile::TempDir,
    own: PathBuf,
    address: SocketAddr,
    said: Arc<Mutex<Vec<String>>>,
    _runtime: tokio::runtime::Runtime,
}

fn server(authorities: &str, required: bool) -> Server {
    let folder = tempfile::tempdir().unwrap();
    let (own, file) = (folder.path().join("own.pem"), folder.path().join("ca.pem"));
    create_self_signed(&own, &["localhost"]).unwrap();
    std::fs::write(&file, authorities).unwrap();
    let said = Arc::new(Mutex::new(Vec::new()));
    let kept = said.clone();
    let operator = Operator::new(move |line| kept.lock().unwrap().push(line.to_string()));
    let trust = ClientTrust {
        file,
        required,
        operator,
    };
    let tls = Tls::with_clients(std::slice::from_ref(&own), trust).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let listener = Listener::bind(ListenerConfig {
        address: "127.0.0.1:0".parse().unwrap(),
        tls: Some(tls),
        limits: Limits::default(),
        refusal: Vec::new(),
    });
    let listener = listener.unwrap();
    let address = listener.address();
    runtime.spawn(async move {
        let acceptor = listener.acceptor().unwrap();
        loop {
            let incoming = acceptor.accept().await;
            tokio::spawn(async move {
                let Ok(mut connection) = incoming.open().await else {
                    return;
                };
                let shown = connection.stream.certificate();
                let text = shown.map_or_else(|| "nobody".to_owned(), |shown| shown.subject);
                let _asked = connection.stream.read(&mut [0; 8]).await;
                let _told = connection.stream.write_all(text.as_bytes()).await;
                let _ended = connection.stream.shutdown().await;
            });
        }
    });
    Server {
        folder,
        own,
        address,
        said,
        _runtime: runtime,
    }
}

impl Server {
    /// What the server says to a client; the error of a handshake that failed.
    fn asked(&self, config: &Arc<ClientConfig>) -> Result<String, String> {
        let name = ServerName::try_from("localhost").unwrap();
        let session = ClientConnection::new(config.clone(), name).unwrap();
        let stream = TcpStream::connect(self.address).unwrap();
        let mut secure = StreamOwned::new(session, stream);
        let mut text = String::new();
        let done = secure.write_all(b"who am I");
        let done = done.and_then(|()| secure.read_to_string(&mut text));
        done.map(|_| text).map_err(|e| e.to_string())
    }

    /// What was told last. The client may have its answer before the operator.
    fn told(&self) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(line) = self.said.lock().unwrap().pop() {
                return line;
            }
            assert!(Instant::now() < until, "nothing is told");
            std::thread::yield_now();
        }
    }

    /// Puts another file in the place of that with authorities and lists.
    fn replace(&self, text: &str) {
        let new = self.folder.path().join("new.pem");
        std::fs::write(&new, text).unwrap();
        std::fs::rename(&new, self.folder.path().join("ca.pem")).unwrap();
    }

    /// Connects until something is told; tells how the first of what it then says begins, and ends.
    fn told_soon(&self, config: &Arc<ClientConfig>, begin: &str) -> String {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            drop(self.asked(config));
            let mut said = self.said.lock().unwrap();
            if let Some(at) = said.iter().position(|line| line.starts_with(begin)) {
                return said.remove(at);
            }
            assert!(Instant::now() < until, "{begin}: {said:?}");
        }
    }

    fn config(&self, shown: Option<Shown>) -> Arc<ClientConfig> {
        Arc::new(config(&self.own, shown))
    }
}

fn config(own: &Path, shown: Option<Shown>) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(own).unwrap())
        .unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots);
    match shown {
        Some(Shown { chain, key }) => builder.with_client_auth_cert(chain, key).unwrap(),
        None => builder.with_no_client_auth(),
    }
}

#[test]
fn certificates_are_taken_or_refused_with_the_reason() {
    let (bank, other) = (Authority::new("Bank CA"), Authority::new("Other CA"));
    let files = [bank.pem.as_str(), &bank.revokes(3)].concat();
    let server = server(&files, true);
    let good = server.config(Some(bank.certificate("alice", 1, 2080)));
    // A second time, too: no session is taken up again without a look at the certificate.
    for _ in 0..2 {
        assert_eq!(server.asked(&good).as_deref(), Ok("CN=alice,O=Bank"));
    }
    for (shown, alert, reason) in [
        (None, "CertificateRequired", "it showed no certificate"),
        (
            Some(bank.certificate("old", 2, 2020)),
            "CertificateExpired",
            "its certificate has expired",
        ),
        (
            Some(bank.certificate("gone", 3, 2080)),
            "CertificateRevoked",
            "its certificate is revoked",
        ),
        (
            Some(other.certificate("eve", 1, 2080)),
            "UnknownCA",
            "no known authority has signed its certificate",
        ),
    ] {
        let error = server.asked(&server.config(shown)).unwrap_err();
        assert!(error.contains(alert), "{error}");
        let said = server.told();
        let (begin, end) = (
            "TXMTC0005W Client 127.0.0.1:",
            format!(" is refused: {reason}"),
        );
        assert!(said.starts_with(begin) && said.ends_with(&end), "{said}");
    }
    assert!(server.said.lock().unwrap().is_empty());
    // Many are counted.
    let eve = server.config(Some(other.certificate("eve", 1, 2080)));
    (0..9).for_each(|_| drop(server.asked(&eve)));
    server.told();
    let more = server.said.lock().unwrap().clone();
    assert!(more.is_empty(), "five in a minute, four before: {more:?}");
}

#[test]
fn where_they_are_optional_nobody_needs_one_but_a_bad_one_is_refused() {
    let (bank, other) = (Authority::new("Bank CA"), Authority::new("Other CA"));
    let server = server(&bank.pem, false);
    let asked = |shown| server.asked(&server.config(shown));
    assert_eq!(asked(None).as_deref(), Ok("nobody"));
    let good = bank.certificate("bob", 1, 2080);
    assert_eq!(asked(Some(good)).as_deref(), Ok("CN=bob,O=Bank"));
    assert!(asked(Some(other.certificate("eve", 1, 2080))).is_err());
}

#[test]
fn a_file_without_authorities_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (own, file) = (folder.path().join("own.pem"), folder.path().join("ca.pem"));
    create_self_signed(&own, &["localhost"]).unwrap();
    std::fs::write(&file, "no certificate").unwrap();
    let trust = ClientTrust {
        file,
        required: true,
        operator: Operator::nobody(),
    };
    let text = Tls::with_clients(&[own], trust).unwrap_err().to_string();
    assert!(
        text.starts_with("TXMTC0002E") && text.contains("no certificate of an authority"),
        "{text}"
    );
}

#[test]
fn a_file_that_changes_counts_without_a_start() {
    let (bank, other) = (Authority::new("Bank CA"), Authority::new("Other CA"));
    let server = server(&bank.pem, true);
    let alice = server.config(Some(bank.certificate("alice", 1, 2080)));
    let bob = server.config(Some(bank.certificate("bob", 2, 2080)));
    let eve = server.config(Some(other.certificate("eve", 1, 2080)));
    assert_eq!(server.asked(&alice).as_deref(), Ok("CN=alice,O=Bank"));
    assert!(server.asked(&eve).is_err());
    // Alice's certificate was stolen, and there is one more authority.
    server.replace(
        &[
            bank.pem.as_str(),
            &other.pem,
            &bank.revokes(1),
            &other.revokes(7),
        ]
        .concat(),
    );
    let told = server.told_soon(&alice, "TXMTC0007I");
    assert!(told.contains("and 2 lists"), "{told}");
    let error = server.asked(&alice).unwrap_err();
    assert!(error.contains("CertificateRevoked"), "{error}");
    assert_eq!(server.asked(&bob).as_deref(), Ok("CN=bob,O=Bank"));
    assert_eq!(server.asked(&eve).as_deref(), Ok("CN=eve,O=Bank"));
    // What cannot be used changes nothing.
    server.replace("no certificate");
    let told = server.told_soon(&alice, "TXMTC0008E");
    assert!(told.contains("no certificate of an authority"), "{told}");
    assert!(server.asked(&alice).is_err());
    assert_eq!(server.asked(&bob).as_deref(), Ok("CN=bob,O=Bank"));
    std::fs::remove_file(server.folder.path().join("ca.pem")).unwrap();
    server.told_soon(&bob, "TXMTC0008E");
    assert_eq!(server.asked(&bob).as_deref(), Ok("CN=bob,O=Bank"));
    server.replace(&bank.pem);
    server.told_soon(&bob, "TXMTC0007I");
    assert_eq!(server.asked(&alice).as_deref(), Ok("CN=alice,O=Bank"));
    assert!(server.asked(&eve).is_err());
}

#[test]
fn a_list_that_is_late_counts_and_is_told() {
    let bank = Authority::new("Bank CA");
    let lists = [bank.pem.as_str(), &bank.revokes_until(3, 2025)].concat();
    let server = server(&lists, true);
    let late = server.said.lock().unwrap().pop().unwrap();
    assert!(late.starts_with("TXMTC0009W List 1 of revoked"), "{late}");
    assert!(late.ends_with("2025-01-01 00:00:00 UTC"), "{late}");
    let good = server.config(Some(bank.certificate("alice", 1, 2080)));
    assert_eq!(server.asked(&good).as_deref(), Ok("CN=alice,O=Bank"));
    let gone = server.config(Some(bank.certificate("gone", 3, 2080)));
    assert!(
        server
            .asked(&gone)
            .unwrap_err()
            .contains("CertificateRevoked")
    );
    // In time again.
    server.replace(&[bank.pem.as_str(), &bank.revokes_until(3, 2090)].concat());
    server.said.lock().unwrap().clear();
    server.told_soon(&good, "TXMTC0007I");
    let said = server.said.lock().unwrap().clone();
    assert!(
        !said.iter().any(|line| line.starts_with("TXMTC0009W")),
        "{said:?}"
    );
}
