//! A file on a disk that can lose power.
//!
//! What: what has been flushed, and the writes since, each of which may have reached the disk
//! whole, in part or not at all. Not here: how the writes became known.

use super::trace::Event;
use crate::rng::Rng;

/// What happens to writes that were not flushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// None of them is there.
    All,
    /// All of them are there.
    Nothing,
    /// Any blocks of 4 KiB of them are there.
    Blocks,
    /// Any sectors of 512 bytes of them are there.
    Sectors,
}

impl Loss {
    /// In turn.
    pub(super) const ALL: [Self; 4] = [Self::All, Self::Blocks, Self::Sectors, Self::Nothing];
}

/// The file.
#[derive(Debug, Default)]
pub(super) struct Disk {
    flushed: Vec<u8>,
    named: bool,
    pending: Vec<Pending>,
    /// Writes that were over when a flush began, by flush.
    flushes: Vec<(u64, Vec<u64>)>,
}

#[derive(Debug)]
struct Pending {
    id: u64,
    offset: usize,
    bytes: Vec<u8>,
    over: bool,
}

impl Disk {
    /// Something happened to this file, or to another one.
    pub(super) fn take(&mut self, event: &Event, me: usize) {
        match event {
            Event::Write {
                file,
                id,
                offset,
                bytes,
            } if *file == me => self.pending.push(Pending {
                id: *id,
                offset: *offset,
                bytes: bytes.clone(),
                over: false,
            }),
            // Safe: only itself, such a write says nothing of others.
            Event::Written { file, id, safe } if *file == me => match safe {
                true => self.save(&[*id]),
                false => {
                    let mine = self.pending.iter_mut().find(|p| p.id == *id);
                    mine.into_iter().for_each(|p| p.over = true);
                }
            },
            Event::Flush { file, id } if *file == me => {
                let over = self.pending.iter().filter(|p| p.over);
                self.flushes.push((*id, over.map(|p| p.id).collect()));
            }
            Event::Flushed { file, id } if *file == me => {
                if let Some(place) = self.flushes.iter().position(|f| f.0 == *id) {
                    let (_, saved) = self.flushes.remove(place);
                    self.save(&saved);
                }
            }
            Event::Resized { file, length } if *file == me => self.resize(*length),
            Event::Named { file } if *file == me => self.named = true,
            // What comes under this name later is another file.
            Event::Removed { file } if *file == me => *self = Self::default(),
            _ => {}
        }
    }

    /// Lengths are kept in order by the file system; writes behind the new end are gone with it.
    fn resize(&mut self, length: usize) {
        self.flushed.resize(length, 0);
        for pending in &mut self.pending {
            pending
                .bytes
                .truncate(length.saturating_sub(pending.offset));
        }
    }

    fn save(&mut self, ids: &[u64]) {
        for pending in self.pending.extract_if(.., |p| ids.contains(&p.id)) {
            put(&mut self.flushed, pending.offset, &pending.bytes);
        }
    }

    /// What a machine would find that lost power now; `None`: no such file.
    pub(super) fn after(&self, loss: Loss, rng: &mut Rng) -> Option<Vec<u8>> {
        self.named.then(|| self.content(loss, rng))
    }

    fn content(&self, loss: Loss, rng: &mut Rng) -> Vec<u8> {
        let mut image = self.flushed.clone();
        let block = match loss {
            Loss::All => return image,
            Loss::Nothing => usize::MAX,
            Loss::Blocks => 4_096,
            Loss::Sectors => 512,
        };
        for Pending { offset, bytes, .. } in &self.pending {
            let mut from = 0;
            while from < bytes.len() {
                // Blocks are those of the disk.
                let to = match block {
                    usize::MAX => bytes.len(),
                    _ => ((offset + from) / block + 1) * block - offset,
                };
                let part = bytes.get(from..to.min(bytes.len())).unwrap_or_default();
                if loss == Loss::Nothing || rng.coin() {
                    put(&mut image, offset + from, part);
                }
                from = to;
            }
        }
        image
    }
}

fn put(image: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if image.len() < end {
        image.resize(end, 0);
    }
    if let Some(place) = image.get_mut(offset..end) {
        place.copy_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flushed_writes_stay_and_others_may_go() {
        let mut disk = Disk::default();
        assert_eq!(disk.after(Loss::All, &mut Rng::of_case(0, 0, 0)), None);
        let write = |disk: &mut Disk, id, offset: usize, byte, safe| {
            let file = 0;
            let bytes = vec![byte; 1_024];
            let write = Event::Write {
                file,
                id,
                offset,
                bytes,
            };
            disk.take(&write, 0);
            disk.take(&Event::Written { file, id, safe }, 0);
        };
        write(&mut disk, 1, 0, 1, false);
        disk.take(&Event::Flush { file: 0, id: 9 }, 0);
        // Not part of the flush that runs.
        write(&mut disk, 2, 1_024, 2, false);
        disk.take(&Event::Flushed { file: 0, id: 9 }, 0);
        write(&mut disk, 3, 0, 3, true);
        disk.take(&Event::Flush { file: 1, id: 10 }, 0);
        disk.take(&Event::Flushed { file: 1, id: 10 }, 0);
        let mut rng = Rng::of_case(1, 2, 3);
        assert_eq!(disk.content(Loss::All, &mut rng), vec![3; 1_024]);
        let kept = disk.content(Loss::Nothing, &mut rng);
        assert_eq!((kept[1_023], kept[1_024], kept.len()), (3, 2, 2_048));
        let torn: Vec<_> = (0..50)
            .map(|_| disk.content(Loss::Sectors, &mut rng))
            .collect();
        assert!(torn.iter().any(|t| t.len() == 1_536));
    }
}
