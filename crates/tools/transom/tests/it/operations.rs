//! The operations port as whoever watches a region uses it: curl, Prometheus, a browser.

use crate::harness::{Running, copy_of, free_port, http, root};
use crate::intruders::basic;
use crate::system::System;
use crate::users::user;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The sample with the table, and its port.
fn sample(more: &str) -> (tempfile::TempDir, std::path::PathBuf, u16) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let port = free_port();
    add(&dir, &format!("\n[operations]\nport = {port}\n{more}"));
    (folder, dir, port)
}

fn add(dir: &Path, text: &str) {
    let file = dir.join("transom.toml");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    std::fs::write(file, before + text).unwrap();
}

fn get(port: u16, path: &str) -> (u16, String) {
    http(port, "GET", path, &[], b"")
}

/// The whole reply to a request as it is written.
fn raw(port: u16, request: &str) -> String {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let time = Some(Duration::from_secs(20));
    socket.set_read_timeout(time).unwrap();
    socket.write_all(request.as_bytes()).unwrap();
    let mut reply = Vec::new();
    socket.read_to_end(&mut reply).unwrap();
    String::from_utf8(reply).unwrap()
}

/// Value of a series; those of a text that is made anew.
fn value(text: &str, series: &str) -> Option<String> {
    let mut lines = text.lines();
    let found = lines.find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    found.map(str::to_owned)
}

/// Waits until a series has a value: figures are those of a fifth of a second ago.
#[track_caller]
fn shows(port: u16, series: &str, expected: &str) -> String {
    let begin = Instant::now();
    loop {
        let (status, text) = get(port, "/metrics");
        assert_eq!(status, 200, "{text}");
        if value(&text, series).as_deref() == Some(expected) {
            return text;
        }
        let late = begin.elapsed() > Duration::from_secs(30);
        assert!(!late, "{series} is not {expected}: {text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn has(tool: &str) -> bool {
    let there = Command::new(tool).arg("--version").output().is_ok();
    if !there {
        let by = match tool {
            "curl" => "setup test",
            _ => "watchers",
        };
        println!("skipped: {tool} is not installed (scripts/{by} installs it)");
    }
    there
}

#[test]
fn a_region_is_watched_while_it_serves() {
    let (_folder, dir, port) = sample("");
    let server = Running::start(&dir);
    let put = |body: &[u8]| {
        server
            .request("PUT", "/comm1k/mapping/CABASIC-RS2/1", body)
            .0
    };
    for _ in 0..3 {
        assert_eq!(put(b"{\"COMM1KOperation\":{\"count_out\":32}}"), 200);
    }
    assert_eq!(put(b"{"), 400);
    for (path, check) in [
        ("live", "process"),
        ("ready", "region"),
        ("started", "region"),
    ] {
        let (status, said) = get(port, &format!("/health/{path}"));
        let expected =
            format!(r#"{{"status":"UP","checks":[{{"name":"{check}","status":"UP"}}]}}"#);
        assert_eq!((status, said), (200, expected));
    }
    assert_eq!(get(port, "/health").0, 200);

    let api = "api=\"comm1k\",method=\"PUT\",path=\"/mapping/CABASIC-RS2/{countIn}\"";
    let text = shows(
        port,
        &format!("transom_api_request_seconds_count{{{api}}}"),
        "4",
    );
    let is = |series: &str, expected: &str| {
        assert_eq!(
            value(&text, series).as_deref(),
            Some(expected),
            "{series}: {text}"
        );
    };
    is(&format!("transom_api_failures_total{{{api}}}"), "1");
    is(
        &format!("transom_api_request_seconds_bucket{{{api},le=\"+Inf\"}}"),
        "4",
    );
    is(
        "transom_info{applid=\"CABASIC1\",sysid=\"CAB1\",version=\"0.1.0\"}",
        "1",
    );
    is(
        "transom_task_transaction_seconds_count{transaction=\"BBO#\",others=\"\"}",
        "3",
    );
    is(
        "transom_task_program_seconds_count{program=\"CABASIC\",others=\"\"}",
        "3",
    );
    is(
        "transom_task_program_abends_total{program=\"CABASIC\",others=\"\"}",
        "0",
    );
    is(
        "transom_task_program_seconds_count{program=\"\",others=\"true\"}",
        "0",
    );
    is("transom_transaction_manager_attached_total", "3");
    is("transom_transaction_manager_max_tasks", "120");
    is("transom_ready", "1");
    is("transom_series_missing{kind=\"operation\"}", "0");
    judged(&text);

    let (status, page) = get(port, "/");
    assert_eq!(status, 200);
    let openapi = format!(
        "<a href=\"http://localhost:{}/comm1k/openapi\">OpenAPI</a>",
        server.port
    );
    for part in [
        "<h1>Region CABASIC1</h1>",
        "The region takes work.",
        "<td>PUT /comm1k/mapping/CABASIC-RS2/{countIn}</td><td>4</td><td>1</td>",
        &openapi,
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(server.request("GET", "/comm1k/openapi", b"").0, 200);
    assert!(server.stop());
}

/// promtool finds nothing wrong with a text.
fn judged(text: &str) {
    if !has("promtool") {
        return;
    }
    let mut judge = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    judge
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let done = judge.wait_with_output().unwrap();
    let said =
        String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
    assert!(!said.contains("error"), "{said}");
}

#[test]
fn who_asks_in_another_way_gets_nothing() {
    let (_folder, dir, port) = sample("");
    let _server = Running::start(&dir);
    let asked = |head: &str| {
        let reply = raw(port, &format!("{head}\r\nConnection: close\r\n\r\n"));
        reply.split(' ').nth(1).unwrap().to_owned()
    };
    for (head, status) in [
        ("GET /metrics HTTP/1.1\r\nHost: localhost:1", "200"),
        ("HEAD /metrics HTTP/1.1\r\nHost: 127.0.0.1", "200"),
        ("GET /metrics HTTP/1.1\r\nHost: attacker.example", "403"),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site",
            "403",
        ),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://attacker.example",
            "403",
        ),
        (
            "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: none",
            "200",
        ),
        (
            "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9",
            "405",
        ),
        ("GET /../etc/passwd HTTP/1.1\r\nHost: localhost", "404"),
        ("GET /health/other HTTP/1.1\r\nHost: localhost", "404"),
    ] {
        assert_eq!(asked(head), status, "{head}");
    }
    let page = raw(
        port,
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    let head = page.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    for part in [
        "content-security-policy: default-src 'none'; style-src 'self'",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "x-frame-options: deny",
    ] {
        assert!(head.contains(part), "{part}: {head}");
    }
}

#[test]
fn beyond_this_machine_it_is_tls_and_a_logon() {
    if !has("curl") {
        return;
    }
    let (_folder, dir, port) = sample("address = \"0.0.0.0\"\n");
    assert!(user(&dir, &["add", "watch", "--group", "INQUIRE"], "seen123\n").0);
    assert!(user(&dir, &["add", "clerk"], "other123\n").0);
    add(
        &dir,
        "\n[authority]\n\"COMMAND STATISTICS\" = \"CLERK READ, INQUIRE READ\"\n",
    );
    let _server = Running::start(&dir);
    let asked = |path: &str, who: Option<(&str, &str)>| {
        let url = format!("https://localhost:{port}{path}");
        let mut curl = Command::new("curl");
        curl.args(["-sk", "-o", "/dev/null", "-w", "%{http_code}", &url]);
        if let Some((name, password)) = who {
            let header = format!("Authorization: {}", basic(name, password));
            curl.args(["-H", &header]);
        }
        String::from_utf8(curl.output().unwrap().stdout).unwrap()
    };
    // Its ports are open a moment before the region takes work.
    let begin = Instant::now();
    while asked("/health/ready", None) != "200" {
        assert!(begin.elapsed() < Duration::from_secs(30), "it is not ready");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(asked("/metrics", None), "401");
    assert_eq!(asked("/metrics", Some(("watch", "wrong"))), "401");
    assert_eq!(asked("/metrics", Some(("watch", "seen123"))), "200");
    assert_eq!(asked("/", Some(("watch", "seen123"))), "200");
    assert_eq!(asked("/metrics", Some(("clerk", "other123"))), "200");
    assert_eq!(asked("/", Some(("clerk", "other123"))), "403");
    // In clear there is nothing.
    let (status, said) = get(port, "/metrics");
    assert_ne!(status, 200, "{said}");
}

/// A program of PLTPI that says and stores what a page must not take for markup.
const HOSTILE: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. HOSTILE.
       PROCEDURE DIVISION.
           EXEC CICS WRITE OPERATOR
             TEXT('<script>document.title=\"owned\"</script>')
             TEXTLENGTH(39) END-EXEC.
           EXEC CICS WRITEQ TS QNAME('<img src=x>') MAIN
             FROM('RECORD') LENGTH(6) END-EXEC.
           EXEC CICS RETURN END-EXEC.
";

#[test]
fn what_programs_say_is_text_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, port) = (folder.path(), free_port());
    for part in ["cobol", "plt"] {
        std::fs::create_dir_all(dir.join(part)).unwrap();
    }
    std::fs::write(dir.join("cobol/HOSTILE.cbl"), HOSTILE).unwrap();
    let table = " DFHPLT TYPE=INITIAL,SUFFIX=I1\n DFHPLT TYPE=ENTRY,PROGRAM=DFHDELIM\n \
                 DFHPLT TYPE=ENTRY,PROGRAM=HOSTILE\n DFHPLT TYPE=FINAL\n";
    std::fs::write(dir.join("plt/dfhplti1.plt"), table).unwrap();
    add(
        dir,
        &format!("[region]\nAPPLID = \"PAGES\"\nPLTPI = \"I1\"\n[operations]\nport = {port}\n"),
    );
    let system = System::start(dir);
    system.says("document.title");
    let (status, page) = get(port, "/");
    assert_eq!(status, 200);
    assert!(
        page.contains("&lt;script&gt;document.title=&quot;owned&quot;&lt;/script&gt;"),
        "{page}"
    );
    assert!(
        page.contains("<td>&lt;img src=x&gt;</td><td>temporary storage</td><td>1</td>"),
        "{page}"
    );
    assert!(
        !page.contains("<script") && !page.contains("<img"),
        "{page}"
    );
    if !has("chromium") {
        return;
    }
    let shown = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.join("browser").display()))
        .arg(format!("http://localhost:{port}/"))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.contains("<title>PAGES - Transom</title>"), "{shown}");
    assert!(shown.contains("&lt;img src=x&gt;"), "{shown}");
}

/// A server that ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _killed = self.0.kill();
        let _gone = self.0.wait();
    }
}

#[test]
fn prometheus_scrapes_and_answers_a_query() {
    if !has("prometheus") {
        return;
    }
    let (folder, dir, port) = sample("");
    let server = Running::start(&dir);
    let path = "/comm1k/mapping/CABASIC-RS2/1";
    assert_eq!(
        server
            .request("PUT", path, b"{\"COMM1KOperation\":{\"count_out\":32}}")
            .0,
        200
    );
    let config = format!(
        "scrape_configs:\n- job_name: transom\n  scrape_interval: 1s\n  static_configs:\n  - targets: ['localhost:{port}']\n"
    );
    std::fs::write(folder.path().join("prometheus.yml"), config).unwrap();
    let at = free_port();
    let _prometheus = Server(
        Command::new("prometheus")
            .current_dir(folder.path())
            .args(["--config.file=prometheus.yml", "--storage.tsdb.path=tsdb"])
            .arg(format!("--web.listen-address=127.0.0.1:{at}"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let query =
        "/api/v1/query?query=transom_task_program_seconds_count%7Bprogram%3D%22CABASIC%22%7D";
    let begin = Instant::now();
    loop {
        let answered = TcpStream::connect(("127.0.0.1", at)).is_ok();
        let said = if answered {
            get(at, query).1
        } else {
            String::new()
        };
        if said.contains("\"program\":\"CABASIC\"") && said.contains(",\"1\"]") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(90), "{said}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
