//! A bound listener.

use crate::desk::Desk;
use crate::serve;
use crate::shared::Shared;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use transom_http::Logons;
use transom_tcpip::{Listener, ListenerCounters};

/// The listener. Clones share it.
#[derive(Clone)]
pub struct Operations {
    shared: Arc<Shared>,
}

impl Operations {
    pub(crate) fn new(listener: Listener, desk: Desk, (logon, rows_max): (bool, usize)) -> Self {
        Self {
            shared: Arc::new(Shared {
                logons: Logons::new(desk.users.clone()),
                listener,
                desk,
                logon,
                rows_max,
                metrics: Mutex::new(None),
            }),
        }
    }

    /// The address really bound.
    pub fn address(&self) -> SocketAddr {
        self.shared.listener.address()
    }

    /// It is HTTPS.
    pub fn secure(&self) -> bool {
        self.shared.listener.secure()
    }

    /// Counters of the listener.
    pub fn listener_counters(&self) -> &Arc<ListenerCounters> {
        self.shared.listener.counters()
    }

    /// Serves on a thread of its own, for ever. `ended` is called with the reason when it cannot.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start(self, ended: impl FnOnce(io::Error) + Send + 'static) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            // Checks of passwords.
            .max_blocking_threads(2)
            .build()?;
        let serve = move || {
            let reaper = self.shared.listener.clone();
            runtime.spawn(async move { reaper.reap().await });
            if let Err(why) = runtime.block_on(serve::accept(self.shared)) {
                ended(why);
            }
        };
        let thread = std::thread::Builder::new().name("operations".to_owned());
        thread.spawn(serve).map(drop)
    }
}
