//! A statistics record in the stream.
//!
//! Each figure has its name, so that readers of another release need no table. Not here: frames.

use super::layout::{Counted, Value};
use transom_language::language;

language! {
    /// Why statistics were written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Why {
        /// An interval ended.
        1 = Interval,
        /// The end of the day, or of the region.
        2 = EndOfDay,
        /// Somebody asked for them.
        3 = Requested,
        /// Somebody asked for them, with a reset.
        4 = RequestedReset,
        /// The resource goes.
        5 = Unsolicited,
    }

    /// A record.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Written {
        /// Nanoseconds since 1970.
        pub at_ns: u64,
        /// When counts began anew, in the same way.
        pub since_ns: u64,
        pub why: Why,
        /// DFHXMGDS and so on; a name in small letters: figures of the region that no record of
        /// CICS has, counted since its start.
        pub record: String,
        /// Empty: of the region.
        pub resource: String,
        pub figures: Vec<Figure>,
    }

    /// A figure with its name.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Figure {
        pub name: String,
        pub number: u64,
        /// Names have a text and no number.
        pub text: Option<String>,
    }
}

impl Why {
    /// As statistics reports name it.
    pub fn word(self) -> &'static str {
        match self {
            Why::Interval => "INT",
            Why::EndOfDay => "EOD",
            Why::Requested => "REQ",
            Why::RequestedReset => "RRT",
            Why::Unsolicited => "USS",
        }
    }
}

impl Written {
    /// This record, written then.
    pub fn of(counted: &Counted, (at_ns, since_ns): (u64, u64), why: Why) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned();
        let fields = counted.layout.names().zip(&counted.values);
        let figures = fields.map(|(name, value)| Figure {
            name,
            number: match value {
                Value::Number(number) => *number,
                Value::Text(_) => 0,
            },
            text: match value {
                Value::Number(_) => None,
                Value::Text(bytes) => Some(text(bytes)),
            },
        });
        Self {
            at_ns,
            since_ns,
            why,
            record: counted.layout.name.to_owned(),
            resource: text(counted.resource()),
            figures: figures.collect(),
        }
    }

    /// The number with this name; 0 where there is none.
    pub fn number(&self, name: &str) -> u64 {
        let found = self.figures.iter().find(|figure| figure.name == name);
        found.map_or(0, |figure| figure.number)
    }
}
