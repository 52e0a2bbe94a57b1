//! Regions that are linked over TCP, and who pretends to be one.

use super::*;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use transom_region_ipic::{Keyring, connect};
use transom_wire::definitions::{IpConnEntry, ServiceTls, TcpipServiceEntry};

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

    /// A folder with the certificate of a region.
    fn keyring(&self, dir: &Path, name: &str) -> PathBuf {
        let keys = dir.join(name);
        std::fs::create_dir_all(&keys).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let own = params.signed_by(&key, &self.0).unwrap().pem() + &key.serialize_pem();
        std::fs::write(keys.join("ca.pem"), &self.1).unwrap();
        std::fs::write(keys.join("default.pem"), own).unwrap();
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(keys.join("default.pem"), mode).unwrap();
        keys
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn padded(name: &str) -> [u8; 8] {
    let mut field = [b' '; 8];
    field[..name.len()].copy_from_slice(name.as_bytes());
    field
}

/// A region with an IPCONN for another one.
fn region(
    (name, own): (&str, u16),
    (partner, port): (&str, u16),
    keys: PathBuf,
    dir: &Path,
) -> Arc<Fake> {
    let shared = FakeShared::default();
    let mut entry = IpConnEntry::with_defaults(padded(partner));
    entry.applid = padded(partner);
    (entry.host, entry.port, entry.tls) = ("127.0.0.1".to_owned(), port, true);
    (entry.send_count, entry.receive_count) = (5, 5);
    entry.service = padded("LINKS");
    assert!(entry.install(&shared));
    let mut service = TcpipServiceEntry::with_defaults(padded("LINKS"));
    (service.port, service.tls, service.open) = (own, ServiceTls::ClientAuth, true);
    assert!(service.install(&shared));
    let net = LinkConfig {
        balance: crate::Balance::default(),
        keyring: Some(keys),
        ..LinkConfig::here(dir.join(GROUP))
    };
    Fake::with(name, shared, net, memory())
}

/// A connection with a certificate, before the first frame.
async fn shown(port: u16, keys: &Path) -> Stream {
    let config = Keyring::new(keys.to_owned()).connecting("").unwrap();
    let begin = Instant::now();
    loop {
        let tls = Some((config.clone(), Applid::from_field(b"TWO")));
        match connect("127.0.0.1", port, tls).await {
            Ok(carrier) => return Stream::new(carrier),
            Err(error) => assert!(begin.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn told(port: u16, keys: &Path, first: Asked) -> String {
    let mut stream = shown(port, keys).await;
    match stream.exchange(&first).await.unwrap() {
        Answered::Refused(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_unit_of_work_ends_in_both_regions_alike_over_tcp() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let (authority, ports) = (Authority::new(), [free_port(), free_port()]);
        let [mine, theirs] = ["one", "two"].map(|name| authority.keyring(dir.path(), name));
        let one = region(("ONE", ports[0]), ("TWO", ports[1]), mine, dir.path());
        let two = region(("TWO", ports[1]), ("ONE", ports[0]), theirs, dir.path());
        assert_eq!(one.put("TWO", uow(1), "A").await.resp, Resp::NORMAL);
        one.stage(uow(1), "B");
        one.managed.manager.commit(uow(1)).await.unwrap();
        assert!(two.has("A") && one.has("B"));
        assert_eq!(one.put("TWO", uow(2), "C").await.resp, Resp::NORMAL);
        one.managed.manager.backout(uow(2)).await.unwrap();
        assert!(!two.has("C"));
        let acquired = || one.links().read()[0].acquired;
        until("the link is acquired", acquired).await;
        let read = one.links().read();
        let figures = &read[0].figures;
        let figure = |name: &str| figures.iter().find(|f| f.0 == name).unwrap().1;
        assert!(figure("conversations") >= 2 && figure("bytes_sent") > 0);
    });
}

#[test]
fn a_certificate_does_not_stand_for_another_region() {
    let (dir, runtime) = (folder(), runtime());
    runtime.block_on(async {
        let (authority, port) = (Authority::new(), free_port());
        let theirs = authority.keyring(dir.path(), "two");
        let _two = region(("TWO", port), ("ONE", 1), theirs, dir.path());
        let one = authority.keyring(dir.path(), "one");
        let six = authority.keyring(dir.path(), "six");
        let begins = |text: String, id: &str| assert!(text.starts_with(id), "{text}");
        // A region that says it is another one, and one that nobody knows here.
        let says = |applid| hello(VERSION, applid, "TWO");
        begins(told(port, &six, says("ONE")).await, "TXMIS0041E");
        begins(told(port, &six, says("SIX")).await, "TXMIS0045E");
        begins(told(port, &one, hello(9, "ONE", "TWO")).await, "TXMIS0021E");
        begins(told(port, &one, attach("A")).await, "TXMIS0020E");
        let mut known = shown(port, &one).await;
        let welcome = known.exchange(&says("ONE")).await;
        assert!(matches!(welcome, Ok(Answered::Welcome(_))));
        // Its own service is the way in, not the socket of the host.
        begins(refused(dir.path(), says("ONE")).await, "TXMIS0023E");
    });
}
