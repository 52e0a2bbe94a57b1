//! A file on a disk that can lose power.
//!
//! What: what has been flushed, and the writes since, each of which may have reached the disk whole, in part or not at
//! all. Not here: how the writes became known.

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
    pending: Vec<(u64, usize, Vec<u8>)>,
}

impl Disk {
    /// Something happened.
    pub(super) fn take(&mut self, event: &Event) {
        match event {
            Event::Write { id, offset, bytes } => {
                self.pending.push((*id, *offset, bytes.clone()));
            }
            Event::Flushed => {
                for (_, offset, bytes) in self.pending.drain(..) {
                    put(&mut self.flushed, offset, &bytes);
                }
            }
            // Only itself: writes through such a descriptor say nothing of others.
            Event::WriteFlushed { id } => {
                if let Some(place) = self.pending.iter().position(|p| p.0 == *id) {
                    let (_, offset, bytes) = self.pending.remove(place);
                    put(&mut self.flushed, offset, &bytes);
                }
            }
            Event::Resized(length) => self.flushed.resize(*length, 0),
            Event::Named => self.named = true,
            Event::Said(_) => {}
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
        for (_, offset, bytes) in &self.pending {
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
        let write = |id, offset: usize, byte| Event::Write {
            id,
            offset,
            bytes: vec![byte; 1_024],
        };
        disk.take(&write(1, 0, 1));
        disk.take(&Event::Flushed);
        disk.take(&write(2, 1_024, 2));
        disk.take(&write(3, 0, 3));
        disk.take(&Event::WriteFlushed { id: 3 });
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
