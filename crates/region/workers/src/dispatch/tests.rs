//! Random schedules of workers, any of which may die between two stores under the lock: every task
//! that was attached ends, one QUASIRENT task runs at a time, no worker is forgotten.

use super::{Dispatch, Lost};
use crate::shm::Segment;
use crate::shm::layout::{Layout, Slot, state, worker};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

const SLOTS: usize = 4;
const TASKS: usize = 6;
const OPEN_LIMIT: u32 = 2;
const SEEDS: u32 = 1_500;
/// Moves with deaths and new tasks.
const MOVES: u32 = 300;
/// Moves after that until every task has ended.
const QUIET: u32 = 3_000;

thread_local! {
    /// Places left to live through; none: this thread does not die.
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Ends the thread with the lock in its hands once its places are used up.
pub(super) fn die_if_chosen() {
    if let Some(left) = LEFT.get() {
        LEFT.set(left.checked_sub(1));
        if left == 0 {
            std::panic::resume_unwind(Box::new("dead"));
        }
    }
}

/// What a worker process does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Does {
    /// There is no process.
    Nothing,
    /// Between two tasks.
    Free,
    /// Sleeps until it is given a task.
    Sleeps,
    /// Has a task that it has not begun.
    Given(usize),
    Runs(usize),
    /// Its task is over; the slot still names it.
    Ended(usize),
    /// Sleeps until it has the token.
    Queues(usize),
    Waits(usize),
    /// Died; the region does not know it yet.
    Dead,
}

struct World {
    segment: Segment,
    does: [Does; SLOTS],
    /// A nudge came since it fell asleep.
    nudged: [bool; SLOTS],
    /// By worker: the task it has begun, as `current_task` says.
    begun: [Option<usize>; SLOTS],
    /// Tasks whose ends the region has not told yet: of dead workers, and of others.
    lost: Vec<usize>,
    told: Vec<usize>,
    seed: u32,
    ended: usize,
}

impl World {
    fn new(seed: u32) -> Self {
        let layout = Layout {
            slots: SLOTS,
            tasks: TASKS,
            heap_bytes: 1 << 20,
            open_limit: OPEN_LIMIT,
        };
        Self {
            segment: Segment::create(&layout).unwrap(),
            does: [Does::Nothing; SLOTS],
            nudged: [false; SLOTS],
            begun: [None; SLOTS],
            lost: Vec::new(),
            told: Vec::new(),
            seed: seed.wrapping_mul(0x9e37_79b9) | 1,
            ended: 0,
        }
    }

    fn random(&mut self, below: u32) -> u32 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 17;
        self.seed ^= self.seed << 5;
        self.seed % below
    }

    fn slot(&self, me: usize) -> &Slot {
        self.segment.slot(me)
    }

    fn attach_one(&mut self) {
        let free = |t: &usize| self.segment.task(*t).state.load(SeqCst) == state::FREE;
        let Some(task) = (0..TASKS).find(free) else {
            return;
        };
        let quasirent = self.random(2);
        let priority = self.random(3);
        let block = self.segment.task(task);
        block.worker.store(0, SeqCst);
        block.counted.store(0, SeqCst);
        block.quasirent.store(quasirent, SeqCst);
        block.priority.store(priority, SeqCst);
        let effects = Dispatch::new(&self.segment).attach(task);
        self.nudge(&effects.wake);
    }

    fn nudge(&mut self, slots: &[usize]) {
        slots.iter().for_each(|slot| self.nudged[*slot] = true);
    }

    /// What the supervisor does with its dead and for its ready tasks.
    fn region(&mut self) {
        for me in 0..SLOTS {
            if self.does[me] == Does::Dead {
                self.died(me);
            }
        }
        let dispatch = Dispatch::new(&self.segment);
        let free = |i: &usize| self.slot(*i).state.load(SeqCst) == worker::FREE;
        let free: Vec<usize> = (0..SLOTS).filter(free).collect();
        let wanted = dispatch.wanted(0, free.len());
        for me in free.into_iter().take(wanted) {
            self.slot(me).state.store(worker::STARTING, SeqCst);
            self.does[me] = Does::Free;
        }
    }

    fn died(&mut self, me: usize) {
        let dispatch = Dispatch::new(&self.segment);
        let (lost, effects) = dispatch.leave(me);
        self.slot(me).sleeping.store(0, SeqCst);
        self.does[me] = Does::Nothing;
        let begun = self.begun[me].take();
        self.nudge(&effects.wake);
        let Some(Lost { task, ran }) = lost else {
            return;
        };
        if ran && begun != Some(task) {
            self.segment.task(task).worker.store(0, SeqCst);
            let effects = Dispatch::new(&self.segment).attach(task);
            self.nudge(&effects.wake);
        } else {
            self.lost.push(task);
        }
    }

    /// The thread that hands out replies.
    fn tell(&mut self) {
        for task in self.told.drain(..).chain(self.lost.drain(..)) {
            let block = self.segment.task(task);
            self.ended += usize::from(block.state.swap(state::FREE, SeqCst) != state::FREE);
        }
    }

    /// One move of a worker. With `places` it dies when it has passed so many of them.
    fn step(&mut self, me: usize, places: Option<u32>) {
        let choice = self.random(4);
        let segment = &self.segment;
        let (does, nudged) = (self.does[me], self.nudged[me]);
        let moved = std::thread::scope(|scope| {
            let run = move || {
                LEFT.set(places);
                let moved = moves(&Dispatch::new(segment), me, does, nudged, choice);
                LEFT.set(None);
                moved
            };
            match places {
                None => Ok(run()),
                Some(_) => scope.spawn(run).join(),
            }
        });
        let Ok((next, wake)) = moved else {
            self.does[me] = Does::Dead;
            return;
        };
        if matches!(next, Does::Sleeps | Does::Queues(_)) {
            self.nudged[me] = false;
        }
        if let Does::Runs(task) = next {
            self.begun[me] = Some(task);
        }
        if next == Does::Free
            && let Some(task) = self.begun[me].take()
        {
            segment.task(task).state.store(state::FREE, SeqCst);
            self.ended += 1;
        }
        self.does[me] = next;
        self.nudge(&wake);
    }

    fn scribble(&mut self) {
        let (which, task) = (self.random(15), self.random(TASKS as u32) as usize);
        let to = self.random(8);
        let q = &self.segment.header().queues;
        let word = match which {
            0 => &q.qr_holder,
            1 => &q.qr_head,
            2 => &q.qr_tail,
            3 => &q.resume_head,
            4 => &q.resume_tail,
            5 => &q.qr_short,
            6 => &q.open_head,
            7 => &q.open_tail,
            8 => &q.open_running,
            9 => &q.idle_head,
            10 => &q.idle_count,
            11 => &q.starting,
            12 => &self.segment.task(task).next,
            13 => &self.segment.task(task).counted,
            _ => &self.slot(task % SLOTS).idle_next,
        };
        word.store(to, SeqCst);
    }

    /// Workers that run a task under the QR TCB.
    fn under_qr(&self) -> usize {
        let runs = |me: &usize| match self.does[*me] {
            Does::Runs(task) => self.segment.task(task).quasirent.load(SeqCst) != 0,
            _ => false,
        };
        (0..SLOTS).filter(runs).count()
    }

    fn active(&self) -> usize {
        let used = |t: &usize| self.segment.task(*t).state.load(SeqCst) != state::FREE;
        (0..TASKS).filter(used).count()
    }
}

/// What `me` does next, and whom it wakes.
fn moves(
    dispatch: &Dispatch<'_>,
    me: usize,
    does: Does,
    nudged: bool,
    choice: u32,
) -> (Does, Vec<usize>) {
    let slot = dispatch.segment.slot(me);
    let quasirent = |task: usize| &dispatch.segment.task(task).quasirent;
    match does {
        Does::Nothing | Does::Dead => (does, Vec::new()),
        Does::Free => {
            let (task, effects) = dispatch.next(me);
            (task.map_or(Does::Sleeps, Does::Given), effects.wake)
        }
        Does::Sleeps if nudged => {
            let given = (slot.task.load(SeqCst) as usize).checked_sub(1);
            (given.map_or(Does::Sleeps, Does::Given), Vec::new())
        }
        Does::Queues(task) if nudged && dispatch.holds_token(me) => (Does::Runs(task), Vec::new()),
        Does::Queues(task) if nudged => {
            dispatch.queue_again(me, task);
            (Does::Queues(task), Vec::new())
        }
        Does::Sleeps | Does::Queues(_) => (does, Vec::new()),
        Does::Given(task) => (Does::Runs(task), Vec::new()),
        Does::Ended(_) => {
            slot.task.store(0, SeqCst);
            (Does::Free, Vec::new())
        }
        Does::Waits(task) => {
            let runs = dispatch.wait_ends(me, task, quasirent(task).load(SeqCst) != 0);
            (runs_or_queues(runs, task), Vec::new())
        }
        Does::Runs(task) => match choice {
            0 => (Does::Waits(task), dispatch.wait_begins(me, task).wake),
            1 if quasirent(task).load(SeqCst) != 0 => {
                let (runs, effects) = dispatch.give_turn(me, task);
                (runs_or_queues(runs, task), effects.wake)
            }
            2 => {
                let other = quasirent(task).fetch_xor(1, SeqCst) == 0;
                let (runs, effects) = dispatch.change_mode(me, task, other);
                (runs_or_queues(runs, task), effects.wake)
            }
            _ => {
                dispatch.over(task);
                (Does::Ended(task), Vec::new())
            }
        },
    }
}

fn runs_or_queues(runs: bool, task: usize) -> Does {
    if runs {
        Does::Runs(task)
    } else {
        Does::Queues(task)
    }
}

/// One schedule; the tasks that ended.
fn schedule(seed: u32) -> usize {
    let mut world = World::new(seed);
    for at in 0..MOVES + QUIET {
        let troubled = at < MOVES;
        if !troubled && world.active() == 0 {
            break;
        }
        if troubled && world.random(3) == 0 {
            world.attach_one();
        }
        if !troubled || world.random(6) == 0 {
            world.region();
        }
        if !troubled || world.random(12) == 0 {
            world.tell();
        }
        let me = world.random(SLOTS as u32) as usize;
        match world.random(12) {
            0 if troubled && world.does[me] != Does::Nothing => world.does[me] = Does::Dead,
            1 | 2 if troubled => {
                let places = world.random(8);
                world.step(me, Some(places));
            }
            _ => world.step(me, None),
        }
        assert!(
            world.under_qr() <= 1,
            "seed {seed}, move {at}: {:?}",
            world.does
        );
        // One that died inside may still have the token.
        if let Some(effects) = Dispatch::new(&world.segment).mend() {
            let dead = world.does.contains(&Does::Dead);
            assert!(dead, "seed {seed}, move {at}: {:?}", world.does);
            world.nudge(&effects.wake);
        }
    }
    assert_eq!(world.active(), 0, "seed {seed}: {:?}", world.does);
    let open = &world.segment.header().queues.open_running;
    assert_eq!(open.load(SeqCst), 0, "seed {seed}");
    world.ended
}

#[test]
fn every_task_ends_whoever_dies_when() {
    let ended: usize = (1..=SEEDS).map(schedule).sum();
    assert!(ended > SEEDS as usize * 20, "{ended} tasks");
}

/// Between the death of an idle worker and the region's notice others still give it a task.
#[test]
fn a_task_given_to_a_dead_worker_is_told() {
    let mut world = World::new(1);
    world.segment.slot(0).state.store(worker::STARTING, SeqCst);
    let dispatch = Dispatch::new(&world.segment);
    assert_eq!(dispatch.next(0).0, None);
    world.does[0] = Does::Dead;
    world.attach_one();
    let dispatch = Dispatch::new(&world.segment);
    let lost = Lost { task: 0, ran: true };
    assert_eq!(dispatch.leave(0).0, Some(lost));
    assert_eq!(dispatch.leave(0).0, None);
}

/// Workers end their tasks without the lock while another makes the queues again.
#[test]
fn a_task_that_ends_during_a_rebuild_stays_ended() {
    let world = World::new(1);
    let dispatch = Dispatch::new(&world.segment);
    let (slot, block) = (world.slot(0), world.segment.task(0));
    block.quasirent.store(1, SeqCst);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(SeqCst) {
                let _held = dispatch.lock();
                dispatch.rebuild();
            }
        });
        let mut empty = true;
        for _ in 0..100_000 {
            block.worker.store(0, SeqCst);
            dispatch.attach(0);
            let given = dispatch.next(0).0;
            dispatch.over(0);
            slot.task.store(0, SeqCst);
            drop(dispatch.lock());
            empty &= given == Some(0) && slot.task.load(SeqCst) == 0;
            block.state.store(state::FREE, SeqCst);
        }
        over.store(true, SeqCst);
        assert!(empty);
    });
}

/// Heads, tails, links, counts and the token are overwritten with what they could be.
#[test]
fn whatever_is_stored_over_the_queues_every_task_ends() {
    for seed in 1..=SEEDS {
        let mut world = World::new(seed);
        for at in 0..MOVES + QUIET {
            let troubled = at < MOVES;
            if !troubled && world.active() == 0 {
                break;
            }
            if troubled && world.random(3) == 0 {
                world.attach_one();
            }
            if troubled && world.random(20) == 0 {
                world.scribble();
            }
            if !troubled || world.random(6) == 0 {
                let mended = Dispatch::new(&world.segment).mend();
                world.nudge(&mended.unwrap_or_default().wake);
                // Once a second every worker looks again.
                world.nudged.fill(true);
                world.region();
            }
            let me = world.random(SLOTS as u32) as usize;
            world.step(me, None);
        }
        let (does, memory) = (world.does, &world.segment);
        assert_eq!(world.active(), 0, "seed {seed}: {does:?}, {memory:?}");
    }
}
