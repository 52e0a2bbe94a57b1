//! The R3 sample: an API over a REST service of the database, and the server behind it.

use crate::harness::{Running, copy_of, free_port, http, root, transom};
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SERVICE: &str = r#"{"requestType":"createService","serviceName":"employees","description":"Employees of departments.",
    "sqlStmt":"SELECT * FROM DSN81210.EMP WHERE WORKDEPT LIKE :workDept ORDER BY LASTNAME"}"#;

fn change(file: &Path, pairs: &[(&str, &str)]) {
    let mut text = fs::read_to_string(file).unwrap();
    for (old, new) in pairs {
        assert!(text.contains(old), "{old}: {text}");
        text = text.replace(old, new);
    }
    fs::write(file, text).unwrap();
}

/// The sample with its table and ports of its own: HTTP and HTTPS of the services.
fn sample() -> (TempDir, PathBuf, u16, u16) {
    let (folder, dir) = copy_of(&root().join("samples/projectmanager"));
    let (port, secure) = (free_port(), free_port());
    let (plain, tls) = (port.to_string(), secure.to_string());
    change(
        &dir.join("transom.toml"),
        &[("42100", &plain), ("42101", &tls)],
    );
    change(&dir.join("server.xml"), &[("42100", &plain)]);
    if !dir.join("data/sql.db").exists() {
        let (good, said, complaint) = transom(&["sql", ".", "--in", "sql/emp.sql"], &dir);
        assert!(good, "{said}{complaint}");
    }
    (folder, dir, port, secure)
}

fn employees(server: &Running, dept: &str) -> (u16, String) {
    server.request(
        "GET",
        &format!("/projectmanager/employees?workDept={dept}"),
        b"",
    )
}

fn create(port: u16) {
    let json = [("content-type", "application/json")];
    let (status, said) = http(
        port,
        "POST",
        "/services/DB2ServiceManager",
        &json,
        SERVICE.as_bytes(),
    );
    assert_eq!(status, 201, "{said}");
}

#[test]
fn the_rows_of_the_report_come_through_gateway_and_service() {
    let (_folder, dir, port, _) = sample();
    let server = Running::start(&dir);
    // Nobody has made the service yet: what the server behind says comes as it is.
    let (status, said) = employees(&server, "W%25");
    assert!(
        status == 404 && said.contains("was not found"),
        "{status} {said}"
    );
    create(port);
    for (dept, rows, least, most) in [
        ("C%25", 4, 1_000, 1_200),
        ("T%25", 21, 5_000, 5_500),
        ("W01%25", 42, 10_000, 11_000),
        ("W0%25", 126, 30_000, 32_000),
        ("W%25", 210, 50_000, 54_000),
    ] {
        let (status, said) = employees(&server, dept);
        assert_eq!(status, 200, "{said}");
        assert!(
            (least..most).contains(&said.len()),
            "{dept}: {}",
            said.len()
        );
        let said: Value = serde_json::from_str(&said).unwrap();
        let found = said["ResultSet Output"].as_array().unwrap();
        assert_eq!(
            (found.len(), &said["StatusCode"]),
            (rows, &200.into()),
            "{dept}"
        );
        let prefix = dept.trim_end_matches("%25");
        let fits = |row: &Value| row["WORKDEPT"].as_str().unwrap().starts_with(prefix);
        assert!(found.iter().all(fits), "{dept}");
    }
    let (status, said) = server.request("GET", "/projectmanager/employees", b"");
    assert!(
        status == 400 && said.contains("the parameter workDept is missing"),
        "{said}"
    );
    let (status, said) = employees(&server, "%25%27%20OR%201=1%20--");
    assert!(
        status == 200 && said.starts_with("{\"ResultSet Output\":[],"),
        "{said}"
    );
    let (_, swagger) = server.request("GET", "/projectmanager/api-docs", b"");
    assert!(
        swagger.contains("\"name\":\"workDept\",\"in\":\"query\""),
        "{swagger}"
    );
    assert!(server.stop());
}

#[test]
fn a_table_that_is_altered_under_a_service_is_seen_by_its_next_request() {
    let (_folder, dir, port, _) = sample();
    let server = Running::start(&dir);
    create(port);
    for _ in 0..3 {
        let (status, said) = employees(&server, "C%25");
        assert!(status == 200 && !said.contains("NICKNAME"), "{said}");
    }
    let more = "ALTER TABLE DSN81210.EMP ADD NICKNAME CHAR(4) NOT NULL WITH DEFAULT 'NONE';\n";
    fs::write(dir.join("alter.sql"), more).unwrap();
    let (good, said, complaint) = transom(&["sql", ".", "--in", "alter.sql"], &dir);
    assert!(good, "{said}{complaint}");
    for _ in 0..3 {
        let (status, said) = employees(&server, "C%25");
        let rows = said.matches("\"NICKNAME\":\"NONE\"").count();
        assert_eq!((status, rows), (200, 4), "{said}");
    }
    assert!(server.stop());
}

#[test]
fn a_connection_may_be_tls_and_a_server_that_is_not_there_is_said() {
    let (_folder, dir, port, secure) = sample();
    let server = Running::start(&dir);
    create(port);
    assert!(server.stop());
    // The certificate that the services made for themselves is the one to believe.
    let file = dir.join("server.xml");
    let connection = format!("host=\"localhost\" port=\"{port}\"");
    let tls = format!("host=\"https://localhost\" port=\"{secure}\" sslCertsRef=\"toDb2\"");
    let stores = "<ssl id=\"toDb2\" keyStoreRef=\"db2\"/><keyStore id=\"db2\" location=\".transom/dbrest.pem\"/></server>";
    change(&file, &[(&connection, &tls), ("</server>", stores)]);
    let server = Running::start(&dir);
    let (status, said) = employees(&server, "C%25");
    assert_eq!(status, 200, "{said} {}", server.said());
    assert!(server.stop());
    // Another name than the certificate has, and then nobody at all.
    change(&file, &[("https://localhost", "https://127.0.0.2")]);
    let server = Running::start(&dir);
    let (status, said) = employees(&server, "C%25");
    assert!(
        status == 503 && said.contains("cannot be reached"),
        "{status} {said}"
    );
    assert!(server.stop());
    let nobody = format!("port=\"{}\"", free_port());
    change(
        &file,
        &[
            ("https://127.0.0.2", "localhost"),
            (&format!("port=\"{secure}\""), &nobody),
            ("sslCertsRef=\"toDb2\"", ""),
        ],
    );
    let server = Running::start(&dir);
    let (status, said) = employees(&server, "C%25");
    assert!(
        status == 503 && said.contains("BAQR0429W"),
        "{status} {said}"
    );
    let begin = Instant::now();
    while !server.said().contains("TXMGW0025W") {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{}",
            server.said()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(server.stop());
}

/// Takes so many requests and refuses them; their heads.
fn refusing(listener: TcpListener, requests: usize) -> JoinHandle<Vec<String>> {
    std::thread::spawn(move || {
        let one = |stream: std::io::Result<TcpStream>| {
            let mut stream = stream.unwrap();
            let (mut head, mut byte) = (Vec::new(), [0; 1]);
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() > 0 {
                head.push(byte[0]);
            }
            let answer =
                b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}";
            stream.write_all(answer).unwrap();
            String::from_utf8(head).unwrap().to_ascii_lowercase()
        };
        listener.incoming().take(requests).map(one).collect()
    })
}

#[test]
fn the_trace_of_a_request_goes_on_at_the_server_that_is_called() {
    let (_folder, dir, port, _) = sample();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let other = listener.local_addr().unwrap().port();
    change(
        &dir.join("server.xml"),
        &[(&format!("port=\"{port}\""), &format!("port=\"{other}\""))],
    );
    let heads = refusing(listener, 2);
    let server = Running::start(&dir);
    let path = "/projectmanager/employees?workDept=C";
    let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let trace = [("traceparent", parent), ("tracestate", "a=b")];
    let (status, said) = server.request_with("GET", path, &trace, b"");
    assert_eq!(status, 404, "{said}");
    assert_eq!(server.request("GET", path, b"").0, 404);
    let heads = heads.join().unwrap();
    let line = format!("\r\ntraceparent: {parent}\r\n");
    assert!(heads[0].contains(&line), "{}", heads[0]);
    assert!(heads[0].contains("\r\ntracestate: a=b\r\n"), "{}", heads[0]);
    assert!(!heads[1].contains("trace"), "{}", heads[1]);
    assert!(server.stop());
}
