//! What a user may give as a key store, and what he is told.

use std::os::unix::fs::PermissionsExt;
use transom_tcpip::{KeyStoreKind, Tls, create_self_signed, key_store_kind};

#[test]
fn a_made_certificate_is_private_and_can_be_served() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("key.pem");
    create_self_signed(&file, &["localhost", "127.0.0.1"]).unwrap();
    let mode = std::fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    Tls::from_pem_files(std::slice::from_ref(&file)).unwrap();
    let again = create_self_signed(&file, &["localhost"]).unwrap_err();
    assert_eq!(again.id(), "TXMTC0002E");
}

#[test]
fn key_and_certificate_may_lie_in_two_files() {
    let dir = tempfile::tempdir().unwrap();
    let both = dir.path().join("both.pem");
    create_self_signed(&both, &["localhost"]).unwrap();
    let text = std::fs::read_to_string(&both).unwrap();
    let cut = text.find("-----BEGIN CERTIFICATE").unwrap();
    let (key, certificate) = (dir.path().join("key.pem"), dir.path().join("cert.pem"));
    std::fs::write(&key, &text[..cut]).unwrap();
    std::fs::write(&certificate, &text[cut..]).unwrap();
    Tls::from_pem_files(&[certificate.clone(), key.clone()]).unwrap();
    let only = |file| Tls::from_pem_files(&[file]).unwrap_err().to_string();
    assert!(only(key).ends_with("it holds no certificate"));
    assert!(only(certificate).ends_with("it holds no private key"));
}

#[test]
fn other_key_stores_are_named_with_the_way_out() {
    let dir = tempfile::tempdir().unwrap();
    let p12 = dir.path().join("key.p12");
    std::fs::write(&p12, [0x30, 0x82, 0x0A, 0x00, 0x02]).unwrap();
    let text = Tls::from_pem_files(&[p12]).unwrap_err().to_string();
    assert!(text.starts_with("TXMTC0003E Key store "), "{text}");
    assert!(
        text.contains("openssl pkcs12 -in ") && text.contains("key.pem"),
        "{text}"
    );
    let jks = dir.path().join("trust.jks");
    std::fs::write(&jks, [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2]).unwrap();
    let text = Tls::from_pem_files(&[jks]).unwrap_err().to_string();
    assert!(text.contains("keytool -importkeystore"), "{text}");
    let gone = Tls::from_pem_files(&[dir.path().join("gone.pem")]).unwrap_err();
    assert_eq!(gone.id(), "TXMTC0002E");
    // The advice counts also for a file that is not there yet.
    let gone = Tls::from_pem_files(&[dir.path().join("gone.p12")]).unwrap_err();
    assert_eq!(gone.id(), "TXMTC0003E");
    let kind = key_store_kind(
        std::path::Path::new("x"),
        b"# comment\n-----BEGIN CERTIFICATE-----",
    );
    assert_eq!(kind, KeyStoreKind::Pem);
}
