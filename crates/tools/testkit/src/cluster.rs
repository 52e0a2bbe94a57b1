//! A private PostgreSQL: its own folder, its own socket, ended when dropped.
//!
//! What: one server for a part, a new database for each case. Why: torture kills clients; a shared server would
//! show it. Not here: what is stored.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where Debian puts it.
const BIN: &str = "/usr/lib/postgresql/15/bin";

/// A running server.
pub(crate) struct Cluster {
    folder: tempfile::TempDir,
    user: Option<(u32, u32)>,
}

impl Cluster {
    /// A running server, or why there is none.
    pub(crate) fn start() -> Result<Self, String> {
        if !Path::new(BIN).join("initdb").exists() {
            return Err(format!("{BIN}/initdb is not installed"));
        }
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        // The server refuses to run as root.
        let user = postgres_user();
        if let Some((uid, gid)) = user {
            let owned = std::os::unix::fs::chown(folder.path(), Some(uid), Some(gid));
            owned.map_err(|e| e.to_string())?;
        }
        let cluster = Self { folder, user };
        let data = cluster.data();
        let args = [
            "-U",
            "postgres",
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
            "--locale=C",
            "-D",
        ];
        cluster.run("initdb", &args, &data)?;
        let options = format!(
            "-k {} -c listen_addresses= -c max_prepared_transactions=100 -c max_connections=200 -c deadlock_timeout=300ms -c fsync=off",
            cluster.folder.path().display()
        );
        let log = cluster.folder.path().join("log").display().to_string();
        let args = ["start", "-w", "-s", "-l", &log, "-o", &options, "-D"];
        cluster.run("pg_ctl", &args, &data)?;
        Ok(cluster)
    }

    /// Makes a database; its connection string.
    pub(crate) fn database(&self, name: &str) -> Result<String, String> {
        self.sql(
            "postgres",
            &format!("CREATE DATABASE {name} STRATEGY file_copy"),
        )?;
        Ok(format!(
            "host={} user=postgres dbname={name}",
            self.folder.path().display()
        ))
    }

    /// Deletes a database, whoever uses it.
    pub(crate) fn drop_database(&self, name: &str) -> Result<(), String> {
        self.sql("postgres", &format!("DROP DATABASE {name} WITH (FORCE)"))
            .map(|_| ())
    }

    /// Prepared transactions of a database that nobody ended.
    pub(crate) fn prepared(&self, name: &str) -> Result<String, String> {
        let list = "SELECT string_agg(gid, ' ') FROM pg_prepared_xacts WHERE database = current_database()";
        self.sql(name, list)
    }

    /// Runs one statement; the first value of its answer.
    pub(crate) fn sql(&self, database: &str, statement: &str) -> Result<String, String> {
        let mut command = Command::new(Path::new(BIN).join("psql"));
        command.arg("-h").arg(self.folder.path());
        command.args(["-U", "postgres", "-d", database, "-qAtX", "-c", statement]);
        let output = command.output().map_err(|e| format!("psql: {e}"))?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, program: &str, args: &[&str], data: &Path) -> Result<(), String> {
        let mut command = Command::new(Path::new(BIN).join(program));
        command
            .args(args)
            .arg(data)
            .current_dir("/")
            .stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.gid(gid).uid(uid);
        }
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            other => Err(format!("{program}: {other:?}")),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.run(
            "pg_ctl",
            &["stop", "-s", "-m", "immediate", "-D"],
            &self.data(),
        );
    }
}

/// When this process is root: the user the package made.
fn postgres_user() -> Option<(u32, u32)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let root = status.lines().any(|l| l.starts_with("Uid:\t0\t"));
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let line = users.lines().find(|l| l.starts_with("postgres:"))?;
    let mut parts = line.split(':').skip(2);
    let ids = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    root.then_some(ids)
}
