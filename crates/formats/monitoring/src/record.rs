//! The record of a task, and its bytes in a stream.
//!
//! What: a value for each field of the dictionary. In a stream a record is a bit for each field
//! that has a value, and the values in the order of the dictionary: numbers seven bits to a byte,
//! the lowest first, the highest bit saying that more follow; a clock is two numbers, nanoseconds
//! and periods; a stamp is nanoseconds since 1970 UTC; characters are a length and themselves. Why
//! so: most fields of most tasks are zero. Not here: the frame around it (`stream`), STCK and
//! packed numbers (`smf`).

use crate::control_table::ControlTable;
use crate::field;
use crate::kind::{FieldId, Kind};
use crate::user_fields::UserValue;

/// Bytes of one bit for each field.
const BITS_BYTES: usize = field::COUNT.div_ceil(8);
/// Bytes of all characters.
const TEXT_BYTES: usize = TEXT_AT[field::COUNT] as usize;
/// Where the characters of each field are.
const TEXT_AT: [u16; field::COUNT + 1] = {
    let mut at = [0; field::COUNT + 1];
    let mut n = 0;
    while n < field::COUNT {
        at[n + 1] = at[n]
            + match field::KINDS[n] {
                Kind::Text(bytes) => bytes as u16,
                _ => 0,
            };
        n += 1;
    }
    at
};

/// Totals with what is added to them: what counts in the total alone is there already.
const SUMS: &[(FieldId, &[FieldId])] = &[
    (
        field::FCTOTCT,
        &[
            field::FCGETCT,
            field::FCPUTCT,
            field::FCBRWCT,
            field::FCADDCT,
            field::FCDELCT,
        ],
    ),
    (
        field::TSTOTCT,
        &[field::TSGETCT, field::TSPUTACT, field::TSPUTMCT],
    ),
    (
        field::TDTOTCT,
        &[field::TDGETCT, field::TDPUTCT, field::TDPURCT],
    ),
    (field::ICTOTCT, &[field::ICPUINCT]),
    (
        field::BMSTOTCT,
        &[field::BMSMAPCT, field::BMSINCT, field::BMSOUTCT],
    ),
    (
        field::PGTOTCCT,
        &[
            field::PGBRWCCT,
            field::PGGETCCT,
            field::PGPUTCCT,
            field::PGMOVCCT,
        ],
    ),
];

/// What a task was and used.
#[derive(Debug, Clone)]
pub struct Record {
    /// Counts, nanoseconds, moments, by field.
    numbers: [u64; field::COUNT],
    /// Periods of clocks, by field.
    periods: [u32; field::COUNT],
    text: [u8; TEXT_BYTES],
    /// Characters without the blanks behind them, by field.
    lengths: [u8; field::COUNT],
    /// A bit for each field that was set, the first the highest: the others have no value.
    set: u128,
    /// Fields behind those of CICS.
    more: Option<Box<More>>,
}

/// Fields of a record that are not the facility's own: what users define.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct More {
    /// How many a record has, whether with a value or not.
    pub fields: u16,
    /// What is not zero, in the order of its places behind the fields of CICS.
    pub values: Vec<UserValue>,
}

const _: () = assert!(field::COUNT <= 128, "a bit for each field");

/// The bit of a field.
fn bit(id: FieldId) -> u128 {
    1 << (127 - id.index())
}

impl PartialEq for Record {
    /// A field that was set to nothing is one that was not.
    fn eq(&self, other: &Self) -> bool {
        (&self.numbers, &self.periods, &self.text, &self.more)
            == (&other.numbers, &other.periods, &other.text, &other.more)
    }
}

impl Eq for Record {}

impl Default for Record {
    fn default() -> Self {
        Self {
            numbers: [0; field::COUNT],
            periods: [0; field::COUNT],
            text: [b' '; TEXT_BYTES],
            lengths: [0; field::COUNT],
            set: 0,
            more: None,
        }
    }
}

impl Record {
    /// A count, the nanoseconds of a clock, a moment in nanoseconds since 1970.
    pub fn number(&self, id: FieldId) -> u64 {
        self.numbers[id.index()]
    }

    /// How often a clock ran.
    pub fn periods(&self, id: FieldId) -> u32 {
        self.periods[id.index()]
    }

    /// Characters without the blanks behind them.
    pub fn text(&self, id: FieldId) -> &[u8] {
        let from = usize::from(TEXT_AT[id.index()]);
        &self.text[from..from + usize::from(self.lengths[id.index()])]
    }

    /// Sets a count or a moment.
    pub fn set(&mut self, id: FieldId, number: u64) -> &mut Self {
        self.numbers[id.index()] = number;
        self.set |= bit(id);
        self
    }

    /// Adds to a count.
    pub fn add(&mut self, id: FieldId, number: u64) -> &mut Self {
        let field = &mut self.numbers[id.index()];
        *field = field.saturating_add(number);
        self.set |= bit(id);
        self
    }

    /// Adds to a clock.
    pub fn add_clock(&mut self, id: FieldId, ns: u64, periods: u32) -> &mut Self {
        self.add(id, ns);
        let field = &mut self.periods[id.index()];
        *field = field.saturating_add(periods);
        self
    }

    /// Sets characters: padded with blanks, or cut.
    pub fn set_text(&mut self, id: FieldId, text: &[u8]) -> &mut Self {
        let at = id.index();
        let room = &mut self.text[usize::from(TEXT_AT[at])..usize::from(TEXT_AT[at + 1])];
        let text = text[..text.len().min(room.len())].trim_ascii_end();
        room[..text.len()].copy_from_slice(text);
        room[text.len()..].fill(b' ');
        self.lengths[at] = text.len() as u8;
        self.set |= bit(id);
        self
    }

    /// Fields that users define.
    pub fn more(&self) -> Option<&More> {
        self.more.as_deref()
    }

    /// Sets fields that users define.
    pub fn set_more(&mut self, more: More) {
        self.more = Some(Box::new(more));
    }

    /// Fields that the record goes without.
    pub fn leave_out(&mut self, fields: impl Iterator<Item = FieldId>) {
        fields.for_each(|id| self.set &= !bit(id));
    }

    /// Totals are what they are the totals of.
    pub fn add_up(&mut self) {
        for (total, parts) in SUMS {
            let sum: u64 = parts.iter().map(|part| self.number(*part)).sum();
            if sum > 0 {
                self.add(*total, sum);
            }
        }
    }

    /// Nanoseconds from attach to end.
    pub fn response_ns(&self) -> u64 {
        self.number(field::STOP)
            .saturating_sub(self.number(field::START))
    }

    /// Appends its bytes.
    pub fn put(&self, out: &mut Vec<u8>) {
        let bits_at = out.len();
        out.extend_from_slice(&[0; BITS_BYTES]);
        if let Some(more) = &self.more {
            let bits = field::COUNT + usize::from(more.fields);
            out.resize(bits_at + bits.div_ceil(8), 0);
        }
        let (mut left, mut present) = (self.set, 0);
        while left != 0 {
            let id = FieldId(left.leading_zeros() as u8);
            left &= !bit(id);
            if self.put_field(id, out) {
                present |= bit(id);
            }
        }
        let bits = &u128::to_be_bytes(present)[..BITS_BYTES];
        out[bits_at..bits_at + BITS_BYTES].copy_from_slice(bits);
        if let Some(more) = &self.more {
            more.put(bits_at, out);
        }
    }

    /// Answers whether it has a value.
    fn put_field(&self, id: FieldId, out: &mut Vec<u8>) -> bool {
        let (number, periods) = (self.number(id), self.periods(id));
        match field::KINDS[id.index()] {
            Kind::Text(_) => {
                let text = self.text(id);
                if text.is_empty() {
                    return false;
                }
                out.push(text.len() as u8);
                out.extend_from_slice(text);
            }
            _ if number == 0 && periods == 0 => return false,
            Kind::Clock => {
                put_number(out, number);
                put_number(out, periods.into());
            }
            _ => put_number(out, number),
        }
        true
    }

    fn set_value(&mut self, id: FieldId, value: &UserValue) {
        match id.field().kind {
            Kind::Text(_) => self.set_text(id, &value.text),
            Kind::Clock => self.add_clock(id, value.number, value.periods),
            _ => self.set(id, value.number),
        };
    }

    /// Reads a record whose fields are those of a dictionary; fields that are not known here are
    /// among [`Self::more`], by their places in the dictionary. `None`: these bytes are none.
    pub(crate) fn take(bytes: &[u8], dictionary: &[(Kind, Option<FieldId>)]) -> Option<Self> {
        let (bits, mut rest) = bytes.split_at_checked(dictionary.len().div_ceil(8))?;
        let (mut record, mut more) = (Self::default(), Vec::new());
        for (n, (kind, id)) in dictionary.iter().enumerate() {
            if bits[n / 8] & (0x80 >> (n % 8)) == 0 {
                continue;
            }
            let value = UserValue::take_as(*kind, n, &mut rest)?;
            match id.filter(|id| id.field().kind.letter() == kind.letter()) {
                Some(id) => record.set_value(id, &value),
                None => more.push(value),
            }
        }
        if !more.is_empty() {
            let fields = 0;
            let values = more;
            record.set_more(More { fields, values });
        }
        rest.is_empty().then_some(record)
    }
}

impl More {
    /// What a worker says of a task, as far as the table has such fields.
    pub fn of(table: &ControlTable, mut values: Vec<UserValue>) -> Self {
        let mut next = 0;
        let mut is_sound = |value: &UserValue| {
            let known = table.fields.get(usize::from(value.field));
            let known = known.filter(|_| value.field >= next);
            next = value.field.saturating_add(1);
            known.is_some_and(|known| {
                let is_text = !value.text.is_empty();
                (known.letter == b'S') == value.is_clock
                    && (known.letter == b'C') == is_text
                    && value.text.len() <= usize::from(known.bytes)
            })
        };
        values.retain(|value| is_sound(value));
        Self {
            fields: table.fields.len() as u16,
            values,
        }
    }

    /// Appends the values, and sets their bits.
    fn put(&self, bits_at: usize, out: &mut Vec<u8>) {
        for value in &self.values {
            let place = field::COUNT + usize::from(value.field);
            match value.text.len() {
                0 => put_number(out, value.number),
                length => {
                    out.push(length as u8);
                    out.extend_from_slice(&value.text);
                }
            }
            if value.is_clock {
                put_number(out, value.periods.into());
            }
            out[bits_at + place / 8] |= 0x80 >> (place % 8);
        }
    }
}

impl UserValue {
    /// Takes a value off the front.
    fn take_as(kind: Kind, place: usize, rest: &mut &[u8]) -> Option<Self> {
        let mut value = Self {
            field: u16::try_from(place).ok()?,
            number: 0,
            periods: 0,
            is_clock: kind == Kind::Clock,
            text: Vec::new(),
        };
        if let Kind::Text(_) = kind {
            let (length, behind) = rest.split_first()?;
            let (text, behind) = behind.split_at_checked(usize::from(*length))?;
            *rest = behind;
            value.text = text.to_vec();
            return Some(value);
        }
        value.number = take_number(rest)?;
        if value.is_clock {
            value.periods = u32::try_from(take_number(rest)?).ok()?;
        }
        Some(value)
    }
}

fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn take_number(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        let bits = u64::from(byte & 0x7F);
        if shift == 63 && bits > 1 {
            return None;
        }
        number |= bits << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Vec<(Kind, Option<FieldId>)> {
        let each = FieldId::all().map(|id| (id.field().kind, Some(id)));
        each.collect()
    }

    fn example() -> Record {
        let mut record = Record::default();
        record
            .set_text(field::TRAN, b"PAY1")
            .set_text(field::OCLIPADR, b"192.168.100.101")
            .set(field::TRANNUM, 9_999_999)
            .set(field::START, u64::MAX)
            .set(field::FCGETCT, 127)
            .add_clock(field::USRCPUT, 128, 1)
            .add_clock(field::DB2WAIT, 0, 3);
        record
    }

    #[test]
    fn a_record_comes_back_and_no_cut_is_taken_for_one() {
        let record = example();
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        assert!(bytes.len() < 80, "{} bytes", bytes.len());
        assert_eq!(Record::take(&bytes, &own()), Some(record));
        for cut in 0..bytes.len() {
            assert_eq!(Record::take(&bytes[..cut], &own()), None, "cut at {cut}");
        }
    }

    #[test]
    fn fields_of_another_release_are_passed_over() {
        let record = example();
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        let mut dictionary = own();
        dictionary[0].1 = None;
        let read = Record::take(&bytes, &dictionary).unwrap();
        assert_eq!(
            (read.text(field::TRAN), read.number(field::FCGETCT)),
            (&b""[..], 127)
        );
    }

    #[test]
    fn totals_are_what_they_are_the_totals_of() {
        let mut record = Record::default();
        record
            .set(field::FCGETCT, 3)
            .set(field::FCADDCT, 2)
            .set(field::FCTOTCT, 1);
        record.add_up();
        assert_eq!(record.number(field::FCTOTCT), 6);
    }
}
