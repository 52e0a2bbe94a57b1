//! Clients: who may, how many, how long, and those that misbehave.

use crate::support::{Bed, Host, descriptors, descriptors_are_back, port};
use std::io::Write;
use std::time::Duration;

const MARK: [u8; 3] = [0xFF, 0xFD, 6];

fn bed(host: &Host, more: &str) -> (Bed, u16) {
    let port = port();
    let text = format!(
        "[redirector]\nhandshake_seconds = 1\n[hosts.PAY]\nport = {port}\ntargets = \
         \"127.0.0.1:{}\"\ncertificate = \"own.pem\"\ncheck = \"NO\"\n{more}",
        host.port()
    );
    (Bed::new(&text), port)
}

#[test]
fn garbage_and_slow_handshakes_harm_nobody_else() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "mode = \"CLIENT\"\n");
    let mut good = bed.tls(port);
    let mut of_good = host.accept();
    // One after the other: bytes that are no TLS, one byte and silence, half of a record.
    let mut garbage = bed.plain(port);
    garbage.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    garbage.ended();
    bed.told("TLS: ");
    let mut slow = bed.plain(port);
    slow.send(&[0x16]);
    let mut half = bed.plain(port);
    half.send(&[0x16, 3, 1, 2, 0, 1, 0, 1]);
    slow.ended();
    half.ended();
    bed.told("longer than handshake_seconds");
    bed.figure("handshakes_failed", 1);
    bed.figure("handshakes_late", 2);
    bed.figure("sessions", 1);
    good.send(b"\xFF\xFB\x18");
    of_good.expect(b"\xFF\xFB\x18", "a session that was there before");
}

#[test]
fn who_is_not_let_in_gets_no_host() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "allow = \"127.0.0.0/8\"\ndeny = \"127.0.0.1\"\n");
    assert_eq!(bed.plain(port).ended(), b"");
    bed.told("allow and deny");
    bed.figure("not_allowed", 1);
    bed.figure("sessions_begun", 0);
}

#[test]
fn bounds_are_kept_named_and_counted() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "max_sessions = 2\nmax_sessions_per_client = 1\n");
    let first = bed.plain(port);
    let of_first = host.accept();
    assert_eq!(bed.plain(port).ended(), b"");
    bed.told("max_sessions_per_client");
    bed.figure("times_at_max_sessions_per_client", 1);
    drop((first, of_first));
    bed.figure("sessions", 0);
    let _again = bed.plain(port);
    let _of_again = host.accept();
    // A change of bounds counts from the next client on.
    let text = format!(
        "[redirector]\nmax_sessions = 1\n[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\n",
        host.port()
    );
    bed.reload(&text);
    bed.told("TXMRD0013I");
    assert_eq!(bed.plain(port).ended(), b"");
    bed.told("max_sessions sessions of all hosts");
    let figures = bed.redirector.statistics();
    assert_eq!(
        (&figures["max_sessions"], &figures["times_at_max_sessions"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn a_silent_client_is_asked_and_its_answer_does_not_reach_the_host() {
    let host = Host::plain();
    let (bed, port) = bed(
        &host,
        "mode = \"CLIENT\"\ntimemark_seconds = 1\nanswer_seconds = 2\n",
    );
    let mut client = bed.tls(port);
    let mut of_host = host.accept();
    of_host.send(&[0xFF, 0xFD, 24]);
    client.expect(&[0xFF, 0xFD, 24], "DO TERMINAL-TYPE");
    client.send(&[0xFF, 0xFB, 24]);
    of_host.expect(&[0xFF, 0xFB, 24], "WILL TERMINAL-TYPE");
    client.expect(&MARK, "a question");
    client.send(&[0xFF, 0xFC, 6]);
    client.expect(&MARK, "the next question");
    client.send(b"\xFF\xFC\x06\x7D\xFF\xEF");
    of_host.expect(
        b"\x7D\xFF\xEF",
        "a record without the answer in front of it",
    );
    // And now it does not answer.
    client.ended();
    of_host.ended();
    bed.told("did not answer a TIMING-MARK");
    bed.figure("ended_silent", 1);
}

#[test]
fn nobody_is_asked_where_no_telnet_passes() {
    let host = Host::plain();
    let (bed, port) = bed(
        &host,
        "timemark_seconds = 1\nanswer_seconds = 1\nidle_seconds = 3\n",
    );
    let mut client = bed.plain(port);
    let mut of_host = host.accept();
    // The begin of somebody else's TLS.
    client.send(&[0x16, 3, 1]);
    of_host.expect(&[0x16, 3, 1], "client");
    of_host.send(&[0x16, 3, 3]);
    client.expect(&[0x16, 3, 3], "host");
    assert_eq!(client.ended(), b"");
    bed.told("nobody sent anything");
    bed.figure("ended_idle", 1);
}

#[test]
fn a_balancer_tells_the_client_and_others_may_not() {
    let header = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0C\xC0\0\x02\x07\x0A\0\0\x01\x04\x01\x13\x9F";
    let host = Host::plain();
    let more = "proxy_from = \"127.0.0.1\"\nproxy_to_host = true\ndeny = \"192.0.2.8\"\n";
    let (bed_of_balancer, port) = bed(&host, more);
    let mut client = bed_of_balancer.plain(port);
    client.send(header);
    client.send(b"\xFF\xFB\x18");
    let mut of_host = host.accept();
    // The same client, at the address that the balancer connected to.
    of_host.expect(&header[..20], "signature, family, client");
    let mut rest = [0; 8];
    std::io::Read::read_exact(&mut of_host.socket(), &mut rest).unwrap();
    assert_eq!(rest[..6], [127, 0, 0, 1, 4, 1]);
    of_host.expect(b"\xFF\xFB\x18", "what follows");
    bed_of_balancer.told("192.0.2.7:1025");
    let mut denied = header.to_vec();
    denied[19] = 8;
    let mut client = bed_of_balancer.plain(port);
    client.send(&denied);
    client.ended();
    bed_of_balancer.told("192.0.2.8:1025");
    let mut without = bed_of_balancer.plain(port);
    without.send(b"\xFF\xFB\x18 and no header");
    without.ended();
    bed_of_balancer.told("no header of PROXY protocol 2");
    // From somebody who is not trusted.
    let (bed, port) = bed(&host, "");
    let mut client = bed.plain(port);
    let mut of_host = host.accept();
    for part in [&header[..5], &header[5..]] {
        let _ = client.socket().write_all(part);
    }
    client.ended();
    assert_eq!(of_host.ended(), b"", "no byte of it passed");
    bed.told("is not among proxy_from");
    bed.figure("not_allowed", 1);
}

#[test]
fn connections_leave_nothing_behind() {
    let host = Host::plain();
    let (bed, port) = bed(&host, "mode = \"CLIENT\"\nlog = \"NO\"\n");
    let cycle = |n: u32| {
        let mut client = bed.tls(port);
        let mut of_host = host.accept();
        client.send(b"\xFF\xFB\x18");
        of_host.expect(b"\xFF\xFB\x18", "client");
        match n % 3 {
            0 => drop(client),
            1 => drop(of_host),
            // A reset.
            _ => {
                let socket = socket2::SockRef::from(client.socket());
                socket.set_linger(Some(Duration::ZERO)).unwrap();
            }
        }
    };
    cycle(0);
    bed.figure("sessions", 0);
    let before = descriptors();
    for n in 0..300 {
        cycle(n);
    }
    bed.figure("sessions", 0);
    descriptors_are_back(before);
    bed.figure("sessions_begun", 301);
}
