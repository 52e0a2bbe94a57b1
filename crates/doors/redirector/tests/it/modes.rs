//! Bytes pass as they are, in all four modes.

use crate::support::{Bed, Host, Wire, connect, folder, port};
use std::path::{Path, PathBuf};

const MODES: [&str; 4] = ["PASS", "CLIENT", "HOST", "BOTH"];

/// A bed with one host in a mode, and a session through it: the client's end and the host's.
fn session(mode: &str, more: &str) -> (Bed, Wire, Wire) {
    let (folder, port) = (folder(), port());
    let host = match mode {
        "HOST" | "BOTH" => Host::tls(folder.path()),
        _ => Host::plain(),
    };
    let text = format!(
        "[redirector]\nthreads = 2\n[hosts.PAY]\nport = {port}\ntargets = \"localhost:{}\"\n\
         mode = \"{mode}\"\ncertificate = \"own.pem\"\nhost_ca = \"host.pem\"\ncheck = \"NO\"\n{more}",
        host.port()
    );
    let bed = Bed::within(folder, &text);
    let client = match mode {
        "CLIENT" | "BOTH" => bed.tls(port),
        _ => bed.plain(port),
    };
    let host = host.accept();
    (bed, client, host)
}

/// Blocks of a trace: from the host or not, and the bytes.
fn blocks(file: &Path) -> Vec<(bool, Vec<u8>)> {
    let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).into_owned();
    let mut blocks: Vec<(bool, Vec<u8>)> = Vec::new();
    for line in text.lines() {
        let host = line.starts_with("< 0x");
        if !host && !line.starts_with("> 0x") {
            continue;
        }
        let mut words = line.split_whitespace().skip(1);
        let (offset, hex) = (words.next().unwrap(), words.next().unwrap_or_default());
        let bytes =
            (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap());
        match blocks.last_mut() {
            Some((of_host, block)) if *of_host == host && offset != "0x0" => block.extend(bytes),
            _ => blocks.push((host, bytes.collect())),
        }
    }
    blocks
}

fn traces() -> Vec<PathBuf> {
    let Some(folder) = transom_needed::fixtures("tn3270-traces") else {
        return Vec::new();
    };
    let files = std::fs::read_dir(folder).unwrap();
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|e| e == "trc"))
        .collect()
}

#[test]
fn recorded_sessions_pass_byte_for_byte() {
    for mode in MODES {
        for file in traces() {
            // A TIMING-MARK that is never due must change nothing either.
            let (_bed, mut client, mut host) = session(mode, "timemark_seconds = 3600\n");
            for (at, (of_host, block)) in blocks(&file).into_iter().enumerate() {
                let what = format!("{mode} {} block {at}", file.display());
                let (from, to) = match of_host {
                    true => (&mut host, &mut client),
                    false => (&mut client, &mut host),
                };
                from.send(&block);
                to.expect(&block, &what);
            }
        }
    }
}

#[test]
fn large_bytes_pass_a_peer_that_reads_slowly() {
    // More than all sockets on the way hold, so that both directions wait for their readers.
    let bytes: Vec<u8> = (0..20_000_000_u32).map(|n| (n % 251) as u8).collect();
    for mode in MODES {
        let (_bed, mut client, mut host) = session(mode, "");
        // Telnet of a client begins with a command; other bytes pass as well.
        let to_client = bytes.clone();
        let sender = std::thread::spawn(move || {
            host.send(&to_client);
            host
        });
        client.expect(&bytes, mode);
        let mut host = sender.join().unwrap();
        let to_host = bytes.clone();
        let sender = std::thread::spawn(move || {
            client.send(&to_host);
            client
        });
        host.expect(&bytes, mode);
        drop(sender.join().unwrap());
        host.ended();
    }
}

#[test]
fn a_side_that_is_closed_still_gets_what_comes() {
    for mode in MODES {
        let (bed, mut client, mut host) = session(mode, "");
        client.send(b"\xFF\xFB\x18last words");
        client.close_half();
        host.expect(b"\xFF\xFB\x18last words", mode);
        assert_eq!(host.ended(), b"", "{mode}");
        host.send(b"\xFF\xFD\x18answer");
        drop(host);
        assert_eq!(client.ended(), b"\xFF\xFD\x18answer", "{mode}");
        bed.told("the client ended it");
        let (bed, mut client, mut host) = session(mode, "");
        host.send(b"\xFF\xFD\x18bye");
        host.close_half();
        client.expect(b"\xFF\xFD\x18bye", mode);
        assert_eq!(client.ended(), b"", "{mode}");
        drop(client);
        host.ended();
        bed.told("the host ended it");
        bed.figure("sessions", 0);
    }
}

#[test]
fn records_bytes_and_sessions_are_counted() {
    let (bed, mut client, mut host) = session("BOTH", "");
    client.send(b"\xFF\xFB\x18");
    host.expect(b"\xFF\xFB\x18", "client");
    host.send(b"\xFF\xFD\x18\xF5\xC3one\xFF\xEF\xF5\xC3two\xFF\xEF");
    client.expect(
        b"\xFF\xFD\x18\xF5\xC3one\xFF\xEF\xF5\xC3two\xFF\xEF",
        "host",
    );
    for (name, value) in [
        ("bytes_in", 3),
        ("bytes_out", 17),
        ("records_out", 2),
        ("sessions", 1),
        ("sessions_begun", 1),
    ] {
        bed.figure(name, value);
    }
    drop(client);
    host.ended();
    // A session is over when both sides are closed.
    drop(host);
    let told = bed.told("TXMRD0004I");
    assert!(told.contains("bytes 3 in, 17 out, records 2"), "{told}");
}

#[test]
fn a_client_and_a_host_may_have_ipv6_addresses() {
    let port = port();
    let Ok(listener) = std::net::TcpListener::bind("[::1]:0") else {
        println!("skipped: no IPv6 here");
        return;
    };
    let target = listener.local_addr().unwrap();
    let text = format!(
        "[hosts.SIX]\nport = {port}\naddress = \"::1\"\ntargets = \"{target}\"\ncheck = \"NO\"\n"
    );
    let _bed = Bed::new(&text);
    let mut client = Wire::Plain(connect(format!("[::1]:{port}").parse().unwrap()));
    let mut host = Wire::Plain(listener.accept().unwrap().0);
    client.send(b"\xFF\xFB\x18");
    host.expect(b"\xFF\xFB\x18", "IPv6");
}

#[test]
fn telnet_start_tls_changes_to_tls() {
    let (folder, port, host) = (folder(), port(), Host::plain());
    let text = format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{}\"\nmode = \"CLIENT\"\n\
         client_tls = \"NEGOTIATED\"\ncertificate = \"own.pem\"\ncheck = \"NO\"\n",
        host.port()
    );
    let bed = Bed::within(folder, &text);
    let mut client = bed.plain(port);
    client.expect(&[0xFF, 0xFD, 46], "DO START_TLS");
    client.send(&[0xFF, 0xFB, 46]);
    client.expect(&[0xFF, 0xFA, 46, 1, 0xFF, 0xF0], "FOLLOWS");
    client.send(&[0xFF, 0xFA, 46, 1, 0xFF, 0xF0]);
    let Wire::Plain(socket) = client else {
        panic!("it is plain until now");
    };
    let mut client = Wire::Client(bed.secure(socket).unwrap());
    let mut host = host.accept();
    host.send(&[0xFF, 0xFD, 24]);
    client.expect(&[0xFF, 0xFD, 24], "from the host");
    client.send(&[0xFF, 0xFB, 24]);
    host.expect(&[0xFF, 0xFB, 24], "from the client");
    // Whoever does not know it is closed, and no host hears of it.
    let mut other = bed.plain(port);
    other.expect(&[0xFF, 0xFD, 46], "DO START_TLS");
    other.send(&[0xFF, 0xFC, 46]);
    other.ended();
    bed.told("does not take telnet START_TLS");
    bed.figure("handshakes_failed", 1);
}
