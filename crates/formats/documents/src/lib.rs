//! Documents that COBOL programs make and read: JSON GENERATE, XML GENERATE, JSON PARSE, XML
//! PARSE.
//!
//! What: [`Step`] is what a translated program says, item by item; [`Document`] makes the text of
//! it; [`JsonParse`] finds values for items, [`XmlParse`] the events of a document. Why items: the
//! program moves each number to digits, and what was read to its items, so sizes, signs and bad
//! data are what MOVE makes of them. Sources: *JSON GENERATE*, *XML GENERATE*, *JSON PARSE* and
//! *XML PARSE statement*, Enterprise COBOL for z/OS 6.4 Language Reference, and the tables of
//! exceptions in the Programming Guide. Not here: finding the items (translator), storage of
//! programs (workers).

#![forbid(unsafe_code)]

mod document;
mod events;
mod json;
mod parse;
mod step;
mod value;
mod xml;

pub use document::{Document, Finished};
pub use events::{Answer, Event, XmlParse};
pub use parse::{Characters, JsonParse, Receiver, Table, Target, Want};
pub use step::{MAGIC, Step, descriptor, line_of, step_of};
pub use value::Value;
