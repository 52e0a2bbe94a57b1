//! `[local_adapters]`: how processes of one machine reach a region.
//!
//! What: the keys of the table, checked, and what the two sides make of them. Names are those of
//! BBOC START_SRVR. Not here: sockets and frames (`region/intersystem`).

use super::config::{ConfigProblem, nearest};
use super::gateway::Adapters;
use std::path::{Path, PathBuf};
use std::time::Duration;
use transom_gateway::Regions;
use transom_intersystem::{
    AdaptersConfig, GROUP_NAME_MAX, LinkServerConfig, LocalAdapters, REGISTRATION_NAME_MAX,
    group_folder, runtime_folder, socket_path,
};

/// Keys with default and text of the reference page.
#[rustfmt::skip]
pub(crate) const KEYS: &[(&str, &str, &str)] = &[
    ("register_name", "APPLID", "Registration name of the region (RGN), 1 to 12 characters; `registerName` in server.xml."),
    ("group", "`wolaGroup` of server.xml", "First name of the group (DGN), up to 8 characters."),
    ("name2", "`wolaName2` of server.xml", "Second name of the group (NDN), up to 8 characters."),
    ("name3", "`wolaName3` of server.xml", "Third name of the group (SVN), up to 8 characters."),
    ("min_connections", "1", "Connections a gateway keeps open (MNC), 1 to 1000."),
    ("max_connections", "100", "Connections at most (MXC), 1 to 1000; more requests wait, then get 503."),
    ("services", "*", "Programs that may be reached (SVC): names, or beginnings of names with `*`; a list."),
    ("reuse", "YES", "A connection serves many requests (REU); NO: one each."),
    ("security", "YES", "Link tasks run for the user of the request (SEC); NO: for DFLTUSER."),
    ("folder", "`TRANSOM_RUNTIME_DIR`, else `transom` in `XDG_RUNTIME_DIR`, else in /tmp", "Folder below which region and gateway meet; it belongs to their user."),
];
/// Bound of MNC and MXC.
const CONNECTIONS_MAX: u64 = 1_000;
/// Programs in `services`.
const SERVICES_MAX: usize = 1_000;
/// `connectionWaitTimeout` when server.xml says none.
const WAIT: Duration = Duration::from_secs(30);

/// The table's values; `None` = not given.
#[derive(Debug, Clone, Default)]
pub(crate) struct AdaptersSection {
    register_name: Option<String>,
    names: [Option<String>; 3],
    min_connections: Option<usize>,
    max_connections: Option<usize>,
    services: Vec<String>,
    single_use: bool,
    default_user: bool,
    folder: Option<PathBuf>,
}

impl AdaptersSection {
    /// Takes one `key = value`.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigProblem> {
        let bad = |why: String| ConfigProblem::value(key, value, why);
        let name = |max: usize| {
            let good = !value.is_empty()
                && value.len() <= max
                && value
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "@#$".contains(c));
            let why = format!("1 to {max} letters, digits, @, # or $ are needed");
            good.then(|| value.to_ascii_uppercase())
                .ok_or_else(|| bad(why))
        };
        let number = || {
            let n = value
                .parse::<u64>()
                .ok()
                .filter(|n| (1..=CONNECTIONS_MAX).contains(n));
            let why = format!("a whole number from 1 to {CONNECTIONS_MAX} is needed");
            n.and_then(|n| usize::try_from(n).ok())
                .ok_or_else(|| bad(why))
        };
        let yes = || match value.to_ascii_uppercase().as_str() {
            "YES" | "Y" => Ok(true),
            "NO" | "N" => Ok(false),
            _ => Err(bad("YES or NO is needed".into())),
        };
        match key {
            "register_name" => self.register_name = Some(name(REGISTRATION_NAME_MAX)?),
            "group" => self.names[0] = Some(name(GROUP_NAME_MAX)?),
            "name2" => self.names[1] = Some(name(GROUP_NAME_MAX)?),
            "name3" => self.names[2] = Some(name(GROUP_NAME_MAX)?),
            "min_connections" => self.min_connections = Some(number()?),
            "max_connections" => self.max_connections = Some(number()?),
            "services" => self.services = services(value).map_err(bad)?,
            "reuse" => self.single_use = !yes()?,
            "security" => self.default_user = !yes()?,
            "folder" if value.is_empty() => return Err(bad("a path is needed".into())),
            "folder" => self.folder = Some(value.into()),
            _ => {
                let near = nearest(key, KEYS.iter().map(|k| k.0));
                return Err(ConfigProblem::unknown("[local_adapters]", key, near));
            }
        }
        Ok(())
    }

    /// Folder of the group: the table's names, else those of server.xml.
    pub(crate) fn group(&self, root: &Path, server: Option<&[String; 3]>) -> PathBuf {
        let runtime = match &self.folder {
            Some(folder) => root.join(folder),
            None => runtime_folder(),
        };
        let names: [&str; 3] = std::array::from_fn(|i| match &self.names[i] {
            Some(name) => name.as_str(),
            // Names of two places are not mixed: they would meet nobody.
            None if self.names.iter().any(Option::is_some) => "",
            None => server.map_or("", |s| s[i].as_str()),
        });
        group_folder(&runtime, names)
    }

    /// What the region's link server is started with.
    pub(crate) fn server(&self, folder: &Path, applid: &str) -> LinkServerConfig {
        let registration = self.register_name.as_deref().unwrap_or(applid);
        let mut config = LinkServerConfig::new(folder, registration);
        config.min_connections = self.min_connections.unwrap_or(config.min_connections);
        config.max_connections = self.max_connections.unwrap_or(config.max_connections);
        config.services.clone_from(&self.services);
        config.reuse = !self.single_use;
        config.propagate_user = !self.default_user;
        config
    }

    /// One pool for each registration of server.xml. Services that name no registration go to the
    /// table's own, else to the first.
    pub(crate) fn regions(
        &self,
        folder: &Path,
        applid: &str,
        server: &Adapters,
    ) -> (Regions, Vec<LocalAdapters>) {
        let pool = |name: &str, wait: Option<Duration>| {
            let mut config = AdaptersConfig::new(folder, name);
            config.socket = socket_path(folder, name);
            config.min_connections = self.min_connections.unwrap_or(config.min_connections);
            config.max_connections = self.max_connections.unwrap_or(config.max_connections);
            config.wait = wait.unwrap_or(WAIT);
            LocalAdapters::new(config)
        };
        let mut pools: Vec<(String, LocalAdapters)> = Vec::new();
        for (name, wait) in &server.registrations {
            pools.push((name.clone(), pool(name, *wait)));
        }
        let first = pools.first().map(|p| p.0.as_str());
        let home = self.register_name.as_deref().or(first).unwrap_or(applid);
        let local = match pools.iter().find(|p| p.0 == home) {
            Some(known) => known.1.clone(),
            None => {
                let made = pool(home, None);
                pools.push((home.to_owned(), made.clone()));
                made
            }
        };
        let mut regions = Regions::new(std::sync::Arc::new(local));
        for (name, pool) in &pools {
            regions = regions.with(name, std::sync::Arc::new(pool.clone()));
        }
        (regions, pools.into_iter().map(|p| p.1).collect())
    }
}

/// Names, each with at most a final `*`.
fn services(value: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = value
        .split(',')
        .map(|n| n.trim().to_ascii_uppercase())
        .collect();
    let good = |name: &String| {
        let stem = name.strip_suffix('*').unwrap_or(name);
        !name.is_empty() && name.len() <= 8 && !stem.contains('*')
    };
    match names.len() <= SERVICES_MAX && names.iter().all(good) {
        true => Ok(names),
        false => Err("program names of 1 to 8 characters are needed, `*` only at the end".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_bounds_and_near_names() {
        let mut table = AdaptersSection::default();
        for (key, value) in [
            ("register_name", "cicsreg"),
            ("group", "CATMGR1"),
            ("max_connections", "20"),
            ("services", "CABASIC,TST*"),
            ("reuse", "NO"),
        ] {
            table.set(key, value).unwrap();
        }
        let config = table.server(Path::new("/run/G"), "APPL");
        assert_eq!(
            (config.registration.as_str(), config.max_connections),
            ("CICSREG", 20)
        );
        assert_eq!(config.services, ["CABASIC", "TST*"]);
        assert!(!config.reuse && config.propagate_user);
        for (key, value, part) in [
            ("max_connections", "0", "1 to 1000"),
            ("register_name", "A/B", "letters"),
            ("services", "A*B", "only at the end"),
            ("reuse", "MAYBE", "YES or NO"),
            ("max_conections", "5", "max_connections"),
        ] {
            let error = table.set(key, value).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_group_is_the_tables_or_that_of_server_xml() {
        let mut table = AdaptersSection::default();
        table.set("folder", "/run/x").unwrap();
        let server = ["A".to_owned(), "B".to_owned(), "C".to_owned()];
        let root = Path::new("/sys");
        assert_eq!(table.group(root, Some(&server)), Path::new("/run/x/A+B+C"));
        table.set("group", "D").unwrap();
        assert_eq!(table.group(root, Some(&server)), Path::new("/run/x/D"));
        table.set("folder", "run").unwrap();
        assert_eq!(table.group(root, None), Path::new("/sys/run/D"));
    }
}
