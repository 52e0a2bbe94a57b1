//! What can go wrong before a connection exists.

use std::fmt;
use transom_messages::Message;

/// A listener or key store that cannot be used. `Display` begins with the TXM message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TcpError(Message);

impl TcpError {
    pub(crate) fn new(message: Message) -> Self {
        Self(message)
    }

    /// Message identifier such as `TXMTC0001E`.
    pub fn id(&self) -> &'static str {
        self.0.id()
    }
}

impl fmt::Display for TcpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for TcpError {}
