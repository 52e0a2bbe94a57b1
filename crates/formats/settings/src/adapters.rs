//! `[local_adapters]`: how processes of one machine reach a region. Names are those of BBOC
//! START_SRVR.

use crate::kind::{AnyPath, NationalName, Number, Programs, YesNo};
use std::path::PathBuf;

settings! {
    /// With this table `transom run` lets gateways in other processes of the machine reach the
    /// region (BBOC START_SRVR). `transom gateway` takes the group and the numbers of connections
    /// from it.
    pub struct AdapterSettings in "[local_adapters]" {
        /// Registration name of the region (RGN), {values} characters; `registerName` in
        /// server.xml.
        register_name: Option<String> = None => "APPLID", NationalName(12);
        /// First name of the group (DGN), up to {max} characters.
        group: Option<String> = None => "`wolaGroup` of server.xml", NationalName(8);
        /// Second name of the group (NDN), up to {max} characters.
        name2: Option<String> = None => "`wolaName2` of server.xml", NationalName(8);
        /// Third name of the group (SVN), up to {max} characters.
        name3: Option<String> = None => "`wolaName3` of server.xml", NationalName(8);
        /// Connections a gateway keeps open (MNC), {values}.
        min_connections: usize = 1, Number(1, 1_000);
        /// Connections at most (MXC), {values}; more requests wait, then get 503.
        max_connections: usize = 100, Number(1, 1_000);
        /// Programs that may be reached (SVC): names, or beginnings of names with `*`; a list.
        services: Vec<String> = Vec::new() => "*", Programs(1_000);
        /// A connection serves many requests (REU); NO: one each.
        reuse: bool = true, YesNo;
        /// Link tasks run for the user of the request (SEC); NO: for DFLTUSER.
        security: bool = true, YesNo;
        /// Folder below which region and gateway meet; it belongs to their user.
        folder: Option<PathBuf> = None => "`TRANSOM_RUNTIME_DIR`, else `transom` in `XDG_RUNTIME_DIR`, else in /tmp", AnyPath;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;

    #[test]
    fn keys_have_bounds_and_near_names() {
        let mut table = AdapterSettings::default();
        for (key, value) in [
            ("register_name", "cicsreg"),
            ("group", "CATMGR1"),
            ("max_connections", "20"),
            ("services", "CABASIC,TST*"),
            ("reuse", "NO"),
        ] {
            table.set(key, value).unwrap();
        }
        assert_eq!(table.register_name.as_deref(), Some("CICSREG"));
        assert_eq!(table.max_connections, 20);
        assert_eq!(table.services, ["CABASIC", "TST*"]);
        assert!(!table.reuse && table.security);
        for (key, value, part) in [
            ("max_connections", "0", "1 to 1000"),
            ("register_name", "A/B", "letters"),
            ("services", "A*B", "only at the end"),
            ("reuse", "MAYBE", "YES or NO"),
            ("max_conections", "5", "max_connections"),
        ] {
            let error = table.set(key, value).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
