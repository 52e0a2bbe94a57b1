//! One terminal on the wire: socket, telnet, screen.
//!
//! What: connect up to the first screen, keys out, screens in. Memory: the screen and little else;
//! the buffer that is read into belongs to the thread. Not here: what is typed and why (`play`).

use super::fault::{Fault, Kind};
use super::plan::Plan;
use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};
use tokio_rustls::client::TlsStream;
use transom_datastream::tn3270e::{Outcome, RESPONSE_ALWAYS, RESPONSE_ERROR};
use transom_datastream::{Aid, Client, ClientEvent, Screen};

/// Bytes read in one go.
const READ_BYTES: usize = 16 * 1024;
/// A server that sends no first screen is taken to have none after this time.
const FIRST_SCREEN: Duration = Duration::from_secs(3);

thread_local! {
    static SCRATCH: RefCell<Box<[u8; READ_BYTES]>> = RefCell::new(Box::new([0; READ_BYTES]));
}

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// A connected terminal.
pub(crate) struct Session {
    /// `None` only while TLS takes over.
    stream: Option<Stream>,
    client: Client,
    pub(crate) screen: Screen,
    /// LU name given by the server; empty in basic TN3270.
    pub(crate) lu: String,
    connected: bool,
    secure: bool,
    pub(crate) bytes_in: u64,
}

impl Session {
    /// Connects terminal `number` and waits for its first screen.
    pub(crate) async fn open(plan: &Plan, number: u32) -> Result<Self, Fault> {
        let limit = Instant::now() + plan.timeout;
        let late = |_| Fault::new(Kind::Connect, "no 3270 session in time");
        let begun = timeout_at(limit, Self::connect(plan, number));
        let mut session = begun.await.map_err(late)??;
        while !session.connected {
            timeout_at(limit, session.turn(plan))
                .await
                .map_err(late)??;
        }
        if plan.start_tls && !session.secure {
            return Err(Fault::new(Kind::Connect, "the server offers no START-TLS"));
        }
        let limit = limit.min(Instant::now() + FIRST_SCREEN);
        while session.screen.is_locked() {
            match timeout_at(limit, session.turn(plan)).await {
                Ok(turned) => turned?,
                Err(_) => session.screen.reset(),
            }
        }
        Ok(session)
    }

    async fn connect(plan: &Plan, number: u32) -> Result<Self, Fault> {
        let refused = |e: std::io::Error| Fault::new(Kind::Connect, e.to_string());
        let socket = TcpStream::connect(plan.address).await.map_err(refused)?;
        socket.set_nodelay(true).map_err(refused)?;
        let stream = match &plan.connector {
            Some(connector) if plan.tls_at_once => {
                let tls = connector.connect(socket).await.map_err(refused)?;
                Stream::Tls(Box::new(tls))
            }
            _ => Stream::Plain(socket),
        };
        let mut screen = Screen::new(plan.screen.clone());
        screen.lock();
        Ok(Self {
            secure: matches!(stream, Stream::Tls(_)),
            stream: Some(stream),
            client: Client::new(plan.client(number)),
            screen,
            lu: String::new(),
            connected: false,
            bytes_in: 0,
        })
    }

    /// Sends an AID key with what was typed.
    pub(crate) async fn press(&mut self, aid: Aid) -> Result<(), Fault> {
        let record = self
            .screen
            .press(aid)
            .map_err(|e| Fault::new(Kind::Keyboard, e.to_string()))?;
        self.client.send(&record);
        self.flush().await
    }

    /// Waits for bytes of the server, and does what they say.
    pub(crate) async fn turn(&mut self, plan: &Plan) -> Result<(), Fault> {
        let mut events = Vec::new();
        let taken_all = self.read(&mut events).await?;
        for event in events {
            self.take(event, plan, taken_all).await?;
        }
        self.flush().await
    }

    async fn take(
        &mut self,
        event: ClientEvent,
        plan: &Plan,
        taken_all: bool,
    ) -> Result<(), Fault> {
        match event {
            ClientEvent::Connected { lu, .. } => {
                self.connected = true;
                self.lu = lu;
            }
            ClientEvent::Data {
                stream,
                response,
                sequence,
            } => return self.apply(&stream, response, sequence),
            ClientEvent::StartTls if taken_all => self.start_tls(plan).await?,
            ClientEvent::StartTls => {
                let text = "the server sent data between START-TLS and TLS";
                return Err(Fault::new(Kind::Connect, text));
            }
            ClientEvent::Rejected(reason) => {
                let text = format!("the server refused the device: {reason:?}");
                return Err(Fault::new(Kind::Rejected, text));
            }
            ClientEvent::Text(text) if !self.connected => {
                let text = String::from_utf8_lossy(&text).trim().to_owned();
                if !text.is_empty() {
                    return Err(Fault::new(Kind::Connect, format!("no 3270 host: {text}")));
                }
            }
            ClientEvent::Disconnected | ClientEvent::Closed(_) => {
                let text = "the server left 3270 mode";
                return Err(Fault::new(Kind::Broken, text));
            }
            _ => {}
        }
        Ok(())
    }

    fn apply(&mut self, stream: &[u8], response: u8, sequence: u16) -> Result<(), Fault> {
        match self.screen.apply(stream) {
            Ok(applied) => {
                if let Some(reply) = applied.reply {
                    self.client.send(&reply);
                }
                if response == RESPONSE_ALWAYS {
                    self.client.respond(sequence, Outcome::Done);
                }
                Ok(())
            }
            Err(error) => {
                if response == RESPONSE_ALWAYS || response == RESPONSE_ERROR {
                    self.client.respond(sequence, Outcome::CommandReject);
                }
                Err(Fault::new(Kind::Stream, error.to_string()))
            }
        }
    }

    /// Answers whether all bytes were taken.
    async fn read(&mut self, events: &mut Vec<ClientEvent>) -> Result<bool, Fault> {
        let broken = |text: String| Fault::new(Kind::Broken, text);
        let gone = || broken("the connection is gone".into());
        let stream = self.stream.as_mut().ok_or_else(gone)?;
        let (client, bytes_in) = (&mut self.client, &mut self.bytes_in);
        poll_fn(|cx| {
            SCRATCH.with_borrow_mut(|scratch| {
                let mut buffer = ReadBuf::new(&mut scratch[..]);
                match stream.poll_read(cx, &mut buffer) {
                    Poll::Pending => Poll::Pending,
                    Poll::Ready(Err(e)) => Poll::Ready(Err(broken(e.to_string()))),
                    Poll::Ready(Ok(())) if buffer.filled().is_empty() => {
                        Poll::Ready(Err(broken("the server ended the session".into())))
                    }
                    Poll::Ready(Ok(())) => {
                        let filled = buffer.filled();
                        *bytes_in += filled.len() as u64;
                        let taken = client.feed(filled, events);
                        Poll::Ready(Ok(taken == filled.len()))
                    }
                }
            })
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), Fault> {
        let out = std::mem::take(self.client.output());
        if out.is_empty() {
            return Ok(());
        }
        let sent = match &mut self.stream {
            Some(Stream::Plain(stream)) => stream.write_all(&out).await,
            Some(Stream::Tls(stream)) => match stream.write_all(&out).await {
                Ok(()) => stream.flush().await,
                failed => failed,
            },
            None => Ok(()),
        };
        sent.map_err(|e| Fault::new(Kind::Broken, e.to_string()))
    }

    async fn start_tls(&mut self, plan: &Plan) -> Result<(), Fault> {
        self.flush().await?;
        let taken = (self.stream.take(), &plan.connector);
        let (Some(Stream::Plain(socket)), Some(connector)) = taken else {
            return Err(Fault::new(Kind::Connect, "START-TLS inside TLS"));
        };
        let tls = connector.connect(socket).await;
        let tls = tls.map_err(|e| Fault::new(Kind::Connect, e.to_string()))?;
        self.stream = Some(Stream::Tls(Box::new(tls)));
        self.secure = true;
        self.client.tls_started();
        Ok(())
    }
}

impl Stream {
    fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        match self {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream.as_mut()).poll_read(cx, buffer),
        }
    }
}
