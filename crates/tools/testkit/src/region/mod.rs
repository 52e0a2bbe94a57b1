//! A region is killed at random moments while programs move money.
//!
//! What: the executable with COBOL workers; clients link to a program over local adapters; the
//! region gets SIGKILL, or a worker does, or its server of PostgreSQL, or the device fails; the
//! region starts again on what is left. Between two lives the store is opened and compared with
//! what clients were told. Why a real region: units of work, queues and workers have states of
//! their own. Not here: deaths inside the store (`points`).

pub(crate) mod enqueue;
mod memory;
mod process;
pub(crate) mod scribble;
mod seen;
mod system;
mod told;

use crate::errors::build_shim;
use crate::plan::{Plan, TIME_OVER};
use crate::report::Part;
use crate::rng::Rng;
use crate::strike::{revive, strike_at};
use process::Process;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use system::{Bank, System};
use tokio::task::JoinSet;
use told::Told;
use transom_datasets::conformance::Cluster;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_region_api::{LinkRequest, Payload, Programs, StartedBy};
use transom_types::ProgramName;

/// Clients at a time.
const CLIENTS: usize = 8;
/// How long a region may take until it answers.
const START_MAX: Duration = Duration::from_secs(60);
/// Longest life of a region in milliseconds.
const LIFE_MS_MAX: u64 = 900;

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let Some(exe) = &plan.exe else {
        return Part::skipped("no executable `transom` beside this program, and no --exe");
    };
    let mut part = Part::default();
    let alone = Lives {
        name: "region",
        bank: Bank::Own,
        cluster: None,
        kills: plan.pick(120, 6),
        device: plan.pick(12, 2),
    };
    if let Err(text) = lives(plan, exe, &mut part, &alone) {
        part.case("region", Err(text));
    }
    match Cluster::start() {
        Ok(cluster) => {
            let sql = cluster.database("tables").map(Bank::Tables);
            let banks = [
                ("bank", Ok(Bank::Store(cluster.connect())), plan.pick(80, 4)),
                ("sql", sql, plan.pick(80, 6)),
            ];
            for (name, bank, kills) in banks {
                let lived = bank.map_err(String::from).and_then(|bank| {
                    let of_bank = Lives {
                        name,
                        bank,
                        cluster: Some(&cluster),
                        kills,
                        device: 0,
                    };
                    lives(plan, exe, &mut part, &of_bank)
                });
                if let Err(text) = lived {
                    part.case(name, Err(text));
                }
            }
        }
        Err(reason) => part.skipped.push(format!("PostgreSQL: {reason}")),
    }
    part
}

/// Lives of one system.
struct Lives<'a> {
    name: &'static str,
    /// Who keeps one of the accounts.
    bank: Bank,
    /// The server where it keeps it.
    cluster: Option<&'a Cluster>,
    /// How many end by SIGKILL, and how many by a device error.
    kills: usize,
    device: usize,
}

fn lives(plan: &Plan, exe: &Path, part: &mut Part, lives: &Lives<'_>) -> Result<(), String> {
    let (kills, device) = (lives.kills, lives.device);
    let bar = plan.bar(lives.name, kills + device);
    let system = System::make(plan.folder(lives.name)?, exe, lives.bank.clone())?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let shim = build_shim(plan);
    if let Err(reason) = &shim {
        part.skipped.push(format!("errors of calls: {reason}"));
    }
    let mut told = Told::default();
    let mut next = 1;
    let (mut slowest, mut refused) = (Duration::ZERO, 0);
    for number in 0..kills + device {
        if plan.is_late() {
            let left = kills + device - number;
            part.skipped.push(format!("{left} lives: {TIME_OVER}"));
            break;
        }
        let mut rng = Rng::of_case(plan.seed, 3, number as u64);
        let fault = match (number >= kills, &shim) {
            (false, _) => None,
            (true, Ok(shim)) => Some(shim.as_path()),
            (true, Err(_)) => break,
        };
        let life = Life {
            system: &system,
            fault,
            cluster: lives.cluster,
            first: next,
        };
        let result = life.run(&runtime, &mut rng, &mut told);
        let name = match fault {
            None => format!("{} {number}", lives.name),
            Some(_) => format!("device error {number}"),
        };
        let result = result.and_then(|ended| {
            slowest = slowest.max(ended.start);
            next = ended.next;
            refused += u64::from(ended.refused);
            compare(&system, &told)?;
            nothing_prepared(lives.cluster)
        });
        let failed = result.is_err();
        part.case(&name, result);
        if failed {
            // What is wrong now would be wrong in all cases that follow.
            break;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    note(part, lives, &told, slowest, refused);
    Ok(())
}

/// Figures of the lives.
fn note(part: &mut Part, lives: &Lives<'_>, told: &Told, slowest: Duration, refused: u64) {
    part.notes.push(format!(
        "{}: {} transfers committed, {} backed out, {} cut off; {} workers killed; slowest start {} ms",
        lives.name,
        told.committed.len(),
        told.backed_out.len(),
        told.unknown,
        told.workers_killed,
        slowest.as_millis()
    ));
    if lives.device > 0 {
        part.notes.push(format!(
            "device errors: {refused} regions took no more work, as they must"
        ));
    }
    part.must_have(!told.committed.is_empty(), "no transfer was committed");
    if !told.last_failure.is_empty() {
        part.notes
            .push(format!("last failure a client saw: {}", told.last_failure));
    }
}

/// No prepared transaction of PostgreSQL is left.
fn nothing_prepared(cluster: Option<&Cluster>) -> Result<(), String> {
    let left = cluster.map_or(Ok(String::new()), |c| c.prepared("postgres"))?;
    match left.is_empty() {
        true => Ok(()),
        false => Err(format!("prepared transactions are left: {left}")),
    }
}

/// Compares what the store holds with what was told.
fn compare(system: &System, told: &Told) -> Result<(), String> {
    let there = system.check()?;
    system.verify()?;
    if let Some(lost) = told.committed.iter().find(|n| !there.contains(*n)) {
        return Err(format!("transfer {lost} was acknowledged and is lost"));
    }
    match told.backed_out.iter().find(|n| there.contains(*n)) {
        Some(n) => Err(format!("transfer {n} was backed out and is there")),
        None => Ok(()),
    }
}

/// From start to death.
struct Life<'a> {
    system: &'a System,
    /// Library of failing calls.
    fault: Option<&'a Path>,
    cluster: Option<&'a Cluster>,
    /// Number of its first transfer.
    first: u64,
}

struct LifeEnded {
    start: Duration,
    next: u64,
    refused: bool,
}

impl Life<'_> {
    fn run(
        &self,
        runtime: &tokio::runtime::Runtime,
        rng: &mut Rng,
        told: &mut Told,
    ) -> Result<LifeEnded, String> {
        let shim = self.fault.map(|library| {
            // The first flushes are those of the start.
            let after = 30 + rng.below(60);
            (library, format!("fdatasync {after} 5 1"))
        });
        let begin = Instant::now();
        let mut process = self.system.start(shim)?;
        let config = AdaptersConfig::new(&self.system.meeting_place(), "TORTURE");
        let region = Arc::new(LocalAdapters::new(config));
        self.until_ready(runtime, &region, &mut process)?;
        let start = begin.elapsed();
        let crew = Arc::new(Crew {
            region,
            next: AtomicU64::new(self.first),
            stop: AtomicBool::new(false),
        });
        let clients: JoinSet<Told> = (0..CLIENTS as u64)
            .map(|n| {
                let rng = Rng::of_case(rng.next(), 0, n);
                let crew = crew.clone();
                async move { crew.client(rng).await }
            })
            .fold(JoinSet::new(), |mut set, client| {
                set.spawn_on(client, runtime.handle());
                set
            });
        let refused = match self.fault {
            None => {
                live(&process, rng, told);
                self.meddle(rng)?;
                false
            }
            Some(_) => refuses(&mut process)?,
        };
        let said = process.said();
        process.kill()?;
        self.cluster.map_or(Ok(()), revive)?;
        crew.stop.store(true, Ordering::Relaxed);
        for one in runtime.block_on(clients.join_all()) {
            told.add(one);
        }
        if self.fault.is_some() && !refused {
            return Err(format!(
                "a region went on after a device error; it said {said}"
            ));
        }
        Ok(LifeEnded {
            start,
            next: crew.next.load(Ordering::Relaxed),
            refused,
        })
    }

    /// Now and then a second region tries the same data, or the database dies under this one.
    fn meddle(&self, rng: &mut Rng) -> Result<(), String> {
        if rng.below(12) == 0 {
            self.system.second_is_refused()?;
        }
        if let Some(cluster) = self.cluster.filter(|_| rng.below(4) == 0) {
            strike_at(cluster, rng);
            std::thread::sleep(Duration::from_millis(rng.below(300)));
            if rng.coin() {
                // The region sees it come back; otherwise it is killed first.
                revive(cluster)?;
                std::thread::sleep(Duration::from_millis(rng.below(600)));
            }
        }
        Ok(())
    }

    /// Until the program has made its files.
    fn until_ready(
        &self,
        runtime: &tokio::runtime::Runtime,
        region: &Arc<LocalAdapters>,
        process: &mut Process,
    ) -> Result<(), String> {
        let begin = Instant::now();
        loop {
            let first = b"I00000000000000000000  ".to_vec();
            let reply = runtime.block_on(async { region.link(request(first)).await });
            match reply {
                Ok(_) => return Ok(()),
                Err(_) if process.has_ended() || begin.elapsed() > START_MAX => {
                    return Err(format!("the region does not start: {}", process.said()));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }
}

/// Lets a region live for a while; now and then a worker dies.
fn live(process: &Process, rng: &mut Rng, told: &mut Told) {
    let end = Instant::now() + Duration::from_millis(30 + rng.below(LIFE_MS_MAX));
    while Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10 + rng.below(150)));
        if rng.below(3) == 0 && process.kill_a_worker(rng.next()) {
            told.workers_killed += 1;
        }
    }
    // Not always between two of the pauses above.
    std::thread::sleep(Duration::from_micros(rng.below(20_000)));
}

/// After a device error: the region has ended or said that units of work cannot be committed.
fn refuses(process: &mut Process) -> Result<bool, String> {
    let begin = Instant::now();
    while begin.elapsed() < START_MAX {
        if process.has_ended() || process.has_said("the store is closed") {
            return Ok(true);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(false)
}

/// Clients of one life.
struct Crew {
    region: Arc<LocalAdapters>,
    next: AtomicU64,
    stop: AtomicBool,
}

impl Crew {
    async fn client(&self, mut rng: Rng) -> Told {
        let mut told = Told::default();
        while !self.stop.load(Ordering::Relaxed) {
            let n = format!("{:08}", self.next.fetch_add(1, Ordering::Relaxed));
            let how = match rng.below(12) {
                0 => 'A',
                1 => 'R',
                _ => 'C',
            };
            let (from, to, amount) = (rng.below(20), rng.below(20), rng.below(1_000));
            let commarea = format!("{how}{n}{from:04}{to:04}{amount:04}  ");
            let reply = self.region.link(request(commarea.into_bytes())).await;
            if told.take(n, reply.map(|o| o.payload)) {
                // The region is gone, or on its way.
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        told
    }
}

fn request(commarea: Vec<u8>) -> LinkRequest {
    LinkRequest {
        program: ProgramName::from_field(b"TRANSFER"),
        transid: None,
        userid: None,
        reply_bytes_max: commarea.len(),
        payload: Payload::Commarea(commarea),
        timeout: Some(Duration::from_secs(20)),
        started_by: StartedBy::Gateway,
        client: None,
    }
}
