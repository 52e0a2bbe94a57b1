//! Figures of a running redirector, by a socket beside its file.
//!
//! What: whoever connects reads one JSON object. Why a socket: only the user of the redirector and
//! root get through to it. Not here: what is counted (`statistics`).

use crate::door::Redirector;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixListener;

/// How long a redirector may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where the socket is.
pub(crate) fn path(file: &Path, said: Option<&PathBuf>) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    folder.join(said.map_or(Path::new(".transom/redirector.sock"), PathBuf::as_path))
}

/// Makes the socket; one that nobody answers at is replaced.
pub(crate) fn bind(path: &Path) -> io::Result<UnixListener> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if UnixStream::connect(path).is_ok() {
        return Err(io::ErrorKind::AddrInUse.into());
    }
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    UnixListener::bind(path)
}

/// Answers for ever.
pub(crate) async fn serve(listener: UnixListener, redirector: Arc<Redirector>) {
    loop {
        let Ok((mut socket, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let text = redirector.statistics().to_string();
        let _ = tokio::time::timeout(PATIENCE, socket.write_all(text.as_bytes())).await;
    }
}

/// Asks; an error: nobody answers.
pub(crate) fn ask(path: &Path) -> io::Result<Value> {
    let mut socket = UnixStream::connect(path)?;
    socket.set_read_timeout(Some(PATIENCE))?;
    let mut text = String::new();
    socket.read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

/// The figures in lines.
pub(crate) fn shown(figures: &Value) -> String {
    let mut lines = format!(
        "redirector for {} s (process {}, version {})\nsessions {} of {}, most {}, refused for it {}\n",
        figures["seconds"],
        figures["pid"],
        text(&figures["version"]),
        figures["sessions"],
        figures["max_sessions"],
        figures["sessions_peak"],
        figures["times_at_max_sessions"],
    );
    for host in figures["hosts"].as_array().into_iter().flatten() {
        let _ = writeln!(
            lines,
            "\n{} {} {}: sessions {}, begun {}, records {}, bytes in {}, out {}",
            text(&host["name"]),
            text(&host["address"]),
            text(&host["mode"]),
            host["sessions"],
            host["sessions_begun"],
            host["records_out"],
            host["bytes_in"],
            host["bytes_out"],
        );
        let _ = writeln!(
            lines,
            "  refused: not allowed {}, handshake {}, late {}, sessions {}, per client {}, no target {}",
            host["not_allowed"],
            host["handshakes_failed"],
            host["handshakes_late"],
            host["times_at_max_sessions"],
            host["times_at_max_sessions_per_client"],
            host["without_target"],
        );
        for target in host["targets"].as_array().into_iter().flatten() {
            let _ = writeln!(
                lines,
                "  {} {} {}: sessions {}, failed {}",
                text(&target["target"]),
                text(&target["state"]),
                text(&target["reason"]),
                target["sessions"],
                target["connects_failed"],
            );
        }
    }
    lines
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
