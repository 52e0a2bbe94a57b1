//! A system directory served by the executable, as its user starts it.
//!
//! What: `transom run` with ports of its own, what it says, its end. Not here: what is done with
//! it.

use crate::harness::{EXE, free_port, http};
use std::io::Read;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A loaded machine compiles slowly.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct System {
    child: Child,
    pub(crate) tn3270: u16,
    http: u16,
    log: Arc<Mutex<String>>,
}

impl System {
    pub(crate) fn start(dir: &Path) -> Self {
        Self::start_in(dir, dir)
    }

    /// Local adapters meet the region below `meeting`.
    pub(crate) fn start_in(dir: &Path, meeting: &Path) -> Self {
        Self::start_with(dir, meeting, &[])
    }

    /// As `start_in`, with more options of `transom run`.
    pub(crate) fn start_with(dir: &Path, meeting: &Path, options: &[&str]) -> Self {
        let (tn3270, http, https) = (free_port(), free_port(), free_port());
        let mut ports = vec!["--tn3270".to_owned(), tn3270.to_string()];
        if dir.join("server.xml").is_file() {
            let more = ["--http", &http.to_string(), "--https", &https.to_string()];
            ports.extend(more.map(str::to_owned));
        }
        let mut child = Command::new(EXE)
            .arg("run")
            .arg(dir)
            .args(ports)
            .args(options)
            .env("TRANSOM_RUNTIME_DIR", meeting)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        let kept = log.clone();
        let mut from = child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut buffer) {
                let text = String::from_utf8_lossy(&buffer[..n]);
                kept.lock().unwrap().push_str(&text);
            }
        });
        let mut system = Self {
            child,
            tn3270,
            http,
            log,
        };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", tn3270)).is_err() {
            let ended = system.child.try_wait().unwrap();
            let late = begin.elapsed() > PATIENCE;
            assert!(ended.is_none() && !late, "{ended:?} {}", system.log());
            std::thread::sleep(Duration::from_millis(10));
        }
        system
    }

    /// One HTTP request with a JSON body: status and body.
    pub(crate) fn request(&self, method: &str, path: &str, body: &[u8]) -> (u16, String) {
        let headers = [("content-type", "application/json")];
        http(self.http, method, path, &headers, body)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until it has said something.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) {
        let begin = Instant::now();
        while !self.log().contains(text) {
            assert!(begin.elapsed() < PATIENCE, "{text}: {}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ctrl-C; answers whether it ended well.
    pub(crate) fn stop(mut self) -> bool {
        let pid = self.child.id().to_string();
        let _sent = Command::new("kill").args(["-INT", &pid]).status();
        let begin = Instant::now();
        while begin.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        false
    }
}

impl Drop for System {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}
