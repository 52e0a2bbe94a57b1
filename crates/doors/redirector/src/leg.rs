//! One side of a session: a socket, with TLS or without.
//!
//! What: plain bytes in and out of it, whatever is on the wire. What the peer does not take is kept
//! here, and whoever relays reads no more from the other side until it is gone: a slow peer costs
//! one reading's bytes. Not here: what the bytes are.

use crate::scratch::{PART_BYTES_MAX, READ_BYTES, Scratch, Text};
use crate::secure::{Secure, Stand};
use rustls::Error;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A socket and what is on its way.
pub(crate) struct Leg {
    socket: TcpStream,
    tls: Option<Box<Tls>>,
    /// What the peer has not taken yet.
    unsent: Vec<u8>,
    /// How many bytes of that it has.
    sent: usize,
}

struct Tls {
    end: Secure,
    /// Part of a record.
    part: Vec<u8>,
    /// Plain bytes that came with the end of the handshake.
    early: Vec<u8>,
    begun: bool,
    open: bool,
    closed: bool,
}

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Bytes, or nothing but TLS.
    Some,
    /// Nothing more comes.
    End,
}

/// Why a leg cannot go on.
#[derive(Debug)]
pub(crate) enum Failed {
    Socket(io::Error),
    Tls(Error),
    /// The peer went away in the handshake.
    Gone,
    /// A target does not offer TLS.
    NoStartTls,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Socket(error) => error.fmt(f),
            Self::Tls(error) => write!(f, "TLS: {error}"),
            Self::Gone => f.write_str("it closed the connection during the handshake"),
            Self::NoStartTls => f.write_str("it does not offer telnet START_TLS"),
        }
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Socket(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Tls(error)
    }
}

impl Leg {
    /// Without TLS.
    pub(crate) fn plain(socket: TcpStream) -> Self {
        Self {
            socket,
            tls: None,
            unsent: Vec::new(),
            sent: 0,
        }
    }

    /// With TLS, after its handshake. `read` came of it already.
    pub(crate) async fn secure(
        socket: TcpStream,
        end: Secure,
        read: Vec<u8>,
    ) -> Result<Self, Failed> {
        let mut leg = Self::plain(socket);
        leg.tls = Some(Box::new(Tls {
            end,
            part: read,
            early: Vec::new(),
            begun: false,
            open: false,
            closed: false,
        }));
        poll_fn(|cx| crate::scratch::with(|scratch| leg.poll_handshake(cx, scratch))).await?;
        Ok(leg)
    }

    /// What both ends of TLS agreed on.
    pub(crate) fn state(&self) -> Option<&rustls::CommonState> {
        self.tls.as_ref().map(|tls| tls.end.state())
    }

    fn poll_handshake(
        &mut self,
        cx: &mut Context<'_>,
        scratch: &mut Scratch,
    ) -> Poll<Result<(), Failed>> {
        // A client begins without having read, a server with what was read before.
        if self.tls.as_ref().is_some_and(|tls| !tls.begun) {
            let Scratch { raw, text, .. } = scratch;
            text.plain.clear();
            self.decrypt(raw, 0, text, cx)?;
            self.keep_early(&text.plain);
        }
        loop {
            ready!(self.poll_flush(cx))?;
            if self.tls.as_ref().is_none_or(|tls| tls.open) {
                return Poll::Ready(Ok(()));
            }
            scratch.text.plain.clear();
            if ready!(self.poll_fill(cx, scratch))? == Taken::End {
                return Poll::Ready(Err(Failed::Gone));
            }
            self.keep_early(&scratch.text.plain);
        }
    }

    /// The handshake may end with the first bytes of a session.
    fn keep_early(&mut self, plain: &[u8]) {
        if let Some(tls) = &mut self.tls {
            tls.begun = true;
            tls.early.extend_from_slice(plain);
        }
    }

    /// Reads once; plain bytes are in the scratch then.
    pub(crate) fn poll_take(
        &mut self,
        cx: &mut Context<'_>,
        scratch: &mut Scratch,
    ) -> Poll<Result<Taken, Failed>> {
        scratch.text.plain.clear();
        if let Some(tls) = &mut self.tls {
            if !tls.early.is_empty() {
                scratch.text.plain.append(&mut tls.early);
                tls.early = Vec::new();
                return Poll::Ready(Ok(Taken::Some));
            }
            if tls.closed {
                return Poll::Ready(Ok(Taken::End));
            }
        }
        self.poll_fill(cx, scratch)
    }

    fn poll_fill(
        &mut self,
        cx: &mut Context<'_>,
        scratch: &mut Scratch,
    ) -> Poll<Result<Taken, Failed>> {
        let Scratch { raw, text, .. } = scratch;
        let Some(tls) = &self.tls else {
            let mut room = ReadBuf::new(&mut raw[..READ_BYTES]);
            ready!(Pin::new(&mut self.socket).poll_read(cx, &mut room))?;
            let filled = room.filled();
            text.plain.extend_from_slice(filled);
            return Poll::Ready(Ok(some(!filled.is_empty())));
        };
        let kept = tls.part.len();
        let mut room = ReadBuf::new(&mut raw[kept..kept + READ_BYTES]);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut room))?;
        let count = room.filled().len();
        if count == 0 {
            return Poll::Ready(Ok(Taken::End));
        }
        self.decrypt(raw, count, text, cx)?;
        let ended = self.tls.as_ref().is_some_and(|tls| tls.closed) && text.plain.is_empty();
        Poll::Ready(Ok(some(!ended)))
    }

    /// Takes `count` bytes that were read behind the part of a record which is kept.
    fn decrypt(
        &mut self,
        raw: &mut [u8],
        count: usize,
        text: &mut Text,
        cx: &mut Context<'_>,
    ) -> Result<(), Failed> {
        let Some(tls) = &mut self.tls else {
            return Ok(());
        };
        let kept = tls.part.len();
        raw[..kept].copy_from_slice(&tls.part);
        text.sealed.clear();
        let all = kept + count;
        let (used, stand) = tls.end.take(&mut raw[..all], text);
        let rest = &raw[used..all];
        // Whoever has nothing to keep keeps no memory for it.
        if rest.is_empty() {
            tls.part = Vec::new();
        } else {
            tls.part.clear();
            tls.part.extend_from_slice(rest);
        }
        match stand {
            Ok(Stand::Handshake) => {}
            Ok(Stand::Open) => tls.open = true,
            Ok(Stand::Closed) => (tls.open, tls.closed) = (true, true),
            Err(error) => {
                // The peer is told by an alert, if it still reads.
                tls.end.alert(&mut raw[used..all], text);
                let _ = self.send(&text.sealed, cx);
                return Err(error.into());
            }
        }
        if self
            .tls
            .as_ref()
            .is_some_and(|tls| tls.part.len() > PART_BYTES_MAX)
        {
            let why = "a message of a handshake is too long";
            return Err(Error::General(why.into()).into());
        }
        self.send(&text.sealed, cx)
    }

    /// Sends plain bytes; what the peer does not take now waits for [`Leg::poll_flush`].
    pub(crate) fn put(
        &mut self,
        plain: &[u8],
        sealed: &mut Vec<u8>,
        cx: &mut Context<'_>,
    ) -> Result<(), Failed> {
        match &mut self.tls {
            None => self.send(plain, cx),
            Some(_) if plain.is_empty() => Ok(()),
            Some(tls) => {
                sealed.clear();
                tls.end.seal(&mut tls.part, plain, sealed)?;
                self.send(sealed, cx)
            }
        }
    }

    /// Sends bytes as they are.
    fn send(&mut self, mut bytes: &[u8], cx: &mut Context<'_>) -> Result<(), Failed> {
        while self.unsent.is_empty() && !bytes.is_empty() {
            match Pin::new(&mut self.socket).poll_write(cx, bytes) {
                Poll::Ready(Ok(0)) => return Err(io::Error::from(io::ErrorKind::WriteZero).into()),
                Poll::Ready(Ok(count)) => bytes = &bytes[count..],
                Poll::Ready(Err(error)) => return Err(error.into()),
                Poll::Pending => break,
            }
        }
        self.unsent.extend_from_slice(bytes);
        Ok(())
    }

    /// Ready when the peer has taken everything.
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Failed>> {
        while self.sent < self.unsent.len() {
            let rest = &self.unsent[self.sent..];
            match ready!(Pin::new(&mut self.socket).poll_write(cx, rest))? {
                0 => {
                    let error = io::Error::from(io::ErrorKind::WriteZero);
                    return Poll::Ready(Err(error.into()));
                }
                count => self.sent += count,
            }
        }
        if !self.unsent.is_empty() {
            (self.unsent, self.sent) = (Vec::new(), 0);
        }
        Poll::Ready(Ok(()))
    }

    /// Bytes wait.
    pub(crate) fn is_full(&self) -> bool {
        !self.unsent.is_empty()
    }

    /// Says that nothing more comes; everything was taken before.
    pub(crate) fn close(&mut self, sealed: &mut Vec<u8>, cx: &mut Context<'_>) {
        if let Some(tls) = &mut self.tls {
            sealed.clear();
            tls.end.close(&mut tls.part, sealed);
            // A peer that does not read it finds the end of the connection instead.
            let _ = self.send(sealed, cx);
        }
        let _ = Pin::new(&mut self.socket).poll_shutdown(cx);
    }
}

fn some(is: bool) -> Taken {
    if is { Taken::Some } else { Taken::End }
}
