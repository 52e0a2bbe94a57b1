//! Users, passwords and who is signed on.
//!
//! What: answers SIGNON, VERIFY and the other security commands; signs users on and off at
//! terminals. Not here: the registry of users, checks of passwords, who may do what
//! (`region/security`).

mod sign_on;

use super::kernel::Kernel;
use super::replier::Replier;
use super::terminal::Terminals;
use std::sync::Arc;
use std::time::Duration;
use transom_messages::{self as messages, Line, Message, Operator};
use transom_region_dispatcher::Clock;
use transom_security::{Authority, Denied, Passwords, Rules};
use transom_security::{User, UserConfig, UserFile, UserRegistry};
use transom_types::{Resp, TermId, UserId};
use transom_wire::definitions::SystemEntry;
use transom_wire::requests::RegionAnswer;
use transom_wire::security::{self as wire, Facts};

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
    passwords: Passwords,
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
        let operator = kernel.operator.clone();
        Self {
            kernel,
            terminals,
            authority: opened.authority,
            passwords: Passwords::new(opened.registry.clone(), &config.passwords, operator),
            registry: opened.registry,
            idle_minute: config.idle_minute,
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
        if self.registry.is_none() {
            return refused(Resp::INVREQ, 18, messages::xs::no_registry());
        }
        if let Some(terminal) = check.terminal
            && self.terminals.user_at(terminal).is_some()
        {
            return refused(Resp::INVREQ, 9, "");
        }
        let (terminal, place) = (check.terminal, self.terminals.place_of(task));
        match self.prove(&place, check).await {
            Ok(Ok(user)) => self.proved(&user, terminal.map(|terminal| (terminal, task))),
            Ok(Err(denied)) => denial(&denied),
            Err(why) => refused(Resp::INVREQ, 29, why),
        }
    }

    /// Checks a secret; a user who is revoked by it is signed off.
    async fn prove(
        &self,
        place: &str,
        check: wire::Check,
    ) -> Result<Result<User, Denied>, Message> {
        let now = self.kernel.clock.now();
        let proved = self.passwords.prove(place, check, now).await?;
        if proved == Err(Denied::WrongTooOften) {
            self.withdraw().await;
        }
        Ok(proved)
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

    /// Rules and users as they are now; answers what is odd about them.
    pub(crate) async fn renew(&self, rules: Rules) -> Result<Option<Message>, Message> {
        let (authority, registry) = (self.authority.clone(), self.registry.clone());
        let read = tokio::task::spawn_blocking(move || authority.renew(rules, registry.as_ref()));
        let read = read.await.unwrap_or(Ok(None));
        self.publish();
        self.withdraw().await;
        read
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
