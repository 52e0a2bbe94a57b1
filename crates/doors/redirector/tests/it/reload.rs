//! Another file while sessions run, and the end.

use crate::support::{Bed, Host, certificate, folder, port, write_certificate};
use rcgen::{CertificateParams, date_time_ymd};
use std::net::TcpStream;
use std::time::Duration;

fn file(port: u16, target: u16, more: &str) -> String {
    format!(
        "[hosts.PAY]\nport = {port}\ntargets = \"127.0.0.1:{target}\"\nmode = \"CLIENT\"\n\
         certificate = \"own.pem\"\ncheck = \"NO\"\n{more}"
    )
}

#[test]
fn a_new_certificate_counts_for_new_sessions_and_old_ones_stay() {
    let (host, local) = (Host::plain(), port());
    let text = file(local, host.port(), "");
    let bed = Bed::new(&text);
    let mut old = bed.tls(local);
    let mut of_old = host.accept();
    certificate(&bed.folder.path().join("own.pem"));
    bed.redirector.reload();
    bed.told("TXMRD0013I");
    // It is checked against the new file.
    let mut new = bed.tls(local);
    let mut of_new = host.accept();
    for (client, of_host) in [(&mut old, &mut of_old), (&mut new, &mut of_new)] {
        client.send(b"\xFF\xFB\x18");
        of_host.expect(b"\xFF\xFB\x18", "client");
        of_host.send(b"\xFF\xFD\x18");
        client.expect(b"\xFF\xFD\x18", "host");
    }
    bed.figure("sessions", 2);
}

#[test]
fn what_cannot_be_used_changes_nothing() {
    let (host, local, other) = (Host::plain(), port(), port());
    let good = file(local, host.port(), "");
    let bed = Bed::new(&good);
    let taken = std::net::TcpListener::bind(("127.0.0.1", other)).unwrap();
    let second = format!("[hosts.OTHER]\nport = {other}\ntargets = \"x\"\n");
    for (text, reason) in [
        ("[hosts.PAY\n".to_owned(), "TXMSI0001E"),
        (good.replace("mode", "mood"), "TXMSI0002E"),
        (good.replace("own.pem", "none.pem"), "TXMTC0002E"),
        (good.replace("port =", "port = 0 #"), "TXMSI0003E"),
        (String::new(), "no [hosts.NAME]"),
        (format!("{good}{second}"), "TXMTC0001E"),
    ] {
        bed.told.lock().unwrap().clear();
        bed.reload(&text);
        let told = bed.told("TXMRD0014E");
        assert!(told.contains(reason), "{text}: {told}");
        let mut client = bed.tls(local);
        let mut of_host = host.accept();
        client.send(b"\xFF\xFB\x18");
        of_host.expect(b"\xFF\xFB\x18", "client");
    }
    drop(taken);
    // A certificate that has run out does not replace one that has not.
    let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    params.not_before = date_time_ymd(2010, 1, 1);
    params.not_after = date_time_ymd(2011, 2, 3);
    let own = bed.folder.path().join("own.pem");
    let kept = std::fs::read(&own).unwrap();
    write_certificate(&own, params);
    bed.reload(&good);
    bed.told("run out on 2011-02-03");
    std::fs::write(&own, kept).unwrap();
    let _session = bed.tls(local);
    host.accept();
}

#[test]
fn hosts_come_and_go_and_sessions_stay() {
    let (host, first, second) = (Host::plain(), port(), port());
    let bed = Bed::new(&file(first, host.port(), ""));
    let mut old = bed.tls(first);
    let mut of_old = host.accept();
    bed.reload(&file(second, host.port(), ""));
    bed.told("TXMRD0013I");
    crate::support::wait(
        || {
            TcpStream::connect(("127.0.0.1", first))
                .is_err()
                .then_some(())
        },
        || "the end of the first port".into(),
    );
    let _new = bed.tls(second);
    host.accept();
    old.send(b"\xFF\xFB\x18");
    of_old.expect(b"\xFF\xFB\x18", "a session of a host that is gone");
    assert_eq!(bed.redirector.addresses()[0].1.port(), second);
}

#[test]
fn the_end_waits_for_sessions_and_ends_those_that_stay() {
    let (host, local) = (Host::plain(), port());
    let bed = Bed::within(folder(), &file(local, host.port(), ""));
    let mut client = bed.tls(local);
    let mut of_host = host.accept();
    client.send(b"\xFF\xFB\x18");
    of_host.expect(b"\xFF\xFB\x18", "client");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = runtime.unwrap();
    runtime.block_on(bed.redirector.drain(Duration::from_millis(200)));
    assert!(
        TcpStream::connect(("127.0.0.1", local)).is_err(),
        "no new sessions"
    );
    of_host.send(b"\xFF\xFD\x18");
    client.expect(b"\xFF\xFD\x18", "a session goes on meanwhile");
    assert_eq!(runtime.block_on(bed.redirector.end()), 1);
    client.ended();
    of_host.ended();
    bed.told("the redirector ended it");
}
