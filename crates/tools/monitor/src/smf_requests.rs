//! Requests of the gateway as a file of SMF 123, from the lines of its audit interceptor.
//!
//! What: `logs/smf123.jsonl` with its older files, oldest first. A line that is no request is
//! counted and passed over. Why from lines: they are what an audit keeps, and a region that runs
//! is not asked. Not here: the layout (`formats/monitoring`).

use crate::notes::now_ns;
use crate::print::Print;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use transom_messages::mn;
use transom_monitoring::smf::requests::{self, REQUESTS_MAX, Request, Server};
use transom_types::Date;

/// Where the interceptor writes, in a system directory.
const FILE: &str = "logs/smf123.jsonl";
/// Longest line that is read as one.
const LINE_BYTES_MAX: u64 = 1 << 20;
/// Older files there may be.
const OLDER_MAX: usize = 10_000;

/// Writes the file.
///
/// # Errors
/// What went wrong, for the user; also that lines were no requests, or that there are none.
pub(crate) fn export(file: &Path, dir: &Path, print: Print) -> Result<(), String> {
    let failed = |why: std::io::Error| mn::not_exported(file.display(), why).to_string();
    let sources = sources(dir);
    if sources.is_empty() {
        return Err(mn::no_requests(dir.join(FILE).display()).to_string());
    }
    let mut out = Export {
        out: BufWriter::new(File::create(file).map_err(failed)?),
        server: server(dir),
        waiting: Vec::new(),
        requests: 0,
        records: 0,
    };
    let mut damaged = 0_u64;
    for source in &sources {
        let unreadable = |why: std::io::Error| mn::not_readable(source.display(), &why).to_string();
        let mut lines = BufReader::new(File::open(source).map_err(unreadable)?);
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut some = lines.by_ref().take(LINE_BYTES_MAX);
            if some.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
                break;
            }
            match Line::of(&line) {
                Some(request) => out.request(request).map_err(failed)?,
                None => damaged += 1,
            }
        }
    }
    out.end().map_err(failed)?;
    print(&format!(
        "{} requests in {} records of SMF\n",
        out.requests, out.records
    ));
    match damaged {
        0 => Ok(()),
        lines => Err(mn::no_request_lines(lines).to_string()),
    }
}

/// The interceptor's files, oldest first: those of a system directory, or of the folder itself.
fn sources(dir: &Path) -> Vec<PathBuf> {
    let own = dir.join(FILE);
    let current = match own.exists() {
        true => own,
        false => dir.join("smf123.jsonl"),
    };
    let older = (1..=OLDER_MAX).map(|n| {
        let mut name = current.clone().into_os_string();
        name.push(format!(".{n}"));
        PathBuf::from(name)
    });
    let mut all: Vec<PathBuf> = older.take_while(|path| path.exists()).collect();
    all.reverse();
    all.extend(Some(current).filter(|path| path.exists()));
    all
}

/// Lines do not say which server wrote them, so the folder does. Times are UTC.
fn server(dir: &Path) -> Server {
    let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_path_buf());
    let name = folder.file_name().map_or_else(String::new, |name| {
        name.to_string_lossy().to_ascii_uppercase()
    });
    Server {
        system: String::new(),
        job: name,
        folder: folder.display().to_string(),
        unix_ns: now_ns(),
        utc_offset_s: 0,
    }
}

struct Export {
    out: BufWriter<File>,
    server: Server,
    waiting: Vec<Line>,
    requests: u64,
    records: u64,
}

impl Export {
    fn request(&mut self, line: Line) -> std::io::Result<()> {
        self.waiting.push(line);
        match self.waiting.len() >= REQUESTS_MAX {
            true => self.flush(),
            false => Ok(()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let all: Vec<&dyn Request> = self.waiting.iter().map(|one| one as &dyn Request).collect();
        self.out.write_all(&requests::record(&self.server, &all))?;
        self.requests += all.len() as u64;
        self.records += 1;
        self.waiting.clear();
        Ok(())
    }

    fn end(&mut self) -> std::io::Result<()> {
        self.flush()?;
        self.out.flush()
    }
}

/// A line of the interceptor.
struct Line(Value);

impl Line {
    /// `None`: it is no request.
    fn of(bytes: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let is_request = value.get("SMF123_REC_TYPE") == Some(&Value::from(123))
            && value.get("SMF123S1_TIME_ZC_ENTRY").is_some();
        is_request.then_some(Self(value))
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let own = self.0.get(format!("SMF123S1_{name}"));
        own.or_else(|| self.0.get(format!("SMF123_{name}")))
    }
}

impl Request for Line {
    fn text(&self, name: &str) -> String {
        let text = self.value(name).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    }

    fn number(&self, name: &str) -> u64 {
        match self.value(name) {
            Some(Value::String(text)) => text.parse().unwrap_or(0),
            Some(value) => value.as_u64().unwrap_or(0),
            None => 0,
        }
    }

    fn moment_ns(&self, name: &str) -> u64 {
        unix_ns(&self.text(name)).unwrap_or(0)
    }
}

/// Nanoseconds since 1970 of `2026-11-20T13:05:09.123456Z`.
fn unix_ns(stamp: &str) -> Option<u64> {
    let (date, time) = stamp.strip_suffix('Z')?.split_once('T')?;
    let mut parts = date.splitn(3, '-');
    let mut part = || parts.next()?.parse::<u32>().ok();
    let (year, month, day) = (part()?, part()?, part()?);
    let days = Date::new(year.into(), month, day)?.days();
    let (clock, micros) = time.split_once('.').unwrap_or((time, "0"));
    let mut parts = clock.splitn(3, ':');
    let mut part = || parts.next()?.parse::<u64>().ok();
    let (hour, minute, second) = (part()?, part()?, part()?);
    let micros: u64 = format!("{micros:0<6}").get(..6)?.parse().ok()?;
    let days = u64::try_from(days).ok().filter(|days| *days < 100_000)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    Some(seconds * 1_000_000_000 + micros * 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_are_read_and_what_is_none_is_not() {
        assert_eq!(
            unix_ns("2026-11-20T13:05:09.123456Z"),
            Some(1_795_179_909_123_456_000)
        );
        assert_eq!(unix_ns("1970-01-01T00:00:01Z"), Some(1_000_000_000));
        for bad in [
            "",
            "2026-11-20",
            "2026-13-01T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "x",
        ] {
            assert_eq!(unix_ns(bad), None, "{bad}");
        }
    }

    #[test]
    fn older_files_come_first_and_damaged_lines_are_told() {
        fn quiet(_: &str) {}
        let dir = tempfile::tempdir().unwrap();
        let (logs, out) = (dir.path().join("logs"), dir.path().join("out.smf"));
        assert!(
            export(&out, dir.path(), quiet)
                .unwrap_err()
                .contains("TXMMN0012E")
        );
        std::fs::create_dir(&logs).unwrap();
        let line = |id: u32| {
            format!(
                "{{\"SMF123_REC_TYPE\":123,\"SMF123S1_REQ_ID\":\"{id}\",\
                 \"SMF123S1_TIME_ZC_ENTRY\":\"2026-11-20T13:05:09.123456Z\"}}\n"
            )
        };
        let many: String = (1..=21).map(line).collect();
        std::fs::write(logs.join("smf123.jsonl.1"), many).unwrap();
        let rest = format!("{}{{\"cut\n\u{0}\u{1}\n{}", line(22), line(23));
        std::fs::write(logs.join("smf123.jsonl"), rest).unwrap();
        let told = export(&out, dir.path(), quiet).unwrap_err();
        assert!(told.contains("TXMMN0005W") && told.contains('2'), "{told}");
        let bytes = std::fs::read(&out).unwrap();
        let length = |at: usize| usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]));
        assert_eq!(length(0) + length(length(0)), bytes.len());
        // The triplet of requests has their number: 20 and 3.
        let count = |at: usize| u16::from_be_bytes([bytes[at + 54], bytes[at + 55]]);
        assert_eq!((count(0), count(length(0))), (20, 3));
    }
}
