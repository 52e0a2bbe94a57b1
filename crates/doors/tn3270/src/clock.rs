//! When a quiet session is spoken to, or ended.
//!
//! What: [`Clock`] knows the next moment at which something is due. Why: a client that vanished
//! without a word holds an LU name, and firewalls forget connections nobody uses. Not here: what is
//! sent then.

use crate::config::Tn3270Config;
use std::time::Duration;
use tokio::time::Instant;

/// What is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// Nothing was typed for too long.
    Idle,
    /// Nothing was heard for a while: a sign of life is sent, or asked for.
    KeepAlive,
    /// The client did not answer.
    NoAnswer,
}

/// Times of one session.
#[derive(Debug)]
pub(crate) struct Clock {
    idle: Option<Duration>,
    keep_alive: Option<Duration>,
    answer: Option<Duration>,
    typed: Instant,
    heard: Instant,
    asked: Option<Instant>,
}

impl Clock {
    pub(crate) fn new(config: &Tn3270Config) -> Self {
        let now = Instant::now();
        Self {
            idle: config.settings.idle_seconds,
            keep_alive: config.settings.keepalive_seconds,
            answer: config.settings.answer_seconds,
            typed: now,
            heard: now,
            asked: None,
        }
    }

    /// Bytes came; `record`: a record among them.
    pub(crate) fn heard(&mut self, record: bool) {
        self.heard = Instant::now();
        self.asked = None;
        if record {
            self.typed = self.heard;
        }
    }

    /// A sign of life was sent; the next is due a while later. Answers whether one must come back.
    pub(crate) fn sent(&mut self) -> bool {
        self.heard = Instant::now();
        if self.answer.is_some() {
            self.asked = Some(self.heard);
        }
        self.answer.is_some()
    }

    /// Waits until something is due.
    pub(crate) async fn due(&self) -> Due {
        let keep_alive = self.keep_alive.filter(|_| self.asked.is_none());
        let all = [
            self.idle.map(|time| (self.typed + time, Due::Idle)),
            keep_alive.map(|time| (self.heard + time, Due::KeepAlive)),
            self.answer
                .zip(self.asked)
                .map(|(time, asked)| (asked + time, Due::NoAnswer)),
        ];
        match all.into_iter().flatten().min_by_key(|(at, _)| *at) {
            Some((at, due)) => {
                tokio::time::sleep_until(at).await;
                due
            }
            None => std::future::pending().await,
        }
    }
}
