//! What INQUIRE and PERFORM ask about the region itself.
//!
//! Not here: the commands, where the answers come from.

use crate::language;
use transom_types::TransClass;

language! {
    /// A question.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// Units of work under way. Answers a list of [`UnitFacts`].
        1 = Units,
        /// Transaction classes. Answers a list of [`ClassFacts`].
        2 = Classes,
        /// Write all statistics to the log. Answers the same text.
        4 = Statistics,
        /// SET TRANCLASS: MAXACTIVE and PURGETHRESH.
        5 = SetClass {
            name: TransClass,
            max_active: Option<u32>,
            purge_threshold: Option<u32>,
        },
        /// SET SYSTEM.
        6 = Set(change: SystemChange),
        /// DISCARD TRANCLASS.
        7 = DiscardClass(name: TransClass),
        /// INQUIRE MONITOR. Answers [`MonitorFacts`].
        8 = Monitor,
        /// SET MONITOR.
        9 = SetMonitor(change: MonitorChange),
    }

    /// What SET SYSTEM changes, besides MAXTASKS.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct SystemChange {
        /// RUNAWAY in milliseconds.
        pub runaway_ms: Option<u64>,
        /// PRTYAGING in milliseconds.
        pub priority_aging_ms: Option<u64>,
        /// SYSDUMP or NOSYSDUMP.
        pub dump: Option<bool>,
        /// AUTOACTIVE or AUTOINACTIVE.
        pub program_autoinstall: Option<bool>,
        /// GMMTEXT.
        pub gm_text: Option<String>,
    }

    /// Monitoring.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct MonitorFacts {
        pub on: bool,
        pub performance: bool,
    }

    /// What SET MONITOR changes.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct MonitorChange {
        /// ON or OFF.
        pub on: Option<bool>,
        /// PERF or NOPERF.
        pub performance: Option<bool>,
    }

    /// A unit of work under way.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct UnitFacts {
        pub number: u64,
        pub task: u32,
    }

    /// A transaction class.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ClassFacts {
        pub name: TransClass,
        pub max_active: u32,
        pub purge_threshold: u32,
        pub active: u32,
        pub queued: u32,
    }
}
