//! What runs for a host: accepting in each thread, and looking after its targets and the
//! certificates of its clients.
//!
//! Not here: what a session does (`session`).

use crate::health;
use crate::host::Host;
use crate::session;
use crate::withdrawn;
use std::sync::Arc;
use tokio::runtime::Handle;
use transom_messages as messages;

/// Begins; it ends with [`Host::stop`].
pub(crate) fn begin(host: &Arc<Host>, threads: &[Handle]) {
    for thread in threads {
        host.keep(thread.spawn(accept(host.clone())).abort_handle());
    }
    if let Some(thread) = threads.first() {
        let host_looked_at = host.clone();
        let look = thread.spawn(async move { health::look(&host_looked_at).await });
        host.keep(look.abort_handle());
        let host_looked_at = host.clone();
        let look = thread.spawn(async move { withdrawn::look(&host_looked_at).await });
        host.keep(look.abort_handle());
    }
}

async fn accept(host: Arc<Host>) {
    let acceptor = match host.listener.acceptor() {
        Ok(acceptor) => acceptor,
        Err(error) => {
            let name = &host.plan().name;
            host.shared
                .operator
                .tell(messages::rd::not_served(name, &error));
            return;
        }
    };
    loop {
        let incoming = acceptor.accept().await;
        tokio::spawn(session::serve(host.clone(), incoming));
    }
}
