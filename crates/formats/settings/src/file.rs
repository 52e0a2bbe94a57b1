//! The file: TOML text in, settings and problems with lines out.

use crate::adapters::AdapterSettings;
use crate::audit::AuditSettings;
use crate::cobol::CobolSettings;
use crate::data::{DataSet, DataSetSettings, DataSettings, Store};
use crate::dbrest::DbrestSettings;
use crate::gateway::GatewaySettings;
use crate::links::LinkSettings;
use crate::log::LogSettings;
use crate::monitoring::{MonitoringSettings, ServiceRule, TraceSettings};
use crate::operations::OperationsSettings;
use crate::problem::SettingProblem;
use crate::region::RegionSettings;
use crate::routing::RoutingSettings;
use crate::sql::{SqlPackage, SqlSettings};
use crate::table::Table;
use crate::telemetry::TelemetrySettings;
use crate::terminals::TerminalSettings;
use crate::users::UserSettings;
use toml::de::{DeTable, DeValue};
use transom_types::nearest;

/// The settings of a system directory.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// `[region]`.
    pub region: RegionSettings,
    /// Parameters of `[region]` that have no effect, for one notice.
    pub ignored: Vec<String>,
    /// `[cobol]`.
    pub cobol: CobolSettings,
    /// `[gateway]`.
    pub gateway: GatewaySettings,
    /// `[audit]`.
    pub audit: AuditSettings,
    /// `[local_adapters]`; `None` when the table is absent.
    pub adapters: Option<AdapterSettings>,
    /// `[links]`.
    pub links: LinkSettings,
    /// `[routing]`.
    pub routing: RoutingSettings,
    /// `[terminals]`.
    pub terminals: TerminalSettings,
    /// `[data]`.
    pub data: DataSettings,
    /// `[data.stores]`, in the order of their names.
    pub stores: Vec<Store>,
    /// `[data."NAME"]`, in the order of their names.
    pub data_sets: Vec<DataSet>,
    /// `[sql]`.
    pub sql: SqlSettings,
    /// `[sql.packages]`.
    pub sql_packages: Vec<SqlPackage>,
    /// `[dbrest]`.
    pub dbrest: DbrestSettings,
    /// `[monitoring]`.
    pub monitoring: MonitoringSettings,
    /// `[trace]`.
    pub trace: TraceSettings,
    /// `[log]`.
    pub log: LogSettings,
    /// `[operations]`.
    pub operations: OperationsSettings,
    /// `[telemetry]`.
    pub telemetry: TelemetrySettings,
    /// `[service_classes]`, in the order of the file.
    pub service_classes: Vec<ServiceRule>,
    /// `[report_classes]`, in the order of the file.
    pub report_classes: Vec<ServiceRule>,
    /// `[users]`.
    pub users: UserSettings,
    /// `[authority]`, not yet read.
    pub authority: Vec<AuthorityRule>,
}

impl Settings {
    /// Tables that are not as in the other settings, by their names; those that stand for several
    /// (`data` for stores and data sets) are named once.
    pub fn differences(&self, other: &Self) -> Vec<&'static str> {
        fn differ<T: core::fmt::Debug>(one: &T, other: &T) -> bool {
            format!("{one:?}") != format!("{other:?}")
        }
        let rules = |all: &[AuthorityRule]| -> Vec<(String, String)> {
            all.iter().map(|r| (r.key.clone(), r.who.clone())).collect()
        };
        let (a, b) = (self, other);
        let all = [
            ("region", differ(&a.region, &b.region)),
            ("region", differ(&a.ignored, &b.ignored)),
            ("cobol", differ(&a.cobol, &b.cobol)),
            ("gateway", differ(&a.gateway, &b.gateway)),
            ("audit", differ(&a.audit, &b.audit)),
            ("local_adapters", differ(&a.adapters, &b.adapters)),
            ("links", differ(&a.links, &b.links)),
            ("routing", differ(&a.routing, &b.routing)),
            ("terminals", differ(&a.terminals, &b.terminals)),
            ("data", differ(&a.data, &b.data)),
            ("data", differ(&a.stores, &b.stores)),
            ("data", differ(&a.data_sets, &b.data_sets)),
            ("sql", differ(&a.sql, &b.sql)),
            ("sql", differ(&a.sql_packages, &b.sql_packages)),
            ("dbrest", differ(&a.dbrest, &b.dbrest)),
            ("monitoring", differ(&a.monitoring, &b.monitoring)),
            ("trace", differ(&a.trace, &b.trace)),
            ("log", differ(&a.log, &b.log)),
            ("operations", differ(&a.operations, &b.operations)),
            ("telemetry", differ(&a.telemetry, &b.telemetry)),
            (
                "service_classes",
                differ(&a.service_classes, &b.service_classes),
            ),
            (
                "report_classes",
                differ(&a.report_classes, &b.report_classes),
            ),
            ("users", differ(&a.users, &b.users)),
            ("authority", rules(&a.authority) != rules(&b.authority)),
        ];
        let mut names: Vec<_> = all.into_iter().filter(|(_, differs)| *differs).collect();
        names.dedup();
        names.into_iter().map(|(name, _)| name).collect()
    }
}

/// A line of `[authority]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorityRule {
    /// Class and name.
    pub key: String,
    /// Users or groups with their access.
    pub who: String,
    /// Line in the file.
    pub line: usize,
}

/// Tables of a `transom.toml`.
const TABLES: &[&str] = &[
    "region",
    "cobol",
    "gateway",
    "audit",
    "local_adapters",
    "links",
    "routing",
    "terminals",
    "data",
    "sql",
    "dbrest",
    "monitoring",
    "trace",
    "log",
    "operations",
    "telemetry",
    "service_classes",
    "report_classes",
    "users",
    "authority",
];

/// The tables of a file; `None`: it is no TOML, which is a problem.
pub(crate) fn tables_of<'t>(
    text: &'t str,
    problems: &mut Vec<SettingProblem>,
) -> Option<DeTable<'t>> {
    let table = DeTable::parse(text).map(|table| table.into_inner());
    table
        .map_err(|e| {
            let place = e.span().map_or((0, 0), |s| place_of(text, s.start));
            problems.push(SettingProblem::syntax(e.message()).at(place));
        })
        .ok()
}

/// Reads the text of a `transom.toml`.
pub fn parse(text: &str) -> (Settings, Vec<SettingProblem>) {
    let mut settings = Settings::default();
    let mut problems = Vec::new();
    let Some(table) = tables_of(text, &mut problems) else {
        return (settings, problems);
    };
    for (name, value) in table {
        let place = place_of(text, name.span().start);
        let name = name.get_ref().as_ref();
        let DeValue::Table(section) = value.into_inner() else {
            let problem = SettingProblem::unknown("the file", name, Some("[region]"));
            problems.push(problem.at(place));
            continue;
        };
        if !TABLES.contains(&name) {
            let known = nearest(name, TABLES.iter().copied());
            let problem = SettingProblem::unknown("the file", &format!("[{name}]"), known);
            problems.push(problem.at(place));
            continue;
        }
        if name == "local_adapters" {
            settings.adapters.get_or_insert_default();
        }
        for (key, value) in section {
            let place = place_of(text, key.span().start);
            let key = key.get_ref().as_ref();
            if let ("data", "stores", DeValue::Table(stores)) = (name, key, value.get_ref()) {
                settings.set_stores(stores, text, &mut problems);
                continue;
            }
            if let ("sql", "packages", DeValue::Table(packages)) = (name, key, value.get_ref()) {
                settings.set_packages(packages, text, &mut problems);
                continue;
            }
            if let ("data", DeValue::Table(keys)) = (name, value.get_ref()) {
                settings.set_data_set(key, keys, text, &mut problems);
                continue;
            }
            let taken = settings.set(name, key, plain(value.get_ref()), place.0);
            problems.extend(taken.err().map(|problem| problem.at(place)));
        }
    }
    // Tables come in the order of their names.
    problems.sort_by_key(|p| p.line);
    settings.service_classes.sort_by_key(|rule| rule.line);
    settings.report_classes.sort_by_key(|rule| rule.line);
    (settings, problems)
}

impl Settings {
    /// Takes one `key = value` of a table.
    fn set(
        &mut self,
        table: &str,
        key: &str,
        value: String,
        line: usize,
    ) -> Result<(), SettingProblem> {
        match table {
            "region" => {
                let ignored = self.region.set_parameter(key, &value)?;
                self.ignored.extend(ignored);
            }
            "cobol" => self.cobol.set(key, &value)?,
            "gateway" => self.gateway.set(key, &value)?,
            "audit" => self.audit.set(key, &value)?,
            "local_adapters" => self.adapters.get_or_insert_default().set(key, &value)?,
            "terminals" => self.terminals.set(key, &value)?,
            "data" => self.data.set(key, &value)?,
            "sql" => self.sql.set(key, &value)?,
            "dbrest" => self.dbrest.set(key, &value)?,
            "monitoring" => self.monitoring.set(key, &value)?,
            "trace" => self.trace.set(key, &value)?,
            "log" => self.log.set(key, &value)?,
            "links" => self.links.set(key, &value)?,
            "routing" => self.routing.set(key, &value)?,
            "operations" => self.operations.set(key, &value)?,
            "telemetry" => self.telemetry.set(key, &value)?,
            "service_classes" => self
                .service_classes
                .push(ServiceRule::of(key, &value, line)?),
            "report_classes" => self
                .report_classes
                .push(ServiceRule::reported(key, &value, line)?),
            "users" => self.users.set(key, &value)?,
            _ => self.authority.push(AuthorityRule {
                key: key.to_owned(),
                who: value,
                line,
            }),
        }
        Ok(())
    }

    /// Takes a table `[data."NAME"]`.
    fn set_data_set(
        &mut self,
        name: &str,
        keys: &DeTable<'_>,
        text: &str,
        problems: &mut Vec<SettingProblem>,
    ) {
        let mut known = DataSet {
            name: name.to_ascii_uppercase(),
            settings: DataSetSettings::default(),
        };
        for (key, value) in keys {
            let taken = known.settings.set(key.get_ref(), &plain(value.get_ref()));
            let at = place_of(text, key.span().start);
            problems.extend(taken.err().map(|problem| problem.at(at)));
        }
        self.data_sets.push(known);
        self.data_sets.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Takes the table `[sql.packages]`.
    fn set_packages(
        &mut self,
        packages: &DeTable<'_>,
        text: &str,
        problems: &mut Vec<SettingProblem>,
    ) {
        for (name, qualifier) in packages {
            let place = place_of(text, name.span().start);
            match SqlPackage::of(name.get_ref(), &plain(qualifier.get_ref())) {
                Ok(package) => self.sql_packages.push(package),
                Err(problem) => problems.push(problem.at(place)),
            }
        }
    }

    /// Takes the tables `[data.stores.NAME]`.
    fn set_stores(&mut self, stores: &DeTable<'_>, text: &str, problems: &mut Vec<SettingProblem>) {
        for (name, value) in stores {
            let place = place_of(text, name.span().start);
            let name = name.get_ref().as_ref();
            let DeValue::Table(section) = value.get_ref() else {
                let known = Some("[data.stores.NAME]");
                problems.push(SettingProblem::unknown("[data.stores]", name, known).at(place));
                continue;
            };
            let mut store = match Store::named(name) {
                Ok(store) => store,
                Err(problem) => {
                    problems.push(problem.at(place));
                    continue;
                }
            };
            for (key, value) in section {
                let taken = store.settings.set(key.get_ref(), &plain(value.get_ref()));
                let at = place_of(text, key.span().start);
                problems.extend(taken.err().map(|problem| problem.at(at)));
            }
            problems.extend(store.complete().err().map(|problem| problem.at(place)));
            self.stores.push(store);
        }
    }
}

pub(crate) fn plain(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(s) => s.to_string(),
        DeValue::Integer(i) => i.as_str().to_owned(),
        DeValue::Float(f) => f.as_str().to_owned(),
        DeValue::Boolean(b) => if *b { "YES" } else { "NO" }.to_owned(),
        DeValue::Array(items) => items
            .iter()
            .map(|i| plain(i.get_ref()))
            .collect::<Vec<_>>()
            .join(","),
        DeValue::Datetime(d) => d.to_string(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// Line and column of a byte, from 1.
pub(crate) fn place_of(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_carry_the_line() {
        let (_, problems) = parse("[region]\nAPPLID = \"A\"\nMTX = 5\n[gatewy]\nx = 1\n");
        let seen: Vec<_> = problems.iter().map(|p| (p.line, p.to_string())).collect();
        assert_eq!((problems[0].line, problems[0].column), (3, 1));
        assert_eq!((problems[1].line, problems[1].column), (4, 2));
        assert!(seen[0].1.contains("MXT"), "{seen:?}");
        assert!(seen.iter().any(|p| p.1.contains("gateway")), "{seen:?}");
    }

    #[test]
    fn values_arrive_with_their_types() {
        let text = "[region]\nMXT = 7\nAKPFREQ = 1\n[terminals]\nport = 3270\nstart_tls = true\n\
                    [users]\npassword_min = 8\n[authority]\n\"FILE PAY*\" = \"CLERKS READ\"\n";
        let (settings, problems) = parse(text);
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(
            (settings.region.mxt, settings.terminals.port),
            (7, Some(3270))
        );
        assert!(settings.terminals.start_tls && settings.adapters.is_none());
        assert_eq!(settings.ignored, ["AKPFREQ"]);
        let rule = &settings.authority[0];
        assert_eq!((rule.key.as_str(), rule.line), ("FILE PAY*", 10));
    }

    #[test]
    fn compiler_options_are_words() {
        let (settings, problems) = parse("[cobol]\nzonedata = \"pfd\"\nnumcheck = \"MAYBE\"\n");
        assert_eq!(
            (settings.cobol.zonedata, settings.cobol.numcheck),
            ("PFD", "NO")
        );
        assert_eq!(problems[0].line, 3);
    }

    #[test]
    fn paths_stay_inside() {
        let (_, problems) = parse("[gateway]\nserver_xml = \"../server.xml\"\n");
        let text = problems[0].to_string();
        assert!(text.contains("below the system directory"), "{text}");
    }

    #[test]
    fn stores_beside_the_record_store() {
        let text = "[data.stores.bank]\npostgresql = \"host=/tmp\"\ndata_sets = [\"BANK.*\"]\n\
                    [data.stores.other]\npostgresql = \"host=/tmp\"\ndataset = \"A\"\n";
        let (settings, problems) = parse(text);
        assert_eq!(settings.stores[0].name, "bank");
        assert!(settings.stores[0].keeps("BANK.ACCOUNTS"));
        let seen: Vec<_> = problems.iter().map(|p| (p.line, p.to_string())).collect();
        assert!(seen.iter().any(|p| p.1.contains("data_sets")), "{seen:?}");
    }

    #[test]
    fn packages_have_qualifiers() {
        let text = "[sql]\nqualifier = \"bank\"\n[sql.packages]\n\"lg*\" = \"GENADB\"\n\
                    \"TOOLONGNAME\" = \"X\"\nPAY = \"\"\n";
        let (settings, problems) = parse(text);
        assert_eq!(settings.sql.qualifier.as_deref(), Some("BANK"));
        let [package] = settings.sql_packages.as_slice() else {
            panic!("{settings:?}");
        };
        assert_eq!(
            (package.name.as_str(), package.qualifier.as_str()),
            ("LG*", "GENADB")
        );
        let lines: Vec<_> = problems.iter().map(|p| p.line).collect();
        assert_eq!(lines, [5, 6]);
    }

    #[test]
    fn keys_of_data_sets() {
        let text = "[region]\ncollating = \"EBCDIC037\"\n[data.\"bank.*\"]\nkeys = \"binary\"\n\
                    [data.\"ORDERS\"]\ncopybook = \"ORDREC\"\nkey = \"x\"\n";
        let (settings, problems) = parse(text);
        assert_eq!(settings.region.collating, "EBCDIC037");
        let known: Vec<_> = settings.data_sets.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(known, ["BANK.*", "ORDERS"]);
        assert_eq!(settings.data_sets[0].settings.keys, "BINARY");
        let copybook = settings.data_sets[1].settings.copybook.as_deref();
        assert_eq!((copybook, problems[0].line), (Some("ORDREC"), 7));
    }

    #[test]
    fn broken_toml_is_one_problem() {
        let (_, problems) = parse("[region\nAPPLID");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].to_string().starts_with("TXMSI0001E"));
    }
}
