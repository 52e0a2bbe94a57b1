//! Keys, users, roles and cross-origin rules.

use crate::problem::Result;
use crate::server::attributes::Attributes;
use crate::xml::Element;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use std::time::Duration;

/// A password. It never shows in logs.
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// Known: written in clear or as `{xor}`.
    Clear(String),
    /// Only to be compared with: `{hash}`.
    Hash(HashedPassword),
}

/// A `{hash}` password of Liberty's securityUtility.
#[derive(Clone, PartialEq, Eq)]
pub struct HashedPassword {
    /// Name of the key derivation; `None` is the product's default of the time
    /// (PBKDF2WithHmacSHA1).
    pub algorithm: Option<String>,
    /// Rounds; `None` is the product's default of the time (6384).
    pub iterations: Option<u32>,
    /// Salt.
    pub salt: Vec<u8>,
    /// Result.
    pub digest: Vec<u8>,
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(*)")
    }
}

impl fmt::Debug for HashedPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HashedPassword(*)")
    }
}

/// Every byte of an `{xor}` password is combined with this one.
const XOR_BYTE: u8 = b'_';

impl Secret {
    /// The clear text, if known.
    pub fn clear(&self) -> Option<&str> {
        match self {
            Secret::Clear(text) => Some(text),
            Secret::Hash(_) => None,
        }
    }

    pub(super) fn parse(a: &Attributes<'_>, text: &str) -> Result<Secret> {
        let lower = text
            .get(..6)
            .map(str::to_ascii_lowercase)
            .unwrap_or_default();
        if lower.starts_with("{xor}") {
            let bytes = STANDARD
                .decode(text[5..].trim())
                .map_err(|_| a.bad("the {xor} password is not base 64"))?;
            let bytes = bytes.into_iter().map(|b| b ^ XOR_BYTE).collect();
            return String::from_utf8(bytes)
                .map(Secret::Clear)
                .map_err(|_| a.bad("the {xor} password is no text"));
        }
        if lower == "{hash}" {
            let bytes = STANDARD
                .decode(text[6..].trim())
                .map_err(|_| a.bad("the {hash} password is not base 64"))?;
            return hashed(&bytes)
                .map(Secret::Hash)
                .ok_or_else(|| a.bad("the {hash} password has an unknown form"));
        }
        if lower.starts_with("{aes}") {
            return Err(a.bad("an {aes} password cannot be read; write it in clear or as {xor}"));
        }
        Ok(Secret::Clear(text.to_owned()))
    }
}

/// A version byte 1, then tagged fields: tag, length or number as four bytes big-endian, data.
fn hashed(bytes: &[u8]) -> Option<HashedPassword> {
    let mut rest = bytes.strip_prefix(&[1])?;
    let mut out = HashedPassword {
        algorithm: None,
        iterations: None,
        salt: Vec::new(),
        digest: Vec::new(),
    };
    while let Some((tag, after)) = rest.split_first() {
        let (number, after) = after.split_first_chunk::<4>()?;
        let number = u32::from_be_bytes(*number);
        rest = after;
        if matches!(tag, 0x20 | 0x50) {
            if *tag == 0x20 {
                out.iterations = Some(number);
            }
            continue;
        }
        let (data, after) = rest.split_at_checked(usize::try_from(number).ok()?)?;
        rest = after;
        match tag {
            0x10 => out.algorithm = Some(String::from_utf8(data.to_vec()).ok()?),
            0x30 => out.salt = data.to_vec(),
            0x40 => out.digest = data.to_vec(),
            _ => return None,
        }
    }
    (!out.salt.is_empty() && !out.digest.is_empty()).then_some(out)
}

/// `keyStore`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStore {
    /// `id`.
    pub id: String,
    /// `location`; absent for the default key store.
    pub location: Option<String>,
    /// `type`.
    pub kind: Option<String>,
    /// `password`.
    pub password: Option<Secret>,
}

impl KeyStore {
    pub(super) fn read(a: &Attributes<'_>) -> Result<KeyStore> {
        a.known(&["updateTrigger", "pollingRate", "readOnly", "fileBased"]);
        Ok(KeyStore {
            id: a.id(),
            location: a.text("location"),
            kind: a.text("type"),
            password: a
                .text("password")
                .map(|p| Secret::parse(a, &p))
                .transpose()?,
        })
    }
}

/// `ssl`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ssl {
    /// `id`.
    pub id: String,
    /// `keyStoreRef`.
    pub key_store_ref: Option<String>,
    /// `trustStoreRef`.
    pub trust_store_ref: Option<String>,
    /// `sslProtocol`.
    pub protocol: Option<String>,
    /// `clientAuthentication`: a client certificate is needed.
    pub client_authentication: bool,
    /// `clientAuthenticationSupported`: a client certificate is looked at when there is one.
    pub client_authentication_supported: bool,
}

impl Ssl {
    pub(super) fn read(a: &Attributes<'_>) -> Result<Ssl> {
        Ok(Ssl {
            id: a.id(),
            key_store_ref: a.text("keyStoreRef"),
            trust_store_ref: a.text("trustStoreRef"),
            protocol: a.text("sslProtocol"),
            client_authentication: a.flag("clientAuthentication")?.unwrap_or(false),
            client_authentication_supported: a
                .flag("clientAuthenticationSupported")?
                .unwrap_or(false),
        })
    }
}

/// `basicRegistry`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasicRegistry {
    /// `id`.
    pub id: String,
    /// `realm`.
    pub realm: String,
    /// Users.
    pub users: Vec<User>,
    /// Groups.
    pub groups: Vec<Group>,
}

/// `user` of a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// `name`.
    pub name: String,
    /// `password`.
    pub password: Secret,
}

/// `group` of a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// `name`.
    pub name: String,
    /// `member name`.
    pub members: Vec<String>,
}

impl BasicRegistry {
    pub(super) fn read(a: &Attributes<'_>, element: &Element) -> Result<BasicRegistry> {
        a.known(&["ignoreCaseForAuthentication"]);
        let mut registry = BasicRegistry {
            id: a.id(),
            realm: a.text_or("realm", "BasicRegistry"),
            users: Vec::new(),
            groups: Vec::new(),
        };
        for child in &element.children {
            let inner = a.of(child);
            match child.name.as_str() {
                "user" => {
                    let password = Secret::parse(&inner, &inner.text_or("password", ""))?;
                    registry.users.push(User {
                        name: inner.need("name")?,
                        password,
                    });
                }
                "group" => {
                    let members = child
                        .all("member")
                        .filter_map(|m| m.attr("name"))
                        .map(|n| inner.expand(n))
                        .collect();
                    registry.groups.push(Group {
                        name: inner.need("name")?,
                        members,
                    });
                }
                _ => {}
            }
            a.absorb(inner);
        }
        Ok(registry)
    }
}

/// `security-role` of `authorization-roles`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// `name`, such as `zosConnectAccess`.
    pub name: String,
    /// Users who have it.
    pub users: Vec<String>,
    /// Groups who have it.
    pub groups: Vec<String>,
    /// `special-subject type`, such as ALL_AUTHENTICATED_USERS or EVERYONE.
    pub special_subjects: Vec<String>,
}

impl Role {
    pub(super) fn read_all(a: &Attributes<'_>, element: &Element) -> Result<Vec<Role>> {
        let mut roles = Vec::new();
        for child in element.all("security-role") {
            let inner = a.of(child);
            let names = |kind: &str, attribute: &str| -> Vec<String> {
                child
                    .children
                    .iter()
                    .filter(|c| c.name == kind)
                    .filter_map(|c| c.attr(attribute))
                    .map(|n| inner.expand(n))
                    .collect()
            };
            let (users, groups) = (names("user", "name"), names("group", "name"));
            roles.push(Role {
                users,
                groups,
                special_subjects: names("special-subject", "type"),
                name: inner.need("name")?,
            });
            a.absorb(inner);
        }
        Ok(roles)
    }
}

/// `webAppSecurity`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WebSecurity {
    /// `allowFailOverToBasicAuth`.
    pub fail_over_to_basic_auth: bool,
}

impl WebSecurity {
    pub(super) fn read(a: &Attributes<'_>) -> Result<WebSecurity> {
        Ok(WebSecurity {
            fail_over_to_basic_auth: a.flag("allowFailOverToBasicAuth")?.unwrap_or(false),
        })
    }
}

/// `cors`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cors {
    /// `domain`: first part of the paths it is for.
    pub domain: String,
    /// `allowedOrigins`; `*` is every one.
    pub allowed_origins: Vec<String>,
    /// `allowedMethods`.
    pub allowed_methods: Vec<String>,
    /// `allowedHeaders`.
    pub allowed_headers: Vec<String>,
    /// `exposeHeaders`.
    pub expose_headers: Vec<String>,
    /// `allowCredentials`.
    pub allow_credentials: bool,
    /// `maxAge` in seconds.
    pub max_age: Option<Duration>,
}

impl Cors {
    pub(super) fn read(a: &Attributes<'_>) -> Result<Cors> {
        Ok(Cors {
            domain: a.text_or("domain", "/"),
            allowed_origins: a.list("allowedOrigins"),
            allowed_methods: a.list("allowedMethods"),
            allowed_headers: a.list("allowedHeaders"),
            expose_headers: a.list("exposeHeaders"),
            allow_credentials: a.flag("allowCredentials")?.unwrap_or(false),
            max_age: a
                .number::<u32>("maxAge")?
                .map(|s| Duration::from_secs(s.into())),
        })
    }
}
