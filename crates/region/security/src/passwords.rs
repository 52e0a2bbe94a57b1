//! Checks of passwords: a few at a time, on threads of their own, wrong ones counted.
//!
//! Why a few: a check takes long and much memory on purpose. Not here: users (`user`), who is
//! signed on where (`region/server`).

use crate::attempts::{Attempts, Bound};
use crate::user::{Denied, PasswordRules, User, UserRegistry, userid};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::Semaphore;
use transom_messages::{self as messages, Message, Operator};
use transom_wire::secret::Secret;
use transom_wire::security::Check;

/// Passwords checked at the same time; each takes some 19 MiB of memory while it lasts.
const CHECKS_MAX: usize = 2;
/// Checks that may wait; more are refused.
const CHECKS_WAITING_MAX: usize = 1_000;

/// Checks passwords of the users of a registry.
pub struct Passwords {
    registry: Option<Arc<dyn UserRegistry>>,
    gate: Semaphore,
    waiting: Semaphore,
    attempts: Attempts,
    bound: Option<Bound>,
    operator: Operator,
}

impl Passwords {
    /// Of this registry; without one nobody proves anything.
    pub fn new(
        registry: Option<Arc<dyn UserRegistry>>,
        rules: &PasswordRules,
        operator: Operator,
    ) -> Self {
        let time = rules.lockout.filter(|_| rules.attempts_max > 0);
        Self {
            registry,
            gate: Semaphore::new(CHECKS_MAX),
            waiting: Semaphore::new(CHECKS_WAITING_MAX),
            attempts: Attempts::default(),
            bound: time.map(|time| Bound {
                most: rules.attempts_max,
                time,
            }),
            operator,
        }
    }

    /// What somebody says to prove who they are; `None`: nobody has such a name.
    pub fn claimed(user: &str, secret: &str) -> Option<Check> {
        Some(Check {
            terminal: None,
            userid: userid(user)?,
            group: String::new(),
            secret: Secret::phrase(secret.as_bytes()),
            new: None,
        })
    }

    /// Another number once the users have changed.
    pub fn generation(&self) -> u64 {
        let version = self.registry.as_ref().and_then(|r| r.version());
        let mut hasher = DefaultHasher::new();
        version.hash(&mut hasher);
        hasher.finish()
    }

    /// Checks a secret that came from a place.
    ///
    /// # Errors
    /// It was not looked at: too many wait, or the registry failed.
    pub async fn prove(
        &self,
        place: &str,
        check: Check,
        now: Instant,
    ) -> Result<Result<User, Denied>, Message> {
        let Some(registry) = self.registry.clone() else {
            return Ok(Err(Denied::Unknown));
        };
        let waiting = self.waiting.try_acquire();
        let _place = waiting.map_err(|_| messages::xs::too_many_checks())?;
        let turn = self.gate.acquire().await;
        let _turn = turn.map_err(|_| messages::xs::too_many_checks())?;
        let (name, group) = (check.userid.clone(), check.group.clone());
        if let Some(bound) = self.bound
            && self.attempts.are_too_many(place, &shown(&name), bound, now)
        {
            return Ok(Err(Denied::TooManyHere));
        }
        let checked = tokio::task::spawn_blocking(move || {
            let new = check.new.as_ref().filter(|new| !new.is_empty());
            registry.verify(&check.userid, &check.secret, new)
        });
        let user = checked.await.map_err(|_| messages::xs::registry_failed())?;
        let user = user.and_then(
            |user| match group.is_empty() || user.groups.contains(&group) {
                true => Ok(user),
                false => Err(Denied::NotInGroup),
            },
        );
        match &user {
            Ok(_) => self.attempts.right(place, &shown(&name)),
            Err(denied) => self.tell_denied(denied, &name, place, now),
        }
        Ok(user)
    }

    /// Counts what was refused, and tells the operator.
    fn tell_denied(&self, denied: &Denied, name: &str, place: &str, now: Instant) {
        let shown = shown(name);
        self.operator.tell(messages::xs::password_refused(&shown));
        if *denied == Denied::WrongTooOften {
            self.operator.tell(messages::xs::user_revoked(&shown));
        }
        if let Some(bound) = self.bound
            && matches!(denied, Denied::Wrong | Denied::Unknown)
            && self.attempts.wrong(place, &shown, bound, now)
        {
            let told = messages::xs::too_many_here(&shown, place, bound.time.as_secs());
            self.operator.tell(told);
        }
    }
}

/// A user identifier fit for a log: somebody may have typed a password into the wrong field.
fn shown(text: &str) -> String {
    userid(text).unwrap_or_else(|| "an unknown user".into())
}
