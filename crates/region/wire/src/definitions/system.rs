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
        /// PGAIPGM=ACTIVE: programs are autoinstalled.
        pub program_autoinstall: bool,
        /// How the region started.
        pub start_type: StartType,
        /// When it last started in each way, this start among them.
        pub last_starts: LastStarts,
        /// PLTPIUSR: user of PLTPI programs.
        pub plt_user: UserId,
        /// Folder of the record store that workers read; empty: none.
        pub store_dir: String,
        /// Folder of compiled mapsets; empty: none.
        pub map_dir: String,
        /// Which checks of authority are made.
        pub security: Checks,
        /// GMTEXT.
        pub gm_text: String,
        /// MSGPREFIX=DFH: messages at terminals are named as CICS names them.
        pub cics_messages: bool,
        /// EDSALIM in bytes.
        pub shared_bytes: u64,
        /// DATFORM.
        pub date_form: DateForm,
        /// NATLANG: codes of one character; the first is that of the region.
        pub languages: String,
        /// CMDPROT=YES: a bad address of an output option is abend AEYD.
        pub command_protection: bool,
        /// STGPROT=YES: programs without EXECKEY(CICS) run in user key.
        pub storage_protection: bool,
        /// GRPLIST: names of group lists, at most four.
        pub group_lists: Vec<String>,
        /// INITPARM texts: program and text, at most 60 characters each.
        pub initparm: Vec<(ProgramName, String)>,
        /// DTRPGM.
        pub routing_program: ProgramName,
    }

    /// How a region starts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum StartType {
        /// START=COLD.
        #[default]
        0 = Cold,
        /// START=INITIAL, or the first start of all.
        1 = Initial,
        /// After an orderly end.
        2 = Warm,
        /// After any other end.
        3 = Emergency,
    }

    /// When a region last started in each way, as ABSTIME; 0: never.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct LastStarts {
        pub cold: u64,
        pub initial: u64,
        pub warm: u64,
        pub emergency: u64,
    }

    /// DATFORM.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub enum DateForm {
        /// MMDDYY.
        #[default]
        0 = MonthDayYear,
        /// DDMMYY.
        1 = DayMonthYear,
        /// YYMMDD.
        2 = YearMonthDay,
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

impl DateForm {
    /// A value of DATFORM.
    pub fn of(word: &str) -> Self {
        match word {
            "DDMMYY" => Self::DayMonthYear,
            "YYMMDD" => Self::YearMonthDay,
            _ => Self::MonthDayYear,
        }
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
            routing_program: ProgramName::from_field(b"DFHDYP"),
            jobname: JobName::from_field(applid.as_bytes()),
            local_ccsid: 819,
            max_tasks: 250,
            cwa_bytes: 512,
            runaway_ms: 5_000,
            priority_aging_ms: 1_000,
            started_abstime_ms: 0,
            dump: true,
            program_autoinstall: true,
            start_type: StartType::Cold,
            last_starts: LastStarts::default(),
            plt_user: UserId::BLANK,
            store_dir: String::new(),
            map_dir: String::new(),
            security: Checks::default(),
            gm_text: String::new(),
            cics_messages: false,
            shared_bytes: 0,
            date_form: DateForm::default(),
            languages: "E".to_owned(),
            command_protection: true,
            storage_protection: true,
            group_lists: Vec::new(),
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
