//! Targets that do not answer, come and go.

use crate::support::{Bed, Host, port};

#[test]
fn a_session_goes_to_the_next_target_when_one_is_down() {
    let (host, local, nobody) = (Host::plain(), port(), port());
    let text = format!(
        "[hosts.PAY]\nport = {local}\ntargets = \"127.0.0.1:{nobody}, 127.0.0.1:{}\"\n\
         check = \"NO\"\n",
        host.port()
    );
    let bed = Bed::new(&text);
    for _ in 0..3 {
        let mut client = bed.plain(local);
        let mut of_host = host.accept();
        of_host.send(b"\xFF\xFD\x18");
        client.expect(b"\xFF\xFD\x18", "the second target");
    }
    // Two attempts found the first one down; the third did not try it first.
    bed.figure("failed_over", 2);
    let figures = bed.redirector.statistics();
    assert_eq!(figures["hosts"][0]["targets"][0]["state"], "down");
}

#[test]
fn without_a_target_the_client_is_closed_and_the_reason_told() {
    let (local, nobody) = (port(), port());
    let text =
        format!("[hosts.PAY]\nport = {local}\ntargets = \"127.0.0.1:{nobody}\"\ncheck = \"NO\"\n");
    let bed = Bed::new(&text);
    assert_eq!(bed.plain(local).ended(), b"");
    let told = bed.told("TXMRD0007E");
    assert!(told.contains(&nobody.to_string()), "{told}");
    bed.figure("without_target", 1);
    bed.figure("sessions", 0);
}

#[test]
fn a_host_with_the_wrong_certificate_gets_nothing() {
    let folder = crate::support::folder();
    let (host, local) = (Host::tls(folder.path()), port());
    // The redirector believes another one.
    let text = format!(
        "[hosts.PAY]\nport = {local}\ntargets = \"localhost:{}\"\nmode = \"HOST\"\n\
         host_ca = \"own.pem\"\ncheck = \"NO\"\n",
        host.port()
    );
    let bed = Bed::within(folder, &text);
    let accepting = std::thread::spawn(move || {
        let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| host.accept()));
        refused.is_err()
    });
    assert_eq!(bed.plain(local).ended(), b"");
    assert!(accepting.join().unwrap(), "the handshake failed");
    bed.told("TXMRD0007E");
}

#[test]
fn looks_find_a_target_that_goes_and_comes() {
    let (local, target) = (port(), port());
    let text = format!(
        "[hosts.PAY]\nport = {local}\ntargets = \"127.0.0.1:{target}\"\ncheck = \"TELNET\"\n\
         check_seconds = 1\nconnect_seconds = 2\n"
    );
    let bed = Bed::new(&text);
    bed.told("TXMRD0008W");
    let listener = std::net::TcpListener::bind(("127.0.0.1", target)).unwrap();
    // One that accepts and says nothing is none.
    std::thread::spawn(move || {
        for (n, socket) in listener.incoming().enumerate() {
            let mut socket = socket.unwrap();
            if n > 0 {
                let _ = std::io::Write::write_all(&mut socket, &[0xFF, 0xFD, 24]);
            }
        }
    });
    bed.told("TXMRD0009I");
    let mut client = bed.plain(local);
    client.expect(&[0xFF, 0xFD, 24], "the target");
}
