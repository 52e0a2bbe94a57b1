//! Reads what strace recorded.
//!
//! What: calls that change some files, in their order, and lines the traced process said. A flush
//! saves what was written when it began, and counts from its end. What is unknown is refused, not
//! skipped: a call that changed the file unseen would make every state wrong. Not here: what
//! becomes of the file.

use std::collections::HashMap;

/// What happened, to which of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event {
    /// A write began.
    Write {
        file: usize,
        id: u64,
        offset: usize,
        bytes: Vec<u8>,
    },
    /// A write is over; through some descriptors that means that it is safe.
    Written { file: usize, id: u64, safe: bool },
    /// A flush began.
    Flush { file: usize, id: u64 },
    /// A flush is over.
    Flushed { file: usize, id: u64 },
    /// The file was cut or made longer.
    Resized { file: usize, length: usize },
    /// The file got its name: before that there is none.
    Named { file: usize },
    /// It has no name any more.
    Removed { file: usize },
    /// The process said a line.
    Said(String),
}

/// A recording.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) events: Vec<Event>,
    /// By process number: what its unfinished call does when it ends.
    unfinished: HashMap<u32, Unfinished>,
    /// Descriptors that flush each write.
    synchronous: HashMap<u32, bool>,
    /// Where `writev` goes, by descriptor.
    positions: HashMap<u32, usize>,
    next_id: u64,
    made: Vec<String>,
}

#[derive(Debug)]
enum Unfinished {
    Open(String),
    Write(usize, u64, bool),
    Flush(usize, u64),
    Rename(usize),
    Remove(usize),
    Other,
}

impl Trace {
    /// Understands a recording of files with these names. Those of `made` are there when they are
    /// opened first, the others when they are renamed.
    pub(super) fn read(text: &[u8], files: &[&str], made: &[&str]) -> Result<Self, String> {
        let mut trace = Self {
            made: made.iter().map(|name| (*name).to_owned()).collect(),
            ..Self::default()
        };
        for line in text.split(|b| *b == b'\n') {
            let line = String::from_utf8_lossy(line);
            if !line.is_empty() {
                trace.line(&line, files)?;
            }
        }
        for (file, name) in files.iter().enumerate() {
            if !trace.events.contains(&Event::Named { file }) {
                return Err(format!("{name} was not made in the recording"));
            }
        }
        Ok(trace)
    }

    fn line(&mut self, line: &str, files: &[&str]) -> Result<(), String> {
        let Some((pid, rest)) = line.split_once(' ') else {
            return Ok(());
        };
        let pid: u32 = pid
            .parse()
            .map_err(|_| format!("not a call: {}", start(line)))?;
        let rest = rest.trim_start();
        if let Some(resumed) = rest.strip_prefix("<... ") {
            let call = self.unfinished.remove(&pid);
            return self.ended(call.unwrap_or(Unfinished::Other), resumed, files);
        }
        let Some((name, arguments)) = rest.split_once('(') else {
            return Ok(());
        };
        let call = self.began(name, arguments, files)?;
        match rest.ends_with("<unfinished ...>") {
            true => drop(self.unfinished.insert(pid, call)),
            false => self.ended(call, rest, files)?,
        }
        Ok(())
    }

    /// A call begins: what it will have done at its end.
    fn began(&mut self, name: &str, arguments: &str, files: &[&str]) -> Result<Unfinished, String> {
        let path = path_of(arguments).map_or_else(String::new, plain);
        let descriptor = arguments.split(['<', ',', ')']).next();
        let descriptor = descriptor.and_then(|d| d.parse::<u32>().ok());
        match name {
            "openat" => return Ok(Unfinished::Open(arguments.to_owned())),
            "unlink" | "unlinkat" => return Ok(removal(arguments, files)),
            "write" if descriptor == Some(1) => {
                let said = text(arguments).unwrap_or_default();
                let said = String::from_utf8_lossy(&said).trim_end().to_owned();
                self.events.push(Event::Said(said));
                return Ok(Unfinished::Other);
            }
            _ => {}
        }
        let last = path.rsplit('/').next().unwrap_or_default();
        // A file that has no name yet is called `name.new` or lies in a folder `new`.
        let meant = |name: &&str| {
            last.strip_suffix(".new").unwrap_or(last) == *name
                || (path.is_empty() && arguments.contains(&hex(name)))
        };
        let Some(file) = files.iter().position(meant) else {
            return Ok(Unfinished::Other);
        };
        match name {
            "pwrite64" => {
                let id = self.write(file, arguments, None)?;
                let synchronous = descriptor.and_then(|d| self.synchronous.get(&d));
                Ok(Unfinished::Write(file, id, synchronous == Some(&true)))
            }
            "writev" => {
                let position = descriptor.and_then(|d| self.positions.get_mut(&d));
                let position = position.ok_or("writev before lseek")?;
                let offset = *position;
                *position += text(arguments).map_or(0, |t| t.len());
                let id = self.write(file, arguments, Some(offset))?;
                Ok(Unfinished::Write(file, id, false))
            }
            "lseek" => {
                self.sought(descriptor, arguments)?;
                Ok(Unfinished::Other)
            }
            "fdatasync" | "fsync" => {
                self.next_id += 1;
                let id = self.next_id;
                self.events.push(Event::Flush { file, id });
                Ok(Unfinished::Flush(file, id))
            }
            "rename" => Ok(Unfinished::Rename(file)),
            "ftruncate" => {
                let length = length_of(arguments).ok_or("ftruncate without length")?;
                self.events.push(Event::Resized { file, length });
                Ok(Unfinished::Other)
            }
            other => Err(format!(
                "{other} of the file is not understood: {}",
                start(arguments)
            )),
        }
    }

    /// The position of a descriptor changes.
    fn sought(&mut self, descriptor: Option<u32>, arguments: &str) -> Result<(), String> {
        let mut parts = arguments.split(", ").skip(1);
        let offset = parts.next().and_then(|o| o.parse().ok());
        let how = parts.next().unwrap_or_default();
        match (descriptor, offset) {
            (Some(descriptor), Some(offset)) if how.starts_with("SEEK_SET") => {
                self.positions.insert(descriptor, offset);
            }
            // Only asks for the size.
            _ if how.starts_with("SEEK_END") => {}
            _ => return Err(format!("lseek is not understood: {}", start(arguments))),
        }
        Ok(())
    }

    /// A call is over.
    fn ended(&mut self, call: Unfinished, rest: &str, files: &[&str]) -> Result<(), String> {
        let answer = rest.rsplit_once(" = ").map_or("", |(_, a)| a);
        if answer.starts_with('?') {
            // The process ended meanwhile: what the call did, nobody was told.
            return Ok(());
        }
        match call {
            Unfinished::Open(arguments) => {
                let all = format!("{arguments} {rest}");
                let descriptor = answer.split('<').next().and_then(|d| d.parse().ok());
                if let Some(descriptor) =
                    descriptor.filter(|_| files.iter().any(|file| all.contains(&hex(file))))
                {
                    let synchronous = all.contains("O_DSYNC") || all.contains("O_SYNC");
                    self.synchronous.insert(descriptor, synchronous);
                }
                self.opened(answer, files);
            }
            Unfinished::Write(file, id, safe) => {
                self.events.push(Event::Written { file, id, safe });
            }
            Unfinished::Flush(file, id) if answer.starts_with('0') => {
                self.events.push(Event::Flushed { file, id });
            }
            Unfinished::Rename(file) => self.events.push(Event::Named { file }),
            Unfinished::Remove(file) if answer.starts_with('0') => {
                self.events.push(Event::Removed { file });
            }
            Unfinished::Flush(..) => return Err(format!("a flush failed: {answer}")),
            Unfinished::Remove(_) | Unfinished::Other => {}
        }
        Ok(())
    }

    /// A file that is there when it is opened.
    fn opened(&mut self, answer: &str, files: &[&str]) {
        let path = path_of(answer).map_or_else(String::new, plain);
        let last = path.rsplit('/').next().unwrap_or_default();
        if !self.made.iter().any(|name| name == last) {
            return;
        }
        let file = files.iter().position(|name| *name == last);
        self.events.extend(file.map(|file| Event::Named { file }));
    }

    /// A write that begins; `at` is where, if the call does not say it.
    fn write(&mut self, file: usize, arguments: &str, at: Option<usize>) -> Result<u64, String> {
        let bytes = text(arguments).ok_or_else(|| format!("no bytes: {}", start(arguments)))?;
        // `, length, offset) = ...`
        let after = arguments.rsplit_once('"').map_or("", |(_, r)| r);
        let after = after.split([')', '<']).next().unwrap_or_default();
        let said = after.rsplit(',').map(str::trim).find(|p| !p.is_empty());
        let offset = at.or_else(|| said.and_then(|o| o.parse().ok()));
        let offset = offset.ok_or_else(|| format!("no offset: {after}"))?;
        self.next_id += 1;
        let id = self.next_id;
        self.events.push(Event::Write {
            file,
            id,
            offset,
            bytes,
        });
        Ok(id)
    }
}

/// A name goes.
fn removal(arguments: &str, files: &[&str]) -> Unfinished {
    let gone = text(arguments).unwrap_or_default();
    let gone = String::from_utf8_lossy(&gone).into_owned();
    let gone = gone.rsplit('/').next().unwrap_or_default();
    let file = files.iter().position(|name| *name == gone);
    file.map_or(Unfinished::Other, Unfinished::Remove)
}

/// All quoted strings of the arguments, one behind the other.
fn text(arguments: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut parts = arguments.split('"');
    let mut found = false;
    // Outside, inside, outside, ...
    while let (Some(_), Some(inside)) = (parts.next(), parts.next()) {
        found = true;
        for code in inside.split("\\x").skip(1) {
            bytes.push(u8::from_str_radix(code, 16).ok()?);
        }
    }
    found.then_some(bytes)
}

/// A name as strace shows it with -xx.
fn hex(name: &str) -> String {
    name.bytes().map(|b| format!("\\x{b:02x}")).collect()
}

/// The path of a descriptor, `3</a/b>`.
fn path_of(arguments: &str) -> Option<&str> {
    let (path, _) = arguments.split_once('<')?.1.split_once('>')?;
    Some(path)
}

/// A path, whether it is shown in hexadecimal or not.
fn plain(shown: &str) -> String {
    if !shown.starts_with("\\x") {
        return shown.to_owned();
    }
    let bytes = shown.split("\\x").skip(1);
    let bytes = bytes
        .filter_map(|c| u8::from_str_radix(c, 16).ok())
        .collect();
    String::from_utf8(bytes).unwrap_or_default()
}

/// The second argument, a length; the call may not have ended.
fn length_of(arguments: &str) -> Option<usize> {
    let second = arguments.split([',', ')']).nth(1)?;
    second.split_whitespace().next()?.parse().ok()
}

fn start(line: &str) -> String {
    line.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_events() {
        let record = format!(
            "7 openat(AT_FDCWD, \"{0}\", O_RDWR) = 5<{0}>\n\
             7 openat(AT_FDCWD, \"{0}\", O_RDWR|O_DSYNC) = 6<{0}>\n\
             7 pwrite64(5<{0}>, \"\\x01\\x02\", 2, 4096) = 2\n\
             8 fdatasync(5<{0}> <unfinished ...>\n\
             7 write(1<pipe:[1]>, \"\\x2b\\x31\\x0a\", 3) = 3\n\
             8 <... fdatasync resumed>) = 0\n\
             7 pwrite64(6<{0}>, \"\\x03\", 1, 16 <unfinished ...>\n\
             7 <... pwrite64 resumed>) = 1\n\
             7 rename(\"{1}\", \"{0}\") = 0\n\
             7 +++ exited with 0 +++\n",
            hex("/f/data.mdb"),
            hex("/f/new/data.mdb")
        );
        let trace = Trace::read(record.as_bytes(), &["data.mdb"], &[]).unwrap();
        let file = 0;
        let write = |id, offset, bytes: &[u8]| Event::Write {
            file,
            id,
            offset,
            bytes: bytes.to_vec(),
        };
        let written = |id, safe| Event::Written { file, id, safe };
        assert_eq!(
            trace.events,
            [
                write(1, 4096, &[1, 2]),
                written(1, false),
                Event::Flush { file, id: 2 },
                Event::Said("+1".to_owned()),
                Event::Flushed { file, id: 2 },
                write(3, 16, &[3]),
                written(3, true),
                Event::Named { file },
            ]
        );
    }

    #[test]
    fn a_flush_that_the_end_of_the_process_parts_has_told_nobody() {
        let record = format!(
            "7 openat(AT_FDCWD, \"{0}\", O_RDWR|O_CREAT) = 5<{0}>\n\
             7 fdatasync(5<{0}> <unfinished ...>\n\
             8 write(1<pipe:[1]>, \"\\x2b\\x31\\x0a\", 3) = 3\n\
             7 <... fdatasync resumed>) = ?\n\
             7 +++ exited with 0 +++\n",
            hex("/f/sql.db-wal"),
        );
        let files = ["sql.db-wal"];
        let trace = Trace::read(record.as_bytes(), &files, &files).unwrap();
        let file = 0;
        assert_eq!(
            trace.events,
            [
                Event::Named { file },
                Event::Flush { file, id: 1 },
                Event::Said("+1".to_owned())
            ]
        );
    }

    #[test]
    fn a_file_is_resized_by_a_call_that_another_one_parts() {
        let record = format!(
            "7 openat(AT_FDCWD, \"{0}\", O_RDWR|O_CREAT) = 5<{0}>\n\
             7 ftruncate(5<{0}>, 32) = 0\n\
             7 ftruncate(5<{0}>, 4096 <unfinished ...>\n\
             8 getpid() = 8\n\
             7 <... ftruncate resumed>) = 0\n",
            hex("/f/sql.db-wal"),
        );
        let files = ["sql.db-wal"];
        let trace = Trace::read(record.as_bytes(), &files, &files).unwrap();
        let file = 0;
        let resized = |length| Event::Resized { file, length };
        assert_eq!(
            trace.events,
            [Event::Named { file }, resized(32), resized(4096)]
        );
    }

    #[test]
    fn a_file_can_be_there_when_it_is_opened_and_go_again() {
        let record = format!(
            "7 openat(AT_FDCWD, \"{0}\", O_RDWR|O_CREAT) = 5<{0}>\n\
             7 unlink(\"{1}\") = 0\n\
             7 unlink(\"{0}\") = 0\n",
            hex("/f/sql.db-wal"),
            hex("/f/sql.db-shm")
        );
        let files = ["sql.db-wal"];
        let trace = Trace::read(record.as_bytes(), &files, &files).unwrap();
        let file = 0;
        assert_eq!(
            trace.events,
            [Event::Named { file }, Event::Removed { file }]
        );
    }
}
