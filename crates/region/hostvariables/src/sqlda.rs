//! The SQLDA: where values are, and what columns a statement has.
//!
//! What: 16 bytes, then an SQLVAR of 44 bytes for each value, as Db2 for z/OS describes them; a
//! number is big-endian, an address has four bytes. Not here: values (`input`, `output`).

use crate::places::{Place, Places};
use transom_commands::sql::{Role, View};
use transom_sql::Type;
use transom_wire::sql::{SqlAnswer, SqlColumn};
use transom_workers::seam::{Host, Item, ItemKind};

const HEADER: usize = 16;
const SQLVAR: usize = 44;
/// Characters of SQLNAME.
const NAME_MAX: usize = 30;

/// A halfword of Db2, as an indicator or the length of a VARCHAR.
const HALFWORD: Item = binary(4);

const fn binary(digits: i32) -> Item {
    Item {
        kind: ItemKind::Binary { big: true },
        digits,
        scale: 0,
        signed: true,
    }
}

const fn plain(kind: ItemKind) -> Item {
    Item { kind, ..Item::NONE }
}

/// The values of an SQLDA as a call; they are given, or `filled`. The error is the answer.
pub fn places<'a>(
    area: &[u8],
    view: View<'a>,
    host: &'a mut dyn Host,
    filled: bool,
) -> Result<Places<'a>, SqlAnswer> {
    let count = halfword(area, 14).ok_or_else(|| wrong("01"))?;
    let mut all = Vec::new();
    for n in 0..usize::try_from(count).unwrap_or(0) {
        let from = HEADER + n * SQLVAR;
        let entry = area.get(from..from + SQLVAR).ok_or_else(|| wrong("02"))?;
        variable(entry, filled, &mut all)?;
    }
    Ok(Places { view, host, all })
}

/// -804: the SQLDA is not as it must be.
fn wrong(reason: &str) -> SqlAnswer {
    SqlAnswer {
        tokens: vec![reason.to_owned()],
        ..SqlAnswer::of(-804, *b"07002")
    }
}

fn halfword(area: &[u8], at: usize) -> Option<i16> {
    let bytes = area.get(at..at + 2)?;
    Some(i16::from_be_bytes(bytes.try_into().ok()?))
}

fn address(entry: &[u8], at: usize) -> Result<usize, SqlAnswer> {
    let bytes = entry.get(at..at + 4).and_then(|b| b.try_into().ok());
    match u32::from_be_bytes(bytes.unwrap_or_default()) {
        0 => Err(SqlAnswer::of(-822, *b"51004")),
        address => Ok(address as usize),
    }
}

fn variable(entry: &[u8], filled: bool, all: &mut Vec<Place>) -> Result<(), SqlAnswer> {
    let code = halfword(entry, 0).unwrap_or(0);
    let length = halfword(entry, 2).unwrap_or(0);
    let data = address(entry, 4)?;
    let bytes = usize::try_from(length).map_err(|_| wrong("03"))?;
    let (value, prefix) = if filled {
        (Role::Output, Role::OutputLength)
    } else {
        (Role::Input, Role::InputLength)
    };
    let mut put = |role, item, address, bytes| {
        all.push(Place {
            role,
            item,
            address,
            bytes,
        });
    };
    let [precision, scale] = length.to_be_bytes().map(i32::from);
    match code & !1 {
        // VARCHAR, LONG VARCHAR, VARGRAPHIC: a length in front.
        448 | 456 => {
            put(prefix, HALFWORD, data, 2);
            put(value, plain(ItemKind::Text), data + 2, bytes);
        }
        464 | 472 => {
            put(prefix, HALFWORD, data, 2);
            put(value, plain(ItemKind::National), data + 2, 2 * bytes);
        }
        // CHAR, DATE, TIME, TIMESTAMP.
        452 | 384 | 388 | 392 => put(value, plain(ItemKind::Text), data, bytes),
        468 => put(value, plain(ItemKind::National), data, 2 * bytes),
        480 if bytes == 4 => put(value, plain(ItemKind::Float), data, 4),
        480 if bytes == 8 => put(value, plain(ItemKind::Double), data, 8),
        484 if (1..=31).contains(&precision) && scale <= precision => {
            let item = Item {
                kind: ItemKind::Packed,
                digits: precision,
                scale,
                signed: true,
            };
            put(value, item, data, precision as usize / 2 + 1);
        }
        492 => put(value, binary(18), data, 8),
        496 => put(value, binary(9), data, 4),
        500 => put(value, HALFWORD, data, 2),
        _ => return Err(wrong("04")),
    }
    if code & 1 == 1 {
        let indicator = address(entry, 8)?;
        put(Role::Indicator, HALFWORD, indicator, 2);
    }
    Ok(())
}

/// Fills an SQLDA with what DESCRIBE found; where it has too few SQLVARs, it says how many there
/// must be and the answer is +236.
pub fn describe(area: &mut [u8], columns: &[SqlColumn]) -> Result<(), SqlAnswer> {
    let room = halfword(area, 12).ok_or_else(|| wrong("01"))?;
    let room = usize::try_from(room).map_err(|_| wrong("01"))?;
    let count = columns.len();
    let length = HEADER + room * SQLVAR;
    area[..8].copy_from_slice(b"SQLDA   ");
    area[8..12].copy_from_slice(&u32::try_from(length).unwrap_or(0).to_be_bytes());
    area[14..16].copy_from_slice(&i16::try_from(count).unwrap_or(i16::MAX).to_be_bytes());
    if room < count {
        let tokens = [room, count, count].map(|n| n.to_string());
        return Err(SqlAnswer {
            tokens: tokens.to_vec(),
            ..SqlAnswer::of(236, *b"01005")
        });
    }
    for (n, column) in columns.iter().enumerate() {
        let from = HEADER + n * SQLVAR;
        let entry = area.get_mut(from..from + SQLVAR);
        let entry = entry.ok_or_else(|| wrong("02"))?;
        let kind = Type::from_code(column.kind).unwrap_or_default();
        let (code, length) = coded(kind).ok_or_else(|| wrong("04"))?;
        let code = code + i16::from(column.nullable);
        entry.fill(0);
        entry[..2].copy_from_slice(&code.to_be_bytes());
        entry[2..4].copy_from_slice(&length.to_be_bytes());
        let name: Vec<u8> = column.name.bytes().take(NAME_MAX).collect();
        entry[12..14].copy_from_slice(&(name.len() as u16).to_be_bytes());
        entry[14..].fill(b' ');
        entry[14..14 + name.len()].copy_from_slice(&name);
    }
    Ok(())
}

/// SQLTYPE of a column that cannot be null, and SQLLEN; `None`: there is no host variable for it.
fn coded(kind: Type) -> Option<(i16, u16)> {
    let length = |code: i16, n: u32| u16::try_from(n).ok().map(|n| (code, n));
    Some(match kind {
        Type::SmallInt => (500, 2),
        Type::Integer => (496, 4),
        Type::BigInt => (492, 8),
        Type::Decimal { precision, scale } => (484, u16::from_be_bytes([precision, scale])),
        Type::Real => (480, 4),
        Type::Double => (480, 8),
        Type::Char(n) | Type::CharBit(n) => return length(452, n),
        Type::VarChar(n) | Type::VarCharBit(n) => return length(448, n),
        Type::Graphic(n) => return length(468, n),
        Type::VarGraphic(n) => return length(464, n),
        Type::Date => (384, 10),
        Type::Time => (388, 8),
        Type::Timestamp(0) => (392, 19),
        Type::Timestamp(digits) => (392, 20 + u16::from(digits)),
        // What is compared with nothing.
        Type::Unknown => (448, 4_000),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: Type, nullable: bool) -> SqlColumn {
        SqlColumn {
            name: name.to_owned(),
            kind: kind.code(),
            nullable,
        }
    }

    #[test]
    fn columns_are_described_as_db2_does() {
        let columns = [
            column("NAME", Type::VarChar(20), true),
            column("PAY", Type::decimal(9, 2), false),
        ];
        let mut area = vec![0xEE; HEADER + 2 * SQLVAR];
        area[12..14].copy_from_slice(&[0, 2]);
        describe(&mut area, &columns).unwrap();
        assert_eq!(&area[..16], b"SQLDA   \0\0\0\x68\0\x02\0\x02");
        assert_eq!(&area[16..20], [1, 0xC1, 0, 20]);
        assert_eq!(&area[28..34], b"\0\x04NAME");
        assert_eq!(&area[60..64], [1, 0xE4, 9, 2]);
        area[12..14].copy_from_slice(&[0, 1]);
        let few = describe(&mut area, &columns).unwrap_err();
        assert_eq!((few.code, few.tokens.join(" ")), (236, "1 2 2".to_owned()));
        assert_eq!(&area[14..16], [0, 2]);
    }

    #[test]
    fn an_entry_says_where_a_value_is() {
        let mut entry = vec![0; SQLVAR];
        entry[..12].copy_from_slice(&[1, 0xE5, 9, 2, 0, 1, 0, 0, 0, 2, 0, 0]);
        let mut all = Vec::new();
        variable(&entry, true, &mut all).unwrap();
        assert_eq!((all[0].address, all[0].bytes), (0x1_0000, 5));
        assert_eq!((all[0].item.digits, all[0].item.scale), (9, 2));
        assert_eq!((all[1].address, all[1].role), (0x2_0000, Role::Indicator));
        entry[4..8].fill(0);
        assert_eq!(variable(&entry, true, &mut all).unwrap_err().code, -822);
        entry[..2].fill(9);
        entry[4] = 1;
        assert_eq!(variable(&entry, true, &mut all).unwrap_err().code, -804);
    }
}
