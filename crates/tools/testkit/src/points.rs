//! Fail points: at each named place of the stores something goes wrong, for each kind of unit of
//! work.
//!
//! What: place x (panic, kill, error, delay) x (files, files and queue, PostgreSQL, both in two
//! phases). Each case has new stores: a child works, the place is reached for the n-th time, it
//! happens; a second child recovers, and may die in that, too; then the books are checked. Why:
//! these are the moments a unit of work can be torn at. Not here: deaths at random moments
//! (`region`), deaths of the machine (`power`).

use crate::bank::{Bank, Target};
use crate::child::{self, Life, MAP_BYTES, WorkArgs};
use crate::plan::Plan;
use crate::report::Part;
use crate::rng::Rng;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use transom_datasets::conformance::Cluster;

/// Cases of the share.
const SHARE_PERCENT: u64 = 12;

/// A place, and the highest number of times it may be passed before it goes wrong.
struct Place {
    name: &'static str,
    passes_max: u64,
}

const fn place(name: &'static str, passes_max: u64) -> Place {
    Place { name, passes_max }
}

/// Places of the embedded store.
const LOCAL: &[Place] = &[
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
const LOCAL_RECOVERY: &[Place] = &[
    place("recover-begin", 0),
    place("recover-unit", 0),
    place("recover-end", 0),
    place("resolve-begin", 0),
];
/// Places of the store in PostgreSQL.
const POSTGRES: &[Place] = &[
    place("pg-stage", 30),
    place("pg-prepare-begin", 8),
    place("pg-notes-durable", 8),
    place("pg-prepared", 8),
    place("pg-end-prepared", 8),
    place("pg-outcome-durable", 8),
];
/// Places of PostgreSQL where a unit of work ends without having been prepared.
const POSTGRES_ONE_PHASE: &[Place] = &[place("pg-commit-before", 15), place("pg-commit-after", 15)];
/// Places of the store in PostgreSQL when it opens.
const POSTGRES_RECOVERY: &[Place] = &[place("pg-recover-begin", 0), place("pg-recover-end", 0)];

/// Places of the coordinator.
const JOINT: &[Place] = &[
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
const JOINT_RECOVERY: &[Place] = &[place("joint-resync", 0), place("joint-tell-late", 0)];

/// Places that a kind of unit of work never passes.
const NEVER: &[(&str, Target)] = &[
    // In two phases the first store is not prepared: its commit decides.
    ("prepare-begin", Target::Both),
    ("prepare-durable", Target::Both),
    ("backout-durable", Target::Both),
    ("recover-unit", Target::Both),
    ("resolve-begin", Target::Both),
];

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Panic,
    Kill,
    Error,
    Delay,
}

/// One case.
struct Case {
    number: usize,
    target: Target,
    place: &'static Place,
    /// The place is one of opening.
    recovery: bool,
    trouble: Trouble,
}

impl Case {
    fn name(&self) -> String {
        format!("{:?} {:?} {}", self.target, self.trouble, self.place.name)
    }

    fn has_postgres_place(&self) -> bool {
        self.place.name.starts_with("pg-")
    }
}

fn cases(with_postgres: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for target in [Target::Local, Target::Queue, Target::Postgres, Target::Both] {
        if target.is_postgres() && !with_postgres {
            continue;
        }
        let mut places: Vec<(&'static Place, bool)> = Vec::new();
        if target.is_local() {
            places.extend(LOCAL.iter().map(|p| (p, false)));
            places.extend(LOCAL_RECOVERY.iter().map(|p| (p, true)));
        }
        if target.is_postgres() {
            places.extend(POSTGRES.iter().map(|p| (p, false)));
            places.extend(POSTGRES_RECOVERY.iter().map(|p| (p, true)));
            places.extend(POSTGRES_ONE_PHASE.iter().map(|p| (p, false)));
        }
        if target == Target::Both {
            places.extend(JOINT.iter().map(|p| (p, false)));
            places.extend(JOINT_RECOVERY.iter().map(|p| (p, true)));
        }
        for (place, recovery) in places {
            if NEVER.contains(&(place.name, target)) {
                continue;
            }
            for trouble in [
                Trouble::Panic,
                Trouble::Kill,
                Trouble::Error,
                Trouble::Delay,
            ] {
                cases.push(Case {
                    number: cases.len(),
                    target,
                    place,
                    recovery,
                    trouble,
                });
            }
        }
    }
    cases
}

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    if !cfg!(feature = "failpoints") {
        return Part::skipped("built without the feature failpoints");
    }
    let mut part = Part::default();
    let cluster = Cluster::start()
        .inspect_err(|reason| part.skipped.push(format!("PostgreSQL: {reason}")))
        .ok();
    let mut cases = cases(cluster.is_some());
    let all = cases.len();
    let mut rng = Rng::of_case(plan.seed, 1, 0);
    cases.retain(|case| {
        let chosen = !plan.share || rng.below(100) < SHARE_PERCENT;
        plan.wants_case(&case.name()).unwrap_or(chosen)
    });
    let bar = plan.bar("points", cases.len());
    let (next, left_out) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let shared = Mutex::new(&mut part);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if plan.is_late() {
                        left_out.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    let result = one(plan, cluster.as_ref(), case);
                    if let Ok(mut part) = shared.lock() {
                        part.case(&case.name(), result);
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let places = LOCAL.len()
        + LOCAL_RECOVERY.len()
        + POSTGRES.len()
        + POSTGRES_ONE_PHASE.len()
        + POSTGRES_RECOVERY.len()
        + JOINT.len()
        + JOINT_RECOVERY.len();
    part.notes.push(format!(
        "{places} places x 4 troubles: {} of {all} possible cases",
        part.cases
    ));
    let left_out = left_out.into_inner();
    if left_out > 0 {
        part.skipped
            .push(format!("{left_out} cases: the time was over"));
    }
    part
}

/// The stores of one case.
struct Stores<'a> {
    target: Target,
    folder: &'a Path,
    connect: String,
}

fn one(plan: &Plan, cluster: Option<&Cluster>, case: &Case) -> Result<(), String> {
    let name = format!("points{}", case.number);
    let folder = plan.folder(&name)?;
    let connect = match cluster.filter(|_| case.target.is_postgres()) {
        Some(cluster) => cluster.database(&name)?,
        None => String::new(),
    };
    let stores = Stores {
        target: case.target,
        folder: &folder,
        connect,
    };
    let mut rng = Rng::of_case(plan.seed, 1, case.number as u64);
    let mut said = Vec::new();
    let passes = rng.below(case.place.passes_max + 1);
    if case.recovery {
        // Without something in doubt there is not much to recover.
        let before = in_doubt_at(case);
        let died = stores.child(&format!("{before}=6*off->1*return(kill)"), 5_000)?;
        said.extend(died.said);
    }
    let delay = plan.pick(2_000, 200);
    let action = match case.trouble {
        Trouble::Panic => "panic".to_owned(),
        Trouble::Kill => "return(kill)".to_owned(),
        Trouble::Error => "return(io)".to_owned(),
        Trouble::Delay => format!("sleep({delay})"),
    };
    let mut points = format!("{}={passes}*off->1*{action}", case.place.name);
    if case.place.name == "joint-undo" {
        // Something has to be backed out.
        points += ";joint-prepare=3*off->1*return(io)";
    }
    let life = match case.trouble {
        Trouble::Kill => 8_000,
        Trouble::Delay => delay + 300,
        Trouble::Panic | Trouble::Error => 500,
    };
    let struck = stores.child(&points, life)?;
    judge(case, &struck)?;
    said.extend(struck.said);
    if case.trouble != Trouble::Delay {
        let at = in_recovery(case, &mut rng);
        said.extend(stores.child(&format!("{at}=1*return(kill)"), 120)?.said);
    }
    stores.check(&said, &mut rng)?;
    if let Some(cluster) = cluster.filter(|_| case.target.is_postgres()) {
        let orphans = cluster.prepared(&name)?;
        if !orphans.is_empty() {
            return Err(format!("prepared transactions are left: {orphans}"));
        }
        cluster.drop_database(&name)?;
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// Where a crash leaves something for the recovery.
fn in_doubt_at(case: &Case) -> &'static str {
    match (case.target, case.place.name) {
        // Something that is decided, or something that is not.
        (Target::Both, "joint-tell-late") => "joint-decided",
        (Target::Both, _) => "pg-prepared",
        _ if case.has_postgres_place() => "pg-prepared",
        _ => "prepare-durable",
    }
}

/// Where a second crash comes, in the recovery from the first.
fn in_recovery(case: &Case, rng: &mut Rng) -> &'static str {
    let local = [
        "recover-begin",
        "recover-unit",
        "recover-end",
        "resolve-begin",
    ];
    let places: &[&str] = match case.target {
        Target::Postgres => &["pg-recover-begin", "pg-recover-end", "pg-end-prepared"],
        Target::Both => &["pg-recover-end", "joint-resync", "joint-tell-late"],
        Target::Local | Target::Queue => &local,
    };
    places[rng.below(places.len() as u64) as usize]
}

/// Whether a child ended as the trouble lets expect.
fn judge(case: &Case, life: &Life) -> Result<(), String> {
    if life.hung {
        return Err(format!("the child hung; it said {:?}", life.said.last()));
    }
    let complaints = life.complaints.lines().next().unwrap_or_default();
    match case.trouble {
        Trouble::Kill if life.status.code().is_some() => {
            let code = life.status;
            Err(format!("the place was not reached: {code}, {complaints}"))
        }
        Trouble::Kill => Ok(()),
        // Opening the store may fail, and that is all that may.
        Trouble::Panic if !life.said.iter().any(|l| l == "ready") => Ok(()),
        Trouble::Error if life.was_refused() => Ok(()),
        _ if life.ended_well() => locks_left(case, life),
        _ => Err(format!(
            "the child ended with {}: {complaints}",
            life.status
        )),
    }
}

/// A store that goes on holds no locks but those of work in doubt.
fn locks_left(case: &Case, life: &Life) -> Result<(), String> {
    let Some(left) = life.said.iter().find(|l| l.starts_with("left ")) else {
        return Ok(());
    };
    let may_stay = life.stopped() || case.trouble == Trouble::Panic || case.target.is_postgres();
    if !may_stay && !left.ends_with(" 0 in doubt") {
        return Ok(());
    }
    match left.starts_with("left 0 locks") || may_stay {
        true => Ok(()),
        false => Err(format!("the child {left}")),
    }
}

impl Stores<'_> {
    fn child(&self, points: &str, life_ms: u64) -> Result<Life, String> {
        let life = Duration::from_millis(life_ms);
        let mut command = WorkArgs::new(self.target, self.folder, &self.connect, life).command();
        command.env("FAILPOINTS", points);
        child::run(command, life + Duration::from_secs(25))
    }

    /// Opens the stores, ends what is in doubt, and compares everything.
    fn check(&self, said: &[String], rng: &mut Rng) -> Result<(), String> {
        let bank = Bank::open(self.target, self.folder, &self.connect, MAP_BYTES);
        let bank = bank.map_err(|e| format!("the store does not open: {e}"))?;
        let resolved = bank.resolve(|| rng.coin());
        resolved.map_err(|e| format!("work in doubt cannot be ended: {e}"))?;
        let (locks, doubts) = bank.left().map_err(|e| e.to_string())?;
        if locks > 0 || doubts > 0 {
            return Err(format!("{locks} locks and {doubts} doubts are left"));
        }
        bank.check_locks()?;
        let found = bank.check()?;
        child::believe(said, &found.transfers)
    }
}
