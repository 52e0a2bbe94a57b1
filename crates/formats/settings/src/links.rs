//! `[links]`.

use crate::kind::{Inside, Number};

settings! {
    /// Links to other regions over TCP (IPCONN and TCPIPSERVICE); those on this machine
    /// (CONNECTION) need none of it.
    pub struct LinkSettings in "[links]" {
        /// Folder below the directory with `ca.pem`, the authorities of regions, and certificate
        /// chain with key: `LABEL.pem` for CERTIFICATE(LABEL), else `default.pem`. Nobody else may
        /// read it. The files are read again for each connection this region makes, and when a
        /// TCPIPSERVICE is opened.
        keyring: Option<String> = None, Inside;
        /// Connections of other regions at a time, {values}; further ones are closed.
        max_connections: usize = 2_000, Number(1, 100_000);
    }
}
