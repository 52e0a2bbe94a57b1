//! Kinds of values: what a text of transom.toml must look like to become one.

use crate::problem::Needed;
use core::net::IpAddr;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What values a setting takes.
pub(crate) trait Kind {
    /// A checked value.
    type Value;

    /// Takes a text.
    fn check(&self, text: &str) -> Result<Self::Value, Needed>;

    /// What it takes, for the reference page; stands for `{values}` in a meaning.
    fn values(&self) -> String {
        String::new()
    }

    /// The highest value or length; stands for `{max}` in a meaning.
    fn max(&self) -> String {
        String::new()
    }
}

/// A whole number with bounds, both inclusive.
pub(crate) struct Number<T>(pub(crate) T, pub(crate) T);

/// A whole number from 0 to a bound.
pub(crate) struct UpTo<T>(pub(crate) T);

/// Whole seconds, with bounds as [`Number`] has them.
pub(crate) struct Seconds(pub(crate) u64, pub(crate) u64);

/// hhmmss between two numbers of seconds, which it becomes; zeros in front may be left out.
pub(crate) struct TimeOfDay(pub(crate) u32, pub(crate) u32);

/// Blanks around a value do not count.
pub(crate) struct Trimmed<K>(pub(crate) K);

/// YES or NO.
pub(crate) struct YesNo;

/// One of these words, in any case.
pub(crate) struct Word(pub(crate) &'static [&'static str]);

/// A name of at most this many characters, in upper case.
pub(crate) struct Name(pub(crate) usize);

/// A name of letters, digits and national characters.
pub(crate) struct NationalName(pub(crate) usize);

/// Up to this many names of at most 8 characters, separated by commas or as a TOML array.
pub(crate) struct Names(pub(crate) usize);

/// Codes of national languages, one character each, as NATLANG has them.
pub(crate) struct Languages;

/// Program names, each with at most a final `*`.
pub(crate) struct Programs(pub(crate) usize);

/// Names in upper case, separated by commas or blanks.
pub(crate) struct NameList;

/// Free text of at most this many characters.
pub(crate) struct Text(pub(crate) usize);

/// A text that somebody else reads.
pub(crate) struct Anything;

/// A path below the system directory.
pub(crate) struct Inside;

/// Any path.
pub(crate) struct AnyPath;

/// An IP address.
pub(crate) struct Address;

/// A mask of permissions, three octal digits; the user's own are never taken away.
pub(crate) struct Umask;

fn needed<T>(why: impl Into<String>) -> Result<T, Needed> {
    Err(Needed(why.into()))
}

impl<T: FromStr + PartialOrd + Display> Kind for Number<T> {
    type Value = T;

    fn check(&self, text: &str) -> Result<T, Needed> {
        match text.parse::<T>() {
            Ok(n) if (&self.0..=&self.1).contains(&&n) => Ok(n),
            _ => needed(format!(
                "a whole number from {} to {} is needed",
                self.0, self.1
            )),
        }
    }

    fn values(&self) -> String {
        format!("{} to {}", self.0, self.1)
    }

    fn max(&self) -> String {
        self.1.to_string()
    }
}

impl<T: FromStr + PartialOrd + Display> Kind for UpTo<T> {
    type Value = T;

    fn check(&self, text: &str) -> Result<T, Needed> {
        match text.parse::<T>() {
            Ok(n) if n <= self.0 => Ok(n),
            _ => needed(format!("a whole number up to {} is needed", self.0)),
        }
    }

    fn max(&self) -> String {
        self.0.to_string()
    }
}

impl Kind for Seconds {
    type Value = Duration;

    fn check(&self, text: &str) -> Result<Duration, Needed> {
        self.number().check(text).map(Duration::from_secs)
    }

    fn values(&self) -> String {
        self.number().values()
    }

    fn max(&self) -> String {
        self.number().max()
    }
}

impl Seconds {
    fn number(&self) -> Number<u64> {
        Number(self.0, self.1)
    }
}

impl Kind for TimeOfDay {
    type Value = u32;

    fn check(&self, text: &str) -> Result<u32, Needed> {
        let digits = (1..=6).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        let number = text.parse::<u32>().ok().filter(|_| digits);
        let seconds = number.and_then(|n| {
            let (hours, minutes, seconds) = (n / 10_000, n / 100 % 100, n % 100);
            (minutes < 60 && seconds < 60).then_some(hours * 3_600 + minutes * 60 + seconds)
        });
        match seconds.filter(|s| (self.0..=self.1).contains(s)) {
            Some(seconds) => Ok(seconds),
            None => needed(format!("a time {} is needed", self.values())),
        }
    }

    fn values(&self) -> String {
        let shown = |s: u32| format!("{:02}{:02}{:02}", s / 3_600, s / 60 % 60, s % 60);
        format!("from {} to {}", shown(self.0), shown(self.1))
    }

    fn max(&self) -> String {
        self.1.to_string()
    }
}

impl<K: Kind> Kind for Trimmed<K> {
    type Value = K::Value;

    fn check(&self, text: &str) -> Result<K::Value, Needed> {
        self.0.check(text.trim())
    }

    fn values(&self) -> String {
        self.0.values()
    }

    fn max(&self) -> String {
        self.0.max()
    }
}

impl Kind for YesNo {
    type Value = bool;

    fn check(&self, text: &str) -> Result<bool, Needed> {
        match text.to_ascii_uppercase().as_str() {
            "YES" | "Y" => Ok(true),
            "NO" | "N" => Ok(false),
            _ => needed("YES or NO is needed"),
        }
    }
}

impl Kind for Word {
    type Value = &'static str;

    fn check(&self, text: &str) -> Result<&'static str, Needed> {
        let text = text.trim();
        let mut words = self.0.iter().copied();
        match words.find(|word| word.eq_ignore_ascii_case(text)) {
            Some(word) => Ok(word),
            None => needed(format!("one of {} is needed", self.0.join(", "))),
        }
    }

    fn values(&self) -> String {
        self.0.join(", ")
    }
}

impl Kind for Name {
    type Value = String;

    fn check(&self, text: &str) -> Result<String, Needed> {
        let upper = text.trim().to_ascii_uppercase();
        match upper.is_empty() || upper.len() > self.0 || !upper.is_ascii() {
            true => needed(format!("1 to {} characters are needed", self.0)),
            false => Ok(upper),
        }
    }

    fn values(&self) -> String {
        format!("name, 1 to {}", self.0)
    }
}

impl Kind for NationalName {
    type Value = String;

    fn check(&self, text: &str) -> Result<String, Needed> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "@#$".contains(c);
        match !text.is_empty() && text.len() <= self.0 && text.chars().all(plain) {
            true => Ok(text.to_ascii_uppercase()),
            false => needed(format!(
                "1 to {} letters, digits, @, # or $ are needed",
                self.0
            )),
        }
    }

    fn values(&self) -> String {
        format!("1 to {}", self.0)
    }

    fn max(&self) -> String {
        self.0.to_string()
    }
}

impl Kind for Names {
    type Value = Vec<String>;

    fn check(&self, text: &str) -> Result<Vec<String>, Needed> {
        let upper = text.trim().to_ascii_uppercase();
        let names = upper.trim_matches(['(', ')']).split(',').map(str::trim);
        let names: Vec<String> = names.map(str::to_owned).collect();
        if names.len() > self.0 || names.iter().any(|n| n.len() > 8) {
            return needed(format!(
                "at most {} names of 1 to 8 characters are allowed",
                self.0
            ));
        }
        Ok(names.into_iter().filter(|n| !n.is_empty()).collect())
    }

    fn values(&self) -> String {
        format!("up to {} names", self.0)
    }
}

impl Kind for Languages {
    type Value = String;

    fn check(&self, text: &str) -> Result<String, Needed> {
        let codes = text.trim().trim_matches(['(', ')']).to_ascii_uppercase();
        let mut codes = codes.split(',').map(str::trim);
        let is_one = |code: &&str| {
            let byte = code.bytes().next().filter(|_| code.len() == 1);
            byte.is_some_and(|byte| byte.is_ascii_uppercase() || (b'1'..=b'9').contains(&byte))
        };
        match codes.clone().all(|code| is_one(&code)) {
            true => Ok(codes.by_ref().collect()),
            false => needed("codes of one letter or digit with commas between are needed"),
        }
    }

    fn values(&self) -> String {
        "codes of one character".to_owned()
    }
}

impl Kind for Programs {
    type Value = Vec<String>;

    fn check(&self, text: &str) -> Result<Vec<String>, Needed> {
        let names = text.split(',').map(|n| n.trim().to_ascii_uppercase());
        let names: Vec<String> = names.collect();
        let good = |name: &String| {
            let stem = name.strip_suffix('*').unwrap_or(name);
            !name.is_empty() && name.len() <= 8 && !stem.contains('*')
        };
        match names.len() <= self.0 && names.iter().all(good) {
            true => Ok(names),
            false => needed("program names of 1 to 8 characters are needed, `*` only at the end"),
        }
    }
}

impl Kind for NameList {
    type Value = Vec<String>;

    fn check(&self, text: &str) -> Result<Vec<String>, Needed> {
        let names = text.split([',', ' ']).filter(|name| !name.is_empty());
        Ok(names.map(str::to_ascii_uppercase).collect())
    }
}

impl Kind for Text {
    type Value = String;

    fn check(&self, text: &str) -> Result<String, Needed> {
        match text.len() > self.0 {
            true => needed(format!("at most {} characters are allowed", self.0)),
            false => Ok(text.to_owned()),
        }
    }

    fn values(&self) -> String {
        format!("text, up to {}", self.0)
    }
}

impl Kind for Anything {
    type Value = String;

    fn check(&self, text: &str) -> Result<String, Needed> {
        Ok(text.to_owned())
    }
}

impl Kind for Inside {
    type Value = String;

    fn check(&self, path: &str) -> Result<String, Needed> {
        let escapes = path.split(['/', '\\']).any(|part| part == "..");
        match path.is_empty() || path.starts_with('/') || escapes {
            true => needed("a path below the system directory is needed"),
            false => Ok(path.to_owned()),
        }
    }
}

impl Kind for AnyPath {
    type Value = PathBuf;

    fn check(&self, path: &str) -> Result<PathBuf, Needed> {
        match path.is_empty() {
            true => needed("a path is needed"),
            false => Ok(path.into()),
        }
    }
}

impl Kind for Address {
    type Value = IpAddr;

    fn check(&self, text: &str) -> Result<IpAddr, Needed> {
        let address = text.parse();
        address.or_else(|_| needed("an IP address is needed"))
    }
}

impl Kind for Umask {
    type Value = u32;

    fn check(&self, text: &str) -> Result<u32, Needed> {
        let octal = text.len() == 3 && text.starts_with('0');
        let mask = u32::from_str_radix(text, 8).ok().filter(|_| octal);
        mask.map_or_else(|| needed(format!("{} is needed", self.values())), Ok)
    }

    fn values(&self) -> String {
        "three octal digits that begin with 0".into()
    }
}
