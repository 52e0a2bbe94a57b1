//! What can go wrong before a connection exists.

use std::fmt;

/// A listener or key store that cannot be used. `Display` begins with the TXM message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TcpError {
    id: &'static str,
    text: String,
}

impl TcpError {
    pub(crate) fn new(id: &'static str, text: impl Into<String>) -> Self {
        Self {
            id,
            text: text.into(),
        }
    }

    /// Message identifier such as `TXMTC0001E`.
    pub fn id(&self) -> &'static str {
        self.id
    }
}

impl fmt::Display for TcpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.text)
    }
}

impl std::error::Error for TcpError {}
