//! A private PostgreSQL: its own folder, its own socket, ended when dropped.
//!
//! What: a server for tests of stores and for torture; it can be stopped and started again. Why
//! here: the tests of several crates need the same one. Not here: what is stored.

use std::fmt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where Debian puts it.
const BIN: &str = "/usr/lib/postgresql/15/bin";

/// A running server.
pub struct Cluster {
    folder: tempfile::TempDir,
    user: Option<(u32, u32)>,
    options: String,
}

/// Why a server does not do what a test wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterError {
    /// This machine has no PostgreSQL.
    NotInstalled,
    /// The folder of the server, or what a test puts there.
    Folder(String),
    /// A program of PostgreSQL failed.
    Program(String),
    /// A statement failed: what the server says.
    Sql(String),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled => write!(f, "{BIN}/initdb is not installed"),
            Self::Folder(text) | Self::Program(text) | Self::Sql(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ClusterError {}

impl From<ClusterError> for String {
    fn from(error: ClusterError) -> Self {
        error.to_string()
    }
}

impl Cluster {
    /// A running server on a socket of its own, or why there is none.
    pub fn start() -> Result<Self, ClusterError> {
        Self::start_with("-c listen_addresses=", |_| Ok(()))
    }

    /// The same with further options, after `prepare` has put files into its data folder.
    pub fn start_with(
        more: &str,
        prepare: impl FnOnce(&Path) -> Result<(), ClusterError>,
    ) -> Result<Self, ClusterError> {
        if !Self::is_installed() {
            return Err(ClusterError::NotInstalled);
        }
        let folder = tempfile::tempdir().map_err(|e| ClusterError::Folder(e.to_string()))?;
        // The server refuses to run as root.
        let user = postgres_user();
        if let Some((uid, gid)) = user {
            let owned = std::os::unix::fs::chown(folder.path(), Some(uid), Some(gid));
            owned.map_err(|e| ClusterError::Folder(e.to_string()))?;
        }
        let options = format!(
            "-k {} {more} -c max_prepared_transactions=100 -c max_connections=200 -c deadlock_timeout=300ms -c fsync=off",
            folder.path().display()
        );
        let cluster = Self {
            folder,
            user,
            options,
        };
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
        cluster.run("initdb", &args)?;
        prepare(&cluster.data())?;
        if let Some((uid, gid)) = user {
            for entry in std::fs::read_dir(cluster.data())
                .into_iter()
                .flatten()
                .flatten()
            {
                let _ = std::os::unix::fs::chown(entry.path(), Some(uid), Some(gid));
            }
        }
        cluster.begin()?;
        Ok(cluster)
    }

    /// The server of a test: a missing one skips the test, one that does not start fails it.
    pub fn of_test(started: Result<Self, ClusterError>) -> Option<Self> {
        match started {
            Ok(cluster) => Some(cluster),
            Err(reason) if !Self::is_installed() => {
                // As of `tools/needed`, which only tests may see.
                let required = std::env::var_os("TRANSOM_REQUIRE_ALL");
                assert!(
                    required.is_none_or(|value| value != "1"),
                    "{reason}, which is required"
                );
                println!("skipped: {reason}");
                None
            }
            Err(reason) => panic!("PostgreSQL does not start: {reason}"),
        }
    }

    fn is_installed() -> bool {
        Path::new(BIN).join("initdb").exists()
    }

    /// Starts the server after [`stop`](Self::stop).
    pub fn begin(&self) -> Result<(), ClusterError> {
        let log = self.folder.path().join("log").display().to_string();
        let args = ["start", "-w", "-s", "-l", &log, "-o", &self.options, "-D"];
        self.run("pg_ctl", &args).map_err(|why| {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            ClusterError::Program(format!("{why}: {said}"))
        })
    }

    /// Stops the server as if it had died.
    pub fn stop(&self) -> Result<(), ClusterError> {
        self.run("pg_ctl", &["stop", "-w", "-s", "-m", "immediate", "-D"])
    }

    /// The process that all others of the server belong to, by what it wrote when it started.
    pub fn postmaster(&self) -> Option<u32> {
        let file = std::fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        file.lines().next()?.trim().parse().ok()
    }

    /// That process lives.
    pub fn is_running(&self) -> bool {
        let Some(pid) = self.postmaster() else {
            return false;
        };
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").and_then(|(_, r)| r.chars().next());
        state.is_some_and(|s| s != 'Z' && s != 'X')
    }

    /// Connection string of the database that is there from the beginning.
    pub fn connect(&self) -> String {
        self.connect_to("postgres")
    }

    /// Connection string of a database.
    pub fn connect_to(&self, name: &str) -> String {
        let folder = self.folder.path().display();
        format!("host={folder} user=postgres dbname={name}")
    }

    /// Makes a database; its connection string.
    pub fn database(&self, name: &str) -> Result<String, ClusterError> {
        self.sql(
            "postgres",
            &format!("CREATE DATABASE {name} STRATEGY file_copy"),
        )?;
        Ok(self.connect_to(name))
    }

    /// Deletes a database, whoever uses it.
    pub fn drop_database(&self, name: &str) -> Result<(), ClusterError> {
        self.sql("postgres", &format!("DROP DATABASE {name} WITH (FORCE)"))
            .map(|_| ())
    }

    /// Prepared transactions of a database that nobody ended.
    pub fn prepared(&self, name: &str) -> Result<String, ClusterError> {
        let list = "SELECT string_agg(gid, ' ') FROM pg_prepared_xacts WHERE database = current_database()";
        self.sql(name, list)
    }

    /// Runs one statement; the first value of its answer.
    pub fn sql(&self, database: &str, statement: &str) -> Result<String, ClusterError> {
        let mut command = Command::new(Path::new(BIN).join("psql"));
        command.arg("-h").arg(self.folder.path());
        command.args(["-U", "postgres", "-d", database, "-qAtX", "-c", statement]);
        let output = command
            .output()
            .map_err(|e| ClusterError::Program(format!("psql: {e}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(ClusterError::Sql(said));
        }
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn run(&self, program: &str, args: &[&str]) -> Result<(), ClusterError> {
        let mut command = Command::new(Path::new(BIN).join(program));
        command
            .args(args)
            .arg(self.data())
            .current_dir("/")
            .stdin(Stdio::null());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((uid, gid)) = self.user {
            command.gid(gid).uid(uid);
        }
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            other => Err(ClusterError::Program(format!("{program}: {other:?}"))),
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.stop();
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
