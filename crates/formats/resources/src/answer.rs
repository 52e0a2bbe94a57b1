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
