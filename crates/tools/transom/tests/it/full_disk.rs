//! A file system that is full: what needs room is refused, nothing ends, and work goes on when
//! there is room again.

use crate::files::{file, on_disk};
use crate::harness::Programs;
use std::path::{Path, PathBuf};
use std::process::Command;
use transom_types::TdQueueName;
use transom_wire::definitions::{Entry, JournalKind, JournalModel, Recovery, TdQueueEntry};

/// Bytes of the file system, and of what is deleted to make room.
const DISK_BYTES: usize = 12 << 20;
const BALLAST_BYTES: usize = 4 << 20;
/// What is not made smaller; all but [`DISK_BYTES`] is taken first.
const LARGE: [&str; 1] = ["xfs"];
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
    // A full btrfs has no room for a page that is stored to through a map: the region ends.
    println!("skipped: btrfs, on which a region needs room (docs/explanations/crash-safety.md)");
    for kind in ["tmpfs", "ext4", "xfs"] {
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
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![1; BALLAST_BYTES]).unwrap();
    let programs = region(disk);
    let mut there = Vec::new();
    let fill = |from: usize, there: &mut Vec<usize>| {
        for number in from..RECORDS_MAX {
            let answer = ask(&programs, 'W', number);
            if answer != "0000 0000" {
                return (number, answer);
            }
            there.push(number);
        }
        panic!("the disk is never full");
    };
    let (first, answer) = fill(0, &mut there);
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
    for what in ['J', 'X', 'A'] {
        println!("{what}: {}", ask(&programs, what, 0));
    }
    std::fs::remove_file(&ballast).unwrap();
    let (second, _) = fill(first + 40, &mut there);
    assert!(second > first + 340, "{first}, then {second}");
    programs.stop();
    // A start makes files, for which a full xfs has no room: it would be refused (TXMRM0002S).
    let _none = std::fs::remove_file(disk.join("stuffing"));
    // All that was acknowledged is there at the next start.
    let programs = region(disk);
    for number in there {
        assert_eq!(ask(&programs, 'R', number), "0000 0000", "{number}");
    }
    programs.stop();
}
