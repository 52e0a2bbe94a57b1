//! Sessions of the 3270 door, with Debian's s3270 and with clients that misbehave.

mod fake;
mod printers;

use fake::Door;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transom_region_api::Attention;

/// A scripted s3270; `None` where it is not installed.
struct S3270 {
    child: Child,
}

impl S3270 {
    fn start(arguments: &[&str]) -> Option<Self> {
        let child = Command::new("s3270")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => Some(Self { child }),
            Err(_) => {
                transom_needed::skipped("s3270 is not installed");
                None
            }
        }
    }

    /// Runs actions and answers all data lines.
    fn run(mut self, actions: &[&str]) -> Vec<String> {
        let mut stdin = self.child.stdin.take().unwrap();
        for action in actions {
            writeln!(stdin, "{action}").unwrap();
        }
        drop(stdin);
        let out = BufReader::new(self.child.stdout.take().unwrap());
        let lines = out.lines().map_while(Result::ok);
        let data = lines.filter_map(|l| l.strip_prefix("data: ").map(str::to_owned));
        let data = data.collect();
        let _ = self.child.wait();
        data
    }
}

#[test]
fn s3270_sees_the_first_screen_and_types() {
    let door = Door::plain();
    // N: is a connection without TN3270E.
    for (model, prefix) in [("3279-2-E", ""), ("3278-5", ""), ("3279-4-E", "N:")] {
        let Some(s3270) = S3270::start(&["-model", model]) else {
            return;
        };
        let host = door.host(prefix);
        let lines = s3270.run(&[
            &format!("Connect({host})"),
            "Wait(10,InputField)",
            "Ascii(0,0,1,40)",
            "String(\"hello\")",
            "Enter()",
            "Wait(5,Output)",
            "Ascii(0,0,1,40)",
            "Ascii(1,0,1,40)",
            "Quit()",
        ]);
        let text = lines.join("\n");
        assert!(text.contains("welcome"), "{model}: {text}");
        assert!(text.contains("got hello"), "{model}: {text}");
    }
    let logons = door.desk.logons();
    assert_eq!(logons.len(), 3);
    assert!(logons[0].device.colour && logons[0].device.extended);
    assert_eq!(logons[1].device.alternate_size, (27, 132));
    assert_eq!(logons[2].device.alternate_size, (43, 80));
    assert_eq!(logons[0].device.ccsid, 37);
}

#[test]
fn lu_names_are_given_once() {
    let door = Door::plain();
    let first = door.client(Some("LUA00001"));
    assert_eq!(first.lu, "LUA00001");
    let second = door.client(Some("LUA00001"));
    assert_eq!(
        second.rejected, 1,
        "device in use, then the client falls back"
    );
    drop(first);
    door.wait_open(1);
    let third = door.client(Some("LUA00001"));
    assert_eq!(third.lu, "LUA00001");
}

#[test]
fn attn_and_sysreq_reach_the_region() {
    let door = Door::plain();
    let mut client = door.client(None);
    client.attention();
    client.system_request();
    door.desk.wait(|d| d.attentions.len() == 2);
    assert_eq!(door.desk.attentions(), [Attention::Attn, Attention::SysReq]);
}

#[test]
fn a_refused_logon_shows_why() {
    let door = Door::refusing("TXMZC0002E no more terminals");
    let mut client = door.client(None);
    let screen = client.wait_text("no more terminals");
    assert!(screen.contains("TXMZC0002E"), "{screen}");
    client.wait_end();
}

#[test]
fn tls_from_the_start_and_on_demand() {
    let door = Door::tls(false);
    let Some(s3270) = S3270::start(&["-model", "3279-2-E", "-noverifycert"]) else {
        return;
    };
    let lines = s3270.run(&[
        &format!("Connect({})", door.host("L:")),
        "Wait(10,InputField)",
        "Ascii(0,0,1,40)",
        "Quit()",
    ]);
    assert!(lines.join("\n").contains("welcome"), "{lines:?}");
    let door = Door::tls(true);
    let Some(s3270) = S3270::start(&["-model", "3279-2-E", "-noverifycert"]) else {
        return;
    };
    let lines = s3270.run(&[
        &format!("Connect({})", door.host("")),
        "Wait(10,InputField)",
        "Ascii(0,0,1,40)",
        "Quit()",
    ]);
    assert!(lines.join("\n").contains("welcome"), "{lines:?}");
    assert!(door.desk.logons()[0].tls);
}

#[test]
fn a_client_without_3270_is_told_so() {
    let door = Door::plain();
    let mut stream = TcpStream::connect(door.address).unwrap();
    // WONT TN3270E, WILL TERMINAL-TYPE, then always ANSI.
    stream.write_all(&[255, 252, 40, 255, 251, 24]).unwrap();
    let ansi = [255, 250, 24, 0, b'A', b'N', b'S', b'I', 255, 240];
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let (mut all, mut buffer) = (Vec::new(), [0; 512]);
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        let asked = buffer[..n].windows(4).any(|w| w == [255, 250, 24, 1]);
        all.extend_from_slice(&buffer[..n]);
        if asked {
            stream.write_all(&ansi).unwrap();
        }
    }
    let text = String::from_utf8_lossy(&all);
    assert!(text.contains("TXMZC0010E"), "{text:?}");
}

#[test]
fn nonsense_and_silence_end_only_their_own_session() {
    let door = Door::plain();
    let good = door.client(None);
    for junk in [&[255; 600][..], &[0; 600], b"GET / HTTP/1.1\r\n\r\n"] {
        let mut stream = TcpStream::connect(door.address).unwrap();
        for _ in 0..2_000 {
            if stream.write_all(junk).is_err() {
                break;
            }
        }
    }
    let half_open = TcpStream::connect(door.address).unwrap();
    let mut more = door.client(None);
    assert!(more.wait_text("welcome").contains("welcome"));
    drop((good, more, half_open));
    let begin = Instant::now();
    while door.open() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(10), "{}", door.open());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_client_that_reads_nothing_is_ended() {
    let door = Door::plain();
    let client = door.client(None);
    door.desk.wait(|d| !d.logons.is_empty());
    door.desk.flood(client.terminal());
    door.desk.wait(|d| d.logoffs == 1);
}
