//! Users who prove a password at a door, request by request.
//!
//! What: the facet `Users` of the front desk. Why beside the commands: nobody is signed on anywhere
//! by it, and no task asks. Not here: how long a door believes a password it has seen.

use super::Security;
use crate::LocalRegion;
use transom_region_api::{Claim, Denial, Reply, Users};
use transom_security::{Denied, Passwords};
use transom_types::{UserId, client_network};

impl Security {
    /// Checks the password of a client.
    async fn sign_on(&self, claim: Claim) -> Result<UserId, Denial> {
        let check = Passwords::claimed(&claim.user, &claim.secret).ok_or(Denial::Wrong)?;
        let place = client_network(claim.from).to_string();
        match self.prove(&place, check).await {
            Ok(Ok(user)) => {
                self.proved(&user, None);
                Ok(UserId::from_field(user.userid.as_bytes()))
            }
            Ok(Err(Denied::MustChange)) => Err(Denial::MustChange),
            Ok(Err(Denied::Revoked)) => Err(Denial::Revoked),
            Ok(Err(Denied::TooManyHere)) => Err(Denial::TooMany),
            Ok(Err(Denied::Unavailable(_))) | Err(_) => Err(Denial::Unavailable),
            Ok(Err(_)) => Err(Denial::Wrong),
        }
    }
}

impl Users for LocalRegion {
    fn checks(&self) -> bool {
        self.services.security.checks()
    }

    fn default_user(&self) -> UserId {
        self.services.base.kernel.system.default_user
    }

    fn sign_on(&self, claim: Claim) -> Reply<Result<UserId, Denial>> {
        let services = self.services.clone();
        Box::pin(async move { services.security.sign_on(claim).await })
    }

    fn generation(&self) -> u64 {
        self.services.security.passwords.generation()
    }

    fn may(&self, user: UserId, (class, name): (&str, &str), told: bool) -> bool {
        let authority = &self.services.security.authority;
        authority.may(user, (class, name), told)
    }
}
