//! Fail points: at each named place of the stores something goes wrong, for each kind of unit of
//! work.
//!
//! What: place x (panic, kill, error, delay) x (files, files and queue, PostgreSQL, both in two
//! phases, files and SQL with a last agent, embedded or on a server). Each case has new stores: a
//! child works, the place is reached for the n-th time, it happens; a second child recovers, and
//! may die in that, too; then the books are checked. Why: these are the moments a unit of work can
//! be torn at. Not here: deaths at random moments (`region`), deaths of the machine (`power`).

use crate::bank::{Bank, Target};
use crate::child::{self, Life, MAP_BYTES, WorkArgs};
use crate::places::{
    AGENT, AGENT_RECOVERY, COMPACTION, EMBEDDED, JOINT, JOINT_RECOVERY, LOCAL, LOCAL_RECOVERY,
    NEVER, POSTGRES, POSTGRES_ONE_PHASE, POSTGRES_RECOVERY, Place, SERVER,
};
use crate::plan::{Plan, TIME_OVER};
use crate::report::Part;
use crate::rng::Rng;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use transom_datasets::conformance::Cluster;

/// Cases of the share.
const SHARE_PERCENT: u64 = 12;

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Panic,
    Kill,
    Error,
    Delay,
}

impl Trouble {
    /// As the fail point takes it.
    fn action(self, delay: u64) -> String {
        match self {
            Trouble::Panic => "panic".to_owned(),
            Trouble::Kill => "return(kill)".to_owned(),
            Trouble::Error => "return(io)".to_owned(),
            Trouble::Delay => format!("sleep({delay})"),
        }
    }
}

/// When a place is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    /// While units of work run.
    Working,
    /// When the stores open, and there is something in doubt.
    Recovering,
    /// When a store is made shorter.
    Compacting,
}

/// One case.
struct Case {
    number: usize,
    target: Target,
    place: &'static Place,
    when: When,
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

/// Places that units of work of this kind pass.
fn places_of(target: Target) -> Vec<(&'static Place, When)> {
    let mut places: Vec<(&'static Place, When)> = Vec::new();
    let mut add = |of: &'static [Place], when| places.extend(of.iter().map(|p| (p, when)));
    if target.is_local() {
        add(LOCAL, When::Working);
        add(LOCAL_RECOVERY, When::Recovering);
    }
    if matches!(target, Target::Local | Target::Queue) {
        add(COMPACTION, When::Compacting);
    }
    if target.is_postgres() {
        add(POSTGRES, When::Working);
        add(POSTGRES_RECOVERY, When::Recovering);
        add(POSTGRES_ONE_PHASE, When::Working);
    }
    if target == Target::Both {
        add(JOINT, When::Working);
        add(JOINT_RECOVERY, When::Recovering);
    }
    if target == Target::Server {
        add(SERVER, When::Working);
    }
    if target == Target::Sql {
        add(EMBEDDED, When::Working);
    }
    if target.is_sql() {
        add(AGENT, When::Working);
        add(AGENT_RECOVERY, When::Recovering);
    }
    places
}

fn cases(with_postgres: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for target in [
        Target::Local,
        Target::Queue,
        Target::Postgres,
        Target::Both,
        Target::Sql,
        Target::Server,
    ] {
        if target.is_on_server() && !with_postgres {
            continue;
        }
        let places = places_of(target);
        for (place, when) in places {
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
                    when,
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
        + COMPACTION.len()
        + POSTGRES.len()
        + POSTGRES_ONE_PHASE.len()
        + POSTGRES_RECOVERY.len()
        + JOINT.len()
        + JOINT_RECOVERY.len()
        + AGENT.len()
        + EMBEDDED.len()
        + SERVER.len()
        + AGENT_RECOVERY.len();
    part.notes.push(format!(
        "{places} places x 4 troubles: {} of {all} possible cases",
        part.cases
    ));
    let left_out = left_out.into_inner();
    if left_out > 0 {
        part.skipped.push(format!("{left_out} cases: {TIME_OVER}"));
    }
    part
}

/// The stores of one case.
pub(crate) struct Stores<'a> {
    pub(crate) target: Target,
    pub(crate) folder: &'a Path,
    pub(crate) connect: String,
}

fn one(plan: &Plan, cluster: Option<&Cluster>, case: &Case) -> Result<(), String> {
    let name = format!("points{}", case.number);
    let folder = plan.folder(&name)?;
    let connect = match cluster.filter(|_| case.target.is_on_server()) {
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
    match case.when {
        When::Working => {}
        When::Recovering => {
            // Without something in doubt there is not much to recover.
            let before = in_doubt_at(case);
            let died = stores.child(&format!("{before}=6*off->1*return(kill)"), 5_000)?;
            said.extend(died.said);
        }
        // There must be something to copy.
        When::Compacting => said.extend(stores.child("", 300)?.said),
    }
    let delay = plan.pick(2_000, 200);
    let action = case.trouble.action(delay);
    let mut points = format!("{}={passes}*off->1*{action}", case.place.name);
    if case.place.name == "joint-undo" {
        // Something has to be backed out.
        points += ";joint-prepare=3*off->1*return(io)";
    }
    let life = match case.trouble {
        // It ends at the place, on a busy machine later.
        Trouble::Kill => 60_000,
        Trouble::Delay => delay + 300,
        Trouble::Panic | Trouble::Error => 500,
    };
    let struck = stores.child_that(&points, life, case.when == When::Compacting)?;
    judge(case, &struck)?;
    said.extend(struck.said);
    if case.trouble != Trouble::Delay {
        let at = in_recovery(case, &mut rng);
        said.extend(stores.child(&format!("{at}=1*return(kill)"), 120)?.said);
    }
    stores.check(&said, &mut rng)?;
    if let Some(cluster) = cluster.filter(|_| case.target.is_on_server()) {
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
        (Target::Sql | Target::Server, _) => "joint-agent-decided",
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
        Target::Sql | Target::Server => &["recover-begin", "recover-end", "joint-agent-ask"],
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
    // After a failed flush nobody knows what the last agent has decided, before the next start.
    let unknown = case.target.is_postgres() || case.place.name == "sql-flush";
    let may_stay = life.stopped() || case.trouble == Trouble::Panic || unknown;
    if !may_stay && !left.ends_with(" 0 in doubt") {
        return Ok(());
    }
    match left.starts_with("left 0 locks") || may_stay {
        true => Ok(()),
        false => Err(format!("the child {left}")),
    }
}

impl Stores<'_> {
    pub(crate) fn child(&self, points: &str, life_ms: u64) -> Result<Life, String> {
        self.child_that(points, life_ms, false)
    }

    /// `compacts`: it makes its store shorter before it works.
    fn child_that(&self, points: &str, life_ms: u64, compacts: bool) -> Result<Life, String> {
        let life = Duration::from_millis(life_ms);
        let mut command = WorkArgs::new(self.target, self.folder, &self.connect, life).command();
        if compacts {
            command.arg("--compact");
        }
        command.env("FAILPOINTS", points);
        child::run(command, life + Duration::from_secs(25))
    }

    /// Opens the stores, ends what is in doubt, and compares everything.
    pub(crate) fn check(&self, said: &[String], rng: &mut Rng) -> Result<(), String> {
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
