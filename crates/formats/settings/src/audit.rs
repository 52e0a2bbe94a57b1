//! `[audit]`.

use crate::kind::Word;

settings! {
    /// Records of the audit interceptor of the gateway.
    pub struct AuditSettings in "[audit]" {
        /// A record that finds no room, because the disk is full or slow, {values}. DROP: it is
        /// lost and counted, the operator is told. BLOCK: none is lost; requests wait before they
        /// begin.
        when_full: &'static str = "DROP", Word(&["DROP", "BLOCK"]);
    }
}
