//! The operations port over a region made up for it: as many names as there may be, and more.

mod fake;

use fake::{NAMES_MAX, Region};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A text is handed out again for a fifth of a second.
const ANOTHER: Duration = Duration::from_millis(250);

fn scrape(at: SocketAddr) -> (Duration, String) {
    let begin = Instant::now();
    let mut socket = TcpStream::connect(at).unwrap();
    let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    socket.write_all(request.as_bytes()).unwrap();
    let mut reply = Vec::new();
    socket.read_to_end(&mut reply).unwrap();
    (begin.elapsed(), String::from_utf8(reply).unwrap())
}

fn series(text: &str) -> usize {
    let is_one = |line: &&str| line.starts_with("transom_");
    text.lines().filter(is_one).count()
}

/// The fastest of some scrapes that are made anew: the machine may do much else.
#[test]
fn a_scrape_with_a_thousand_transactions_and_programs_is_quick_and_bounded() {
    let region = Region::new();
    let at = region.serve();
    region.ran(NAMES_MAX);
    let (_, text) = scrape(at);
    let all = series(&text);
    assert!(text.contains("transaction=\"0999\""), "{}", text.len());
    let none = "others=\"true\"} 0\n";
    assert!(text.contains(none));
    let taken = |_| {
        std::thread::sleep(ANOTHER);
        scrape(at).0
    };
    let fastest = (0..10).map(taken).min().unwrap();
    println!("{all} series, {} bytes: {fastest:?}", text.len());
    // Without the optimizer it takes many times as long.
    let most = match cfg!(debug_assertions) {
        true => Duration::from_millis(500),
        false => Duration::from_millis(5),
    };
    assert!(fastest <= most, "{fastest:?}");
    // What programs and users make up beyond them has one place together.
    region.ran(5 * NAMES_MAX);
    std::thread::sleep(ANOTHER);
    let (_, text) = scrape(at);
    assert!(text.matches(none).count() < 2);
    let more = series(&text) - all;
    assert!(more < 100, "{more} series more");
}

/// Names that would end a label, or a line.
#[test]
fn a_name_that_somebody_chose_is_a_label_and_nothing_else() {
    let region = Region::new();
    let at = region.serve();
    for name in ["\"} 1", "a\nb", "\\\"", "{x=\"", "\u{7f}#"] {
        region.called(name);
    }
    let (_, text) = scrape(at);
    let body = text.split_once("\r\n\r\n").unwrap().1;
    for line in body.lines() {
        let is_one =
            line.starts_with('#') || line.starts_with("transom_") || line.starts_with("process_");
        assert!(is_one, "{line:?}");
        let value = line.rsplit_once(' ').unwrap().1;
        assert!(
            line.starts_with('#') || value.parse::<f64>().is_ok(),
            "{line:?}"
        );
    }
}
