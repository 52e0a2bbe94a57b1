//! The body of a reply: one buffer of the pool, which goes back there when its last byte has been
//! written, or bytes kept elsewhere.

use crate::buffers::give_buffer;
use bytes::{Buf, Bytes};
use hyper::body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A reply's body: one buffer, or nothing.
#[derive(Debug, Default)]
pub(crate) struct ReplyBody(Option<ReplyData>);

/// The bytes of a reply, read once from front to back.
#[derive(Debug)]
pub(crate) enum ReplyData {
    /// A pooled buffer and how much of it is written.
    Pooled(Vec<u8>, usize),
    /// Bytes kept elsewhere, such as a deployed document.
    Shared(Bytes),
}

impl ReplyBody {
    /// A body from the pool.
    pub(crate) fn pooled(buffer: Vec<u8>) -> Self {
        Self(Some(ReplyData::Pooled(buffer, 0)))
    }

    /// Bytes of the body.
    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, Buf::remaining)
    }
}

impl From<String> for ReplyBody {
    fn from(text: String) -> Self {
        Self(Some(ReplyData::Shared(text.into())))
    }
}

impl From<Bytes> for ReplyBody {
    fn from(bytes: Bytes) -> Self {
        Self(Some(ReplyData::Shared(bytes)))
    }
}

impl Body for ReplyBody {
    type Data = ReplyData;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<ReplyData>, Infallible>>> {
        Poll::Ready(self.0.take().map(|data| Ok(Frame::data(data))))
    }

    fn is_end_stream(&self) -> bool {
        self.len() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.len() as u64)
    }
}

impl Buf for ReplyData {
    fn remaining(&self) -> usize {
        match self {
            ReplyData::Pooled(buffer, written) => buffer.len() - written,
            ReplyData::Shared(bytes) => bytes.len(),
        }
    }

    fn chunk(&self) -> &[u8] {
        match self {
            ReplyData::Pooled(buffer, written) => &buffer[*written..],
            ReplyData::Shared(bytes) => bytes,
        }
    }

    fn advance(&mut self, count: usize) {
        match self {
            ReplyData::Pooled(buffer, written) => *written = (*written + count).min(buffer.len()),
            ReplyData::Shared(bytes) => bytes.advance(count),
        }
    }
}

impl Drop for ReplyData {
    fn drop(&mut self) {
        if let ReplyData::Pooled(buffer, _) = self {
            give_buffer(std::mem::take(buffer));
        }
    }
}
