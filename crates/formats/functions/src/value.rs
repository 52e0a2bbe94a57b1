//! Arguments and values of supplied functions, and what may be wrong with them.
//!
//! Not here: how they come from programs and go back.

use std::fmt;

/// An argument.
pub struct Operand<'a> {
    pub bytes: &'a [u8],
    /// Of a numeric argument.
    pub number: i64,
    pub national: bool,
}

/// What a function answers.
#[derive(Debug)]
pub enum Value {
    Text(Vec<u8>),
    National(Vec<u8>),
    Integer(usize),
}

/// Why a function has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    NoArgument,
    Unknown,
    TooLong,
    /// Characters that make a byte.
    Digits(usize),
    NoRandom,
    CodePage(i64),
    NotNational,
    /// From this position on.
    Invalid(usize),
    /// So many characters, from which.
    Characters(i64, i64),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoArgument => f.write_str("it has no argument"),
            Problem::Unknown => f.write_str("there is no such function"),
            Problem::TooLong => f.write_str("its value is too long"),
            Problem::Digits(n) => write!(f, "its argument is not made of groups of {n} digits"),
            Problem::NoRandom => f.write_str("the system has no random numbers"),
            Problem::CodePage(n) => write!(f, "code page {n} is not known here"),
            Problem::NotNational => f.write_str("its argument is not national"),
            Problem::Invalid(n) => write!(f, "its argument is invalid from position {n}"),
            Problem::Characters(n, from) => {
                write!(f, "there are no {n} characters from {from} on")
            }
        }
    }
}

/// A value, or why there is none.
pub type Answer = Result<Value, Problem>;
