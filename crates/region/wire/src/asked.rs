//! How often tasks asked for what workers carry out by themselves, for statistics.
//!
//! What: a group of counts for each domain whose data lie in shared memory, so that a program that
//! collects statistics sees what it did itself a moment ago. Why not in the resources: a queue or a
//! resource goes, and what was asked of it stays counted. Not here: records of statistics.

use crate::shared::{Group, Shared, Space};

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// WRITEQ TS into main storage, and into auxiliary storage.
    TsPutMain,
    TsPutAux,
    /// READQ TS from them.
    TsGetMain,
    TsGetAux,
    /// Temporary storage queues made.
    TsMade,
    /// ENQ of a text, by what became of it.
    EnqText(Enq),
    /// ENQ of an address.
    EnqAddress(Enq),
}

/// What is counted of ENQ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enq {
    /// It was asked for.
    Issued,
    /// It waited, and waits no more.
    Waited,
    /// ENQBUSY at once.
    Busy,
    /// The task was purged while it waited.
    Purged,
    /// DTIMOUT passed while it waited.
    TimedOut,
}

/// Numbers of a group.
const PLACES: usize = 16;
/// Those of ENQ of an address lie behind those of a text.
const ADDRESS: usize = 8;
/// Makes the group one that counts.
const MADE: u32 = 0;
const COUNTS: u32 = 1;

impl Asked {
    fn place(self) -> (&'static [u8], usize) {
        match self {
            Self::TsPutMain => (b"TS", 0),
            Self::TsPutAux => (b"TS", 1),
            Self::TsGetMain => (b"TS", 2),
            Self::TsGetAux => (b"TS", 3),
            Self::TsMade => (b"TS", 4),
            Self::EnqText(what) => (b"NQ", what as usize),
            Self::EnqAddress(what) => (b"NQ", ADDRESS + what as usize),
        }
    }

    /// Once more. Full shared memory loses the count and nothing else.
    pub fn count(self, shared: &dyn Shared) {
        let (group, place) = self.place();
        shared.with_group(Space::Asked, group, &mut |group| add(group, place));
    }

    /// How often since the region started.
    pub fn so_far(self, shared: &dyn Shared) -> u64 {
        let (group, place) = self.place();
        let mut count = 0;
        shared.with_group(Space::Asked, group, &mut |group| {
            let numbers = group
                .get(COUNTS)
                .map_or(&[][..], |all| all.as_chunks::<8>().0);
            count = numbers
                .get(place)
                .map_or(0, |number| u64::from_le_bytes(*number));
        });
        count
    }
}

fn add(group: &mut dyn Group, place: usize) {
    if group.get(MADE).is_none() && !group.put(MADE, &[1]) {
        return;
    }
    group.count(COUNTS, PLACES, place, 1);
}
