//! Names of datasets.
//!
//! What: up to 44 characters in qualifiers of up to 8, as z/OS has them. Why: two spellings must
//! not be two datasets. Not here: patterns, high-level qualifier rules.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Why a text is no dataset name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DatasetNameError {
    /// Empty or too long.
    Length,
    /// This part begins with a digit, is too long, or has a character no qualifier has.
    Qualifier(String),
}

impl fmt::Display for DatasetNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => {
                let most = DatasetName::LENGTH_MAX;
                write!(f, "a dataset name has 1 to {most} characters")
            }
            Self::Qualifier(part) => write!(
                f,
                "{part:?} is no qualifier: a letter, then up to 7 letters, digits, @ # $ -"
            ),
        }
    }
}

impl std::error::Error for DatasetNameError {}

/// A dataset name, in capitals.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DatasetName(String);

impl DatasetName {
    /// Most characters.
    pub const LENGTH_MAX: usize = 44;

    /// Checks a name; small letters become capitals.
    pub fn new(text: &str) -> Result<Self, DatasetNameError> {
        let name = text.trim().to_ascii_uppercase();
        if name.is_empty() || name.len() > Self::LENGTH_MAX {
            return Err(DatasetNameError::Length);
        }
        for part in name.split('.') {
            let mut bytes = part.bytes();
            let first = bytes
                .next()
                .is_some_and(|b| b.is_ascii_uppercase() || is_national(b));
            let rest = |b: u8| b.is_ascii_alphanumeric() || is_national(b) || b == b'-';
            if !first || part.len() > 8 || !bytes.all(rest) {
                return Err(DatasetNameError::Qualifier(part.to_owned()));
            }
        }
        Ok(Self(name))
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_national(byte: u8) -> bool {
    matches!(byte, b'@' | b'#' | b'$')
}

impl fmt::Display for DatasetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for DatasetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for DatasetName {
    type Err = DatasetNameError;
    fn from_str(text: &str) -> Result<Self, DatasetNameError> {
        Self::new(text)
    }
}

impl TryFrom<String> for DatasetName {
    type Error = DatasetNameError;
    fn try_from(text: String) -> Result<Self, DatasetNameError> {
        Self::new(&text)
    }
}

impl From<DatasetName> for String {
    fn from(name: DatasetName) -> String {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_card_demo() {
        let name = DatasetName::new("aws.m2.carddemo.acctdata.vsam.ksds").unwrap();
        assert_eq!(name.as_str(), "AWS.M2.CARDDEMO.ACCTDATA.VSAM.KSDS");
        for bad in ["", "A..B", "1A", "TOOLONGNAME", "A.B C", &"A.".repeat(30)] {
            assert!(DatasetName::new(bad).is_err(), "{bad}");
        }
    }
}
