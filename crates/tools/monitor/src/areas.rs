//! The areas of a dump that a program has names for: what its headings say, and the bytes.
//!
//! Not here: the names (`compiled`), how items are shown (`names`), what a dump has (the worker
//! writes it).

const WORKING: &str = "WORKING-STORAGE of ";
const LOCAL: &str = "LOCAL-STORAGE of ";
const COMMAREA: &str = "COMMAREA of level ";
const PARAMETER: &str = "STORAGE at parameter ";
const AT_RECORD: &str = "STORAGE at record ";

/// Bytes of a whole line of storage.
const LINE_BYTES: usize = 16;

/// Whose storage an area is; numbers are those of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// A record of WORKING-STORAGE.
    Record(u32),
    /// All of LOCAL-STORAGE.
    Local,
    /// DFHCOMMAREA.
    Commarea,
    /// An item of LINKAGE that the program was called with.
    Parameter(u32),
    /// What a record has the address of: an item of LINKAGE, if the record belongs to one.
    AtRecord(u32),
}

/// An area of the dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) program: String,
    pub(crate) part: Part,
    pub(crate) bytes: Vec<u8>,
}

impl Stored {
    /// The dump shows what is behind an address, as much as there is.
    pub(crate) fn is_behind_address(&self) -> bool {
        matches!(self.part, Part::Parameter(_) | Part::AtRecord(_))
    }
}

/// Areas of a dump that are somebody's records.
pub(crate) fn areas(dump: &str) -> Vec<Stored> {
    let mut found = Vec::new();
    let mut lines = dump.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((mut area, length)) = heading(line) else {
            continue;
        };
        while let Some(row) = lines.next_if(|row| row.starts_with("  ")) {
            if let Some(times) = repeated(row) {
                let above = area.bytes.len().saturating_sub(LINE_BYTES);
                let above = area.bytes.split_off(above);
                let most = length.saturating_sub(area.bytes.len()) / LINE_BYTES;
                area.bytes.extend(above.repeat(most.min(times + 1)));
                continue;
            }
            let groups = row.split_whitespace().skip(2).take(4);
            for group in groups.take_while(|group| !group.starts_with('*')) {
                let pairs = group.as_bytes().chunks_exact(2);
                let byte = |pair: &[u8]| {
                    let pair = std::str::from_utf8(pair).ok()?;
                    u8::from_str_radix(pair, 16).ok()
                };
                area.bytes.extend(pairs.map_while(byte));
            }
        }
        // What is only there in part has no items.
        if area.bytes.len() == length {
            found.push(area);
        }
    }
    found
}

/// `  ... 3 times the same`: so often the line above comes again.
fn repeated(row: &str) -> Option<usize> {
    let times = row.strip_prefix("  ... ")?;
    times.strip_suffix(" times the same")?.parse().ok()
}

/// `WORKING-STORAGE of PAY, record 9  30 bytes`, `COMMAREA of level 0 (PAY)  60 bytes`,
/// `STORAGE at parameter 20 of PAY  8192 bytes`; and the length.
fn heading(line: &str) -> Option<(Stored, usize)> {
    let (front, length) = line.strip_suffix(" bytes")?.rsplit_once("  ")?;
    let numbered = |rest: &'_ str, of: fn(u32) -> Part| {
        let (number, program) = rest.split_once(" of ")?;
        Some((program.to_owned(), of(number.parse().ok()?)))
    };
    let (program, part) = if let Some(rest) = front.strip_prefix(WORKING) {
        let (program, number) = rest.split_once(", record ")?;
        (program.to_owned(), Part::Record(number.parse().ok()?))
    } else if let Some(program) = front.strip_prefix(LOCAL) {
        (program.to_owned(), Part::Local)
    } else if let Some(rest) = front.strip_prefix(PARAMETER) {
        numbered(rest, Part::Parameter)?
    } else if let Some(rest) = front.strip_prefix(AT_RECORD) {
        numbered(rest, Part::AtRecord)?
    } else {
        let (_, rest) = front.strip_prefix(COMMAREA)?.split_once(" (")?;
        (rest.strip_suffix(')')?.to_owned(), Part::Commarea)
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "$@#-_".contains(c);
    let area = program.chars().all(plain).then_some(Stored {
        program,
        part,
        bytes: Vec::new(),
    });
    Some((area?, length.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_repeat_are_all_there_and_a_count_beyond_the_area_is_no_more_than_it() {
        let dump = "\
LOCAL-STORAGE of PAY  52 bytes
  0000000000003000 000000  20202020 20202020 20202020 20202020  *                *
  ... 2 times the same
  0000000000003030 000030  00000001                             *....*
";
        let expected = [&[b' '; 48][..], &[0, 0, 0, 1]].concat();
        assert_eq!(areas(dump)[0].bytes, expected);
        let damaged = dump.replace("... 2", "... 99999999999");
        assert_eq!(areas(&damaged)[0].bytes, expected);
        assert_eq!(
            areas("LOCAL-STORAGE of PAY  4 bytes\n  ... 5 times the same\n"),
            []
        );
    }
}
