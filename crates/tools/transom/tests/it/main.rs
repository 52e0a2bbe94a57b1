//! Acceptance tests: the executable, its region and its gateway, as a user meets them.

/// The text of a COBOL program below `tests/cobol`.
macro_rules! cobol {
    ($name:literal) => {
        include_str!(concat!("../cobol/", $name, ".cbl")).to_owned()
    };
    // A scenario has it.
    ($name:literal in $scenario:literal) => {
        include_str!(concat!(
            "../../../../../scenarios/",
            $scenario,
            "/cobol/",
            $name,
            ".cbl"
        ))
        .to_owned()
    };
}

mod account;
mod adapters;
#[path = "async.rs"]
mod async_api;
mod async_sample;
mod attack;
mod authority;
mod backup;
mod bank;
mod builds;
mod carddemo;
mod carddemo_amounts;
mod cbsa_amounts;
mod cbsa_apis;
mod cedf;
mod certificates;
mod cobol_language;
mod cobol_sources;
mod commands;
mod copybook;
mod dates;
mod dbrest;
mod descriptions;
mod desk;
mod doctor;
mod documents;
mod drive;
mod dsw;
mod dumps_read;
mod files;
mod files_allowed;
mod files_closing;
mod files_journal;
mod files_sharing;
mod floating;
mod forging;
mod full_disk;
mod gam;
mod genapp;
mod harness;
mod hostile;
mod idcams;
mod import;
mod init;
mod intermediate;
mod interval;
mod intruders;
mod judges;
mod kept;
mod log;
mod log_formats;
mod many_definitions;
mod measured;
mod operations;
mod operator;
mod packaging;
mod paging;
mod paper;
mod plex;
mod printers;
mod program;
mod projectmanager;
mod queues;
mod redirector;
mod reload;
mod routed;
mod s3270;
mod sample;
mod sandbox;
mod scenarios;
mod scrapes;
mod sql_reads;
mod stopped;
mod strangers;
mod supplied;
mod system;
mod telemetry;
mod terminal_control;
mod terminal_samples;
mod terminals;
mod tutorial;
mod units;
mod upgrades;
mod users;
mod zoned;
