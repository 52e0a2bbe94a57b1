//! Files of Micro Focus COBOL: the file header, and the header in front of each record.
//!
//! Why: data that left the mainframe once lies in such files. What: indexed files of IDXFORMAT 3, 4
//! and 8 read from front to back, past records that are deleted or belong to the index. Each
//! header is checked, so that a file which is otherwise than described is refused and not misread.
//! Not here: the index itself, compression, writing.
//!
//! Source: "File Structures" of the Micro Focus documentation (file header, standard record header,
//! types of indexed file).

use std::ops::Range;

/// Longest record that is read.
const RECORD_MAX: usize = 16 << 20;
/// Bytes of a file header that are looked at.
pub const HEADER: usize = 128;
/// Longest file header: one node of an index.
const HEADER_MAX: usize = 8_192;
/// Length of what is reserved in the middle of the header; the same in every file.
const RESERVED: [u8; 2] = [0, 62];

/// What the header of a file says of its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MicroFocus {
    /// Record headers have four bytes, not two.
    long: bool,
    /// Record headers begin at multiples of this.
    align: usize,
    /// Shortest and longest record.
    lengths: (usize, usize),
}

/// What a buffer begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Ask again with at least this many bytes.
    Need(usize),
    /// A record; so many bytes are done with.
    Record(Range<usize>, usize),
    /// Bytes that hold no record of the user.
    Skip(usize),
}

/// Whether a file begins so.
pub fn is_micro_focus(head: &[u8]) -> bool {
    head.len() >= HEADER
        && head[0] >> 4 == 3
        && head[36..38] == RESERVED
        && matches!(head[39], 1..=3)
}

impl MicroFocus {
    /// Reads the header of a file; answers its length too.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn of_header(head: &[u8]) -> Result<(Self, usize), &'static str> {
        if !is_micro_focus(head) {
            return Err("it does not begin with the header of such a file");
        }
        let four = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            usize::try_from(u32::from_be_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let short = usize::from(u16::from_be_bytes([head[0] & 0x0F, head[1]]));
        let long = short == 0;
        let length = match long {
            false => short + 2,
            true => (four(0) & 0x0FFF_FFFF) + 4,
        };
        if !(HEADER..=HEADER_MAX).contains(&length) {
            return Err("its header has no known length");
        }
        if head[39] != 2 {
            return Err("it is not an indexed file");
        }
        if head[6..8] != [0, 0] {
            return Err("it was not closed, or is damaged: its integrity flag is set");
        }
        if head[41] != 0 {
            return Err("its records are compressed");
        }
        let align = match head[43] {
            3 | 4 => 4,
            8 => 8,
            _ => return Err("only IDXFORMAT 3, 4 and 8 are read"),
        };
        let lengths = (four(58), four(54));
        if lengths.1 == 0 || lengths.1 > RECORD_MAX || lengths.0 > lengths.1 {
            return Err("its record lengths cannot be");
        }
        let file = Self {
            long,
            align,
            lengths,
        };
        Ok((file, length))
    }

    /// Longest record.
    pub fn max(&self) -> usize {
        self.lengths.1
    }

    /// Says what the next record header is in front of.
    ///
    /// # Errors
    /// Why the file cannot be read from here on.
    pub fn split(&self, buffer: &[u8], at_end: bool) -> Result<Next, &'static str> {
        let header = if self.long { 4 } else { 2 };
        let Some(head) = buffer.get(..header) else {
            return match at_end && buffer.iter().all(|b| *b == 0) {
                true => Ok(Next::Skip(buffer.len())),
                false if at_end => Err("it ends inside a record header"),
                false => Ok(Next::Need(header)),
            };
        };
        let first = usize::from(head[0] & 0x0F);
        let rest = head[1..].iter();
        let length = rest.fold(first, |length, b| length << 8 | usize::from(*b));
        let kind = head[0] >> 4;
        if kind == 0 {
            return self.unused(buffer, at_end);
        }
        if header + length > RECORD_MAX {
            return Err("a record is longer than 16 MB");
        }
        let end = (header + length).next_multiple_of(self.align.max(1));
        // What fills the last record up may be missing.
        let end = if at_end { end.min(buffer.len()) } else { end };
        if buffer.len() < end || buffer.len() < header + length {
            return match at_end {
                true => Err("it ends inside a record"),
                false => Ok(Next::Need(end)),
            };
        }
        match kind {
            // User data, where it was written or where a pointer leads to.
            4 | 7 if (self.lengths.0..=self.lengths.1).contains(&length) => {
                Ok(Next::Record(header..header + length, end))
            }
            4 | 7 => Err("a record has a length the file cannot have"),
            // Occurrences of duplicate keys, deleted records, the index, pointers.
            1 | 2 | 3 | 6 => Ok(Next::Skip(end)),
            5 | 8 => Err("a record was made shorter in its place; reorganize the file first"),
            _ => Err("a record header is of no known kind"),
        }
    }

    /// Space behind the last record.
    fn unused(&self, buffer: &[u8], at_end: bool) -> Result<Next, &'static str> {
        let used = buffer.iter().position(|b| *b != 0);
        match used {
            None if at_end => Ok(Next::Skip(buffer.len())),
            None if buffer.len() < self.align => Ok(Next::Need(self.align)),
            None => Ok(Next::Skip(
                buffer.len() / self.align.max(1) * self.align.max(1),
            )),
            Some(_) => Err("a record header is of no known kind"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of IDXFORMAT 8 with records of at most 20 bytes: header, a node of the index, two
    /// records, one that was deleted.
    fn file(format: u8) -> Vec<u8> {
        let mut out = vec![0; 1024];
        out[..2].copy_from_slice(&[0x33, 0xFE]);
        out[36..38].copy_from_slice(&RESERVED);
        (out[39], out[43], out[48]) = (2, format, 1);
        (out[57], out[61]) = (20, 4);
        let align = if format == 8 { 8 } else { 4 };
        for (kind, text) in [
            (3, vec![7; 510]),
            (4, b"0001ANNA".to_vec()),
            (2, vec![b'x'; 9]),
            (4, b"0002BERTRAM".to_vec()),
        ] {
            let length = text.len() as u16;
            out.extend([kind << 4 | (length >> 8) as u8, length as u8]);
            out.extend(text);
            out.resize(out.len().next_multiple_of(align), 0);
        }
        out
    }

    fn records(bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let (file, start) = MicroFocus::of_header(bytes).map_err(str::to_owned)?;
        let (mut at, mut out) = (start, Vec::new());
        while at < bytes.len() {
            let rest = &bytes[at..];
            match file.split(rest, true)? {
                Next::Record(range, consumed) => {
                    out.push(rest[range].to_vec());
                    at += consumed;
                }
                Next::Skip(bytes) => at += bytes,
                other => return Err(format!("{other:?}")),
            }
        }
        Ok(out)
    }

    #[test]
    fn records_come_in_their_order_without_deleted_ones_and_the_index() {
        for format in [3, 4, 8] {
            let found = records(&file(format)).unwrap();
            assert_eq!(
                found,
                [b"0001ANNA".to_vec(), b"0002BERTRAM".to_vec()],
                "{format}"
            );
        }
        let mut unused = file(8);
        unused.extend([0; 37]);
        assert_eq!(records(&unused).unwrap().len(), 2);
    }

    #[test]
    fn what_is_otherwise_is_refused() {
        let refused = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = file(8);
            change(&mut bytes);
            records(&bytes).unwrap_err()
        };
        assert_eq!(refused(&|f| f[41] = 1), "its records are compressed");
        assert_eq!(refused(&|f| f[39] = 1), "it is not an indexed file");
        assert_eq!(
            refused(&|f| f[43] = 1),
            "only IDXFORMAT 3, 4 and 8 are read"
        );
        assert_eq!(
            refused(&|f| f[7] = 1),
            "it was not closed, or is damaged: its integrity flag is set"
        );
        assert_eq!(
            refused(&|f| f[57] = 10),
            "a record has a length the file cannot have"
        );
        assert_eq!(refused(&|f| f.truncate(1560)), "it ends inside a record");
        assert_eq!(
            refused(&|f| f[1536] = 0x90),
            "a record header is of no known kind"
        );
        // Another alignment than that of the type.
        assert_eq!(
            refused(&|f| f.splice(1546..1552, []).for_each(drop)),
            "it ends inside a record"
        );
        assert_eq!(
            refused(&|f| f.truncate(100)),
            "it does not begin with the header of such a file"
        );
    }

    #[test]
    fn a_buffer_that_ends_early_asks_for_more() {
        let bytes = file(8);
        let (file, start) = MicroFocus::of_header(&bytes).unwrap();
        assert_eq!(start, 1024);
        assert_eq!(file.split(&bytes[1536..1537], false), Ok(Next::Need(2)));
        assert_eq!(file.split(&bytes[1536..1540], false), Ok(Next::Need(16)));
        assert_eq!(file.split(&[], false), Ok(Next::Need(2)));
    }
}
