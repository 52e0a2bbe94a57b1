//! The part a link has in the end of units of work.
//!
//! What: [`Participant`] over the conversation of a unit of work, or over the connection that keeps
//! the link when the conversation is gone. What was not prepared is backed out by the partner when
//! its session ends; what was prepared waits to be told. Not here: conversations (`caller`), who
//! decides (`transom_recovery`).

use crate::caller::Link;
use crate::frames::{Answered, Asked, Why};
use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};
use transom_recovery::{InDoubt, Outcome, Part, Participant, StoreError, StoreFuture, UowId};

/// What the partner said of an end, as the coordinator takes it.
fn done(answered: Answered) -> Result<(), StoreError> {
    match answered {
        Answered::Done => Ok(()),
        Answered::Failed { why, text } => Err(match why {
            Why::BackedOut => StoreError::Wrong(text),
            Why::Unknown => StoreError::Unknown(text),
            Why::NotFound => StoreError::NotFound,
            Why::Later => StoreError::Unavailable(text),
        }),
        _ => Err(StoreError::Unknown("an answer out of turn".to_owned())),
    }
}

fn lost(link: &Link, error: &io::Error) -> String {
    format!(
        "the session with {} broke off: {error}",
        link.applid.as_str()
    )
}

impl Participant for Link {
    fn part(&self, uow: UowId) -> Part {
        self.talk(uow).map_or(Part::None, |talk| talk.part())
    }

    fn prepare<'a>(&'a self, uow: UowId, _info: &'a [u8]) -> StoreFuture<'a, ()> {
        Box::pin(async move {
            let Some(talk) = self.talk(uow) else {
                return Ok(());
            };
            // From here on it may be prepared there, whatever becomes of the answer.
            let before = talk.part.swap(Part::Prepared as u8, Ordering::SeqCst);
            let asked = Asked::Prepare(uow.to_bytes());
            match self.ask(&talk, asked).await {
                Ok((stream, answered)) => {
                    *talk.stream.lock().await = Some(stream);
                    done(answered).inspect_err(|_| talk.part.store(before, Ordering::SeqCst))
                }
                // Broken off before: it has not heard of this, and has backed out.
                Err(error) if error.kind() == io::ErrorKind::NotConnected => {
                    talk.part.store(before, Ordering::SeqCst);
                    Err(StoreError::Wrong(lost(self, &error)))
                }
                Err(error) => Err(StoreError::Unavailable(lost(self, &error))),
            }
        })
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let Some(talk) = self.talk(uow) else {
                return Ok(());
            };
            if talk.holds_nothing() {
                self.let_go_of(uow, &talk).await;
                return Ok(());
            }
            let before = talk.part();
            match self.ask(&talk, Asked::Commit).await {
                Ok((stream, answered)) => {
                    self.keep(stream);
                    self.forget(uow);
                    done(answered)
                }
                Err(error) if before == Part::Prepared => {
                    self.forget(uow);
                    Err(StoreError::Unavailable(lost(self, &error)))
                }
                // It broke off before this: the partner has backed out.
                Err(error) if error.kind() == io::ErrorKind::NotConnected => {
                    self.forget(uow);
                    Err(StoreError::Wrong(lost(self, &error)))
                }
                Err(error) => {
                    self.forget(uow);
                    Err(match before {
                        Part::Changes => StoreError::Unknown(lost(self, &error)),
                        _ => StoreError::Wrong(lost(self, &error)),
                    })
                }
            }
        })
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let Some(talk) = self.talk(uow) else {
                return Ok(());
            };
            if talk.holds_nothing() {
                self.let_go_of(uow, &talk).await;
                return Ok(());
            }
            let before = talk.part();
            let asked = self.ask(&talk, Asked::Backout).await;
            self.forget(uow);
            match asked {
                Ok((stream, answered)) => {
                    self.keep(stream);
                    done(answered)
                }
                Err(error) if before == Part::Prepared => {
                    Err(StoreError::Unavailable(lost(self, &error)))
                }
                // What was not prepared is backed out when the session ends.
                Err(_) => Ok(()),
            }
        })
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        Box::pin(async move {
            match self.ask_region(Asked::Doubts).await? {
                Answered::Doubts(all) => Ok(all
                    .into_iter()
                    .filter_map(|doubt| {
                        let age = Duration::from_secs(doubt.age_s);
                        Some(InDoubt {
                            uow: UowId::from_bytes(&doubt.uow)?,
                            info: Vec::new(),
                            since: SystemTime::now().checked_sub(age)?,
                            retained: true,
                            untold: None,
                        })
                    })
                    .collect()),
                other => done(other).map(|()| Vec::new()),
            }
        })
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let asked = Asked::Resolve {
                uow: uow.to_bytes(),
                commit: outcome == Outcome::Commit,
            };
            done(self.ask_region(asked).await?)
        })
    }

    /// The partner backs out when the session ends.
    fn release(&self, uow: UowId) {
        let prepared = self.talk(uow).is_some_and(|t| t.part() == Part::Prepared);
        if !prepared {
            self.forget(uow);
        }
    }
}
