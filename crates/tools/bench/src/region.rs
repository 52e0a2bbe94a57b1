//! A region inside the bench process, without doors: what the engine itself costs.

use crate::servers::{run_to_end, transom_exe};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use transom_datasets::{Access, Cluster, DatasetName, LoadRecord};
use transom_recovery::UowId;
use transom_region_api::{LinkRequest, Payload, Programs, StartedBy};
use transom_region_server::{DataConfig, LocalRegion, RegionConfig};
use transom_types::{Applid, FileName, ProgramName, SysId, TransId};
use transom_wire::definitions::{
    Concurrency, FileEntry, ProgramEntry, Recovery, SystemEntry, TransactionEntry,
};

/// Files and their data sets: BENCHU is recoverable, so that a change is a matter of its unit of
/// work and not of the disk.
const FILES: [(&str, &str, bool); 2] = [
    ("BENCH", "BENCH.FILE", false),
    ("BENCHU", "BENCH.UPDATES", true),
];

/// A region and the folder its modules are in.
pub(crate) struct Bench {
    pub(crate) region: Arc<LocalRegion>,
    /// From the start of the zygote to the first program that ran.
    pub(crate) ready: Duration,
    _folder: TempDir,
}

/// EDSALIM of a region whose bench does not ask for another.
pub(crate) const SHARED_MB: usize = 256;

/// Compiles the programs of a system directory and starts a region on them. Needs a tokio runtime.
pub(crate) async fn start(
    system: &str,
    threadsafe: bool,
    shared_mb: usize,
) -> Result<Bench, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let dir = folder.path().join("system");
    run_to_end(Command::new("cp").arg("-r").arg(system).arg(&dir))?;
    run_to_end(Command::new(transom_exe()?).arg("build").arg(&dir))?;
    let modules = dir.join(".transom/modules");
    let begin = Instant::now();
    let mut config = config(&modules, threadsafe)?;
    config.shared_bytes = shared_mb << 20;
    let region = Arc::new(LocalRegion::start(config).map_err(|e| e.to_string())?);
    tokio::spawn(region.pump());
    load(&region).await?;
    Ok(Bench {
        region,
        ready: begin.elapsed(),
        _folder: folder,
    })
}

/// A store on disk with the files: keys of 8 digits, records of 200 bytes.
fn data(modules: &Path) -> DataConfig {
    let file = |(name, dsname, recoverable): &(&str, &str, bool)| {
        let name = FileName::from_field(name.as_bytes());
        let mut file = FileEntry::new(name, dsname).with_all_operations();
        (file.key_length, file.record_size) = (8, 200);
        if *recoverable {
            file.recovery = Recovery::BackoutOnly;
        }
        file
    };
    DataConfig {
        store: Some(modules.join("store")),
        map_bytes: 1 << 30,
        files: FILES.iter().map(file).collect(),
        define_missing: true,
        ..DataConfig::default()
    }
}

/// Ten thousand records in each data set.
async fn load(region: &LocalRegion) -> Result<(), String> {
    for (_, dsname, _) in FILES {
        load_one(region, dsname).await?;
    }
    Ok(())
}

async fn load_one(region: &LocalRegion, dsname: &str) -> Result<(), String> {
    let datasets = region.datasets().ok_or("the region has no store")?;
    let name = DatasetName::new(dsname).map_err(|e| e.to_string())?;
    let define = datasets.define_cluster(Cluster::ksds(name.clone(), 0, 8, 200));
    define.await.map_err(|e| e.to_string())?;
    let file = datasets.dataset(&name).map_err(|e| e.to_string())?;
    let records: Vec<LoadRecord> = (0..10_000)
        .map(|key| LoadRecord {
            slot: None,
            record: format!("{key:08}{:192}", "").into_bytes(),
        })
        .collect();
    let owner = UowId::new(Applid::from_field(b"LOAD"), 1);
    let loaded = file.load(Access::patient(owner, false), &records, false);
    loaded.await.map(drop).map_err(|e| e.to_string())
}

/// What asks for a program that answers as many bytes as it is given.
pub(crate) fn request(program: &str, commarea: Vec<u8>, timeout: Option<Duration>) -> LinkRequest {
    LinkRequest {
        program: ProgramName::from_field(program.as_bytes()),
        transid: None,
        userid: None,
        reply_bytes_max: commarea.len(),
        payload: Payload::Commarea(commarea),
        timeout,
        started_by: StartedBy::Internal,
        client: None,
    }
}

/// Runs a program once and answers its COMMAREA.
pub(crate) async fn link(
    region: &LocalRegion,
    program: &str,
    commarea: Vec<u8>,
) -> Result<Vec<u8>, String> {
    match region.link(request(program, commarea, None)).await {
        Ok(output) => match output.payload {
            Payload::Commarea(bytes) => Ok(bytes),
            Payload::Channel { .. } => Err(format!("{program} answered with a channel")),
        },
        Err(failure) => Err(failure.text),
    }
}

fn config(modules: &Path, threadsafe: bool) -> Result<RegionConfig, String> {
    let mut system = SystemEntry::new(Applid::from_field(b"BENCH"), SysId::from_field(b"BNCH"));
    system.max_tasks = 100;
    system.runaway_ms = 0;
    let programs = std::fs::read_dir(modules)
        .map_err(|e| e.to_string())?
        .flatten()
        .filter(|e| e.path().is_symlink())
        .filter_map(|e| {
            let path = e.path().canonicalize().ok()?;
            let file = e.file_name();
            let name = ProgramName::new(file.to_str()?.strip_suffix(".so")?).ok()?;
            let mut entry = ProgramEntry::new(name, path.to_str()?);
            if threadsafe {
                entry.concurrency = Concurrency::Threadsafe;
            }
            Some(entry)
        })
        .collect();
    Ok(RegionConfig {
        supplied: transom_region_supplied::definitions().collect(),
        system,
        queue_max: 10_000,
        programs,
        transactions: vec![TransactionEntry::new(
            TransId::from_field(b"LPST"),
            ProgramName::from_field(b"NOTHING"),
        )],
        classes: Vec::new(),
        resources: Vec::new(),
        module_dir: modules.to_path_buf(),
        absent: Default::default(),
        late: None,
        dump_dir: modules.to_path_buf(),
        zygote: (transom_exe()?, vec!["cobol-zygote".into()]),
        min_idle: 2,
        preload_max: 200,
        shared_bytes: SHARED_MB << 20,
        data: data(modules),
        links: transom_region_links::LinkConfig::here(modules.join("links")),
        sql: Default::default(),
        queues: Default::default(),
        terminals: Default::default(),
        users: Default::default(),
        csd: Default::default(),
        program_lists: Default::default(),
        monitoring: Default::default(),
        trace: Default::default(),
        operator: transom_messages::Operator::nobody(),
    })
}
