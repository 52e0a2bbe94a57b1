//! The fail points of the stores and of the coordinator, by when they are passed.
//!
//! Not here: what goes wrong there (`points`).

use crate::bank::Target;

/// A place, and the highest number of times it may be passed before it goes wrong.
pub(crate) struct Place {
    pub(crate) name: &'static str,
    pub(crate) passes_max: u64,
}

const fn place(name: &'static str, passes_max: u64) -> Place {
    Place { name, passes_max }
}

/// Places of the embedded store.
pub(crate) const LOCAL: &[Place] = &[
    place("lock-before", 60),
    place("lock-after", 60),
    place("stage-before", 60),
    place("stage-locked", 60),
    place("stage-after", 60),
    place("write-now-durable", 3),
    place("prepare-begin", 20),
    place("prepare-durable", 20),
    place("commit-begin", 40),
    place("commit-durable", 40),
    place("commit-released", 40),
    place("backout-begin", 10),
    place("backout-durable", 8),
    place("group-begin", 40),
    place("lmdb-write-before", 40),
    place("lmdb-write-after", 40),
    place("lmdb-commit-before", 40),
    place("lmdb-commit-after", 40),
    place("log-write-before", 40),
    place("log-write-after", 40),
    place("checkpoint-begin", 4),
    place("checkpoint-write", 4),
    place("lmdb-define", 5),
    place("lmdb-sweep", 2),
];
/// Places of the embedded store when it opens; there is something in doubt then.
pub(crate) const LOCAL_RECOVERY: &[Place] = &[
    place("recover-begin", 0),
    place("recover-unit", 0),
    place("recover-end", 0),
    place("resolve-begin", 0),
];
/// Places of a compaction, before a store opens again.
pub(crate) const COMPACTION: &[Place] = &[
    place("compact-copied", 0),
    place("compact-ready", 0),
    place("restore-swap", 3),
];
/// Places of the store in PostgreSQL.
pub(crate) const POSTGRES: &[Place] = &[
    place("pg-stage", 30),
    place("pg-prepare-begin", 8),
    place("pg-notes-durable", 8),
    place("pg-prepared", 8),
    place("pg-end-prepared", 8),
    place("pg-outcome-durable", 8),
];
/// Places of PostgreSQL where a unit of work ends without having been prepared.
pub(crate) const POSTGRES_ONE_PHASE: &[Place] =
    &[place("pg-commit-before", 15), place("pg-commit-after", 15)];
/// Places of the store in PostgreSQL when it opens.
pub(crate) const POSTGRES_RECOVERY: &[Place] =
    &[place("pg-recover-begin", 0), place("pg-recover-end", 0)];

/// Places of the coordinator.
pub(crate) const JOINT: &[Place] = &[
    place("joint-one-phase", 5),
    place("joint-prepare", 8),
    place("joint-prepared", 8),
    place("joint-decide", 8),
    place("joint-decided", 8),
    place("joint-tell", 8),
    place("joint-told", 8),
    place("joint-undo", 0),
    place("joint-forget", 0),
];
/// Places of the coordinator after a restart.
pub(crate) const JOINT_RECOVERY: &[Place] =
    &[place("joint-resync", 0), place("joint-tell-late", 0)];

/// Places of the coordinator where a last agent decides.
pub(crate) const AGENT: &[Place] = &[
    place("joint-one-phase", 5),
    place("joint-agent-prepare", 8),
    place("joint-agent-decide", 8),
    place("joint-agent-decided", 8),
];
/// The same after a restart.
pub(crate) const AGENT_RECOVERY: &[Place] = &[place("joint-agent-ask", 0)];

/// Places of the embedded SQL engine.
pub(crate) const EMBEDDED: &[Place] = &[place("sql-written", 10), place("sql-flush", 10)];

/// Places of SQL on a server.
pub(crate) const SERVER: &[Place] = &[
    place("sql-statement", 20),
    place("sql-commit", 8),
    place("sql-committed", 8),
];

/// Places that a kind of unit of work never passes.
pub(crate) const NEVER: &[(&str, Target)] = &[
    // In two phases the first store is not prepared: its commit decides.
    ("prepare-begin", Target::Both),
    ("prepare-durable", Target::Both),
    ("backout-durable", Target::Both),
    ("recover-unit", Target::Both),
    ("resolve-begin", Target::Both),
    // What is prepared there is committed but where the agent fails.
    ("backout-durable", Target::Sql),
    ("backout-durable", Target::Server),
];
