//! What the keys of a display do, and how its bottom says so.
//!
//! Not here: doing it.

use crate::panel::{Key, Panel};

/// First row of the keys.
const FIRST_ROW: usize = 20;

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Undefined,
    Hex,
    End,
    Suppress,
    Storage,
    UserDisplay,
    Back,
    Forward,
    BackHalf,
    ForwardHalf,
    BackFull,
    ForwardFull,
    Conditions,
    Previous,
    Next,
    Eib,
    Abend,
    Remember,
    /// ENTER.
    GoOn,
}

use Function::{
    Abend, Back, BackFull, BackHalf, Conditions, Eib, End, Forward, ForwardFull, ForwardHalf, Hex,
    Next, Previous, Remember, Storage, Suppress, Undefined, UserDisplay,
};

/// PF1 to PF12 of a display.
pub(super) type Functions = [Function; 12];

#[rustfmt::skip]
pub(super) const BEFORE: Functions = [
    Undefined, Hex, Undefined, Suppress, Storage, UserDisplay, Back, Forward, Conditions, Previous, Eib, Abend,
];
#[rustfmt::skip]
pub(super) const AFTER: Functions = [
    Undefined, Hex, End, Suppress, Storage, UserDisplay, Back, Forward, Conditions, Previous, Eib, Abend,
];
#[rustfmt::skip]
pub(super) const INITIATION: Functions = [
    Undefined, Hex, End, Suppress, Storage, UserDisplay, Back, Forward, Conditions, Previous, Eib, Undefined,
];
#[rustfmt::skip]
pub(super) const TERMINATION: Functions = [
    Undefined, Undefined, End, Suppress, Undefined, UserDisplay, Back, Forward, Conditions, Previous, Eib, Undefined,
];
#[rustfmt::skip]
pub(super) const STORAGE: Functions = [
    Undefined, Undefined, Undefined, Eib, Undefined, UserDisplay, BackHalf, ForwardHalf, Undefined, BackFull,
    ForwardFull, Remember,
];
#[rustfmt::skip]
pub(super) const EIB: Functions = [
    Undefined, Undefined, Undefined, Undefined, Storage, UserDisplay, Back, Forward, Undefined, Undefined, Undefined,
    Remember,
];
#[rustfmt::skip]
pub(super) const CONDITIONS: Functions = [
    Undefined, Undefined, Undefined, Suppress, Storage, UserDisplay, Undefined, Undefined, Undefined, Undefined,
    Undefined, Remember,
];
#[rustfmt::skip]
pub(super) const REMEMBERED: Functions = [
    Undefined, Undefined, Undefined, Undefined, Undefined, UserDisplay, Undefined, Undefined, Undefined, Previous, Next,
    Undefined,
];

impl Function {
    fn text(self) -> &'static str {
        match self {
            Self::Undefined => "UNDEFINED",
            Self::Hex => "SWITCH HEX/CHAR",
            Self::End => "END EDF SESSION",
            Self::Suppress => "SUPPRESS DISPLAYS",
            Self::Storage => "WORKING STORAGE",
            Self::UserDisplay => "USER DISPLAY",
            Self::Back => "SCROLL BACK",
            Self::Forward => "SCROLL FORWARD",
            Self::BackHalf => "SCROLL BACK HALF",
            Self::ForwardHalf => "SCROLL FORWARD HALF",
            Self::BackFull => "SCROLL BACK FULL",
            Self::ForwardFull => "SCROLL FORWARD FULL",
            Self::Conditions => "STOP CONDITIONS",
            Self::Previous => "PREVIOUS DISPLAY",
            Self::Next => "NEXT DISPLAY",
            Self::Eib => "EIB DISPLAY",
            Self::Abend => "ABEND USER TASK",
            Self::Remember => "REMEMBER DISPLAY",
            Self::GoOn => "CONTINUE",
        }
    }
}

/// The menu of a display.
pub(super) fn show(panel: &mut Panel, enter: &str, functions: &Functions) {
    panel.text(FIRST_ROW, 2, format!("ENTER:  {enter}"));
    for (row, three) in functions.chunks(3).enumerate() {
        let mut text = String::new();
        for (column, function) in three.iter().enumerate() {
            let key = format!("PF{}", 3 * row + column + 1);
            text += &format!("{:<26}", format!("{key:<4}: {}", function.text()));
        }
        panel.text(FIRST_ROW + 1 + row, 2, text.trim_end());
    }
}

/// What a key means in a display; `None`: CLEAR and PA keys show it again.
pub(super) fn function(key: Key, functions: &Functions) -> Option<Function> {
    match key {
        Key::Enter => Some(Function::GoOn),
        Key::Clear | Key::Pa(_) => None,
        Key::Pf(number) => {
            let at = usize::from(number.saturating_sub(1)) % functions.len();
            functions.get(at).copied()
        }
    }
}
