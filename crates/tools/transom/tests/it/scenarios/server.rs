//! A private PostgreSQL for scenarios with EXEC SQL.
//!
//! What: the file `db/engines` of a scenario names the engines it is played on; without it that is
//! the embedded one. Each has a database of its own on one server. Not here: steps.

use std::path::Path;
use transom_datasets::conformance::Cluster;

/// The server of one run of the scenarios.
pub(super) struct Server {
    cluster: Cluster,
}

/// The database of one scenario.
pub(super) struct Database<'s> {
    pub(super) server: &'s Server,
    /// Its connection string.
    pub(super) connect: String,
}

impl Server {
    /// Starts one where a scenario wants it and the machine has it.
    pub(super) fn for_some_of(folders: &[std::path::PathBuf]) -> Option<Self> {
        let wants = |folder: &std::path::PathBuf| engines(folder).contains(&"POSTGRES".to_owned());
        if !folders.iter().any(wants) {
            return None;
        }
        let cluster = Cluster::of_test(Cluster::start())?;
        Some(Self { cluster })
    }

    pub(super) fn of(&self, folder: &Path) -> Result<Database<'_>, String> {
        let digits: String = super::name(folder).chars().take(3).collect();
        let connect = self.cluster.database(&format!("scenario{digits}"))?;
        Ok(Database {
            server: self,
            connect,
        })
    }

    /// Ends all sessions of a scenario's database, as when the server goes away for a moment.
    pub(super) fn end_sessions(&self, connect: &str) -> Result<(), String> {
        let name = connect.rsplit('=').next().unwrap_or_default();
        let end = format!(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"
        );
        self.cluster.sql("postgres", &end).map_err(String::from)?;
        Ok(())
    }
}

/// The engines a scenario is played on.
pub(super) fn engines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("db/engines"));
    let text = text.unwrap_or_else(|_| "SQLITE".to_owned());
    text.split_whitespace().map(str::to_owned).collect()
}
