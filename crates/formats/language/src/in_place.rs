//! Data read where it lies, beside something declared.
//!
//! What: a value in front of data or behind them, without a copy of the data. Why: a COMMAREA or a
//! container can be megabytes. Not here: what stands beside the data.

use crate::codec::{Reader, Writer};
use crate::{Value, whole};

/// Bytes that [`put_behind`] adds to the trailer itself.
pub const BEHIND_BYTES: usize = 1;

/// Appends a trailer of at most 255 bytes behind data. The vector is taken over, not copied.
pub fn put_behind<T: Value>(data: Vec<u8>, trailer: &T) -> Vec<u8> {
    let mut out = Writer(data);
    let from = out.0.len();
    trailer.put(&mut out);
    let length = out.0.len() - from;
    debug_assert!(length <= usize::from(u8::MAX), "a trailer is short");
    out.u8(length as u8);
    out.0
}

/// The data, and the trailer behind them.
pub fn cut_behind<T: Value>(bytes: &[u8]) -> Option<(&[u8], T)> {
    let (length, bytes) = bytes.split_last()?;
    let at = bytes.len().checked_sub(usize::from(*length))?;
    let (data, trailer) = bytes.split_at_checked(at)?;
    Some((data, whole(trailer)?))
}

/// Appends a head, and data behind it.
pub fn put_block<T: Value>(out: &mut Vec<u8>, head: &T, data: &[u8]) {
    let mut to = Writer(std::mem::take(out));
    head.put(&mut to);
    to.u64(data.len() as u64).raw(data);
    *out = to.0;
}

/// Takes a head and its data off the front.
pub fn take_block<'a, T: Value>(bytes: &mut &'a [u8]) -> Option<(T, &'a [u8])> {
    let mut from = Reader(bytes);
    let head = T::take(&mut from)?;
    let length = usize::try_from(from.u64()?).ok()?;
    let data = from.raw(length)?;
    *bytes = from.0;
    Some((head, data))
}

/// Takes a value off the front.
pub fn take_front<T: Value>(bytes: &mut &[u8]) -> Option<T> {
    let mut from = Reader(bytes);
    let value = T::take(&mut from)?;
    *bytes = from.0;
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_stay_in_their_vector() {
        let mut data = Vec::with_capacity(20);
        data.extend_from_slice(b"abc");
        let place = data.as_ptr();
        let bytes = put_behind(data, &0x0102_u16);
        assert_eq!(bytes, b"abc\x01\x02\x02");
        assert_eq!(bytes.as_ptr(), place);
        assert_eq!(cut_behind(&bytes), Some((&b"abc"[..], 0x0102_u16)));
        assert_eq!(cut_behind::<u32>(&bytes), None);
        assert_eq!(cut_behind::<u16>(&[9]), None);
    }

    #[test]
    fn blocks_follow_each_other() {
        let mut bytes = Vec::new();
        put_block(&mut bytes, &1_u8, b"first");
        put_block(&mut bytes, &2_u8, b"");
        let mut from = &bytes[..];
        assert_eq!(take_block(&mut from), Some((1_u8, &b"first"[..])));
        assert_eq!(take_block(&mut from), Some((2_u8, &b""[..])));
        assert_eq!(take_block::<u8>(&mut from), None);
        for cut in 0..bytes.len() {
            let mut from = &bytes[..cut];
            let blocks = std::iter::from_fn(|| take_block::<u8>(&mut from));
            assert!(blocks.count() < 2, "cut at {cut}");
        }
    }
}
