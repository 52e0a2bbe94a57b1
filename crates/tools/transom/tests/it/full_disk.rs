//! A file system that is full: what needs room is refused, nothing ends, and work goes on when
//! there is room again.

use crate::files::{file, on_disk};
use crate::harness::Programs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use transom_types::TdQueueName;
use transom_wire::definitions::{Entry, JournalKind, JournalModel, Recovery, TdQueueEntry};

/// Bytes of the file system, and of what is deleted to make room.
const DISK_BYTES: usize = 10 << 20;
const BALLAST_BYTES: usize = 4 << 20;
/// What is not made smaller; all but [`DISK_BYTES`] is taken first.
const LARGE: [&str; 2] = ["xfs", "btrfs"];
const LARGE_BYTES: usize = 320 << 20;
/// Most records that can fit.
const RECORDS_MAX: usize = 9_000;

/// A small file system of its own, as long as this lives.
struct Disk {
    at: PathBuf,
    _folder: tempfile::TempDir,
}

impl Disk {
    /// `None`: it cannot be made here.
    fn make(kind: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path().join("disk");
        std::fs::create_dir(&at).unwrap();
        let image = folder.path().join("image");
        let done = match kind {
            "tmpfs" => run(Command::new("mount")
                .args(["-t", "tmpfs", "-o", &format!("size={DISK_BYTES}"), "tmpfs"])
                .arg(&at)),
            _ => {
                let bytes = match LARGE.contains(&kind) {
                    true => LARGE_BYTES,
                    false => 2 * DISK_BYTES,
                };
                let file = std::fs::File::create(&image).unwrap();
                file.set_len(bytes as u64).unwrap();
                let tool = format!("mkfs.{kind}");
                if Command::new(&tool).arg("-V").output().is_err() {
                    println!("skipped: there is no {tool} here");
                    return None;
                }
                run(Command::new(&tool).arg("-q").arg(&image))
                    && run(Command::new("mount")
                        .args(["-o", "loop"])
                        .arg(&image)
                        .arg(&at))
            }
        };
        if !done {
            println!("skipped: {kind} cannot be mounted here");
            return None;
        }
        let disk = Self {
            at,
            _folder: folder,
        };
        if LARGE.contains(&kind) {
            disk.leave(DISK_BYTES);
        }
        Some(disk)
    }

    /// Takes what is free but for so many bytes.
    fn leave(&self, bytes: usize) {
        let stuffing = self.at.join("stuffing");
        let length = (self.free() - bytes).to_string();
        let taken = run(Command::new("fallocate")
            .args(["-l", &length])
            .arg(stuffing));
        assert!(taken && self.free() <= 2 * bytes, "{} free", self.free());
    }

    fn free(&self) -> usize {
        let df = Command::new("df")
            .args(["-B1", "--output=avail"])
            .arg(&self.at)
            .output();
        let text = String::from_utf8(df.unwrap().stdout).unwrap();
        text.lines().nth(1).unwrap().trim().parse().unwrap()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run(Command::new("umount").arg("-l").arg(&self.at));
    }
}

/// Writes until there is no room for a page; how many bytes that were.
fn stuff(mut file: std::fs::File) -> usize {
    let mut written = 0;
    for bytes in [1 << 16, 1 << 12] {
        while let Ok(more) = file.write(&vec![1; bytes]) {
            written += more;
        }
        // Some file systems find room by and by.
        let _full = file.sync_all();
    }
    written
}

fn run(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// W writes a record and commits, R reads one, J writes to a journal, X to a file of the system, A
/// ends with a dump. Answers the condition, and that of SYNCPOINT.
fn program() -> String {
    cobol!("FULLDISK")
}

fn ask(programs: &Programs, what: char, number: usize) -> String {
    programs.text("FULLDISK", &format!("{what}{number:04}{}", " ".repeat(10)))
}

#[test]
fn work_goes_on_when_there_is_room_again() {
    for kind in ["tmpfs", "ext4", "xfs", "btrfs"] {
        if let Some(disk) = Disk::make(kind) {
            println!("{kind}");
            fill_and_empty(&disk.at);
        }
    }
}

fn region(disk: &Path) -> Programs {
    Programs::with(&[&program()], |config| {
        on_disk(disk)(config);
        let mut big = file("BIGF", Recovery::BackoutOnly);
        big.record_size = 2_000;
        config.data.files = vec![big];
        config.data.journal_dir = Some(disk.join("journals"));
        config.resources.push(Entry::JournalModel(JournalModel {
            journal: "FULLJ*".into(),
            stream: "FULLJ".into(),
            kind: JournalKind::Mvs,
            ..JournalModel::with_defaults(*b"FULLJ   ")
        }));
        config.dump_dir = disk.join("dumps");
        config.queues.extrapartition_dir = Some(disk.join("extra"));
        let queue = TdQueueEntry::new(TdQueueName::new(*b"OUTQ"));
        config.queues.td_queues.push(queue);
    })
}

fn fill_and_empty(disk: &Path) {
    let filler = std::fs::File::create(disk.join("filler")).unwrap();
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![1; BALLAST_BYTES]).unwrap();
    let programs = region(disk);
    let mut there = Vec::new();
    let mut answer = String::new();
    for number in 0..RECORDS_MAX {
        answer = ask(&programs, 'W', number);
        if answer != "0000 0000" {
            break;
        }
        there.push(number);
    }
    let first = there.len();
    assert!(first < RECORDS_MAX, "the disk is never full");
    println!("{first} records, then {answer}");
    // Refused again and again, and nothing else is hurt.
    let mut refused = 0;
    for number in first..first + 40 {
        match ask(&programs, 'W', number).as_str() {
            "0000 0000" => there.push(number),
            _ => refused += 1,
        }
        assert_eq!(ask(&programs, 'R', 0), "0000 0000");
    }
    assert!(refused > 20, "{refused}");
    // WRITE JOURNALNAME has no NOSPACE: what cannot be written is IOERR, or finds room.
    let journal = ask(&programs, 'J', 0);
    assert!(["0017 0000", "0000 0000"].contains(&&*journal), "{journal}");
    for what in ['X', 'A'] {
        println!("{what}: {}", ask(&programs, what, 0));
    }
    std::fs::remove_file(&ballast).unwrap();
    for number in first + 40..first + 340 {
        assert_eq!(ask(&programs, 'W', number), "0000 0000", "{number}");
        there.push(number);
    }
    programs.stop();
    // All that was acknowledged is there at the next start, although the disk is full again.
    println!("started with {} bytes less", stuff(filler));
    let programs = region(disk);
    let answer = ask(&programs, 'W', first + 400);
    assert!(["0000 0000", "0000 0082"].contains(&&*answer), "{answer}");
    for number in there.into_iter().step_by(7) {
        assert_eq!(ask(&programs, 'R', number), "0000 0000", "{number}");
    }
    programs.stop();
}
