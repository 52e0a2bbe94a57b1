//! Users, passwords and who is signed on.
//!
//! What: answers SIGNON, VERIFY and the other security commands; signs users on and off at
//! terminals. Passwords are checked on threads of their own, a few at a time, since a check takes
//! long on purpose. Not here: the registry of users (`file`), who may do what (`authority`,
//! `rules`).

mod authority;
mod file;
mod rules;
mod user;

pub(crate) use authority::Authority;
pub use file::UserFile;
pub use rules::Rules;
use transom_messages::{self as messages, Line, Operator};
pub use transom_wire::secret::{PASSWORD_CHARS_MAX, PHRASE_CHARS, Secret};
pub use transom_wire::security::Access;
pub use user::{Denied, PasswordRules, User, UserRegistry, userid};

use super::Inner;
use super::clock::Clock;
use super::config::UserConfig;
use super::replier::Replier;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::Semaphore;
use transom_types::{Resp, TermId, UserId};
use transom_wire::definitions::Checks;
use transom_wire::requests::RegionAnswer;
use transom_wire::security::{self as wire, Facts};

/// Passwords checked at the same time; each takes some 19 MiB of memory while it lasts.
const CHECKS_MAX: usize = 2;
/// Checks that may wait; more are refused.
const CHECKS_WAITING_MAX: usize = 1_000;

/// State of the service.
pub(crate) struct Security {
    registry: OnceLock<Arc<dyn UserRegistry>>,
    greeting: OnceLock<String>,
    idle_minute: OnceLock<Duration>,
    authority: Arc<Authority>,
    gate: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Default for Security {
    fn default() -> Self {
        Self {
            registry: OnceLock::new(),
            greeting: OnceLock::new(),
            idle_minute: OnceLock::new(),
            authority: Arc::default(),
            gate: Arc::new(Semaphore::new(CHECKS_MAX)),
            waiting: Arc::new(Semaphore::new(CHECKS_WAITING_MAX)),
        }
    }
}

impl Security {
    /// Takes what the configuration says; later calls change nothing.
    pub(crate) fn open(&self, config: &UserConfig, operator: &Operator, clock: &Arc<dyn Clock>) {
        let _once = self.greeting.set(config.greeting.clone());
        let _once = self.idle_minute.set(config.idle_minute);
        self.authority.open(config);
        let registry = config.registry.clone().or_else(|| {
            let file = config.file.as_ref()?;
            let file = UserFile::new(file, config.passwords.clone()).with_clock(clock.clone());
            Some(Arc::new(file) as Arc<dyn UserRegistry>)
        });
        if let Some(registry) = registry {
            let _once = self.registry.set(registry);
        }
        if let Err(text) = self.authority.load(self.registry.get()) {
            operator.tell(Line::heard(text));
        }
    }

    /// Which checks of authority are made.
    pub(crate) fn checks(&self) -> Checks {
        self.authority.checks()
    }

    /// What users may do.
    pub(crate) fn authority(&self) -> &Arc<Authority> {
        &self.authority
    }

    /// A user the region knows.
    pub(crate) fn user(&self, name: UserId) -> Option<Arc<User>> {
        self.authority.user(name)
    }
}

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let security = &inner.services.security;
    match wire::Request::decode(request) {
        None => replier.answer(&refused(Resp::INVREQ, 13, messages::ei::request_damaged())),
        Some(wire::Request::Greeting) => {
            let text = security.greeting.get().map_or("", String::as_str);
            replier.answer(&RegionAnswer::with_data(text.as_bytes().to_vec()));
        }
        Some(wire::Request::SignOff(terminal)) => {
            let task = replier.task_number();
            replier.answer(&sign_off(inner, (terminal, task)));
        }
        Some(wire::Request::Access(question)) => replier.answer(&access(inner, &question)),
        Some(wire::Request::User(name)) => {
            let facts = security.user(name).map_or(Facts::default(), |u| facts(&u));
            replier.answer(&RegionAnswer::with_data(facts.encode()));
        }
        Some(wire::Request::Rebuild) => {
            let region = inner.clone();
            replier.answer_with(rebuild(region));
        }
        Some(wire::Request::Check(check)) => {
            let (region, task) = (inner.clone(), replier.task_number());
            replier.answer_with(verify(region, task, check));
        }
    }
}

fn sign_off(inner: &Arc<Inner>, at: (TermId, u32)) -> RegionAnswer {
    if inner.terminals.user_at(at.0).is_none() {
        return refused(Resp::INVREQ, 1, "");
    }
    inner.terminals.set_user(at, None, None);
    RegionAnswer::normal()
}

/// Checks a secret off the pump's thread, and signs on when a terminal was named.
async fn verify(inner: Arc<Inner>, task: u32, check: wire::Check) -> RegionAnswer {
    let security = &inner.services.security;
    let Some(registry) = security.registry.get().cloned() else {
        return refused(Resp::INVREQ, 18, messages::xs::no_registry());
    };
    if let Some(terminal) = check.terminal
        && inner.terminals.user_at(terminal).is_some()
    {
        return refused(Resp::INVREQ, 9, "");
    }
    let Ok(_place) = security.waiting.clone().try_acquire_owned() else {
        return refused(Resp::INVREQ, 29, messages::xs::too_many_checks());
    };
    let Ok(_turn) = security.gate.clone().acquire_owned().await else {
        return refused(Resp::INVREQ, 29, "");
    };
    let (terminal, userid, group) = (check.terminal, check.userid.clone(), check.group.clone());
    let checked = tokio::task::spawn_blocking(move || {
        let new = check.new.as_ref().filter(|new| !new.is_empty());
        registry.verify(&check.userid, &check.secret, new)
    });
    let user = match checked.await {
        Ok(user) => user,
        Err(_) => return refused(Resp::INVREQ, 29, messages::xs::registry_failed()),
    };
    let user = user.and_then(
        |user| match group.is_empty() || user.groups.contains(&group) {
            true => Ok(user),
            false => Err(Denied::NotInGroup),
        },
    );
    match user {
        Ok(user) => {
            let facts = facts(&user);
            let userid = UserId::from_field(user.userid.as_bytes());
            if security.authority.learn(&user) {
                inner.services.security.authority.publish(&inner);
            }
            let minutes = Some(user.timeout_minutes).filter(|minutes| *minutes > 0);
            let minute = security.idle_minute.get().copied().unwrap_or_default();
            let idle = minutes.map(|minutes| minute * minutes);
            let at = terminal.map(|terminal| (terminal, task));
            if at.is_some_and(|at| !inner.terminals.set_user(at, Some(userid), idle)) {
                return refused(Resp::INVREQ, 10, "");
            }
            RegionAnswer::with_data(facts.encode())
        }
        Err(denied) => {
            inner.tell(messages::xs::password_refused(shown(&userid)));
            if denied == Denied::WrongTooOften {
                inner.tell(messages::xs::user_revoked(shown(&userid)));
            }
            denial(&denied)
        }
    }
}

fn facts(user: &User) -> Facts {
    Facts {
        name: user.name.clone(),
        language: user.language.clone(),
        changed: user.changed,
        last_use: user.last_use,
        wrong_attempts: user.wrong_attempts,
        expires: user.expires,
        priority: user.priority,
        opclass: user.opclass.clone(),
    }
}

/// What a user may do with a resource, for a worker.
fn access(inner: &Inner, question: &wire::Question) -> RegionAnswer {
    let authority = &inner.services.security.authority;
    let (class, name) = (&question.class, &question.name);
    let access = authority.access(class, name, question.user);
    if question.log && access.unwrap_or_default() < question.wanted {
        authority::refuse(inner, question.user, question.wanted, class, name);
    }
    let answer = wire::Answer {
        access,
        user_known: authority.user(question.user).is_some()
            || question.user == inner.system.default_user,
        class_known: authority.has_class(class),
    };
    RegionAnswer::with_data(answer.encode())
}

/// PERFORM SECURITY REBUILD: users who were added or changed count from now on.
async fn rebuild(inner: Arc<Inner>) -> RegionAnswer {
    let region = inner.clone();
    let read = move || {
        let security = &region.services.security;
        security.authority.load(security.registry.get())
    };
    let read = tokio::task::spawn_blocking(read).await;
    inner.services.security.authority.publish(&inner);
    match read {
        Ok(Ok(())) => RegionAnswer::normal(),
        Ok(Err(text)) => {
            inner.tell(Line::heard(text));
            refused(Resp::INVREQ, 5, "")
        }
        Err(_) => refused(Resp::INVREQ, 5, ""),
    }
}

/// A user identifier fit for a log: somebody may have typed a password into the wrong field.
fn shown(text: &str) -> String {
    userid(text).unwrap_or_else(|| "an unknown user".into())
}

fn denial(denied: &Denied) -> RegionAnswer {
    match denied {
        Denied::Unknown => refused(Resp::USERIDERR, 8, ""),
        Denied::NoSecret => refused(Resp::NOTAUTH, 1, ""),
        Denied::Wrong | Denied::WrongTooOften => refused(Resp::NOTAUTH, 2, ""),
        Denied::MustChange => refused(Resp::NOTAUTH, 3, ""),
        Denied::NewNotAcceptable => refused(Resp::NOTAUTH, 4, ""),
        Denied::Revoked => refused(Resp::NOTAUTH, 19, ""),
        Denied::NotInGroup => refused(Resp::NOTAUTH, 20, ""),
        Denied::Unavailable(text) => refused(Resp::INVREQ, 29, text),
    }
}

fn refused(resp: Resp, resp2: u32, text: impl Into<String>) -> RegionAnswer {
    RegionAnswer::refused(resp, resp2, text)
}
