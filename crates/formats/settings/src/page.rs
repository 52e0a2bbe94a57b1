//! The reference page of transom.toml, from the tables.

use crate::adapters::AdapterSettings;
use crate::audit::AuditSettings;
use crate::cobol::CobolSettings;
use crate::data::{DataSetSettings, DataSettings, StoreSettings};
use crate::dbrest::DbrestSettings;
use crate::gateway::GatewaySettings;
use crate::links::LinkSettings;
use crate::log::LogSettings;
use crate::monitoring::{MonitoringSettings, TraceSettings};
use crate::operations::OperationsSettings;
use crate::plex::{PlexRegionSettings, PlexSettings};
use crate::redirector::{RedirectedHostSettings, RedirectorSettings};
use crate::region::{RegionSettings, parameters};
use crate::routing::RoutingSettings;
use crate::sql::SqlSettings;
use crate::table::Table;
use crate::telemetry::TelemetrySettings;
use crate::terminals::TerminalSettings;
use crate::users::UserSettings;

/// docs/reference/configuration.md.
pub fn reference_page() -> String {
    let mut page = "# Configuration\n\n`transom.toml` of a system directory. An unknown key is an \
                    error that names the nearest known one.\n"
        .to_owned();
    region(&mut page);
    table::<CobolSettings>(&mut page, CobolSettings::NAME);
    table::<GatewaySettings>(&mut page, GatewaySettings::NAME);
    table::<AuditSettings>(&mut page, AuditSettings::NAME);
    table::<AdapterSettings>(&mut page, AdapterSettings::NAME);
    table::<LinkSettings>(&mut page, LinkSettings::NAME);
    table::<RoutingSettings>(&mut page, RoutingSettings::NAME);
    table::<TerminalSettings>(&mut page, TerminalSettings::NAME);
    table::<DataSettings>(&mut page, DataSettings::NAME);
    table::<StoreSettings>(&mut page, "[data.stores.NAME]");
    table::<DataSetSettings>(&mut page, DataSetSettings::NAME);
    table::<SqlSettings>(&mut page, SqlSettings::NAME);
    page += "\n## [sql.packages]\n\nProgram on the left, or the beginning of names with `*`, and on \
             the right the schema of tables its statements name without one, as QUALIFIER of BIND \
             PACKAGE says it: `\"LG*\" = \"GENADB\"`. Other programs have `[sql] qualifier`. What \
             is prepared while a program runs goes by CURRENT SCHEMA instead.\n";
    table::<DbrestSettings>(&mut page, DbrestSettings::NAME);
    table::<MonitoringSettings>(&mut page, MonitoringSettings::NAME);
    table::<TraceSettings>(&mut page, TraceSettings::NAME);
    table::<LogSettings>(&mut page, LogSettings::NAME);
    table::<OperationsSettings>(&mut page, OperationsSettings::NAME);
    table::<TelemetrySettings>(&mut page, TelemetrySettings::NAME);
    page += "\n## [service_classes]\n\nRules for `transom report --by class`: what of a task is looked at \
             (TRANSACTION, USER, PROGRAM, TERMINAL, TRANCLASS) and a name on the left, `*` at its end for anything; on \
             the right the class and, if it has a goal, the seconds that 90 % of its tasks may \
             take: `\"TRANSACTION PAY*\" = \"CICSHI 0.5\"`. The first rule that fits decides.\n";
    page += "\n## [report_classes]\n\nRules of the same form, without goals, for \
             `transom report --by report-class`: a task is of one service class and of one report class.\n";
    table::<UserSettings>(&mut page, UserSettings::NAME);
    page += "\n## [authority]\n\nRules: class and name on the left, users or groups with their \
             access on the right, as `\"FILE PAY*\" = \"CLERKS READ, BOSSES UPDATE\"`. See \
             [who may do what](../guides/security.md).\n";
    page += "\n# Regions together\n";
    table::<PlexSettings>(&mut page, PlexSettings::NAME);
    table::<PlexRegionSettings>(&mut page, PlexRegionSettings::NAME);
    page += "\n# Redirector\n";
    table::<RedirectorSettings>(&mut page, RedirectorSettings::NAME);
    table::<RedirectedHostSettings>(&mut page, RedirectedHostSettings::NAME);
    page += "\n## [hosts.NAME.lus]\n\nA client on the left, by network or certificate (its subject, or `sha256:` and its \
             fingerprint), and on the right the LUs it may have, names and ranges: `\"10.1.0.0/16\" = \"PAY001-PAY020, \
             BOSS\"`. All lines about a client count. One that asks for no LU gets the first of them that no session here \
             has; one that asks for another is refused, and so is a client without a line that asks for an LU of a line. Where a \
             host has this table, clients must speak telnet from the first byte.\n";
    page
}

fn heading<T: Table>(page: &mut String, name: &str) {
    let about = T::ABOUT.concat();
    *page += &format!("\n## {name}\n\n{}\n\n", about.trim());
}

fn region(page: &mut String) {
    heading::<RegionSettings>(page, RegionSettings::NAME);
    *page += "| parameter | values | default | meaning |\n| --- | --- | --- | --- |\n";
    for row in parameters() {
        let (key, values) = (row.key, row.values);
        *page += &format!(
            "| `{key}` | {values} | {} | {} |\n",
            row.default, row.meaning
        );
    }
    *page += "\nAccepted without effect, with one notice at start: ";
    *page += &crate::accepted::NAMES.join(", ");
    *page += ".\n";
}

fn table<T: Table>(page: &mut String, name: &str) {
    heading::<T>(page, name);
    *page += "| key | default | meaning |\n| --- | --- | --- |\n";
    for row in T::rows() {
        *page += &format!("| `{}` | {} | {} |\n", row.key, row.default, row.meaning);
    }
}
