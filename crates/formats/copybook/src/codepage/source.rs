//! Program text from bytes: ASCII or EBCDIC, lines or records of 80 bytes.
//!
//! Why: a member that was copied in binary is EBCDIC in records of 80 bytes, and read as ASCII it
//! is no program at all. Not here: UTF-16, and data, whose code page is always said.

use super::CodePage;

/// Program text as characters and lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    pub text: String,
    /// The bytes were EBCDIC.
    pub ebcdic: bool,
}

/// EBCDIC without line ends, and not in records of [`RECORD`] bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoLines;

/// Bytes of a source record.
pub const RECORD: usize = 80;
/// NL and LF of EBCDIC.
const NEW_LINES: [u8; 2] = [0x15, 0x25];
/// Bytes looked at to tell EBCDIC from ASCII.
const SAMPLE: usize = 65_536;

/// Reads program text; `page` is used where it is EBCDIC. What is neither EBCDIC nor UTF-8 is ISO
/// 8859-1.
///
/// # Errors
/// Lines cannot be told.
pub fn source_text(bytes: Vec<u8>, page: &CodePage) -> Result<SourceText, NoLines> {
    if !is_ebcdic(&bytes) {
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(e) => e.into_bytes().iter().map(|b| char::from(*b)).collect(),
        };
        let text = if text.is_ascii() && is_records(text.as_bytes(), b"\n\r") {
            lines(text.as_bytes().chunks(RECORD), char::from)
        } else {
            text
        };
        return Ok(SourceText {
            text,
            ebcdic: false,
        });
    }
    let decode = |b: u8| page.to_char[usize::from(b)];
    let text = if is_records(&bytes, &[0x15, 0x25, b'\n']) {
        lines(bytes.chunks(RECORD), decode)
    } else if bytes.iter().any(|b| NEW_LINES.contains(b) || *b == b'\n') {
        let end = |b: &u8| NEW_LINES.contains(b) || *b == b'\n';
        let whole = bytes.strip_suffix(&[0x15]).or(bytes.strip_suffix(&[0x25]));
        let whole = whole.or(bytes.strip_suffix(b"\n")).unwrap_or(&bytes);
        lines(whole.split(end), decode)
    } else {
        return Err(NoLines);
    };
    Ok(SourceText { text, ebcdic: true })
}

fn is_records(bytes: &[u8], ends: &[u8]) -> bool {
    bytes.len() > RECORD
        && bytes.len().is_multiple_of(RECORD)
        && !bytes.iter().any(|b| ends.contains(b))
}

fn lines<'a>(records: impl Iterator<Item = &'a [u8]>, decode: impl Fn(u8) -> char) -> String {
    let mut text = String::new();
    for record in records {
        let line: String = record.iter().map(|b| decode(*b)).collect();
        text.push_str(line.trim_end_matches([' ', '\r']));
        text.push('\n');
    }
    text
}

/// Letters and digits of EBCDIC are no UTF-8, and its blank is `@`, which few programs hold.
fn is_ebcdic(bytes: &[u8]) -> bool {
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let count = |is: fn(&u8) -> bool| sample.iter().filter(|b| is(b)).count();
    let words = count(|b| {
        matches!(b, 0x81..=0x89 | 0x91..=0x99 | 0xA2..=0xA9 | 0xC1..=0xC9 | 0xD1..=0xD9
            | 0xE2..=0xE9 | 0xF0..=0xF9)
    });
    let (blanks, ascii_blanks) = (count(|b| *b == 0x40), count(|b| *b == 0x20));
    // Records of 80 bytes may be blank for the most part, and comments full of asterisks.
    let many = words * 10 >= sample.len() || words * 2 >= sample.len() - blanks;
    many && blanks > 4 * ascii_blanks && words > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. PAY.\n";

    fn page() -> &'static CodePage {
        CodePage::by_ccsid(37).unwrap()
    }

    fn encoded(text: &str, end: Option<u8>) -> Vec<u8> {
        let mut out = Vec::new();
        for line in text.lines() {
            let (mut bytes, _) = page().encode(line);
            match end {
                Some(end) => bytes.push(end),
                None => bytes.resize(RECORD, 0x40),
            }
            out.extend(bytes);
        }
        out
    }

    #[test]
    fn ebcdic_comes_with_lines_or_in_records() {
        for end in [Some(0x15), Some(0x25), Some(b'\n'), None] {
            let read = source_text(encoded(PROGRAM, end), page()).unwrap();
            assert_eq!(read.text, PROGRAM, "{end:?}");
            assert!(read.ebcdic);
        }
        let card = encoded("//S EXEC PGM=A", None);
        assert!(
            source_text([card.clone(), card].concat(), page())
                .unwrap()
                .ebcdic
        );
        let mut cut = encoded(PROGRAM, None);
        cut.pop();
        assert_eq!(source_text(cut, page()), Err(NoLines));
    }

    #[test]
    fn ascii_stays_as_it_is_but_for_records() {
        let read = |bytes: &[u8]| source_text(bytes.to_vec(), page()).unwrap();
        assert_eq!(read(PROGRAM.as_bytes()).text, PROGRAM);
        assert_eq!(read(b"* M\xfcller @@@@@@\n").text, "* M\u{fc}ller @@@@@@\n");
        let records: String = PROGRAM.lines().map(|l| format!("{l:<80}")).collect();
        let read = read(records.as_bytes());
        assert_eq!((read.text.as_str(), read.ebcdic), (PROGRAM, false));
        assert_eq!(source_text(Vec::new(), page()).unwrap().text, "");
    }
}
