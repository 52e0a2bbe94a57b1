//! The order of keys: characters as on z/OS, numbers as their bytes.
//!
//! What: how the bytes of a key lie in the store, byte for byte, both ways; which order a new data
//! set gets. Why: stores order bytes, and characters here are ISO 8859-1. A key is changed on its
//! way to the store and back, so generic keys stay beginnings of keys, X'00' and X'FF' stay the
//! ends, and every store has the same order. Not here: what the order of a store is remembered by
//! (`order`).

use crate::DatasetName;
use serde::{Deserialize, Serialize};
use std::fmt;
use transom_copybook::codepage::collating::EBCDIC037;

/// Longest key of VSAM: room for one that is changed.
pub(crate) const ROOM: usize = 255;

/// Bytes for a changed key.
pub(crate) type Room = [u8; ROOM];

/// How the key of a data set is ordered.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum KeyOrder {
    /// By its bytes: numbers, and characters by ISO 8859-1.
    #[default]
    Bytes,
    /// By the characters of code page 037.
    #[serde(rename = "EBCDIC037")]
    Characters,
    /// By characters of code page 037 in these parts (first byte, byte behind the last) and by
    /// bytes elsewhere.
    #[serde(rename = "EBCDIC037 in part")]
    Parts(Vec<(usize, usize)>),
    /// The same, with numbers among them whose bytes lie the other way round than on z/OS.
    #[serde(rename = "EBCDIC037 by fields")]
    Fields(Vec<KeyPart>),
}

/// A part of a key, or of a record, that is not in order by its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyPart {
    /// First byte.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
    /// What lies there.
    pub holds: PartHolds,
}

/// Why keys have no order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoKeyOrder {
    /// They hold this item.
    Item(String),
    /// They hold some of the bytes of a number that is turned round.
    Part,
}

impl fmt::Display for NoKeyOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(item) => write!(f, "its key holds {item}"),
            Self::Part => f.write_str("its key holds a part of a COMP-5 or floating-point item"),
        }
    }
}

/// What a part of a key holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartHolds {
    /// Characters.
    Characters,
    /// COMP-5 or floating point: lowest byte first, which is the last one on z/OS. IEEE and
    /// hexadecimal numbers have the same order by their bytes, highest first.
    Reversed,
    /// Something without an order that programs on z/OS would find again: the item and its USAGE.
    NoOrder(String),
}

/// Order of characters in a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Collating {
    /// ISO 8859-1, so ASCII: as stores were before they had an order.
    #[default]
    Ascii,
    /// Code page 037.
    Ebcdic037,
}

/// What the order of a data set's keys follows from, for new data sets.
#[derive(Debug, Clone, Default)]
pub struct KeyRules {
    /// Of the store.
    pub collating: Collating,
    /// Data sets that have another one.
    pub exceptions: Vec<KeyException>,
}

/// What is known of the keys of a data set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyException {
    /// Name, or beginning of names with `*` behind it.
    pub name: String,
    /// What its key holds.
    pub holds: KeyHolds,
}

/// What a key holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyHolds {
    /// Characters only.
    Characters,
    /// Numbers only.
    Numbers,
    /// What the record has where it is not in order by its bytes. Alternate indexes of the data set
    /// follow it too.
    Record(Vec<KeyPart>),
}

impl KeyOrder {
    pub(crate) fn is_bytes(&self) -> bool {
        *self == Self::Bytes
    }

    /// The key as it lies in the store.
    pub(crate) fn stored<'a>(&self, key: &'a [u8], room: &'a mut Room) -> &'a [u8] {
        self.changed(&EBCDIC037.weight, key, room)
    }

    /// A key of the store as programs have it.
    pub(crate) fn shown<'a>(&self, key: &'a [u8], room: &'a mut Room) -> &'a [u8] {
        self.changed(&EBCDIC037.ascending, key, room)
    }

    /// The same for a key that has its own memory.
    pub(crate) fn store(&self, mut key: Vec<u8>) -> Vec<u8> {
        self.change(&EBCDIC037.weight, &mut key);
        key
    }

    /// The same, back.
    pub(crate) fn show(&self, mut key: Vec<u8>) -> Vec<u8> {
        self.change(&EBCDIC037.ascending, &mut key);
        key
    }

    fn changed<'a>(&self, table: &[u8; 256], key: &'a [u8], room: &'a mut Room) -> &'a [u8] {
        let Some(to) = room.get_mut(..key.len()).filter(|_| !self.is_bytes()) else {
            return key;
        };
        to.copy_from_slice(key);
        self.change(table, to);
        to
    }

    fn change(&self, table: &[u8; 256], key: &mut [u8]) {
        let change = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = table[usize::from(*byte)];
            }
        };
        match self {
            Self::Bytes => {}
            Self::Characters => change(key),
            Self::Parts(parts) => {
                for (start, end) in parts {
                    let end = (*end).min(key.len());
                    key.get_mut(*start..end).into_iter().for_each(change);
                }
            }
            Self::Fields(parts) => {
                for part in parts {
                    let end = part.end.min(key.len());
                    let Some(bytes) = key.get_mut(part.start..end) else {
                        continue;
                    };
                    match part.holds {
                        PartHolds::Characters => change(bytes),
                        PartHolds::Reversed => bytes.reverse(),
                        PartHolds::NoOrder(_) => {}
                    }
                }
            }
        }
    }

    /// Whether the first bytes of a key are not its beginning in the store: they end inside a
    /// number that is turned round.
    pub(crate) fn cuts(&self, length: usize) -> bool {
        let Self::Fields(parts) = self else {
            return false;
        };
        let cut = |part: &KeyPart| part.start < length && length < part.end;
        parts
            .iter()
            .any(|part| part.holds == PartHolds::Reversed && cut(part))
    }
}

impl Collating {
    /// Its name in transom.toml and in the store.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ascii => "ASCII",
            Self::Ebcdic037 => "EBCDIC037",
        }
    }

    /// By its name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Ascii, Self::Ebcdic037]
            .into_iter()
            .find(|c| c.name() == name)
    }
}

impl KeyRules {
    /// The order of the keys of a KSDS, or of an alternate index over `base`.
    ///
    /// # Errors
    /// Why such keys have no order.
    pub fn order(
        &self,
        name: &DatasetName,
        base: Option<&DatasetName>,
        offset: usize,
        length: usize,
    ) -> Result<KeyOrder, NoKeyOrder> {
        if self.collating == Collating::Ascii {
            return Ok(KeyOrder::Bytes);
        }
        let of_base = |e: &&KeyException| matches!(e.holds, KeyHolds::Record(_));
        let own = self.find(name);
        let found = own.or_else(|| base.and_then(|base| self.find(base)).filter(of_base));
        match found.map(|exception| &exception.holds) {
            None | Some(KeyHolds::Characters) => Ok(KeyOrder::Characters),
            Some(KeyHolds::Numbers) => Ok(KeyOrder::Bytes),
            Some(KeyHolds::Record(record)) => within(record, offset, length),
        }
    }

    /// The exception whose name says most.
    fn find(&self, name: &DatasetName) -> Option<&KeyException> {
        let fits = |e: &&KeyException| match e.name.strip_suffix('*') {
            Some(beginning) => name.as_str().starts_with(beginning),
            None => name.as_str() == e.name,
        };
        self.exceptions
            .iter()
            .filter(fits)
            .max_by_key(|e| e.name.len())
    }
}

/// The parts of a record that lie in a key.
fn within(record: &[KeyPart], offset: usize, length: usize) -> Result<KeyOrder, NoKeyOrder> {
    let mut parts: Vec<KeyPart> = Vec::new();
    for part in record {
        let (start, end) = (part.start.max(offset), part.end.min(offset + length));
        if start >= end {
            continue;
        }
        let whole = (start, end) == (part.start, part.end);
        match &part.holds {
            PartHolds::NoOrder(item) => return Err(NoKeyOrder::Item(item.clone())),
            PartHolds::Reversed if !whole => {
                return Err(NoKeyOrder::Part);
            }
            _ => {}
        }
        let (start, end) = (start - offset, end - offset);
        let characters = part.holds == PartHolds::Characters;
        match parts.last_mut().filter(|last| last.end == start) {
            Some(last) if characters && last.holds == PartHolds::Characters => last.end = end,
            _ => parts.push(KeyPart {
                start,
                end,
                holds: part.holds.clone(),
            }),
        }
    }
    let characters = |part: &KeyPart| part.holds == PartHolds::Characters;
    if !parts.iter().all(characters) {
        return Ok(KeyOrder::Fields(parts));
    }
    let parts: Vec<(usize, usize)> = parts.iter().map(|part| (part.start, part.end)).collect();
    Ok(match parts.as_slice() {
        [] => KeyOrder::Bytes,
        [(0, end)] if *end == length => KeyOrder::Characters,
        _ => KeyOrder::Parts(parts),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> DatasetName {
        DatasetName::new(text).unwrap()
    }

    fn part(start: usize, end: usize, holds: PartHolds) -> KeyPart {
        KeyPart { start, end, holds }
    }

    fn characters(start: usize, end: usize) -> KeyPart {
        part(start, end, PartHolds::Characters)
    }

    fn reversed(start: usize, end: usize) -> KeyPart {
        part(start, end, PartHolds::Reversed)
    }

    #[test]
    fn keys_come_back_and_their_ends_stay() {
        let mut room = [0; ROOM];
        for order in [
            KeyOrder::Bytes,
            KeyOrder::Characters,
            KeyOrder::Parts(vec![(0, 2), (3, 99)]),
            KeyOrder::Fields(vec![characters(0, 2), reversed(3, 7), characters(7, 99)]),
        ] {
            let key: Vec<u8> = (0..=254).collect();
            let stored = order.stored(&key, &mut room).to_vec();
            assert_eq!(order.shown(&stored, &mut [0; ROOM]), key);
            for end in [[0u8; 4], [0xFF; 4]] {
                assert_eq!(order.stored(&end, &mut room), end);
            }
        }
    }

    #[test]
    fn a_data_set_has_the_order_its_keys_need() {
        let exception = |name: &str, holds| KeyException {
            name: name.to_owned(),
            holds,
        };
        let rules = KeyRules {
            collating: Collating::Ebcdic037,
            exceptions: vec![
                exception("BANK.*", KeyHolds::Numbers),
                exception("BANK.NAMES", KeyHolds::Characters),
                exception(
                    "ORDERS",
                    KeyHolds::Record(vec![characters(0, 4), characters(4, 8), characters(12, 20)]),
                ),
            ],
        };
        let order = |text, base: Option<&str>, offset, length| {
            let order = rules.order(&name(text), base.map(name).as_ref(), offset, length);
            order.unwrap()
        };
        assert_eq!(order("PLAIN", None, 0, 8), KeyOrder::Characters);
        assert_eq!(order("BANK.ACCOUNTS", None, 0, 8), KeyOrder::Bytes);
        assert_eq!(order("BANK.NAMES", None, 0, 8), KeyOrder::Characters);
        assert_eq!(order("ORDERS", None, 0, 8), KeyOrder::Characters);
        assert_eq!(
            order("ORDERS", None, 6, 8),
            KeyOrder::Parts(vec![(0, 2), (6, 8)])
        );
        // An index over it lies in the same record; one over numbers does not follow them.
        assert_eq!(order("ORDERS.AIX", Some("ORDERS"), 8, 4), KeyOrder::Bytes);
        assert_eq!(
            order("OTHER.AIX", Some("BANK.ACCOUNTS"), 8, 4),
            KeyOrder::Characters
        );
        let ascii = KeyRules::default();
        assert_eq!(ascii.order(&name("PLAIN"), None, 0, 8), Ok(KeyOrder::Bytes));
    }

    #[test]
    fn numbers_of_this_machine_are_in_the_order_of_zos() {
        let record = [
            characters(0, 2),
            reversed(2, 6),
            part(8, 12, PartHolds::NoOrder("the INDEX item IX".to_owned())),
        ];
        let order = within(&record, 0, 8).unwrap();
        let key =
            |name: &str, number: i32| [name.as_bytes(), &number.to_le_bytes(), b"PP"].concat();
        let mut keys = [
            key("AB", 256),
            key("AB", -1),
            key("AB", 255),
            key("AB", 1),
            key("0A", 0),
        ];
        keys.sort_by_key(|key| order.store(key.clone()));
        // Negative numbers have the highest bytes, there and here.
        assert_eq!(
            keys,
            [
                key("AB", 1),
                key("AB", 255),
                key("AB", 256),
                key("AB", -1),
                key("0A", 0)
            ]
        );
        let floats = within(&[reversed(0, 8)], 0, 8).unwrap();
        let mut values = [2.5f64, 1e-9, 1e9, 0.0, 2.0];
        values.sort_by_key(|value| floats.store(value.to_le_bytes().to_vec()));
        assert_eq!(values, [0.0, 1e-9, 2.0, 2.5, 1e9]);
        assert!(order.cuts(3) && order.cuts(5) && !order.cuts(2) && !order.cuts(6));
    }

    #[test]
    fn keys_without_an_order_are_refused() {
        let record = [
            reversed(2, 6),
            part(8, 12, PartHolds::NoOrder("the INDEX item IX".to_owned())),
        ];
        let why = |offset, length| within(&record, offset, length).unwrap_err().to_string();
        assert_eq!(
            why(4, 10),
            "its key holds a part of a COMP-5 or floating-point item"
        );
        assert_eq!(why(6, 4), "its key holds the INDEX item IX");
        assert_eq!(within(&record, 6, 2), Ok(KeyOrder::Bytes));
    }
}
