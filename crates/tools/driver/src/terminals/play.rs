//! One terminal plays the script.
//!
//! What: the statements, one after the other, with the clock running from key to screen. Why the
//! measurement stays open until the next statement that is no `expect`: a screen is complete when
//! it is what the script expects, which can be a record after the one that unlocked the keyboard.
//! Not here: the wire (`session`).

use super::counts::Counts;
use super::fault::{Fault, Kind};
use super::plan::Plan;
use super::script::{Action, Place, Text};
use super::session::Session;
use super::show;
use crate::timer::Timer;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::timeout_at;
use transom_datastream::Aid;

/// Wait before a terminal whose session ended connects again.
const RETRY: Duration = Duration::from_millis(500);

/// When counting starts and when everything stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    pub(crate) from: Instant,
    pub(crate) until: Instant,
}

/// What all terminals of a thread share.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) plan: Arc<Plan>,
    pub(crate) window: Window,
    pub(crate) counts: Rc<RefCell<Counts>>,
    pub(crate) timer: Timer,
    /// Time between the keys of one terminal; `None` is the closed loop.
    pub(crate) period: Option<Duration>,
    /// The script runs once.
    pub(crate) once: bool,
}

/// Runs terminal `number` from `start` until the window closes.
pub(crate) async fn terminal(stage: Stage, number: u32, start: Instant) {
    stage.timer.sleep_until(start).await;
    loop {
        let begin = Instant::now();
        match Session::open(&stage.plan, number).await {
            Ok(session) => {
                stage.counts.borrow_mut().logon(begin.elapsed());
                let mut player = Player::new(&stage, session, number);
                let ended = player.play().await;
                player.close(ended);
            }
            Err(fault) => stage
                .counts
                .borrow_mut()
                .failure(number, 0, None, &fault, String::new()),
        }
        let again = Instant::now() + RETRY;
        if stage.once || again >= stage.window.until {
            return;
        }
        stage.timer.sleep_until(again).await;
    }
}

/// A key whose screen is not complete yet.
struct Open {
    label: usize,
    sent: Instant,
    done: Instant,
}

pub(super) struct Player<'a> {
    pub(super) stage: &'a Stage,
    pub(super) session: Session,
    number: u32,
    pub(super) values: Vec<String>,
    open: Option<Open>,
    /// No key before this time.
    next: Instant,
    line: u32,
    random: u64,
    /// Keys and pauses so far.
    acts: u64,
}

/// Why the script is left.
enum Stop {
    /// The run is over.
    Over,
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl<'a> Player<'a> {
    fn new(stage: &'a Stage, session: Session, number: u32) -> Self {
        stage.counts.borrow_mut().connected(1);
        let script = &stage.plan.script;
        let mut values = vec![number.to_string()];
        values.extend_from_slice(script.users.row(number));
        values.resize(script.slots.len(), String::new());
        let player = Self {
            stage,
            session,
            number,
            values,
            open: None,
            next: Instant::now(),
            line: 0,
            // An odd multiplier: terminals get different, repeatable numbers.
            random: u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            acts: 0,
        };
        player.show("first screen", None);
        player
    }

    /// Plays until the run is over or something fails.
    async fn play(&mut self) -> Stop {
        loop {
            let acts = self.acts;
            if let Err(stop) = self.script().await {
                return stop;
            }
            self.complete();
            if self.stage.once {
                return Stop::Over;
            }
            if acts == self.acts {
                // A script without keys: the terminal is idle.
                self.stage.timer.sleep_until(self.stage.window.until).await;
                return Stop::Over;
            }
        }
    }

    async fn script(&mut self) -> Result<(), Stop> {
        let stage = self.stage;
        let statements = &stage.plan.script.statements;
        let mut left: Vec<Option<u32>> = Vec::new();
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            self.line = statement.line;
            at += 1;
            match &statement.action {
                Action::Loop { times, .. } => left.push(match times {
                    None if stage.once => Some(1),
                    times => *times,
                }),
                Action::End { begin } => {
                    let again = match left.last_mut() {
                        Some(Some(times)) => {
                            *times = times.saturating_sub(1);
                            *times > 0
                        }
                        _ => true,
                    };
                    if again {
                        at = begin + 1;
                        // A loop without a key must let others run, and end with the run.
                        self.over()?;
                        tokio::task::yield_now().await;
                    } else {
                        left.pop();
                    }
                }
                action => self.act(action).await?,
            }
        }
        Ok(())
    }

    async fn act(&mut self, action: &Action) -> Result<(), Stop> {
        if !matches!(action, Action::Expect { .. } | Action::Capture { .. }) {
            self.complete();
        }
        match action {
            Action::Expect { text, at } => self.expect(text, *at).await?,
            Action::Type { at, text } => {
                let position = self.position(*at)?;
                self.enter(position, text)?;
            }
            Action::Field { nth, text } => {
                let position = self.field(*nth)?;
                self.enter(position, text)?;
            }
            Action::Cursor(at) => {
                let position = self.position(*at)?;
                self.session.screen.set_cursor(position);
            }
            Action::Key { aid, label } => self.key(*aid, *label).await?,
            Action::Transaction { text, label, clear } => {
                if self.session.screen.is_formatted() {
                    self.key(Aid::CLEAR, *clear).await?;
                    self.complete();
                }
                if self.session.screen.is_formatted() {
                    // A line the host wrote after CLEAR: the user types where it lets them.
                    self.enter_at_cursor(text)?;
                } else {
                    self.enter(0, text)?;
                }
                self.key(Aid::ENTER, *label).await?;
            }
            Action::Think(ms) => self.think(*ms).await?,
            Action::Capture { slot, at, length } => {
                let text = self.text_at(*at, usize::from(*length));
                self.set(*slot, text.trim().to_owned());
            }
            Action::Random {
                slot,
                low,
                high,
                width,
            } => {
                let value = low + self.random() % (high - low + 1);
                self.set(*slot, format!("{value:0width$}", width = *width));
            }
            Action::Loop { .. } | Action::End { .. } => {}
        }
        Ok(())
    }

    /// Presses a key when it is time to, and waits for the keyboard.
    async fn key(&mut self, aid: Aid, label: usize) -> Result<(), Stop> {
        let stage = self.stage;
        self.acts += 1;
        let due = self.next;
        stage.timer.sleep_until(due.min(stage.window.until)).await;
        self.over()?;
        let sent = match stage.period {
            Some(period) => {
                self.next = due + period;
                due
            }
            None => Instant::now(),
        };
        self.open = Some(Open {
            label,
            sent,
            done: sent,
        });
        self.session.press(aid).await?;
        let limit = Instant::now() + stage.plan.timeout;
        while self.session.screen.is_locked() {
            let turned = timeout_at(limit.into(), self.session.turn(&stage.plan)).await;
            turned.map_err(|_| {
                let text = format!("the keyboard stays locked after {}", aid.name());
                Fault::new(Kind::Timeout, text)
            })??;
        }
        self.received();
        Ok(())
    }

    async fn expect(&mut self, text: &Text, at: Option<Place>) -> Result<(), Stop> {
        let text = text.fill(&self.values);
        let limit = Instant::now() + self.stage.plan.patience;
        while !self.shows(&text, at) {
            let turn = self.session.turn(&self.stage.plan);
            match timeout_at(limit.into(), turn).await {
                Ok(turned) => turned?,
                Err(_) => {
                    let place = at.map_or(String::new(), |(r, c)| format!(" at {r},{c}"));
                    let text = format!("{text:?}{place} is not on the screen");
                    return Err(Fault::new(Kind::Unexpected, text).into());
                }
            }
            self.received();
        }
        Ok(())
    }

    async fn think(&mut self, ms: u64) -> Result<(), Stop> {
        self.acts += 1;
        // On a fixed schedule pauses would only make the next key late.
        if self.stage.period.is_none() {
            let until = Instant::now() + Duration::from_millis(ms);
            let until = until.min(self.stage.window.until);
            self.stage.timer.sleep_until(until).await;
        }
        self.over()
    }

    fn over(&self) -> Result<(), Stop> {
        if !self.stage.once && Instant::now() >= self.stage.window.until {
            return Err(Stop::Over);
        }
        Ok(())
    }

    fn set(&mut self, slot: usize, value: String) {
        if let Some(place) = self.values.get_mut(slot) {
            *place = value;
        }
    }

    /// xorshift64.
    fn random(&mut self) -> u64 {
        let mut x = self.random;
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random = x;
        x
    }

    fn received(&mut self) {
        if let Some(open) = &mut self.open {
            open.done = Instant::now();
        }
    }

    /// The open screen is good.
    fn complete(&mut self) {
        let Some(open) = self.open.take() else { return };
        let stage = self.stage;
        if stage.period.is_none() {
            self.next = open.done + stage.plan.think;
        }
        let time = open.done - open.sent;
        if open.done >= stage.window.from && (stage.once || open.done <= stage.window.until) {
            stage
                .counts
                .borrow_mut()
                .screen(open.label, time, open.done);
        }
        let label = stage.plan.script.labels.get(open.label);
        self.show(label.map_or("", String::as_str), Some(time));
    }

    fn show(&self, label: &str, time: Option<Duration>) {
        if self.stage.plan.show {
            show::screen(&self.session, self.stage.plan.page, label, time);
        }
    }

    /// Counts how the session ended.
    fn close(&mut self, ended: Stop) {
        let stage = self.stage;
        let mut counts = stage.counts.borrow_mut();
        counts.connected(-1);
        counts.bytes_in += self.session.bytes_in;
        if let Stop::Fault(fault) = ended {
            let label = self.open.take().map(|open| open.label);
            let screen = show::text(&self.session.screen, stage.plan.page);
            counts.failure(self.number, self.line, label, &fault, screen);
        }
    }
}
