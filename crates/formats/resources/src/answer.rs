//! What INQUIRE answers of a resource, and what SET changes.

use transom_commands::OptionId;

/// An option of INQUIRE, and of SET when it can be changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// The option.
    pub option: OptionId,
    /// Its keyword.
    pub name: &'static str,
    /// CICS values: yes and no of a flag, one for each variant of a choice.
    pub words: &'static [&'static str],
    /// The command finds the value itself; else it is that of the attribute's field.
    pub by_code: bool,
    /// What SET does with it.
    pub set: Set,
    /// RESP2 of INVREQ for a value that SET does not take; 0: only what is no CICS value is
    /// refused.
    pub resp2: u32,
    /// A number is answered so many times as large,
    pub times: u32,
    /// and then divided by this.
    pub divide: u32,
}

/// What SET does with an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// It has no such option.
    No,
    /// It changes the field and nothing else.
    Record,
    /// The command has work to do.
    Code,
}

/// What SET takes as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Smallest.
    pub low: i64,
    /// Largest.
    pub high: i64,
    /// RESP2 of INVREQ for another; 0: another changes nothing.
    pub resp2: u32,
}

impl Bounds {
    /// The number, if it is given and may be set. The error is RESP2.
    pub fn check(self, given: Option<i64>) -> Result<Option<i64>, u32> {
        match given {
            Some(number) if (self.low..=self.high).contains(&number) => Ok(given),
            Some(_) if self.resp2 > 0 => Err(self.resp2),
            _ => Ok(None),
        }
    }
}

/// An answer that is the same for all resources of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// A CICS value by its name.
    Value(&'static str),
    /// A number.
    Number(i32),
    /// Blanks: the resource has nothing to say about it.
    Text,
}
