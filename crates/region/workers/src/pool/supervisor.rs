//! The thread that owns the zygote: spawns, deaths, log lines, restarts.

use super::inner::{Inner, lock};
use super::stalled::Stalled;
use super::start;
use super::suspect::Suspect;
use super::watchdog::Watchdog;
use crate::config::PoolError;
use crate::control::{self, Message};
use crate::dispatch::Dispatch;
use crate::shm::layout::worker;
use crate::shm::lock::Turn;
use crate::shm::nudge;
use crate::worker::link;
use start::Zygote;
use std::collections::HashMap;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use transom_messages::{self as messages, Line};
use transom_types::AbendCode;

/// Distance of the looks at running tasks.
pub(super) const TICK: Duration = Duration::from_millis(50);
/// The same while there is no task.
const IDLE: Duration = Duration::from_secs(1);
/// Idle workers above the minimum end after this time without need.
const IDLE_EXCESS: Duration = Duration::from_secs(30);
/// Pause before a zygote that does not start is tried again.
const RESTART_PAUSE: Duration = Duration::from_secs(1);
/// How long workers of a dead zygote may take to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(2);

/// Starts the thread and the first zygote.
pub(super) fn start(inner: &Arc<Inner>) -> Result<JoinHandle<()>, PoolError> {
    let (tell, started) = mpsc::sync_channel(1);
    let inner = Arc::clone(inner);
    let thread = std::thread::Builder::new()
        .name("cobol-workers".into())
        .spawn(move || match start::zygote(&inner) {
            Ok(zygote) => {
                let _ended = Ended(inner.clone());
                let mut supervisor = Supervisor::new(inner, zygote);
                supervisor.spawn_wanted();
                let _ = tell.send(Ok(()));
                supervisor.run();
            }
            Err(error) => {
                let _ = tell.send(Err(error));
            }
        });
    let thread = thread.map_err(|error| PoolError::Os {
        doing: "starting a thread",
        error,
    })?;
    match started.recv() {
        Ok(Ok(())) => Ok(thread),
        Ok(Err(error)) => {
            let _ = thread.join();
            Err(error)
        }
        Err(_) => Err(PoolError::Zygote("its supervisor ended".into())),
    }
}

/// Tells who waits for replies that the thread is over, however it came to its end.
struct Ended(Arc<Inner>);

impl Drop for Ended {
    fn drop(&mut self) {
        if !self.0.stopping.load(SeqCst) {
            let line = messages::wk::supervision_ended();
            self.0.config.operator.tell(line);
        }
        self.0.ended.store(true, SeqCst);
        link::signal(self.0.completion.as_raw_fd());
    }
}

/// What the last looks found.
#[derive(Debug, Default)]
pub(super) struct Looks {
    pub(super) next: Option<Instant>,
    /// Locks that were held, with whose turn it was and at how many looks.
    pub(super) held: HashMap<usize, (Turn, u32)>,
    /// How often the list had been gone through.
    pub(super) drains: u64,
    /// Finds that were told.
    pub(super) told: u32,
    /// By slot: what they found wrong with its worker.
    pub(super) suspects: Vec<Suspect>,
    pub(super) stalled: Stalled,
}

/// State of the thread.
pub(super) struct Supervisor {
    pub(super) inner: Arc<Inner>,
    pub(super) zygote: Option<Zygote>,
    watchdog: Watchdog,
    pub(super) looks: Looks,
    /// Raw output without line end yet.
    pub(super) raw: Vec<u8>,
    excess_since: Option<Instant>,
    next_tick: Instant,
    retry_at: Instant,
    pub(super) spawn_at: Instant,
    /// By slot: the zygote said that this worker lives. A zygote can die between the fork and the
    /// word.
    pub(super) counted: Vec<bool>,
}

impl Supervisor {
    fn new(inner: Arc<Inner>, zygote: Zygote) -> Self {
        let now = Instant::now();
        let watchdog = Watchdog::new(inner.segment.slots());
        let zygote = Some(zygote);
        let (raw, excess_since) = (Vec::new(), None);
        let counted = vec![false; inner.segment.slots()];
        let looks = Looks {
            suspects: vec![Suspect::default(); inner.segment.slots()],
            stalled: Stalled::new(inner.segment.slots()),
            ..Looks::default()
        };
        Self {
            inner,
            zygote,
            watchdog,
            looks,
            raw,
            excess_since,
            next_tick: now,
            retry_at: now,
            spawn_at: now,
            counted,
        }
    }

    fn run(&mut self) {
        while !self.inner.stopping.load(SeqCst) {
            self.wait();
            self.inner.read_lines();
            self.read_raw();
            start::clear_event(self.inner.kick.as_raw_fd());
            self.read_control();
            self.send_signals();
            if self.zygote.is_none() && Instant::now() >= self.retry_at {
                self.restart();
            }
            self.spawn_wanted();
            if Instant::now() >= self.next_tick {
                self.next_tick = Instant::now() + TICK;
                self.watchdog
                    .look(self.inner.segment, &self.inner.processes);
                self.look_around();
                self.send_signals();
                self.retire_excess();
            }
        }
        self.end();
    }

    /// Sleeps until there is something to do: without tasks a second.
    fn wait(&mut self) {
        let quiet = lock(&self.inner.table).free.len() == self.inner.segment.tasks()
            && self.zygote.is_some()
            && Instant::now() >= self.spawn_at;
        // Workers that are too many end one a tick, once it is time.
        let excess = self.excess_since.map(|since| since + IDLE_EXCESS);
        let excess = excess.map_or(IDLE, |at| at.saturating_duration_since(Instant::now()));
        let time = if quiet {
            excess.clamp(TICK, IDLE)
        } else {
            TICK
        };
        let ms = time.as_millis() as i32;
        let poll = |fd: RawFd| libc::pollfd {
            fd,
            events: libc::POLLIN,
            revents: 0,
        };
        let mut polls = vec![poll(self.inner.kick.as_raw_fd())];
        if let Some(z) = &self.zygote {
            polls.extend([
                poll(z.control.as_raw_fd()),
                poll(z.log.as_raw_fd()),
                poll(z.raw.as_raw_fd()),
            ]);
        }
        // SAFETY: valid entries for their number.
        unsafe { libc::poll(polls.as_mut_ptr(), polls.len() as libc::nfds_t, ms) };
    }

    fn read_control(&mut self) {
        while let Some(fd) = self.zygote.as_ref().map(|z| z.control.as_raw_fd())
            && start::wait_readable(fd, 0)
        {
            match control::receive(fd) {
                Ok(Some(Message::Spawned { slot, pid })) => self.spawned(slot as usize, pid),
                Ok(Some(Message::Died { slot, status, .. })) => {
                    self.died(slot as usize, status);
                }
                Ok(Some(Message::Error(text))) => self.tell(Line::heard(text)),
                Ok(Some(_)) => {}
                Ok(None) | Err(_) => self.zygote_gone(),
            }
        }
    }

    fn spawned(&mut self, slot: usize, pid: u32) {
        let Some(counted) = self.counted.get_mut(slot) else {
            return;
        };
        self.inner.processes.known(slot, pid);
        if !std::mem::replace(counted, true) {
            let counts = &self.inner.counts;
            counts.spawned.fetch_add(1, SeqCst);
            let before = counts.workers.fetch_add(1, SeqCst);
            counts.workers_peak.fetch_max(before + 1, SeqCst);
        }
    }

    pub(super) fn zygote_gone(&mut self) {
        let Some(mut zygote) = self.zygote.take() else {
            return;
        };
        let _ = zygote.child.kill();
        let status = zygote.child.wait();
        self.inner.read_lines();
        let text = status.map_or_else(|e| e.to_string(), |s| s.to_string());
        self.tell(messages::wk::zygote_ended(&text));
        let slots = self.used_slots();
        self.wait_until_gone(&slots);
        for slot in slots {
            self.died(slot, libc::SIGKILL as u32);
        }
        self.retry_at = Instant::now();
    }

    /// The kernel kills the workers of a dead zygote; a slot may be used again only after that.
    fn wait_until_gone(&self, slots: &[usize]) {
        let end = Instant::now() + GONE_WITHIN;
        for slot in slots {
            while Instant::now() < end && self.inner.processes.kill(*slot) {
                std::thread::sleep(Duration::from_micros(200));
            }
        }
    }

    /// Slots with a worker, by the region's own record.
    pub(super) fn used_slots(&self) -> Vec<usize> {
        let used = |slot: &usize| self.inner.processes.is_used(*slot);
        (0..self.inner.segment.slots()).filter(used).collect()
    }

    fn restart(&mut self) {
        self.inner.counts.zygote_restarts.fetch_add(1, SeqCst);
        match start::zygote(&self.inner) {
            Ok(zygote) => self.zygote = Some(zygote),
            Err(error) => {
                self.tell(Line::heard(error.to_string()));
                self.retry_at = Instant::now() + RESTART_PAUSE;
            }
        }
    }

    fn spawn_wanted(&mut self) {
        if Instant::now() < self.spawn_at {
            return;
        }
        let Some(control) = self.zygote.as_ref().map(|z| z.control.as_raw_fd()) else {
            return;
        };
        let segment = self.inner.segment;
        let dispatch = Dispatch::new(segment);
        let free = |i: &usize| !self.inner.processes.is_used(*i);
        let slots: Vec<usize> = (0..segment.slots()).filter(free).collect();
        let wanted = dispatch.wanted(self.inner.config.min_idle, slots.len());
        segment
            .header()
            .no_room
            .0
            .store(u32::from(slots.len() == wanted), SeqCst);
        for (sent, slot) in slots.iter().take(wanted).enumerate() {
            segment.slot(*slot).state.store(worker::STARTING, SeqCst);
            self.inner.processes.asked(*slot);
            // One that does not listen at the moment is asked again at the next tick.
            if control::send_now(control, &Message::Spawn(*slot as u32)).is_err() {
                segment.slot(*slot).state.store(worker::FREE, SeqCst);
                self.inner.processes.gone(*slot);
                dispatch.not_coming(wanted - sent);
                return;
            }
        }
    }

    fn send_signals(&self) {
        let Some(control) = self.zygote.as_ref().map(|z| z.control.as_raw_fd()) else {
            return;
        };
        let segment = self.inner.segment;
        for i in 0..segment.slots() {
            let slot = segment.slot(i);
            let signal = slot.signal_wanted.swap(0, SeqCst);
            let known = [libc::SIGKILL, libc::SIGUSR1].contains(&(signal as libc::c_int));
            if let Some(pid) = self.inner.processes.pid(i).filter(|_| known) {
                let message = Message::Signal {
                    slot: i as u32,
                    pid,
                    signal,
                };
                if control::send_now(control, &message).is_err() {
                    slot.signal_wanted.store(signal, SeqCst);
                }
            }
        }
    }

    /// Ends a worker that has been too many for a while.
    fn retire_excess(&mut self) {
        let dispatch = Dispatch::new(self.inner.segment);
        if dispatch.idle() <= self.inner.config.min_idle.max(1) {
            self.excess_since = None;
            return;
        }
        let since = *self.excess_since.get_or_insert_with(Instant::now);
        if since.elapsed() >= IDLE_EXCESS
            && let Some(slot) = dispatch.retire_idle()
        {
            nudge(self.inner.segment.slot(slot));
        }
    }

    /// The pool stops: the zygote and with it all workers end, active tasks too.
    fn end(&mut self) {
        if let Some(mut zygote) = self.zygote.take() {
            self.inner.read_lines();
            let _ = zygote.child.kill();
            let _ = zygote.child.wait();
            self.inner.read_lines();
        }
        let segment = self.inner.segment;
        let slots = self.used_slots();
        self.wait_until_gone(&slots);
        for slot in slots {
            self.died(slot, libc::SIGKILL as u32);
        }
        // Those nobody has begun, and whatever else has no end yet.
        for task in 0..segment.tasks() {
            let table = lock(&self.inner.table);
            if table.entries[task].done.is_some() {
                self.orphan_as(&table, task, AbendCode::ASRB, "the region stops".into());
            }
        }
        link::signal(self.inner.completion.as_raw_fd());
    }
}
