//! Clients that mean no good, many of them, beside a session that must not feel it.

use crate::support::{Bed, Host, descriptors, descriptors_are_back, port};
use socket2::SockRef;
use std::io::Write;
use std::time::Duration;

fn bed(host: &Host) -> (Bed, u16) {
    let port = port();
    let text = format!(
        "[redirector]\nhandshake_seconds = 2\n[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\n\
         mode = \"CLIENT\"\ncertificate = \"own.pem\"\ncheck = \"NO\"\nlog = \"NO\"\n",
        host.port()
    );
    (Bed::new(&text), port)
}

/// Resets at each stage, garbage of all lengths, handshakes byte by byte: all of them end, nothing
/// stays open, and somebody else's session goes on.
#[test]
fn resets_garbage_and_slow_handshakes_leave_nothing_open() {
    let host = Host::plain();
    let (bed, port) = bed(&host);
    let mut good = bed.tls(port);
    let mut of_good = host.accept();
    let before = descriptors();
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    let mut slow = Vec::new();
    for round in 0..200_u32 {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let bytes: Vec<u8> = (0..random % 300)
            .map(|n| (random >> (n % 56)) as u8)
            .collect();
        match round % 4 {
            // A reset behind garbage, or before anything.
            0 => {
                let wire = bed.plain(port);
                let _maybe_closed = wire.socket().write_all(&bytes);
                reset(wire.socket());
            }
            // A reset in the middle of a session.
            1 => {
                let mut wire = bed.tls(port);
                let mut of_host = host.accept();
                wire.send(&[0x7D, 0xFF, 0xEF]);
                of_host.expect(&[0x7D, 0xFF, 0xEF], "a key");
                reset(wire.socket());
                drop(wire);
                of_host.ended();
            }
            // The host resets.
            2 => {
                let mut wire = bed.tls(port);
                let of_host = host.accept();
                reset(of_host.socket());
                drop(of_host);
                wire.ended();
            }
            // A handshake that stops after some bytes.
            _ => {
                let wire = bed.plain(port);
                let hello = [0x16, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3];
                let count = usize::try_from(random % 11).unwrap();
                wire.socket().set_nodelay(true).unwrap();
                wire.socket().write_all(&hello[..count]).unwrap();
                slow.push(wire);
            }
        }
        if round % 20 == 0 {
            good.send(&[0x7D, 0xFF, 0xEF]);
            of_good.expect(&[0x7D, 0xFF, 0xEF], "a key of somebody else");
            of_good.send(&[0xF5, 0xFF, 0xEF]);
            good.expect(&[0xF5, 0xFF, 0xEF], "and its screen");
        }
    }
    for mut wire in slow {
        wire.ended();
    }
    bed.figure("sessions", 1);
    descriptors_are_back(before);
}

/// Closing it sends a reset.
fn reset(socket: &std::net::TcpStream) {
    SockRef::from(socket)
        .set_linger(Some(Duration::ZERO))
        .unwrap();
}
