//! `[terminals]`.

use crate::kind::{Address, Inside, Number, Seconds, Word, YesNo};
use crate::preset::{PresetPlace, PresetPlaces};
use core::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

settings! {
    /// TN3270 listeners.
    pub struct TerminalSettings in "[terminals]" {
        /// Port of the TN3270 listener. Without it and without tls_port no terminal can connect.
        port: Option<u16> = None, Number(1, 65_535);
        /// Port of the TN3270 listener that begins with TLS.
        tls_port: Option<u16> = None, Number(1, 65_535);
        /// Address both listen on.
        address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST), Address;
        /// PEM file with certificate chain and key, below the directory; needed for tls_port and
        /// start_tls.
        certificate: Option<String> = None, Inside;
        /// PEM file, below the directory, with the authorities whose certificates clients may show
        /// over TLS, and with their lists of revoked ones.
        client_ca: Option<String> = None, Inside;
        /// OPTIONAL: a client with a certificate is who that says, others sign on. REQUIRED: every
        /// client shows one; needs client_ca, and TLS at every port. Not a CICS name.
        client_certificates: &'static str = "OPTIONAL", Word(&["OPTIONAL", "REQUIRED"]);
        /// YES: `port` offers telnet START_TLS and serves no client that refuses it.
        start_tls: bool = false, YesNo;
        /// Coded character set of terminals whose Query Reply names none.
        ccsid: u32 = 37, Number(1, 65_535);
        /// Sessions at a time, {values}; further connections are refused. File descriptors may
        /// allow fewer.
        max_sessions: usize = 10_000, Number(1, 100_000);
        /// Sessions without input for so long are ended; 0: never.
        idle_seconds: Option<Duration> = None, Seconds(0, 604_800);
        /// Sessions at which nobody is signed on are ended after so long without input, where
        /// authority is checked; printers are not; 0: never.
        unsigned_seconds: Option<Duration> = Some(Duration::from_secs(1_800)), Seconds(0, 604_800);
        /// Time from connection to logon, {values}; a client that is slower is closed.
        logon_seconds: Duration = Duration::from_secs(30), Seconds(1, 600);
        /// A client silent for so long is sent a telnet NOP, so that one that vanished is found
        /// out; 0: never.
        keepalive_seconds: Option<Duration> = Some(Duration::from_secs(120)), Seconds(0, 86_400);
        /// The client must answer that sign of life (then a TIMING-MARK) within this time or its
        /// session ends; 0: it need not.
        answer_seconds: Option<Duration> = None, Seconds(0, 600);
        /// Connections of one client address at a time; 0: half of max_sessions.
        max_sessions_per_client: usize = 0, Number(0, 100_000);
        /// NO: only LU names of TERMINAL definitions are served; others are rejected.
        autoinstall: bool = true, YesNo;
        /// Clients that are signed on as the USERID of their TERMINAL definition, and so are those
        /// whose certificate is that user's; others of the same LU sign on themselves. Printers are
        /// where their definition says.
        preset_from: Vec<PresetPlace> = Vec::new(), PresetPlaces;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn keys_have_bounds_and_near_names() {
        let mut terminals = TerminalSettings::default();
        for (key, value) in [
            ("port", "3270"),
            ("logon_seconds", "5"),
            ("keepalive_seconds", "0"),
        ] {
            terminals.set(key, value).unwrap();
        }
        assert_eq!(terminals.port, Some(3270));
        assert_eq!(terminals.logon_seconds, Duration::from_secs(5));
        assert_eq!(terminals.keepalive_seconds, None);
        for (key, value, part) in [
            ("port", "0", "1 to 65535"),
            (
                "logon_seconds",
                "601",
                "a whole number from 1 to 600 is needed",
            ),
            ("address", "localhost", "IP address"),
            ("certificate", "../key.pem", "below the system directory"),
            ("start_tls", "MAYBE", "YES or NO"),
            ("ports", "1", "nearest known one is port"),
        ] {
            let error = terminals.set(key, value).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_row_of_the_page_comes_from_the_row_of_the_table() {
        let rows = TerminalSettings::rows();
        let row = rows.iter().find(|r| r.key == "logon_seconds").unwrap();
        assert_eq!(
            (row.default.as_str(), row.meaning.as_str()),
            (
                "30",
                "Time from connection to logon, 1 to 600; a client that is slower is closed."
            )
        );
    }
}
