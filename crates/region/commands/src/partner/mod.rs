//! Commands that another region carries out.
//!
//! What: a command fails with a [`Remote`](crate::condition::Remote) when its resource belongs to
//! another system; `ship` sends it there as it was given and stores what comes back, `exchange`
//! asks the region; `mirror` is what the other region's mirror needs of its executor. Why so: a
//! command that is local pays nothing, and one that is remote is carried out by the code that
//! carries it out locally, so that its conditions are the same. Not here: links
//! (`region/links`), the mirror program (`region/supplied`).

pub(crate) mod dynamic;
mod exchange;
mod link;
mod mirror;
mod route;
mod ship;

pub use route::Relayed;
pub(crate) use ship::ship;
