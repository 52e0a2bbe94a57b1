//! Ports of the listeners: free, or by whom taken.

use crate::report::Report;
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use transom_apidef::server::ServerConfig;
use transom_system::SystemDirectory;

/// Liberty's ports when no `httpEndpoint` says otherwise.
const HTTP_PORTS: [u16; 2] = [9080, 9443];

pub(crate) fn look(system: &SystemDirectory, is_running: bool, report: &mut Report) {
    let listeners = listeners(system, report);
    if listeners.is_empty() {
        return report.note(
            "ports",
            "nothing listens: no terminal and no client reaches the region",
            "[terminals] port, server.xml or [dbrest] open one",
        );
    }
    for (n, (name, address)) in listeners.iter().enumerate() {
        let same = |other: &&(String, SocketAddr)| other.1.port() == address.port();
        if let Some(other) = listeners.iter().take(n).find(same) {
            let text = format!(
                "port {} is that of {} and of {name}",
                address.port(),
                other.0
            );
            report.fault("ports", text, "give one of them another port");
            continue;
        }
        one(name, *address, is_running, report);
    }
}

fn one(name: &str, address: SocketAddr, is_running: bool, report: &mut Report) {
    let port = address.port();
    let Err(error) = TcpListener::bind(address) else {
        return report.ok("ports", format!("{port} is free for {name}"));
    };
    match error.kind() {
        ErrorKind::AddrInUse if is_running => {
            report.ok(
                "ports",
                format!("{port} of {name} is taken while the region runs"),
            );
        }
        ErrorKind::AddrInUse => {
            let text = format!("{port} of {name} is taken by {}", taken_by(port));
            report.fault("ports", text, "end that process, or choose another port");
        }
        ErrorKind::PermissionDenied => {
            let text = format!("{port} of {name} needs rights of root");
            let todo = "choose a port from 1024, or give CAP_NET_BIND_SERVICE";
            report.fault("ports", text, todo);
        }
        _ => {
            let text = format!("{name} cannot listen on {address}: {error}");
            report.fault("ports", text, "look at the address");
        }
    }
}

/// Listeners that a start would open, by what they are for.
fn listeners(system: &SystemDirectory, report: &mut Report) -> Vec<(String, SocketAddr)> {
    let settings = &system.settings;
    let (terminals, rest) = (&settings.terminals, &settings.dbrest);
    let mut all = Vec::new();
    let mut add = |name: &str, address: IpAddr, port: Option<u16>| {
        if let Some(port) = port {
            all.push((name.to_owned(), SocketAddr::new(address, port)));
        }
    };
    add("terminals", terminals.address, terminals.port);
    add("terminals with TLS", terminals.address, terminals.tls_port);
    add("REST services", rest.address, rest.port);
    add("REST services with TLS", rest.address, rest.https_port);
    let operations = &settings.operations;
    add("operations", operations.address, operations.port);
    for (name, address, port) in of_gateway(system, report) {
        add(name, address, Some(port));
    }
    all
}

/// What server.xml itself says; files it includes are not looked at.
fn of_gateway(system: &SystemDirectory, report: &mut Report) -> Vec<(&'static str, IpAddr, u16)> {
    let Some(file) = &system.server_xml else {
        return Vec::new();
    };
    let name = system.shown(file);
    let Ok(text) = std::fs::read_to_string(file) else {
        report.fault(
            "ports",
            format!("{name} cannot be read"),
            "look at its rights",
        );
        return Vec::new();
    };
    let server = match ServerConfig::read(&[(name.as_str(), text.as_str())]) {
        Ok(server) => server,
        Err(problem) => {
            let todo = "correct server.xml; transom check has more";
            report.fault("ports", problem.id_first().to_string(), todo);
            return Vec::new();
        }
    };
    let (host, [http, https]) = match server.endpoints.first() {
        Some(endpoint) => (
            endpoint.host.as_str(),
            [endpoint.http_port, endpoint.https_port],
        ),
        None => ("localhost", HTTP_PORTS.map(Some)),
    };
    let address = match host {
        "*" => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        host => host.parse().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
    };
    let https = https.filter(|_| !server.key_stores.is_empty());
    let both = [("the gateway", http), ("the gateway with TLS", https)];
    let both = both.into_iter();
    both.filter_map(|(name, port)| Some((name, address, port?)))
        .collect()
}

/// The process that listens on a port, as far as this user may see it.
fn taken_by(port: u16) -> String {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let mut lines = tables
        .iter()
        .flatten()
        .flat_map(|table| table.lines().skip(1));
    let socket = lines.find_map(|line| listening(line, port));
    let found = socket.and_then(|inode| owner(&format!("socket:[{inode}]")));
    found.unwrap_or_else(|| "a process that this user may not see".to_owned())
}

/// The inode of a line whose socket listens on the port.
fn listening(line: &str, port: u16) -> Option<&str> {
    let mut words = line.split_whitespace();
    let (_, local) = words.nth(1)?.rsplit_once(':')?;
    let is_it = u16::from_str_radix(local, 16).ok()? == port && words.nth(1)? == "0A";
    is_it.then(|| words.nth(5)).flatten()
}

fn owner(socket: &str) -> Option<String> {
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    for process in processes {
        let name = process.file_name();
        let Some(pid) = name
            .to_str()
            .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
        else {
            continue;
        };
        let Ok(open) = std::fs::read_dir(process.path().join("fd")) else {
            continue;
        };
        let mut targets = open
            .flatten()
            .filter_map(|fd| std::fs::read_link(fd.path()).ok());
        if targets.any(|target| target.as_os_str() == socket) {
            let command = std::fs::read_to_string(process.path().join("comm"));
            let command = command.unwrap_or_default();
            return Some(format!("{} (process {pid})", command.trim()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::State;

    fn said(toml: &str) -> Vec<(State, String)> {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("transom.toml"), toml).unwrap();
        let (system, _) = SystemDirectory::open(home.path(), |_| Vec::new()).unwrap();
        let mut report = Report::default();
        look(&system, false, &mut report);
        let said = report.said().into_iter();
        said.map(|(_, state, text)| (state, text.to_owned()))
            .collect()
    }

    #[test]
    fn a_port_that_is_taken_is_told_with_its_process() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let said = said(&format!("[terminals]\nport = {port}\n"));
        let [(state, text)] = &said[..] else {
            panic!("{said:?}");
        };
        assert_eq!(*state, State::Fault);
        let own = format!("(process {})", std::process::id());
        assert!(
            text.contains(&port.to_string()) && text.contains(&own),
            "{text}"
        );
    }

    #[test]
    fn one_port_for_two_and_none_at_all_are_told() {
        let both = said("[terminals]\nport = 7\n[dbrest]\nport = 7\n");
        assert!(both.iter().any(|(state, text)| *state == State::Fault
            && text == "port 7 is that of terminals and of REST services"));
        assert_eq!(said("")[0].0, State::Note);
    }

    #[test]
    fn lines_of_the_kernel() {
        let line = "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  \
                    1000        0 12345 1 0 100 0 0 10 0";
        assert_eq!(listening(line, 8080), Some("12345"));
        assert_eq!(listening(line, 8081), None);
        assert_eq!(listening(&line.replace(" 0A ", " 01 "), 8080), None);
        assert_eq!(listening("", 1), None);
    }
}
