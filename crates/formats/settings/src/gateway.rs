//! `[gateway]`.

use crate::kind::{Inside, UpTo};

settings! {
    /// Everything else about APIs stands in `server.xml`.
    pub struct GatewaySettings in "[gateway]" {
        /// Server configuration file of the API gateway.
        server_xml: String = "server.xml".into(), Inside;
        /// Threads that serve HTTP; 0 = one per core.
        threads: u32 = 1, UpTo(256);
        /// Longest request body in bytes; longer ones get 413.
        body_bytes_max: u64 = 4 << 20, UpTo(1 << 32);
    }
}
