//! How tables and records lie in the tree.
//!
//! What: a table has a number; the tree's keys are number (4 bytes, big-endian) and record key; a
//! value is the record and a CRC-32 over both (4 bytes, big-endian). Why the key too: a record in
//! the wrong place is damaged. Not here: transactions.

/// Version of this layout; a store of another version is not opened.
pub(super) const FORMAT: u32 = 2;
/// The layout is the same, but there is no log beside the tree.
pub(super) const BEFORE_LOG: u32 = 1;
/// The data file of an environment.
pub(super) const DATA: &str = "data.mdb";
/// The tree of all records.
pub(super) const RECORDS: &str = "records";
/// Bytes of a table number.
pub(super) const ID: usize = 4;
/// Bytes of a checksum.
pub(super) const CRC: usize = 4;

/// Key in the tree, in a buffer that can be used again.
pub(super) fn tree_key(id: u32, key: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&id.to_be_bytes());
    out.extend_from_slice(key);
}

/// Value in the tree.
pub(super) fn seal(tree_key: &[u8], record: &[u8], out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(record);
    out.extend_from_slice(&checksum(tree_key, record).to_be_bytes());
}

/// The record, if its checksum is right.
pub(super) fn unseal<'a>(tree_key: &[u8], value: &'a [u8]) -> Option<&'a [u8]> {
    let (record, crc) = value.split_at_checked(value.len().checked_sub(CRC)?)?;
    let stored = u32::from_be_bytes(crc.try_into().ok()?);
    (checksum(tree_key, record) == stored).then_some(record)
}

fn checksum(tree_key: &[u8], record: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(tree_key);
    crc.update(record);
    crc.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_bit_is_seen() {
        let (mut key, mut value) = (Vec::new(), Vec::new());
        tree_key(7, b"KEY", &mut key);
        seal(&key, b"RECORD", &mut value);
        assert_eq!(unseal(&key, &value), Some(b"RECORD".as_slice()));
        for bit in 0..value.len() * 8 {
            let mut bad = value.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unseal(&key, &bad), None, "bit {bit}");
        }
        assert_eq!(unseal(b"OTHER", &value), None);
        assert_eq!(unseal(&key, b"abc"), None);
    }
}
