//! Servers under test and their peers, each ended when its value is dropped.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A running server.
pub(crate) struct Server {
    child: Child,
    /// Where it listens.
    pub(crate) port: u16,
    /// From start to the first answer.
    pub(crate) ready: Duration,
    folder: Option<TempDir>,
}

impl Server {
    /// Its process number.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// The system directory that it serves.
    pub(crate) fn dir(&self) -> Result<PathBuf, String> {
        let folder = self.folder.as_ref().ok_or("it serves no directory")?;
        Ok(folder.path().join("system"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = self.child.id().to_string();
        // A server that is gone already needs no signal.
        let _sent = Command::new("kill")
            .args(["-TERM", &pid])
            .stderr(Stdio::null())
            .status();
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _killed = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// The executable that the bench's `run` script built.
pub(crate) fn transom_exe() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let exe = own.with_file_name("transom");
    if exe.is_file() {
        Ok(exe)
    } else {
        Err(format!(
            "{} is missing: cargo build --release -p transom",
            exe.display()
        ))
    }
}

/// `transom run` on a copy of a system directory, on free ports.
pub(crate) fn transom(system: &Path) -> Result<Server, String> {
    transom_with(system, "")
}

/// The same with more lines in `[region]`.
pub(crate) fn transom_with(system: &Path, lines: &str) -> Result<Server, String> {
    let (mut command, folder) = built(system, lines)?;
    let (port, secure) = (free_port()?, free_port()?);
    command.args(["--http", &port.to_string(), "--https", &secure.to_string()]);
    start(command, port, Some(folder))
}

/// As [`transom`], for a system with terminals; the port is that of its TN3270 listener.
pub(crate) fn terminals(system: &Path) -> Result<Server, String> {
    terminals_with(system, "")
}

/// The same with more lines in `[region]`.
pub(crate) fn terminals_with(system: &Path, lines: &str) -> Result<Server, String> {
    let (mut command, folder) = built(system, lines)?;
    let port = free_port()?;
    command.args(["--tn3270", &port.to_string()]);
    start(command, port, Some(folder))
}

/// `transom run` on a copy of a system directory, compiled and loaded beforehand, so that the time
/// to ready is that of a start, not of a compiler.
fn built(system: &Path, lines: &str) -> Result<(Command, TempDir), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let dir = folder.path().join("system");
    copy(system, &dir)?;
    if !lines.is_empty() {
        let (toml, begin) = (dir.join("transom.toml"), "[region]\n");
        let text = fs::read_to_string(&toml).map_err(|e| e.to_string())?;
        let text = text.replacen(begin, &format!("{begin}{lines}"), 1);
        fs::write(&toml, text).map_err(|e| e.to_string())?;
    }
    let exe = transom_exe()?;
    run_to_end(Command::new(&exe).arg("build").arg(&dir))?;
    if dir.join("data").is_dir() {
        run_to_end(Command::new(&exe).arg("idcams").arg(&dir).arg("--missing"))?;
    }
    let mut tables: Vec<PathBuf> = fs::read_dir(dir.join("sql"))
        .map(|files| files.flatten().map(|file| file.path()).collect())
        .unwrap_or_default();
    tables.sort();
    for script in tables {
        run_to_end(
            Command::new(&exe)
                .arg("sql")
                .arg(&dir)
                .arg("--in")
                .arg(script),
        )?;
    }
    let mut command = Command::new(&exe);
    command.arg("run").arg(&dir);
    Ok((command, folder))
}

/// nginx with one file.
pub(crate) fn nginx(body: &[u8]) -> Result<Server, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let root = folder.path();
    let port = free_port()?;
    fs::write(root.join("reply.json"), body).map_err(|e| e.to_string())?;
    let config = format!(
        "worker_processes 1; daemon off; pid {r}/pid; error_log {r}/error.log;\n\
         events {{ worker_connections 2048; }}\n\
         http {{ access_log off; keepalive_requests 100000000; types {{ application/json json; }}\n\
         client_body_temp_path {r}/b; proxy_temp_path {r}/p; fastcgi_temp_path {r}/f;\n\
         uwsgi_temp_path {r}/u; scgi_temp_path {r}/s;\n\
         server {{ listen 127.0.0.1:{port}; root {r}; }} }}\n",
        r = root.display()
    );
    let file = root.join("nginx.conf");
    fs::write(&file, config).map_err(|e| e.to_string())?;
    let exe = ["nginx", "/usr/sbin/nginx"]
        .iter()
        .find(|e| Command::new(e).arg("-v").output().is_ok());
    let mut command = Command::new(exe.ok_or("nginx is not installed")?);
    command.arg("-c").arg(&file).arg("-p").arg(root);
    start(command, port, Some(folder))
}

/// The constant-reply server of the gateway crate.
pub(crate) fn constant(body: &[u8]) -> Result<Server, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let own = std::env::current_exe().map_err(|e| e.to_string())?;
    let exe = own.with_file_name("examples").join("constant");
    let file = folder.path().join("reply.json");
    fs::write(&file, body).map_err(|e| e.to_string())?;
    let port = free_port()?;
    let mut command = Command::new(exe);
    command.arg(port.to_string()).arg(&file);
    start(command, port, Some(folder))
}

/// Starts a server and waits until its port answers.
pub(crate) fn start(
    mut command: Command,
    port: u16,
    folder: Option<TempDir>,
) -> Result<Server, String> {
    let begin = Instant::now();
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{:?} cannot be started: {e}", command.get_program()))?;
    let mut server = Server {
        child,
        port,
        ready: Duration::ZERO,
        folder,
    };
    let said = server.child.stderr.take().map(collect_lines);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        let ended = !matches!(server.child.try_wait(), Ok(None));
        if ended || begin.elapsed() > Duration::from_secs(60) {
            let text = said
                .and_then(|s| s.lock().ok().map(|s| s.clone()))
                .unwrap_or_default();
            return Err(format!(
                "{:?} does not answer: {text}",
                command.get_program()
            ));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    server.ready = begin.elapsed();
    Ok(server)
}

/// Keeps the first lines a server says, so that its failure can be shown and its pipe stays empty.
fn collect_lines(from: impl Read + Send + 'static) -> std::sync::Arc<std::sync::Mutex<String>> {
    const KEPT_BYTES_MAX: usize = 4_000;
    let said = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
    let kept = said.clone();
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if let Ok(mut kept) = kept.lock()
                && kept.len() < KEPT_BYTES_MAX
            {
                kept.push_str(&line);
                kept.push('\n');
            }
        }
    });
    said
}

/// One request and its body, to see that a server answers what it should.
pub(crate) fn fetch(port: u16, request: &str) -> Result<Vec<u8>, String> {
    let io = |e: std::io::Error| e.to_string();
    let mut socket = TcpStream::connect(("127.0.0.1", port)).map_err(io)?;
    socket
        .set_read_timeout(Some(Duration::from_secs(10)))
        .map_err(io)?;
    socket.write_all(request.as_bytes()).map_err(io)?;
    let mut reply = Vec::new();
    socket.read_to_end(&mut reply).map_err(io)?;
    let at = reply
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .ok_or("the reply has no header")?;
    if !reply.starts_with(b"HTTP/1.1 200") {
        return Err(String::from_utf8_lossy(&reply[..reply.len().min(600)]).into_owned());
    }
    Ok(reply.split_off(at + 4))
}

/// A port nobody listens on now.
pub(crate) fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|e| e.to_string())?;
    Ok(listener.local_addr().map_err(|e| e.to_string())?.port())
}

/// Runs a command that must succeed.
pub(crate) fn run_to_end(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|e| format!("{:?}: {e}", command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    // Utilities say on standard output what is wrong with their statements.
    let said = [output.stdout, output.stderr].concat();
    Err(format!(
        "{:?}: {}",
        command.get_program(),
        String::from_utf8_lossy(&said)
    ))
}

/// Copies a folder without its `.transom`.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let io = |e: std::io::Error| format!("{}: {e}", from.display());
    fs::create_dir_all(to).map_err(io)?;
    for entry in fs::read_dir(from).map_err(io)?.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() && entry.file_name() != ".transom" {
            copy(&path, &target)?;
        } else if path.is_file() {
            fs::copy(&path, &target).map_err(io)?;
        }
    }
    Ok(())
}
