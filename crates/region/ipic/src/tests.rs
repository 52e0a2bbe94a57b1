//! Regions with certificates, and strangers.

use super::*;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// An authority that signs for regions.
struct Authority(Issuer<'static, KeyPair>, String);

impl Authority {
    fn new() -> Self {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let pem = params.self_signed(&key).unwrap().pem();
        Self(Issuer::new(params, key), pem)
    }

    /// The keyring of a region that believes this authority.
    fn keyring(&self, folder: &Path, names: &[&str]) -> Keyring {
        let dir = folder.join(names.join("-"));
        std::fs::create_dir_all(&dir).unwrap();
        let key = KeyPair::generate().unwrap();
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let params = CertificateParams::new(names).unwrap();
        let own = params.signed_by(&key, &self.0).unwrap().pem() + &key.serialize_pem();
        std::fs::write(dir.join("ca.pem"), &self.1).unwrap();
        let file = dir.join("default.pem");
        std::fs::write(&file, own).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        Keyring::new(dir)
    }
}

fn applid(name: &str) -> Applid {
    Applid::from_field(name.as_bytes())
}

/// Lets one in: what it may be, of two names, or why it did not get in.
async fn admit(door: &Door) -> Result<(bool, bool), String> {
    let knocked = door.knock().await;
    let came = Came::greet(door.tls(), knocked).await;
    let (mut carrier, shown) = came.map_err(|s| s.why.to_string())?.divide();
    let mut byte = [0];
    carrier
        .read_exact(&mut byte)
        .await
        .map_err(|e| e.to_string())?;
    carrier.write_all(&byte).await.map_err(|e| e.to_string())?;
    Ok((shown.may_be(applid("AORONE")), shown.may_be(applid("FOR1"))))
}

async fn reach(at: SocketAddr, keyring: &Keyring, wanted: &str) -> Result<(), String> {
    let tls = Some((keyring.connecting("").unwrap(), applid(wanted)));
    let reached = connect("127.0.0.1", at.port(), tls).await;
    let mut carrier = reached.map_err(|e| e.to_string())?;
    let mut byte = [7];
    let both = async {
        carrier.write_all(&byte).await?;
        carrier.read_exact(&mut byte).await
    };
    both.await.map(|_| ()).map_err(|e| e.to_string())
}

#[tokio::test]
async fn both_ends_show_who_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let aor = authority.keyring(dir.path(), &["aorone"]);
    let file_owner = authority.keyring(dir.path(), &["FOR1"]);
    let local = "127.0.0.1:0".parse().unwrap();
    let door = Door::open(local, Some(file_owner.accepting("").unwrap()));
    let door = door.await.unwrap();
    let at = door.address().unwrap();

    let (admitted, reached) = tokio::join!(admit(&door), reach(at, &aor, "FOR1"));
    assert_eq!((admitted, reached), (Ok((true, false)), Ok(())));

    // Whoever answers must be the one that is wanted.
    let (admitted, reached) = tokio::join!(admit(&door), reach(at, &aor, "FOR2"));
    assert!(admitted.is_err());
    assert!(reached.unwrap_err().contains("not valid for name"));

    // An authority of somebody else.
    let other = Authority::new().keyring(&dir.path().join("other"), &["aorone"]);
    let (admitted, reached) = tokio::join!(admit(&door), reach(at, &other, "FOR1"));
    assert!(admitted.is_err() && reached.is_err());
}

#[tokio::test]
async fn strangers_do_not_get_in() {
    let dir = tempfile::tempdir().unwrap();
    let keyring = Authority::new().keyring(dir.path(), &["FOR1"]);
    let local = "127.0.0.1:0".parse().unwrap();
    let door = Door::open(local, Some(keyring.accepting("").unwrap()));
    let door = door.await.unwrap();
    let at = door.address().unwrap();
    let garbage = async {
        let mut stream = TcpStream::connect(at).await.unwrap();
        stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest).await;
    };
    let (admitted, ()) = tokio::join!(admit(&door), garbage);
    assert!(admitted.is_err());
    // TLS of somebody who has no certificate.
    let mut roots = rustls::RootCertStore::empty();
    let pem = std::fs::read(dir.path().join("FOR1/ca.pem")).unwrap();
    use rustls::pki_types::pem::PemObject;
    let ca = rustls::pki_types::CertificateDer::from_pem_slice(&pem).unwrap();
    roots.add(ca).unwrap();
    let provider = std::sync::Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let nobody = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let anonymous = async {
        let tls = Some((std::sync::Arc::new(nobody), applid("FOR1")));
        let Ok(mut carrier) = connect("localhost", at.port(), tls).await else {
            return true;
        };
        carrier.read_u8().await.is_err()
    };
    let (admitted, refused) = tokio::join!(admit(&door), anonymous);
    assert!(admitted.is_err() && refused);
}

#[test]
fn a_keyring_says_what_is_wrong_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let why = |keyring: &Keyring, label: &str| keyring.connecting(label).unwrap_err().to_string();
    let empty = Keyring::new(dir.path().to_owned());
    assert!(why(&empty, "").contains("ca.pem"), "{}", why(&empty, ""));
    let keyring = Authority::new().keyring(dir.path(), &["FOR1"]);
    assert!(why(&keyring, "OTHER").contains("OTHER.pem"));
    assert!(!why(&keyring, "../../etc/x").contains("etc"));
    let file = dir.path().join("FOR1/default.pem");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(why(&keyring, "").contains("others may read the key"));
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&file, "nothing").unwrap();
    assert!(why(&keyring, "").contains("holds no certificate"));
}
