//! A PostgreSQL server as the engine of EXEC SQL.
//!
//! What: a connection for each session, statements prepared once for each connection, characters in
//! the order of Db2 by functions of Transom, which lie in the schema `transom_sql` with what
//! SQLite has in tables of Transom. Begin at `driver`. It decides as last agent, with a mark, as
//! SQLite does: decision 0035. Not here: Db2's dialect (`formats/sql`), what a session keeps
//! (`statements`), records of files on a server (`region/datasets`).

mod definitions;
mod driver;
mod ends;
mod engine;
mod errors;
mod install;
mod live;
mod marks;
mod notes;
mod numeric;
mod options;
mod owner;
mod parameters;
mod remote;
mod results;
mod shared;
mod unit;

pub use engine::Postgres;
pub use options::PostgresOptions;
