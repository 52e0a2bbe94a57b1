//! Installed DB2CONN, DB2ENTRY and DB2TRAN: which of them a transaction uses.
//!
//! The entry of a transaction is that of the DB2TRAN whose TRANSID fits it most closely; without
//! one it uses the pool, which is the DB2CONN itself. Not here: what a statement makes of it
//! (`region/commands`), SQL.

use super::not_usable::NotUsable;
use super::{Db2Connection, Db2ThreadEntry, Db2Transaction, Installed, discard};
use crate::pattern;
use crate::shared::{Shared, Space};
use transom_csd::Definition;
use transom_types::{PlanName, ProgramName, TransId};

/// PLANEXITNAME where neither it nor PLAN is given.
const PLAN_EXIT: &[u8; 8] = b"DSNCUEXT";

impl Db2Connection {
    /// The connection of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut entry = Self::of_attributes(definition);
        let cycle = definition.get("PURGECYCLE").unwrap_or_default();
        let (minutes, seconds) = cycle.split_once(',').unwrap_or(("0", cycle));
        let number = |text: &str| text.trim().parse().map_err(|_| NotUsable::PurgeCycle);
        entry.purge_minutes = number(minutes)?;
        entry.purge_seconds = number(seconds)?;
        let whole = u32::from(entry.purge_minutes) * 60 + u32::from(entry.purge_seconds);
        if entry.purge_minutes > 59 || entry.purge_seconds > 59 || whole < 5 {
            return Err(NotUsable::PurgeCycle);
        }
        if entry.sqlcode && entry.standby == super::Db2Standby::NoConnect {
            return Err(NotUsable::SqlcodeWithoutStandby);
        }
        plan_exit(entry.plan, &mut entry.plan_exit);
        Ok(Some(entry))
    }

    /// Installs it; that of another name goes with its entries and transactions.
    #[must_use]
    pub fn install_whole(&self, shared: &dyn Shared) -> bool {
        if Self::only(shared).is_some_and(|old| old.name != self.name) {
            Self::discard_all(shared);
        }
        self.install(shared)
    }

    /// Removes the connection, and with it all entries and transactions.
    fn discard_all(shared: &dyn Shared) {
        for space in [Space::Db2Tran, Space::Db2Entry, Space::Db2Conn] {
            let names = shared.group_names(space).into_iter();
            names.for_each(|name| discard(shared, space, &name));
        }
    }
}

impl Db2ThreadEntry {
    /// The entry of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut entry = Self::of_attributes(definition);
        plan_exit(entry.plan, &mut entry.plan_exit);
        Ok(Some(entry))
    }

    /// The DB2TRAN that comes with TRANSID of the entry.
    pub fn own_transaction(&self) -> Option<Db2Transaction> {
        let transid = Some(self.transid).filter(|transid| !transid.is_blank())?;
        let mut name = *b"DFH     ";
        name[3..7].copy_from_slice(transid.as_bytes());
        Some(Db2Transaction {
            entry: self.name,
            transid,
            ..Db2Transaction::with_defaults(name)
        })
    }

    /// Installs it with the DB2TRAN of its TRANSID; that of the entry it replaces goes.
    #[must_use]
    pub fn install_whole(&self, shared: &dyn Shared) -> bool {
        let before = Self::find(shared, self.name);
        if let Some(old) = before.and_then(|before| before.own_transaction()) {
            discard(shared, Space::Db2Tran, &old.name);
        }
        let own = self.own_transaction();
        self.install(shared) && own.is_none_or(|own| own.install(shared))
    }

    /// The entry a transaction uses; `None`: the pool.
    pub fn of(shared: &dyn Shared, transid: TransId) -> Option<Self> {
        let fitting = Db2Transaction::of(shared, transid)?;
        Self::find(shared, fitting.entry)
    }
}

impl Db2Transaction {
    /// The transaction of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let mut entry = Self::of_attributes(definition);
        if entry.transid.is_blank() {
            let name = definition.name.as_bytes();
            entry.transid = TransId::from_field(&name[..name.len().min(4)]);
        }
        Ok(Some(entry))
    }

    /// Another one that names the same transactions.
    pub fn same_transid(&self, shared: &dyn Shared) -> Option<Self> {
        let mut all = Self::all(shared);
        all.find(|other| other.name != self.name && other.transid == self.transid)
    }

    /// The one whose TRANSID fits most closely: more characters that are said, then `+` for `*`.
    fn of(shared: &dyn Shared, transid: TransId) -> Option<Self> {
        let fits = |other: &Self| {
            let pattern = other.transid.as_str().trim_end().as_bytes();
            pattern::matches(pattern, transid.as_str().trim_end().as_bytes())
        };
        let said = |other: &Self| {
            let pattern = other.transid.as_str();
            let letters = pattern.chars().filter(|c| !"*+ ".contains(*c)).count();
            (!pattern.contains('*'), letters)
        };
        Self::all(shared).filter(fits).max_by_key(said)
    }

    fn all(shared: &dyn Shared) -> impl Iterator<Item = Self> {
        let names = shared.group_names(Space::Db2Tran).into_iter();
        names.filter_map(|name| Self::named(shared, &name))
    }
}

fn plan_exit(plan: PlanName, exit: &mut ProgramName) {
    if plan.is_blank() && exit.is_blank() {
        *exit = ProgramName::from_field(PLAN_EXIT);
    }
}
