//! File statuses, as Enterprise COBOL has them.

use crate::questions::FileAnswer;
use transom_datasets::Condition;

/// What a statement comes to: done, or a status that says why not.
pub(crate) type Done = Result<FileAnswer, Status>;

/// A file status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Status(pub(crate) u8);

impl Status {
    /// The record that was read or written has a duplicate alternate key.
    pub(crate) const DUPLICATE_KEY: Self = Self(2);
    /// The length of a record is not that of the file.
    pub(crate) const LENGTH: Self = Self(4);
    /// An OPTIONAL file is not there.
    pub(crate) const OPTIONAL: Self = Self(5);
    pub(crate) const AT_END: Self = Self(10);
    /// The record number has more digits than RELATIVE KEY.
    pub(crate) const SEQUENCE: Self = Self(21);
    pub(crate) const DUPLICATE: Self = Self(22);
    pub(crate) const NOT_FOUND: Self = Self(23);
    /// There is no room in a KSDS or RRDS, or no such slot.
    pub(crate) const BOUNDARY: Self = Self(24);
    pub(crate) const PERMANENT: Self = Self(30);
    /// There is no room in a sequential file.
    pub(crate) const FULL: Self = Self(34);
    pub(crate) const NOT_THERE: Self = Self(35);
    /// The file cannot be opened in this way.
    pub(crate) const MODE: Self = Self(37);
    /// It was closed WITH LOCK.
    pub(crate) const CLOSED_WITH_LOCK: Self = Self(38);
    /// The file has other attributes than the program says.
    pub(crate) const ATTRIBUTES: Self = Self(39);
    pub(crate) const ALREADY_OPEN: Self = Self(41);
    pub(crate) const NOT_OPEN: Self = Self(42);
    /// REWRITE or DELETE without a READ before.
    pub(crate) const NO_READ: Self = Self(43);
    /// A record has a length the file does not have.
    pub(crate) const RECORD_LENGTH: Self = Self(44);
    /// There is no next record: the last READ or START failed.
    pub(crate) const NO_POSITION: Self = Self(46);
    pub(crate) const NOT_INPUT: Self = Self(47);
    pub(crate) const NOT_OUTPUT: Self = Self(48);
    pub(crate) const NOT_INPUT_OUTPUT: Self = Self(49);
    /// Someone else has the record or the data set.
    pub(crate) const NOT_AVAILABLE: Self = Self(93);
    /// What is known of the file is not enough to open it.
    pub(crate) const INVALID_FILE: Self = Self(95);
    /// There is no DD statement.
    pub(crate) const NO_DD: Self = Self(96);
}

/// Done, and nothing is to be said of it.
pub(crate) fn done() -> FileAnswer {
    of(Status(0))
}

/// Done, with this status.
pub(crate) fn of(status: Status) -> FileAnswer {
    FileAnswer {
        status: status.0,
        record: None,
        slot: 0,
    }
}

/// A condition that is no status the program expects: told, and answered.
pub(crate) struct Failed(pub(crate) Status, pub(crate) String);

/// What a statement that is not done comes to.
pub(crate) enum Answered {
    /// The program is to know it, and nobody else.
    Status(Status),
    /// The operator is to know it too.
    Failed(Failed),
}

impl From<Status> for Answered {
    fn from(status: Status) -> Self {
        Self::Status(status)
    }
}

impl From<Condition> for Answered {
    fn from(condition: Condition) -> Self {
        Self::Failed(condition.into())
    }
}

impl From<Condition> for Failed {
    fn from(condition: Condition) -> Self {
        let status = match &condition {
            Condition::Locked | Condition::Busy | Condition::Timeout => Status::NOT_AVAILABLE,
            Condition::ReadOnly => Status::MODE,
            _ => Status::PERMANENT,
        };
        Self(status, condition.to_string())
    }
}
