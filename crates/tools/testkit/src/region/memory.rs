//! The memory that a region shares with its workers, and ways to store over it.
//!
//! Not here: what must come of it (`scribble`).

use crate::rng::Rng;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Duration;

/// Bytes of a page of the segment.
const PAGE: usize = 4_096;
/// Pages of the segment's beginning: header, slots, the first blocks of tasks.
const FIRST_PAGES: usize = 120;

/// Where and what is stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// Anything anywhere in pages that are in use.
    Anywhere,
    /// Small numbers, ends of lists and neighbours of what is there, in words of the first pages.
    Fields,
    /// What stands in another place of the first pages.
    Swapped,
    /// Each byte of a page.
    Sweep,
    /// Fields of the other segment, which has storage that programs share.
    Storage,
}

impl Way {
    pub(super) fn of(case: u64) -> Self {
        match case % 5 {
            0 => Self::Anywhere,
            1 => Self::Fields,
            2 => Self::Swapped,
            3 => Self::Sweep,
            _ => Self::Storage,
        }
    }

    /// Name of the segment.
    fn of_segment(self) -> &'static str {
        match self {
            Self::Storage => "transom-storage",
            _ => "transom-region",
        }
    }
}

/// The segment of a region, by the descriptor the region has of it.
pub(super) fn segment(pid: u32, way: Way) -> Result<File, String> {
    let path = path_of(pid, way.of_segment()).ok_or("the region has no segment")?;
    let opened = File::options().read(true).write(true).open(&path);
    opened.map_err(|e| format!("{}: {e}", path.display()))
}

/// The descriptor that a process has of memory with this name.
fn path_of(pid: u32, name: &str) -> Option<PathBuf> {
    let all = fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
    all.flatten().map(|entry| entry.path()).find(|path| {
        let target = fs::read_link(path).unwrap_or_default();
        target.to_string_lossy().contains(name)
    })
}

/// What a region defines: nobody can have it for writing, by whatever name.
pub(super) fn definitions_are_closed(pid: u32) -> Result<(), String> {
    let path = path_of(pid, "transom-definitions").ok_or("the region has no definitions")?;
    let opened = File::options().read(true).write(true).open(&path);
    let written = opened.and_then(|file| file.write_at(b"?", 0));
    match written {
        Err(_) => Ok(()),
        Ok(_) => Err("definitions were overwritten from outside".to_owned()),
    }
}

/// Pages that are not empty.
fn pages(memory: &File) -> Result<Vec<u64>, String> {
    let failed = |e: std::io::Error| e.to_string();
    let length = memory.metadata().map_err(failed)?.len();
    let mut used = Vec::new();
    let mut page = [0; PAGE];
    for at in (0..length).step_by(PAGE) {
        memory.read_exact_at(&mut page, at).map_err(failed)?;
        if page.iter().any(|b| *b != 0) {
            used.push(at);
        }
    }
    Ok(used)
}

/// Stores all over it; how many words.
pub(super) fn scribble(memory: &File, way: Way, rng: &mut Rng) -> Result<u64, String> {
    let failed = |e: std::io::Error| e.to_string();
    let used = pages(memory)?;
    let first = &used[..used.len().min(FIRST_PAGES)];
    // A few words are found one by one; many at a time are a catastrophe.
    let words = 1 << rng.below(11);
    let place = |rng: &mut Rng, pages: &[u64]| {
        let page = pages.get(rng.below(pages.len() as u64) as usize);
        page.copied().unwrap_or(0) + rng.below(PAGE as u64 / 4) * 4
    };
    let word = |at: u64| -> Result<u32, String> {
        let mut word = [0; 4];
        memory.read_exact_at(&mut word, at).map_err(failed)?;
        Ok(u32::from_le_bytes(word))
    };
    if let Way::Sweep = way {
        let page = used.get(rng.below(used.len() as u64) as usize);
        let page = page.copied().unwrap_or(0);
        for at in (page..page + PAGE as u64).step_by(4) {
            let junk = (rng.next() as u32).to_le_bytes();
            memory.write_all_at(&junk, at).map_err(failed)?;
        }
        return Ok(PAGE as u64 / 4);
    }
    for _ in 0..words {
        let (at, to) = match way {
            Way::Anywhere | Way::Sweep => (place(rng, &used), rng.next() as u32),
            Way::Fields | Way::Storage => {
                let at = place(rng, first);
                let now = word(at)?;
                let choices = [
                    0,
                    1,
                    u32::MAX,
                    now.wrapping_add(1),
                    now ^ 1 << rng.below(32),
                    7,
                    60,
                ];
                (at, choices[rng.below(choices.len() as u64) as usize])
            }
            Way::Swapped => (place(rng, first), word(place(rng, first))?),
        };
        memory.write_all_at(&to.to_le_bytes(), at).map_err(failed)?;
        std::thread::sleep(Duration::from_micros(rng.below(2_000)));
    }
    Ok(words)
}
