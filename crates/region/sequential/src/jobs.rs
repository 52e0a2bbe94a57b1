//! Internal readers: records collected to jobs, each job stored as a file.
//!
//! What: [`Collector`] cuts the records of one queue into jobs: `/*EOF` ends what was collected, a
//! JOB statement begins another job. [`store`] writes a job as `JOBnnnnn.jcl`. Not here: running
//! jobs.
//!
//! Limit: [`JOB_BYTES_MAX`] collected bytes of one queue; beyond it a write raises NOSPACE. What
//! was not ended by `/*EOF` when the region ends is lost.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Most bytes collected before `/*EOF`.
pub const JOB_BYTES_MAX: usize = 16 << 20;
/// Highest job number.
const JOB_NUMBER_MAX: u32 = 99_999;

/// Records of one reader until their end.
#[derive(Debug, Default)]
pub struct Collector {
    lines: Vec<Vec<u8>>,
    bytes: usize,
}

/// The collector is full.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl Collector {
    /// Adds a record; answers the jobs that are complete, as text.
    pub fn add(&mut self, record: &[u8]) -> Result<Vec<Vec<u8>>, Full> {
        let end = record
            .iter()
            .rposition(|b| !matches!(b, b' ' | 0))
            .map_or(0, |at| at + 1);
        let line = record.get(..end).unwrap_or_default();
        if line.starts_with(b"/*EOF") {
            self.bytes = 0;
            return Ok(jobs(std::mem::take(&mut self.lines)));
        }
        if self.bytes + line.len() + 1 > JOB_BYTES_MAX {
            return Err(Full);
        }
        self.bytes += line.len() + 1;
        self.lines.push(line.to_vec());
        Ok(Vec::new())
    }
}

fn jobs(lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut jobs: Vec<Vec<u8>> = Vec::new();
    let mut has_card = false;
    for line in lines {
        let card = is_job_card(&line);
        if jobs.is_empty() || (card && has_card) {
            jobs.push(Vec::new());
            has_card = false;
        }
        has_card |= card;
        if let Some(job) = jobs.last_mut() {
            job.extend_from_slice(&line);
            job.push(b'\n');
        }
    }
    jobs
}

/// `//NAME JOB ...`.
fn is_job_card(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"//") else {
        return false;
    };
    let mut words = rest.split(|b| *b == b' ').filter(|word| !word.is_empty());
    let named = rest.first().is_some_and(u8::is_ascii_alphanumeric);
    named && words.next().is_some() && words.next() == Some(b"JOB")
}

/// Stores a job under the next free number; answers its path.
pub fn store(folder: &Path, job: &[u8]) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut number = 1 + highest(folder)?;
    while number <= JOB_NUMBER_MAX {
        let path = folder.join(format!("JOB{number:05}.jcl"));
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(job)?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::other("no job number is free"))
}

fn highest(folder: &Path) -> std::io::Result<u32> {
    let mut highest = 0;
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("JOB")?.strip_suffix(".jcl"))
            .and_then(|digits| digits.parse().ok());
        highest = highest.max(number.unwrap_or(0));
    }
    Ok(highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_become_jobs_at_eof() {
        let mut reader = Collector::default();
        for line in [
            "//ONE JOB 'A'",
            "//S1 EXEC PGM=X   ",
            "//TWO   JOB 'B'",
            "//S1 EXEC PGM=Y",
        ] {
            assert_eq!(reader.add(line.as_bytes()), Ok(vec![]));
        }
        let jobs = reader.add(b"/*EOF                ").unwrap();
        assert_eq!(jobs.len(), 2);
        assert_eq!(jobs[0], b"//ONE JOB 'A'\n//S1 EXEC PGM=X\n");
        assert_eq!(jobs[1], b"//TWO   JOB 'B'\n//S1 EXEC PGM=Y\n");
        assert_eq!(reader.add(b"/*EOF"), Ok(vec![]), "nothing was collected");
    }

    #[test]
    fn jobs_are_numbered_on() {
        let folder = std::env::temp_dir().join(format!("transom-jobs-{}", std::process::id()));
        let first = store(&folder, b"//A JOB\n").unwrap();
        let second = store(&folder, b"//B JOB\n").unwrap();
        assert!(first.ends_with("JOB00001.jcl") && second.ends_with("JOB00002.jcl"));
        assert_eq!(std::fs::read(&second).unwrap(), b"//B JOB\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
