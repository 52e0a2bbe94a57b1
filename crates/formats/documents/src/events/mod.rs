//! XML PARSE: a document to events, one after the other.
//!
//! What: [`XmlParse::next`] is told what the processing procedure left in XML-CODE and answers with
//! the next event, in the order and with the registers of XMLPARSE(XMLSS). Sources: *XML PARSE
//! statement*, *XML-EVENT*, *XML-CODE*, *XML-INFORMATION* (Language Reference), *Example: parsing a
//! simple document*, *Example: parsing an XML document one segment at a time*, *Handling XML PARSE
//! exceptions* (Programming Guide), message IGZ0230S. Not here: the words of a document (`scan`),
//! storage of programs (workers).

mod characters;
mod event;
mod names;
mod national;
mod procedure;
mod scan;
mod tags;

pub use event::Event;
pub use procedure::{Answer, XmlParse};

#[cfg(test)]
mod tests;
