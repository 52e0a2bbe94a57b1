//! Facts about the region.

use super::{SYSTEM_GROUP, get, put};
use crate::language;
use crate::shared::{Shared, Space};
use transom_types::{Applid, JobName, ProgramName, SysId, TransId, UserId};

language! {
    /// Facts about the region that commands answer.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SystemEntry {
        /// APPLID.
        pub applid: Applid,
        /// SYSIDNT.
        pub sysid: SysId,
        /// DFLTUSER.
        pub default_user: UserId,
        /// GMTRAN.
        pub gm_transid: TransId,
        /// Job name the region shows.
        pub jobname: JobName,
        /// LOCALCCSID: coded character set of data inside programs.
        pub local_ccsid: u32,
        /// MXT.
        pub max_tasks: u32,
        /// WRKAREA in bytes; 0: no CWA.
        pub cwa_bytes: u32,
        /// ICVR in milliseconds.
        pub runaway_ms: u64,
        /// PRTYAGE in milliseconds.
        pub priority_aging_ms: u64,
        /// When the region started, as ABSTIME.
        pub started_abstime_ms: u64,
        /// DUMP=YES: system dumps.
        pub dump: bool,
        /// PGAICTLG / PGAIPGM ACTIVE: programs are autoinstalled.
        pub program_autoinstall: bool,
        /// START=COLD and so on: `C` cold, `W` warm, `E` emergency, `I` initial.
        pub start_type: u8,
        /// Folder of the record store that workers read; empty: none.
        pub store_dir: String,
        /// Folder of compiled mapsets; empty: none.
        pub map_dir: String,
        /// Which checks of authority are made.
        pub security: Checks,
        /// INITPARM texts: program and text, at most 60 characters each.
        pub initparm: Vec<(ProgramName, String)>,
    }

    /// Checks of authority: SEC, CMDSEC and RESSEC.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Checks {
        /// SEC=YES.
        pub on: bool,
        /// CMDSEC=ALWAYS: whatever the transaction says.
        pub commands_always: bool,
        /// RESSEC=ALWAYS.
        pub resources_always: bool,
    }
}

impl SystemEntry {
    /// A region with CICS's defaults.
    pub fn new(applid: Applid, sysid: SysId) -> Self {
        Self {
            applid,
            sysid,
            default_user: UserId::from_field(b"CICSUSER"),
            gm_transid: TransId::from_field(b"CSGM"),
            jobname: JobName::from_field(applid.as_bytes()),
            local_ccsid: 819,
            max_tasks: 250,
            cwa_bytes: 512,
            runaway_ms: 5_000,
            priority_aging_ms: 1_000,
            started_abstime_ms: 0,
            dump: true,
            program_autoinstall: true,
            start_type: b'C',
            store_dir: String::new(),
            map_dir: String::new(),
            security: Checks::default(),
            initparm: Vec::new(),
        }
    }

    /// Installs or replaces the facts.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(shared, Space::System, SYSTEM_GROUP, &self.encode())
    }

    /// The region's facts.
    pub fn find(shared: &dyn Shared) -> Option<Self> {
        get(shared, Space::System, SYSTEM_GROUP, Self::decode)
    }
}
