//! Who may make, see and run services.
//!
//! What: classes and names of resources as the access control module of Db2 has them: `DSNR
//! ssid.REST` for any request, `MDSNSM ssid.BINDADD` and `MDSNCL ssid.collection.CREATEIN` to make
//! one, `MDSNPK ssid.collection.service.EXECUTE` and `.BIND` to run and to drop one. Owners may run
//! and drop what is theirs. Not here: rules (`region/security`).

use crate::kept::Kept;
use std::sync::Arc;
use transom_region_api::{RestFailure, RestServiceName, Users};
use transom_types::UserId;

/// Asks the region for one subsystem.
#[derive(Clone)]
pub(crate) struct Authority {
    pub(crate) users: Arc<dyn Users>,
    /// Name in front of all resources.
    pub(crate) subsystem: String,
}

impl Authority {
    /// -552: what was asked for needs this privilege.
    pub(crate) fn may_create(&self, by: UserId, name: &RestServiceName) -> Result<(), RestFailure> {
        let add = format!("{}.BINDADD", self.subsystem);
        let within = format!("{}.{}.CREATEIN", self.subsystem, name.collection);
        match self.may(by, "MDSNSM", &add, true) && self.may(by, "MDSNCL", &within, true) {
            true => Ok(()),
            false => Err(sql(-552, &[by.as_str(), "BIND SERVICE"])),
        }
    }

    /// -551: the user has no such privilege on the package.
    pub(crate) fn may_run(&self, by: UserId, kept: &Kept) -> Result<(), RestFailure> {
        self.on_package(by, kept, "EXECUTE")
    }

    pub(crate) fn may_drop(&self, by: UserId, kept: &Kept) -> Result<(), RestFailure> {
        self.on_package(by, kept, "BIND")
    }

    /// Without telling the operator: whoever lists services asks for all of them.
    pub(crate) fn sees(&self, by: UserId, kept: &Kept) -> bool {
        self.owns(by, kept) || self.may(by, "MDSNPK", &self.package(kept, "EXECUTE"), false)
    }

    fn on_package(&self, by: UserId, kept: &Kept, privilege: &str) -> Result<(), RestFailure> {
        let resource = self.package(kept, privilege);
        if self.owns(by, kept) || self.may(by, "MDSNPK", &resource, true) {
            return Ok(());
        }
        let package = format!("{}.{}", kept.name.collection, kept.name.name);
        let operation = format!("{privilege} PACKAGE");
        Err(sql(-551, &[by.as_str(), &operation, &package]))
    }

    fn package(&self, kept: &Kept, privilege: &str) -> String {
        let (subsystem, name) = (&self.subsystem, &kept.name);
        format!("{subsystem}.{}.{}.{privilege}", name.collection, name.name)
    }

    fn owns(&self, by: UserId, kept: &Kept) -> bool {
        kept.owner == by.as_str()
    }

    /// Rules are written in upper case.
    fn may(&self, by: UserId, class: &str, resource: &str, told: bool) -> bool {
        let resource = resource.to_uppercase();
        self.users.may(by, (class, &resource), told)
    }
}

/// A failure with a code of Db2.
pub(crate) fn sql(code: i32, tokens: &[&str]) -> RestFailure {
    RestFailure::Sql {
        code,
        state: transom_sql::state(code).to_owned(),
        text: transom_sql::text(code, tokens),
    }
}
