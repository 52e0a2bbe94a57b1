//! What a worker says of a task that is measured, with its end.
//!
//! What: counts and times by the fields of the monitoring record, and what of the record only the
//! worker knows. Why with the end: it travels anyway. Not here: the record
//! (`transom_monitoring`), who writes it.

use crate::Space;
use crate::association::Association;
use crate::language;
use crate::requests::Domain;
use crate::shared::Shared;
use transom_monitoring::{ControlTable, Counts, FieldId, Record, UserValue, field};
use transom_types::AbendCode;

/// Times of a task.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Times {
    /// When it was dispatched first, in nanoseconds since 1970 UTC.
    pub began_ns: u64,
    /// From then on.
    pub elapsed_ns: u64,
    /// Clocks of the monitoring record with their nanoseconds and periods.
    pub clocks: Vec<(FieldId, u64, u32)>,
    /// Changes between QUASIRENT and THREADSAFE programs.
    pub changes: u32,
}

language! {
    /// What a task used.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Costs {
        /// When it was dispatched first, in nanoseconds since 1970 UTC.
        pub began_ns: u64,
        /// From then to its end.
        pub elapsed_ns: u64,
        pub counts: Vec<Counted>,
        pub times: Vec<Timed>,
        /// Its first abend and its last one.
        pub abends: Option<Abends>,
        pub association: Association,
        /// Fields that users define, behind those of CICS.
        pub user: Vec<UserValue>,
        /// What it asked for, call by call, where that is wanted.
        pub calls: Vec<Called>,
        /// Calls that there was no room for.
        pub calls_lost: u32,
    }

    /// A call of a task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Called {
        pub doing: Doing,
        /// EIBRSRCE.
        pub resource: [u8; 8],
        /// RESP, or the SQLCODE.
        pub code: i32,
        /// Nanoseconds from the task's dispatch.
        pub at_ns: u64,
        pub took_ns: u64,
        /// The LINK whose program it was called in, counted from 1 among the calls; 0: the first
        /// program.
        pub below: u16,
    }

    /// What a call was for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Doing {
        /// A command, by its number.
        1 = Command { id: u16 },
        /// A statement of SQL.
        2 = Sql,
        /// The end of the task's last unit of work.
        3 = Commit,
        4 = Backout,
    }

    /// A count that is not zero.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Counted {
        /// Place of the field in the dictionary.
        pub field: u8,
        pub number: u64,
    }

    /// A clock that ran.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Timed {
        /// Place of the field in the dictionary.
        pub field: u8,
        pub ns: u64,
        pub periods: u32,
    }

    /// Abends of a task, handled or not.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Abends {
        pub first: AbendCode,
        pub last: AbendCode,
    }
}

impl Costs {
    /// What a task used: its times, counts that are not zero, its first and its last abend.
    pub fn new(
        times: Times,
        counts: &Counts,
        (first, last): (Option<AbendCode>, Option<AbendCode>),
        association: Association,
    ) -> Self {
        let counted = |(field, number): (FieldId, u64)| Counted {
            field: field.0,
            number,
        };
        let timed = |(field, ns, periods): (FieldId, u64, u32)| Timed {
            field: field.0,
            ns,
            periods,
        };
        let changes = Some((field::CHMODECT, u64::from(times.changes)));
        let changes = changes.filter(|(_, changes)| *changes > 0);
        Self {
            began_ns: times.began_ns,
            elapsed_ns: times.elapsed_ns,
            counts: counts.all().chain(changes).map(counted).collect(),
            times: times.clocks.into_iter().map(timed).collect(),
            abends: first.zip(last).map(|(first, last)| Abends { first, last }),
            association,
            user: Vec::new(),
            calls: Vec::new(),
            calls_lost: 0,
        }
    }

    /// Adds counts and times to a record.
    pub fn add_to(&self, record: &mut Record) {
        for counted in &self.counts {
            record.add(FieldId(counted.field), counted.number);
        }
        for timed in &self.times {
            record.add_clock(FieldId(timed.field), timed.ns, timed.periods);
        }
    }
}

/// The group of the monitoring control table among what workers know of the system.
pub(crate) const CONTROL_TABLE: &[u8] = b"DFHMCT";

/// Shows the monitoring control table to workers.
pub fn install_control_table(shared: &dyn Shared, table: &ControlTable) {
    let bytes = table.encode();
    shared.with_group(Space::System, CONTROL_TABLE, &mut |group| {
        group.put(0, &bytes);
    });
}

/// The monitoring control table of the region; `None`: it has none.
pub fn control_table(shared: &dyn Shared) -> Option<ControlTable> {
    let mut table = None;
    shared.with_group(Space::System, CONTROL_TABLE, &mut |group| {
        table = group.get(0).and_then(ControlTable::decode);
    });
    table
}

/// The clock of a wait for an answer of a domain; `None`: it is suspend time and nothing else.
pub fn clock_of(domain: Domain) -> Option<FieldId> {
    Some(match domain {
        Domain::FileControl => field::FCIOWTT,
        Domain::TemporaryStorage => field::TSIOWTT,
        Domain::TransientData => field::TDIOWTT,
        Domain::Terminal => field::TCIOWTT,
        Domain::Syncpoint | Domain::Journal => field::JCIOWTT,
        Domain::Sql => field::DB2WAIT,
        _ => return None,
    })
}
