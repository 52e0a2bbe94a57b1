//! Little-endian values, for protocols and records that were so before the language was.
//!
//! What: numbers, byte strings, texts and lists with little-endian numbers and lengths. Who writes
//! lends his data to [`Bytes`] and [`Text`], so that they are copied once; who reads owns them.
//! Why: bytes that others wrote stay readable, and are declared like all others. Not here:
//! big-endian values, which need no mark (`values`).

use crate::Value;
use crate::codec::{Reader, Writer};
use std::borrow::Cow;

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Number<T>(pub T);

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Value for Number<$type> {
            fn put(&self, out: &mut Writer) {
                out.raw(&self.0.to_le_bytes());
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                let bytes = from.raw(size_of::<$type>())?.try_into().ok()?;
                Some(Self(<$type>::from_le_bytes(bytes)))
            }
            fn examples() -> Vec<Self> {
                vec![Self(0x0102), Self(<$type>::MAX)]
            }
        }
    )*};
}

numbers! { u16 u32 u64 }

/// Four bytes of length, then the bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bytes<'a>(pub Cow<'a, [u8]>);

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }
}

impl Value for Bytes<'_> {
    fn put(&self, out: &mut Writer) {
        length(self.0.len()).put(out);
        out.raw(&self.0);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self(Cow::Owned(run(from)?.to_vec())))
    }
    fn examples() -> Vec<Self> {
        vec![(&[][..]).into(), (&b"bytes"[..]).into()]
    }
}

/// A text as [`Bytes`]. Bytes that are no UTF-8 are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text<'a>(pub Cow<'a, str>);

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        Self(Cow::Borrowed(text))
    }
}

impl Value for Text<'_> {
    fn put(&self, out: &mut Writer) {
        length(self.0.len()).put(out);
        out.raw(self.0.as_bytes());
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let text = std::str::from_utf8(run(from)?).ok()?;
        Some(Self(Cow::Owned(text.to_owned())))
    }
    fn examples() -> Vec<Self> {
        vec!["".into(), "größer".into()]
    }
}

/// Four bytes of count, then the values. A count beyond `MAX` is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct List<T, const MAX: u32 = { u32::MAX }>(pub Vec<T>);

impl<T: Value, const MAX: u32> Value for List<T, MAX> {
    fn put(&self, out: &mut Writer) {
        length(self.0.len()).put(out);
        self.0.iter().for_each(|value| value.put(out));
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let Number(count) = Number::<u32>::take(from)?;
        if count > MAX {
            return None;
        }
        let values = (0..count).map(|_| T::take(from));
        values.collect::<Option<_>>().map(Self)
    }
    fn examples() -> Vec<Self> {
        vec![Self(Vec::new()), Self(T::examples())]
    }
}

fn length(bytes: usize) -> Number<u32> {
    Number(u32::try_from(bytes).unwrap_or(u32::MAX))
}

fn run<'a>(from: &mut Reader<'a>) -> Option<&'a [u8]> {
    let Number(length) = Number::<u32>::take(from)?;
    from.raw(usize::try_from(length).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bytes_of, comes_back, whole};

    #[test]
    fn the_least_significant_byte_comes_first() {
        assert_eq!(bytes_of(&Number(0x0102_u16)), [2, 1]);
        assert_eq!(bytes_of(&Text::from("AB")), [2, 0, 0, 0, b'A', b'B']);
        let list = List::<_, 2>(vec![Number(1_u16), Number(2)]);
        assert_eq!(bytes_of(&list), [2, 0, 0, 0, 1, 0, 2, 0]);
        comes_back::<Bytes<'_>>();
        comes_back::<Text<'_>>();
        comes_back::<List<Number<u64>>>();
    }

    #[test]
    fn too_many_and_no_text_are_refused() {
        let three = [3, 0, 0, 0, 1, 2, 3];
        assert_eq!(whole::<List<u8, 2>>(&three), None);
        assert_eq!(whole::<List<u8, 3>>(&three), Some(List(vec![1, 2, 3])));
        assert_eq!(whole::<List<Number<u64>>>(&[0xFF; 12]), None);
        assert_eq!(whole::<Text<'_>>(&[1, 0, 0, 0, 0xFF]), None);
        assert_eq!(whole::<Bytes<'_>>(&[0xFF; 8]), None);
    }
}
