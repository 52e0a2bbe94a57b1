//! Single-byte code pages: byte -> character, character -> byte, byte -> what a JSON writer must do
//! with it, and translate tables to and from ISO 8859-1, the code of data inside programs.
//!
//! Every table is computed at compile time from the ones in `tables`. Double-byte and mixed EBCDIC
//! pages (930, 933, 935, 937, 939 ...) are not here; UTF-8 and UTF-16 are recognised by
//! [`Encoding`] but need no table.

pub mod collating;
mod recode;
mod source;
mod tables;

pub use recode::{Recoded, recode};
pub use source::{NoLines, RECORD, SourceText, source_text};

/// One byte of a code page as seen by a JSON writer.
pub type Class = u8;
/// One byte of output, equal to [`CodePage::ascii`]; may be copied.
pub const PLAIN: Class = 0;
/// ASCII, but JSON wants it escaped: a control character, `"` or `\`.
pub const ESCAPE: Class = 1;
/// Not ASCII: two or three bytes of UTF-8.
pub const MULTIBYTE: Class = 2;

/// Substitute for a character the target has not got: SUB of ASCII and of EBCDIC.
pub const SUB_ASCII: u8 = 0x1A;
/// See [`SUB_ASCII`].
pub const SUB_EBCDIC: u8 = 0x3F;

/// A single-byte code page.
#[derive(Debug)]
pub struct CodePage {
    pub ccsid: u32,
    /// The usual spelling, such as `IBM-037`.
    pub name: &'static str,
    pub ebcdic: bool,
    /// The blank: X'40' or X'20'.
    pub space: u8,
    /// The digit zero: X'F0' or X'30'; the others follow it.
    pub zero: u8,
    /// Byte to character.
    pub to_char: [char; 256],
    /// What a JSON writer must do with the byte: [`PLAIN`], [`ESCAPE`] or [`MULTIBYTE`].
    pub class: [Class; 256],
    /// The ASCII byte where the class is `PLAIN` or `ESCAPE`, else [`SUB_ASCII`].
    pub ascii: [u8; 256],
    /// This page to ISO 8859-1; characters outside it become [`SUB_ASCII`].
    pub to_latin1: [u8; 256],
    /// ISO 8859-1 to this page; characters this page has not got become its substitute character.
    pub from_latin1: [u8; 256],
    /// Bit `b` of word `w` is set if the ISO 8859-1 character `64 * w + b` is in this page.
    has_latin1: [u64; 4],
    /// Characters above U+00FF with their bytes, ascending; only the first `others_len` count.
    others: [(char, u8); OTHERS_MAX],
    others_len: usize,
}

/// More characters outside ISO 8859-1 than any page here has (437 has the most).
const OTHERS_MAX: usize = 112;

impl CodePage {
    /// The single-byte page of a CCSID, if it is one of those known.
    pub fn by_ccsid(ccsid: u32) -> Option<&'static CodePage> {
        PAGES
            .iter()
            .copied()
            .find(|p| p.ccsid == ccsid)
            .or(match ccsid {
                5348 => Some(&CP1252), // 1252 with the euro sign, which the table here has anyway
                367 => Some(&CP819),   // US-ASCII: a subset
                _ => None,
            })
    }

    /// By name, in any of the usual spellings: `IBM-037`, `IBM037`, `cp037`, `CP37`, `037`,
    /// `ISO8859-1`, `LATIN1`.
    pub fn by_name(name: &str) -> Option<&'static CodePage> {
        CodePage::by_ccsid(ccsid_of(name)?)
    }

    /// All pages, ascending by CCSID.
    pub fn all() -> &'static [&'static CodePage] {
        &PAGES
    }

    /// The byte of a character, if the page has it.
    pub fn from_char(&self, c: char) -> Option<u8> {
        let code = c as u32;
        if code < 256 {
            let held = self.has_latin1[(code / 64) as usize] >> (code % 64) & 1 == 1;
            return held.then(|| self.from_latin1[code as usize]);
        }
        let others = &self.others[..self.others_len];
        others
            .binary_search_by_key(&c, |o| o.0)
            .ok()
            .map(|i| others[i].1)
    }

    /// This page's substitute character.
    pub const fn substitute(&self) -> u8 {
        if self.ebcdic { SUB_EBCDIC } else { SUB_ASCII }
    }

    /// Bytes of this page as text.
    pub fn decode(&self, bytes: &[u8]) -> String {
        bytes.iter().map(|&b| self.to_char[b as usize]).collect()
    }

    /// Text in this page; characters it has not got become its substitute, and their number is
    /// returned too.
    pub fn encode(&self, text: &str) -> (Vec<u8>, usize) {
        let mut lost = 0;
        let bytes = text
            .chars()
            .map(|c| {
                self.from_char(c).unwrap_or_else(|| {
                    lost += 1;
                    self.substitute()
                })
            })
            .collect();
        (bytes, lost)
    }

    /// The 256-byte table from this page to `target`, through Unicode.
    pub fn translate_table(&self, target: &CodePage) -> [u8; 256] {
        let mut table = [target.substitute(); 256];
        for (slot, &c) in table.iter_mut().zip(&self.to_char) {
            if let Some(b) = target.from_char(c) {
                *slot = b;
            }
        }
        table
    }

    const fn build(ccsid: u32, name: &'static str, ebcdic: bool, to_char: [char; 256]) -> CodePage {
        let sub = if ebcdic { SUB_EBCDIC } else { SUB_ASCII };
        let mut page = CodePage {
            ccsid,
            name,
            ebcdic,
            space: if ebcdic { 0x40 } else { 0x20 },
            zero: if ebcdic { 0xF0 } else { 0x30 },
            to_char,
            class: [PLAIN; 256],
            ascii: [SUB_ASCII; 256],
            to_latin1: [SUB_ASCII; 256],
            from_latin1: [sub; 256],
            has_latin1: [0; 4],
            others: [('\0', 0); OTHERS_MAX],
            others_len: 0,
        };
        let mut b = 0;
        while b < 256 {
            page.enter(b);
            b += 1;
        }
        page
    }

    const fn enter(&mut self, byte: usize) {
        let c = self.to_char[byte];
        let code = c as usize;
        self.class[byte] = match code {
            0..0x20 | 0x22 | 0x5C => ESCAPE,
            0x20..0x80 => PLAIN,
            _ => MULTIBYTE,
        };
        if code < 128 {
            self.ascii[byte] = code as u8;
        }
        if code < 256 {
            self.to_latin1[byte] = code as u8;
            self.from_latin1[code] = byte as u8;
            self.has_latin1[code / 64] |= 1 << (code % 64);
            return;
        }
        let mut at = self.others_len;
        while at > 0 && self.others[at - 1].0 as usize > code {
            self.others[at] = self.others[at - 1];
            at -= 1;
        }
        self.others[at] = (c, byte as u8);
        self.others_len += 1;
    }
}

/// How characters are coded: what a CCSID property of a resource or archive may name.
#[derive(Debug, Clone, Copy)]
pub enum Encoding {
    Single(&'static CodePage),
    /// CCSID 1208.
    Utf8,
    /// CCSIDs 1200 and 13488.
    Utf16Be,
}

impl Encoding {
    /// By CCSID.
    pub fn by_ccsid(ccsid: u32) -> Option<Encoding> {
        match ccsid {
            1208 => Some(Encoding::Utf8),
            1200 | 13488 => Some(Encoding::Utf16Be),
            _ => CodePage::by_ccsid(ccsid).map(Encoding::Single),
        }
    }

    /// By name, as [`CodePage::by_name`], and `UTF-8`, `UTF-16`, `UTF-16BE`, `UCS-2`.
    pub fn by_name(name: &str) -> Option<Encoding> {
        Encoding::by_ccsid(ccsid_of(name)?)
    }

    /// Its CCSID.
    pub fn ccsid(self) -> u32 {
        match self {
            Encoding::Single(page) => page.ccsid,
            Encoding::Utf8 => 1208,
            Encoding::Utf16Be => 1200,
        }
    }
}

/// The CCSID a name stands for; not necessarily one that has a table here.
pub fn ccsid_of(name: &str) -> Option<u32> {
    let plain: String = name
        .trim()
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect::<String>()
        .to_ascii_uppercase();
    match plain.as_str() {
        "ISO88591" | "88591" | "LATIN1" | "L1" => return Some(819),
        "USASCII" | "ASCII" => return Some(367),
        "WINDOWS1252" => return Some(1252),
        "UTF8" => return Some(1208),
        "UTF16" | "UTF16BE" | "UCS2" => return Some(1200),
        _ => {}
    }
    let digits = ["IBM", "CCSID", "CP", "X"]
        .iter()
        .find_map(|p| plain.strip_prefix(p))
        .unwrap_or(&plain);
    if digits.is_empty() || digits.len() > 5 {
        None
    } else {
        digits.parse().ok()
    }
}

const fn latin(table: &[u8; 256]) -> [char; 256] {
    let mut out = ['\0'; 256];
    let mut b = 0;
    while b < 256 {
        out[b] = table[b] as char;
        b += 1;
    }
    out
}

/// A country page with the currency sign replaced by the euro sign.
const fn euro(table: &[u8; 256]) -> [char; 256] {
    let mut out = latin(table);
    let mut b = 0;
    while b < 256 {
        if table[b] == 0xA4 {
            out[b] = '\u{20AC}';
        }
        b += 1;
    }
    out
}

const fn bmp(code: u16) -> char {
    match char::from_u32(code as u32) {
        Some(c) => c,
        None => '\u{FFFD}',
    }
}

/// ISO 8859-1 with the bytes from `start` on replaced by `table`.
const fn over_latin1(table: &[u16], start: usize) -> [char; 256] {
    let mut out = ['\0'; 256];
    let mut b = 0;
    while b < 256 {
        let replaced = b >= start && b < start + table.len();
        out[b] = if replaced {
            bmp(table[b - start])
        } else {
            b as u8 as char
        };
        b += 1;
    }
    out
}

macro_rules! pages {
    ($($page:ident = $ccsid:literal $name:literal $ebcdic:literal $table:expr;)*) => {
        $(#[doc = concat!("CCSID ", stringify!($ccsid), ".")]
        pub static $page: CodePage = CodePage::build($ccsid, $name, $ebcdic, $table);)*
        static PAGES: [&CodePage; [$($ccsid),*].len()] = [$(&$page),*];
    };
}

pages! {
    CP037 = 37 "IBM-037" true latin(&tables::IBM037);
    CP273 = 273 "IBM-273" true latin(&tables::IBM273);
    CP277 = 277 "IBM-277" true latin(&tables::IBM277);
    CP278 = 278 "IBM-278" true latin(&tables::IBM278);
    CP280 = 280 "IBM-280" true latin(&tables::IBM280);
    CP284 = 284 "IBM-284" true latin(&tables::IBM284);
    CP285 = 285 "IBM-285" true latin(&tables::IBM285);
    CP297 = 297 "IBM-297" true latin(&tables::IBM297);
    CP437 = 437 "IBM-437" false over_latin1(&tables::IBM437_HIGH, 128);
    CP500 = 500 "IBM-500" true latin(&tables::IBM500);
    CP819 = 819 "ISO8859-1" false over_latin1(&[], 256);
    CP850 = 850 "IBM-850" false over_latin1(&tables::IBM850_HIGH, 128);
    CP871 = 871 "IBM-871" true latin(&tables::IBM871);
    CP1026 = 1026 "IBM-1026" true over_latin1(&tables::IBM1026, 0);
    CP1047 = 1047 "IBM-1047" true latin(&tables::IBM1047);
    CP1140 = 1140 "IBM-1140" true euro(&tables::IBM037);
    CP1141 = 1141 "IBM-1141" true euro(&tables::IBM273);
    CP1142 = 1142 "IBM-1142" true euro(&tables::IBM277);
    CP1143 = 1143 "IBM-1143" true euro(&tables::IBM278);
    CP1144 = 1144 "IBM-1144" true euro(&tables::IBM280);
    CP1145 = 1145 "IBM-1145" true euro(&tables::IBM284);
    CP1146 = 1146 "IBM-1146" true euro(&tables::IBM285);
    CP1147 = 1147 "IBM-1147" true euro(&tables::IBM297);
    CP1148 = 1148 "IBM-1148" true euro(&tables::IBM500);
    CP1149 = 1149 "IBM-1149" true euro(&tables::IBM871);
    CP1252 = 1252 "IBM-1252" false over_latin1(&tables::IBM1252_80, 128);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_one_to_one() {
        for page in CodePage::all() {
            for b in 0..=255u8 {
                assert_eq!(
                    page.from_char(page.to_char[b as usize]),
                    Some(b),
                    "{} X'{b:02X}'",
                    page.name
                );
            }
            assert_eq!(page.to_char[page.zero as usize], '0');
            assert_eq!(page.to_char[page.space as usize], ' ');
        }
    }

    #[test]
    fn ebcdic_pages_hold_latin1_exactly() {
        for page in CodePage::all()
            .iter()
            .filter(|p| p.ebcdic && p.ccsid != 1026)
        {
            let missing: Vec<usize> = (0..256)
                .filter(|&c| page.from_char(c as u8 as char).is_none())
                .collect();
            let euro_page = page.ccsid > 1100;
            assert_eq!(
                missing,
                if euro_page { vec![0xA4] } else { vec![] },
                "{}",
                page.name
            );
            assert_eq!(
                page.from_char('\u{20AC}').is_some(),
                euro_page,
                "{}",
                page.name
            );
        }
    }

    #[test]
    fn well_known_bytes() {
        let text = "Hello, [CICS] {24}!\\|^~";
        assert_eq!(CP037.encode(text).0, *b"\xC8\x85\x93\x93\x96\x6B\x40\xBA\xC3\xC9\xC3\xE2\xBB\x40\xC0\xF2\xF4\xD0\x5A\xE0\x4F\xB0\xA1");
        assert_eq!(CP1047.encode("[]^").0, [0xAD, 0xBD, 0x5F]);
        assert_eq!(CP500.encode("[]!|").0, [0x4A, 0x5A, 0x4F, 0xBB]);
        assert_eq!(
            CP273.encode("\u{C4}\u{D6}\u{DC}\u{E4}\u{F6}\u{FC}\u{DF}").0,
            [0x4A, 0xE0, 0x5A, 0xC0, 0x6A, 0xD0, 0xA1]
        );
        assert_eq!(CP1140.from_char('\u{20AC}'), Some(0x9F));
        assert_eq!(CP037.encode("\u{20AC}"), (vec![SUB_EBCDIC], 1));
        assert_eq!(CP037.to_latin1[0x25], b'\n');
        assert_eq!(CP850.from_char('\u{E9}'), Some(0x82));
        assert_eq!(CP1252.decode(&[0x80, 0xE9]), "\u{20AC}\u{E9}");
    }

    #[test]
    fn classes_tell_what_json_needs() {
        assert_eq!(CP037.class[0xC1], PLAIN);
        assert_eq!(CP037.ascii[0xC1], b'A');
        assert_eq!(CP037.class[0x7F], ESCAPE); // "
        assert_eq!(CP037.class[0xE0], ESCAPE); // backslash
        assert_eq!(CP037.class[0x00], ESCAPE);
        assert_eq!(CP037.class[0x4A], MULTIBYTE); // cent sign
    }

    #[test]
    fn names_in_use_are_understood() {
        for name in [
            "IBM-037", "IBM037", "cp037", "Cp37", "037", "37", "CCSID 37", "ibm_037",
        ] {
            assert_eq!(CodePage::by_name(name).map(|p| p.ccsid), Some(37), "{name}");
        }
        assert_eq!(CodePage::by_name("ISO8859-1").map(|p| p.ccsid), Some(819));
        assert_eq!(Encoding::by_name("UTF-8").map(Encoding::ccsid), Some(1208));
        assert_eq!(
            Encoding::by_name("IBM-1200").map(Encoding::ccsid),
            Some(1200)
        );
        for name in ["", "IBM", "IBM-999", "klingon", "999999999999"] {
            assert!(CodePage::by_name(name).is_none(), "{name}");
        }
    }

    #[test]
    fn pages_translate_to_each_other() {
        let table = CP1047.translate_table(&CP037);
        assert_eq!(table[0xAD], 0xBA); // [
        assert_eq!(table[0xC1], 0xC1);
    }
}
