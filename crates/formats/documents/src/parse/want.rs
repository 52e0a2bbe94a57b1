//! What a translated JSON PARSE does with its next value.
//!
//! Not here: which value that is (`walk`).

/// What the program does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Takes the characters for this item.
    Text(usize),
    /// Takes the number.
    Number(usize),
    /// The item is true, or false.
    Truth(usize, bool),
    /// The item is null.
    Null(usize),
    /// Says how often this table occurs now.
    Count(usize),
    /// Nothing more: JSON-CODE and JSON-STATUS.
    Done,
}

impl Want {
    /// As a case of the translated statement; 0 is the end.
    pub fn case(self) -> i32 {
        let (target, way) = match self {
            Want::Text(target) => (target, 1),
            Want::Number(target) => (target, 2),
            Want::Truth(target, true) => (target, 3),
            Want::Truth(target, false) => (target, 4),
            Want::Count(target) => (target, 5),
            Want::Null(target) => (target, 6),
            Want::Done => return 0,
        };
        i32::try_from(target * 8 + way).unwrap_or(0)
    }
}
