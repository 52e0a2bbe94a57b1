//! Why a redirector does not start, or does not change.
//!
//! Not here: why a session ends (`relay`), why a target does not answer (`answer`).

use std::fmt;
use transom_messages::Message;
use transom_tcpip::TcpError;

/// Why it does not start, or does not change.
#[derive(Debug)]
pub enum Problem {
    /// What a message says.
    Message(Message),
    /// A port or a file of certificates.
    Tcp(TcpError),
    /// What is wrong with the file, with lines.
    Settings(Vec<String>),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) => message.fmt(f),
            Self::Tcp(error) => error.fmt(f),
            Self::Settings(all) => f.write_str(&all.join("\n")),
        }
    }
}

impl std::error::Error for Problem {}

impl From<Message> for Problem {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<TcpError> for Problem {
    fn from(error: TcpError) -> Self {
        Self::Tcp(error)
    }
}
