//! SQL sessions of tasks.
//!
//! What: [`SqlEngine`] and [`SqlSession`], the seam behind which an engine runs; [`SqlSessions`],
//! a thread for each session and the engine's part in units of work; [`Sqlite`], the embedded
//! engine, and [`Postgres`], a server; [`Reader`], what a worker reads by itself; [`Unloads`],
//! tables from and to files; what DB2CONN and DB2ENTRY make of a task (`attachment`, `threads`).
//! Begin at [`session`]. Why a room: where the engine runs may change, what stands on it need not.
//! Not here: Db2's dialect (`formats/sql`), COBOL items (`region/commands`).

#![forbid(unsafe_code)]

mod attachment;
mod config;
mod database;
mod decimal;
mod definitions;
mod gate;
mod postgres;
mod reader;
pub mod session;
mod sessions;
mod sqlite;
mod statements;
mod threads;
mod unload;

pub use attachment::Attachment;
pub use config::{NoSession, SqlConfig};
pub use database::{Attached, SqlDatabase, Turn};
pub use definitions::installable;
pub use postgres::{Postgres, PostgresOptions};
pub use reader::Reader;
pub use session::{SqlEngine, SqlSession};
pub use sessions::{SESSIONS_MAX, SqlSessions};
pub use sqlite::{Held, Sqlite, SqliteOptions, put_back};
pub use statements::{Done, Qualifiers, Script, not_bound};
pub use threads::EntryThreads;
pub use unload::{Files, Records, Unloads};
