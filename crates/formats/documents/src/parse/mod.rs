//! JSON PARSE: text to the items of a program, one value after the other.
//!
//! What: the program has said which items there are ([`Target`]); each [`JsonParse::next_value`]
//! finds the next value that one of them takes, and the program MOVEs it there. Why so:
//! truncation, editing and decimal points are those of MOVE. Sources: *JSON PARSE statement*,
//! *Operation of JSON PARSE* and *Valid and invalid elementary moves* of the Language Reference,
//! *JSON PARSE conditions and associated codes* of the Programming Guide, Enterprise COBOL for
//! z/OS 6.3 and 6.4. Not here: storage of programs (workers), which items those are (translator).

mod characters;
mod codes;
mod frame;
mod number;
mod scan;
mod target;
mod tree;
mod value;
mod walk;
mod want;

pub use characters::Characters;
pub use target::{Receiver, Table, Target};
pub use walk::JsonParse;
pub use want::Want;

#[cfg(test)]
mod tests;
