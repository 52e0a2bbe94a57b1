//! Who scrapes without an end, reads nothing, or makes up names: others are served.

use crate::harness::{Running, copy_of, free_port, http, root};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};

const SCRAPE: &[u8] = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
const PATH: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &[u8] = b"{\"COMM1KOperation\":{\"count_out\":32}}";

/// The sample with its operations port.
fn sample() -> (tempfile::TempDir, std::path::PathBuf, u16) {
    let (folder, dir) = copy_of(&root().join("samples/gateway"));
    let port = free_port();
    let file = dir.join("transom.toml");
    let before = std::fs::read_to_string(&file).unwrap();
    let table = format!("{before}\n[operations]\nport = {port}\n");
    std::fs::write(file, table).unwrap();
    (folder, dir, port)
}

fn rss_kb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status"));
    let status = status.unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
    let number = line.unwrap().trim().split(' ').next().unwrap();
    number.parse().unwrap()
}

/// The status of a scrape; `None`: no answer.
fn scraped(port: u16) -> Option<u16> {
    let mut socket = TcpStream::connect(("127.0.0.1", port)).ok()?;
    let time = Some(Duration::from_secs(30));
    socket.set_read_timeout(time).ok()?;
    socket.write_all(SCRAPE).ok()?;
    let mut reply = Vec::new();
    // Who is refused may be told so by the end of the connection alone.
    let _read = socket.read_to_end(&mut reply);
    let text = String::from_utf8_lossy(&reply).into_owned();
    text.split(' ').nth(1)?.parse().ok()
}

#[track_caller]
fn is_served(server: &Running) {
    for _ in 0..20 {
        let (status, said) = server.request("PUT", PATH, BODY);
        assert_eq!(status, 200, "{said}");
    }
}

#[test]
fn scrapes_by_the_thousand_and_readers_that_read_nothing_cost_others_nothing() {
    let (_folder, dir, port) = sample();
    let server = Running::start(&dir);
    assert_eq!(scraped(port), Some(200));
    is_served(&server);
    let before = rss_kb(server.pid());
    let slow: Vec<TcpStream> = (0..200)
        .filter_map(|_| {
            let mut socket = TcpStream::connect(("127.0.0.1", port)).ok()?;
            socket.write_all(SCRAPE).ok()?;
            Some(socket)
        })
        .collect();
    assert!(slow.len() > 100);
    is_served(&server);
    drop(slow);
    let scrapers: Vec<_> = (0..8)
        .map(|_| std::thread::spawn(move || (0..250).map(|_| scraped(port)).collect::<Vec<_>>()))
        .collect();
    is_served(&server);
    let all: Vec<Option<u16>> = scrapers
        .into_iter()
        .flat_map(|s| s.join().unwrap())
        .collect();
    let good = all.iter().filter(|status| **status == Some(200)).count();
    let refused = |status: &&Option<u16>| matches!(status, None | Some(503));
    let refused = all.iter().filter(refused).count();
    assert_eq!(good + refused, 2_000, "{all:?}");
    assert!(good > 1_000, "{good} of 2000");
    let begin = Instant::now();
    while scraped(port) != Some(200) {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    let grown = rss_kb(server.pid()).saturating_sub(before);
    assert!(grown < 64 << 10, "{grown} KB more");
    assert!(server.stop());
}

#[test]
fn what_clients_make_up_is_no_series() {
    let (_folder, dir, port) = sample();
    let server = Running::start(&dir);
    is_served(&server);
    let series = || {
        // A text is handed out again for a fifth of a second.
        std::thread::sleep(Duration::from_millis(300));
        let text = http(port, "GET", "/metrics", &[], b"").1;
        let named = |line: &&str| line.starts_with("transom_api_");
        assert!(
            !text.contains("MADEUP") && !text.contains("madeup"),
            "{text}"
        );
        text.lines().filter(named).count()
    };
    let before = series();
    assert!(before > 0);
    for n in 0..300 {
        let path = format!("/madeup{n}/\"}}%201%0a?{n}");
        http(server.port, &format!("MADEUP{n}"), &path, &[], b"");
        http(server.port, &format!("MADEUP{n}"), PATH, &[], b"");
        let key = format!("/comm1k/mapping/CABASIC-RS2/madeup{n}");
        http(server.port, "PUT", &key, &[("user-agent", "madeup")], b"{");
    }
    assert_eq!(series(), before);
    is_served(&server);
    assert!(server.stop());
}
