//! LUs by address and certificate, and TLS to hosts that begin it by telnet.

use crate::support::{Bed, Host, Wire, connect, folder, port};
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use std::path::Path;

/// TN3270E DEVICE-TYPE REQUEST: a type, a verb and an LU.
fn request(rest: &[u8]) -> Vec<u8> {
    [b"\xFF\xFA\x28\x02\x07IBM-3278-2-E", rest, b"\xFF\xF0"].concat()
}

/// DEVICE-TYPE REJECT with a reason.
fn reject(reason: u8) -> [u8; 9] {
    [0xFF, 0xFA, 0x28, 2, 6, 5, reason, 0xFF, 0xF0]
}

const IN_USE: u8 = 1;
const INV_NAME: u8 = 3;

fn bed(host: &Host, lus: &str) -> (Bed, u16) {
    let port = port();
    let text = format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\ncheck = \"NO\"\n[hosts.PAY.lus]\n{lus}\n",
        host.port()
    );
    (Bed::new(&text), port)
}

/// A client whose host has asked it for TN3270E.
fn session(bed: &Bed, host: &Host, port: u16) -> (Wire, Wire) {
    let mut client = bed.plain(port);
    let mut of_host = host.accept();
    of_host.send(b"\xFF\xFD\x28");
    client.expect(b"\xFF\xFD\x28", "DO TN3270E");
    client.send(b"\xFF\xFB\x28");
    of_host.expect(b"\xFF\xFB\x28", "WILL TN3270E");
    (client, of_host)
}

#[test]
fn a_client_gets_a_free_lu_of_its_network_and_no_other() {
    let host = Host::plain();
    let (bed, port) = bed(
        &host,
        "\"127.0.0.0/8\" = \"PAY001-PAY002\"\n\"10.0.0.0/8\" = \"BOSS\"",
    );
    let (mut first, mut of_first) = session(&bed, &host, port);
    first.send(&request(b""));
    of_first.expect(&request(b"\x01PAY001"), "the first free one");
    // Byte by byte, in small letters, then a record with an escaped byte.
    let (mut second, mut of_second) = session(&bed, &host, port);
    for byte in request(b"\x01pay002") {
        second.send(&[byte]);
    }
    of_second.expect(&request(b"\x01PAY002"), "one by its name");
    second.send(b"\x00\x00\x00\x00\x00\x7D\xFF\xFF\x41\xFF\xEF");
    of_second.expect(b"\x00\x00\x00\x00\x00\x7D\xFF\xFF\x41\xFF\xEF", "a record");
    // Both are in use, the third has not its name, the host hears of neither.
    let (mut third, mut of_third) = session(&bed, &host, port);
    third.send(&request(b""));
    third.expect(&reject(IN_USE), "all are in use");
    for (lu, shown) in [
        (&b"\x01BOSS"[..], "BOSS"),
        (b"\x00PAY003", "PAY003"),
        (b"\x09PAY001", ""),
    ] {
        third.send(&request(lu));
        third.expect(&reject(INV_NAME), shown);
        if !shown.is_empty() {
            bed.told(&format!("may not have LU {shown} of PAY"));
        }
    }
    bed.figure("lus_refused", 3);
    // One that is given back is free.
    first.close_half();
    assert_eq!(of_first.ended(), b"");
    drop((first, of_first));
    bed.figure("sessions", 2);
    third.send(&request(b""));
    of_third.expect(&request(b"\x01PAY001"), "it is free again");
    // The host did not want it: the next, and there is none.
    third.send(&request(b""));
    third.expect(&reject(IN_USE), "there is no other");
}

#[test]
fn an_lu_of_somebody_is_not_for_clients_without_a_line() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "\"10.0.0.0/8\" = \"BOSS\"");
    let (mut client, mut of_host) = session(&bed, &host, port);
    client.send(&request(b"\x01BOSS"));
    client.expect(&reject(INV_NAME), "reserved");
    client.send(&request(b"\x01OTHER"));
    of_host.expect(&request(b"\x01OTHER"), "nobody's");
    client.send(&request(b""));
    of_host.expect(&request(b""), "none asked for");
    // Who asks on and on is closed.
    for _ in 0..24 {
        client.send(&request(b"\x01BOSS"));
    }
    client.ended();
    bed.told("the client may not have the LU it asks for");
}

#[test]
fn without_tn3270e_the_lu_stands_behind_the_type() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "\"127.0.0.0/8\" = \"PAY001\"");
    let is = |name: &[u8]| [b"\xFF\xFA\x18\x00", name, b"\xFF\xF0"].concat();
    let begin = || {
        let mut client = bed.plain(port);
        let mut of_host = host.accept();
        client.send(b"\xFF\xFB\x18");
        of_host.expect(b"\xFF\xFB\x18", "WILL TERMINAL-TYPE");
        (client, of_host)
    };
    let (mut client, mut of_host) = begin();
    client.send(&is(b"IBM-3278-2"));
    of_host.expect(&is(b"IBM-3278-2@PAY001"), "given");
    // Another subnegotiation passes as it is.
    client.send(b"\xFF\xFA\x27\x00\x03DEVNAME\x01A\xFF\xFF\xFF\xF0");
    of_host.expect(
        b"\xFF\xFA\x27\x00\x03DEVNAME\x01A\xFF\xFF\xFF\xF0",
        "NEW-ENVIRON",
    );
    for asked in [&is(b"IBM-3278-2@BOSS")[..], b"\xFF\xFA\x18\x00IBM\xFF\x01"] {
        let (mut other, mut of_other) = begin();
        other.send(asked);
        other.ended();
        assert_eq!(of_other.ended(), b"");
    }
    // What it asks for within TLS of its own cannot be seen.
    let mut hidden = bed.plain(port);
    let mut of_hidden = host.accept();
    hidden.send(&[0x16, 3, 1]);
    hidden.ended();
    assert_eq!(of_hidden.ended(), b"");
    bed.told("which LU it asks for cannot be seen");
}

/// An authority, `ca.pem`, and a certificate that it has signed for each name, `NAME.pem`.
fn authority(folder: &Path, names: &[&str]) {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "CA");
    let key = KeyPair::generate().unwrap();
    let made = params.self_signed(&key).unwrap();
    std::fs::write(folder.join("ca.pem"), made.pem()).unwrap();
    let issuer = Issuer::new(params, key);
    for name in names {
        let mut params = CertificateParams::default();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, *name);
        let key = KeyPair::generate().unwrap();
        let made = params.signed_by(&key, &issuer).unwrap();
        let text = format!("{}{}", made.pem(), key.serialize_pem());
        std::fs::write(folder.join(format!("{name}.pem")), text).unwrap();
    }
}

#[test]
fn a_certificate_has_its_lu() {
    let (folder, host, port) = (folder(), Host::plain(), port());
    authority(folder.path(), &["alice", "bob"]);
    let text = format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\ncheck = \"NO\"\nmode = \"CLIENT\"\n\
         certificate = \"own.pem\"\nclient_ca = \"ca.pem\"\n[hosts.PAY.lus]\n\"CN=alice\" = \"ALICE\"\n",
        host.port()
    );
    let bed = Bed::within(folder, &text);
    for (name, asked, got) in [
        (Some("alice"), &b""[..], Some(&b"\x01ALICE"[..])),
        (Some("alice"), b"\x01BOB", None),
        (Some("bob"), b"\x01ALICE", None),
        (None, b"\x01ALICE", None),
        (None, b"", Some(b"")),
    ] {
        let mut client = bed.tls_as(port, name);
        let mut of_host = host.accept();
        client.send(&request(asked));
        match got {
            Some(got) => of_host.expect(&request(got), "its LU"),
            None => client.expect(&reject(INV_NAME), "somebody else's LU"),
        }
    }
}

const DO: [u8; 3] = [0xFF, 0xFD, 0x2E];
const WILL_AND_FOLLOWS: &[u8] = b"\xFF\xFB\x2E\xFF\xFA\x2E\x01\xFF\xF0";
const FOLLOWS: &[u8] = b"\xFF\xFA\x2E\x01\xFF\xF0";

#[test]
fn a_host_begins_tls_by_telnet() {
    let (folder, port) = (folder(), port());
    let host = Host::tls(folder.path());
    let text = format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"localhost:{}\"\ncheck = \"NO\"\nmode = \"HOST\"\n\
         host_ca = \"host.pem\"\nhost_tls = \"NEGOTIATED\"\n",
        host.port()
    );
    let bed = Bed::within(folder, &text);
    let mut client = Wire::Plain(connect(([127, 0, 0, 1], port).into()));
    let mut of_host = host.accept_with(|wire| {
        wire.send(&DO);
        wire.expect(WILL_AND_FOLLOWS, "WILL START_TLS");
        wire.send(FOLLOWS);
    });
    of_host.send(b"\xFF\xFD\x28");
    client.expect(b"\xFF\xFD\x28", "after TLS");
    client.send(b"\xFF\xFB\x28");
    of_host.expect(b"\xFF\xFB\x28", "to the host");
    // One that begins without it gets no session: nothing of it is passed on.
    let mut next = Wire::Plain(connect(([127, 0, 0, 1], port).into()));
    let mut in_clear = host.accept_in_clear();
    in_clear.send(b"\xFF\xFD\x28");
    assert_eq!(next.ended(), b"");
    assert_eq!(in_clear.ended(), b"");
    bed.told("it does not offer telnet START_TLS");
}
