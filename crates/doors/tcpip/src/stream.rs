//! One byte stream, plain or TLS, that tells its watch what it waits for.

use crate::registry::{Phase, Watch};
use crate::tls::Tls;
use crate::trust::shown;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ServerConnection;
use tokio_rustls::server::TlsStream;
use transom_types::ClientCertificate;

/// A connection's bytes.
#[derive(Debug)]
pub struct Stream {
    io: Io,
    watch: Arc<Watch>,
}

#[derive(Debug)]
enum Io {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    pub(crate) fn plain(stream: TcpStream, watch: Arc<Watch>) -> Self {
        Self {
            io: Io::Plain(stream),
            watch,
        }
    }

    pub(crate) fn tls(stream: TlsStream<TcpStream>, watch: Arc<Watch>) -> Self {
        Self {
            io: Io::Tls(Box::new(stream)),
            watch,
        }
    }

    /// Closes our direction and reads on, without keeping anything, until the peer closes or `time`
    /// passes. A peer that is still sending then sees our reply instead of a connection reset.
    pub async fn linger(mut self, time: Duration) {
        let _ = tokio::time::timeout(time, async {
            let _ = self.shutdown().await;
            let mut sink = vec![0_u8; 16 * 1024];
            while matches!(self.read(&mut sink).await, Ok(n) if n > 0) {}
        })
        .await;
    }

    /// Changes a plain connection to TLS, for protocols that agree on it in the clear. `read` is
    /// what the peer has sent of the handshake already: it need not wait for an answer. A stream
    /// that is TLS already stays as it is.
    ///
    /// # Errors
    /// The handshake failed.
    pub async fn start_tls(self, tls: &Tls, read: &[u8]) -> io::Result<Self> {
        match self.io {
            Io::Plain(io) => {
                let (mut early, peer) = (Ok(()), io.peer_addr());
                // On the heap: a session keeps the room of every future inside its own.
                let accepted = Box::pin(tls.acceptor().accept_with(io, |connection| {
                    early = take_early(connection, read);
                }));
                let accepted = accepted.await.inspect_err(|error| {
                    if let Ok(peer) = peer {
                        tls.failed(error, peer);
                    }
                });
                let io = Io::Tls(Box::new(accepted?));
                early?;
                Ok(Self { io, ..self })
            }
            Io::Tls(_) => Ok(self),
        }
    }

    /// The certificate the client showed, which was verified.
    pub fn certificate(&self) -> Option<ClientCertificate> {
        match &self.io {
            Io::Plain(_) => None,
            Io::Tls(tls) => shown(tls.get_ref().1),
        }
    }

    /// A reply that the peer does not take is timed; while the door works on the next request it is
    /// not.
    fn wrote<T>(&self, poll: &Poll<io::Result<T>>) {
        match (poll, self.watch.phase()) {
            (Poll::Pending, Phase::Idle) => self.watch.enter(Phase::Write),
            // Every byte taken starts the time anew.
            (Poll::Ready(Ok(_)), Phase::Write) => self.watch.enter(Phase::Idle),
            _ => {}
        }
    }
}

/// Hands bytes to a connection as if they had just come.
fn take_early(connection: &mut ServerConnection, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        connection.read_tls(&mut bytes)?;
        // What is wrong with them is told to the peer by the handshake.
        if connection.process_new_packets().is_err() {
            break;
        }
    }
    Ok(())
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let poll = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_read(cx, buf),
            Io::Tls(io) => Pin::new(io.as_mut()).poll_read(cx, buf),
        };
        if buf.filled().len() > before && self.watch.phase() == Phase::Idle {
            self.watch.enter(Phase::Header);
        }
        poll
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_write(cx, bytes),
            Io::Tls(io) => Pin::new(io.as_mut()).poll_write(cx, bytes),
        };
        self.wrote(&poll);
        poll
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_write_vectored(cx, bytes),
            Io::Tls(io) => Pin::new(io.as_mut()).poll_write_vectored(cx, bytes),
        };
        self.wrote(&poll);
        poll
    }

    fn is_write_vectored(&self) -> bool {
        match &self.io {
            Io::Plain(io) => io.is_write_vectored(),
            Io::Tls(io) => io.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let poll = match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_flush(cx),
            Io::Tls(io) => Pin::new(io.as_mut()).poll_flush(cx),
        };
        self.wrote(&poll);
        poll
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.io {
            Io::Plain(io) => Pin::new(io).poll_shutdown(cx),
            Io::Tls(io) => Pin::new(io.as_mut()).poll_shutdown(cx),
        }
    }
}
