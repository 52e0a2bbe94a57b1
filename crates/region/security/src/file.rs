//! Users in a TOML file, with argon2id hashes.
//!
//! What: [`UserFile`]: who is let in, what is counted and remembered, and changes of users; the
//! file is read again whenever it changed. Not here: reading and replacing the file (`rows`),
//! hashes (`hash`), the command line.

mod hash;
mod rows;

use crate::clock::{self, TimeOfDay};
use crate::rules::is_supplied_group;
use crate::user::{Denied, PasswordRules, User, UserRegistry, userid};
use hash::{hashed, matches};
use rows::{Row, Rows, load};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use transom_messages::{self as messages, Message};
use transom_types::ClientCertificate;
use transom_wire::secret::Secret;

/// What the file said when it was read, and what is only remembered.
#[derive(Default)]
struct Known {
    read_at: Option<(SystemTime, u64)>,
    rows: Rows,
    attempts: HashMap<String, u32>,
    /// Users whose revocation the file did not take.
    unwritten: HashSet<String>,
    last_use: HashMap<String, u64>,
}

/// The file of users.
pub struct UserFile {
    path: PathBuf,
    rules: PasswordRules,
    known: Mutex<Known>,
    time: TimeOfDay,
}

impl UserFile {
    /// The file need not exist yet.
    pub fn new(path: &Path, rules: PasswordRules) -> Self {
        Self {
            path: path.to_owned(),
            rules,
            known: Mutex::default(),
            time: clock::of_system(),
        }
    }

    /// The same with another clock: passwords age by it.
    pub fn with_clock(self, time: TimeOfDay) -> Self {
        Self { time, ..self }
    }

    /// All users, and whether each is revoked.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn list(&self) -> Result<Vec<(User, bool)>, Message> {
        let rows = self.read()?;
        Ok(rows
            .user
            .iter()
            .map(|row| (row.user(), row.revoked))
            .collect())
    }

    /// Adds a user or replaces one.
    ///
    /// # Errors
    /// A bad user identifier, a secret that is not acceptable, a file that cannot be written.
    pub fn put(&self, user: &User, secret: &Secret, must_change: bool) -> Result<(), Message> {
        let userid = userid(&user.userid)
            .ok_or_else(|| messages::xs::not_a_userid(format_args!("{:?}", user.userid)))?;
        let hash = self.hashed(secret)?;
        let now = self.now();
        rows::change(&self.path, |rows| {
            names_apart(&userid, &user.groups, rows)?;
            let old = rows.iter().position(|row| row.userid == userid);
            let mut row = old.map(|at| rows.remove(at)).unwrap_or_default();
            row.userid.clone_from(&userid);
            row.name.clone_from(&user.name);
            row.groups.clone_from(&user.groups);
            row.opclass.clone_from(&user.opclass);
            row.opid.clone_from(&user.opid);
            row.priority = user.priority;
            row.timeout = user.timeout_minutes;
            row.language.clone_from(&user.language);
            set_hash(&mut row, secret, hash, must_change, now);
            row.revoked = false;
            rows.push(row);
            rows.sort_by(|a, b| a.userid.cmp(&b.userid));
            Ok(())
        })
    }

    /// Gives an existing user another password or phrase and ends a revocation.
    ///
    /// # Errors
    /// As for [`Self::put`], and a user that does not exist.
    pub fn reset(&self, name: &str, secret: &Secret, must_change: bool) -> Result<(), Message> {
        let now = self.now();
        let hash = self.hashed(secret)?;
        self.change_row(name, |row| {
            set_hash(row, secret, hash, must_change, now);
            row.revoked = false;
        })
    }

    /// Revokes a user, or ends a revocation.
    ///
    /// # Errors
    /// The user does not exist, or the file cannot be written.
    pub fn set_revoked(&self, name: &str, revoked: bool) -> Result<(), Message> {
        self.change_row(name, |row| row.revoked = revoked)
    }

    /// Gives a user a certificate, or takes it away.
    ///
    /// # Errors
    /// The text names none, it is that of another user, the user does not exist, or the file cannot
    /// be written.
    pub fn set_certificate(&self, name: &str, text: &str, remove: bool) -> Result<(), Message> {
        let text = text.trim();
        if !ClientCertificate::is_entry(text) {
            return Err(messages::xs::not_a_certificate(text));
        }
        let wanted = userid(name).unwrap_or_default();
        rows::change(&self.path, |rows| {
            let has = |row: &Row| row.certificates.iter().any(|c| c == text);
            let other = rows.iter().find(|row| row.userid != wanted && has(row));
            if let Some(other) = other.filter(|_| !remove) {
                return Err(messages::xs::certificate_in_use(text, &other.userid));
            }
            let row = rows.iter_mut().find(|row| row.userid == wanted);
            let row = row.ok_or_else(|| messages::xs::no_such_user(name))?;
            row.certificates.retain(|c| c != text);
            if !remove {
                row.certificates.push(text.to_owned());
            }
            Ok(())
        })
    }

    /// Removes a user.
    ///
    /// # Errors
    /// The user does not exist, or the file cannot be written.
    pub fn delete(&self, name: &str) -> Result<(), Message> {
        let wanted = userid(name).unwrap_or_default();
        rows::change(&self.path, |rows| {
            let before = rows.len();
            rows.retain(|row| row.userid != wanted);
            match rows.len() == before {
                true => Err(messages::xs::no_such_user(name)),
                false => Ok(()),
            }
        })
    }

    fn change_row(&self, name: &str, change: impl FnOnce(&mut Row)) -> Result<(), Message> {
        let wanted = userid(name).unwrap_or_default();
        rows::change(&self.path, |rows| {
            match rows.iter_mut().find(|row| row.userid == wanted) {
                Some(row) => {
                    change(row);
                    Ok(())
                }
                None => Err(messages::xs::no_such_user(name)),
            }
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The rows; the file is parsed again when its time or size changed.
    fn read(&self) -> Result<Rows, Message> {
        let stamp = self.version();
        let mut known = self.known();
        if stamp.is_none() && known.read_at.is_some() && !self.path.exists() {
            return Err(messages::xs::registry_gone(self.path.display()));
        }
        if known.read_at != stamp || stamp.is_none() {
            known.rows = load(&self.path)?;
            known.read_at = stamp;
        }
        Ok(known.rows.clone())
    }

    /// Counts a wrong attempt; the one too many revokes the user.
    fn wrong(&self, userid: &str) -> Denied {
        let attempts = {
            let mut known = self.known();
            let attempts = known.attempts.entry(userid.to_owned()).or_insert(0);
            *attempts = attempts.saturating_add(1);
            *attempts
        };
        let most = self.rules.attempts_max;
        if most == 0 || attempts < most || self.rules.lockout.is_some() {
            return Denied::Wrong;
        }
        self.revoke(userid);
        Denied::WrongTooOften
    }

    /// Revokes a user; where the file cannot be written, until the region ends.
    fn revoke(&self, userid: &str) {
        let written = self.change_row(userid, |row| row.revoked = true).is_ok();
        let mut known = self.known();
        match written {
            true => known.unwritten.remove(userid),
            false => known.unwritten.insert(userid.to_owned()),
        };
    }

    /// The hash of a secret somebody may have.
    fn hashed(&self, secret: &Secret) -> Result<String, Message> {
        let least = self.rules.chars_min;
        if !secret.is_phrase() && secret.bytes().len() < least {
            return Err(messages::xs::password_too_short(least));
        }
        hashed(secret)
    }

    /// When a secret of that time must be changed; 0: never.
    fn expires(&self, changed: u64) -> u64 {
        match self.rules.days {
            0 => 0,
            days => changed + u64::from(days) * 86_400,
        }
    }

    fn expired(&self, row: &Row) -> bool {
        self.rules.days > 0 && self.now() >= self.expires(row.changed)
    }

    /// Seconds since 1970.
    fn now(&self) -> u64 {
        let since_1970 = (self.time)().duration_since(UNIX_EPOCH);
        since_1970.unwrap_or_default().as_secs()
    }

    /// A user who proved a password; `changed`: when it was replaced just now.
    fn let_in(&self, row: &Row, userid: String, changed: Option<u64>) -> User {
        let mut user = row.user();
        user.changed = changed.unwrap_or(user.changed);
        user.expires = self.expires(user.changed);
        let mut known = self.known();
        user.wrong_attempts = known.attempts.remove(&userid).unwrap_or(0);
        user.last_use = known.last_use.insert(userid, self.now()).unwrap_or(0);
        user
    }

    fn has_too_many(&self, userid: &str) -> bool {
        let known = self.known();
        let attempts = known.attempts.get(userid).copied().unwrap_or(0);
        let counts = self.rules.attempts_max > 0 && self.rules.lockout.is_none();
        counts && attempts >= self.rules.attempts_max
    }
}

impl UserRegistry for UserFile {
    fn verify(&self, name: &str, secret: &Secret, new: Option<&Secret>) -> Result<User, Denied> {
        let rows = self.read().map_err(Denied::Unavailable)?;
        let wanted = userid(name).unwrap_or_default();
        let row = rows.user.iter().find(|row| row.userid == wanted);
        let hash = row.map_or("", |row| {
            if secret.is_phrase() {
                &row.phrase
            } else {
                &row.password
            }
        });
        let right = matches(hash, secret);
        let mut changed = None;
        let Some(row) = row else {
            return Err(Denied::Unknown);
        };
        // Who does not know the password does not learn that there is such a user.
        if row.revoked {
            return Err(if right {
                Denied::Revoked
            } else {
                Denied::Wrong
            });
        }
        // Somebody took the revocation away: the count begins again. One that could not be written
        // is tried again.
        if self.has_too_many(&wanted) {
            let mut known = self.known();
            if known.unwritten.contains(&wanted) {
                drop(known);
                self.revoke(&wanted);
                return Err(Denied::Revoked);
            }
            known.attempts.remove(&wanted);
        }
        if secret.is_empty() {
            return Err(Denied::NoSecret);
        }
        if !right {
            return Err(self.wrong(&wanted));
        }
        match new {
            None if row.must_change || self.expired(row) => return Err(Denied::MustChange),
            Some(new) if new == secret || new.is_phrase() != secret.is_phrase() => {
                return Err(Denied::NewNotAcceptable);
            }
            Some(new) => {
                let hash = self.hashed(new).map_err(|_| Denied::NewNotAcceptable)?;
                let now = self.now();
                self.change_row(&wanted, |row| set_hash(row, new, hash, false, now))
                    .map_err(Denied::Unavailable)?;
                changed = Some(now);
            }
            None => {}
        }
        Ok(self.let_in(row, wanted, changed))
    }

    fn users(&self) -> Result<Option<Vec<User>>, Message> {
        let rows = self.read()?;
        Ok(Some(rows.user.iter().map(Row::user).collect()))
    }

    fn version(&self) -> Option<(SystemTime, u64)> {
        let meta = fs::metadata(&self.path).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    }
}

/// Users and groups share their names: a rule must not mean both.
fn names_apart(userid: &str, groups: &[String], rows: &[Row]) -> Result<(), Message> {
    let same = |group: &String| group.eq_ignore_ascii_case(userid);
    let used = |row: &Row| row.groups.iter().any(same);
    if is_supplied_group(userid) || groups.iter().any(same) || rows.iter().any(used) {
        return Err(messages::xs::name_of_a_group(userid));
    }
    let others = groups.iter().find(|group| {
        let is_user = |row: &Row| row.userid.eq_ignore_ascii_case(group);
        rows.iter().any(is_user)
    });
    others.map_or(Ok(()), |group| Err(messages::xs::name_of_a_user(group)))
}

fn set_hash(row: &mut Row, secret: &Secret, hash: String, must_change: bool, now: u64) {
    match secret.is_phrase() {
        true => row.phrase = hash,
        false => row.password = hash,
    }
    row.changed = now;
    row.must_change = must_change;
}

#[cfg(test)]
mod tests;
