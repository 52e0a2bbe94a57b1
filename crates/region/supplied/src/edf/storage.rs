//! PF5: storage in hexadecimal digits and characters, both to be typed over.
//!
//! What: records of WORKING-STORAGE one behind the other, or storage at any address that was typed.
//! What is not there is refused before anything is changed. Not here: where a program has its
//! records (`region/workers`).

use super::keys;
use super::page::{MESSAGE_ROW, header};
use super::records::records;
use super::text::{bytes_of, printable, read_bytes};
use crate::panel::{Panel, Reply};
use transom_messages::{Message, ed};
use transom_region_commands::Stopped;
use transom_workers::seam::{Address, Area, Host};

/// Rows of storage, from this one on.
const FIRST_ROW: usize = 3;
pub(super) const ROWS: usize = 16;
const ROW_BYTES: usize = 16;
/// Addresses a program can have.
const HIGHEST: Address = 1 << 47;

/// What of storage is shown.
pub(super) struct View {
    /// Records of the program.
    records: Vec<Area>,
    /// The address that was typed; `None`: the records.
    typed: Option<Address>,
    /// First row.
    pub(super) top: usize,
}

/// A row: address, offset in what is shown, bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    address: Address,
    offset: usize,
    bytes: usize,
}

impl View {
    pub(super) fn of(at: &mut Stopped<'_>) -> Self {
        Self {
            records: records(at.host, at.task.program()).0,
            typed: None,
            top: 0,
        }
    }

    pub(super) fn scroll(&mut self, rows: i64) {
        let most = match self.typed {
            Some(_) => usize::MAX / ROW_BYTES / 2,
            None => self.of_records().count().saturating_sub(1),
        };
        let top = i64::try_from(self.top).unwrap_or(0) + rows;
        self.top = usize::try_from(top.max(0)).unwrap_or(0).min(most);
    }

    fn of_records(&self) -> impl Iterator<Item = Row> {
        let mut before = 0;
        self.records.iter().flat_map(move |record| {
            let start = before;
            before += record.bytes;
            (0..record.bytes).step_by(ROW_BYTES).map(move |at| Row {
                address: record.address + at,
                offset: start + at,
                bytes: (record.bytes - at).min(ROW_BYTES),
            })
        })
    }

    /// The rows that are shown; storage that is not there has none.
    fn rows(&self, host: &dyn Host) -> Vec<Row> {
        let Some(typed) = self.typed else {
            return self.of_records().skip(self.top).take(ROWS).collect();
        };
        let row = |n: usize| {
            let offset = (self.top + n).checked_mul(ROW_BYTES)?;
            let address = typed.checked_add(offset).filter(|at| *at < HIGHEST)?;
            let bytes = host.reach(address, ROW_BYTES, false);
            (bytes > 0).then_some(Row {
                address,
                offset,
                bytes,
            })
        };
        (0..ROWS).map_while(row).collect()
    }

    pub(super) fn panel(&self, at: &Stopped<'_>, read_only: bool, message: &str) -> Panel {
        let rows = self.rows(at.host);
        let mut panel = header(at, at.task.program(), 0);
        let first = rows
            .first()
            .map_or(self.typed.unwrap_or(0), |row| row.address);
        let what = match self.typed {
            None => "WORKING STORAGE",
            Some(_) => "STORAGE",
        };
        panel
            .text(2, 2, "ADDRESS:")
            .input("ADDRESS", (2, 11), 12, &format!("{first:08X}"))
            .text(2, 36, what);
        for (n, row) in rows.iter().enumerate() {
            let bytes = at.host.memory(row.address, row.bytes);
            let line = FIRST_ROW + n;
            panel.text(line, 2, format!("{:08X}  {:06X}", row.address, row.offset));
            let (digits, text) = (digits(bytes), printable(bytes));
            match read_only {
                true => panel.text(line, 21, digits).text(line, 60, text),
                false => panel
                    .input(&format!("HEX{n}"), (line, 21), 35, &digits)
                    .input(&format!("TEXT{n}"), (line, 60), row.bytes, &text),
            };
        }
        panel.bright(MESSAGE_ROW, 2, message);
        keys::show(&mut panel, "CURRENT DISPLAY", &keys::STORAGE);
        panel
    }

    /// Takes over what was typed; answers whether something was.
    ///
    /// # Errors
    /// What is no value or cannot be changed; the rows before it are.
    pub(super) fn read(
        &mut self,
        at: &mut Stopped<'_>,
        panel: &Panel,
        reply: &Reply,
    ) -> Result<bool, Message> {
        let mut changed = false;
        let rows = self.rows(at.host);
        for (n, row) in rows.iter().enumerate() {
            let now = at.host.memory(row.address, row.bytes).to_vec();
            let hex = panel.read(reply, &format!("HEX{n}"));
            let text = panel.read(reply, &format!("TEXT{n}"));
            let new = match (hex, text) {
                // Digits count where both were changed.
                (Some(typed), _) if typed.trim_end() != digits(&now) => {
                    let packed: String = typed.split_whitespace().collect();
                    let new = bytes_of(&packed).filter(|new| new.len() == now.len());
                    new.ok_or_else(|| ed::no_value("STORAGE"))?
                }
                (_, Some(typed)) => read_bytes(&now, &typed),
                _ => continue,
            };
            if new == now {
                continue;
            }
            if at.host.reach(row.address, new.len(), true) != new.len() {
                return Err(ed::no_storage(format_args!("{:08X}", row.address)));
            }
            at.host
                .memory_mut(row.address, new.len())
                .copy_from_slice(&new);
            changed = true;
        }
        let first = rows
            .first()
            .map_or(self.typed.unwrap_or(0), |row| row.address);
        let typed = panel.read(reply, "ADDRESS").unwrap_or_default();
        let typed = typed.trim();
        if typed.is_empty() || typed == format!("{first:08X}") {
            return Ok(changed);
        }
        self.go_to(at.host, typed)?;
        Ok(true)
    }

    fn go_to(&mut self, host: &dyn Host, typed: &str) -> Result<(), Message> {
        let address = Address::from_str_radix(typed, 16).ok();
        let address = address.filter(|at| *at < HIGHEST && host.reach(*at, 1, false) == 1);
        let Some(address) = address else {
            return Err(ed::no_storage(typed));
        };
        let row = self.of_records().position(|row| row.address == address);
        self.typed = match row {
            Some(_) => None,
            None => Some(address),
        };
        self.top = row.unwrap_or(0);
        Ok(())
    }

    /// There is nothing to show.
    pub(super) fn is_empty(&self) -> bool {
        self.typed.is_none() && self.records.is_empty()
    }
}

/// Four groups of eight digits.
fn digits(bytes: &[u8]) -> String {
    let groups = bytes.chunks(4).map(|group| {
        let digits = group.iter().map(|byte| format!("{byte:02X}"));
        digits.collect::<String>()
    });
    groups.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_stand_one_behind_the_other() {
        let area = |address, bytes| Area { address, bytes };
        let view = View {
            records: vec![area(0x1000, 23), area(0x800, 2)],
            typed: None,
            top: 0,
        };
        let rows: Vec<_> = view
            .of_records()
            .map(|row| (row.address, row.offset, row.bytes))
            .collect();
        assert_eq!(rows, [(0x1000, 0, 16), (0x1010, 16, 7), (0x800, 23, 2)]);
        assert_eq!(digits(&[1, 2, 3, 4, 0xFF]), "01020304 FF");
    }
}
