//! What users may do: the rules, the users the region knows, whether checks are made at all.
//!
//! What: answers for the attach of a transaction and for what workers ask (QUERY SECURITY, RESSEC,
//! CMDSEC). The operator is told what is refused. Users are learned at the start, at sign-on and by
//! PERFORM SECURITY REBUILD. Not here: the rules themselves (`rules`), passwords.

use crate::config::{SecurityMode, UserConfig};
use crate::memory::Memory;
use crate::rules::{Rules, Subject, is_supplied_group};
use crate::user::{User, UserRegistry};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use transom_messages::{self as messages, Message, Operator};
use transom_types::{ClientCertificate, ProgramName, TransId, UserId};
use transom_wire::definitions::{Checks, TransactionEntry};
use transom_wire::security::Access;

/// Most users remembered from sign-ons to a registry that does not list them.
const USERS_MAX: usize = 100_000;

/// Rules and users.
pub struct Authority {
    live: RwLock<Live>,
    memory: Memory,
    /// DFLTUSER, who cannot be revoked: nobody could sign on any more.
    default_user: UserId,
    operator: Operator,
}

struct Live {
    mode: SecurityMode,
    checks: Checks,
    rules: Rules,
    users: HashMap<UserId, Arc<User>>,
    /// Groups of those users.
    groups: HashSet<String>,
}

impl Live {
    fn set_users(&mut self, users: Vec<User>, default_user: UserId) {
        self.users = users.into_iter().map(|u| known(u, default_user)).collect();
        let groups = self.users.values().flat_map(|user| &user.groups);
        self.groups = groups.cloned().collect();
    }

    /// The name is that of a group: whoever has it as a user is not meant by it.
    fn names_a_group(&self, name: &str) -> bool {
        is_supplied_group(name) || self.groups.contains(name)
    }
}

impl Authority {
    /// The rules of the configuration; users are read by [`Authority::load`].
    pub fn new(config: &UserConfig, default_user: UserId, operator: Operator) -> Self {
        let live = Live {
            mode: config.security,
            rules: config.rules.clone(),
            checks: Checks {
                on: config.security == SecurityMode::Yes,
                commands_always: config.commands_always,
                resources_always: config.resources_always,
            },
            users: HashMap::new(),
            groups: HashSet::new(),
        };
        Self {
            live: RwLock::new(live),
            memory: Memory::new(config.memory.as_deref()),
            default_user,
            operator,
        }
    }

    /// Reads the users anew. Checks that are made go on being made, whatever became of the users.
    ///
    /// # Errors
    /// The registry cannot be read: the users known so far stay, and checks are made. Or there are
    /// none although there have been some, or that cannot be remembered.
    pub fn load(&self, registry: Option<&Arc<dyn UserRegistry>>) -> Result<(), Message> {
        let listed = registry.map(|registry| registry.users());
        let had = self.memory.had_users();
        let mut live = self.write();
        let (some, mut told) = match listed {
            None => (false, Ok(())),
            Some(Ok(None)) => (true, Ok(())),
            Some(Ok(Some(users))) => {
                live.set_users(users, self.default_user);
                let odd = live.users.keys().find(|u| live.names_a_group(u.as_str()));
                let told = odd.map_or(Ok(()), |u| Err(messages::xs::user_named_as_group(u)));
                (!live.users.is_empty(), told)
            }
            Some(Err(why)) => (true, Err(why)),
        };
        if live.mode == SecurityMode::Auto {
            live.checks.on |= some || had;
            if had && !some && registry.is_some() {
                told = Err(messages::xs::users_are_gone());
            }
        }
        if some
            && live.mode != SecurityMode::No
            && let Err(why) = self.remember()
        {
            told = Err(why);
        }
        told
    }

    /// Takes other rules, and reads the users anew; answers what is odd about them. Tasks that run
    /// keep what they were told already.
    ///
    /// # Errors
    /// The registry cannot be read: nothing has changed.
    pub fn renew(
        &self,
        rules: Rules,
        registry: Option<&Arc<dyn UserRegistry>>,
    ) -> Result<Option<Message>, Message> {
        if let Some(registry) = registry {
            registry.users()?;
        }
        self.write().rules = rules;
        Ok(self.load(registry).err())
    }

    /// Remembers a user who proved a password. `true`: from now on checks are made.
    pub fn learn(&self, user: &User) -> bool {
        let mut live = self.write();
        let (name, user) = known(user.clone(), self.default_user);
        if live.users.len() < USERS_MAX || live.users.contains_key(&name) {
            live.groups.extend(user.groups.iter().cloned());
            live.users.insert(name, user);
        }
        let begin = live.mode == SecurityMode::Auto && !live.checks.on;
        live.checks.on |= begin;
        begin
    }

    /// Remembers that there are users.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn remember(&self) -> Result<(), Message> {
        self.memory.remember().map_err(messages::xs::not_remembered)
    }

    /// Takes over who is revoked or gone, and who is not any more, and their certificates; answers
    /// who has just become revoked. All else of a user counts from the next sign-on.
    pub fn withdraw(&self, listed: &[User]) -> Vec<UserId> {
        let now: HashMap<UserId, &User> = listed
            .iter()
            .map(|user| (UserId::from_field(user.userid.as_bytes()), user))
            .collect();
        let mut gone = Vec::new();
        for (name, user) in &mut self.write().users {
            let listed = now.get(name);
            let certificates = listed.map_or(&[][..], |user| &user.certificates);
            if certificates != user.certificates {
                Arc::make_mut(user).certificates = certificates.to_vec();
            }
            let revoked = listed.is_none_or(|user| user.revoked) && *name != self.default_user;
            if revoked == user.revoked {
                continue;
            }
            if revoked {
                gone.push(*name);
            }
            Arc::make_mut(user).revoked = revoked;
        }
        gone
    }

    /// Which checks are made.
    pub fn checks(&self) -> Checks {
        self.read().checks
    }

    /// A user the region knows.
    pub fn user(&self, name: UserId) -> Option<Arc<User>> {
        self.read().users.get(&name).cloned()
    }

    /// Whose certificate this is.
    ///
    /// # Errors
    /// That of nobody, of a user who is revoked, or of several.
    pub fn certified(&self, shown: &ClientCertificate, peer: &str) -> Result<UserId, Message> {
        let (subject, print) = (&shown.subject, shown.fingerprint());
        let live = self.read();
        let has = |user: &User| user.certificates.iter().any(|c| shown.is_meant_by(c));
        let mut owners = live.users.iter().filter(|(_, user)| has(user));
        match (owners.next(), owners.next()) {
            (None, _) => Err(messages::xs::certificate_of_nobody(peer, subject, print)),
            (Some(_), Some(_)) => Err(messages::xs::certificate_of_many(peer, subject, print)),
            (Some((name, user)), None) if user.revoked => {
                Err(messages::xs::certificate_of_revoked(peer, name))
            }
            (Some((name, _)), None) => Ok(*name),
        }
    }

    /// What a user may do; `None`: no rule covers the name.
    pub fn access(&self, class: &str, name: &str, user: UserId) -> Option<Access> {
        self.ask(user, |rules, who| rules.access(class, name, who))
    }

    /// What a user may do by the rules alone.
    fn written(&self, class: &str, name: &str, user: UserId) -> Option<Access> {
        self.ask(user, |rules, who| rules.written(class, name, who))
    }

    fn read(&self) -> RwLockReadGuard<'_, Live> {
        self.live.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Live> {
        self.live.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(
        &self,
        user: UserId,
        rule: impl FnOnce(&Rules, &Subject<'_>) -> Option<Access>,
    ) -> Option<Access> {
        let live = self.read();
        if !live.checks.on {
            return Some(Access::Alter);
        }
        let known = live.users.get(&user);
        if known.is_some_and(|known| known.revoked) {
            return Some(Access::None);
        }
        let subject = Subject {
            user: user.as_str(),
            groups: known.map_or(&[][..], |user| &user.groups),
            is_group: &|name| live.names_a_group(name),
        };
        rule(&live.rules, &subject)
    }

    /// Somebody wrote a rule for the class.
    pub fn has_class(&self, class: &str) -> bool {
        self.read().rules.has_class(class)
    }
}

fn known(mut user: User, default_user: UserId) -> (UserId, Arc<User>) {
    user.groups
        .iter_mut()
        .for_each(|g| g.make_ascii_uppercase());
    let name = UserId::from_field(user.userid.as_bytes());
    user.revoked &= name != default_user;
    (name, Arc::new(user))
}

impl Authority {
    /// The user may attach the transaction; `Err`: why not, one sentence that was also logged.
    pub fn may_attach(&self, transid: TransId, user: UserId) -> Result<(), Message> {
        let access = self.access("TRANSACTION", transid.as_str(), user);
        self.attached(transid, user, access)
    }

    /// The user may have the program run by a LINK from outside under the transaction; `Err`: RESP2
    /// and why not, one sentence that was also logged. The program is asked for as by EXEC CICS
    /// LINK, where RESSEC says so.
    pub fn may_link(
        &self,
        transaction: &TransactionEntry,
        program: ProgramName,
        user: UserId,
    ) -> Result<(), (u32, Message)> {
        let transid = transaction.transid;
        let access = self.written("TRANSACTION", transid.as_str(), user);
        self.attached(transid, user, access)
            .map_err(|text| (0, text))?;
        match transaction.ressec || self.checks().resources_always {
            true => self
                .may_read(user, "PROGRAM", program.as_str())
                .map_err(|text| (101, text)),
            false => Ok(()),
        }
    }

    /// A user may see the screen of another; `None` is DFLTUSER.
    pub fn may_see(&self, user: Option<UserId>, other: Option<UserId>) -> bool {
        let known = |user: Option<UserId>| user.unwrap_or(self.default_user);
        let (user, other) = (known(user), known(other));
        if user == other {
            return true;
        }
        self.may_read(user, "SURROGATE", &format!("{other}.DFHCOPY"))
            .is_ok()
    }

    /// A user may read what has this name in a class; the operator is told of a refusal.
    pub fn may(&self, user: UserId, (class, name): (&str, &str), told: bool) -> bool {
        let may = self.access(class, name, user).unwrap_or_default() >= Access::Read;
        if !may && told {
            self.refuse(user, Access::Read, class, name);
        }
        may
    }

    /// Operator priority of a user.
    pub fn priority(&self, user: UserId) -> u8 {
        let known = self.user(user);
        known.map_or(0, |user| user.priority)
    }

    /// Logs that a user may not do something with a resource; answers the sentence.
    pub fn refuse(&self, user: UserId, wanted: Access, class: &str, name: &str) -> Message {
        let text = messages::xs::may_not_access(user, format_args!("{wanted:?}"), class, name);
        self.operator.tell(text.clone());
        text
    }

    /// Tells the operator.
    pub(crate) fn tell(&self, message: Message) {
        self.operator.tell(message);
    }

    fn may_read(&self, user: UserId, class: &str, name: &str) -> Result<(), Message> {
        let access = self.access(class, name, user);
        match access.unwrap_or_default() >= Access::Read {
            true => Ok(()),
            false => Err(self.refuse(user, Access::Read, class, name)),
        }
    }

    fn attached(
        &self,
        transid: TransId,
        user: UserId,
        access: Option<Access>,
    ) -> Result<(), Message> {
        if access.unwrap_or_default() >= Access::Read {
            return Ok(());
        }
        let text = messages::xs::may_not_use_transaction(user, transid);
        self.operator.tell(text.clone());
        Err(text)
    }
}
