//! Names of months and week days as pictures write them: width, case, trailing blanks.
//!
//! Source: *Date and time services* of the Language Environment programming reference. Not here:
//! other languages than English.

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
/// Lilian day 1 was a Friday.
pub(super) const WEEK_DAYS: [&str; 7] = [
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
];
/// Characters of a name that is not cut short to three.
const NAME_MAX: usize = 20;
/// How the name of a month or week day is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    width: usize,
    upper: bool,
    /// Trailing blanks are left out.
    suppressed: bool,
}

impl Name {
    /// MMM, Mmmmm, WWWWWZ and the like at the start of a picture: its letter, and its length.
    pub(super) fn of(picture: &[u8]) -> Option<(u8, Name, usize)> {
        let letter = picture.first()?.to_ascii_uppercase();
        let width = picture
            .iter()
            .take_while(|b| b.to_ascii_uppercase() == letter)
            .count()
            .min(NAME_MAX);
        if !matches!(letter, b'M' | b'W') || width < 3 {
            return None;
        }
        // ZM, ZD and ZH behind a name are parts of their own.
        let behind = |n: usize, of: &[u8]| {
            let byte = picture.get(width + n).map(u8::to_ascii_uppercase);
            byte.is_some_and(|b| of.contains(&b))
        };
        let suppressed = behind(0, b"Z") && !behind(1, b"MDH");
        let name = Name {
            width: width + usize::from(suppressed),
            upper: picture[1].is_ascii_uppercase(),
            suppressed,
        };
        Some((letter, name, name.width))
    }

    /// `None`: it is longer than its place.
    pub(super) fn write(self, name: &str) -> Option<Vec<u8>> {
        let name = if self.width == 3 { &name[..3] } else { name };
        if name.len() > self.width {
            return None;
        }
        let mut out = name.as_bytes().to_vec();
        if self.upper {
            out.make_ascii_uppercase();
        }
        if !self.suppressed {
            out.resize(self.width, b' ');
        }
        Some(out)
    }

    /// Number of the name that a text begins with.
    pub(super) fn read(self, text: &mut &[u8], names: &[&str]) -> Option<usize> {
        let begins = |name: &str| {
            let name = if self.width == 3 { &name[..3] } else { name };
            let there = text.get(..name.len());
            there
                .is_some_and(|t| t.eq_ignore_ascii_case(name.as_bytes()))
                .then_some(name.len())
        };
        let (at, len) = names
            .iter()
            .enumerate()
            .find_map(|(n, name)| Some((n, begins(name)?)))?;
        let len = if self.suppressed { len } else { self.width };
        *text = text.get(len..)?;
        Some(at)
    }
}
