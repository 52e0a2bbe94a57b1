//! Traces and metrics as a collector of OpenTelemetry receives them.

use crate::harness::{Running, copy_of, free_port, http, root, transom};
use crate::terminal_samples::Region;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A collector: takes everything, and answers as the specification says.
struct Collector {
    endpoint: String,
    got: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Collector {
    fn start() -> Self {
        Self::with(None)
    }

    /// Over HTTPS, with a certificate for localhost, which is answered.
    fn secure() -> (Self, String) {
        let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![made.cert.der().clone()], key)
            .unwrap();
        (Self::with(Some(Arc::new(config))), made.cert.pem())
    }

    fn with(tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let endpoint = match tls {
            None => format!("http://{at}"),
            Some(_) => format!("https://localhost:{}", at.port()),
        };
        let got: Arc<Mutex<Vec<_>>> = Arc::default();
        let kept = got.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (kept, tls) = (kept.clone(), tls.clone());
                std::thread::spawn(move || match tls {
                    None => take(stream, &kept),
                    Some(config) => {
                        let server = ServerConnection::new(config).unwrap();
                        take(StreamOwned::new(server, stream), &kept);
                    }
                });
            }
        });
        Self { endpoint, got }
    }

    /// Spans so far.
    fn spans(&self) -> Vec<Value> {
        let got = self.got.lock().unwrap();
        let traces = got.iter().filter(|(head, _)| head.contains("/v1/traces"));
        let spans = traces.flat_map(|(_, document)| {
            let spans = &document["resourceSpans"][0]["scopeSpans"][0]["spans"];
            spans.as_array().unwrap().clone()
        });
        spans.collect()
    }

    /// Waits for a span of this name; answers all of its trace.
    #[track_caller]
    fn trace_with(&self, name: &str) -> Vec<Value> {
        let begin = Instant::now();
        loop {
            let spans = self.spans();
            if let Some(found) = spans.iter().find(|span| span["name"] == name) {
                let trace = found["traceId"].clone();
                let of = spans.into_iter().filter(|span| span["traceId"] == trace);
                return of.collect();
            }
            let late = begin.elapsed() > Duration::from_secs(60);
            assert!(!late, "no span {name}: {spans:#?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Requests of one connection: the head of each, and its document.
fn take(mut stream: impl Read + Write, got: &Mutex<Vec<(String, Value)>>) {
    let (mut read, mut piece) = (Vec::new(), [0; 65_536]);
    while let Ok(n @ 1..) = stream.read(&mut piece) {
        read.extend(&piece[..n]);
        let text = String::from_utf8_lossy(&read).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let Ok(document) = serde_json::from_str(body) else {
            continue;
        };
        got.lock().unwrap().push((head.to_owned(), document));
        read.clear();
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
        stream.write_all(answer).unwrap();
    }
}

fn add(file: &Path, text: &str) {
    let before = std::fs::read_to_string(file).unwrap_or_default();
    std::fs::write(file, before + text).unwrap();
}

const SUB: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRCSUB.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
           EXEC SQL INCLUDE SQLCA END-EXEC.
       01  AMOUNT PIC S9(9) COMP.
       01  REC    PIC X(20) VALUE 'KEY01 SOMETHING'.
       PROCEDURE DIVISION.
           EXEC CICS WRITE FILE('TRC') FROM(REC) RIDFLD(REC)
                NOHANDLE END-EXEC.
           EXEC CICS READ FILE('TRC') INTO(REC) RIDFLD(REC)
                NOHANDLE END-EXEC.
           EXEC SQL SELECT 7 INTO :AMOUNT FROM SYSIBM.SYSDUMMY1
                END-EXEC.
           EXEC CICS RETURN END-EXEC.\n";

/// The gateway sample, whose program links to another one, which has a file and SQL.
fn sample(telemetry: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let file = dir.join("cobol/CABASIC.cbl");
    let source = std::fs::read_to_string(&file).unwrap();
    let head = "       MAIN-LINE.\n";
    assert!(source.contains(head));
    let link = format!("{head}           EXEC CICS LINK PROGRAM('TRCSUB') END-EXEC.\n");
    std::fs::write(&file, source.replacen(head, &link, 1)).unwrap();
    std::fs::write(dir.join("cobol/TRCSUB.cbl"), SUB).unwrap();
    let deck = "DEFINE PROGRAM(TRCSUB) GROUP(TRC) LANGUAGE(COBOL)\n\
                DEFINE FILE(TRC) GROUP(TRC) DSNAME(TRC.DATA) RECORDFORMAT(F)\n       \
                READ(YES) ADD(YES) UPDATE(YES) RECOVERY(BACKOUTONLY)\n\
                ADD GROUP(TRC) LIST(CABLIST)\n";
    std::fs::write(dir.join("csd/trc.csd"), deck).unwrap();
    std::fs::create_dir_all(dir.join("data")).unwrap();
    let define = " DEFINE CLUSTER (NAME(TRC.DATA) INDEXED KEYS(5 0) RECORDSIZE(20 20))\n";
    std::fs::write(dir.join("data/trc.idcams"), define).unwrap();
    add(&dir.join("transom.toml"), "\n[sql]\n\n[telemetry]\n");
    add(&dir.join("transom.toml"), telemetry);
    (folder, dir)
}

const PATH: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &[u8] = b"{\"COMM1KOperation\":{\"count_out\":32}}";
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

#[track_caller]
fn put(server: &Running, traceparent: &str) {
    let headers = [
        ("content-type", "application/json"),
        ("traceparent", traceparent),
    ];
    let (status, body) = server.request_with("PUT", PATH, &headers, BODY);
    assert_eq!(status, 200, "{body}");
}

/// The value of an attribute.
fn attribute<'a>(span: &'a Value, name: &str) -> Option<&'a str> {
    let all = span["attributes"].as_array().unwrap();
    let value = &all.iter().find(|one| one["key"] == name)?["value"];
    value["stringValue"].as_str().or(value["intValue"].as_str())
}

#[test]
fn one_trace_goes_from_the_request_to_the_file_and_to_the_commit() {
    let collector = Collector::start();
    let telemetry = format!(
        "endpoint = \"{}\"\nheaders_file = \"collector.headers\"\nmetrics_seconds = 1\n",
        collector.endpoint
    );
    let (_folder, dir) = sample(&telemetry);
    std::fs::write(dir.join("collector.headers"), "x-who: me\n").unwrap();
    let port = free_port();
    add(
        &dir.join("transom.toml"),
        &format!("\n[operations]\nport = {port}\n"),
    );
    let server = Running::start(&dir);
    // The sender of this one wants no trace.
    put(&server, &format!("00-{TRACE}-00f067aa0ba902b6-00"));
    put(&server, &format!("00-{TRACE}-00f067aa0ba902b7-01"));
    let spans = collector.trace_with("commit");
    assert!(
        spans.iter().all(|span| span["traceId"] == TRACE),
        "{spans:#?}"
    );
    let named = |name: &str| {
        let mut of = spans.iter().filter(|span| span["name"] == name);
        let found = of.next().unwrap_or_else(|| panic!("no {name}: {spans:#?}"));
        assert!(of.next().is_none(), "two of {name}: {spans:#?}");
        found
    };
    // Each is part of the one before; the last number is how many are between.
    let request = spans.iter().find(|span| span["kind"] == 2).unwrap();
    assert_eq!(request["parentSpanId"], "00f067aa0ba902b7");
    assert_eq!(attribute(request, "http.response.status_code"), Some("200"));
    let program = named("CABASIC");
    let task = spans
        .iter()
        .find(|span| span["spanId"] == program["parentSpanId"]);
    let task = task.unwrap();
    assert_eq!(task["parentSpanId"], request["spanId"]);
    let link = named("LINK TRCSUB");
    for (inner, outer) in [
        (link, program),
        (named("WRITE TRC"), link),
        (named("READ TRC"), link),
        (named("SELECT"), link),
        (named("commit"), program),
    ] {
        assert_eq!(inner["parentSpanId"], outer["spanId"], "{inner:#?}");
        let time = |span: &Value, of: &str| span[of].as_str().unwrap().parse::<u64>().unwrap();
        let (from, to) = ("startTimeUnixNano", "endTimeUnixNano");
        assert!(
            time(inner, from) >= time(outer, from),
            "{inner:#?} {outer:#?}"
        );
        assert!(time(inner, to) >= time(inner, from), "{inner:#?}");
    }
    assert_eq!(attribute(named("READ TRC"), "cics.file"), Some("TRC"));
    // The first request has written the record.
    assert_eq!(attribute(named("WRITE TRC"), "cics.resp"), Some("DUPREC"));
    assert_eq!(
        attribute(named("SELECT"), "db.response.status_code"),
        Some("0")
    );
    assert_eq!(attribute(task, "cics.file.requests"), Some("2"));
    assert!(
        !collector
            .spans()
            .iter()
            .any(|span| span["parentSpanId"] == "00f067aa0ba902b6")
    );
    metrics(&collector);
    let (_, text) = http(port, "GET", "/metrics", &[], b"");
    assert!(
        text.contains("\ntransom_telemetry_spans_lost_total 0\n"),
        "{text}"
    );
    assert!(server.stop());
}

/// Figures come now and then, with the header of the file.
fn metrics(collector: &Collector) {
    let begin = Instant::now();
    loop {
        let got = collector.got.lock().unwrap();
        let mut all = got.iter().filter(|(head, _)| head.contains("/v1/metrics"));
        let found =
            all.find(|(_, document)| document.to_string().contains("cics.program.duration"));
        if let Some((head, document)) = found {
            assert!(head.contains("x-who: me"), "{head}");
            let text = document.to_string();
            assert!(text.contains("transom.transaction_manager."), "{text}");
            return;
        }
        drop(got);
        assert!(begin.elapsed() < Duration::from_secs(60), "no metrics");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_key_press_begins_a_trace_and_a_started_task_belongs_to_it() {
    let collector = Collector::start();
    let (_folder, dir) = copy_of(&root().join("samples/terminal"));
    let telemetry = format!("\n[telemetry]\nendpoint = \"{}\"\n", collector.endpoint);
    add(&dir.join("transom.toml"), &telemetry);
    let region = Region::start(&dir);
    let (good, out, said) = region.play(&dir, "update.3270", &["--once"]);
    assert!(good, "{said}\n{out}");
    let spans = collector.trace_with("REWRITE CUSTOMER");
    let task = spans.iter().find(|span| span["kind"] == 2).unwrap();
    assert!(task["parentSpanId"].is_null(), "{task:#?}");
    assert_eq!(task["name"], "CUST");
    assert_eq!(attribute(task, "cics.start_type"), Some("TO"));
    assert!(attribute(task, "cics.terminal").is_some(), "{task:#?}");
    let names: Vec<_> = spans.iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"commit"), "{names:?}");
}

#[test]
fn a_collector_that_does_not_answer_costs_spans_and_nothing_else() {
    // Takes connections and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = silent.local_addr().unwrap();
    let (_folder, dir) = sample(&format!("endpoint = \"http://{at}\"\nqueue_max = 16\n"));
    let port = free_port();
    add(
        &dir.join("transom.toml"),
        &format!("\n[operations]\nport = {port}\n"),
    );
    let server = Running::start(&dir);
    for _ in 0..100 {
        put(&server, "");
    }
    server.says("TXMOT0001W");
    let begin = Instant::now();
    loop {
        let (_, text) = http(port, "GET", "/metrics", &[], b"");
        let lost = text.lines().find_map(|line| {
            let line = line.strip_prefix("transom_telemetry_spans_lost_total ")?;
            line.parse::<u64>().ok()
        });
        if lost.is_some_and(|lost| lost > 0) {
            assert!(
                text.contains("transom_telemetry_queued_peak 16\n"),
                "{text}"
            );
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{text}");
        std::thread::sleep(Duration::from_millis(100));
    }
    put(&server, "no trace at all");
    assert!(server.stop());
    drop(silent);
}

#[test]
fn a_collector_over_https_is_believed_by_the_file_that_is_named() {
    let (collector, pem) = Collector::secure();
    let telemetry = format!(
        "endpoint = \"{}\"\ntrust = \"ca.pem\"\nheaders_file = \"headers\"\n",
        collector.endpoint
    );
    let (_folder, dir) = sample(&telemetry);
    std::fs::write(dir.join("ca.pem"), &pem).unwrap();
    std::fs::write(dir.join("headers"), "authorization: Bearer abc\n").unwrap();
    let server = Running::start(&dir);
    put(&server, "");
    collector.trace_with("commit");
    let got = collector.got.lock().unwrap();
    assert!(
        got[0].0.contains("authorization: Bearer abc"),
        "{}",
        got[0].0
    );
    drop(got);
    assert!(server.stop());
    // Another certificate is believed than the one that is shown.
    let other = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    std::fs::write(dir.join("ca.pem"), other.cert.pem()).unwrap();
    let port = free_port();
    let table = format!("\n[operations]\nport = {port}\n");
    add(&dir.join("transom.toml"), &table);
    let server = Running::start(&dir);
    let before = collector.spans().len();
    put(&server, "");
    server.says("takes no telemetry: no TLS with it: invalid peer certificate");
    let (_, text) = http(port, "GET", "/metrics", &[], b"");
    assert!(
        !text.contains("\ntransom_telemetry_spans_lost_total 0\n"),
        "{text}"
    );
    assert!(
        text.contains("\ntransom_telemetry_spans_sent_total 0\n"),
        "{text}"
    );
    assert_eq!(collector.spans().len(), before);
    assert!(server.stop());
}

#[test]
fn a_wrong_table_starts_nothing_and_says_why() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    let file = dir.join("transom.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    let cases = [
        ("endpoint = \"ftp://collector:4318\"", "TXMOT0003S"),
        ("endpoint = \"https://collector:4318\"", "TXMOT0007S"),
        (
            "endpoint = \"https://collector:4318\"\ntrust = \"server.xml\"",
            "TXMOT0008S",
        ),
        (
            "endpoint = \"http://collector:4318\"\nheaders_file = \"headers\"",
            "TXMOT0006S",
        ),
        (
            "endpoint = \"http://127.0.0.1:4318\"\nheaders_file = \"headers\"",
            "TXMOT0005S",
        ),
        ("sampled_ppm = 1000001", "TXM"),
        ("endpoints = \"http://127.0.0.1:4318\"", "TXM"),
    ];
    for (lines, id) in cases {
        std::fs::write(&file, format!("{before}\n[telemetry]\n{lines}\n")).unwrap();
        let (good, out, said) = transom(&["run", "."], &dir);
        assert!(!good && (said + &out).contains(id), "{lines}");
    }
}
