//! `[local_adapters]`: how processes of one machine reach a region.
//!
//! What: what the two sides make of the table. Not here: its keys (`formats/settings`), sockets and
//! frames (`region/intersystem`).

use super::SystemDirectory;
use super::gateway::Adapters;
use crate::lives::Lives;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use transom_gateway::Regions;
use transom_intersystem::{
    AdaptersConfig, LinkServer, LinkServerConfig, LocalAdapters, group_folder, runtime_folder,
};
use transom_region_server::LocalRegion;
use transom_settings::AdapterSettings;

/// `connectionWaitTimeout` when server.xml says none.
const WAIT: Duration = Duration::from_secs(30);

/// Folder of the group: the table's names, else those of server.xml.
pub(crate) fn group(
    settings: &AdapterSettings,
    root: &Path,
    server: Option<&[String; 3]>,
) -> PathBuf {
    let runtime = match &settings.folder {
        Some(folder) => root.join(folder),
        None => runtime_folder(),
    };
    let own = [&settings.group, &settings.name2, &settings.name3];
    let names: [&str; 3] = std::array::from_fn(|i| match own[i] {
        Some(name) => name.as_str(),
        // Names of two places are not mixed: they would meet nobody.
        None if own.iter().any(|name| name.is_some()) => "",
        None => server.map_or("", |s| s[i].as_str()),
    });
    group_folder(&runtime, names)
}

/// Where regions of this host have the sockets of their links.
pub(crate) fn links() -> PathBuf {
    group_folder(&runtime_folder(), ["LINKS", "", ""])
}

/// What the region's link server is started with.
pub(crate) fn server(settings: &AdapterSettings, folder: &Path, applid: &str) -> LinkServerConfig {
    let registration = settings.register_name.as_deref().unwrap_or(applid);
    LinkServerConfig::with(folder, registration, settings)
}

/// Starts the region's side of local adapters, where the table is; says its registration name.
pub(crate) fn start_link_server(
    system: &SystemDirectory,
    group: Option<&[String; 3]>,
    region: &Arc<LocalRegion>,
    lives: &Lives,
    ready: &mut String,
) -> Result<Option<Arc<LinkServer>>, String> {
    let Some(table) = &system.settings.adapters else {
        return Ok(None);
    };
    let folder = self::group(table, &system.root, group);
    transom_intersystem::prepare(&folder).map_err(|e| e.to_string())?;
    let config = self::server(table, &folder, &system.settings.region.applid);
    *ready += &format!("local adapters reach it as {}\n", config.registration);
    let server = Arc::new(LinkServer::bind(config, region.clone()).map_err(|e| e.to_string())?);
    let (serving, adapters) = (
        server.clone(),
        lives.must_live("the server of local adapters"),
    );
    tokio::spawn(async move {
        let _adapters = adapters;
        serving.serve().await;
    });
    Ok(Some(server))
}

/// One pool for each registration of server.xml. Services that name no registration go to the
/// table's own, else to the first.
pub(crate) fn regions(
    settings: &AdapterSettings,
    folder: &Path,
    applid: &str,
    server: &Adapters,
) -> (Regions, Vec<LocalAdapters>) {
    let pool = |name: &str, wait: Option<Duration>| {
        let mut config = AdaptersConfig::with(folder, name, settings);
        config.wait = wait.unwrap_or(WAIT);
        LocalAdapters::new(config)
    };
    let mut pools: Vec<(String, LocalAdapters)> = Vec::new();
    for (name, wait) in &server.registrations {
        pools.push((name.clone(), pool(name, *wait)));
    }
    let first = pools.first().map(|p| p.0.as_str());
    let home = settings
        .register_name
        .as_deref()
        .or(first)
        .unwrap_or(applid);
    let local = match pools.iter().find(|p| p.0 == home) {
        Some(known) => known.1.clone(),
        None => {
            let made = pool(home, None);
            pools.push((home.to_owned(), made.clone()));
            made
        }
    };
    let mut regions = Regions::new(Arc::new(local));
    for (name, pool) in &pools {
        regions = regions.with(name, Arc::new(pool.clone()));
    }
    (regions, pools.into_iter().map(|p| p.1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_is_the_tables_or_that_of_server_xml() {
        let mut table = AdapterSettings {
            folder: Some("/run/x".into()),
            ..AdapterSettings::default()
        };
        let server = ["A".to_owned(), "B".to_owned(), "C".to_owned()];
        let root = Path::new("/sys");
        let folder = group(&table, root, Some(&server));
        assert_eq!(folder, Path::new("/run/x/A+B+C"));
        table.group = Some("D".to_owned());
        let folder = group(&table, root, Some(&server));
        assert_eq!(folder, Path::new("/run/x/D"));
        table.folder = Some("run".into());
        assert_eq!(group(&table, root, None), Path::new("/sys/run/D"));
    }
}
