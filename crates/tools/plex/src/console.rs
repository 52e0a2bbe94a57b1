//! Asking the console of a system directory: a Unix socket in `.transom`.
//!
//! What: one request and one answer for each connection, each a line of JSON. A connection stays
//! open until the region has ended, so its end is the end of the region. Not here: answering
//! (`transom run`).

use serde_json::Value;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long an answer is waited for.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// Longest answer.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

/// Where the console of a directory is.
pub fn socket(root: &Path) -> PathBuf {
    root.join(".transom/console")
}

/// A path of a socket that is never too long, whatever the folder is called.
pub struct Short {
    /// Good as long as this lives.
    pub path: PathBuf,
    _folder: File,
}

impl Short {
    /// Opens the folder of a socket.
    ///
    /// # Errors
    /// It is not there.
    pub fn of(socket: &Path) -> io::Result<Self> {
        let (Some(folder), Some(name)) = (socket.parent(), socket.file_name()) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let folder = File::open(folder)?;
        let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
        Ok(Self {
            path: Path::new(&path).join(name),
            _folder: folder,
        })
    }
}

/// Why nobody answered.
#[derive(Debug)]
pub enum Unreached {
    /// No region runs.
    Nobody,
    /// One runs, or may run, and does not answer.
    Silent(io::Error),
}

/// Asks; the connection ends when the region does.
///
/// # Errors
/// Nobody answers.
pub fn ask(root: &Path, request: &Value) -> Result<(Value, UnixStream), Unreached> {
    use io::ErrorKind::{ConnectionRefused, NotFound};
    let nobody = |e: io::Error| match e.kind() {
        NotFound | ConnectionRefused => Unreached::Nobody,
        _ => Unreached::Silent(e),
    };
    let short = Short::of(&socket(root)).map_err(nobody)?;
    let mut stream = UnixStream::connect(&short.path).map_err(nobody)?;
    let mut answer = || -> io::Result<Value> {
        stream.set_read_timeout(Some(ANSWER_TIME))?;
        stream.set_write_timeout(Some(ANSWER_TIME))?;
        stream.write_all(format!("{request}\n").as_bytes())?;
        let mut line = String::new();
        let answers = stream.try_clone()?.take(ANSWER_BYTES_MAX);
        BufReader::new(answers).read_line(&mut line)?;
        match line.is_empty() {
            true => Err(io::Error::other("it closed the connection")),
            false => Ok(serde_json::from_str(&line)?),
        }
    };
    let answer = answer().map_err(Unreached::Silent)?;
    Ok((answer, stream))
}

/// Waits until the other end is gone; false: it is still there.
pub fn wait_for_end(mut stream: UnixStream, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return false;
        }
        let mut byte = [0];
        match stream.read(&mut byte) {
            Ok(0) => return true,
            Err(e) if e.kind() == io::ErrorKind::ConnectionReset => return true,
            _ => {}
        }
    }
}
