//! Region and gateway as two processes that meet through local adapters.

use crate::harness::{EXE, copy_of, free_port, root};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATH: &str = "/comm1k/mapping/CABASIC-RS2/1";
const BODY: &str = "{\"COMM1KOperation\":{\"count_out\":32}}";

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn start(dir: &Path, args: &[&str]) -> Self {
        let child = Command::new(EXE)
            .args(args)
            .current_dir(dir)
            .env_remove("XDG_RUNTIME_DIR")
            .env_remove("TRANSOM_RUNTIME_DIR")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }

    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Ctrl-C; true when it ended well.
    fn stop(mut self) -> bool {
        let pid = self.0.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().unwrap();
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(15) {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _killed = self.0.kill();
        let _gone = self.0.wait();
    }
}

/// One PUT: status and everything the server said. Status 0: no answer.
fn put(port: u16) -> (u16, String) {
    let Ok(mut socket) = TcpStream::connect(("127.0.0.1", port)) else {
        return (0, String::new());
    };
    let limit = Some(Duration::from_secs(20));
    socket.set_read_timeout(limit).unwrap();
    let length = BODY.len();
    let request = format!(
        "PUT {PATH} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{BODY}"
    );
    let mut reply = String::new();
    if socket.write_all(request.as_bytes()).is_ok() {
        let _cut = socket.read_to_string(&mut reply);
    }
    let status = reply.split(' ').nth(1).and_then(|s| s.parse().ok());
    (status.unwrap_or(0), reply)
}

/// Repeats the request until it has this status.
fn wait_for(port: u16, status: u16) -> String {
    let begin = Instant::now();
    loop {
        let (now, reply) = put(port);
        if now == status {
            return reply;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "{status} did not come: {reply}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_gateway_outlives_its_region() {
    let (_folder, dir) = copy_of(&root().join("samples/gateway"));
    // Short on purpose: the path of a Unix socket is limited.
    let meeting = tempfile::tempdir_in("/tmp").unwrap();
    let file = dir.join("transom.toml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    text += &format!(
        "\n[local_adapters]\nregister_name = \"CICSREG\"\nmin_connections = 2\nfolder = {:?}\n",
        meeting.path().join("run")
    );
    std::fs::write(&file, text).unwrap();
    let (port, secure) = (free_port(), free_port());
    let (http, https) = (port.to_string(), secure.to_string());
    let args = ["gateway", ".", "--http", &http, "--https", &https];
    let gateway = Process::start(&dir, &args);
    let reply = wait_for(port, 503);
    assert!(reply.contains("\"errorMessage\":\"BAQR"), "{reply}");

    let region = Process::start(&dir, &["run", ".", "--no-gateway"]);
    let reply = wait_for(port, 200);
    for part in [
        "0031-ABCDEFGHIJKLMNOPQRSTUVWXYZ-",
        "\"tranid\":\"BBO#\"",
        "\"send_size\":1024",
    ] {
        assert!(reply.contains(part), "{part} is not in {reply}");
    }
    let socket = meeting
        .path()
        .join("run/CATMGR1+CATMGR2+CATMGR3/CICSREG.sock");
    assert!(socket.exists(), "the group of server.xml is the folder");

    region.kill();
    let (status, reply) = put(port);
    assert_eq!(status, 503, "{reply}");
    assert!(reply.contains("\"errorMessage\":\"BAQR"), "{reply}");

    // The socket that the killed region left behind does not stop the next one.
    let region = Process::start(&dir, &["run", ".", "--no-gateway"]);
    wait_for(port, 200);
    assert!(region.stop(), "the region did not stop cleanly");
    assert!(!socket.exists(), "a region that ends takes its socket away");
    assert_eq!(put(port).0, 503);
    assert!(gateway.stop(), "the gateway did not stop cleanly");
}
