//! Users, passwords and who is signed on.
//!
//! What: answers SIGNON, VERIFY and the other security commands; signs users on and off at
//! terminals. Passwords are checked on threads of their own, a few at a time, since a check takes
//! long on purpose. Not here: the registry of users, who may do what (`region/security`).

use super::clock::Clock;
use super::kernel::Kernel;
use super::replier::Replier;
use super::terminal::Terminals;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use transom_messages::{self as messages, Line, Operator};
use transom_security::{
    Attempts, Authority, Bound, Denied, PasswordRules, User, UserConfig, UserFile, UserRegistry,
    userid,
};
use transom_types::{Resp, TermId, UserId};
use transom_wire::definitions::SystemEntry;
use transom_wire::requests::RegionAnswer;
use transom_wire::security::{self as wire, Facts};

/// Passwords checked at the same time; each takes some 19 MiB of memory while it lasts.
const CHECKS_MAX: usize = 2;
/// Checks that may wait; more are refused.
const CHECKS_WAITING_MAX: usize = 1_000;
/// How often the registry is looked at for users who were revoked.
const WATCH_TIME: Duration = Duration::from_secs(1);

/// The service.
pub(crate) struct Security {
    kernel: Arc<Kernel>,
    terminals: Arc<Terminals>,
    authority: Arc<Authority>,
    /// `None`: nobody can sign on.
    registry: Option<Arc<dyn UserRegistry>>,
    idle_minute: Duration,
    gate: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
    attempts: Attempts,
    bound: Option<Bound>,
}

/// What the region knows of its users before it runs.
pub(crate) struct Opened {
    pub(crate) authority: Arc<Authority>,
    registry: Option<Arc<dyn UserRegistry>>,
}

/// Reads rules and users.
pub(crate) fn open(
    config: &UserConfig,
    default_user: UserId,
    operator: &Operator,
    clock: &Arc<dyn Clock>,
) -> Opened {
    let authority = Arc::new(Authority::new(config, default_user, operator.clone()));
    let registry = config.registry.clone().or_else(|| {
        let file = config.file.as_ref()?;
        let clock = clock.clone();
        let file = UserFile::new(file, config.passwords.clone())
            .with_clock(Arc::new(move || clock.wall()));
        Some(Arc::new(file) as Arc<dyn UserRegistry>)
    });
    if let Err(text) = authority.load(registry.as_ref()) {
        operator.tell(Line::heard(text));
    }
    Opened {
        authority,
        registry,
    }
}

impl Security {
    pub(crate) fn new(
        kernel: Arc<Kernel>,
        terminals: Arc<Terminals>,
        opened: Opened,
        config: &UserConfig,
    ) -> Self {
        Self {
            kernel,
            terminals,
            authority: opened.authority,
            registry: opened.registry,
            idle_minute: config.idle_minute,
            gate: Arc::new(Semaphore::new(CHECKS_MAX)),
            waiting: Arc::new(Semaphore::new(CHECKS_WAITING_MAX)),
            attempts: Attempts::default(),
            bound: bound(&config.passwords),
        }
    }

    /// Takes users their authority when their registry does, as long as the region lives.
    pub(crate) fn watch(self: &Arc<Self>) {
        let (Some(registry), Ok(runtime)) =
            (self.registry.clone(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let (service, clock) = (Arc::downgrade(self), self.kernel.clock.clone());
        let mut seen = registry.version();
        runtime.spawn(async move {
            loop {
                clock.sleep(WATCH_TIME).await;
                let Some(service) = service.upgrade() else {
                    return;
                };
                let now = registry.version();
                if now != seen {
                    seen = now;
                    service.withdraw().await;
                }
            }
        });
    }

    /// Users who are revoked or deleted may do nothing any more, and their sessions end.
    async fn withdraw(&self) {
        let Some(registry) = self.registry.clone() else {
            return;
        };
        match tokio::task::spawn_blocking(move || registry.users()).await {
            Ok(Ok(Some(users))) => {
                for user in self.authority.withdraw(&users) {
                    self.kernel.tell(messages::xs::user_withdrawn(user));
                    self.terminals.sign_off_user(user);
                }
            }
            Ok(Err(why)) => self.kernel.tell(Line::heard(why)),
            Ok(Ok(None)) | Err(_) => {}
        }
    }

    /// Checks are made.
    pub(crate) fn checks(&self) -> bool {
        self.authority.checks().on
    }

    /// Answers a worker.
    pub(crate) fn answer(self: &Arc<Self>, replier: Replier, request: &[u8]) {
        match wire::Request::decode(request) {
            None => replier.answer(&refused(Resp::INVREQ, 13, messages::ei::request_damaged())),
            Some(wire::Request::Greeting) => {
                let system = SystemEntry::find(self.kernel.shared());
                let text = system.map_or(String::new(), |system| system.gm_text);
                replier.answer(&RegionAnswer::with_data(text.into_bytes()));
            }
            Some(wire::Request::SignOff(terminal)) => {
                let task = replier.task_number();
                replier.answer(&self.sign_off((terminal, task)));
            }
            Some(wire::Request::Access(question)) => replier.answer(&self.access(&question)),
            Some(wire::Request::User(name)) => {
                let user = self.authority.user(name);
                let facts = user.map_or(Facts::default(), |u| facts(&u));
                replier.answer(&RegionAnswer::with_data(facts.encode()));
            }
            Some(wire::Request::Rebuild) => {
                let service = self.clone();
                replier.answer_with(async move { service.rebuild().await });
            }
            Some(wire::Request::Check(check)) => {
                let (service, task) = (self.clone(), replier.task_number());
                replier.answer_with(async move { service.verify(task, check).await });
            }
        }
    }

    fn sign_off(&self, at: (TermId, u32)) -> RegionAnswer {
        if self.terminals.user_at(at.0).is_none() {
            return refused(Resp::INVREQ, 1, "");
        }
        self.terminals.set_user(at, None, None);
        RegionAnswer::normal()
    }

    /// Checks a secret off the pump's thread, and signs on when a terminal was named.
    async fn verify(&self, task: u32, check: wire::Check) -> RegionAnswer {
        let Some(registry) = self.registry.clone() else {
            return refused(Resp::INVREQ, 18, messages::xs::no_registry());
        };
        if let Some(terminal) = check.terminal
            && self.terminals.user_at(terminal).is_some()
        {
            return refused(Resp::INVREQ, 9, "");
        }
        let Ok(_place) = self.waiting.clone().try_acquire_owned() else {
            return refused(Resp::INVREQ, 29, messages::xs::too_many_checks());
        };
        let Ok(_turn) = self.gate.clone().acquire_owned().await else {
            return refused(Resp::INVREQ, 29, "");
        };
        let (terminal, userid, group) = (check.terminal, check.userid.clone(), check.group.clone());
        let (place, now) = (self.terminals.place_of(task), self.kernel.clock.now());
        if let Some(bound) = self.bound
            && self
                .attempts
                .are_too_many(&place, &shown(&userid), bound, now)
        {
            return denial(&Denied::TooManyHere);
        }
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
                self.attempts.right(&place, &shown(&userid));
                self.proved(&user, terminal.map(|terminal| (terminal, task)))
            }
            Err(denied) => {
                self.tell_denied(&denied, &userid, &place);
                if denied == Denied::WrongTooOften {
                    self.withdraw().await;
                }
                denial(&denied)
            }
        }
    }

    /// Counts what was refused, and tells the operator.
    fn tell_denied(&self, denied: &Denied, userid: &str, place: &str) {
        let (shown, now) = (shown(userid), self.kernel.clock.now());
        self.kernel.tell(messages::xs::password_refused(&shown));
        if *denied == Denied::WrongTooOften {
            self.kernel.tell(messages::xs::user_revoked(&shown));
        }
        if let Some(bound) = self.bound
            && matches!(denied, Denied::Wrong | Denied::Unknown)
            && self.attempts.wrong(place, &shown, bound, now)
        {
            let told = messages::xs::too_many_here(&shown, place, bound.time.as_secs());
            self.kernel.tell(told);
        }
    }

    /// A user has proved a secret, at the terminal of a task or anywhere.
    fn proved(&self, user: &User, at: Option<(TermId, u32)>) -> RegionAnswer {
        let userid = UserId::from_field(user.userid.as_bytes());
        if self.authority.learn(user) {
            self.publish();
            if let Err(why) = self.authority.remember() {
                self.kernel.tell(why);
            }
        }
        let minutes = Some(user.timeout_minutes).filter(|minutes| *minutes > 0);
        let idle = minutes.map(|minutes| self.idle_minute * minutes);
        if at.is_some_and(|at| !self.terminals.set_user(at, Some(userid), idle)) {
            return refused(Resp::INVREQ, 10, "");
        }
        RegionAnswer::with_data(facts(user).encode())
    }

    /// What a user may do with a resource, for a worker.
    fn access(&self, question: &wire::Question) -> RegionAnswer {
        let authority = &self.authority;
        let (class, name) = (&question.class, &question.name);
        let access = authority.access(class, name, question.user);
        if question.log && access.unwrap_or_default() < question.wanted {
            authority.refuse(question.user, question.wanted, class, name);
        }
        let answer = wire::Answer {
            access,
            user_known: authority.user(question.user).is_some()
                || question.user == self.kernel.system.default_user,
            class_known: authority.has_class(class),
        };
        RegionAnswer::with_data(answer.encode())
    }

    /// PERFORM SECURITY REBUILD: users who were added or changed count from now on.
    async fn rebuild(&self) -> RegionAnswer {
        let (authority, registry) = (self.authority.clone(), self.registry.clone());
        let read = tokio::task::spawn_blocking(move || authority.load(registry.as_ref()));
        let read = read.await;
        self.publish();
        match read {
            Ok(Ok(())) => RegionAnswer::normal(),
            Ok(Err(text)) => {
                self.kernel.tell(Line::heard(text));
                refused(Resp::INVREQ, 5, "")
            }
            Err(_) => refused(Resp::INVREQ, 5, ""),
        }
    }

    /// Tells the workers which checks are made.
    fn publish(&self) {
        let shared = self.kernel.shared();
        let system = SystemEntry::find(shared);
        let mut system = system.unwrap_or_else(|| self.kernel.system.clone());
        system.security = self.authority.checks();
        if !system.install(shared) {
            self.kernel.tell(messages::sm::shared_full());
        }
    }
}

fn bound(rules: &PasswordRules) -> Option<Bound> {
    let time = rules.lockout.filter(|_| rules.attempts_max > 0)?;
    Some(Bound {
        most: rules.attempts_max,
        time,
    })
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
        opid: user.opid.clone(),
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
        Denied::Revoked | Denied::TooManyHere => refused(Resp::NOTAUTH, 19, ""),
        Denied::NotInGroup => refused(Resp::NOTAUTH, 20, ""),
        Denied::Unavailable(why) => refused(Resp::INVREQ, 29, why.line()),
    }
}

fn refused(resp: Resp, resp2: u32, text: impl Into<String>) -> RegionAnswer {
    RegionAnswer::refused(resp, resp2, text)
}
