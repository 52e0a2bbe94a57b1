//! Documents that COBOL programs make with JSON GENERATE and XML GENERATE.
//!
//! What: [`Step`] is what a translated program says, item by item; [`Document`] makes the text of
//! it. Why items: the program has moved each number to digits by then, so sizes, signs and bad data
//! are what MOVE makes of them. Sources: *JSON GENERATE statement* and *XML GENERATE statement*,
//! Enterprise COBOL for z/OS 6.4 Language Reference, and the tables of exceptions in the
//! Programming Guide. Not here: finding the items (translator), storage of programs (workers).

#![forbid(unsafe_code)]

mod document;
mod json;
mod step;
mod value;
mod xml;

pub use document::{Document, Finished};
pub use step::{MAGIC, Step, descriptor, line_of, step_of};
pub use value::Value;
