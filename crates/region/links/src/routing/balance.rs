//! Which of several regions a transaction of a terminal goes to: the routing program EYU9XLOP.
//!
//! What: the region with the least load for its size goes first, as CICSPlex SM's algorithms QUEUE
//! and GOAL have it; one whose tasks abend, or that does not meet the goal, goes later. Loads come
//! from the regions again and again; what was sent meanwhile is added. Why in the region: relay
//! tasks of many workers choose, and only here all of them are seen. Not here: the way to a region
//! (`relay`), asking for loads (`keep`), routing programs of users (`region/supplied`).

use crate::frames::Load;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use transom_recovery::guard::lock;
use transom_settings::RoutingSettings;
use transom_types::{SysId, TermId, TransId};

/// Transactions whose abends are remembered, of each region; those that come later are not.
const TRANSACTIONS_MAX: usize = 10_000;
/// Terminals whose pseudo-conversation is remembered; those that come later go anywhere.
const TERMINALS_MAX: usize = 100_000;
/// What is new counts so much in an average.
const SHARE: f64 = 1.0 / 16.0;
/// Time in which the probability of an abend is halved when nothing runs there.
const FORGETS_HALF: Duration = Duration::from_secs(30);
/// A response time is of no use any more when nothing ran there for so long.
const RESPONSE_AGE: Duration = Duration::from_secs(10);
/// What a link over TCP costs, a link on this host being 1.
const TCP_WEIGHT: f64 = 1.5;

/// How regions are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// By load.
    Queue,
    /// Those that meet the goal, then by load.
    Goal,
}

/// What transactions are balanced by.
#[derive(Debug, Clone)]
pub struct Balance {
    /// CONNECTION or IPCONN of each region.
    pub targets: Vec<SysId>,
    /// How one of them is chosen.
    pub algorithm: Algorithm,
    /// Whether a region of another host costs more (QUEUE, GOAL; not LNQUEUE, LNGOAL).
    pub weighs_links: bool,
    /// Response time that is wanted.
    pub goal: Duration,
    /// Percent of abends from which a region's load counts twice; 0: never.
    pub abend_threshold: u32,
    /// Percent of abends from which a region is taken only when there is no other; 0: never.
    pub abend_critical: u32,
    /// A pseudo-conversation stays in its region.
    pub keeps_conversations: bool,
}

impl Default for Balance {
    fn default() -> Self {
        Self {
            targets: Vec::new(),
            algorithm: Algorithm::Queue,
            weighs_links: true,
            goal: Duration::from_secs(1),
            abend_threshold: 0,
            abend_critical: 0,
            keeps_conversations: false,
        }
    }
}

impl From<&RoutingSettings> for Balance {
    fn from(table: &RoutingSettings) -> Self {
        let names = table.targets.iter();
        Self {
            targets: names.map(|n| SysId::from_field(n.as_bytes())).collect(),
            algorithm: match table.algorithm.ends_with("GOAL") {
                true => Algorithm::Goal,
                false => Algorithm::Queue,
            },
            weighs_links: !table.algorithm.starts_with("LN"),
            goal: Duration::from_millis(table.goal_ms.into()),
            abend_threshold: table.abendthresh,
            abend_critical: table.abendcrit,
            keeps_conversations: table.affinity == "PCONV",
        }
    }
}

/// How a transaction ended there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) abended: bool,
    /// Without the time its user took.
    pub(crate) response: Duration,
}

/// A region that can be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) name: SysId,
    pub(crate) over_tcp: bool,
}

/// What is known of regions, and where terminals are.
#[derive(Default)]
pub(crate) struct Balancer {
    pub(crate) config: Balance,
    seen: Mutex<HashMap<SysId, Seen>>,
    at: Mutex<HashMap<TermId, SysId>>,
    turn: AtomicUsize,
}

#[derive(Default)]
struct Seen {
    load: Load,
    /// Transactions that run there for this region, now and when it told its load.
    running: u32,
    running_then: u32,
    response: Option<(f64, Instant)>,
    abends: HashMap<TransId, (f64, Instant)>,
}

impl Balancer {
    pub(crate) fn new(config: Balance) -> Self {
        Self {
            config,
            ..Self::default()
        }
    }

    /// A region whose load matters.
    pub(crate) fn wants(&self, name: SysId) -> bool {
        self.config.targets.contains(&name)
    }

    /// It told its load.
    pub(crate) fn loaded(&self, name: SysId, load: Load) {
        let mut seen = lock(&self.seen);
        let seen = seen.entry(name).or_default();
        seen.load = load;
        seen.running_then = seen.running;
    }

    /// Regions in the order in which they are tried.
    pub(crate) fn order(&self, transid: TransId, mut all: Vec<Candidate>) -> Vec<SysId> {
        if all.is_empty() {
            return Vec::new();
        }
        // Where nothing tells them apart they take turns.
        let turn = self.turn.fetch_add(1, Ordering::Relaxed) % all.len();
        all.rotate_left(turn);
        let (now, none) = (Instant::now(), Seen::default());
        let seen = lock(&self.seen);
        let mut rated: Vec<(Rating, SysId)> = Vec::new();
        for one in all {
            let known = seen.get(&one.name).unwrap_or(&none);
            if !known.load.stopping {
                rated.push((self.rate(known, one, transid, now), one.name));
            }
        }
        drop(seen);
        rated.sort_by(|(one, _), (other, _)| one.order(other));
        rated.into_iter().map(|(_, name)| name).collect()
    }

    fn rate(&self, seen: &Seen, one: Candidate, transid: TransId, now: Instant) -> Rating {
        let config = &self.config;
        let abends = seen.abends(transid, now);
        let over = |percent: u32| percent > 0 && abends * 100.0 > f64::from(percent);
        let mut load = seen.tasks() / f64::from(seen.load.max_tasks.max(1));
        if over(config.abend_threshold) {
            load *= 2.0;
        }
        if config.weighs_links && one.over_tcp {
            load *= TCP_WEIGHT;
        }
        Rating {
            abends: over(config.abend_critical),
            late: match config.algorithm {
                Algorithm::Queue => 0.0,
                Algorithm::Goal => seen.late(config.goal, now),
            },
            load,
        }
    }

    /// A transaction goes there.
    pub(crate) fn begins(&self, name: SysId) {
        lock(&self.seen).entry(name).or_default().running += 1;
    }

    /// It is over; `None`: it did not run.
    pub(crate) fn ended(&self, name: SysId, transid: TransId, run: Option<Run>) {
        let mut seen = lock(&self.seen);
        let seen = seen.entry(name).or_default();
        seen.running = seen.running.saturating_sub(1);
        if let Some(run) = run {
            seen.learn(transid, run, Instant::now());
        }
    }

    /// The region a terminal's pseudo-conversation is in.
    pub(crate) fn conversation(&self, terminal: TermId) -> Option<SysId> {
        let at = || lock(&self.at).get(&terminal).copied();
        self.config.keeps_conversations.then(at).flatten()
    }

    /// It goes on there, or is over.
    pub(crate) fn converses(&self, terminal: TermId, at: Option<SysId>) {
        let mut all = lock(&self.at);
        match at {
            Some(name) if all.len() < TERMINALS_MAX || all.contains_key(&terminal) => {
                all.insert(terminal, name);
            }
            _ => drop(all.remove(&terminal)),
        }
    }
}

/// Less is better; what is in front decides.
struct Rating {
    abends: bool,
    /// Seconds beyond the goal.
    late: f64,
    load: f64,
}

impl Rating {
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let (abends, late) = (self.abends, self.late);
        abends
            .cmp(&other.abends)
            .then(late.total_cmp(&other.late))
            .then(self.load.total_cmp(&other.load))
    }
}

impl Seen {
    /// Tasks there, the next one among them: so a small region is not taken for an idle one.
    fn tasks(&self) -> f64 {
        let since = f64::from(self.running) - f64::from(self.running_then);
        let told = f64::from(self.load.tasks) + f64::from(self.load.queued);
        (told + since).max(f64::from(self.running)) + 1.0
    }

    fn abends(&self, transid: TransId, now: Instant) -> f64 {
        self.abends
            .get(&transid)
            .map_or(0.0, |(probability, since)| {
                let age = now.saturating_duration_since(*since).as_secs_f64();
                probability * (-age / FORGETS_HALF.as_secs_f64()).exp2()
            })
    }

    fn late(&self, goal: Duration, now: Instant) -> f64 {
        match self.response {
            Some((average, since)) if now.saturating_duration_since(since) < RESPONSE_AGE => {
                (average - goal.as_secs_f64()).max(0.0)
            }
            _ => 0.0,
        }
    }

    fn learn(&mut self, transid: TransId, run: Run, now: Instant) {
        let before = self.abends(transid, now);
        if self.abends.len() < TRANSACTIONS_MAX || self.abends.contains_key(&transid) {
            let abended = f64::from(u8::from(run.abended));
            let probability = before + (abended - before) * SHARE;
            self.abends.insert(transid, (probability, now));
        }
        let took = run.response.as_secs_f64();
        let average = match self.response {
            Some((average, since)) if now.saturating_duration_since(since) < RESPONSE_AGE => {
                average + (took - average) * SHARE
            }
            _ => took,
        };
        self.response = Some((average, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRAN: TransId = TransId::BLANK;

    fn sys(name: &str) -> SysId {
        SysId::from_field(name.as_bytes())
    }

    fn balancer(change: impl FnOnce(&mut Balance)) -> Balancer {
        let mut config = Balance {
            targets: vec![sys("ONE"), sys("TWO")],
            ..Balance::default()
        };
        change(&mut config);
        Balancer::new(config)
    }

    fn load(tasks: u32, max_tasks: u32) -> Load {
        Load {
            tasks,
            queued: 0,
            max_tasks,
            stopping: false,
        }
    }

    fn order(balancer: &Balancer) -> Vec<String> {
        let all = [("ONE", false), ("TWO", true)].map(|(name, over_tcp)| Candidate {
            name: sys(name),
            over_tcp,
        });
        let order = balancer.order(TRAN, all.to_vec());
        order.iter().map(|name| name.as_str().to_owned()).collect()
    }

    fn run(abended: bool, ms: u64) -> Option<Run> {
        let response = Duration::from_millis(ms);
        Some(Run { abended, response })
    }

    #[test]
    fn the_least_loaded_for_its_size_goes_first() {
        let balancer = balancer(|config| config.weighs_links = false);
        balancer.loaded(sys("ONE"), load(30, 100));
        balancer.loaded(sys("TWO"), load(30, 200));
        assert_eq!(order(&balancer), ["TWO", "ONE"]);
        balancer.loaded(sys("TWO"), load(90, 200));
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        // What was sent since it told its load counts.
        for _ in 0..20 {
            balancer.begins(sys("ONE"));
        }
        assert_eq!(order(&balancer), ["TWO", "ONE"]);
        for _ in 0..20 {
            balancer.ended(sys("ONE"), TRAN, None);
        }
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        // One that stops gets nothing.
        let stopping = true;
        balancer.loaded(
            sys("ONE"),
            Load {
                stopping,
                ..load(0, 100)
            },
        );
        assert_eq!(order(&balancer), ["TWO"]);
    }

    #[test]
    fn equal_ones_take_turns_and_a_nearer_one_goes_first() {
        let neutral = balancer(|config| config.weighs_links = false);
        for name in ["ONE", "TWO"] {
            neutral.loaded(sys(name), load(0, 100));
        }
        let first: Vec<String> = (0..4).map(|_| order(&neutral)[0].clone()).collect();
        assert_eq!(first, ["ONE", "TWO", "ONE", "TWO"]);
        let weighing = balancer(|_| {});
        for name in ["ONE", "TWO"] {
            weighing.loaded(sys(name), load(0, 100));
        }
        assert!((0..4).all(|_| order(&weighing) == ["ONE", "TWO"]));
        weighing.loaded(sys("ONE"), load(5, 100));
        assert_eq!(order(&weighing), ["TWO", "ONE"]);
    }

    #[test]
    fn abends_double_the_load_and_then_drive_away() {
        let balancer = balancer(|config| {
            (config.abend_threshold, config.abend_critical) = (5, 30);
            config.weighs_links = false;
        });
        balancer.loaded(sys("ONE"), load(29, 100));
        balancer.loaded(sys("TWO"), load(49, 100));
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        let other = TransId::from_field(b"OTHR");
        balancer.ended(sys("ONE"), other, run(true, 1));
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        balancer.ended(sys("ONE"), TRAN, run(true, 1));
        assert_eq!(order(&balancer), ["TWO", "ONE"]);
        balancer.loaded(sys("TWO"), load(99, 100));
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        for _ in 0..8 {
            balancer.ended(sys("ONE"), TRAN, run(true, 1));
        }
        assert_eq!(order(&balancer), ["TWO", "ONE"]);
        // It is forgotten.
        let past = Instant::now().checked_sub(FORGETS_HALF * 8).unwrap();
        let mut seen = lock(&balancer.seen);
        seen.get_mut(&sys("ONE"))
            .unwrap()
            .abends
            .insert(TRAN, (1.0, past));
        drop(seen);
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
    }

    #[test]
    fn with_a_goal_who_meets_it_goes_first() {
        let balancer = balancer(|config| {
            (config.algorithm, config.goal) = (Algorithm::Goal, Duration::from_millis(50));
        });
        balancer.loaded(sys("ONE"), load(1, 100));
        balancer.loaded(sys("TWO"), load(50, 100));
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
        balancer.ended(sys("ONE"), TRAN, run(false, 200));
        balancer.ended(sys("TWO"), TRAN, run(false, 40));
        assert_eq!(order(&balancer), ["TWO", "ONE"]);
        // Nobody meets it: who comes nearest.
        for _ in 0..100 {
            balancer.ended(sys("TWO"), TRAN, run(false, 900));
        }
        assert_eq!(order(&balancer), ["ONE", "TWO"]);
    }
}
