//! What a transfer moves, and what the accounts must then be.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use transom_recovery::{Direction, StoreError, UowStore, wait};

/// Accounts there are.
pub(crate) const ACCOUNTS_MAX: u64 = 20;

/// From account, to account, amount.
pub(crate) fn movement(n: u64) -> (u64, u64, i64) {
    let amount = i64::try_from(n % 100).unwrap_or(0);
    (n * 7 % ACCOUNTS_MAX, n * 11 % ACCOUNTS_MAX, amount)
}

pub(crate) fn compare(
    balances: &BTreeMap<u64, i64>,
    transfers: &BTreeSet<u64>,
) -> Result<(), String> {
    let mut wanted: BTreeMap<u64, i64> = BTreeMap::new();
    for n in transfers {
        let (from, to, amount) = movement(*n);
        *wanted.entry(from).or_default() -= amount;
        *wanted.entry(to).or_default() += amount;
    }
    for account in 0..ACCOUNTS_MAX {
        let (is, must) = (balances.get(&account), wanted.get(&account));
        let (is, must) = (is.copied().unwrap_or(0), must.copied().unwrap_or(0));
        if is != must {
            return Err(format!(
                "account {account} has {is}, its transfers say {must}"
            ));
        }
    }
    Ok(())
}

pub(crate) fn number(bytes: &[u8]) -> i64 {
    bytes.try_into().map_or(i64::MIN, i64::from_be_bytes)
}

pub(crate) fn key_number(bytes: &[u8]) -> u64 {
    bytes.try_into().map_or(u64::MAX, u64::from_be_bytes)
}

/// Key and record.
pub(crate) type Pair = (Vec<u8>, Vec<u8>);

pub(crate) fn all(store: &dyn UowStore, table: &str) -> Result<Vec<Pair>, StoreError> {
    let mut found = Vec::new();
    let mut from = Bound::Unbounded;
    loop {
        let bound = from.as_ref().map(Vec::as_slice);
        let rows = wait(store.scan(None, table, bound, &[], Direction::Forward, 1_000))?;
        let Some(last) = rows.last() else {
            return Ok(found);
        };
        from = Bound::Excluded(last.key.clone());
        found.extend(rows.into_iter().map(|r| (r.key, r.record)));
    }
}
