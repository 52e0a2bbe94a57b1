//! One session from its first byte to its last.
//!
//! What: who the client is and whether it may, its handshake, a target, then bytes. Why here: what
//! is told and counted of a session is told and counted in one place. Not here: how each is done.

use crate::counts::count;
use crate::host::Host;
use crate::leg::Leg;
use crate::limit::Place;
use crate::lus::Lus;
use crate::opening::{self, Ends};
use crate::plan::Plan;
use crate::relay::{End, Passed, Relay};
use crate::scratch;
use crate::targets::Target;
use crate::withdrawn::Shown;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::task::Poll;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};
use transom_messages as messages;
use transom_tcpip::{CloseReason, Counted, Incoming, RawConnection, TerminalTls, shown};

/// What a session holds of bounds.
struct Places {
    _all: Place,
    _of_host: Place,
    _of_client: Counted,
}

/// A session that has both its ends.
struct Opened {
    target: Arc<Target>,
    client: Leg,
    host: Leg,
}

/// Serves one connection to its end.
pub(crate) async fn serve(host: Arc<Host>, incoming: Incoming) {
    let Ok(mut connection) = incoming.raw() else {
        return;
    };
    let plan = host.plan();
    let begin = Instant::now();
    let asks = plan.accepting.as_ref().is_some_and(TerminalTls::asks);
    let changes = asks.then(|| host.trust.subscribe());
    let Some((client, _places)) = Box::pin(admit(&host, &plan, &mut connection)).await else {
        return;
    };
    let RawConnection {
        socket,
        local,
        mut closed,
        open: _open,
        ..
    } = connection;
    let ends = Ends { client, local };
    let Some(opened) = Box::pin(open(&host, &plan, socket, ends, begin)).await else {
        return;
    };
    let _session = opened.target.sessions.enter(0);
    count(&host.counts.begun);
    let number = host.shared.number();
    tell_begin(&host, &plan, number, client, &opened);
    let certificate = opened.client.state().and_then(shown);
    let mut shown = Shown::new(changes, certificate.is_some());
    let lus = Lus::of(&host, &plan.lus, client, certificate.as_ref());
    let mut relay = Relay::new(
        opened.client,
        opened.host,
        &plan.settings,
        &host.counts,
        lus,
    );
    let end = poll_fn(|cx| {
        if let Poll::Ready(reason) = Pin::new(&mut closed).poll(cx) {
            return Poll::Ready(Err(reason.unwrap_or(CloseReason::Drain)));
        }
        if let Some(why) = shown.poll(cx, &host, relay.client()) {
            return Poll::Ready(Ok(End::Withdrawn(why)));
        }
        scratch::with(|scratch| relay.poll(cx, scratch)).map(Ok)
    })
    .await;
    if !matches!(end, Ok(End::ClientFailed(_) | End::HostFailed(_))) {
        poll_fn(|cx| {
            scratch::with(|scratch| relay.close(cx, scratch));
            Poll::Ready(())
        })
        .await;
    }
    note(&host, &end, client);
    tell_end(&host, &plan, number, begin, &end, relay.passed);
}

/// The handshake of the client, then a target; `None`: what failed was told.
async fn open(
    host: &Host,
    plan: &Plan,
    socket: TcpStream,
    ends: Ends,
    begin: Instant,
) -> Option<Opened> {
    let left = host.shared.handshake().saturating_sub(begin.elapsed());
    let client = match timeout(left, opening::client(plan, socket)).await {
        Ok(Ok(leg)) => leg,
        Ok(Err(refused)) => {
            not_opened(host, plan, ends.client, &refused);
            return None;
        }
        Err(_) => {
            count(&host.counts.handshakes_late);
            host.refuse(
                ends.client,
                "its handshake took longer than handshake_seconds",
            );
            return None;
        }
    };
    match opening::target(plan, &host.counts, ends).await {
        Ok((target, leg)) => Some(Opened {
            target,
            client,
            host: leg,
        }),
        Err(why) => {
            count(&host.counts.without_target);
            let why = why.map_or_else(|| "there is none".to_owned(), |why| why.to_string());
            host.no_target(ends.client, why);
            None
        }
    }
}

fn tell_begin(host: &Host, plan: &Plan, number: u64, client: SocketAddr, opened: &Opened) {
    if plan.settings.log {
        let certificate = opened.client.state().and_then(shown);
        let from = certificate.map_or_else(String::new, |c| format!(" ({})", c.subject));
        let target = &opened.target.name;
        let told = messages::rd::session_begun(number, &plan.name, client, from, target);
        host.shared.operator.tell(told);
    }
}

fn tell_end(
    host: &Host,
    plan: &Plan,
    number: u64,
    begin: Instant,
    end: &Result<End, CloseReason>,
    passed: Passed,
) {
    if plan.settings.log {
        let why = match end {
            Ok(end) => end.to_string(),
            Err(_) => "the redirector ended it".to_owned(),
        };
        let told = messages::rd::session_ended(
            number,
            &plan.name,
            begin.elapsed().as_secs(),
            why,
            passed.from_client,
            passed.from_host,
            passed.records,
        );
        host.shared.operator.tell(told);
    }
}

/// Who the client is, with what its session holds of bounds; `None`: it has none.
async fn admit(
    host: &Host,
    plan: &Plan,
    connection: &mut RawConnection,
) -> Option<(SocketAddr, Places)> {
    let peer = connection.peer;
    let client = if plan.is_balancer(peer.ip()) {
        let time = host.shared.handshake();
        let read = timeout(time, crate::proxy::read(&mut connection.socket)).await;
        match read.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            // It only looked whether somebody is here.
            Ok(None) => return None,
            Ok(Some(client)) => client,
            Err(error) => {
                count(&host.counts.not_allowed);
                host.refuse(peer, &error.to_string());
                return None;
            }
        }
    } else {
        SocketAddr::new(peer.ip().to_canonical(), peer.port())
    };
    if !plan.allows(client.ip()) {
        count(&host.counts.not_allowed);
        host.refuse(client, "allow and deny do not let it in");
        return None;
    }
    let settings = &plan.settings;
    let Some(of_client) = host
        .clients
        .enter(client.ip(), settings.max_sessions_per_client)
    else {
        host.counts.per_client.hit();
        host.refuse(client, "it has max_sessions_per_client sessions");
        return None;
    };
    let Some(of_host) = host.counts.sessions.enter(settings.max_sessions) else {
        host.refuse(client, "there are max_sessions sessions of the host");
        return None;
    };
    let Some(all) = host.shared.sessions.enter(host.shared.most()) else {
        host.refuse(client, "there are max_sessions sessions of all hosts");
        return None;
    };
    let places = Places {
        _all: all,
        _of_host: of_host,
        _of_client: of_client,
    };
    Some((client, places))
}

fn not_opened(host: &Host, plan: &Plan, client: SocketAddr, refused: &opening::Refused) {
    count(&host.counts.handshakes_failed);
    if let (opening::Refused::Client(crate::leg::Failed::Tls(error)), Some(tls)) =
        (refused, &plan.accepting)
    {
        tls.failed(error, client);
    }
    host.refuse(client, &refused.to_string());
}

fn note(host: &Host, end: &Result<End, CloseReason>, client: SocketAddr) {
    let counts = &host.counts;
    match end {
        Ok(End::Idle) => counts.idle.fetch_add(1, Relaxed),
        Ok(End::Silent) => counts.silent.fetch_add(1, Relaxed),
        Ok(end @ (End::Pretends | End::Denied(_) | End::Withdrawn(_))) => {
            host.refuse(client, &end.to_string());
            counts.not_allowed.fetch_add(1, Relaxed)
        }
        _ => 0,
    };
}
