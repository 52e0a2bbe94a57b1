//! The statements of a script and the values they name.

use super::users::Users;
use transom_datastream::Aid;

/// Most statements of a script.
pub(crate) const STATEMENTS_MAX: usize = 10_000;
/// Deepest nesting of loops.
pub(crate) const LOOPS_MAX: usize = 16;
/// Name of the slot with the terminal number.
pub(crate) const USER: &str = "USER";

/// A script that may be played.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) statements: Vec<Statement>,
    /// Names of screens for the statistics.
    pub(crate) labels: Vec<String>,
    /// Names of values; the first is [`USER`], then the columns of the user file.
    pub(crate) slots: Vec<String>,
    pub(crate) users: Users,
}

/// One line of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    /// In the file, from 1.
    pub(crate) line: u32,
    pub(crate) action: Action,
}

/// Row and column, from 1.
pub(crate) type Place = (u16, u16);

/// What a statement does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// The text must be on the screen.
    Expect {
        text: Text,
        at: Option<Place>,
    },
    Type {
        at: Place,
        text: Text,
    },
    /// Types into the nth input field of the screen, from 1.
    Field {
        nth: u16,
        text: Text,
    },
    Cursor(Place),
    Key {
        aid: Aid,
        label: usize,
    },
    /// CLEAR where the screen has fields, then the text and ENTER.
    Transaction {
        text: Text,
        label: usize,
        clear: usize,
    },
    /// Milliseconds.
    Think(u64),
    /// The statements up to `end`; without a number until the run is over.
    Loop {
        times: Option<u32>,
        end: usize,
    },
    End {
        begin: usize,
    },
    Capture {
        slot: usize,
        at: Place,
        length: u16,
    },
    Random {
        slot: usize,
        low: u64,
        high: u64,
        /// Digits, as many as the highest number was written with.
        width: usize,
    },
}

/// Text with names of values in it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Text(pub(crate) Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Plain(String),
    Slot(usize),
}

impl Text {
    /// With the values of a terminal.
    pub(crate) fn fill(&self, values: &[String]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Plain(text) => text.clone(),
            Piece::Slot(slot) => values.get(*slot).cloned().unwrap_or_default(),
        };
        self.0.iter().map(piece).collect()
    }
}
