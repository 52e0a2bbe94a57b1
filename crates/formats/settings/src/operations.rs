//! `[operations]`.

use crate::kind::{Address, Inside, Number, Word, YesNo};
use core::net::{IpAddr, Ipv4Addr};

settings! {
    /// Listener for whoever watches the region of `transom run`: health checks, metrics, a status
    /// page.
    pub struct OperationsSettings in "[operations]" {
        /// Port. Without it there is no such listener, and times of tasks are not counted.
        port: Option<u16> = None, Number(1, 65_535);
        /// Address it listens on. Beyond this machine it is HTTPS, and clients log on as users of
        /// the region, but for health checks.
        address: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST), Address;
        /// HTTPS on an address of this machine too, {values}.
        https: bool = false, YesNo;
        /// PEM file with certificate chain and key, below the directory. Without it one is made at
        /// the first start that needs it.
        certificate: Option<String> = None, Inside;
        /// Who logs on, {values}. AUTO: clients where the address is not one of this machine; YES:
        /// always. In a region without users nobody can.
        logon: &'static str = "AUTO", Word(&["AUTO", "YES"]);
        /// Connections at a time, {values}, half of them for one client; further ones are refused.
        max_connections: usize = 32, Number(2, 1_000);
        /// Transactions, programs, files and operations of APIs, {values} of each, that have
        /// figures of their own; further transactions and programs are counted together.
        names_max: usize = 1_000, Number(10, 10_000);
    }
}
