//! Values of items: bytes under a checksum, and numbers that count.
//!
//! What: reading and storing them. Numbers change in place, so that counting the uses of a program
//! costs no block; no checksum is over them, and nothing but statistics depends on them. Not here:
//! which item has which value (`groups`).

use super::View;
use super::nodes::{COUNTS, LARGE, VALUE, Value};
use crate::shm::seal::Seal;
use std::sync::atomic::{AtomicU64, Ordering};

impl<'a> View<'a> {
    /// The value at an offset, if it is this item's and as it was stored.
    pub(super) fn value(&self, item: u32, at: u64) -> Option<&'a [u8]> {
        let (segment, owner) = (self.segment, self.owner_of(item));
        let found = || {
            let head = segment.at::<Value>(at)?;
            let stored = head.bytes.load(Ordering::Relaxed);
            let bytes = (stored & !COUNTS) as usize;
            // The seal is over owner, bytes and their number. Only a great number is worth a look
            // at the block first: going through a wrong one would take long.
            if bytes > LARGE {
                let room = segment.heap().room_of(segment, owner, at)?;
                (bytes <= room.saturating_sub(VALUE)).then_some(())?;
            }
            let value = segment.slice(at + VALUE as u64, bytes)?;
            let sealed = match stored & COUNTS {
                0 => seal(owner, value),
                _ => seal_of_numbers(owner, bytes),
            };
            (head.seal.load(Ordering::Relaxed) == sealed).then_some(value)
        };
        let value = found();
        if value.is_none() {
            self.damaged();
        }
        value
    }

    /// Makes these bytes the value of an item.
    pub(super) fn store_bytes(&mut self, item: u32, bytes: &[u8]) -> bool {
        let sealed = seal(self.owner_of(item), bytes);
        self.store(item, bytes, (bytes.len() as u32, sealed))
    }

    /// Adds to one of the numbers of an item.
    pub(super) fn add(&mut self, item: u32, places: usize, place: usize, by: u64) {
        let owner = self.owner_of(item);
        let at = self.entry(item).and_then(|entry| entry.at.get(owner));
        let numbers = at
            .filter(|at| *at != 0)
            .and_then(|at| self.numbers(item, at, places));
        if let Some(numbers) = numbers {
            // The lock of the group is held.
            let number = numbers[place].load(Ordering::Relaxed);
            numbers[place].store(number.wrapping_add(by), Ordering::Relaxed);
            return;
        }
        let mut first = vec![0; places * size_of::<u64>()];
        first[place * 8..place * 8 + 8].copy_from_slice(&by.to_le_bytes());
        let length = first.len() as u32 | COUNTS;
        // Without room it is not counted.
        let _counted = self.store(item, &first, (length, seal_of_numbers(owner, first.len())));
    }

    /// The numbers at an offset, if they are this item's.
    fn numbers(&self, item: u32, at: u64, places: usize) -> Option<&'a [AtomicU64]> {
        let head = self.segment.at::<Value>(at)?;
        if head.bytes.load(Ordering::Relaxed) & COUNTS == 0 {
            return None;
        }
        let bytes = self.value(item, at)?;
        let first = bytes.as_ptr().cast::<AtomicU64>();
        let fits = bytes.len() == places * size_of::<AtomicU64>() && first.is_aligned();
        // SAFETY: as many bytes, aligned, in the segment; whoever stores there, each load is one
        // value.
        fits.then(|| unsafe { std::slice::from_raw_parts(first, places) })
    }

    /// Makes the bytes, with length and seal, the value of an item.
    fn store(&mut self, item: u32, bytes: &[u8], (length, seal): (u32, u32)) -> bool {
        let heap = self.segment.heap();
        let owner = self.owner_of(item);
        let Some(at) = heap.allocate_for(self.segment, owner, VALUE + bytes.len()) else {
            return false;
        };
        if let Some(head) = self.segment.at::<Value>(at) {
            head.bytes.store(length, Ordering::Relaxed);
            head.seal.store(seal, Ordering::Relaxed);
        }
        self.segment.write(at + VALUE as u64, bytes);
        let stored = if let Some(entry) = self.entry(item) {
            if let Some(old @ 1..) = entry.at.replace(owner, at) {
                self.free(owner, old);
            }
            true
        } else {
            (self.node != 0 || self.create()) && self.insert(item, at)
        };
        if !stored {
            self.free(owner, at);
        }
        stored
    }
}

fn seal(owner: u64, value: &[u8]) -> u32 {
    Seal::of(&[owner]).add(value).end()
}

/// Over owner and length alone.
fn seal_of_numbers(owner: u64, bytes: usize) -> u32 {
    Seal::of(&[owner, bytes as u64, COUNTS.into()]).end()
}
