//! A bound socket, its connections and their end.

use crate::TcpError;
use crate::limits::{Limits, ListenerCounters};
use crate::registry::{CloseReason, Registry, Watch, sweep_interval};
use crate::stream::Stream;
use crate::tls::Tls;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use transom_messages as messages;

/// What to listen on.
#[derive(Debug, Clone)]
pub struct ListenerConfig {
    /// Address and port; port 0 takes a free one.
    pub address: SocketAddr,
    /// Certificate and key; `None` listens without TLS.
    pub tls: Option<Tls>,
    /// Bounds.
    pub limits: Limits,
}

/// A bound socket. Clones share it: each serving thread accepts from its own clone.
#[derive(Clone)]
pub struct Listener {
    shared: Arc<Shared>,
}

struct Shared {
    socket: std::net::TcpListener,
    address: SocketAddr,
    tls: Option<Tls>,
    limits: Limits,
    counters: ListenerCounters,
    slots: Arc<Semaphore>,
    open: AtomicUsize,
    registry: Registry,
}

impl Listener {
    /// Binds and listens.
    ///
    /// # Errors
    /// TXMTC0001E with the address and the operating system's reason.
    pub fn bind(config: ListenerConfig) -> Result<Self, TcpError> {
        let socket = bind(&config)
            .map_err(|e| TcpError::new(messages::tc::cannot_listen(config.address, &e)))?;
        let address = socket.local_addr().unwrap_or(config.address);
        let slots = config.limits.connections.min(Semaphore::MAX_PERMITS);
        Ok(Self {
            shared: Arc::new(Shared {
                socket,
                address,
                counters: ListenerCounters::new(&config.limits),
                slots: Arc::new(Semaphore::new(slots)),
                open: AtomicUsize::new(0),
                registry: Registry::new(),
                tls: config.tls,
                limits: config.limits,
            }),
        })
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.shared.address
    }

    /// True when connections are TLS.
    pub fn secure(&self) -> bool {
        self.shared.tls.is_some()
    }

    /// The bounds.
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    /// The counters of the bounds.
    pub fn counters(&self) -> &ListenerCounters {
        &self.shared.counters
    }

    /// Connections open now.
    pub fn open(&self) -> usize {
        self.shared.open.load(Relaxed)
    }

    /// Registers the socket with the current tokio runtime. One per serving thread.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn acceptor(&self) -> io::Result<Acceptor> {
        let socket = TcpListener::from_std(self.shared.socket.try_clone()?)?;
        Ok(Acceptor {
            socket,
            shared: self.shared.clone(),
        })
    }

    /// Closes connections that wait too long, for ever. Run it as one task per listener.
    pub async fn reap(&self) {
        let mut every = tokio::time::interval(sweep_interval(&self.shared.limits));
        every.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            every.tick().await;
            self.shared
                .registry
                .sweep(&self.shared.limits, &self.shared.counters);
        }
    }

    /// Asks every connection to finish its present request and close, and waits for that, at most
    /// `time`. Returns how many were still open then.
    pub async fn drain(&self, time: Duration) -> usize {
        self.shared.registry.drain();
        let all = u32::try_from(self.shared.limits.connections).unwrap_or(u32::MAX);
        let _ = tokio::time::timeout(time, self.shared.slots.acquire_many(all)).await;
        self.open()
    }
}

/// One thread's view of the listening socket.
pub struct Acceptor {
    socket: TcpListener,
    shared: Arc<Shared>,
}

impl Acceptor {
    /// Waits for the next connection. Errors of one connection and a lack of file descriptors are
    /// waited out, never returned.
    pub async fn accept(&self) -> Incoming {
        loop {
            let slot = self.slot().await;
            match self.socket.accept().await {
                Ok((stream, peer)) => {
                    let _ = stream.set_nodelay(true);
                    let (number, watch, closed) = self.shared.registry.add();
                    let open = self.shared.open.fetch_add(1, Relaxed) + 1;
                    self.shared.counters.connections.saw(open as u64);
                    let guard = Guard {
                        number,
                        shared: self.shared.clone(),
                        _slot: slot,
                    };
                    return Incoming {
                        stream,
                        peer,
                        watch,
                        closed,
                        guard,
                    };
                }
                // ECONNABORTED and the like concern one client; EMFILE needs a pause.
                Err(e) if e.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    }

    async fn slot(&self) -> OwnedSemaphorePermit {
        if let Ok(slot) = self.shared.slots.clone().try_acquire_owned() {
            return slot;
        }
        self.shared.counters.connections.hit();
        match self.shared.slots.clone().acquire_owned().await {
            Ok(slot) => slot,
            // The semaphore is never closed.
            Err(_) => std::future::pending().await,
        }
    }
}

/// Takes the connection out of the registry and gives its slot back.
struct Guard {
    number: u64,
    shared: Arc<Shared>,
    _slot: OwnedSemaphorePermit,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.shared.registry.remove(self.number);
        self.shared.open.fetch_sub(1, Relaxed);
    }
}

/// An accepted connection before its TLS handshake.
pub struct Incoming {
    stream: TcpStream,
    peer: SocketAddr,
    watch: Arc<Watch>,
    closed: oneshot::Receiver<CloseReason>,
    guard: Guard,
}

impl Incoming {
    /// Does the TLS handshake, if there is one to do.
    ///
    /// # Errors
    /// The handshake failed or took longer than `handshake_time`.
    pub async fn open(self) -> io::Result<Connection> {
        let Incoming {
            stream,
            peer,
            watch,
            closed,
            guard,
        } = self;
        let shared = &guard.shared;
        let local = stream.local_addr()?;
        let stream = match &shared.tls {
            None => Stream::plain(stream, watch.clone()),
            Some(tls) => {
                // On the heap: a session keeps the room of every future inside its own.
                let shake = Box::pin(tls.acceptor().accept(stream));
                match tokio::time::timeout(shared.limits.handshake_time, shake).await {
                    Ok(done) => Stream::tls(done?, watch.clone()),
                    Err(_) => {
                        shared.counters.handshake_time.hit();
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                }
            }
        };
        let secure = guard.shared.tls.is_some();
        Ok(Connection {
            stream,
            peer,
            local,
            secure,
            watch,
            closed,
            open: OpenConnection(guard),
        })
    }
}

/// A connection ready for a door's protocol.
pub struct Connection {
    /// The bytes.
    pub stream: Stream,
    /// The other end.
    pub peer: SocketAddr,
    /// This end.
    pub local: SocketAddr,
    /// The bytes travel over TLS.
    pub secure: bool,
    /// Where the door notes what it waits for.
    pub watch: Arc<Watch>,
    /// Fires when the listener wants the connection to end.
    pub closed: oneshot::Receiver<CloseReason>,
    /// Keep it as long as the connection lives.
    pub open: OpenConnection,
}

/// Proof that a connection counts as open.
pub struct OpenConnection(#[allow(dead_code)] Guard);

fn bind(config: &ListenerConfig) -> io::Result<std::net::TcpListener> {
    use socket2::{Domain, Protocol, Socket, Type};
    let socket = Socket::new(
        Domain::for_address(config.address),
        Type::STREAM,
        Some(Protocol::TCP),
    )?;
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&config.address.into())?;
    socket.listen(config.limits.backlog)?;
    Ok(socket.into())
}
