//! What fields are made of: numbers, texts, lists, names.
//!
//! Not here: nouns with parts of their own (`nouns`).

use crate::Value;
use crate::codec::{Reader, Writer};
use transom_types::{
    Applid, ChannelName, ContainerName, FileName, JobName, JournalName, PlanName, ProfileName,
    ProgramName, ReqId, SuspendType, SuspendValue, SysId, TdQueueName, TermId, TransClass, TransId,
    TsQueueName, UserId,
};

macro_rules! numbers {
    ($($type:ty: $put:ident, $as:ty;)*) => {$(
        impl Value for $type {
            fn put(&self, out: &mut Writer) {
                out.$put(*self as $as);
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.$put().map(|number| number as $type)
            }
            fn examples() -> Vec<Self> {
                vec![0, 7, <$type>::MAX]
            }
        }
    )*};
}

numbers! {
    u16: u16, u16;
    u32: u32, u32;
    u64: u64, u64;
    i32: u32, u32;
    i64: u64, u64;
    usize: u64, u64;
}

impl Value for i128 {
    fn put(&self, out: &mut Writer) {
        out.raw(&self.to_be_bytes());
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self::from_be_bytes(from.raw(16)?.try_into().ok()?))
    }
    fn examples() -> Vec<Self> {
        vec![-1, Self::MAX]
    }
}

impl Value for u8 {
    fn put(&self, out: &mut Writer) {
        out.u8(*self);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.u8()
    }
    fn examples() -> Vec<Self> {
        vec![0, 0xFF]
    }
    fn put_list(list: &[Self], out: &mut Writer) {
        out.bytes(list);
    }
    fn take_list(from: &mut Reader<'_>) -> Option<Vec<Self>> {
        from.bytes().map(<[u8]>::to_vec)
    }
}

impl Value for bool {
    fn put(&self, out: &mut Writer) {
        out.flag(*self);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.flag()
    }
    fn examples() -> Vec<Self> {
        vec![false, true]
    }
}

impl Value for String {
    fn put(&self, out: &mut Writer) {
        out.bytes(self.as_bytes());
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.text()
    }
    fn examples() -> Vec<Self> {
        vec![String::new(), "some text".into()]
    }
}

impl<T: Value> Value for Vec<T> {
    fn put(&self, out: &mut Writer) {
        T::put_list(self, out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take_list(from)
    }
    fn examples() -> Vec<Self> {
        vec![Vec::new(), T::examples()]
    }
    // A list has its length already.
    fn put_option(value: Option<&Self>, out: &mut Writer) {
        out.flag(value.is_some());
        match value {
            Some(list) => list.put(out),
            None => drop(out.u32(0)),
        }
    }
    fn take_option(from: &mut Reader<'_>) -> Option<Option<Self>> {
        let given = from.flag()?;
        let list = Self::take(from)?;
        Some(given.then_some(list))
    }
}

impl<T: Value> Value for Option<T> {
    fn put(&self, out: &mut Writer) {
        T::put_option(self.as_ref(), out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take_option(from)
    }
    fn examples() -> Vec<Self> {
        let some = T::examples().into_iter().map(Some);
        std::iter::once(None).chain(some).collect()
    }
}

impl<T: Value> Value for Box<T> {
    fn put(&self, out: &mut Writer) {
        T::put(self, out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        T::take(from).map(Box::new)
    }
    fn examples() -> Vec<Self> {
        T::examples().into_iter().map(Box::new).collect()
    }
}

impl<const N: usize> Value for [u8; N] {
    fn put(&self, out: &mut Writer) {
        out.raw(self);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.raw(N)?.try_into().ok()
    }
    fn examples() -> Vec<Self> {
        vec![[b'A'; N]]
    }
}

impl<T: Value> Value for [Option<T>; 2] {
    fn put(&self, out: &mut Writer) {
        self.iter().for_each(|value| value.put(out));
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some([Value::take(from)?, Value::take(from)?])
    }
    fn examples() -> Vec<Self> {
        vec![[None, T::examples().pop()]]
    }
}

impl Value for [TermId; 2] {
    fn put(&self, out: &mut Writer) {
        self.iter().for_each(|value| value.put(out));
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some([Value::take(from)?, Value::take(from)?])
    }
    fn examples() -> Vec<Self> {
        vec![[TermId::from_field(b"P001"), TermId::BLANK]]
    }
}

impl<A: Value, B: Value> Value for (A, B) {
    fn put(&self, out: &mut Writer) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::take(from)?, B::take(from)?))
    }
    fn examples() -> Vec<Self> {
        A::examples().into_iter().zip(B::examples()).collect()
    }
}

macro_rules! raw_names {
    ($($name:ident)*) => {$(
        impl Value for $name {
            fn put(&self, out: &mut Writer) {
                out.raw(self.as_bytes());
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.raw(Self::LEN).map(Self::from_field)
            }
            fn examples() -> Vec<Self> {
                vec![Self::from_field(b"NAME"), Self::from_field(&[0])]
            }
        }
    )*};
}

raw_names! { ReqId TdQueueName TsQueueName }

macro_rules! names {
    ($($name:ident)*) => {$(
        impl Value for $name {
            fn put(&self, out: &mut Writer) {
                out.raw(self.as_bytes());
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                from.raw(Self::BLANK.as_bytes().len()).map(Self::from_field)
            }
            fn examples() -> Vec<Self> {
                vec![Self::from_field(b"NAME")]
            }
        }
    )*};
}

names! {
    Applid ChannelName ContainerName FileName JobName JournalName PlanName ProfileName ProgramName
    SuspendType SuspendValue SysId TermId TransClass TransId UserId
}
