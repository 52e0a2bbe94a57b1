//! Errors of LMDB in the words of stores.

use transom_recovery::StoreError;

/// Error numbers that mean "no room".
const NO_ROOM: [i32; 3] = [28, 122, 27]; // ENOSPC, EDQUOT, EFBIG

/// What an error means to callers.
pub(super) fn translate(error: heed::Error) -> StoreError {
    match error {
        heed::Error::Mdb(heed::MdbError::MapFull) => full(),
        heed::Error::Mdb(heed::MdbError::TxnFull) => {
            StoreError::NoSpace("too many changes in one transaction".to_owned())
        }
        heed::Error::Mdb(heed::MdbError::ReadersFull) => StoreError::Limit("readers of the store"),
        heed::Error::Io(error) if error.raw_os_error().is_some_and(|n| NO_ROOM.contains(&n)) => {
            StoreError::NoSpace(error.to_string())
        }
        other => StoreError::Io(other.to_string()),
    }
}

/// The store is as long as it may be.
pub(super) fn full() -> StoreError {
    StoreError::NoSpace("the store has reached its map size".to_owned())
}

/// The same for files beside the environment.
pub(super) fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> StoreError {
    let text = format!("{what} {}: {error}", path.display());
    if error.raw_os_error().is_some_and(|n| NO_ROOM.contains(&n)) {
        StoreError::NoSpace(text)
    } else {
        StoreError::Io(text)
    }
}
