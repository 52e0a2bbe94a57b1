//! A connection to another region, whatever carries it.
//!
//! Not here: what is said over it (`frames`), finding the other one (`reach`).

use crate::frames::{Answered, Asked};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, ReadBuf, ReadHalf, WriteHalf};
use transom_intersystem::frame;
use transom_language::append;

/// What can carry frames.
pub(crate) trait Carrier: AsyncRead + AsyncWrite + Send + Sync + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Sync + Unpin> Carrier for T {}

/// One connection with its buffers.
pub(crate) struct Stream {
    carrier: Box<dyn Carrier>,
    input: Vec<u8>,
    /// Bytes of the last frame in `input`; what is behind them came with it.
    used: usize,
    output: Vec<u8>,
}

impl Stream {
    pub(crate) fn new(carrier: impl Carrier + 'static) -> Self {
        Self {
            carrier: Box::new(carrier),
            input: Vec::new(),
            used: 0,
            output: Vec::new(),
        }
    }

    /// Asks and waits for the answer.
    pub(crate) async fn exchange(&mut self, asked: &Asked) -> io::Result<Answered> {
        self.output = framed(std::mem::take(&mut self.output), |out| append(out, asked))?;
        frame::write(&mut self.carrier, &self.output).await?;
        self.receive().await?;
        if self.has_more() {
            return Err(damaged());
        }
        Answered::decode(self.body()).ok_or_else(damaged)
    }

    /// Says something that has no answer.
    pub(crate) async fn say(&mut self, asked: &Asked) -> io::Result<()> {
        self.output = framed(std::mem::take(&mut self.output), |out| append(out, asked))?;
        frame::write(&mut self.carrier, &self.output).await
    }

    /// Both directions apart.
    pub(crate) fn halves(&mut self) -> (ReadHalf<&mut dyn Carrier>, WriteHalf<&mut dyn Carrier>) {
        tokio::io::split(&mut *self.carrier)
    }

    /// Bytes of the last exchange, sent and received.
    pub(crate) fn bytes(&self) -> (u64, u64) {
        (self.output.len() as u64, self.used as u64)
    }

    /// Waits for what is asked.
    pub(crate) async fn asked(&mut self) -> io::Result<Asked> {
        self.receive().await?;
        Asked::decode(self.body()).ok_or_else(damaged)
    }

    /// The other end has said more than the last frame already.
    pub(crate) fn has_more(&self) -> bool {
        self.input.len() > self.used
    }

    async fn receive(&mut self) -> io::Result<()> {
        let used = std::mem::take(&mut self.used);
        self.used = frame::read_next(&mut self.carrier, &mut self.input, used).await?;
        Ok(())
    }

    fn body(&self) -> &[u8] {
        frame::body(self.input.get(..self.used).unwrap_or_default())
    }

    /// Answers.
    pub(crate) async fn answer(&mut self, answered: &Answered) -> io::Result<()> {
        let before = std::mem::take(&mut self.output);
        self.output = match framed(before, |out| append(out, answered)) {
            Ok(output) => output,
            Err(error) => {
                let text = error.to_string();
                let failed = Answered::Abended {
                    code: transom_types::AbendCode::from_field(b"ASTG"),
                    text,
                };
                framed(Vec::new(), |out| append(out, &failed))?
            }
        };
        frame::write(&mut self.carrier, &self.output).await
    }

    /// Nothing may come while nothing was asked: the other end is there and waits.
    pub(crate) fn is_quiet(&mut self) -> bool {
        if self.has_more() {
            return false;
        }
        let mut byte = [0];
        let mut buffer = ReadBuf::new(&mut byte);
        let mut context = Context::from_waker(Waker::noop());
        let polled = Pin::new(&mut self.carrier).poll_read(&mut context, &mut buffer);
        matches!(polled, Poll::Pending)
    }

    /// Ends when the other end is gone, or speaks out of turn.
    pub(crate) async fn gone(&mut self) {
        if self.has_more() {
            return;
        }
        let mut byte = [0];
        // Either is the end of the conversation.
        let _ = self.carrier.read(&mut byte).await;
    }

    /// Ends the connection.
    pub(crate) async fn close(mut self) {
        let shut = poll_fn(|context| Pin::new(&mut self.carrier).poll_shutdown(context));
        let _ = tokio::time::timeout(frame::FRAME_TIME, shut).await;
    }
}

fn framed(mut buffer: Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) -> io::Result<Vec<u8>> {
    frame::begin(&mut buffer);
    body(&mut buffer);
    frame::end(&mut buffer)?;
    Ok(buffer)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "not a frame of this protocol")
}
