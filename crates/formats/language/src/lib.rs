//! Types that are declared once: their bytes follow from their declaration.
//!
//! What: [`language!`] declares structures and enumerations with everything both ends need:
//! `encode`, `decode`, and a test that each comes back from its bytes and that no cut of them is
//! taken for a value. [`Value`] is what a field can be; [`in_place`] reads data where it lies. Why:
//! two hand-written halves drift apart. Bounds: a list or text is as long as its bytes are, so a
//! reader never takes more memory than the sender used. Not here: what processes and regions say to
//! each other (`region/wire`, one module for each domain).
//!
//! Layout: numbers are big-endian; names and arrays of bytes have their fixed length; texts, byte
//! strings and lists begin with four bytes of length or count; an optional value is a flag and its
//! value with four bytes of length in front; an enumeration is its code, one byte, and its fields.
//! What was little-endian before it was declared is declared with the values of [`little`].

#![forbid(unsafe_code)]

pub mod codec;
pub mod in_place;
pub mod little;
mod nouns;
mod values;

pub use nouns::read_batch;

use codec::{Reader, Writer};

/// Something with a place in a message.
pub trait Value: Sized {
    /// Appends its bytes.
    fn put(&self, out: &mut Writer);

    /// Takes it off the front; `None`: these bytes are none.
    fn take(from: &mut Reader<'_>) -> Option<Self>;

    /// Some of each kind, for tests.
    fn examples() -> Vec<Self>;

    /// Appends a list.
    fn put_list(list: &[Self], out: &mut Writer) {
        out.u32(u32::try_from(list.len()).unwrap_or(u32::MAX));
        list.iter().for_each(|value| value.put(out));
    }

    /// Takes a list off the front.
    fn take_list(from: &mut Reader<'_>) -> Option<Vec<Self>> {
        let count = from.u32()?;
        (0..count).map(|_| Self::take(from)).collect()
    }

    /// Appends a value that may be missing.
    fn put_option(value: Option<&Self>, out: &mut Writer) {
        out.flag(value.is_some());
        let at = out.0.len();
        out.u32(0);
        if let Some(value) = value {
            value.put(out);
            let length = u32::try_from(out.0.len() - at - 4).unwrap_or(u32::MAX);
            out.0[at..at + 4].copy_from_slice(&length.to_be_bytes());
        }
    }

    /// Takes a value that may be missing off the front. The outer `None`: these bytes are none.
    fn take_option(from: &mut Reader<'_>) -> Option<Option<Self>> {
        let given = from.flag()?;
        let bytes = from.bytes()?;
        if !given {
            return Some(None);
        }
        whole(bytes).map(Some)
    }
}

/// All of these bytes as one value; `None`: they are none, or more than one.
pub fn whole<T: Value>(bytes: &[u8]) -> Option<T> {
    let mut from = Reader(bytes);
    let value = T::take(&mut from)?;
    from.0.is_empty().then_some(value)
}

/// The value that these bytes begin with.
pub fn first<T: Value>(bytes: &[u8]) -> Option<T> {
    T::take(&mut Reader(bytes))
}

/// Values up to the end of the bytes.
pub fn all<T: Value>(bytes: &[u8]) -> Option<Vec<T>> {
    let mut from = Reader(bytes);
    let mut values = Vec::new();
    while !from.0.is_empty() {
        values.push(T::take(&mut from)?);
    }
    Some(values)
}

/// The bytes of one value.
pub fn bytes_of<T: Value>(value: &T) -> Vec<u8> {
    let mut out = Writer::with_capacity(128);
    value.put(&mut out);
    out.0
}

/// Appends a value to bytes.
pub fn append<T: Value>(out: &mut Vec<u8>, value: &T) {
    let mut to = Writer(std::mem::take(out));
    value.put(&mut to);
    *out = to.0;
}

/// Declares types of the language and, once for each use, the test of all of them.
///
/// Fields of variants are named in the declaration, in round brackets too: the names say what they
/// are. `format N` puts a byte N in front of a structure that is also kept in the store. A type
/// with a lifetime borrows what it writes and owns what it has read.
#[macro_export]
macro_rules! language {
    (@items [$($name:ident)*]) => {
        #[cfg(test)]
        mod language_tests {
            #[test]
            fn every_value_comes_back_and_no_cut_is_taken_for_one() {
                $( $crate::comes_back::<super::$name>(); )*
            }
        }
    };
    (@items [$($names:ident)*]
        $(#[$meta:meta])*
        $vis:vis struct $name:ident $(<$life:lifetime>)? $(format $format:literal)? {
            $( $(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty, )*
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        $vis struct $name $(<$life>)? { $( $(#[$field_meta])* $field_vis $field: $type, )* }

        impl $(<$life>)? $name $(<$life>)? {
            /// Its bytes.
            $vis fn encode(&self) -> Vec<u8> {
                $crate::bytes_of(self)
            }

            /// Reads them; `None`: they are not one.
            $vis fn decode(bytes: &[u8]) -> Option<Self> {
                $crate::whole(bytes)
            }
        }

        impl $(<$life>)? $crate::Value for $name $(<$life>)? {
            fn put(&self, out: &mut $crate::codec::Writer) {
                $( out.u8($format); )?
                $( self.$field.put(out); )*
            }
            fn take(from: &mut $crate::codec::Reader<'_>) -> Option<Self> {
                $( if from.u8()? != $format { return None; } )?
                Some(Self { $( $field: $crate::Value::take(from)?, )* })
            }
            fn examples() -> Vec<Self> {
                let mut fields = ($( <$type as $crate::Value>::examples(), )*);
                let _ = &mut fields;
                let ($( $field, )*) = fields;
                let most = [1 $(, $field.len())*].into_iter().max().unwrap_or(1);
                (0..most)
                    .map(|n| Self {
                        $( $field: $crate::example::<$type>(n), )*
                    })
                    .collect()
            }
        }
        $crate::language! { @items [$($names)* $name] $($rest)* }
    };
    (@items [$($names:ident)*]
        $(#[$meta:meta])*
        $vis:vis enum $name:ident $(<$life:lifetime>)? {
            $(
                $(#[$variant_meta:meta])*
                $code:literal = $variant:ident
                $( ( $( $part:ident: $part_type:ty ),+ $(,)? ) )?
                $( { $( $(#[$field_meta:meta])* $field:ident: $type:ty ),+ $(,)? } )?
            ),+ $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        $vis enum $name $(<$life>)? {
            $(
                $(#[$variant_meta])*
                $variant $( ( $( $part_type ),+ ) )? $( { $( $(#[$field_meta])* $field: $type ),+ } )?
            ),+
        }

        impl $(<$life>)? $name $(<$life>)? {
            /// Its bytes.
            $vis fn encode(&self) -> Vec<u8> {
                $crate::bytes_of(self)
            }

            /// Reads them; `None`: they are not one.
            $vis fn decode(bytes: &[u8]) -> Option<Self> {
                $crate::whole(bytes)
            }
        }

        impl $(<$life>)? $crate::Value for $name $(<$life>)? {
            fn put(&self, out: &mut $crate::codec::Writer) {
                match self {
                    $(
                        Self::$variant $( ( $( $part ),+ ) )? $( { $( $field ),+ } )? => {
                            out.u8($code);
                            $( $( $part.put(out); )+ )?
                            $( $( $field.put(out); )+ )?
                        }
                    )+
                }
            }
            fn take(from: &mut $crate::codec::Reader<'_>) -> Option<Self> {
                Some(match from.u8()? {
                    $(
                        $code => Self::$variant
                            $( ( $( <$part_type as $crate::Value>::take(from)? ),+ ) )?
                            $( { $( $field: $crate::Value::take(from)? ),+ } )?,
                    )+
                    _ => return None,
                })
            }
            fn examples() -> Vec<Self> {
                (0..$crate::EXAMPLES)
                    .flat_map(|n| {
                        let _ = n;
                        [ $(
                            Self::$variant
                                $( ( $( $crate::example::<$part_type>(n) ),+ ) )?
                                $( { $( $field: $crate::example::<$type>(n) ),+ } )?
                        ),+ ]
                    })
                    .collect()
            }
        }
        $crate::language! { @items [$($names)* $name] $($rest)* }
    };
    ($($items:tt)+) => { $crate::language! { @items [] $($items)+ } };
}

/// Examples of each variant of an enumeration.
pub const EXAMPLES: usize = 3;

/// The n-th example of a type, from the start again behind the last.
///
/// # Panics
/// When a type has no example, which its tests show.
pub fn example<T: Value>(n: usize) -> T {
    let mut examples = T::examples();
    let at = n % examples.len();
    examples.swap_remove(at)
}

/// Checks that each example comes back from its bytes and that no cut of them is taken for a value.
///
/// # Panics
/// When that is not so. For the tests that [`language!`] makes.
pub fn comes_back<T: Value>() {
    for value in T::examples() {
        let bytes = bytes_of(&value);
        let back: Option<T> = whole(&bytes);
        assert!(back.is_some_and(|back| bytes_of(&back) == bytes));
        for cut in 0..bytes.len() {
            assert!(whole::<T>(&bytes[..cut]).is_none(), "cut at {cut}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert!(whole::<T>(&longer).is_none(), "a byte too many");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_types::TermId;

    #[test]
    fn bytes_lie_as_the_module_says() {
        assert_eq!(bytes_of(&0x0102_u16), [1, 2]);
        assert_eq!(bytes_of(&b"AB".to_vec()), [0, 0, 0, 2, b'A', b'B']);
        assert_eq!(bytes_of(&Some(7_u8)), [1, 0, 0, 0, 1, 7]);
        assert_eq!(bytes_of(&None::<u8>), [0, 0, 0, 0, 0]);
        assert_eq!(bytes_of(&Some(vec![9_u8])), [1, 0, 0, 0, 1, 9]);
        let terminal = TermId::from_field(b"T1");
        assert_eq!(bytes_of(&terminal), *b"T1  ");
    }

    #[test]
    fn a_count_beyond_the_bytes_takes_no_memory() {
        assert_eq!(whole::<Vec<u64>>(&[0xFF; 12]), None);
        assert_eq!(whole::<Vec<Vec<u8>>>(&[0xFF; 8]), None);
    }
}
