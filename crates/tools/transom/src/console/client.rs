//! Asking the console of a directory.

use super::{Short, socket};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long an answer is waited for.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// Longest answer.
const ANSWER_BYTES_MAX: u64 = 1 << 20;

/// Why nobody answered.
#[derive(Debug)]
pub(crate) enum Unreached {
    /// No region runs.
    Nobody,
    /// One runs, or may run, and does not answer.
    Silent(io::Error),
}

/// Asks; the connection ends when the region does.
pub(crate) fn ask(root: &Path, request: &Value) -> Result<(Value, UnixStream), Unreached> {
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
pub(crate) fn wait_for_end(mut stream: UnixStream, patience: Duration) -> bool {
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
