//! Who may do what: transport, logon, role and interceptor groups.
//!
//! Order of the checks: `requireSecure`, `requireAuth` with the role `zosConnectAccess`, then the
//! authorization interceptor's groups. An unset group has no members, so nothing is allowed by
//! omission.

mod budget;
mod logon;
mod registry;

pub(crate) use logon::Logons;
pub(crate) use registry::{Principal, RegistryError, Users};
pub use registry::{RegistryConfig, UserConfig};

use crate::errors::{self, Failure};
use crate::interceptors::Records;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The role every authenticated user of the gateway needs.
pub const ACCESS_ROLE: &str = "zosConnectAccess";

/// What a request wants, as the authorization interceptor sorts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Call an API or service.
    Invoke,
    /// Look at what is installed.
    Read,
    /// Deploy, update, start, stop, undeploy.
    Operate,
}

/// Group names of one scope (global, API or service).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    /// May do everything.
    pub admin: BTreeSet<String>,
    /// Everything but invoke.
    pub operations: BTreeSet<String>,
    /// Only invoke.
    pub invoke: BTreeSet<String>,
    /// Only look.
    pub reader: BTreeSet<String>,
}

impl Groups {
    fn allow(&self, principal: &Principal, action: Action) -> bool {
        let member = |set: &BTreeSet<String>| principal.groups.iter().any(|g| set.contains(g));
        match action {
            Action::Invoke => member(&self.admin) || member(&self.invoke),
            Action::Operate => member(&self.admin) || member(&self.operations),
            Action::Read => member(&self.admin) || member(&self.operations) || member(&self.reader),
        }
    }

    fn is_empty(&self) -> bool {
        [&self.admin, &self.operations, &self.invoke, &self.reader]
            .iter()
            .all(|s| s.is_empty())
    }
}

/// The rules of one API or service.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    /// Credentials are needed.
    pub require_auth: bool,
    /// TLS is needed.
    pub require_secure: bool,
    /// The authorization interceptor runs: global groups, then this scope's if it names any.
    pub(crate) authorization: Option<(Arc<Groups>, Arc<Groups>)>,
    /// The audit interceptor runs.
    pub(crate) audit: Option<Records>,
    /// The file system logger runs.
    pub(crate) logger: Option<Records>,
}

impl Policy {
    /// True when a request may go on without looking at anything.
    pub(crate) fn open(&self) -> bool {
        !self.require_auth && self.authorization.is_none()
    }

    /// Checks role and groups of a logged-on user.
    pub(crate) fn authorize(
        &self,
        principal: &Principal,
        action: Action,
        url: &str,
    ) -> Result<(), Failure> {
        if !principal.access {
            return Err(errors::forbidden(&principal.name, ACCESS_ROLE, url));
        }
        let Some((global, scope)) = &self.authorization else {
            return Ok(());
        };
        let allowed =
            global.allow(principal, action) && (scope.is_empty() || scope.allow(principal, action));
        if allowed {
            return Ok(());
        }
        let needs = match action {
            Action::Invoke => "Invoke",
            Action::Read => "Reader",
            Action::Operate => "Operations",
        };
        Err(errors::forbidden(&principal.name, needs, url))
    }
}
