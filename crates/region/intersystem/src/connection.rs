//! One connection of local adapters: its greeting, and the answer to what was sent.

use crate::PROTOCOL_VERSION;
use crate::frame;
use crate::wire::{self, Reader, kind};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::net::UnixStream;
use transom_region_api::{LinkFailure, LinkOutput};

/// A stream to a link server that greeted.
pub(crate) struct Connection {
    pub(crate) stream: UnixStream,
    /// The link server serves more than one request on it.
    pub(crate) reuse: bool,
    pub(crate) buffer: Vec<u8>,
    pub(crate) idle_since: Instant,
    pub(crate) _counted: Counted,
}

/// A connection on which no requests can be sent.
#[derive(Debug)]
pub(crate) enum NoGreeting {
    /// The link server refuses the client, in its own words.
    Refused(String),
    /// It is gone, or does not speak the protocol.
    Broken(io::Error),
}

impl From<io::Error> for NoGreeting {
    fn from(e: io::Error) -> Self {
        Self::Broken(e)
    }
}

/// Counts a connection as open while it lives.
pub(crate) struct Counted(pub(crate) Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Connection {
    /// The first frames.
    ///
    /// # Errors
    /// The link server refuses, or is none, or is gone.
    pub(crate) async fn hello(
        &mut self,
        registration: &str,
        wait: Duration,
    ) -> Result<(), NoGreeting> {
        let wait = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        frame::begin(&mut self.buffer);
        self.buffer.push(kind::HELLO);
        self.buffer.extend_from_slice(&wire::MAGIC);
        self.buffer
            .extend_from_slice(&PROTOCOL_VERSION.to_le_bytes());
        self.buffer.extend_from_slice(&wait.to_le_bytes());
        wire::put_data(&mut self.buffer, registration.as_bytes());
        frame::end(&mut self.buffer)?;
        frame::write(&mut self.stream, &self.buffer).await?;
        frame::read(&mut self.stream, &mut self.buffer).await?;
        let mut reader = Reader(frame::body(&self.buffer));
        let malformed = |_| NoGreeting::Broken(io::ErrorKind::InvalidData.into());
        match reader.u8().map_err(malformed)? {
            kind::REFUSED => {
                let text = reader.text().map_err(malformed)?;
                Err(NoGreeting::Refused(text.to_owned()))
            }
            kind::HELLO => {
                let magic = reader.take(wire::MAGIC.len()).map_err(malformed)?;
                let version = reader.u16().map_err(malformed)?;
                self.reuse = reader.u8().map_err(malformed)? != 0;
                if magic == wire::MAGIC && version == PROTOCOL_VERSION {
                    return Ok(());
                }
                Err(malformed(wire::Malformed))
            }
            _ => Err(malformed(wire::Malformed)),
        }
    }

    /// Reads the answer to the request that was sent.
    pub(crate) async fn receive(&mut self) -> io::Result<Result<LinkOutput, LinkFailure>> {
        frame::read(&mut self.stream, &mut self.buffer).await?;
        let answer = wire::answer(&mut Reader(frame::body(&self.buffer)));
        answer.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the answer is malformed"))
    }
}
