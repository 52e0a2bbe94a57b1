//! Where a compiled program has its records (level 01 and 77 of WORKING-STORAGE), and where it
//! keeps the addresses of what it was called with.
//!
//! What: the local symbols of a module file that are COBOL storage. cobc gives each record of a
//! program a variable of its own and numbers them in the order of the source; the linker puts them
//! anywhere. An item of LINKAGE is a variable with its address: named as a record, or as a
//! parameter when the program is called with it. Why from the file: the loader
//! drops local symbols, and only dumps and debuggers ask. Not here: names of items and what lies
//! inside a record.

const SECTIONS: usize = 40;
const SECTION_HEADER: usize = 64;
const SYMBOL: usize = 24;
const SYMTAB: usize = 2;
/// A variable: type OBJECT, bound locally.
const LOCAL_OBJECT: u8 = 1;
/// Registers of the run time (RETURN-CODE and the like) are numbers of four bytes below this one.
const FIRST_RECORD: u32 = 8;

/// Number, offset in the module and length of each record, in the order of the source; empty: this
/// is no module of cobc, or its symbols were taken off. The numbers are those of cobc, which leaves
/// out records that the program does not use.
pub fn records(file: &[u8]) -> Vec<(u32, usize, usize)> {
    in_order(file, b"b_")
}

/// The same of variables with the addresses of parameters (PROCEDURE DIVISION USING, ENTRY).
pub fn parameters(file: &[u8]) -> Vec<(u32, usize, usize)> {
    in_order(file, b"cob_parm_")
}

fn in_order(file: &[u8], prefix: &[u8]) -> Vec<(u32, usize, usize)> {
    let mut found = symbols(file, prefix).unwrap_or_default();
    found.sort_unstable();
    found.dedup();
    found
}

/// The same as they are found.
fn symbols(file: &[u8], prefix: &[u8]) -> Option<Vec<(u32, usize, usize)>> {
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let section = |n: usize| {
        let at = number(file, SECTIONS, 8)?.checked_add(n.checked_mul(SECTION_HEADER)?)?;
        Some((
            at,
            number(file, at.checked_add(24)?, 8)?,
            number(file, at.checked_add(32)?, 8)?,
        ))
    };
    let count = number(file, 60, 2)?;
    let mut found = Vec::new();
    for n in 0..count {
        let (at, start, bytes) = section(n)?;
        if number(file, at.checked_add(4)?, 4)? != SYMTAB {
            continue;
        }
        let (_, names, _) = section(number(file, at.checked_add(40)?, 4)?)?;
        let table = file.get(start..start.checked_add(bytes)?)?;
        for symbol in table.chunks_exact(SYMBOL) {
            let name = names.checked_add(number(symbol, 0, 4)?)?;
            let record = file
                .get(name..)
                .and_then(|name| record_number(name, prefix));
            let (at, bytes) = (number(symbol, 8, 8)?, number(symbol, 16, 8)?);
            if let Some(record) = record.filter(|_| symbol[4] == LOCAL_OBJECT && bytes > 0) {
                found.push((record, at, bytes));
            }
        }
    }
    Some(found)
}

/// `b_12` or `b_12.3`: record 12.
fn record_number(name: &[u8], prefix: &[u8]) -> Option<u32> {
    let name = name.strip_prefix(prefix)?;
    let end = name.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, rest) = name.split_at(end);
    let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (matches!(rest.first(), Some(0 | b'.')) && number >= FIRST_RECORD).then_some(number)
}

/// A little-endian number of so many bytes.
fn number(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(width)?)?;
    let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
    usize::try_from(field.iter().rev().fold(0, fold)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_records() {
        assert_eq!(record_number(b"b_12\0x", b"b_"), Some(12));
        assert_eq!(record_number(b"b_8.2\0", b"b_"), Some(8));
        assert_eq!(record_number(b"cob_parm_20\0", b"cob_parm_"), Some(20));
        // RETURN-CODE, a field, another variable.
        for other in [&b"b_2.3\0"[..], b"f_9.5\0", b"b_x\0", b"b_12"] {
            assert_eq!(record_number(other, b"b_"), None);
        }
    }

    #[test]
    fn a_damaged_file_has_none() {
        assert_eq!(records(b""), []);
        assert_eq!(records(b"\x7fELF\x02\x01"), []);
        let mut file = vec![0xFF; 4096];
        file[..6].copy_from_slice(b"\x7fELF\x02\x01");
        assert_eq!(records(&file), []);
    }
}
