//! Values that know their bytes.
//!
//! Why: a record is then a list of fields, written and read in one order. Not here: what the fields
//! mean.

use crate::codec::{Reader, Writer};
use transom_types::{ProgramName, SysId, TermId, TransClass, TransId, UserId};

/// A value of a record in shared memory.
pub(crate) trait Coded: Sized {
    /// Appends it.
    fn put(&self, out: &mut Writer);
    /// Takes it off the front; `None` when it is not there.
    fn take(from: &mut Reader<'_>) -> Option<Self>;
}

macro_rules! plain {
    ($($type:ty: $method:ident),*) => {$(
        impl Coded for $type {
            fn put(&self, out: &mut Writer) {
                out.$method(*self);
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.$method()
            }
        }
    )*};
}

plain!(bool: flag, u8: u8, u16: u16, u32: u32, u64: u64);

macro_rules! names {
    ($($type:ident),*) => {$(
        impl Coded for $type {
            fn put(&self, out: &mut Writer) {
                out.raw(self.as_bytes());
            }

            fn take(from: &mut Reader<'_>) -> Option<Self> {
                Some(Self::from_field(from.raw(Self::LEN)?))
            }
        }
    )*};
}

names!(ProgramName, SysId, TermId, TransClass, TransId, UserId);

impl<const N: usize> Coded for [u8; N] {
    fn put(&self, out: &mut Writer) {
        out.raw(self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.raw(N)?.try_into().ok()
    }
}

impl Coded for String {
    fn put(&self, out: &mut Writer) {
        out.bytes(self.as_bytes());
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.text()
    }
}

impl Coded for Vec<u8> {
    fn put(&self, out: &mut Writer) {
        out.bytes(self);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(from.bytes()?.to_vec())
    }
}

impl<T: Coded> Coded for Option<T> {
    fn put(&self, out: &mut Writer) {
        out.flag(self.is_some());
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        match from.flag()? {
            true => Some(Some(T::take(from)?)),
            false => Some(None),
        }
    }
}
