//! What kind of transient data queue it is: TYPE, TYPEFILE and DDNAME together.

use crate::language;

language! {
    /// What kind of queue it is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum TdKind {
        /// TYPE(INTRA): records kept by the region.
        #[default]
        0 = Intra,
        /// TYPE(EXTRA), TYPEFILE(OUTPUT): a file programs write.
        1 = Output,
        /// TYPE(EXTRA), TYPEFILE(INPUT): a file programs read.
        2 = Input,
        /// An internal reader: jobs, each stored as a file.
        3 = Reader,
        /// Lines for the region's log.
        4 = Log,
        /// TYPE(INDIRECT): another name of a queue.
        5 = Indirect,
        /// TYPE(REMOTE), or REMOTESYSTEM given: a queue of another region.
        6 = Remote,
    }
}
