//! One connection of local adapters: its greeting, and the answer to what was sent.

use crate::frames::{Answered, Asked, Greeting, MAGIC};
use crate::{PROTOCOL_VERSION, frame, link};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::net::UnixStream;
use transom_language::append;
use transom_language::in_place::take_front;
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
        append(
            &mut self.buffer,
            &Asked::Hello(Greeting::new(registration, wait)),
        );
        frame::end(&mut self.buffer)?;
        frame::write(&mut self.stream, &self.buffer).await?;
        frame::read(&mut self.stream, &mut self.buffer).await?;
        // Limits follow, which only an operator of the link server wants to know.
        match take_front(&mut frame::body(&self.buffer)) {
            Some(Answered::Refused(text)) => Err(NoGreeting::Refused(text.0.into_owned())),
            Some(Answered::Hello(welcome))
                if (welcome.magic, welcome.version.0) == (MAGIC, PROTOCOL_VERSION) =>
            {
                self.reuse = welcome.reuse;
                Ok(())
            }
            _ => Err(NoGreeting::Broken(io::ErrorKind::InvalidData.into())),
        }
    }

    /// Reads the answer to the request that was sent.
    pub(crate) async fn receive(&mut self) -> io::Result<Result<LinkOutput, LinkFailure>> {
        frame::read(&mut self.stream, &mut self.buffer).await?;
        let answer = Answered::decode(frame::body(&self.buffer)).and_then(link::answer);
        answer.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the answer is malformed"))
    }
}
