//! The body of a request without needless copies.
//!
//! A body that arrives in one piece is used where it lies, a body in several pieces is put together
//! in a pooled buffer, never beyond the listener's limit.

use crate::buffers::{give_buffer, take_buffer};
use crate::errors::{self, Failure};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use transom_tcpip::Listener;

/// A request's body, complete.
pub(crate) enum RequestBody {
    /// It came in one piece.
    One(Bytes),
    /// It was put together.
    Many(Gathered),
}

/// A body put together in a pooled buffer, counted in the listener's budget while it lives.
pub(crate) struct Gathered {
    buffer: Vec<u8>,
    taken: u64,
    listener: Listener,
}

impl RequestBody {
    /// The bytes.
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            RequestBody::One(bytes) => bytes,
            RequestBody::Many(gathered) => &gathered.buffer,
        }
    }

    /// The bytes as shared ones, for work on another thread.
    pub(crate) fn into_bytes(self) -> Bytes {
        match self {
            RequestBody::One(bytes) => bytes,
            RequestBody::Many(mut gathered) => Bytes::from(std::mem::take(&mut gathered.buffer)),
        }
    }
}

impl Gathered {
    fn push(&mut self, piece: &[u8]) -> Result<(), Failure> {
        let limit = self.listener.limits().body_bytes;
        let counters = self.listener.counters();
        let size = piece.len() as u64;
        if self.taken + size > limit {
            counters.body_bytes.hit();
            return Err(errors::too_large(limit));
        }
        if !counters.bodies_bytes.take(size) {
            return Err(errors::bodies_busy());
        }
        self.taken += size;
        self.buffer.extend_from_slice(piece);
        Ok(())
    }
}

impl Drop for Gathered {
    fn drop(&mut self) {
        self.listener.counters().bodies_bytes.give(self.taken);
        give_buffer(std::mem::take(&mut self.buffer));
    }
}

/// Reads a whole body.
///
/// # Errors
/// 413 as soon as the announced or received length passes the limit, 503 when the bodies of all
/// requests together do, 408 when it takes longer than `body_time`, 400 when the client breaks off.
pub(crate) async fn read(mut body: Incoming, listener: &Listener) -> Result<RequestBody, Failure> {
    let (limits, counters) = (listener.limits(), listener.counters());
    let announced = body.size_hint().lower();
    if announced > limits.body_bytes {
        counters.body_bytes.hit();
        return Err(errors::too_large(limits.body_bytes));
    }
    if body.is_end_stream() {
        return Ok(RequestBody::One(Bytes::new()));
    }
    let read = collect(&mut body, announced, listener);
    match tokio::time::timeout(limits.body_time, read).await {
        Ok(done) => done,
        Err(_) => {
            counters.body_time.hit();
            Err(errors::body_time(limits.body_time.as_secs()))
        }
    }
}

async fn collect(
    body: &mut Incoming,
    announced: u64,
    listener: &Listener,
) -> Result<RequestBody, Failure> {
    let counters = listener.counters();
    let Some(first) = next(body).await? else {
        return Ok(RequestBody::One(Bytes::new()));
    };
    if body.is_end_stream() || (announced > 0 && first.len() as u64 == announced) {
        counters.body_bytes.saw(first.len() as u64);
        return Ok(RequestBody::One(first));
    }
    let mut all = Gathered {
        buffer: take_buffer(),
        taken: 0,
        listener: listener.clone(),
    };
    all.push(&first)?;
    while let Some(piece) = next(body).await? {
        all.push(&piece)?;
    }
    counters.body_bytes.saw(all.taken);
    Ok(RequestBody::Many(all))
}

/// The next piece of data; trailers are skipped.
async fn next(body: &mut Incoming) -> Result<Option<Bytes>, Failure> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(_)) => return Err(errors::body_broken()),
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}
