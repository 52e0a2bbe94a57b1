//! Queues every region has, as the supplied group DFHDCTG defines them.
//!
//! CSSL, CESE and CESO are files MSGUSR, CEEMSG and CEEOUT, or lines of the region's log when it
//! has no folder for files; the others are other names of CSSL. A definition of the same name
//! replaces one.

use transom_types::TdQueueName;
use transom_wire::definitions::{TdKind, TdQueueEntry};

/// Files and their DDNAMEs.
const FILES: [(&[u8; 4], &str); 3] = [
    (b"CSSL", "MSGUSR"),
    (b"CESE", "CEEMSG"),
    (b"CESO", "CEEOUT"),
];
/// Other names of CSSL.
const INDIRECT: [&[u8; 4]; 21] = [
    b"CADL", b"CADO", b"CAFF", b"CAIL", b"CCPI", b"CCSE", b"CCSO", b"CDBC", b"CDUL", b"CISO",
    b"CMIG", b"CRDI", b"CSCC", b"CSCS", b"CSDL", b"CSFL", b"CSKL", b"CSML", b"CSMT", b"CSNE",
    b"CSPL",
];

/// The queues.
pub(super) fn queues() -> impl Iterator<Item = TdQueueEntry> {
    let files = FILES.iter().map(|(name, ddname)| {
        let mut queue = TdQueueEntry::new(TdQueueName::new(**name));
        queue.kind = TdKind::Output;
        queue.ddname = (*ddname).to_owned();
        queue
    });
    files.chain(
        INDIRECT.iter().map(|name| {
            TdQueueEntry::indirect(TdQueueName::new(**name), TdQueueName::new(*b"CSSL"))
        }),
    )
}
