//! A copy of a sample, its tables made, served by the executable and called through its local
//! adapters.
//!
//! Why a process: CPU is that of all that a user would run. Not here: what is called.

use super::engine::Engine;
use super::place::held;
use crate::cpu;
use crate::region::request;
use crate::servers::{free_port, run_to_end, transom_exe};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{Control, Fault, Payload, Programs};
use transom_types::TransId;

/// The group of its local adapters.
const GROUP: &str = "DEFAULT";
/// How long a start, a stop or a program may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// What is served.
pub(crate) struct Sample<'s> {
    pub(crate) folder: &'s str,
    /// Folders whose files are added: programs and definitions of the bench itself.
    pub(crate) more: &'s [&'s str],
    /// APPLID in its settings.
    pub(crate) applid: &'s str,
    /// Scripts that make its tables.
    pub(crate) scripts: &'s [&'s str],
}

/// A system directory, and the region that serves it.
pub(crate) struct SqlRegion<'e> {
    folder: TempDir,
    adapters: LocalAdapters,
    child: Option<Child>,
    engine: Engine<'e>,
    /// Of its TN3270 listener.
    pub(crate) tn3270: u16,
}

impl<'e> SqlRegion<'e> {
    /// A compiled copy with its tables, served on one processor.
    pub(crate) fn start(sample: &Sample<'_>, engine: Engine<'e>) -> Result<Self, String> {
        // Short on purpose: the path of a Unix socket is limited.
        let folder = tempfile::tempdir_in("/tmp").map_err(|e| e.to_string())?;
        let dir = folder.path().join("system");
        run_to_end(Command::new("cp").arg("-r").arg(sample.folder).arg(&dir))?;
        for more in sample.more {
            let all = format!("{more}/.");
            run_to_end(Command::new("cp").arg("-r").arg(all).arg(&dir))?;
        }
        use_engine(&dir.join("transom.toml"), engine)?;
        let exe = transom_exe()?;
        run_to_end(Command::new(&exe).arg("build").arg(&dir))?;
        for script in sample.scripts {
            let mut sql = Command::new(&exe);
            sql.arg("sql").arg(&dir).arg("--in").arg(dir.join(script));
            run_to_end(sql.current_dir(&dir))?;
        }
        if has_clusters(&dir) {
            run_to_end(Command::new(&exe).arg("idcams").arg(&dir).arg("--missing"))?;
        }
        let config = AdaptersConfig::new(&folder.path().join(GROUP), sample.applid);
        let mut region = Self {
            folder,
            adapters: LocalAdapters::new(config),
            child: None,
            engine,
            tn3270: free_port()?,
        };
        region.serve()?;
        Ok(region)
    }

    fn serve(&mut self) -> Result<(), String> {
        let log = self.folder.path().join("log");
        let said = File::create(&log).map_err(|e| e.to_string())?;
        let mut command = held(&transom_exe()?);
        command.arg("run").arg(self.dir());
        command.args(["--tn3270", &self.tn3270.to_string()]);
        command.env("TRANSOM_RUNTIME_DIR", self.folder.path());
        command.stdout(Stdio::null()).stderr(said);
        self.child = Some(command.spawn().map_err(|e| e.to_string())?);
        let begin = Instant::now();
        while self.adapters.info().is_err() {
            if begin.elapsed() > PATIENCE || self.ended() {
                let log = fs::read_to_string(&log).unwrap_or_default();
                return Err(format!("the region does not start: {log}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn ended(&mut self) -> bool {
        let child = self.child.as_mut();
        child.is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// kill -9, and a new start.
    pub(crate) fn kill_and_start(&mut self) -> Result<(), String> {
        self.kill();
        // The socket of a region that was killed: nobody answers there.
        let _stale = fs::remove_dir_all(self.folder.path().join(GROUP));
        self.serve()
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _killed = child.kill();
            let _gone = child.wait();
        }
    }

    /// The system directory.
    pub(crate) fn dir(&self) -> PathBuf {
        self.folder.path().join("system")
    }

    /// CPU seconds of region, workers and database server so far.
    pub(crate) fn cpu_s(&self) -> f64 {
        let region = self
            .child
            .as_ref()
            .map_or(0.0, |c| cpu::tree_seconds(c.id()));
        let server = match self.engine {
            Engine::Embedded => None,
            Engine::Postgres(cluster, _) => Some(cluster.postmaster()),
        };
        region + server.map_or(0.0, cpu::tree_seconds)
    }

    /// Runs a program under a transaction; its COMMAREA afterwards.
    pub(crate) async fn link(
        &self,
        (program, transid): (&str, &str),
        commarea: Vec<u8>,
    ) -> Result<Vec<u8>, String> {
        let mut asked = request(program, commarea, Some(PATIENCE));
        asked.transid = Some(TransId::from_field(transid.as_bytes()));
        match self.adapters.link(asked).await {
            Ok(output) => match output.payload {
                Payload::Commarea(bytes) => Ok(bytes),
                Payload::Channel { .. } => Err(format!("{program} answered a channel")),
            },
            Err(failure) => Err(match failure.fault {
                Fault::Abend(code) => format!("{program}: abend {code} {}", failure.text),
                other => format!("{program}: {other:?} {}", failure.text),
            }),
        }
    }
}

impl Drop for SqlRegion<'_> {
    fn drop(&mut self) {
        self.kill();
    }
}

/// There are statements of IDCAMS.
fn has_clusters(dir: &Path) -> bool {
    let mut files = fs::read_dir(dir.join("data"))
        .into_iter()
        .flatten()
        .flatten();
    files.any(|file| file.path().extension().is_some_and(|e| e == "idcams"))
}

/// Puts the engine into `[sql]` of the settings.
fn use_engine(toml: &Path, engine: Engine<'_>) -> Result<(), String> {
    let Engine::Postgres(cluster, name) = engine else {
        return Ok(());
    };
    let connect = cluster.database(name)?;
    let text = fs::read_to_string(toml).map_err(|e| e.to_string())?;
    let lines = format!("[sql]\nengine = \"POSTGRES\"\npostgresql = \"{connect}\"\n");
    let text = text.replacen("[sql]\n", &lines, 1);
    fs::write(toml, text).map_err(|e| e.to_string())
}
