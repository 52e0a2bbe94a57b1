//! Ports of a system directory that two listeners name or another process has.
//!
//! Why: a start would end there, after everything has been compiled. Not here: listeners that are
//! open to other machines; which ports the gateway has, which is handed in; who has a port
//! (`tools/doctor`).

use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr, TcpListener};
use transom_messages::{Message, Severity, si};
use transom_settings::Settings;
use transom_system::Finding;

/// A port, and the key that says it.
pub type Listener = (&'static str, SocketAddr);

/// The ports of transom.toml.
pub(crate) fn of(settings: &Settings) -> Vec<Listener> {
    let (terminals, rest) = (&settings.terminals, &settings.dbrest);
    let operations = &settings.operations;
    let all: [(&'static str, Option<u16>, IpAddr); 5] = [
        ("[terminals] port", terminals.port, terminals.address),
        (
            "[terminals] tls_port",
            terminals.tls_port,
            terminals.address,
        ),
        ("[dbrest] port", rest.port, rest.address),
        ("[dbrest] https_port", rest.https_port, rest.address),
        ("[operations] port", operations.port, operations.address),
    ];
    let named = all.into_iter();
    named
        .filter_map(|(key, port, address)| Some((key, SocketAddr::new(address, port?))))
        .collect()
}

/// What is told of ports that are named twice, or that somebody has. A port is tried and given back
/// at once.
pub(crate) fn findings(listeners: &[Listener]) -> Vec<Finding> {
    let listeners: Vec<Listener> = listeners
        .iter()
        .filter(|l| l.1.port() != 0)
        .copied()
        .collect();
    let told = listeners
        .iter()
        .enumerate()
        .filter_map(|(n, (key, address))| {
            let twice = listeners[..n]
                .iter()
                .find(|other| is_one_place(other.1, *address));
            match twice {
                Some((other, _)) => Some(si::port_named_twice(key, address, other)),
                None => is_taken(*address).then(|| si::port_in_use(key, address)),
            }
        });
    told.map(finding).collect()
}

/// Somebody who has a port may be the region of this system directory.
fn finding(message: Message) -> Finding {
    Finding {
        is_error: message.severity() >= Severity::Error,
        text: message.to_string(),
    }
}

/// Two listeners cannot have both.
fn is_one_place(one: SocketAddr, other: SocketAddr) -> bool {
    let (a, b) = (one.ip(), other.ip());
    // `::` takes what comes by IPv4, too.
    let every = |all: IpAddr, ip: IpAddr| all.is_unspecified() && (all.is_ipv6() || ip.is_ipv4());
    one.port() == other.port() && (a == b || every(a, b) || every(b, a))
}

fn is_taken(address: SocketAddr) -> bool {
    let tried = TcpListener::bind(address);
    tried.is_err_and(|why| why.kind() == ErrorKind::AddrInUse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(listeners: &[Listener]) -> Vec<(bool, String)> {
        let all = findings(listeners).into_iter();
        all.map(|finding| (finding.is_error, finding.text))
            .collect()
    }

    #[test]
    fn a_port_that_somebody_has_is_told_with_its_key() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let text = format!("[terminals]\nport = {}\n", address.port());
        let (settings, problems) = transom_settings::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let expected = format!("TXMSI0098W [terminals] port: another process listens at {address}");
        assert_eq!(told(&of(&settings)), [(false, expected)]);
        // The same port of another address is free.
        let elsewhere = SocketAddr::new("127.0.0.2".parse().unwrap(), address.port());
        assert_eq!(told(&[("[dbrest] port", elsewhere)]), []);
    }

    #[test]
    fn one_port_for_two_listeners_is_an_error_with_both_keys() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let text =
            format!("[terminals]\nport = {port}\n[dbrest]\nport = {port}\naddress = \"0.0.0.0\"\n");
        let (settings, problems) = transom_settings::parse(&text);
        assert!(problems.is_empty(), "{problems:?}");
        let found = told(&of(&settings));
        let expected =
            format!("TXMSI0099E [dbrest] port: 0.0.0.0:{port} is already that of [terminals] port");
        assert!(found.contains(&(true, expected)), "{found:?}");
        // Two addresses of one machine have each their own ports; 0 is any port that is free.
        let at = |text: &str| text.parse::<SocketAddr>().unwrap();
        assert!(!is_one_place(at("127.0.0.1:7"), at("127.0.0.2:7")));
        assert!(!is_one_place(at("0.0.0.0:7"), at("[::1]:7")));
        assert!(is_one_place(at("[::]:7"), at("127.0.0.1:7")));
        assert_eq!(
            told(&[("a", at("127.0.0.1:0")), ("b", at("127.0.0.1:0"))]),
            []
        );
    }
}
