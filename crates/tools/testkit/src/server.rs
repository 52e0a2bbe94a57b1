//! A PostgreSQL server of EXEC SQL dies, at each place of a unit of work.
//!
//! What: place x (one session is ended or killed, the postmaster stops or is killed) x (before the
//! work goes on, a moment later). The region lives: it has to go on once the server is back, and
//! what it told its tasks has to be true. Then it is killed in its recovery, too, and the books are
//! checked. A server of its own: killing one session ends those of all others. Not here: deaths of
//! the region (`points`, `region`).

use crate::bank::Target;
use crate::child::{self, Life, WorkArgs};
use crate::places::{AGENT, AGENT_RECOVERY, Place, SERVER};
use crate::plan::{Plan, TIME_OVER};
use crate::points::Stores;
use crate::report::Part;
use crate::rng::Rng;
use crate::strike::{Blow, Strike, revive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use transom_datasets::conformance::Cluster;

/// Cases of the share.
const SHARE_PERCENT: u64 = 10;
/// Longest life of a region that is not hung.
const LIFE_MS: u64 = 60_000;
/// Times a place may be passed before the first transfer: tables are looked for.
const OPENING: u64 = 8;
/// A signal comes so much later, at most: a COMMIT without a disk takes less.
const LATER_US_MAX: u64 = 1_500;

struct Case {
    number: usize,
    place: &'static Place,
    recovering: bool,
    strike: Strike,
    later: bool,
}

impl Case {
    fn name(&self) -> String {
        let when = if self.later { "during" } else { "at" };
        format!("Server {:?} {when} {}", self.strike, self.place.name)
    }
}

fn cases() -> Vec<Case> {
    let working = SERVER.iter().chain(AGENT).map(|place| (place, false));
    let places = working.chain(AGENT_RECOVERY.iter().map(|place| (place, true)));
    let mut cases = Vec::new();
    for (place, recovering) in places {
        for strike in Strike::ALL {
            for later in [false, true] {
                cases.push(Case {
                    number: cases.len(),
                    place,
                    recovering,
                    strike,
                    later,
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
    let cluster = match Cluster::start() {
        Ok(cluster) => cluster,
        Err(reason) => return Part::skipped(format!("PostgreSQL: {reason}")),
    };
    let mut part = Part::default();
    let mut cases = cases();
    let all = cases.len();
    let mut rng = Rng::of_case(plan.seed, 7, 0);
    cases.retain(|case| {
        let chosen = !plan.share || rng.below(100) < SHARE_PERCENT;
        plan.wants_case(&case.name()).unwrap_or(chosen)
    });
    let bar = plan.bar("server", cases.len());
    let mut left_out = 0;
    for case in &cases {
        if plan.is_late() {
            left_out += 1;
            continue;
        }
        part.case(&case.name(), one(plan, &cluster, case));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ran = part.cases;
    part.notes
        .push(format!("{ran} of {all} possible deaths of a server"));
    if left_out > 0 {
        part.skipped.push(format!("{left_out} cases: {TIME_OVER}"));
    }
    part
}

fn one(plan: &Plan, cluster: &Cluster, case: &Case) -> Result<(), String> {
    revive(cluster)?;
    let name = format!("server{}", case.number);
    let folder = plan.folder(&name)?;
    let stores = Stores {
        target: Target::Server,
        folder: &folder,
        connect: cluster.database(&name)?,
    };
    let mut rng = Rng::of_case(plan.seed, 7, case.number as u64 + 1);
    // The tables are there.
    let mut said = stores.child("", 200)?.said;
    if case.recovering {
        let before = "joint-agent-decided=6*off->1*return(kill)";
        said.extend(stores.child(before, 10_000)?.said);
    }
    let blow = Blow {
        place: case.place.name.to_owned(),
        passes: match case.recovering {
            true => 0,
            false => OPENING + rng.below(case.place.passes_max + 1),
        },
        strike: case.strike,
        postmaster: cluster.postmaster().ok_or("the server has no process")?,
        later: case
            .later
            .then(|| Duration::from_micros(rng.below(LATER_US_MAX))),
    };
    let life = struck(&stores, cluster, blow)?;
    judge(case, &life)?;
    said.extend(life.said);
    revive(cluster)?;
    let at = ["recover-begin", "recover-end", "joint-agent-ask"];
    let at = at[rng.below(at.len() as u64) as usize];
    said.extend(stores.child(&format!("{at}=1*return(kill)"), 120)?.said);
    stores.check(&said, &mut rng)?;
    cluster.drop_database(&name)?;
    let _ = std::fs::remove_dir_all(&folder);
    Ok(())
}

/// A region whose server is struck, and comes back.
fn struck(stores: &Stores<'_>, cluster: &Cluster, blow: Blow) -> Result<Life, String> {
    let life = Duration::from_millis(LIFE_MS);
    let work = WorkArgs::new(stores.target, stores.folder, &stores.connect, life);
    let command = work.struck_by(blow).command();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let keeper = scope.spawn(|| {
            let mut kept = Ok(());
            while !over.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(50));
                if !cluster.is_running() {
                    kept = revive(cluster);
                }
            }
            kept
        });
        let lived = child::run(command, life + Duration::from_secs(25));
        over.store(true, Ordering::SeqCst);
        let kept = keeper
            .join()
            .map_err(|_| "the keeper panicked".to_owned())?;
        kept.and(lived)
    })
}

/// It was struck, and worked again afterwards.
fn judge(case: &Case, life: &Life) -> Result<(), String> {
    if life.hung {
        return Err(format!("the child hung; it said {:?}", life.said.last()));
    }
    let Some(at) = life.said.iter().position(|line| line == "struck") else {
        let complaint = life.complaints.lines().next().unwrap_or_default();
        return Err(format!("the place was not reached: {complaint}"));
    };
    // A region asks again in the background; this one opens its tables at once.
    if case.recovering && life.was_refused() {
        return Ok(());
    }
    let after = life.said.iter().skip(at);
    let committed = after.filter(|line| line.starts_with('+')).count();
    match life.ended_well() && committed > 0 {
        true => Ok(()),
        false => Err(format!(
            "{}, {committed} transfers after the server was back; it said {:?}",
            life.status,
            life.said.last()
        )),
    }
}
