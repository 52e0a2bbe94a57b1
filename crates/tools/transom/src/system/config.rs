//! `transom.toml`: reads and checks the configuration of a system directory.
//!
//! What: TOML text in, checked values or problems with line numbers out. Why: an engineer must see
//! file, line and the nearest known name. Not here: the resources themselves (decks, server.xml).

use super::adapters::AdaptersSection;
use super::parts::{DataSection, StoreSection, TerminalSection, UserSection};
use super::sit::Sit;
use std::fmt;
use toml::de::{DeTable, DeValue};
use transom_region_server::Rules;

/// A configuration that may be used.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    /// `[region]`.
    pub(crate) sit: Sit,
    /// `[gateway]`; `None` when the table is absent and there is no server.xml.
    pub(crate) gateway: GatewaySection,
    /// `[local_adapters]`; `None` when the table is absent.
    pub(crate) adapters: Option<AdaptersSection>,
    /// `[terminals]`.
    pub(crate) terminals: TerminalSection,
    /// `[data]`.
    pub(crate) data: DataSection,
    /// `[users]`.
    pub(crate) users: UserSection,
    /// `[authority]`.
    pub(crate) authority: Rules,
}

/// `[gateway]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct GatewaySection {
    /// Name of the server.xml below the directory.
    pub(crate) server_xml: Option<String>,
    /// Threads that serve HTTP; 0 = one per core.
    pub(crate) threads: u32,
    /// Longest request body in bytes.
    pub(crate) body_bytes_max: u64,
}

/// Keys of `[gateway]` with the text of the reference page.
pub(crate) const GATEWAY_KEYS: &[(&str, &str, &str)] = &[
    (
        "server_xml",
        "server.xml",
        "Server configuration file of the API gateway.",
    ),
    ("threads", "1", "Threads that serve HTTP; 0 = one per core."),
    (
        "body_bytes_max",
        "4194304",
        "Longest request body in bytes; longer ones get 413.",
    ),
];

/// Default of `body_bytes_max`.
pub(crate) const BODY_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// One thing wrong with the configuration.
#[derive(Debug, Clone)]
pub(crate) struct ConfigProblem {
    text: String,
    /// Line in the file, 1-based; 0 when not known.
    pub(crate) line: usize,
}

impl ConfigProblem {
    /// A key that nobody knows.
    pub(crate) fn unknown(table: &str, key: &str, nearest: Option<&str>) -> Self {
        let hint = nearest
            .map(|n| format!("; the nearest known one is {n}"))
            .unwrap_or_default();
        Self {
            text: format!("TXMSI0002E {table} has no key {key}{hint}"),
            line: 0,
        }
    }

    /// A value that does not fit.
    pub(crate) fn value(key: &str, value: &str, why: String) -> Self {
        Self {
            text: format!("TXMSI0003E {key} cannot be {value:?}: {why}"),
            line: 0,
        }
    }

    fn syntax(text: &str) -> Self {
        Self {
            text: format!("TXMSI0001E the file is not TOML: {text}"),
            line: 0,
        }
    }

    fn at(mut self, line: usize) -> Self {
        self.line = line;
        self
    }
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Tables of a `transom.toml`.
const TABLES: &[&str] = &[
    "region",
    "gateway",
    "local_adapters",
    "terminals",
    "data",
    "users",
    "authority",
];

/// Reads the text of a `transom.toml`.
pub(crate) fn parse(text: &str) -> (Config, Vec<ConfigProblem>) {
    let mut config = Config {
        sit: Sit::new(),
        gateway: GatewaySection {
            threads: 1,
            body_bytes_max: BODY_BYTES_MAX,
            ..Default::default()
        },
        adapters: None,
        terminals: TerminalSection::default(),
        data: DataSection::default(),
        users: UserSection::default(),
        authority: Rules::default(),
    };
    let mut problems = Vec::new();
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(e) => {
            let line = e.span().map_or(0, |s| line_of(text, s.start));
            problems.push(ConfigProblem::syntax(e.message()).at(line));
            return (config, problems);
        }
    };
    for (name, value) in table {
        let line = line_of(text, name.span().start);
        let DeValue::Table(section) = value.into_inner() else {
            problems.push(
                ConfigProblem::unknown("the file", name.get_ref(), Some("[region]")).at(line),
            );
            continue;
        };
        if !TABLES.contains(&name.get_ref().as_ref()) {
            let (name, known) = (
                name.get_ref(),
                nearest(name.get_ref(), TABLES.iter().copied()),
            );
            problems.push(ConfigProblem::unknown("the file", &format!("[{name}]"), known).at(line));
            continue;
        }
        if name.get_ref() == "local_adapters" {
            config.adapters.get_or_insert_default();
        }
        for (key, value) in section {
            let line = line_of(text, key.span().start);
            if let ("data", "stores", DeValue::Table(stores)) = (
                name.get_ref().as_ref(),
                key.get_ref().as_ref(),
                value.get_ref(),
            ) {
                set_stores(&mut config.data, stores, text, &mut problems);
                continue;
            }
            let taken = match name.get_ref().as_ref() {
                "region" => config.sit.set(key.get_ref(), &plain(value.get_ref())),
                "gateway" => set_gateway(&mut config.gateway, key.get_ref(), value.get_ref()),
                "local_adapters" => config
                    .adapters
                    .get_or_insert_default()
                    .set(key.get_ref(), &plain(value.get_ref())),
                "terminals" => config.terminals.set(key.get_ref(), &plain(value.get_ref())),
                "data" => config.data.set(key.get_ref(), &plain(value.get_ref())),
                "users" => config.users.set(key.get_ref(), &plain(value.get_ref())),
                "authority" => {
                    let rule = config.authority.set(key.get_ref(), &plain(value.get_ref()));
                    rule.map_err(|text| ConfigProblem { text, line: 0 })
                }
                _ => Ok(()),
            };
            if let Err(problem) = taken {
                problems.push(problem.at(line));
            }
        }
    }
    // Tables come in the order of their names.
    problems.sort_by_key(|p| p.line);
    (config, problems)
}

/// Takes the tables `[data.stores.NAME]`.
fn set_stores(
    data: &mut DataSection,
    stores: &DeTable<'_>,
    text: &str,
    problems: &mut Vec<ConfigProblem>,
) {
    for (name, value) in stores {
        let line = line_of(text, name.span().start);
        let DeValue::Table(section) = value.get_ref() else {
            let known = Some("[data.stores.NAME]");
            problems.push(ConfigProblem::unknown("[data.stores]", name.get_ref(), known).at(line));
            continue;
        };
        let mut store = match StoreSection::named(name.get_ref()) {
            Ok(store) => store,
            Err(problem) => {
                problems.push(problem.at(line));
                continue;
            }
        };
        for (key, value) in section {
            let taken = store.set(key.get_ref(), &plain(value.get_ref()));
            let at = line_of(text, key.span().start);
            problems.extend(taken.err().map(|problem| problem.at(at)));
        }
        problems.extend(store.complete().err().map(|problem| problem.at(line)));
        data.stores.push(store);
    }
}

fn set_gateway(
    section: &mut GatewaySection,
    key: &str,
    value: &DeValue<'_>,
) -> Result<(), ConfigProblem> {
    let text = plain(value);
    let number = |max: u64| {
        text.parse::<u64>()
            .ok()
            .filter(|n| *n <= max)
            .ok_or_else(|| {
                ConfigProblem::value(key, &text, format!("a whole number up to {max} is needed"))
            })
    };
    match key {
        "server_xml" => section.server_xml = Some(inside(key, &text)?),
        "threads" => section.threads = u32::try_from(number(256)?).unwrap_or(1),
        "body_bytes_max" => section.body_bytes_max = number(1 << 32)?,
        _ => {
            return Err(ConfigProblem::unknown(
                "[gateway]",
                key,
                nearest(key, GATEWAY_KEYS.iter().map(|k| k.0)),
            ));
        }
    }
    Ok(())
}

/// A relative path that stays below the directory.
pub(super) fn inside(key: &str, path: &str) -> Result<String, ConfigProblem> {
    let escapes = path.split(['/', '\\']).any(|part| part == "..");
    if path.is_empty() || path.starts_with('/') || escapes {
        return Err(ConfigProblem::value(
            key,
            path,
            "a path below the system directory is needed".into(),
        ));
    }
    Ok(path.to_owned())
}

fn plain(value: &DeValue<'_>) -> String {
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

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()
        .iter()
        .take(at)
        .filter(|b| **b == b'\n')
        .count()
        + 1
}

/// The candidate with the fewest edits, when it is near enough to be a slip of the hand.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .map(|c| {
            (
                edits(&word.to_ascii_uppercase(), &c.to_ascii_uppercase()),
                c,
            )
        })
        .min_by_key(|(n, _)| *n)
        .filter(|(n, c)| *n <= 1 + c.len() / 3)
        .map(|(_, c)| c)
}

/// Edit distance in which swapping two neighbours counts as one edit.
fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_carry_the_line() {
        let (_, problems) = parse("[region]\nAPPLID = \"A\"\nMTX = 5\n[gatewy]\nx = 1\n");
        let seen: Vec<_> = problems.iter().map(|p| (p.line, p.to_string())).collect();
        assert_eq!(seen[0].0, 3);
        assert!(seen[0].1.contains("MXT"), "{seen:?}");
        assert!(seen.iter().any(|p| p.1.contains("gateway")), "{seen:?}");
    }

    #[test]
    fn paths_stay_inside() {
        let (_, problems) = parse("[gateway]\nserver_xml = \"../server.xml\"\n");
        assert!(
            problems[0]
                .to_string()
                .contains("below the system directory")
        );
    }

    #[test]
    fn stores_beside_the_record_store() {
        let text = "[data.stores.bank]\npostgresql = \"host=/tmp\"\ndata_sets = [\"BANK.*\"]\n\
                    [data.stores.other]\npostgresql = \"host=/tmp\"\ndataset = \"A\"\n";
        let (config, problems) = parse(text);
        assert_eq!(config.data.stores[0].name, "bank");
        assert!(config.data.stores[0].keeps("BANK.ACCOUNTS"));
        let seen: Vec<_> = problems.iter().map(|p| (p.line, p.to_string())).collect();
        assert!(seen.iter().any(|p| p.1.contains("data_sets")), "{seen:?}");
    }

    #[test]
    fn broken_toml_is_one_problem() {
        let (_, problems) = parse("[region\nAPPLID");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].to_string().starts_with("TXMSI0001E"));
    }
}
