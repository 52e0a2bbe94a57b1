//! Examples: COBOL a user writes, and the COBOL, messages and reports that come of it.

mod cobc;
mod collating;
mod commands;
mod copybooks;
mod documents;
mod hex;
mod mutations;
mod pointers;
mod quotients;
mod refusals;
mod reports;
mod shapes;
mod sources;
mod traps;
