//! Certificates that are revoked while their sessions run.

use crate::support::{Bed, Host, Wire, folder, port};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DistinguishedName,
    DnType, IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, RevokedCertParams, SerialNumber,
    date_time_ymd,
};
use std::path::Path;
use std::time::Duration;

struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// With a certificate for each name, `NAME.pem`, numbered from 1.
    fn new(folder: &Path, names: &[&str]) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let name = format!("CA of {}", names[0]);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        let pem = params.self_signed(&key).unwrap().pem();
        let issuer = Issuer::new(params, key);
        for (name, serial) in names.iter().zip(1u64..) {
            let mut params = CertificateParams::default();
            params.distinguished_name = DistinguishedName::new();
            params.distinguished_name.push(DnType::CommonName, *name);
            params.serial_number = Some(SerialNumber::from(serial));
            let key = KeyPair::generate().unwrap();
            let made = params.signed_by(&key, &issuer).unwrap();
            let text = format!("{}{}", made.pem(), key.serialize_pem());
            std::fs::write(folder.join(format!("{name}.pem")), text).unwrap();
        }
        Self { issuer, pem }
    }

    /// The file of authorities, with a list that has these numbers.
    fn write(&self, folder: &Path, revoked: &[u64]) {
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2024, 1, 1),
            next_update: date_time_ymd(2090, 1, 1),
            crl_number: SerialNumber::from(revoked.len() as u64 + 1),
            issuing_distribution_point: None,
            revoked_certs: revoked
                .iter()
                .map(|serial| RevokedCertParams {
                    serial_number: SerialNumber::from(*serial),
                    revocation_time: date_time_ymd(2024, 1, 1),
                    reason_code: None,
                    invalidity_date: None,
                })
                .collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let list = list.signed_by(&self.issuer).unwrap().pem().unwrap();
        let new = folder.join("ca.new");
        std::fs::write(&new, format!("{}{list}", self.pem)).unwrap();
        std::fs::rename(new, folder.join("ca.pem")).unwrap();
    }
}

fn file(port: u16, host: &Host, ca: &str) -> String {
    format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\ncheck = \"NO\"\nmode = \"CLIENT\"\n\
         certificate = \"own.pem\"\nclient_ca = \"{ca}\"\n",
        host.port()
    )
}

fn passes(client: &mut Wire, of_host: &mut Wire) {
    client.send(b"\xFF\xFB\x18");
    of_host.expect(b"\xFF\xFB\x18", "what the client sent");
}

#[test]
fn a_certificate_that_is_revoked_ends_its_session_and_no_other() {
    let (folder, host, port) = (folder(), Host::plain(), port());
    let ca = Authority::new(folder.path(), &["alice", "bob"]);
    ca.write(folder.path(), &[]);
    let bed = Bed::within(folder, &file(port, &host, "ca.pem"));
    let mut sessions: Vec<_> = [Some("alice"), Some("bob"), None]
        .into_iter()
        .map(|name| (bed.tls_as(port, name), host.accept()))
        .collect();
    for (client, of_host) in &mut sessions {
        passes(client, of_host);
    }
    // A file that cannot be used changes nothing.
    std::fs::write(bed.folder.path().join("ca.pem"), "nothing").unwrap();
    bed.told("TXMTC0008E");
    for (client, of_host) in &mut sessions {
        passes(client, of_host);
    }
    ca.write(bed.folder.path(), &[1]);
    assert_eq!(sessions[0].0.ended(), b"");
    assert_eq!(sessions[0].1.ended(), b"");
    bed.told("the certificate of the client is not taken any more: it is revoked");
    bed.figure("not_allowed", 1);
    // Others stay, also over the next list, which has alice and somebody else.
    ca.write(bed.folder.path(), &[1, 9]);
    std::thread::sleep(Duration::from_secs(3));
    for (client, of_host) in &mut sessions[1..] {
        passes(client, of_host);
    }
    bed.figure("sessions", 2);
}

#[test]
fn a_reload_without_its_authority_ends_a_session() {
    let (folder, host, port) = (folder(), Host::plain(), port());
    let (ca, other) = (
        Authority::new(folder.path(), &["alice"]),
        Authority::new(folder.path(), &["carol"]),
    );
    other.write(folder.path(), &[]);
    std::fs::rename(
        folder.path().join("ca.pem"),
        folder.path().join("other.pem"),
    )
    .unwrap();
    ca.write(folder.path(), &[]);
    let bed = Bed::within(folder, &file(port, &host, "ca.pem"));
    let mut client = bed.tls_as(port, Some("alice"));
    let mut of_host = host.accept();
    passes(&mut client, &mut of_host);
    bed.reload(&file(port, &host, "other.pem"));
    assert_eq!(client.ended(), b"");
    bed.told("no known authority has signed it");
}
