//! What clients of a region were told.

use std::collections::BTreeSet;
use transom_region_api::{Fault, LinkFailure, Payload};

/// What clients were told.
#[derive(Default)]
pub(super) struct Told {
    pub(super) committed: BTreeSet<String>,
    pub(super) backed_out: BTreeSet<String>,
    pub(super) unknown: u64,
    pub(super) workers_killed: u64,
    pub(super) last_failure: String,
}

impl Told {
    /// Keeps what a reply says; true when there was no connection.
    pub(super) fn take(&mut self, n: String, reply: Result<Payload, LinkFailure>) -> bool {
        match reply {
            Ok(Payload::Commarea(bytes)) if bytes.ends_with(b"OK") => {
                self.committed.insert(n);
            }
            Ok(Payload::Commarea(bytes)) if bytes.ends_with(b"RB") => {
                self.backed_out.insert(n);
            }
            Ok(_) => self.unknown += 1,
            Err(LinkFailure { fault, text, .. }) => match fault {
                Fault::Abend(code) if code.as_str() == "TORT" => {
                    self.backed_out.insert(n);
                }
                _ => {
                    self.unknown += 1;
                    self.last_failure = text;
                    return fault == Fault::Unavailable;
                }
            },
        }
        false
    }

    pub(super) fn add(&mut self, other: Self) {
        self.committed.extend(other.committed);
        self.backed_out.extend(other.backed_out);
        self.unknown += other.unknown;
        if !other.last_failure.is_empty() {
            self.last_failure = other.last_failure;
        }
    }
}
