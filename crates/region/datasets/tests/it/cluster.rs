//! A private PostgreSQL for tests: its own folder, its own socket, ended when dropped.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const BIN: &str = "/usr/lib/postgresql/15/bin";

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
            "-k {} -c listen_addresses= -c max_prepared_transactions=20 -c deadlock_timeout=300ms",
            cluster.folder.path().display()
        );
        let log = cluster.folder.path().join("log").display().to_string();
        let args = ["start", "-w", "-s", "-l", &log, "-o", &options, "-D"];
        cluster.run("pg_ctl", &args, &data)?;
        Ok(cluster)
    }

    /// Connection string.
    pub(crate) fn connect(&self) -> String {
        format!(
            "host={} user=postgres dbname=postgres",
            self.folder.path().display()
        )
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
