//! `redirector.toml`: `[redirector]` and `[hosts.NAME]`.
//!
//! What: the file of `transom redirector`, checked as transom.toml is: what a host must have is
//! there, and no two hosts have one port. Not here: certificates, which the redirector reads.

use crate::file::{place_of, plain, tables_of};
use crate::kind::{Address, AnyPath, Anything, Kind, Number, Seconds, Word, YesNo};
use crate::lus::LuRule;
use crate::networks::{Network, Networks};
use crate::problem::{Needed, SettingProblem};
use crate::table::Table;
use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use toml::de::{DeTable, DeValue};
use transom_types::nearest;

/// Longest name of a host.
const HOST_NAME_MAX: usize = 32;
/// Most targets of a host.
const TARGETS_MAX: usize = 64;
/// Table of a host.
const LUS: &str = "lus";
/// Tables of the file.
const TABLES: &[&str] = &["redirector", "hosts"];

settings! {
    /// The file of `transom redirector`, `redirector.toml`. Paths in it are relative to its folder.
    /// On SIGHUP it is read again, and certificates with it; sessions stay.
    pub struct RedirectorSettings in "[redirector]" {
        /// Threads that serve sessions, {values}; 0: one for each processor. Counts at a start.
        threads: usize = 0, Number(0, 64);
        /// Sessions of all hosts at a time, {values}; further ones are refused. Each takes two
        /// file descriptors, which may allow fewer.
        max_sessions: usize = 10_000, Number(1, 1_000_000);
        /// Time from connection to the end of the handshake, PROXY header and START_TLS included.
        handshake_seconds: Duration = Duration::from_secs(10), Seconds(1, 600);
        /// Time that sessions have to end by themselves after SIGTERM.
        drain_seconds: Duration = Duration::from_secs(30), Seconds(0, 86_400);
        /// Socket where `transom redirector FILE --status` asks; without it
        /// `.transom/redirector.sock` beside the file.
        status_socket: Option<PathBuf> = None, AnyPath;
    }
}

settings! {
    /// A host: a local port and where its sessions go to. NAME stands in messages and statistics.
    pub struct RedirectedHostSettings in "[hosts.NAME]" {
        /// Local port; needed.
        port: Option<u16> = None, Number(1, 65_535);
        /// Local address, IPv4 or IPv6.
        address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST), Address;
        /// Where sessions go to, HOST:PORT, several with commas between; port 23 need not be said.
        /// Needed.
        targets: Vec<String> = Vec::new() => "none", Targets;
        /// PASS: bytes pass as they are. CLIENT: TLS between client and redirector. HOST: TLS
        /// between redirector and host. BOTH: both.
        mode: &'static str = "PASS", Word(&["PASS", "CLIENT", "HOST", "BOTH"]);
        /// How clients begin TLS. NEGOTIATED: by telnet START_TLS; one that refuses it is closed.
        client_tls: &'static str = "IMMEDIATE", Word(&["IMMEDIATE", "NEGOTIATED"]);
        /// How TLS to the host begins. NEGOTIATED: by telnet START_TLS; a target that does not
        /// offer it is passed over.
        host_tls: &'static str = "IMMEDIATE", Word(&["IMMEDIATE", "NEGOTIATED"]);
        /// Lowest version of TLS on either side, {values}.
        tls_min: &'static str = "1.2", Word(&["1.2", "1.3"]);
        /// PEM file with certificate chain and key; needed for CLIENT and BOTH.
        certificate: Option<PathBuf> = None, AnyPath;
        /// PEM file with the authorities whose certificates clients may show, and with their lists
        /// of revoked ones.
        client_ca: Option<PathBuf> = None, AnyPath;
        /// REQUIRED: a client without a certificate is refused; needs client_ca.
        client_certificates: &'static str = "OPTIONAL", Word(&["OPTIONAL", "REQUIRED"]);
        /// PEM file with the authorities or certificates of hosts; needed for HOST and BOTH.
        host_ca: Option<PathBuf> = None, AnyPath;
        /// Name that the host's certificate must have; without it that of the target.
        host_name: Option<String> = None, Anything;
        /// PEM file with certificate and key that are shown to the host.
        host_certificate: Option<PathBuf> = None, AnyPath;
        /// Clients that are served; without it all.
        allow: Vec<Network> = Vec::new(), Networks;
        /// Clients that are refused, also when they are among the allowed.
        deny: Vec<Network> = Vec::new(), Networks;
        /// Sessions of this host at a time; 0: only max_sessions of all hosts counts.
        max_sessions: usize = 0, Number(0, 1_000_000);
        /// Sessions of one client address at a time; 0: no limit.
        max_sessions_per_client: usize = 0, Number(0, 1_000_000);
        /// Time a target has to take a connection, its handshake included.
        connect_seconds: Duration = Duration::from_secs(5), Seconds(1, 600);
        /// Sessions in which neither side sends for so long are ended; 0: never.
        idle_seconds: Option<Duration> = None, Seconds(0, 604_800);
        /// A client that is silent for so long is sent a telnet TIMING-MARK; 0: never.
        timemark_seconds: Option<Duration> = None, Seconds(0, 86_400);
        /// A client must answer that within this time, or its session ends; 0: it need not.
        answer_seconds: Option<Duration> = Some(Duration::from_secs(60)), Seconds(0, 600);
        /// YES: connections to targets begin with a header of PROXY protocol 2, so that the host
        /// knows the address of the client.
        proxy_to_host: bool = false, YesNo;
        /// Balancers whose connections begin with a header of PROXY protocol 2. Who is not among
        /// them and sends one is refused.
        proxy_from: Vec<Network> = Vec::new(), Networks;
        /// Which target a session gets. FIRST: the first that answers. ROUND: one after the other.
        /// LEAST: the one with the fewest sessions.
        balance: &'static str = "FIRST", Word(&["FIRST", "ROUND", "LEAST"]);
        /// How targets are looked after. CONNECT: they take a connection, and TLS where the mode
        /// has it. TELNET: and begin with a telnet command.
        check: &'static str = "CONNECT", Word(&["NO", "CONNECT", "TELNET"]);
        /// Time between two looks at a target. After two bad ones it gets no sessions while others
        /// answer, after two good ones it is back.
        check_seconds: Duration = Duration::from_secs(10), Seconds(1, 3_600);
        /// YES: begin and end of each session are told.
        log: bool = true, YesNo;
    }
}

/// A redirector.toml.
#[derive(Debug, Clone, Default)]
pub struct RedirectorFile {
    /// `[redirector]`.
    pub redirector: RedirectorSettings,
    /// `[hosts.NAME]`, in the order of their names.
    pub hosts: Vec<RedirectedHost>,
}

/// A table `[hosts.NAME]`.
#[derive(Debug, Clone)]
pub struct RedirectedHost {
    /// NAME.
    pub name: String,
    /// Its keys.
    pub settings: RedirectedHostSettings,
    /// `[hosts.NAME.lus]`, in the order of clients.
    pub lus: Vec<LuRule>,
}

/// HOST:PORT, separated by commas or as a TOML array.
struct Targets;

impl Kind for Targets {
    type Value = Vec<String>;

    fn check(&self, text: &str) -> Result<Self::Value, Needed> {
        let entries = text.split(',').map(str::trim).filter(|e| !e.is_empty());
        let targets: Option<Vec<String>> = entries.map(target).collect();
        targets
            .filter(|targets| targets.len() <= TARGETS_MAX)
            .ok_or_else(|| Needed("HOST:PORT is needed, [ADDRESS]:PORT for IPv6".into()))
    }
}

/// With its port.
fn target(text: &str) -> Option<String> {
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.to_string());
    }
    if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Some(SocketAddr::new(address, 23).to_string());
    }
    let (host, port) = text.split_once(':').unwrap_or((text, "23"));
    let port: u16 = port.parse().ok().filter(|port| *port != 0)?;
    let good = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    let named = !host.is_empty() && host.len() <= 253 && host.chars().all(good);
    named.then(|| format!("{host}:{port}"))
}

impl RedirectedHostSettings {
    /// TLS between client and redirector.
    pub fn client_side(&self) -> bool {
        matches!(self.mode, "CLIENT" | "BOTH")
    }

    /// TLS between redirector and host.
    pub fn host_side(&self) -> bool {
        matches!(self.mode, "HOST" | "BOTH")
    }

    /// Where it listens.
    pub fn local(&self) -> SocketAddr {
        SocketAddr::new(self.address, self.port.unwrap_or(0))
    }

    /// What is missing: the key, and why.
    fn missing(&self) -> Option<(&'static str, String)> {
        let (client, host) = (self.client_side(), self.host_side());
        let mode = format!("mode {} needs it", self.mode);
        let rules = [
            ("port", self.port.is_none(), "a host needs it".to_owned()),
            ("targets", self.targets.is_empty(), "a host needs it".into()),
            (
                "certificate",
                client && self.certificate.is_none(),
                mode.clone(),
            ),
            ("host_ca", host && self.host_ca.is_none(), mode),
            (
                "client_ca",
                self.client_certificates == "REQUIRED" && self.client_ca.is_none(),
                "client_certificates REQUIRED needs it".into(),
            ),
            (
                "mode",
                self.client_ca.is_some() && !client,
                "certificates of clients need CLIENT or BOTH".into(),
            ),
        ];
        let missing = rules.into_iter().find(|(_, missing, _)| *missing)?;
        Some((missing.0, missing.2))
    }
}

/// Reads the text of a `redirector.toml`.
pub fn parse_redirector(text: &str) -> (RedirectorFile, Vec<SettingProblem>) {
    let mut file = RedirectorFile::default();
    let mut problems = Vec::new();
    let Some(table) = tables_of(text, &mut problems) else {
        return (file, problems);
    };
    for (name, value) in table {
        let place = place_of(text, name.span().start);
        let name = name.get_ref().as_ref();
        match (name, value.get_ref()) {
            ("redirector", DeValue::Table(keys)) => {
                take(&mut file.redirector, keys, text, &mut problems);
            }
            ("hosts", DeValue::Table(hosts)) => file.take_hosts(hosts, text, &mut problems),
            _ => {
                let near = nearest(name, TABLES.iter().copied());
                problems.push(SettingProblem::unknown("the file", name, near).at(place));
            }
        }
    }
    problems.sort_by_key(|p| p.line);
    file.hosts.sort_by(|a, b| a.name.cmp(&b.name));
    (file, problems)
}

fn take(
    table: &mut impl Table,
    keys: &DeTable<'_>,
    text: &str,
    problems: &mut Vec<SettingProblem>,
) {
    for (key, value) in keys {
        if key.get_ref() == LUS && matches!(value.get_ref(), DeValue::Table(_)) {
            continue;
        }
        let taken = table.set(key.get_ref(), &plain(value.get_ref()));
        let place = place_of(text, key.span().start);
        problems.extend(taken.err().map(|problem| problem.at(place)));
    }
}

/// The table `[hosts.NAME.lus]`.
fn lus(keys: &DeTable<'_>, text: &str, problems: &mut Vec<SettingProblem>) -> Vec<LuRule> {
    let mut rules = Vec::new();
    let tables = keys.iter().filter(|(key, _)| key.get_ref() == LUS);
    for (client, lus) in tables
        .filter_map(|(_, value)| value.get_ref().as_table())
        .flatten()
    {
        let (name, value) = (client.get_ref().as_ref(), plain(lus.get_ref()));
        match LuRule::of(name, &value) {
            Ok(rule) => rules.push(rule),
            Err(why) => {
                let place = place_of(text, client.span().start);
                problems.push(SettingProblem::value(name, &value, why).at(place));
            }
        }
    }
    rules
}

impl RedirectorFile {
    fn take_hosts(&mut self, hosts: &DeTable<'_>, text: &str, problems: &mut Vec<SettingProblem>) {
        for (name, value) in hosts {
            let place = place_of(text, name.span().start);
            let name = name.get_ref().as_ref();
            let good = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
            let named = (1..=HOST_NAME_MAX).contains(&name.len()) && name.chars().all(good);
            let DeValue::Table(keys) = value.get_ref() else {
                let known = Some("[hosts.NAME]");
                problems.push(SettingProblem::unknown("[hosts]", name, known).at(place));
                continue;
            };
            if !named {
                let why = format!("1 to {HOST_NAME_MAX} letters, digits, - and _ are needed");
                problems.push(SettingProblem::value("[hosts]", name, Needed(why)).at(place));
                continue;
            }
            let (mut settings, before) = (RedirectedHostSettings::default(), problems.len());
            let lus = lus(keys, text, problems);
            take(&mut settings, keys, text, problems);
            if let Some((key, why)) = settings.missing().filter(|_| problems.len() == before) {
                let value = if key == "mode" { settings.mode } else { "" };
                problems.push(SettingProblem::value(key, value, Needed(why)).at(place));
            }
            if let Some(other) = self
                .hosts
                .iter()
                .find(|h| settings.port.is_some() && h.settings.local() == settings.local())
            {
                let (port, why) = (settings.local(), format!("{} has it", other.name));
                let problem = SettingProblem::value("port", &port.to_string(), Needed(why));
                problems.push(problem.at(place));
            }
            self.hosts.push(RedirectedHost {
                name: name.to_owned(),
                settings,
                lus,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_ports_and_targets() {
        let (file, problems) = parse_redirector(
            "[redirector]\nthreads = 2\n[hosts.PAY]\nport = 5023\ntargets = [\"zos1\", \
             \"zos2:992\", \"[2001:db8::1]:23\"]\nmode = \"client\"\ncertificate = \"pay.pem\"\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let pay = &file.hosts[0];
        assert_eq!(pay.name, "PAY");
        let targets = ["zos1:23", "zos2:992", "[2001:db8::1]:23"];
        assert_eq!(pay.settings.targets, targets);
        assert!(pay.settings.client_side() && !pay.settings.host_side());
    }

    #[test]
    fn what_is_missing_is_said_with_its_line() {
        for (text, line, part) in [
            ("[hosts.A]\ntargets = \"a\"\n", 1, "port"),
            ("[hosts.A]\nport = 1\n", 1, "targets"),
            ("[hosts.A]\nport = 1\ntargets = \"a:0\"\n", 3, "HOST:PORT"),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\nmode = \"BOTH\"\n",
                1,
                "certificate",
            ),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\nmode = \"HOST\"\n",
                1,
                "host_ca",
            ),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\nclient_ca = \"c\"\n",
                1,
                "CLIENT or BOTH",
            ),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\nidle_second = 1\n",
                4,
                "idle_seconds",
            ),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\n[hosts.B]\nport = 1\ntargets = \"b\"\n",
                4,
                "A has it",
            ),
            ("[host.A]\nport = 1\n", 1, "hosts"),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\n[hosts.A.lus]\n\"10.0.0.0/8\" = \"PAY-1\"\n",
                5,
                "LU names are needed",
            ),
            (
                "[hosts.A]\nport = 1\ntargets = \"a\"\nlus = \"A\"\n",
                4,
                "lus",
            ),
        ] {
            let (_, problems) = parse_redirector(text);
            let seen: Vec<_> = problems.iter().map(|p| (p.line, p.to_string())).collect();
            assert_eq!(seen.len(), 1, "{text}: {seen:?}");
            assert!(
                seen[0].0 == line && seen[0].1.contains(part),
                "{text}: {seen:?}"
            );
        }
    }
}
