//! Bytes pass between client and host until one of them has enough.
//!
//! What: both directions of a session as one future without buffers; TIMING-MARK and the end of
//! idle sessions; an end that closes its direction only. Why not a task per direction: one wake-up
//! does what there is to do. Not here: how the legs began (`opening`).

use crate::counts::Counts;
use crate::leg::{Failed, Leg, Taken};
use crate::lus::{Denied, Lus};
use crate::proxy::{self, First};
use crate::scratch::Scratch;
use rustls::CommonState;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep_until};
use transom_datastream::telnet::{ASK_TIMING_MARK, Marks, Passing};
use transom_settings::RedirectedHostSettings;

/// How long one direction stays open when the other is closed.
const HALF_CLOSED: Duration = Duration::from_secs(30);

/// How a session ended.
#[derive(Debug)]
pub(crate) enum End {
    Client,
    Host,
    ClientFailed(Failed),
    HostFailed(Failed),
    /// Nobody sent anything.
    Idle,
    /// The client did not answer.
    Silent,
    /// One end was closed, and the other did not follow.
    HalfClosed,
    /// The client sent a header that only balancers send.
    Pretends,
    /// The client asks for an LU in a way that is not let through.
    Denied(Denied),
    /// The client's certificate is not taken any more.
    Withdrawn(&'static str),
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client => f.write_str("the client ended it"),
            Self::Host => f.write_str("the host ended it"),
            Self::ClientFailed(why) => write!(f, "the client failed: {why}"),
            Self::HostFailed(why) => write!(f, "the host failed: {why}"),
            Self::Idle => f.write_str("nobody sent anything for idle_seconds"),
            Self::Silent => f.write_str("the client did not answer a TIMING-MARK"),
            Self::HalfClosed => f.write_str("one side had closed it, and the other did not"),
            Self::Pretends => {
                f.write_str("the client sent a PROXY header and is not among proxy_from")
            }
            Self::Withdrawn(why) => {
                write!(
                    f,
                    "the certificate of the client is not taken any more: {why}"
                )
            }
            Self::Denied(Denied::NoTelnet) => {
                f.write_str("the client speaks no telnet, so which LU it asks for cannot be seen")
            }
            Self::Denied(Denied::Lu) => f.write_str("the client may not have the LU it asks for"),
        }
    }
}

/// A session while bytes pass.
pub(crate) struct Relay<'a> {
    client: Leg,
    host: Leg,
    counts: &'a Counts,
    times: Times,
    /// Of the host.
    passing: Passing,
    marks: Marks,
    /// Which LU the client gets.
    lus: Option<Box<Lus>>,
    /// First bytes of a client without TLS, until it is known what they are.
    head: Option<Vec<u8>>,
    client_ended: bool,
    host_ended: bool,
    /// Which of them was first.
    host_first: bool,
    pub(crate) passed: Passed,
    timer: Option<Pin<Box<Sleep>>>,
}

/// What passed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passed {
    pub(crate) from_client: u64,
    pub(crate) from_host: u64,
    pub(crate) records: u64,
}

struct Times {
    idle: Option<Duration>,
    mark: Option<Duration>,
    answer: Option<Duration>,
    /// Either side sent something.
    used: Instant,
    /// The client sent something, or was asked.
    heard: Instant,
    asked: Option<Instant>,
    half_closed: Option<Instant>,
}

impl Times {
    fn new(settings: &RedirectedHostSettings) -> Self {
        let now = Instant::now();
        Self {
            idle: settings.idle_seconds,
            mark: settings.timemark_seconds,
            answer: settings.answer_seconds,
            used: now,
            heard: now,
            asked: None,
            half_closed: None,
        }
    }

    /// When somebody must look.
    fn next(&self) -> Option<Instant> {
        [
            self.idle.map(|time| self.used + time),
            self.mark.map(|time| self.heard + time),
            self.asked
                .zip(self.answer)
                .map(|(asked, time)| asked + time),
            self.half_closed.map(|since| since + HALF_CLOSED),
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

impl<'a> Relay<'a> {
    /// TLS of the client, where there is any.
    pub(crate) fn client(&self) -> Option<&CommonState> {
        self.client.state()
    }

    /// Both legs are open.
    pub(crate) fn new(
        client: Leg,
        host: Leg,
        settings: &RedirectedHostSettings,
        counts: &'a Counts,
        lus: Option<Box<Lus>>,
    ) -> Self {
        Self {
            head: client.state().is_none().then(Vec::new),
            client,
            host,
            counts,
            times: Times::new(settings),
            passing: Passing::default(),
            marks: Marks::default(),
            lus,
            client_ended: false,
            host_ended: false,
            host_first: false,
            passed: Passed::default(),
            timer: None,
        }
    }

    /// Ready when the session has ended.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) -> Poll<End> {
        if let Some(end) = self.serve_client(cx, scratch) {
            return Poll::Ready(end);
        }
        if let Some(end) = self.serve_host(cx, scratch) {
            return Poll::Ready(end);
        }
        let full = self.client.is_full() || self.host.is_full();
        if self.client_ended && self.host_ended && !full {
            return Poll::Ready(if self.host_first {
                End::Host
            } else {
                End::Client
            });
        }
        match self.look_at_clock(cx, scratch) {
            Some(end) => Poll::Ready(end),
            None => Poll::Pending,
        }
    }

    /// Host to client.
    fn serve_client(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) -> Option<End> {
        loop {
            match self.client.poll_flush(cx) {
                Poll::Pending => return None,
                Poll::Ready(Err(why)) => return Some(End::ClientFailed(why)),
                Poll::Ready(Ok(())) if self.host_ended => return None,
                Poll::Ready(Ok(())) => {}
            }
            match self.host.poll_take(cx, scratch) {
                Poll::Pending => return None,
                Poll::Ready(Err(why)) => return Some(End::HostFailed(why)),
                Poll::Ready(Ok(Taken::End)) => {
                    self.host_first |= !self.client_ended;
                    self.host_ended = true;
                    self.client.close(&mut scratch.text.sealed, cx);
                    self.times.half_closed = Some(Instant::now());
                }
                Poll::Ready(Ok(Taken::Some)) => {
                    let plain = &scratch.text.plain;
                    if plain.is_empty() {
                        continue;
                    }
                    self.times.used = Instant::now();
                    let records = self.passing.pass(plain);
                    let count = plain.len() as u64;
                    self.passed.from_host += count;
                    self.passed.records += records;
                    self.counts.bytes_out.fetch_add(count, Relaxed);
                    self.counts.records_out.fetch_add(records, Relaxed);
                    if let Err(why) = self.client.put(plain, &mut scratch.text.sealed, cx) {
                        return Some(End::ClientFailed(why));
                    }
                }
            }
        }
    }

    /// Client to host.
    fn serve_host(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) -> Option<End> {
        loop {
            match self.host.poll_flush(cx) {
                Poll::Pending => return None,
                Poll::Ready(Err(why)) => return Some(End::HostFailed(why)),
                Poll::Ready(Ok(())) if self.client_ended => return None,
                Poll::Ready(Ok(())) => {}
            }
            match self.client.poll_take(cx, scratch) {
                Poll::Pending => return None,
                Poll::Ready(Err(why)) => return Some(End::ClientFailed(why)),
                Poll::Ready(Ok(Taken::End)) => {
                    self.client_ended = true;
                    let head = self.head.take().filter(|_| self.lus.is_none());
                    let head = head.unwrap_or_default();
                    if let Err(why) = self.host.put(&head, &mut scratch.text.sealed, cx) {
                        return Some(End::HostFailed(why));
                    }
                    self.host.close(&mut scratch.text.sealed, cx);
                    self.times.half_closed = Some(Instant::now());
                }
                Poll::Ready(Ok(Taken::Some)) => {
                    if let Some(end) = self.client_sent(cx, scratch) {
                        return Some(end);
                    }
                }
            }
        }
    }

    fn client_sent(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) -> Option<End> {
        let Scratch {
            text,
            filtered,
            named,
            ..
        } = scratch;
        if let Some(mut head) = self.head.take() {
            head.extend_from_slice(&text.plain);
            match proxy::first(&head) {
                First::Header => return Some(End::Pretends),
                First::Unknown => {
                    self.head = Some(head);
                    return None;
                }
                First::Other => text.plain = head,
            }
        }
        self.times.heard = Instant::now();
        self.times.asked = None;
        let mut bytes = &text.plain;
        if self.marks.awaits() {
            filtered.clear();
            self.marks.take(bytes, filtered);
            bytes = filtered;
        } else if self.times.mark.is_some() {
            self.marks.pass(bytes);
        }
        if let Some(lus) = &mut self.lus {
            let mut back = Vec::new();
            named.clear();
            if let Err(denied) = lus.pass(bytes, named, &mut back) {
                return Some(End::Denied(denied));
            }
            bytes = named;
            // A host that waits for this answer is between two records.
            let told = self.client.put(&back, &mut text.sealed, cx);
            if let Err(why) = told {
                return Some(End::ClientFailed(why));
            }
        }
        // An answer to a mark is no use of the session.
        if bytes.is_empty() {
            return None;
        }
        self.times.used = self.times.heard;
        let count = bytes.len() as u64;
        self.passed.from_client += count;
        self.counts.bytes_in.fetch_add(count, Relaxed);
        let put = self.host.put(bytes, &mut text.sealed, cx);
        put.err().map(End::HostFailed)
    }

    /// Does what is due, and sees to it that somebody looks again in time. The timer is set anew
    /// only when it has run out: bytes that pass cost no timer.
    fn look_at_clock(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) -> Option<End> {
        loop {
            let next = self.times.next()?;
            match &mut self.timer {
                None => {
                    self.timer = Some(Box::pin(sleep_until(next)));
                }
                Some(timer) if next < timer.deadline() => timer.as_mut().reset(next),
                Some(_) => {}
            }
            let timer = self.timer.as_mut()?;
            if timer.as_mut().poll(cx).is_pending() {
                return None;
            }
            let now = Instant::now();
            if let Some(end) = self.due(now, cx, scratch) {
                return Some(end);
            }
            let next = self.times.next()?;
            self.timer.as_mut()?.as_mut().reset(next.max(now));
        }
    }

    fn due(&mut self, now: Instant, cx: &mut Context<'_>, scratch: &mut Scratch) -> Option<End> {
        let over = |since: Option<Instant>, time: Option<Duration>| {
            since
                .zip(time)
                .is_some_and(|(since, time)| now >= since + time)
        };
        let times = &mut self.times;
        if over(times.half_closed, Some(HALF_CLOSED)) {
            return Some(End::HalfClosed);
        }
        if over(Some(times.used), times.idle) {
            return Some(End::Idle);
        }
        if over(times.asked, times.answer) {
            return Some(End::Silent);
        }
        if over(Some(times.heard), times.mark) {
            times.heard = now;
            let open = !self.client_ended && !self.host_ended && !self.client.is_full();
            if open && self.passing.is_between() && self.marks.ask() {
                times.asked.get_or_insert(now);
                let asked = self
                    .client
                    .put(&ASK_TIMING_MARK, &mut scratch.text.sealed, cx);
                return asked.err().map(End::ClientFailed);
            }
        }
        None
    }

    /// Tells both ends that it is over.
    pub(crate) fn close(&mut self, cx: &mut Context<'_>, scratch: &mut Scratch) {
        if !self.host_ended {
            self.client.close(&mut scratch.text.sealed, cx);
        }
        if !self.client_ended {
            self.host.close(&mut scratch.text.sealed, cx);
        }
    }
}
