//! The driver against small servers with known behaviour.

mod terminals;

use clap::Parser;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use transom_driver::{DriveArgs, drive};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: DriveArgs,
}

/// Answers every request of every connection with the text.
fn server(reply: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            std::thread::spawn(move || {
                let mut buffer = [0; 4096];
                while socket.read(&mut buffer).is_ok_and(|n| n > 0) {
                    if socket.write_all(reply.as_bytes()).is_err() {
                        break;
                    }
                }
            });
        }
    });
    address
}

fn options(url: &str, more: &[&str]) -> DriveArgs {
    let fixed = [
        "drive",
        url,
        "--quiet",
        "--ramp-up",
        "10ms",
        "--warm-up",
        "50ms",
        "--duration",
        "600ms",
    ];
    Cli::parse_from(fixed.iter().chain(more)).args
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";
const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";

#[test]
fn closed_loop_stays_below_its_bound() {
    let url = format!("http://{}/", server(OK));
    let result = drive(&options(
        &url,
        &["--clients", "4", "--think", "20ms", "--expect", "hello"],
    ))
    .unwrap();
    let step = &result.steps[0];
    assert_eq!(step.failures.total(), 0);
    assert!(step.transactions > 40, "{step:?}");
    assert!(step.tps <= step.tps_bound * 1.05, "{step:?}");
    assert!(step.p50_ms <= step.p99_ms && step.p99_ms <= step.max_ms + 0.01);
}

#[test]
fn failures_are_told_by_kind() {
    let url = format!("http://{}/", server(BUSY));
    let busy = drive(&options(&url, &["--clients", "2", "--think", "5ms"])).unwrap();
    assert!(busy.steps[0].failures.status_5xx > 0 && busy.steps[0].transactions == 0);
    assert_eq!(busy.steps[0].reasons, ["status 503 Service Unavailable"]);
    let url = format!("http://{}/", server(OK));
    let other = drive(&options(
        &url,
        &["--clients", "1", "--think", "5ms", "--expect", "bye"],
    ))
    .unwrap();
    assert!(other.steps[0].failures.unexpected > 0);
    let reason = "not the expected text: status 200 OK: hello";
    assert_eq!(other.steps[0].reasons, [reason]);
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let refused = drive(&options(
        &format!("http://{closed}/"),
        &["--clients", "1", "--think", "5ms"],
    ))
    .unwrap();
    assert!(refused.steps[0].failures.connect > 0);
    let reason = format!("no connection to {closed}: connection refused");
    assert_eq!(refused.steps[0].reasons, [reason]);
}

#[test]
fn paced_mode_counts_from_the_due_time_and_files_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let (json, html) = (folder.path().join("r.json"), folder.path().join("r.html"));
    let url = format!("http://{}/", server(OK));
    let files = [
        "--json",
        json.to_str().unwrap(),
        "--html",
        html.to_str().unwrap(),
    ];
    let mut more = vec![
        "--mode",
        "paced",
        "--think",
        "20ms",
        "--clients",
        "1,2",
        "--title",
        "a < b",
    ];
    more.extend(files);
    let result = drive(&options(&url, &more)).unwrap();
    assert_eq!(result.steps.len(), 2);
    assert!(
        (25..=35).contains(&result.steps[0].transactions),
        "{:?}",
        result.steps[0]
    );
    let page = std::fs::read_to_string(html).unwrap();
    assert!(
        page.contains("a &lt; b")
            && page.contains("Response times by load")
            && page.contains("paced loop")
    );
    assert!(
        std::fs::read_to_string(json)
            .unwrap()
            .contains("\"p99_ms\"")
    );
}

#[test]
fn bad_options_are_refused() {
    for url in ["ftp://localhost/", "http://", "https://localhost/"] {
        let error = drive(&options(url, &[])).unwrap_err().to_string();
        assert!(error.starts_with("TXMDR0002E"), "{error}");
    }
    assert!(drive(&options("http://127.0.0.1:1/", &["--clients", "0"])).is_err());
}
