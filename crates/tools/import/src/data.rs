//! Files with records: which data set a file holds, and in which form it goes to `data/`.
//!
//! Why: a data set that came as text is lines, one that came as it was is EBCDIC, and read as the
//! other it is nonsense. Not here: converting records that have fields which are no characters.

use crate::walk::{Found, reason};
use std::fs;
use transom_copybook::CodePage;
use transom_messages::{Message, im};

/// Longest file of records.
pub(crate) const FILE_MAX: u64 = 4 << 30;
/// Bytes looked at to tell what a file holds.
const SAMPLE: usize = 1 << 20;
/// Bytes behind X'00' that must be letters or digits.
const WORD: usize = 2;
/// Blank, and the last byte below it, in EBCDIC.
const FIRST_CHARACTER: u8 = 0x40;

/// The form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Lines of text.
    Lines,
    /// Records in EBCDIC, all of them usual characters or X'00', which stays what it is.
    Ebcdic,
    /// Text without line ends.
    Text,
    /// Records with bytes that are no characters.
    Bytes,
}

/// The file that holds a data set: of its name, or of its last qualifiers.
pub(crate) fn find<'f>(files: &'f [Found], name: &str) -> Option<&'f Found> {
    all(files, name).first().copied()
}

/// A file of the same rank whose records are others.
pub(crate) fn another<'f>(files: &'f [Found], name: &str) -> Option<&'f Found> {
    let mut found = all(files, name).into_iter();
    let first = found.next()?;
    found.find(|other| {
        other.bytes != first.bytes || fs::read(&other.path).ok() != fs::read(&first.path).ok()
    })
}

/// The files of the best rank.
fn all<'f>(files: &'f [Found], name: &str) -> Vec<&'f Found> {
    let equal = |file: &&Found| file.name().eq_ignore_ascii_case(name);
    let text = |file: &&Found| {
        let name_of = file.name();
        name_of.len() == name.len() + 4
            && name_of[..name.len().min(name_of.len())].eq_ignore_ascii_case(name)
            && file.ending() == "txt"
    };
    let last = |file: &&Found| {
        let qualifiers = format!(".{}", file.name().to_ascii_uppercase());
        name.ends_with(&qualifiers) && file.name().contains('.')
    };
    let ranks: [&dyn Fn(&&Found) -> bool; 3] = [&equal, &text, &last];
    let mut found = ranks
        .iter()
        .map(|rank| files.iter().filter(rank).collect::<Vec<_>>());
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Looks at the beginning of a file.
pub(crate) fn form(file: &Found) -> Result<Form, Message> {
    let not_read = |why| im::not_read(&file.shown, reason(&why));
    let mut sample = vec![0; SAMPLE];
    let mut input = fs::File::open(&file.path).map_err(not_read)?;
    let mut read = 0;
    loop {
        match std::io::Read::read(&mut input, &mut sample[read..]).map_err(not_read)? {
            0 => break,
            n => read += n,
        }
    }
    Ok(form_of(&sample[..read]))
}

fn form_of(sample: &[u8]) -> Form {
    let ascii = |b: &u8| matches!(b, b' '..=b'~' | b'\n' | b'\r' | b'\t');
    if sample.iter().all(ascii) {
        return match sample.contains(&b'\n') || sample.is_empty() {
            true => Form::Lines,
            false => Form::Text,
        };
    }
    let page = &CodePage::all()[0];
    // Digits of packed numbers are letters with accents and signs that texts of a business have
    // seldom; whoever has some is told to load the file with its copybook.
    let is_character = |b: &u8| {
        let c = page.to_char[usize::from(*b)];
        *b >= FIRST_CHARACTER && c.is_ascii() && !c.is_control()
    };
    if sample.windows(2).any(is_packed) {
        return Form::Bytes;
    }
    // A number in binary or packed form has X'00' in front; low values stand before words.
    let is_of_word = |b: &u8| page.to_char[usize::from(*b)].is_ascii_alphanumeric();
    let sound = sample
        .split(|b| *b == 0)
        .enumerate()
        .all(|(number, words)| {
            let begins = number == 0 || words.iter().take(WORD).all(is_of_word);
            begins && words.iter().all(is_character)
        });
    match sound {
        true => Form::Ebcdic,
        false => Form::Bytes,
    }
}

/// The end of a packed number in what could be characters: small letters before `<`, `*` or `%`.
fn is_packed(pair: &[u8]) -> bool {
    let digits = |b: u8| matches!(b >> 4, 8 | 9) && (1..=9).contains(&(b & 15));
    matches!(pair, [first, 0x4C | 0x5C | 0x6C] if digits(*first))
}

/// Text without line ends as lines of `length` bytes.
pub(crate) fn lines(bytes: &[u8], length: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / length.max(1));
    for record in bytes.chunks(length.max(1)) {
        out.extend_from_slice(record);
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn bytes_tell_their_form() {
        assert_eq!(form_of(b"0001 A\n0002 B\n"), Form::Lines);
        assert_eq!(form_of(b"0001 A0002 B"), Form::Text);
        assert_eq!(form_of(&[0xF0, 0xF1, 0x40, 0xC1, 0xC0, 0xD0]), Form::Ebcdic);
        assert_eq!(form_of(&[0xF0, 0xF1, 0x00, 0x0C]), Form::Bytes);
        assert_eq!(
            form_of(&[0xF0, 0xF1, 0x00, 0x5C, 0xC1]),
            Form::Bytes,
            "packed 5"
        );
        assert_eq!(
            form_of(&[0xF0, 0xF1, 0x00, 0x40, 0xC1]),
            Form::Bytes,
            "binary 64"
        );
        assert_eq!(
            form_of(&[0x00, 0x00, 0xF0, 0xF1, 0x00]),
            Form::Ebcdic,
            "low values"
        );
        for packed in [[0xF1, 0x45, 0x6C], [0xF1, 0x99, 0x9C], [0xF1, 0x87, 0x5C]] {
            assert_eq!(form_of(&packed), Form::Bytes, "a small file: {packed:02X?}");
        }
        let percent = [0xF5, 0xF0, 0x6C, 0x40, 0x96, 0x86, 0x86];
        assert_eq!(form_of(&percent), Form::Ebcdic, "50% off");
        assert_eq!(lines(b"AABBC", 2), b"AA\nBB\nC\n");
    }

    #[test]
    fn a_file_is_found_by_the_end_of_the_name() {
        let file = |name: &str| Found {
            path: PathBuf::new(),
            shown: format!("data/{name}"),
            bytes: 0,
        };
        let files = [file("cust.txt"), file("BANK.PROD.CUST.txt"), file("CUST")];
        let name = |dsn| find(&files, dsn).map(Found::name);
        assert_eq!(name("BANK.PROD.CUST"), Some("BANK.PROD.CUST.txt"));
        assert_eq!(name("BANK.CUST.TXT"), Some("cust.txt"));
        assert_eq!(name("BANK.CUST"), None);
    }
}
