//! Programs that store where they should not, under load.
//!
//! What: while clients move money and others look whether they get their own data back, words of
//! the segment that region and workers share are overwritten: at random, by field, and each byte in
//! turn. A task ends with an abend at worst; the region serves again soon or has ended with a
//! reason; nobody sees data of another; no number of a named counter comes twice, whatever lives
//! the region has; and the books of the store are right. Why from outside:
//! what is stored there has the same effect, whoever stores it, and the executable needs no way to
//! do it. Not here: what a worker can do beside (`sandbox` of the executable's tests).

use super::memory::{Way, definitions_are_closed, scribble, segment};
use super::process::Process;
use super::seen::{Figures, Seen};
use super::system::{Bank, System};
use super::told::Told;
use super::{START_MAX, compare, request};
use crate::plan::{Plan, TIME_OVER};
use crate::report::Part;
use crate::rng::Rng;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use transom_intersystem::{AdaptersConfig, LocalAdapters};
use transom_messages::{self as messages, Message};
use transom_region_api::{LinkFailure, LinkRequest, Payload, Programs, StartedBy};
use transom_types::ProgramName;

const MINE: &str = include_str!("mine.cbl");
/// Clients of each kind.
const CLIENTS: u64 = 5;
/// Where the number is that a client gets, behind answer, queue and content.
const NUMBER_AT: usize = 2 + 8 + 2_000;
/// How soon the region must serve again, or have ended.
const AGAIN_WITHIN: Duration = Duration::from_secs(30);
/// How long the load goes on before that; what fits nowhere is found after five looks.
const GO_ON: [Duration; 3] = [
    Duration::ZERO,
    Duration::from_secs(2),
    Duration::from_secs(7),
];
/// How long the last lines of a region may be on their way.
const LAST_WORDS_WITHIN: Duration = Duration::from_secs(2);
/// How long a client waits for a reply.
const REPLY_WITHIN: Duration = Duration::from_secs(4);

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let Some(exe) = &plan.exe else {
        return Part::skipped("no executable `transom` beside this program, and no --exe");
    };
    let mut part = Part::default();
    if let Err(text) = lives(plan, exe, &mut part) {
        part.case("scribble", Err(text));
    }
    part
}

fn lives(plan: &Plan, exe: &Path, part: &mut Part) -> Result<(), String> {
    let cases = plan.pick(150, 8);
    let bar = plan.bar("scribble", cases);
    let fresh = || -> Result<System, String> {
        let folder = plan.folder("scribble")?;
        fs::create_dir_all(folder.join("cobol")).map_err(|e| e.to_string())?;
        fs::write(folder.join("cobol/MINE.cbl"), MINE).map_err(|e| e.to_string())?;
        let system = System::make(folder, exe, Bank::Own)?;
        system.configure("MXT = 60", "MXT = 60\nEDSALIM = 64")?;
        Ok(system)
    };
    let mut system = fresh()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let (mut told, mut figures, mut next) = (Told::default(), Figures::default(), 1);
    for number in 0..cases {
        if plan.is_late() {
            let left = cases - number;
            part.skipped.push(format!("{left} lives: {TIME_OVER}"));
            break;
        }
        let mut rng = Rng::of_case(plan.seed, 8, number as u64);
        let way = Way::of(number as u64);
        let life = Life {
            system: &system,
            runtime: &runtime,
            way,
        };
        let result = life.run(&mut rng, &mut told, &mut next, &mut figures);
        let result = result.and_then(|()| compare(&system, &told));
        let failed = result.is_err();
        part.case(&format!("{way:?}, {number}"), result);
        bar.inc(1);
        if failed {
            // What is wrong now would be wrong in all cases that follow.
            system = fresh()?;
            told = Told::default();
            figures.drawn.clear();
        }
    }
    bar.finish_and_clear();
    figures.note(part, &told);
    Ok(())
}

/// From start to death of a region.
struct Life<'a> {
    system: &'a System,
    runtime: &'a tokio::runtime::Runtime,
    way: Way,
}

impl Life<'_> {
    fn run(
        &self,
        rng: &mut Rng,
        told: &mut Told,
        next: &mut u64,
        figures: &mut Figures,
    ) -> Result<(), String> {
        let mut process = self.system.start(None)?;
        let config = AdaptersConfig::new(&self.system.meeting_place(), "TORTURE");
        let region = Arc::new(LocalAdapters::new(config));
        self.until_ready(&region, &mut process)?;
        let crew = Arc::new(Crew {
            region: region.clone(),
            next: AtomicU64::new(*next),
            stop: AtomicBool::new(false),
        });
        let (movers, owners) = self.clients(&crew, rng);
        definitions_are_closed(process.pid())?;
        figures.closed += 1;
        let memory = segment(process.pid(), self.way)?;
        figures.words += scribble(&memory, self.way, rng)?;
        // Some things are found when they are used, others by the looks at all tasks.
        let end = Instant::now() + GO_ON[rng.below(GO_ON.len() as u64) as usize];
        while Instant::now() < end && !process.has_ended() {
            std::thread::sleep(Duration::from_millis(20));
        }
        let begin = Instant::now();
        let again = self.serves_again(&region, &mut process);
        crew.stop.store(true, Ordering::Relaxed);
        *next = crew.next.load(Ordering::Relaxed);
        let ended = process.has_ended();
        let reason = has_said(&process, messages::wk::definitions_overwritten(), ended);
        let warned = has_said(&process, messages::wk::memory_overwritten(), false);
        figures.lines += u64::from(warned || reason);
        let said = process.said();
        process.kill()?;
        for one in self.runtime.block_on(movers.join_all()) {
            told.add(one);
        }
        figures.take(self.runtime.block_on(owners.join_all()))?;
        match again {
            Again::Whole => {
                figures.went_on += 1;
                figures.slowest = figures.slowest.max(begin.elapsed());
            }
            Again::Less => figures.served_less += 1,
            Again::No if ended && reason => figures.ended += 1,
            Again::No => {
                return Err(format!(
                    "the region neither serves nor ends; it said {said}"
                ));
            }
        }
        Ok(())
    }

    /// Begins the work of all clients.
    fn clients(&self, crew: &Arc<Crew>, rng: &mut Rng) -> (JoinSet<Told>, JoinSet<Seen>) {
        let mut movers = JoinSet::new();
        let mut owners = JoinSet::new();
        for n in 0..CLIENTS {
            let (one, other) = (crew.clone(), crew.clone());
            let rngs = [n, n + 100].map(|n| Rng::of_case(rng.next(), 0, n));
            let [first, second] = rngs;
            movers.spawn_on(async move { one.mover(first).await }, self.runtime.handle());
            owners.spawn_on(
                async move { other.owner(n, second).await },
                self.runtime.handle(),
            );
        }
        (movers, owners)
    }

    fn until_ready(&self, region: &LocalAdapters, process: &mut Process) -> Result<(), String> {
        let begin = Instant::now();
        let first = b"I00000000000000000000  ".to_vec();
        loop {
            let reply = self.runtime.block_on(region.link(request(first.clone())));
            match reply {
                Ok(_) => return Ok(()),
                Err(_) if process.has_ended() || begin.elapsed() > START_MAX => {
                    return Err(format!("the region does not start: {}", process.said()));
                }
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Waits until new work is done; a region that answers with failures to the end serves less.
    fn serves_again(&self, region: &LocalAdapters, process: &mut Process) -> Again {
        let (begin, mut answers) = (Instant::now(), 0);
        while begin.elapsed() < AGAIN_WITHIN && !process.has_ended() {
            let (_, area) = area(99, begin.elapsed().as_micros() as u64);
            match self.runtime.block_on(region.link(mine(area))) {
                Ok(reply) if bytes(&reply.payload).starts_with(b"OK") => return Again::Whole,
                Ok(_) => answers += 1,
                Err(failure) => answers += u64::from(is_told(&failure)),
            }
            if answers > 40 {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        match answers > 5 && !process.has_ended() {
            true => Again::Less,
            false => Again::No,
        }
    }
}

/// A region that ended may have said something that is still on its way.
fn has_said(process: &Process, what: Message, wait: bool) -> bool {
    let begin = Instant::now();
    while wait && !process.has_said(what.id()) && begin.elapsed() < LAST_WORDS_WITHIN {
        std::thread::sleep(Duration::from_millis(10));
    }
    process.has_said(what.id())
}

enum Again {
    Whole,
    /// It answers, and what the program needs is no longer there.
    Less,
    No,
}

/// Clients of one life.
struct Crew {
    region: Arc<LocalAdapters>,
    next: AtomicU64,
    stop: AtomicBool,
}

impl Crew {
    async fn mover(&self, mut rng: Rng) -> Told {
        let mut told = Told::default();
        while !self.stop.load(Ordering::Relaxed) {
            let n = format!("{:08}", self.next.fetch_add(1, Ordering::Relaxed));
            let (from, to, amount) = (rng.below(20), rng.below(20), rng.below(1_000));
            let area = format!("C{n}{from:04}{to:04}{amount:04}  ");
            let mut request = request(area.into_bytes());
            request.timeout = Some(REPLY_WITHIN);
            let reply = self.region.link(request).await;
            if told.take(n, reply.map(|o| o.payload)) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        told
    }

    async fn owner(&self, client: u64, mut rng: Rng) -> Seen {
        let mut seen = Seen::default();
        while !self.stop.load(Ordering::Relaxed) {
            let (content, area) = area(client, rng.next());
            match self.region.link(mine(area)).await {
                Ok(reply) => {
                    let reply = bytes(&reply.payload);
                    let whole = reply.get(10..NUMBER_AT) == content.get(..NUMBER_AT - 10);
                    match reply.get(..2) {
                        Some(b"OK") if whole => seen.own(&reply[NUMBER_AT..]),
                        Some(b"ER" | b"OL") if whole => seen.refused += 1,
                        answer => {
                            let shown = String::from_utf8_lossy(reply.get(..80).unwrap_or(reply));
                            seen.wrong = Some(format!(
                                "client {client} sent {} and got {answer:?} {shown}",
                                String::from_utf8_lossy(&content[..40])
                            ));
                            return seen;
                        }
                    }
                }
                Err(failure) if is_told(&failure) => seen.abends += 1,
                Err(_) => {
                    seen.silent += 1;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
        seen
    }
}

/// The region said what became of the task.
fn is_told(failure: &LinkFailure) -> bool {
    use transom_region_api::Fault;
    !matches!(failure.fault, Fault::Unavailable | Fault::TimedOut)
}

fn bytes(payload: &Payload) -> &[u8] {
    match payload {
        Payload::Commarea(bytes) => bytes,
        Payload::Channel { .. } => &[],
    }
}

/// Content that only this request has, and the area with it.
fn area(client: u64, number: u64) -> (Vec<u8>, Vec<u8>) {
    let mut content = format!("client {client} {number:020} ")
        .repeat(80)
        .into_bytes();
    content.resize(NUMBER_AT - 10, b'.');
    content.extend_from_slice(b"00000000");
    let mut area = format!("??MINE{client:04}").into_bytes();
    area.extend_from_slice(&content);
    (content, area)
}

fn mine(area: Vec<u8>) -> LinkRequest {
    LinkRequest {
        program: ProgramName::from_field(b"MINE"),
        transid: None,
        userid: None,
        reply_bytes_max: area.len(),
        payload: Payload::Commarea(area),
        timeout: Some(REPLY_WITHIN),
        started_by: StartedBy::Gateway,
        client: None,
    }
}
