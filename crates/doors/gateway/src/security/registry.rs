//! The basic user registry: names, hashed passwords, groups, role.

use argon2::password_hash::rand_core::OsRng;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;
use transom_types::UserId;

/// Argon2id memory in KiB, passes and lanes: OWASP's 7 MiB setting.
const ARGON2: (u32, u32, u32) = (7 * 1024, 5, 1);

/// Users and roles as configured.
#[derive(Clone, Default)]
pub struct RegistryConfig {
    /// `realm` of the registry, shown in the logon prompt.
    pub realm: String,
    /// Users.
    pub users: Vec<UserConfig>,
    /// Group name and its members.
    pub groups: Vec<(String, Vec<String>)>,
    /// Users with the role `zosConnectAccess`.
    pub access_users: BTreeSet<String>,
    /// Groups with that role.
    pub access_groups: BTreeSet<String>,
    /// Every authenticated user has that role.
    pub access_all: bool,
}

/// A user. The password is forgotten once it is hashed and never printed.
#[derive(Clone)]
pub struct UserConfig {
    /// Name as typed at logon.
    pub name: String,
    /// Password in clear or as `{xor}...`.
    pub password: String,
}

/// Somebody who has proved who he is.
#[derive(Debug)]
pub(crate) struct Principal {
    pub(crate) name: String,
    /// The name as a region takes it, when it is short enough to be one.
    pub(crate) userid: Option<UserId>,
    pub(crate) groups: BTreeSet<String>,
    pub(crate) access: bool,
}

/// The registry in use.
pub(crate) struct Users {
    pub(crate) realm: String,
    by_name: HashMap<String, (String, Arc<Principal>)>,
    /// Verified when the user is unknown, so that both cases take as long.
    nobody: String,
}

/// Why nobody could log on.
#[derive(Debug)]
pub(crate) enum RegistryError {
    /// The password of this user is in an encoding with a key.
    Encoding(String),
    /// Two users whom a region cannot tell apart.
    SameUser(String, String),
    /// The parameters of the hash.
    Parameters,
    Hash(argon2::password_hash::Error),
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(user) => write!(
                f,
                "the password of user {user} cannot be read: only clear text and {{xor}} are supported"
            ),
            Self::SameUser(one, other) => write!(
                f,
                "users {one} and {other} are the same user of a region, which knows no lower case"
            ),
            Self::Parameters => f.write_str("the password hash has wrong parameters"),
            Self::Hash(error) => error.fmt(f),
        }
    }
}

impl Users {
    /// Hashes every password; takes some 10 ms each.
    ///
    /// # Errors
    /// A password in an encoding that cannot be read; the user is named, the password is not.
    pub(crate) fn load(config: &RegistryConfig) -> Result<Self, RegistryError> {
        let mut by_name = HashMap::new();
        let mut of_region: HashMap<UserId, &str> = HashMap::new();
        for user in &config.users {
            let password = clear_text(&user.password)
                .ok_or_else(|| RegistryError::Encoding(user.name.clone()))?;
            let groups: BTreeSet<String> = config
                .groups
                .iter()
                .filter(|(_, members)| members.contains(&user.name))
                .map(|(group, _)| group.clone())
                .collect();
            let access = config.access_all
                || config.access_users.contains(&user.name)
                || groups.iter().any(|g| config.access_groups.contains(g));
            let userid = UserId::new(&user.name.to_ascii_uppercase()).ok();
            let known = userid.and_then(|userid| of_region.insert(userid, &user.name));
            if let Some(other) = known.filter(|other| *other != user.name) {
                return Err(RegistryError::SameUser(other.to_owned(), user.name.clone()));
            }
            let principal = Principal {
                name: user.name.clone(),
                userid,
                groups,
                access,
            };
            by_name.insert(user.name.clone(), (hash(&password)?, Arc::new(principal)));
        }
        let realm = if config.realm.is_empty() {
            "zosConnect"
        } else {
            &config.realm
        };
        let nobody = if by_name.is_empty() {
            String::new()
        } else {
            hash("nobody")?
        };
        Ok(Self {
            realm: realm.to_owned(),
            by_name,
            nobody,
        })
    }

    /// A user who has proved in another way who he is.
    pub(crate) fn named(&self, name: &str) -> Option<Arc<Principal>> {
        self.by_name
            .get(name)
            .map(|(_, principal)| principal.clone())
    }

    /// Compares in constant time; slow on purpose.
    pub(crate) fn verify(&self, name: &str, password: &str) -> Option<Arc<Principal>> {
        let (hash, principal) = match self.by_name.get(name) {
            Some((hash, principal)) => (hash, Some(principal)),
            None => (&self.nobody, None),
        };
        let parsed = PasswordHash::new(hash).ok()?;
        hasher()?
            .verify_password(password.as_bytes(), &parsed)
            .ok()?;
        principal.cloned()
    }
}

fn hasher() -> Option<Argon2<'static>> {
    let (memory, passes, lanes) = ARGON2;
    let params = Params::new(memory, passes, lanes, None).ok()?;
    Some(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn hash(password: &str) -> Result<String, RegistryError> {
    let salt = SaltString::generate(&mut OsRng);
    let hasher = hasher().ok_or(RegistryError::Parameters)?;
    hasher
        .hash_password(password.as_bytes(), &salt)
        .map(|h| h.to_string())
        .map_err(RegistryError::Hash)
}

/// The password behind Liberty's encodings; `None` for those with a key.
fn clear_text(password: &str) -> Option<String> {
    use base64::Engine as _;
    if let Some(xored) = password.strip_prefix("{xor}") {
        let bytes = base64::engine::general_purpose::STANDARD
            .decode(xored)
            .ok()?;
        return String::from_utf8(bytes.into_iter().map(|b| b ^ b'_').collect()).ok();
    }
    if password.starts_with("{aes}") || password.starts_with("{hash}") {
        return None;
    }
    Some(password.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_encodings_of_liberty() {
        assert_eq!(clear_text("{xor}LDo8LTor").as_deref(), Some("secret"));
        assert_eq!(clear_text("SYS1").as_deref(), Some("SYS1"));
        assert_eq!(clear_text("{aes}AbC"), None);
    }
}
