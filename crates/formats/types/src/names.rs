//! Fixed-length resource names, blank padded as CICS keeps them.

use std::fmt;
use std::str::FromStr;

/// Why a text is not a valid name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameError {
    /// No characters at all, or only blanks.
    Empty,
    /// More characters than the name may have.
    TooLong {
        /// Most characters allowed.
        max: usize,
        /// Characters given.
        got: usize,
    },
    /// A character outside the printable ASCII set.
    BadCharacter(char),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Empty => f.write_str("the name is empty"),
            NameError::TooLong { max, got } => {
                write!(
                    f,
                    "the name has {got} characters, at most {max} are allowed"
                )
            }
            NameError::BadCharacter(c) => write!(f, "the character {c:?} is not allowed in a name"),
        }
    }
}

impl std::error::Error for NameError {}

/// What all names have: bytes, padded with blanks.
macro_rules! padded {
    ($(#[$doc:meta])* $type:ident, $len:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $type([u8; $len]);

        impl $type {
            /// Length in bytes, blanks included.
            pub const LEN: usize = $len;
            /// All blanks: "no name".
            pub const BLANK: Self = Self([b' '; $len]);

            /// The padded bytes.
            pub const fn as_bytes(&self) -> &[u8; $len] {
                &self.0
            }

            /// The name without trailing blanks. Bytes that are not UTF-8 show as `?`.
            pub fn as_str(&self) -> &str {
                let end = self.0.iter().rposition(|b| *b != b' ').map_or(0, |i| i + 1);
                std::str::from_utf8(&self.0[..end]).unwrap_or("?")
            }

            /// True when only blanks.
            pub fn is_blank(&self) -> bool {
                *self == Self::BLANK
            }
        }
    };
}

/// Names in characters: low values count as blanks.
macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $len:literal) => {
        padded!($(#[$doc])* $type, $len);

        impl $type {
            /// Takes the field as a program passed it: cut or blank padded, never refused.
            /// Low values count as blanks.
            pub fn from_field(field: &[u8]) -> Self {
                // A field of full length is the usual case, and its bytes are done together.
                let mut name = field.first_chunk::<$len>().copied().unwrap_or_else(|| {
                    let mut name = [b' '; $len];
                    name[..field.len()].copy_from_slice(field);
                    name
                });
                for byte in &mut name {
                    *byte = if *byte == 0 { b' ' } else { *byte };
                }
                Self(name)
            }

            /// Checks and pads a text.
            pub fn new(text: &str) -> Result<Self, NameError> {
                let text = text.trim_end();
                if text.is_empty() {
                    return Err(NameError::Empty);
                }
                if let Some(c) = text.chars().find(|c| !(c.is_ascii_graphic() || *c == ' ')) {
                    return Err(NameError::BadCharacter(c));
                }
                if text.len() > $len {
                    return Err(NameError::TooLong { max: $len, got: text.len() });
                }
                Ok(Self::from_field(text.as_bytes()))
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($type), "({})"), self.as_str())
            }
        }

        impl FromStr for $type {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }
    };
}

name!(/** Transaction identifier, 1 to 4 characters. */ TransId, 4);
name!(/** Terminal identifier, 1 to 4 characters. */ TermId, 4);
name!(/** System identifier (SYSIDNT), 1 to 4 characters. */ SysId, 4);
name!(/** Program name, 1 to 8 characters. */ ProgramName, 8);
name!(/** File name (FILE of file control), 1 to 8 characters. */ FileName, 8);
name!(/** Journal name, 1 to 8 characters. */ JournalName, 8);
name!(/** Name of a PROFILE, 1 to 8 characters. */ ProfileName, 8);
name!(/** Name of a plan of Db2, 1 to 8 characters. */ PlanName, 8);
name!(/** Name of what a trace entry is about, 1 to 8 characters. */ TracedName, 8);
name!(/** Job name (JOBNAME of the region), 1 to 8 characters. */ JobName, 8);
name!(/** Kind of resource a task waits for (SUSPENDTYPE), 1 to 8 characters. */ SuspendType, 8);
name!(/** Name of what a task waits for (SUSPENDVALUE), 1 to 8 characters. */ SuspendValue, 8);
name!(/** Application identifier of a region (APPLID), 1 to 8 characters. */ Applid, 8);
name!(/** User identifier, 1 to 8 characters. */ UserId, 8);
name!(/** Transaction class, 1 to 8 characters. */ TransClass, 8);
name!(/** Channel name, 1 to 16 characters. */ ChannelName, 16);
name!(/** Container name, 1 to 16 characters. */ ContainerName, 16);
/// Names whose bytes are a program's business: every byte counts, low values too.
macro_rules! raw_name {
    ($(#[$doc:meta])* $type:ident, $len:literal) => {
        padded!($(#[$doc])* $type, $len);

        impl $type {
            /// A name of full length.
            pub const fn new(name: [u8; $len]) -> Self {
                Self(name)
            }

            /// Takes the field as a program passed it: cut or blank padded, never refused.
            pub fn from_field(field: &[u8]) -> Self {
                let mut name = [b' '; $len];
                name.iter_mut().zip(field).for_each(|(to, from)| *to = *from);
                Self(name)
            }
        }

        /// A field of exactly the length of a name, as keys of records have it.
        impl TryFrom<&[u8]> for $type {
            type Error = std::array::TryFromSliceError;
            fn try_from(field: &[u8]) -> Result<Self, Self::Error> {
                field.try_into().map(Self)
            }
        }

        /// Without trailing blanks; bytes that are not UTF-8 are marked.
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(String::from_utf8_lossy(&self.0).trim_end_matches(' '))
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($type), "({})"), self.0.escape_ascii())
            }
        }
    };
}

raw_name!(/** Temporary storage queue name, 16 bytes. */ TsQueueName, 16);
raw_name!(/** Transient data queue name, 4 bytes. */ TdQueueName, 4);
raw_name!(/** Request identifier (REQID) of DELAY, POST and START, 8 bytes. */ ReqId, 8);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pads_and_trims() {
        let name = ProgramName::new("CABASIC").unwrap();
        assert_eq!(name.as_bytes(), b"CABASIC ");
        assert_eq!(name.as_str(), "CABASIC");
        assert_eq!(format!("[{name:8}]"), "[CABASIC ]");
    }

    #[test]
    fn refuses_what_is_no_name() {
        assert_eq!(TransId::new("  "), Err(NameError::Empty));
        assert_eq!(
            TransId::new("ABCDE"),
            Err(NameError::TooLong { max: 4, got: 5 })
        );
        assert_eq!(TransId::new("Ä"), Err(NameError::BadCharacter('Ä')));
    }

    #[test]
    fn takes_program_fields_as_they_are() {
        assert_eq!(
            TransId::from_field(b"AB\0\0\0"),
            TransId::new("AB").unwrap()
        );
    }
}
