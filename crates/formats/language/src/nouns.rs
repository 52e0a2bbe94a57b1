//! Nouns of the field (`transom_types`) as values.
//!
//! Not here: what is declared by the macro itself.

use crate::Value;
use crate::codec::{Reader, Writer};
use core::net::{IpAddr, SocketAddr};
use transom_types::{
    AbendCode, Batch, Device, Direction, Find, Found, Position, ProgramName, Resp, Seen,
    SetRequest, StartedBy, TcpClient, TransId,
};

impl Value for AbendCode {
    fn put(&self, out: &mut Writer) {
        out.raw(self.as_bytes());
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.raw(4).map(Self::from_field)
    }
    fn examples() -> Vec<Self> {
        vec![Self::ASRA]
    }
}

impl Value for Resp {
    fn put(&self, out: &mut Writer) {
        out.u16(self.0);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.u16().map(Self)
    }
    fn examples() -> Vec<Self> {
        vec![Self::NORMAL, Self::INVREQ]
    }
}

/// Enumerations of `transom_types` by their codes.
macro_rules! codes {
    ($($type:ident { $($code:literal = $variant:ident),* $(,)? })*) => {$(
        impl Value for $type {
            fn put(&self, out: &mut Writer) {
                out.u8(match self { $(Self::$variant => $code),* });
            }
            fn take(from: &mut Reader<'_>) -> Option<Self> {
                Some(match from.u8()? {
                    $($code => Self::$variant,)*
                    _ => return None,
                })
            }
            fn examples() -> Vec<Self> {
                vec![$(Self::$variant),*]
            }
        }
    )*};
}

codes! {
    Direction { 0 = Forward, 1 = Backward }
    Find { 0 = Equal, 1 = GreaterOrEqual, 2 = Generic }
    StartedBy {
        0 = Gateway, 1 = Region, 2 = Internal, 3 = Terminal, 4 = Start, 5 = Trigger, 6 = Child,
    }
}

impl Value for Position {
    fn put(&self, out: &mut Writer) {
        // An empty second key: the same as the first.
        let same = self.key == self.base;
        let base = if same { &[][..] } else { &self.base };
        out.bytes(&self.key).bytes(base).u64(self.arrival);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let key = from.bytes()?.to_vec();
        let base = from.bytes()?;
        let base = if base.is_empty() { &key } else { base }.to_vec();
        let arrival = from.u64()?;
        Some(Self { key, base, arrival })
    }
    fn examples() -> Vec<Self> {
        let (key, base) = (b"SMITH".to_vec(), b"0001".to_vec());
        vec![
            Self::of_base(&key),
            Self {
                key,
                base,
                arrival: 7,
            },
        ]
    }
}

impl Value for Device {
    fn put(&self, out: &mut Writer) {
        self.name.put(out);
        for (rows, columns) in [self.default_size, self.alternate_size] {
            out.u16(rows).u16(columns);
        }
        for flag in [
            self.extended,
            self.colour,
            self.highlight,
            self.outline,
            self.validation,
        ] {
            out.flag(flag);
        }
        out.u32(self.ccsid).flag(self.printer);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            name: from.text()?,
            default_size: (from.u16()?, from.u16()?),
            alternate_size: (from.u16()?, from.u16()?),
            extended: from.flag()?,
            colour: from.flag()?,
            highlight: from.flag()?,
            outline: from.flag()?,
            validation: from.flag()?,
            ccsid: from.u32()?,
            printer: from.flag()?,
        })
    }
    fn examples() -> Vec<Self> {
        vec![Self::model_2()]
    }
}

impl Value for TcpClient {
    fn put(&self, out: &mut Writer) {
        for address in [self.client, self.server] {
            match address.ip() {
                IpAddr::V4(ip) => out.u8(4).raw(&ip.octets()),
                IpAddr::V6(ip) => out.u8(6).raw(&ip.octets()),
            };
            out.u16(address.port());
        }
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let mut address = || {
            let ip: IpAddr = match from.u8()? {
                4 => <[u8; 4]>::try_from(from.raw(4)?).ok()?.into(),
                6 => <[u8; 16]>::try_from(from.raw(16)?).ok()?.into(),
                _ => return None,
            };
            Some(SocketAddr::new(ip, from.u16()?))
        };
        let (client, server) = (address()?, address()?);
        Some(Self { client, server })
    }
    fn examples() -> Vec<Self> {
        let (v4, v6) = (IpAddr::from([192, 0, 2, 7]), IpAddr::from([7; 16]));
        let of = |ip, port| SocketAddr::new(ip, port);
        vec![
            Self::new(of(v4, 50_000), of(v4, 3270)),
            Self::new(of(v6, 50_000), of(v4, 3270)),
        ]
    }
}

impl Value for Found {
    fn put(&self, out: &mut Writer) {
        self.position.put(out);
        out.flag(self.duplicate).bytes(&self.record);
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        seen(from).map(|seen| seen.to_found())
    }
    fn examples() -> Vec<Self> {
        Position::examples()
            .into_iter()
            .map(|position| Self {
                position,
                record: b"a record".to_vec(),
                duplicate: true,
            })
            .collect()
    }
}

/// Reads a list of [`Found`] into a batch, which is cleared first, without memory for each of them.
pub fn read_batch(bytes: &[u8], batch: &mut Batch) {
    batch.clear();
    let mut from = Reader(bytes);
    let _count = from.u32();
    while let Some(seen) = seen(&mut from) {
        batch.push(seen);
    }
}

fn seen<'a>(from: &mut Reader<'a>) -> Option<Seen<'a>> {
    let key = from.bytes()?;
    let base = from.bytes()?;
    Some(Seen {
        key,
        base: if base.is_empty() { key } else { base },
        arrival: from.u64()?,
        duplicate: from.flag()?,
        record: from.bytes()?,
    })
}

impl Value for SetRequest {
    fn put(&self, out: &mut Writer) {
        match self {
            Self::ProgramEnabled(name, on) => out.u8(10).raw(name.as_bytes()).flag(*on),
            Self::ProgramNewCopy(name) => out.u8(11).raw(name.as_bytes()),
            Self::TransactionEnabled(name, on) => out.u8(12).raw(name.as_bytes()).flag(*on),
            Self::TransactionPriority(name, priority) => {
                out.u8(13).raw(name.as_bytes()).u8(*priority)
            }
            Self::MaxTasks(tasks) => out.u8(14).u32(*tasks),
            Self::Purge { task, force } => out.u8(15).u32(*task).flag(*force),
        };
    }
    fn take(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.u8()? {
            10 => Self::ProgramEnabled(Value::take(from)?, from.flag()?),
            11 => Self::ProgramNewCopy(Value::take(from)?),
            12 => Self::TransactionEnabled(Value::take(from)?, from.flag()?),
            13 => Self::TransactionPriority(Value::take(from)?, from.u8()?),
            14 => Self::MaxTasks(from.u32()?),
            15 => {
                let (task, force) = (from.u32()?, from.flag()?);
                Self::Purge { task, force }
            }
            _ => return None,
        })
    }
    fn examples() -> Vec<Self> {
        let program = ProgramName::from_field(b"PAYROLL");
        let transaction = TransId::from_field(b"PAY1");
        vec![
            Self::ProgramEnabled(program, true),
            Self::ProgramNewCopy(program),
            Self::TransactionEnabled(transaction, false),
            Self::TransactionPriority(transaction, 7),
            Self::MaxTasks(40),
            Self::Purge {
                task: 9,
                force: true,
            },
        ]
    }
}
