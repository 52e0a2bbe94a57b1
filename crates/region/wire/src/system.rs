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
        /// INQUIRE STATISTICS. Answers [`StatisticsFacts`].
        10 = StatisticsFacts,
        /// SET STATISTICS.
        11 = SetStatistics(change: StatisticsChange),
        /// PERFORM STATISTICS: the types by their options; none: all.
        12 = RecordStatistics { options: Vec<String>, reset: bool },
        /// COLLECT and EXTRACT STATISTICS of a type, or of one resource. Answers [`Collected`].
        13 = Collect { option: String, resource: Option<Vec<u8>> },
        /// INQUIRE TRACEDEST, TRACEFLAG, TRACETYPE. Answers [`TraceFacts`].
        14 = Trace(subject: TraceSubject),
        /// SET TRACEDEST, TRACEFLAG, TRACETYPE.
        15 = SetTrace(change: TraceChange),
    }

    /// Which of the commands about the trace.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum TraceSubject {
        1 = Destination,
        2 = Flag,
        3 = Type,
    }

    /// Whether entries are written to a data set.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Auxiliary {
        1 = Started,
        2 = Paused,
        3 = Stopped,
    }

    /// What happens when the data set of the auxiliary trace is full.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Switching {
        /// The trace stops.
        1 = No,
        /// It goes on in the other data set, once.
        2 = Next,
        /// Each time.
        3 = All,
    }

    /// The trace of the region.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct TraceFacts {
        /// As `transom_trace::Flags` has them.
        pub flags: u64,
        pub auxiliary: Auxiliary,
        /// The data set is A, not B.
        pub first: bool,
        pub switching: Switching,
        /// Kilobytes of entries in memory.
        pub table_kilobytes: u32,
    }

    /// What is changed of it.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct TraceChange {
        pub internal: Option<bool>,
        pub auxiliary: Option<Auxiliary>,
        pub switching: Option<Switching>,
        /// SWITCH: the other data set from now on.
        pub switch: bool,
        pub system: Option<bool>,
        pub user: Option<bool>,
        /// Numbers of components, and whether they are on.
        pub components: Vec<ComponentChange>,
    }

    /// A component is traced from now on, or not.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct ComponentChange {
        pub component: u8,
        pub on: bool,
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

    /// When statistics are written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct StatisticsFacts {
        /// Intervals are recorded.
        pub on: bool,
        pub interval_s: u32,
        /// Second of the local day.
        pub end_of_day_s: u32,
        /// The same of the next time.
        pub next_s: u32,
    }

    /// What SET STATISTICS changes.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct StatisticsChange {
        pub on: Option<bool>,
        pub interval_s: Option<u32>,
        pub end_of_day_s: Option<u32>,
        /// RECORDNOW.
        pub record: bool,
        /// RESETNOW.
        pub reset: bool,
    }

    /// A statistics record as a program sees it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Collected {
        pub bytes: Vec<u8>,
        /// When counts began anew.
        pub reset_abstime_ms: i64,
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

impl TraceSubject {
    /// What authority is asked for.
    pub fn class(self) -> &'static str {
        match self {
            Self::Destination => "TRACEDEST",
            Self::Flag => "TRACEFLAG",
            Self::Type => "TRACETYPE",
        }
    }
}

impl TraceChange {
    /// The command that asks for it.
    pub fn subject(&self) -> TraceSubject {
        if !self.components.is_empty() {
            TraceSubject::Type
        } else if self.system.is_some() || self.user.is_some() {
            TraceSubject::Flag
        } else {
            TraceSubject::Destination
        }
    }
}
