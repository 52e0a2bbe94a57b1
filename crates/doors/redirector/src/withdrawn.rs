//! Certificates of clients that are revoked while sessions run.
//!
//! What: files of authorities are looked at, and when one has changed, each session whose client
//! has shown a certificate asks whether it would be taken now. Why: a terminal is connected for
//! days, and whose certificate was stolen must not wait for its thief to leave. Not here: who
//! decides (`TerminalTls`), how a session ends (`session`).

use crate::host::Host;
use rustls::CommonState;
use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::watch::Receiver;
use tokio::time::sleep;
use transom_tcpip::TerminalTls;

/// Between two looks at the files.
const LOOK: Duration = Duration::from_secs(1);

/// Looks for ever whether other certificates are taken than before; sessions hear of it.
pub(crate) async fn look(host: &Host) {
    let changes = |tls: &Option<TerminalTls>| tls.as_ref().map_or(0, TerminalTls::changes);
    let mut plan = host.plan();
    let mut before = changes(&plan.accepting);
    loop {
        sleep(LOOK).await;
        let plan_now = host.plan();
        let now = changes(&plan_now.accepting);
        if now != before || !Arc::ptr_eq(&plan, &plan_now) {
            (plan, before) = (plan_now, now);
            host.trust.send_modify(|n| *n += 1);
        }
    }
}

type Changed = Pin<Box<dyn Future<Output = Receiver<u64>> + Send>>;

/// The certificate of a session's client; nothing, where it showed none.
pub(crate) struct Shown(Option<Changed>);

impl Shown {
    /// `changes` is from before the handshake: nothing is missed.
    pub(crate) fn new(changes: Option<Receiver<u64>>, has_one: bool) -> Self {
        Self(changes.filter(|_| has_one).map(next))
    }

    /// Why it is taken no more, as soon as it is not.
    pub(crate) fn poll(
        &mut self,
        cx: &mut Context<'_>,
        host: &Host,
        client: Option<&CommonState>,
    ) -> Option<&'static str> {
        let client = client?;
        while let Poll::Ready(changes) = self.0.as_mut()?.as_mut().poll(cx) {
            let plan = host.plan();
            let tls = plan.accepting.as_ref();
            if let Some(why) = tls.and_then(|tls| tls.withdrawn(client)) {
                return Some(why);
            }
            self.0 = Some(next(changes));
        }
        None
    }
}

fn next(mut changes: Receiver<u64>) -> Changed {
    Box::pin(async move {
        if changes.changed().await.is_err() {
            pending::<()>().await;
        }
        changes
    })
}
