//! What a region is started with: the settings, and what was read and compiled.
//!
//! Not here: the start (`commands::run`), each part (a file each).

use super::build::{Outcome, Rest};
use super::decks::{NoModule, There};
use super::program_lists::ProgramLists;
use super::{SystemDirectory, collating, paging, users};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use transom_log::operator;
use transom_region_server::{
    Absent, CsdConfig, MonitoringConfig, ProgramListConfig, QueueConfig, RecorderConfig,
    RegionConfig, Schedule, TerminalConfig, TraceConfig,
};
use transom_settings::{RegionSettings, Settings};
use transom_types::{ProgramName, UserId};
use transom_wire::definitions::Definitions;

/// Definitions of the decks, programs with sources and without modules, program list tables,
/// programs that are compiled later.
pub(crate) type Parts = (Definitions, Missing, ProgramListConfig, Rest);
type Missing = HashMap<ProgramName, Absent>;

/// Programs whose sources gave no module.
pub(crate) fn absent(outcome: &Outcome) -> Missing {
    let there = There::of(outcome);
    let programs = there.without_module();
    let absent = programs.map(
        |NoModule {
             program,
             file,
             needs,
         }| (program, Absent { file, needs }),
    );
    absent.collect()
}

/// Program list tables and what is checked of their programs.
pub(crate) fn program_lists(sit: &RegionSettings, lists: ProgramLists) -> ProgramListConfig {
    let checks = |word| [word, "ALL"].contains(&sit.pltpisec);
    ProgramListConfig {
        initialization: lists.initialization,
        shutdown: lists.shutdown,
        tables: lists.tables,
        user: UserId::new(&sit.pltpiusr).ok(),
        check_commands: checks("CMDSEC"),
        check_resources: checks("RESSEC"),
    }
}

fn terminals(system: &SystemDirectory, sit: &RegionSettings) -> TerminalConfig {
    let table = &system.settings.terminals;
    TerminalConfig {
        map_dir: Some(system.own("maps")),
        terminals_max: table.max_sessions,
        autoinstall: table.autoinstall,
        paging: paging::paging(sit),
        unsigned: table.unsigned_seconds.filter(|_| sit.sec != "NO"),
        preset_from: table.preset_from.clone(),
        ..TerminalConfig::default()
    }
}

/// Records of tasks, in the folder monitoring/.
///
/// # Errors
/// What is wrong with the monitoring control table.
fn monitoring(system: &SystemDirectory, sit: &RegionSettings) -> Result<MonitoringConfig, String> {
    let table = &system.settings.monitoring;
    let (control_table, wrong) = transom_system::control_table::read(system);
    if !wrong.is_empty() {
        let wrong: Vec<String> = wrong.into_iter().map(|finding| finding.text).collect();
        return Err(wrong.join("\n"));
    }
    Ok(MonitoringConfig {
        control_table: control_table.map(Arc::new),
        times_max: match (system.settings.operations.port, transom_otlp::sender()) {
            (None, None) => 0,
            _ => system.settings.operations.names_max,
        },
        observer: transom_otlp::observer(&system.settings),
        on: sit.mn == "ON",
        performance: sit.mnper == "ON",
        schedule: Schedule {
            on: sit.statrcd == "ON",
            interval_s: sit.statint,
            end_of_day_s: sit.stateod,
        },
        recorder: Some(RecorderConfig {
            folder: system.root.join("monitoring"),
            file_bytes_max: table.file_megabytes << 20,
            files_max: table.files,
            queue_bytes_max: table.queue_kilobytes << 10,
            flush_every: Duration::from_millis(table.flush_milliseconds),
        }),
    })
}

/// Everything it starts from.
///
/// # Errors
/// The monitoring control table is wrong.
pub(crate) fn config(
    system: &SystemDirectory,
    (definitions, absent, program_lists, late): Parts,
    store: collating::OpenStore,
) -> Result<RegionConfig, String> {
    let sit = &system.settings.region;
    // This very file, also where an upgrade has put another one in its place: the memory of region
    // and workers is laid out by one version.
    let exe = PathBuf::from("/proc/self/exe");
    let mut config = RegionConfig {
        supplied: transom_region_supplied::definitions().collect(),
        system: transom_system::system_entry(sit),
        queue_max: sit.mxtqueue,
        programs: Vec::new(),
        transactions: Vec::new(),
        classes: Vec::new(),
        resources: Vec::new(),
        module_dir: system.own("modules"),
        absent,
        late: late.map(|late| late as _),
        dump_dir: system.own("dumps"),
        zygote: (exe, zygote_args(&system.settings, "cobol-zygote")),
        min_idle: sit.minworkers,
        preload_max: sit.preload,
        shared_bytes: sit.edsalim << 20,
        data: super::store::data_config(
            system,
            store.opened,
            store.datasets.rules().exceptions.clone(),
        ),
        links: links(system),
        sql: super::sql::database(system),
        queues: QueueConfig {
            extrapartition_dir: Some(system.root.join("extrapartition")),
            extrapartition_umask: sit.umask,
            job_dir: Some(system.root.join("jobs")),
            auxiliary_bytes_max: sit.tsauxmb << 20,
            td_memory_bytes_max: sit.tdmainmb << 20,
            ..QueueConfig::default()
        },
        terminals: terminals(system, sit),
        csd: CsdConfig {
            decks: system.decks.clone(),
            local: Some(system.root.join("csd/local.csd")),
        },
        users: users::config(system),
        program_lists,
        monitoring: monitoring(system, sit)?,
        trace: TraceConfig::of(&system.root, sit, &system.settings.trace),
        operator: operator(),
    };
    config.define(definitions);
    Ok(config)
}

/// The hidden subcommand and what it must know of `[cobol]` and `[region]`.
pub(crate) fn zygote_args(settings: &Settings, word: &str) -> Vec<OsString> {
    let (cobol, sit) = (&settings.cobol, &settings.region);
    let words = [
        (true, word),
        (cobol.zonedata == "PFD", "zonedata=PFD"),
        (cobol.numcheck == "ABD", "numcheck=ABD"),
        (cobol.dispsign == "SEP", "dispsign=SEP"),
        (sit.system_calls == "YES", "system_calls=YES"),
        (sit.stgprot == "YES" && sit.cwakey == "CICS", "cwakey=CICS"),
    ];
    let said = words.iter().filter(|(said, _)| *said);
    said.map(|(_, word)| word.into()).collect()
}

fn links(system: &SystemDirectory) -> transom_region_links::LinkConfig {
    let table = &system.settings.links;
    transom_region_links::LinkConfig {
        folder: super::adapters::links(),
        keyring: table.keyring.as_ref().map(|name| system.root.join(name)),
        connections_max: table.max_connections,
        balance: (&system.settings.routing).into(),
    }
}
