//! Buffers of a thread, which all of its sessions use in turn.
//!
//! Why: a session that waits has no buffer. What a session must keep until it is polled again (part
//! of a TLS record, bytes its peer does not take) it copies out.

use std::cell::RefCell;

/// Bytes that are read at once.
pub(crate) const READ_BYTES: usize = 16 * 1024;
/// Most bytes that wait to become whole: a message of a handshake may have 64 KiB.
pub(crate) const PART_BYTES_MAX: usize = 80 * 1024;

/// Buffers; between two uses their contents mean nothing.
pub(crate) struct Scratch {
    /// As it came from a socket.
    pub(crate) raw: Box<[u8]>,
    pub(crate) text: Text,
    /// What a filter left of it.
    pub(crate) filtered: Vec<u8>,
    /// The same of a second one.
    pub(crate) named: Vec<u8>,
}

/// Both sides of TLS.
#[derive(Default)]
pub(crate) struct Text {
    /// Decrypted.
    pub(crate) plain: Vec<u8>,
    /// Encrypted, to be sent.
    pub(crate) sealed: Vec<u8>,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::new(Scratch {
        raw: vec![0; PART_BYTES_MAX + READ_BYTES].into_boxed_slice(),
        text: Text::default(),
        filtered: Vec::new(),
        named: Vec::new(),
    });
}

/// Lends the buffers; what is lent to must not ask for them again.
pub(crate) fn with<R>(work: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with_borrow_mut(work)
}
