//! `transom.toml`: the settings of a system directory, each written down once.
//!
//! What: TOML text in; checked, typed values or problems with line numbers out. A setting is one
//! row of a table (`settings!` in one of [`RegionSettings`], [`TerminalSettings`] and so on): its
//! key and type, its default, its bounds and its meaning. The struct field, the check, the default
//! and the line of the reference page are made from it, and rooms take such a struct as it is, so
//! that no default stands twice. Why: an engineer must see file, line and the nearest known name,
//! and a page must not say another bound than the one that is checked. Not here: resources (decks,
//! server.xml), rules of [authority] (the region reads them), what a setting does.
//!
//! Begin with [`terminals`](TerminalSettings), an example of a table, then `table.rs`.

#![forbid(unsafe_code)]

#[macro_use]
mod table;

mod accepted;
mod adapters;
mod audit;
mod cobol;
mod data;
mod dbrest;
mod file;
mod gateway;
mod initparm;
mod kind;
mod links;
mod log;
mod lus;
mod monitoring;
mod networks;
mod operations;
mod page;
mod plex;
mod preset;
mod problem;
mod redirector;
mod region;
mod routing;
mod sql;
mod telemetry;
mod terminals;
mod users;

pub use accepted::accepted_parameters;
pub use adapters::AdapterSettings;
pub use audit::AuditSettings;
pub use cobol::CobolSettings;
pub use data::{DataSet, DataSetSettings, DataSettings, Store, StoreSettings};
pub use dbrest::DbrestSettings;
pub use file::{AuthorityRule, Settings, parse};
pub use gateway::GatewaySettings;
pub use links::LinkSettings;
pub use log::LogSettings;
pub use lus::LuRule;
pub use monitoring::{MonitoringSettings, ServiceRule, ServiceSubject, TraceSettings};
pub use networks::Network;
pub use operations::OperationsSettings;
pub use page::reference_page;
pub use plex::{PlexFile, PlexRegion, PlexRegionSettings, PlexSettings, parse_plex};
pub use preset::PresetPlace;
pub use problem::SettingProblem;
pub use redirector::{
    RedirectedHost, RedirectedHostSettings, RedirectorFile, RedirectorSettings, parse_redirector,
};
pub use region::{PagingKeys, RegionSettings};
pub use routing::RoutingSettings;
pub use sql::{SqlPackage, SqlSettings};
pub use telemetry::TelemetrySettings;
pub use terminals::TerminalSettings;
pub use users::UserSettings;
