//! Temporary storage: what workers ask the region, and queues in shared memory.
//!
//! What: item 0 of a queue's group is its [`Header`]; item n stands at 2n, its token at 2n + 1 when
//! the region keeps it on disk, so that a group stays in the order of its items. Not here: the
//! commands, the store, who decides what goes to disk.

use crate::language;
use crate::shared::{Group, Shared, Space};
use transom_types::{TransId, TsQueueName};

/// Items of one queue.
pub const ITEMS_MAX: u32 = 32_767;
/// Bytes of one item.
pub const ITEM_BYTES_MAX: usize = 32_763;
const HEADER: u32 = 0;
pub const HOUR_MS: i64 = 3_600_000;

language! {
    /// What a worker asks about a queue in the store, or about items on disk.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// WRITEQ. Answers the number of items.
        1 = Write {
            name: TsQueueName,
            /// DTIMOUT in milliseconds; 0: none.
            dtimout_ms: u64,
            /// Who makes the queue, if it is made now.
            transid: TransId,
            /// REWRITE of this item.
            rewrite: Option<u32>,
            data: Vec<u8>,
        },
        /// READQ; `None`: the next item. Answers [`Read`].
        2 = Read(name: TsQueueName, item: Option<u32>),
        /// DELETEQ.
        3 = Delete { name: TsQueueName, dtimout_ms: u64 },
        /// INQUIRE TSQUEUE. Answers the [`Header`].
        4 = Inquire(name: TsQueueName),
        /// Names of all queues in the store, as a list.
        5 = List,
        /// SET TSQUEUE DELETE: at once, in a unit of work of its own; INVREQ 1 for a queue in use.
        6 = DeleteNow(name: TsQueueName),
        /// An item of a queue for auxiliary storage on disk. Answers its number.
        7 = Spill(name: TsQueueName, data: Vec<u8>),
        /// An item of a queue on disk by its number; answers its bytes as they are, NOTFND: the
        /// queue has none of that number.
        8 = Fetch(name: TsQueueName, number: u64),
        /// Items of a queue on disk that are gone.
        9 = Free(name: TsQueueName, numbers: Vec<u64>),
    }

    /// An item that was read.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Read {
        /// Items of the queue.
        pub count: u32,
        pub data: Vec<u8>,
    }

    /// What a queue knows about itself.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct Header {
        /// Items.
        pub count: u32,
        /// Item the last READQ of any task read.
        pub cursor: u32,
        /// In main storage, by MAIN of the first write or by its model.
        pub main: bool,
        /// Last use as ABSTIME.
        pub used: i64,
        /// Length of the shortest item written.
        pub shortest: u32,
        /// Length of the longest item written.
        pub longest: u32,
        /// Bytes written and not replaced.
        pub bytes: u64,
        /// Transaction that made the queue.
        pub transid: [u8; 4],
    }

    /// An item on disk.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Token {
        /// The region's number of it; never given twice.
        pub number: u64,
        /// Length of the item.
        pub bytes: u32,
    }
}

impl Header {
    pub fn read(group: &dyn Group) -> Option<Self> {
        Self::decode(group.get(HEADER)?)
    }

    #[must_use]
    pub fn write(&self, group: &mut dyn Group) -> bool {
        group.put(HEADER, &self.encode())
    }

    /// An item was added, or took the place of one of `before` bytes.
    pub fn item_written(&mut self, length: usize, before: usize) {
        let bytes = length as u32;
        self.shortest = match self.shortest {
            0 => bytes,
            shortest => shortest.min(bytes),
        };
        self.longest = self.longest.max(bytes);
        self.bytes = (self.bytes + length as u64).saturating_sub(before as u64);
    }
}

/// The header of a new queue.
pub fn new_header(transid: TransId, main: bool) -> Header {
    Header {
        transid: *transid.as_bytes(),
        main,
        ..Header::default()
    }
}

/// Percent of shared storage in use from which on auxiliary items go to disk.
pub const SPILL_FROM_PERCENT: u8 = 70;
/// Shorter items stay in memory: a token takes nearly as much.
pub const SPILL_BYTES_MIN: usize = 128;
/// Where an item lies.
pub enum Item<'a> {
    /// In memory.
    Here(&'a [u8]),
    /// On disk.
    Spilled(Token),
}

impl Item<'_> {
    /// Length of the item.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Here(data) => data.len(),
            Self::Spilled(token) => token.bytes as usize,
        }
    }

    /// Its token, when it is on disk.
    pub fn token(&self) -> Option<u64> {
        match self {
            Self::Here(_) => None,
            Self::Spilled(token) => Some(token.number),
        }
    }
}

/// What is to be written.
#[derive(Clone, Copy)]
pub enum New<'a> {
    /// Its bytes.
    Data(&'a [u8]),
    /// The token of bytes the region has.
    Token(Token),
}

impl New<'_> {
    /// Length of the item.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Data(data) => data.len(),
            Self::Token(token) => token.bytes as usize,
        }
    }
}

/// An item of a queue, from 1.
pub fn item(group: &dyn Group, n: u32) -> Option<Item<'_>> {
    if let Some(data) = group.get(data_slot(n)) {
        return Some(Item::Here(data));
    }
    Token::decode(group.get(token_slot(n))?).map(Item::Spilled)
}

/// Stores an item in place of another one or behind the last; `false`: shared storage is full,
/// nothing changed.
#[must_use]
pub fn put(group: &mut dyn Group, n: u32, new: New<'_>) -> bool {
    let (to, other) = match new {
        New::Data(_) => (data_slot(n), token_slot(n)),
        New::Token(_) => (token_slot(n), data_slot(n)),
    };
    let stored = match new {
        New::Data(data) => group.put(to, data),
        New::Token(token) => group.put(to, &token.encode()),
    };
    if stored {
        group.remove(other);
    }
    stored
}

/// Removes an item that was put just now.
pub fn remove(group: &mut dyn Group, n: u32) {
    group.remove(data_slot(n));
    group.remove(token_slot(n));
}

/// Deletes the queue; answers the tokens of its items, which the region has to free.
pub fn empty(group: &mut dyn Group) -> Vec<u64> {
    let tokens = group.items().into_iter().filter(|slot| slot % 2 == 1);
    let tokens = tokens.filter_map(|slot| item(group, slot / 2)?.token());
    let tokens = tokens.collect();
    group.remove_all();
    tokens
}

fn data_slot(n: u32) -> u32 {
    n.saturating_mul(2)
}

fn token_slot(n: u32) -> u32 {
    n.saturating_mul(2).saturating_add(1)
}

/// Items of auxiliary storage go to disk.
pub fn is_nearly_full(shared: &dyn Shared) -> bool {
    shared.percent_used() >= SPILL_FROM_PERCENT
}

/// Deletes a queue that satisfies a condition; answers whether there was one and it did, and its
/// tokens.
pub fn delete_if(
    shared: &dyn Shared,
    name: &[u8],
    condition: &dyn Fn(&Header) -> bool,
) -> (Option<bool>, Vec<u64>) {
    let (mut found, mut tokens) = (None, Vec::new());
    shared.with_group(Space::TsMain, name, &mut |group| {
        found = Header::read(group).map(|header| condition(&header));
        if found == Some(true) {
            tokens = empty(group);
        }
    });
    (found, tokens)
}
