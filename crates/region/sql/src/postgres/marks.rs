//! Marks of units of work.
//!
//! What: a mark is a row that a deciding COMMIT writes. Who asks for it and finds none writes the
//! mark of a backout in its place: a COMMIT that is still on its way then fails, so the answer
//! holds for ever. Not here: when marks are asked for (`ends`, `shared`).

use super::owner::text;
use tokio_postgres::Client;
use transom_recovery::{StoreError, UowId};

/// The mark of a unit of work that is committed.
pub(super) fn mark(system: &str, uow: UowId) -> String {
    let uow = key(uow);
    format!("INSERT INTO transom_sql.mark VALUES ('{system}', '{uow}', true); ")
}

fn key(uow: UowId) -> String {
    uow.to_bytes().iter().map(|b| format!("{b:02X}")).collect()
}

/// Deletes marks nobody will ask for.
pub(super) fn delete(system: &str, old: &[UowId]) -> String {
    if old.is_empty() {
        return String::new();
    }
    let keys: Vec<String> = old.iter().map(|uow| format!("'{}'", key(*uow))).collect();
    let keys = keys.join(", ");
    format!("DELETE FROM transom_sql.mark WHERE system = '{system}' AND uow IN ({keys}); ")
}

/// Units of work of this region that have marks.
pub(super) async fn earlier(system: &str, client: &Client) -> Result<Vec<UowId>, StoreError> {
    let all =
        format!("SELECT string_agg(uow, ' ') FROM transom_sql.mark WHERE system = '{system}'");
    let found = text(client, &all).await?.unwrap_or_default();
    let bytes = |key: &str| -> Option<Vec<u8>> {
        let byte = |at: usize| u8::from_str_radix(key.get(at..at + 2)?, 16).ok();
        (0..key.len()).step_by(2).map(byte).collect()
    };
    let uow = |key: &str| UowId::from_bytes(&bytes(key)?);
    Ok(found.split(' ').filter_map(uow).collect())
}

/// Whether it was committed; from now on it will not be where it was not.
pub(super) async fn has_decided(
    system: &str,
    client: &Client,
    uow: UowId,
) -> Result<bool, StoreError> {
    let uow = key(uow);
    let ask = format!(
        "INSERT INTO transom_sql.mark VALUES ('{system}', '{uow}', false) ON CONFLICT DO NOTHING; \
         SELECT committed FROM transom_sql.mark WHERE system = '{system}' AND uow = '{uow}'"
    );
    match text(client, &ask).await?.as_deref() {
        Some("t") => Ok(true),
        Some("f") => Ok(false),
        // Deleted in between: somebody else knows the answer.
        _ => Err(StoreError::Unavailable(
            "its mark is being deleted".to_owned(),
        )),
    }
}
