//! `[dbrest]`.

use crate::kind::{Address, Inside, Number, Seconds};
use core::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

settings! {
    /// Listeners of the REST services of the database, as Db2's distributed data facility has them.
    pub struct DbrestSettings in "[dbrest]" {
        /// HTTP port. Without it and without https_port services cannot be reached.
        port: Option<u16> = None, Number(1, 65_535);
        /// HTTPS port.
        https_port: Option<u16> = None, Number(1, 65_535);
        /// Address both listen on.
        address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST), Address;
        /// PEM file with certificate chain and key, below the directory. Without it one is made at
        /// the first start with https_port.
        certificate: Option<String> = None, Inside;
        /// Requests that work in the database at a time, {values}: MAXDBAT. Each may hold the rows
        /// of its result.
        max_threads: usize = 20, Number(1, 1_000);
        /// How long others wait for their turn, {values}; then they get status 503.
        wait_seconds: Duration = Duration::from_secs(30), Seconds(1, 600);
        /// Connections at a time, {values}, half of them for one client; further ones are refused.
        max_connections: usize = 1_000, Number(1, 100_000);
        /// Longest body of a request, bytes, {values}.
        body_bytes_max: u64 = 4_194_304, Number(1_024, 1_073_741_824);
    }
}
