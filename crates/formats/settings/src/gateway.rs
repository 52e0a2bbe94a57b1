//! `[gateway]`.

use crate::kind::{Inside, Number, UpTo, YesNo};

settings! {
    /// Everything else about APIs stands in `server.xml`.
    pub struct GatewaySettings in "[gateway]" {
        /// Server configuration file of the API gateway.
        server_xml: String = "server.xml".into(), Inside;
        /// Threads that serve HTTP; 0 = one per core.
        threads: u32 = 1, UpTo(256);
        /// JSON values must have the types of the schema: no number in quotes, no null.
        strict: bool = false, YesNo;
        /// Connections of each listener at a time, {values}; others are answered 503.
        max_connections: usize = 20_000, Number(1, 1_000_000);
        /// Connections of one client address at a time; 0: half of what the listener takes.
        max_connections_per_client: usize = 0, Number(0, 1_000_000);
        /// Longest request body in bytes; longer ones get 413.
        body_bytes_max: u64 = 4 << 20, UpTo(1 << 32);
    }
}
