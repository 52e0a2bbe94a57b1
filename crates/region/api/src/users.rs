//! Users of a region, for doors whose clients bring a password with each request.

use crate::programs::Reply;
use std::net::IpAddr;
use transom_types::UserId;

/// Who somebody is, and what they may do.
pub trait Users: Send + Sync {
    /// Authority is checked: clients must say who they are.
    fn checks(&self) -> bool;

    /// Who asks where authority is not checked.
    fn default_user(&self) -> UserId;

    /// Checks a password; wrong ones are counted by the place they come from.
    fn sign_on(&self, claim: Claim) -> Reply<Result<UserId, Denial>>;

    /// Changes when users change: what was proved before must be proved again.
    fn generation(&self) -> u64;

    /// A user may read what has this name in a class of resources. What no rule covers nobody may.
    /// The operator is told of a refusal where `told`.
    fn may(&self, user: UserId, resource: (&str, &str), told: bool) -> bool;
}

/// Somebody says who they are.
#[derive(Clone)]
pub struct Claim {
    /// User identifier as it was given.
    pub user: String,
    /// Password or phrase.
    pub secret: String,
    /// Where from.
    pub from: IpAddr,
}

/// Why somebody is not believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denial {
    /// No such user, or the password is wrong; which of both is not said.
    Wrong,
    /// It is right, and must be changed first.
    MustChange,
    /// The user may do nothing any more.
    Revoked,
    /// Too many wrong ones came from there.
    TooMany,
    /// Too many are being checked, or the users cannot be read.
    Unavailable,
}
