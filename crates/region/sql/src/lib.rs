//! SQL sessions of tasks.
//!
//! What: [`SqlEngine`] and [`SqlSession`], the seam behind which an engine runs; [`SqlSessions`],
//! a thread for each session and the engine's part in units of work; [`Sqlite`], the embedded
//! engine; what DB2CONN and DB2ENTRY make of a task (`attachment`). Begin at [`session`]. Why a
//! room: where the engine runs may change, what stands on it need not. Not here: Db2's dialect
//! (`formats/sql`), COBOL items (`region/commands`).

#![forbid(unsafe_code)]

mod attachment;
mod database;
mod definitions;
mod gate;
pub mod session;
mod sessions;
mod sqlite;

pub use database::{NoSession, SqlConfig, SqlDatabase};
pub use definitions::installable;
pub use session::{SqlEngine, SqlSession};
pub use sessions::{SESSIONS_MAX, SqlSessions};
pub use sqlite::{Done, Held, Qualifiers, Script, Sqlite, SqliteOptions, not_bound, put_back};
