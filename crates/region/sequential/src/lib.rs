//! Files that are written one record behind another.
//!
//! What: a journal ([`journal`]), the file of an extrapartition queue ([`extrapartition`]) and the
//! jobs of internal readers ([`jobs`]). Why
//! their own room: they know neither tasks nor services, and the region's was full
//! (`docs/decisions/0054-sequential-files-leave-the-server.md`). Not here: which journal or queue a
//! name means, what workers ask (`region/server`), bodies of journal records (`formats/journal`).

#![forbid(unsafe_code)]

pub mod extrapartition;
pub mod jobs;
pub mod journal;
