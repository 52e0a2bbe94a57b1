//! An installed transaction.

use super::not_usable::NotUsable;
use super::{DEFINITION, TransactionEntry, discard, get};
use crate::shared::{Shared, Space};
use transom_copybook::codepage::CP037;
use transom_csd::Definition;
use transom_datastream::Aid;
use transom_messages::{Message, si};
use transom_types::{ProgramName, TransId};

impl TransactionEntry {
    /// A transaction with CICS's defaults.
    pub fn new(transid: TransId, program: ProgramName) -> Self {
        Self {
            program,
            ..Self::with_defaults(transid)
        }
    }

    /// Milliseconds its tasks wait for what others hold before they end; 0: no limit. Tasks of
    /// SPURGE(NO) are not ended by DTIMOUT.
    pub fn deadlock_timeout_ms(&self) -> u64 {
        if self.spurge { self.dtimout_ms } else { 0 }
    }

    /// `None` without a first program: only a transaction that is routed needs none here.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let can_run = |entry: &Self| !entry.program.is_blank() || entry.is_routed();
        Ok(Some(Self::of_attributes(definition)).filter(can_run))
    }

    /// Its other names: ALIAS, and XTRANID, which gives the bytes of a name in code page 037.
    pub fn other_names(&self) -> Vec<TransId> {
        let of_hex = |hex: &str| {
            let digits: Option<Vec<u32>> = hex.trim().chars().map(|c| c.to_digit(16)).collect();
            let (pairs, rest) = digits.as_deref().unwrap_or_default().as_chunks::<2>();
            let name: Vec<u8> = pairs
                .iter()
                .map(|[high, low]| CP037.to_latin1[(high * 16 + low) as usize])
                .collect();
            let whole = rest.is_empty() && (1..=4).contains(&name.len());
            whole.then(|| TransId::from_field(&name))
        };
        let mut names: Vec<TransId> = self.alias.into_iter().collect();
        names.extend(of_hex(&self.xtranid));
        names.retain(|name| *name != self.transid && !name.is_blank());
        names
    }

    /// Installs or replaces it with its other names; answers those that belonged to another
    /// transaction before. `None`: shared storage is full.
    #[must_use]
    pub fn install_with_names(&self, shared: &dyn Shared) -> Option<Vec<(TransId, TransId)>> {
        if let Some(old) = Self::find(shared, self.transid) {
            old.forget_names(shared);
        }
        let mut taken = Vec::new();
        let mut stored = self.install(shared);
        for name in self.other_names() {
            let before = get(shared, Space::Alias, name.as_bytes(), |bytes| {
                Some(TransId::from_field(bytes))
            });
            taken.extend(before.map(|before| (name, before)));
            shared.with_group(Space::Alias, name.as_bytes(), &mut |group| {
                stored &= group.put(DEFINITION, self.transid.as_bytes());
            });
        }
        stored.then_some(taken)
    }

    /// The transaction of this name, or of this other name.
    pub fn named_so(shared: &dyn Shared, name: TransId) -> Option<Self> {
        Self::find(shared, name).or_else(|| {
            let transid = get(shared, Space::Alias, name.as_bytes(), |bytes| {
                Some(TransId::from_field(bytes))
            })?;
            Self::find(shared, transid)
        })
    }

    /// Takes it off with its other names (DISCARD).
    pub fn discard(&self, shared: &dyn Shared) {
        self.forget_names(shared);
        discard(shared, Space::Transaction, self.transid.as_bytes());
    }

    fn forget_names(&self, shared: &dyn Shared) {
        for name in self.other_names() {
            shared.with_group(Space::Alias, name.as_bytes(), &mut |group| {
                if group.get(DEFINITION) == Some(self.transid.as_bytes()) {
                    group.remove_all();
                }
            });
        }
    }

    /// It belongs to another system. REMOTESYSTEM of the region itself was taken off when it was
    /// installed.
    pub fn is_remote(&self) -> bool {
        !self.remote_system.is_blank()
    }

    /// Another region may run it for a terminal.
    pub fn is_routed(&self) -> bool {
        self.is_remote() || self.dynamic
    }

    /// TASKREQ: the key that starts the transaction. The error is a value that names none.
    pub fn key(definition: &Definition) -> Option<Result<u8, Message>> {
        let name = definition.get("TASKREQ").filter(|text| !text.is_empty())?;
        let key = Aid::from_name(name).map(|aid| aid.0);
        Some(key.ok_or_else(|| si::taskreq_not_a_key(name)))
    }
}
