//! Starts what the tests need: the executable on a system directory, or a region of compiled
//! programs.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_region_api::{LinkFailure, LinkRequest, Payload, Programs as _, StartedBy};
use transom_region_server::{LocalRegion, RegionConfig};
use transom_types::{Applid, ProgramName, SysId, TransId};
use transom_wire::definitions::{ProgramEntry, SystemEntry, TransactionEntry};

pub(crate) const EXE: &str = env!("CARGO_BIN_EXE_transom");

/// How long a task may take, on a machine that does much else: who waits longer waits for nothing.
const REPLY_WITHIN: Duration = Duration::from_secs(180);

/// The project's folder.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(3)
        .unwrap()
        .to_path_buf()
}

/// Outside test data beside the project; `None` where there is none.
pub(crate) fn fixtures(folder: &str) -> Option<PathBuf> {
    transom_needed::fixtures(folder)
}

/// Runs the executable to its end: success, standard output, standard error.
pub(crate) fn transom(args: &[&str], dir: &Path) -> (bool, String, String) {
    let output = Command::new(EXE)
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.success(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

/// A copy of a system directory, without what it has left where it was run.
pub(crate) fn copy_of(system: &Path) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("system");
    copy(system, &dir);
    (folder, dir)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if is_left_by_a_run(&entry.path()) {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// As .gitignore has it of the samples.
fn is_left_by_a_run(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let folders = [".transom", "monitoring", "data/store", "resources/security"];
    folders.iter().any(|folder| path.ends_with(folder)) || name.starts_with("sql.db")
}

/// `transom run` on a system directory.
pub(crate) struct Running {
    child: Child,
    pub(crate) port: u16,
    pub(crate) secure_port: u16,
    said: Arc<std::sync::Mutex<String>>,
}

impl Running {
    pub(crate) fn start(dir: &Path) -> Self {
        Self::start_with(dir, &[])
    }

    /// With more arguments.
    pub(crate) fn start_with(dir: &Path, more: &[&str]) -> Self {
        let mut running = Self::start_to(dir, more, Stdio::piped());
        let kept = running.said.clone();
        let mut from = running.child.stderr.take().unwrap();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = from.read(&mut buffer) {
                kept.lock()
                    .unwrap()
                    .push_str(&String::from_utf8_lossy(&buffer[..n]));
            }
        });
        running.wait_until_it_serves();
        running
    }

    /// What it says goes to `log`; it may not serve yet.
    pub(crate) fn start_to(dir: &Path, more: &[&str], log: Stdio) -> Self {
        let (port, secure_port) = (free_port(), free_port());
        let child = Command::new(EXE)
            .arg("run")
            .arg(dir)
            .args([
                "--http",
                &port.to_string(),
                "--https",
                &secure_port.to_string(),
            ])
            .args(more)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        Self {
            child,
            port,
            secure_port,
            said: Arc::default(),
        }
    }

    pub(crate) fn wait_until_it_serves(&mut self) {
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = self.child.try_wait().unwrap();
            assert!(
                ended.is_none() && begin.elapsed() < Duration::from_secs(60),
                "the region does not serve: {ended:?} {}",
                self.said()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// What it says, when nobody reads that yet.
    pub(crate) fn log(&mut self) -> std::process::ChildStderr {
        self.child.stderr.take().unwrap()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits until it has said this: a client may have its answer before the operator is told.
    pub(crate) fn says(&self, text: &str) {
        let begin = Instant::now();
        while !self.said().contains(text) {
            let said = self.said();
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "{text:?}: {said}"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// One request on a connection of its own: status and body.
    pub(crate) fn request(&self, method: &str, path: &str, body: &[u8]) -> (u16, String) {
        self.request_with(method, path, &[("content-type", "application/json")], body)
    }

    pub(crate) fn request_with(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> (u16, String) {
        http(self.port, method, path, headers, body)
    }

    /// Ctrl-C; answers whether it ended well.
    pub(crate) fn stop(mut self) -> bool {
        Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status()
            .unwrap();
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(15) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// One request on a connection of its own: status and body.
pub(crate) fn http(
    port: u16,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> (u16, String) {
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    let mut socket = TcpStream::connect(("127.0.0.1", port)).unwrap();
    socket
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    socket.write_all(head.as_bytes()).unwrap();
    // A server that refuses early may close before it has read everything.
    let _sent = socket.write_all(body);
    let mut reply = Vec::new();
    let _read = socket.read_to_end(&mut reply);
    let text = String::from_utf8_lossy(&reply).into_owned();
    let status = text
        .split(' ')
        .nth(1)
        .and_then(|s| s.parse().ok())
        .unwrap_or(0);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    if head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        return (status, dechunk(body));
    }
    (status, body.to_owned())
}

fn dechunk(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let n = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if n == 0 || n > rest.len() {
            break;
        }
        out.push_str(&rest[..n]);
        body = rest[n..].trim_start_matches("\r\n");
    }
    out
}

/// A port nobody listens at, below those that the system gives to clients: another test's
/// connection could take one of them before the server of this one listens.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let at = std::process::id()
            .wrapping_mul(97)
            .wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed));
        let port = 10_000 + (at % 22_000) as u16;
        if TcpListener::bind(("0.0.0.0", port)).is_ok() {
            return port;
        }
    }
}

/// Programs compiled by the executable and a region that runs them, without doors.
pub(crate) struct Programs {
    pub(crate) region: LocalRegion,
    pub(crate) runtime: tokio::runtime::Runtime,
    pub(crate) log: Arc<std::sync::Mutex<String>>,
    pub(crate) dumps: PathBuf,
    _folder: TempDir,
}

impl Programs {
    /// Each source is the text of one program.
    pub(crate) fn new(sources: &[&str]) -> Self {
        Self::with(sources, |_| ())
    }

    /// As `new`, with a change to the region's configuration.
    pub(crate) fn with(sources: &[&str], change: impl FnOnce(&mut RegionConfig)) -> Self {
        Self::with_maps(sources, &[], change)
    }

    /// As `with`, and with mapsets from BMS source.
    pub(crate) fn with_maps(
        sources: &[&str],
        maps: &[&str],
        change: impl FnOnce(&mut RegionConfig),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path();
        std::fs::create_dir_all(dir.join("bms")).unwrap();
        for (i, source) in maps.iter().enumerate() {
            std::fs::write(dir.join(format!("bms/M{i}.bms")), source).unwrap();
        }
        std::fs::create_dir_all(dir.join("cobol")).unwrap();
        std::fs::write(dir.join("transom.toml"), "[region]\nAPPLID = \"TEST\"\n").unwrap();
        for (i, source) in sources.iter().enumerate() {
            std::fs::write(dir.join(format!("cobol/P{i}.cbl")), source).unwrap();
        }
        let (good, _, said) = transom(&["build", "."], dir);
        assert!(good, "{said}");
        let log = Arc::new(std::sync::Mutex::new(String::new()));
        let mut config = config(dir, log.clone());
        config.terminals.map_dir = Some(dir.join(".transom/maps"));
        change(&mut config);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let region = LocalRegion::start(config).unwrap_or_else(|e| panic!("{e}"));
        runtime.spawn(region.pump());
        Self {
            region,
            runtime,
            log,
            dumps: dir.join(".transom/dumps"),
            _folder: folder,
        }
    }

    /// The region's runtime, as doors have it around their calls.
    pub(crate) fn enter(&self) -> tokio::runtime::EnterGuard<'_> {
        self.runtime.enter()
    }

    /// Ends the region at once, whatever its tasks do.
    pub(crate) fn stop(self) {
        self.runtime.block_on(self.region.stop(Duration::ZERO));
    }

    /// Runs a program with a COMMAREA.
    pub(crate) fn link(&self, program: &str, commarea: &[u8]) -> Result<Vec<u8>, LinkFailure> {
        match self.request(request(program, commarea.to_vec()))? {
            Payload::Commarea(bytes) => Ok(bytes),
            Payload::Channel { .. } => panic!("{program} answered with a channel"),
        }
    }

    /// Runs a program with a COMMAREA of 60 blanks; it must answer this.
    #[track_caller]
    pub(crate) fn must_say(&self, program: &str, expected: &str) {
        let text = self.text(program, &" ".repeat(60));
        assert_eq!(text, expected, "{program}: {}", self.log.lock().unwrap());
    }

    pub(crate) fn request(&self, request: LinkRequest) -> Result<Payload, LinkFailure> {
        let reply = self.region.link(request);
        self.runtime.block_on(async {
            tokio::time::timeout(REPLY_WITHIN, reply)
                .await
                .expect("no reply in time")
                .map(|o| o.payload)
        })
    }

    /// Runs requests at the same time.
    pub(crate) fn all(&self, requests: Vec<LinkRequest>) -> Vec<Result<Payload, LinkFailure>> {
        let replies: Vec<_> = requests.into_iter().map(|r| self.region.link(r)).collect();
        self.runtime.block_on(async {
            let mut out = Vec::new();
            for reply in replies {
                let reply = tokio::time::timeout(REPLY_WITHIN, reply)
                    .await
                    .expect("no reply in time");
                out.push(reply.map(|o| o.payload));
            }
            out
        })
    }

    pub(crate) fn text(&self, program: &str, commarea: &str) -> String {
        match self.link(program, commarea.as_bytes()) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).trim_end().to_owned(),
            Err(failure) => format!("{:?}", failure.fault),
        }
    }
}

pub(crate) fn request(program: &str, commarea: Vec<u8>) -> LinkRequest {
    LinkRequest {
        program: ProgramName::from_field(program.as_bytes()),
        transid: None,
        userid: None,
        reply_bytes_max: commarea.len(),
        payload: Payload::Commarea(commarea),
        timeout: None,
        started_by: StartedBy::Internal,
        client: None,
    }
}

fn config(dir: &Path, log: Arc<std::sync::Mutex<String>>) -> RegionConfig {
    let mut system = SystemEntry::new(Applid::from_field(b"TEST"), SysId::from_field(b"TST1"));
    system.max_tasks = 30;
    system.runaway_ms = 2_000;
    let menu = TransactionEntry::new(
        TransId::from_field(b"TEST"),
        ProgramName::from_field(b"NONE"),
    );
    RegionConfig {
        supplied: transom_region_supplied::definitions().collect(),
        system,
        queue_max: 10_000,
        programs: Vec::<ProgramEntry>::new(),
        transactions: vec![menu],
        classes: Vec::new(),
        resources: Vec::new(),
        module_dir: dir.join(".transom/modules"),
        absent: Default::default(),
        late: None,
        dump_dir: dir.join(".transom/dumps"),
        zygote: (EXE.into(), vec!["cobol-zygote".into()]),
        min_idle: 1,
        preload_max: 200,
        shared_bytes: 64 << 20,
        data: transom_region_server::DataConfig {
            define_missing: true,
            ..Default::default()
        },
        links: transom_region_links::LinkConfig::here(dir.join("links")),
        sql: Default::default(),
        queues: Default::default(),
        terminals: Default::default(),
        users: Default::default(),
        csd: Default::default(),
        program_lists: Default::default(),
        monitoring: Default::default(),
        trace: Default::default(),
        operator: transom_messages::Operator::new(move |line| {
            let mut log = log.lock().unwrap();
            log.push_str(&line.to_string());
            log.push('\n');
        }),
    }
}
