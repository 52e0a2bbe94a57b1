//! What kind of transient data queue it is: TYPE, TYPEFILE and DDNAME together.

use crate::codec::{Reader, Writer};
use crate::coded::Coded;

/// What kind of queue it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TdKind {
    #[default]
    /// TYPE(INTRA): records kept by the region.
    Intra,
    /// TYPE(EXTRA), TYPEFILE(OUTPUT): a file programs write.
    Output,
    /// TYPE(EXTRA), TYPEFILE(INPUT): a file programs read.
    Input,
    /// An internal reader: jobs, each stored as a file.
    Reader,
    /// Lines for the region's log.
    Log,
    /// TYPE(INDIRECT): another name of a queue.
    Indirect,
    /// TYPE(REMOTE), or REMOTESYSTEM given: a queue of another region.
    Remote,
}

impl Coded for TdKind {
    fn put(&self, out: &mut Writer) {
        out.u8(*self as u8);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        const KINDS: [TdKind; 7] = [
            TdKind::Intra,
            TdKind::Output,
            TdKind::Input,
            TdKind::Reader,
            TdKind::Log,
            TdKind::Indirect,
            TdKind::Remote,
        ];
        KINDS.get(usize::from(from.u8()?)).copied()
    }
}
