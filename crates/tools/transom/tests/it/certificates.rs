//! Certificates of clients with the tools people have: openssl makes them, curl and openssl show
//! them to a gateway and to terminals.

use crate::harness::{EXE, Running, free_port};
use crate::intruders::{add_to_toml, basic, secured};
use crate::users::user;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PUT: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &str = "{\"COMM1KOperation\":{\"count_out\":32}}";

/// Whether the tools are there; says so if not.
fn have_tools() -> bool {
    let there = |tool: &str, word: &str| Command::new(tool).arg(word).output().is_ok();
    let there = there("openssl", "version") && there("curl", "--version");
    if !there {
        println!("skipped: openssl and curl are not installed");
    }
    there
}

fn openssl(folder: &Path, arguments: &str) -> String {
    let done = Command::new("openssl")
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments}: {said}");
    String::from_utf8(done.stdout).unwrap().trim().to_owned()
}

/// An authority `ca.pem`, certificates of names it has signed, and one of nobody's, `self.pem`.
fn make(folder: &Path, names: &[&str]) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for (file, name) in [("ca", "CA"), ("self", "alice")] {
        let subject = format!("-subj /CN={name} -days 30");
        openssl(
            folder,
            &format!("req -x509 {key} -keyout {file}.key -out {file}.pem {subject}"),
        );
    }
    std::fs::write(folder.join("usage"), "extendedKeyUsage = clientAuth\n").unwrap();
    for name in names {
        openssl(
            folder,
            &format!("req {key} -keyout {name}.key -out {name}.csr -subj /O=Bank/CN={name}"),
        );
        let sign = "x509 -req -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile usage";
        openssl(folder, &format!("{sign} -in {name}.csr -out {name}.pem"));
    }
}

/// Status of a request by curl; 0: no connection.
fn curl(folder: &Path, port: u16, name: Option<&str>, authorization: Option<&str>) -> u16 {
    let mut curl = Command::new("curl");
    curl.current_dir(folder);
    curl.args([
        "-sk",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "-X",
        "PUT",
        "-d",
        BODY,
    ]);
    curl.args(["-H", "content-type: application/json"]);
    if let Some(name) = name {
        curl.args([
            "--cert",
            &format!("{name}.pem"),
            "--key",
            &format!("{name}.key"),
        ]);
    }
    if let Some(value) = authorization {
        curl.args(["-H", &format!("authorization: {value}")]);
    }
    let done = curl
        .arg(format!("https://localhost:{port}{PUT}"))
        .output()
        .unwrap();
    String::from_utf8_lossy(&done.stdout).parse().unwrap_or(0)
}

/// The first byte a listener of terminals sends over TLS, by openssl.
fn greeting(folder: &Path, port: u16, name: Option<&str>) -> Option<u8> {
    let mut client = Command::new("openssl");
    client.current_dir(folder);
    client.args([
        "s_client",
        "-quiet",
        "-connect",
        &format!("127.0.0.1:{port}"),
    ]);
    if let Some(name) = name {
        client.args([
            "-cert",
            &format!("{name}.pem"),
            "-key",
            &format!("{name}.key"),
        ]);
    }
    client
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut client = client.spawn().unwrap();
    let mut first = [0];
    let read = client.stdout.take().unwrap().read(&mut first).unwrap_or(0);
    let _ended = client.kill();
    let _status = client.wait();
    (read == 1).then_some(first[0])
}

#[test]
fn a_gateway_takes_the_common_name_of_a_certificate_for_the_user() {
    if !have_tools() {
        return;
    }
    let (_folder, dir) = secured(&["alice"], "");
    make(&dir, &["alice", "mallory"]);
    let xml = std::fs::read_to_string(dir.join("server.xml")).unwrap();
    let ssl = "<ssl id=\"defaultSSLConfig\" keyStoreRef=\"defaultKeyStore\" trustStoreRef=\"clients\" \
               clientAuthenticationSupported=\"true\"/><keyStore id=\"clients\" location=\"ca.pem\"/></server>";
    let optional = xml.replace("</server>", ssl);
    std::fs::write(dir.join("server.xml"), &optional).unwrap();
    let server = Running::start(&dir);
    let (port, password) = (server.secure_port, basic("alice", "alice"));
    assert_eq!(
        curl(&dir, port, Some("alice"), None),
        200,
        "{}",
        server.said()
    );
    assert_eq!(curl(&dir, port, None, None), 401);
    assert_eq!(curl(&dir, port, None, Some(&password)), 200);
    assert_eq!(curl(&dir, port, Some("mallory"), None), 401);
    let told = "TXMGW0019W The certificate of CN=mallory,O=Bank (sha256:";
    server.says(told);
    assert_eq!(curl(&dir, port, Some("mallory"), Some(&password)), 200);
    assert_eq!(curl(&dir, port, Some("self"), None), 0);
    server.says("TXMTC0005W");
    assert!(server.stop());
    let needed = optional.replace("clientAuthenticationSupported", "clientAuthentication");
    std::fs::write(dir.join("server.xml"), needed).unwrap();
    let server = Running::start(&dir);
    let port = server.secure_port;
    assert_eq!(curl(&dir, port, None, Some(&password)), 0);
    server.says("it showed no certificate");
    assert_eq!(curl(&dir, port, Some("alice"), None), 200);
    assert!(server.stop());
}

#[test]
fn terminals_show_certificates_to_a_real_region() {
    if !have_tools() {
        return;
    }
    let (_folder, dir) = secured(&["alice"], "");
    make(&dir, &["alice", "mallory"]);
    let port = free_port();
    let refused =
        "[terminals]\nclient_certificates = \"REQUIRED\"\nport = 3270\nclient_ca = \"ca.pem\"\n";
    let toml = std::fs::read_to_string(dir.join("transom.toml")).unwrap();
    add_to_toml(&dir, refused);
    let told = Command::new(EXE).arg("run").arg(&dir).output().unwrap();
    let text = String::from_utf8_lossy(&told.stderr);
    assert!(text.contains("TXMZC0126E"), "{text}");
    std::fs::write(dir.join("transom.toml"), toml).unwrap();
    add_to_toml(
        &dir,
        &refused.replace("port = 3270", &format!("tls_port = {port}")),
    );
    let (done, said) = user(&dir, &["add", "alice"], "secret\n");
    assert!(done, "{said}");
    let subject = openssl(&dir, "x509 -noout -subject -nameopt RFC2253 -in alice.pem");
    let subject = subject.trim_start_matches("subject=").trim();
    assert_eq!(subject, "CN=alice,O=Bank");
    let (done, said) = user(&dir, &["certificate", "alice", subject], "");
    assert!(done, "{said}");
    let server = Running::start(&dir);
    // IAC: telnet begins.
    assert_eq!(
        greeting(&dir, port, Some("alice")),
        Some(0xFF),
        "{}",
        server.said()
    );
    assert_eq!(greeting(&dir, port, None), None);
    assert_eq!(greeting(&dir, port, Some("self")), None);
    server.says("it showed no certificate");
    let begin = Instant::now();
    while server.said().matches("TXMTC0005W").count() != 2 {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{}",
            server.said()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(server.stop());
}
