//! A connection with its telnet state: events in, bytes out, TLS on demand.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use transom_datastream::tn3270e::RejectReason;
use transom_datastream::{Server, ServerEvent};
use transom_tcpip::{Stream, Tls};
use transom_types::ClientCertificate;

/// Bytes read in one go. Shared by all sessions of a thread, so that an idle one owns no buffer.
const READ_BYTES: usize = 16 * 1024;
thread_local! {
    static SCRATCH: RefCell<Box<[u8; READ_BYTES]>> = RefCell::new(Box::new([0; READ_BYTES]));
}

/// A connection with its telnet state.
pub(crate) struct Wire {
    /// `None` only while TLS takes over.
    stream: Option<Stream>,
    pub(crate) server: Server,
    /// Events of decisions, which come out of turn.
    pending: Vec<ServerEvent>,
    /// What came behind the client's word that TLS follows: the begin of its handshake.
    early: Vec<u8>,
}

impl Wire {
    /// A connection at its begin.
    pub(crate) fn new(stream: Stream, server: Server) -> Self {
        Self {
            stream: Some(stream),
            server,
            pending: Vec::new(),
            early: Vec::new(),
        }
    }

    /// Waits for input; `None`: the client is gone.
    pub(crate) async fn read(&mut self) -> Option<Vec<ServerEvent>> {
        if !self.pending.is_empty() {
            return Some(std::mem::take(&mut self.pending));
        }
        let (stream, server) = (self.stream.as_mut()?, &mut self.server);
        let early = &mut self.early;
        poll_fn(|cx| {
            SCRATCH.with_borrow_mut(|scratch| {
                let mut buffer = ReadBuf::new(&mut scratch[..]);
                match Pin::new(&mut *stream).poll_read(cx, &mut buffer) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(Err(_)) => Poll::Ready(None),
                    Poll::Ready(Ok(())) if buffer.filled().is_empty() => Poll::Ready(None),
                    Poll::Ready(Ok(())) => {
                        let mut events = Vec::new();
                        let taken = server.feed(buffer.filled(), &mut events);
                        early.extend(buffer.filled().get(taken..).unwrap_or_default());
                        Poll::Ready(Some(events))
                    }
                }
            })
        })
        .await
    }

    /// Writes what the telnet state wants to send; `None`: the client is gone.
    pub(crate) async fn flush(&mut self) -> Option<()> {
        let out = std::mem::take(self.server.output());
        if out.is_empty() {
            return Some(());
        }
        let stream = self.stream.as_mut()?;
        stream.write_all(&out).await.ok()?;
        stream.flush().await.ok()
    }

    /// Hands the connection to TLS, as both ends agreed.
    pub(crate) async fn start_tls(&mut self, tls: &Tls) -> Option<()> {
        self.flush().await?;
        let stream = self.stream.take()?;
        let early = std::mem::take(&mut self.early);
        self.stream = Some(stream.start_tls(tls, &early).await.ok()?);
        self.server.tls_started();
        self.flush().await
    }

    /// The certificate the client showed.
    pub(crate) fn certificate(&self) -> Option<ClientCertificate> {
        self.stream.as_ref()?.certificate()
    }

    pub(crate) fn accept(&mut self, lu: &str) {
        self.server.accept_device(lu, &mut self.pending);
    }

    pub(crate) fn reject(&mut self, reason: RejectReason) {
        self.server.reject_device(reason, &mut self.pending);
    }

    /// Closes the connection after what is left was written.
    pub(crate) async fn close(&mut self) {
        self.flush().await;
        if let Some(mut stream) = self.stream.take() {
            let _closed = stream.shutdown().await;
        }
    }
}
