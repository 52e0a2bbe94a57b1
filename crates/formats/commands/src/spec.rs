//! What the table says about a command and an option.
//!
//! Why: translator and dispatch read the same words. Not here: the rows (`table/*.txt`).
//! Source of the rows: the public CICS TS application and system programming reference.

use crate::{CommandId, OptionId};

/// One EXEC CICS command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Its number.
    pub id: CommandId,
    /// The words of [`Command::words`] with blanks between: `PUT CONTAINER`.
    pub name: &'static str,
    /// The verb, then the keywords that tell this command from others of the same verb. Such a
    /// keyword may also be an option with an argument, as CONTAINER is.
    pub words: &'static [&'static str],
    /// Other spellings: `EXTRACT WEB` for `WEB EXTRACT`.
    pub also: &'static [&'static [&'static str]],
    /// EIBFN of the command, where it is published.
    pub fn_code: Option<[u8; 2]>,
    /// EIBFN when an option is given (`ASKTIME ABSTIME`).
    pub fn_when: &'static [(OptionId, [u8; 2])],
    /// Group of commands as the CICS books name it.
    pub group: &'static str,
    /// Options, in the order of the table. Without RESP, RESP2 and NOHANDLE, which all commands
    /// have (see [`crate::common_options`]).
    pub options: &'static [OptionSpec],
    /// Conditions the command can raise.
    pub conditions: &'static [&'static str],
    /// Of each of these sets at least one option must be given.
    pub needs_one_of: &'static [&'static [OptionId]],
    /// What options of [`Status::Constant`] answer; those of a resource kind's own constants are
    /// not among them.
    pub constants: &'static [(OptionId, Constant)],
    /// What Transom does with it.
    pub status: Status,
    /// Options the table does not know are no error (system programming commands).
    pub open_options: bool,
}

impl Command {
    /// The keyword only tells which command this is (TS in `WRITEQ TS`) and is no option: the
    /// translator leaves it out of the call.
    pub fn is_plain_word(&self, keyword: &str) -> bool {
        let forms = std::iter::once(&self.words).chain(self.also);
        let word = forms
            .flat_map(|form| form.iter().skip(1))
            .any(|w| *w == keyword);
        word && self.option(keyword).is_none()
    }

    /// EIBFN for a call with these options.
    pub fn fn_code_with(&self, given: impl Fn(OptionId) -> bool) -> Option<[u8; 2]> {
        let special = self.fn_when.iter().find(|(option, _)| given(*option));
        special.map(|(_, code)| *code).or(self.fn_code)
    }
}

/// One option of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionSpec {
    /// Number of the option. A synonym (DATASET) has the number of the main keyword (FILE), so
    /// the run time knows one name only.
    pub id: OptionId,
    /// What the program writes.
    pub keyword: &'static str,
    /// What stands in the parentheses.
    pub argument: ArgKind,
    /// The parentheses may be left out (`DATESEP`, `HANDLE CONDITION ERROR`).
    pub argument_optional: bool,
    /// The command is wrong without it.
    pub required: bool,
    /// Options that can carry the length of this area. When none of them is given, the length is
    /// the size of the argument's own field, which the run time sees in the field description.
    pub lengths: &'static [OptionId],
    /// What Transom does with it.
    pub status: Status,
}

/// What stands in an option's parentheses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgKind {
    /// Nothing: a keyword.
    None,
    /// A value the command reads: a field, a literal, an expression like `LENGTH OF x`.
    DataValue {
        /// Its type.
        kind: DataKind,
    },
    /// Storage of the program.
    DataArea {
        /// Its type.
        kind: DataKind,
        /// Who writes it.
        flow: Flow,
    },
    /// A resource name of this length: field or literal, blank padded.
    Name(u16),
    /// A pointer the command sets: POINTER field or `ADDRESS OF x`.
    PtrRef,
    /// A pointer the command reads.
    PtrValue,
    /// A paragraph or section.
    Label,
    /// A CICS value (fullword, see [`crate::dfhvalue`]) the command reads.
    Cvda,
    /// A CICS value the command returns.
    CvdaOut,
}

impl ArgKind {
    /// The command may write the argument, so a literal cannot stand there.
    pub fn is_output(self) -> bool {
        matches!(
            self,
            ArgKind::DataArea { .. } | ArgKind::PtrRef | ArgKind::CvdaOut
        )
    }
}

/// Type of a value or area as the command reference gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// Halfword binary, `PIC S9(4) COMP`.
    Halfword,
    /// Fullword binary, `PIC S9(8) COMP`.
    Fullword,
    /// Doubleword binary, `PIC S9(18) COMP`.
    Doubleword,
    /// Characters of this fixed length.
    Char(u16),
    /// Packed decimal of this many bytes.
    Packed(u16),
    /// Any bytes; the length is the field's or in one of [`OptionSpec::lengths`].
    Bytes,
    /// A pointer stored in a field.
    Pointer,
}

/// Who writes a data area.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// The command.
    Out,
    /// The program before, the command after.
    InOut,
}

/// The answer of an option that is the same whatever the region does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// Text, blank padded.
    Text(&'static str),
    /// A number.
    Number(i64),
    /// A CICS value.
    Value(&'static str),
    /// Binary zeros.
    Low,
    /// The null address.
    Null,
}

/// What Transom does with a command or option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It does what the reference says.
    Works,
    /// It answers a fixed value, whatever the region does.
    Constant,
    /// It is accepted and has no effect.
    Ignored,
    /// The command answers INVREQ at run time with a message that names it.
    Invreq,
}
