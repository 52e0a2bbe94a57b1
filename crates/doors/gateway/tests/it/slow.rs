//! Clients that dawdle, and a gateway that stops.

use crate::errors::limit;
use crate::http::Client;
use crate::region::{Programs, cabasic};
use crate::support::{FIGURE_2, PUT_1K, http, local, start, start_with};
use std::time::{Duration, Instant};

#[test]
fn slow_clients_are_cut_off_by_name_of_the_limit() {
    let mut config = local();
    config.limits.idle_time = Duration::from_millis(600);
    config.limits.header_time = Duration::from_millis(300);
    config.limits.body_time = Duration::from_millis(300);
    let gateway = start(config);
    let begin = Instant::now();
    let mut idle = Client::connect(http(&gateway));
    let mut header = Client::connect(http(&gateway));
    header.raw(b"PUT /comm1k HTTP/1.1\r\nHos").unwrap();
    let mut body = Client::connect(http(&gateway));
    let head = format!("PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nContent-Length: 36\r\n\r\n{{");
    body.raw(head.as_bytes()).unwrap();
    let reply = body.read("PUT").unwrap();
    assert_eq!(reply.status, 408);
    assert!(reply.text().contains("BAQR0421W"), "{}", reply.text());
    assert!(header.closed());
    assert!(
        begin.elapsed() < Duration::from_millis(590),
        "{:?}",
        begin.elapsed()
    );
    assert!(idle.closed());
    assert!(begin.elapsed() < Duration::from_secs(3));
    for name in ["idle_time", "header_time", "body_time"] {
        assert_eq!(limit(&gateway, name).reached, 1, "{name}");
    }
}

#[test]
fn a_busy_connection_is_not_idle() {
    let mut config = local();
    config.limits.idle_time = Duration::from_millis(400);
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    for _ in 0..6 {
        std::thread::sleep(Duration::from_millis(150));
        assert_eq!(client.json("PUT", PUT_1K, FIGURE_2).status, 200);
    }
}

#[test]
fn connections_beyond_the_limit_are_refused_and_the_others_served() {
    let mut config = local();
    config.limits.connections = 2;
    config.threads = 1;
    let gateway = start(config);
    let mut first = Client::connect(http(&gateway));
    let mut second = Client::connect(http(&gateway));
    assert_eq!(first.json("PUT", PUT_1K, FIGURE_2).status, 200);
    assert_eq!(second.json("PUT", PUT_1K, FIGURE_2).status, 200);
    let refused = Client::connect(http(&gateway)).json("PUT", PUT_1K, FIGURE_2);
    assert_eq!(
        (refused.status, refused.header("retry-after")),
        (503, Some("1"))
    );
    assert!(refused.text().contains("BAQR0424W"), "{}", refused.text());
    assert_eq!(second.json("PUT", PUT_1K, FIGURE_2).status, 200);
    drop(first);
    let begin = Instant::now();
    while Client::connect(http(&gateway))
        .json("PUT", PUT_1K, FIGURE_2)
        .status
        != 200
    {
        assert!(begin.elapsed() < Duration::from_secs(20));
    }
    let limit = limit(&gateway, "connections");
    assert_eq!((limit.limit, limit.peak), (2, 2));
    assert!(limit.reached >= 1);
}

#[test]
fn stopping_lets_requests_finish() {
    let slow = |request: &_| {
        std::thread::sleep(Duration::from_millis(300));
        cabasic(request)
    };
    let gateway = start_with(local(), Programs::default().with("CABASIC", slow).region());
    let address = http(&gateway);
    let mut idle = Client::connect(address);
    assert_eq!(idle.json("PUT", PUT_1K, FIGURE_2).status, 200);
    let running = std::thread::spawn(move || {
        Client::connect(address)
            .json("PUT", PUT_1K, FIGURE_2)
            .status
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(gateway.stop(Duration::from_secs(5)), 0);
    assert_eq!(running.join().unwrap(), 200);
    assert!(idle.closed());
}

#[test]
fn a_client_that_takes_no_reply_is_cut_off() {
    let mut config = local();
    config.limits.write_time = Duration::from_millis(400);
    let gateway = start(config);
    let mut client = Client::connect(http(&gateway));
    let one = format!(
        "PUT {PUT_1K} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{FIGURE_2}",
        FIGURE_2.len()
    );
    let many = one.repeat(200);
    let begin = Instant::now();
    // Replies pile up until the server can neither write nor wants to read on.
    while client.raw(many.as_bytes()).is_ok() {
        assert!(begin.elapsed() < Duration::from_secs(15), "never cut off");
    }
    assert_eq!(limit(&gateway, "write_time").reached, 1);
    assert_eq!(
        Client::connect(http(&gateway))
            .json("PUT", PUT_1K, FIGURE_2)
            .status,
        200
    );
}
