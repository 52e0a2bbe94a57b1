//! User journals: records of programs that are only ever added to, one file a journal.
//!
//! What: WRITE and WAIT of JOURNALNAME and JOURNALNUM (journal DFHJnn), and the bytes of their
//! requests. Worker side. Not here: the files (`region/server/file_control::journal`), the record
//! of units of work (`transom_recovery`), automatic journaling of files, the system log DFHLOG
//! (INVREQ).

mod name;
pub(crate) mod wait;
pub(crate) mod write;
