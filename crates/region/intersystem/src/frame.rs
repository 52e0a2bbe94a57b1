//! Frames on a stream: four bytes of length, little-endian, then that many bytes.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest frame, bytes without the length. Containers beyond it need another way.
pub const FRAME_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bytes of the length.
pub(crate) const LENGTH_BYTES: usize = 4;
/// Frames are read in steps of at most this, so that a length alone reserves no memory.
const STEP_BYTES: usize = 256 * 1024;
/// A buffer larger than this is given back after use.
const KEPT_BYTES: usize = 1024 * 1024;
/// Time for the rest of a frame that began, and for a peer to take one.
pub const FRAME_TIME: Duration = Duration::from_secs(30);

/// Begins a frame in an empty buffer; the body is appended behind.
pub fn begin(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend_from_slice(&[0; LENGTH_BYTES]);
}

/// Fills in the length.
///
/// # Errors
/// The body is larger than [`FRAME_BYTES_MAX`].
pub fn end(buffer: &mut [u8]) -> io::Result<()> {
    let length = buffer.len() - LENGTH_BYTES;
    if length > FRAME_BYTES_MAX {
        let text = format!("{length} bytes are more than the {FRAME_BYTES_MAX} a frame may have");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    buffer[..LENGTH_BYTES].copy_from_slice(&(length as u32).to_le_bytes());
    Ok(())
}

/// The announced length, checked.
pub(crate) fn length(prefix: [u8; LENGTH_BYTES]) -> io::Result<usize> {
    let length = u32::from_le_bytes(prefix) as usize;
    if length > FRAME_BYTES_MAX {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "the frame is too large",
        ));
    }
    Ok(length)
}

/// Reads one frame into `buffer`, prefix and body. Waits for its begin as long as it takes.
///
/// # Errors
/// The peer went away, announces too much, sends more than a frame, or is too slow with the rest.
pub async fn read(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> io::Result<()> {
    if buffer.capacity() > KEPT_BYTES {
        *buffer = Vec::new();
    }
    // One read usually brings prefix and body together; what it brings too much cannot be: the peer
    // sends nothing before it has our answer.
    buffer.clear();
    buffer.reserve(8 * 1024);
    if stream.read_buf(buffer).await? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    if buffer.len() >= LENGTH_BYTES && buffer.len() == total(buffer)? {
        return Ok(());
    }
    tokio::time::timeout(FRAME_TIME, rest(stream, buffer))
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

/// Reads one frame to the begin of `buffer`, of which the first `used` bytes are done with, and
/// answers its length. Bytes of a frame after it stay behind it.
///
/// # Errors
/// The peer went away, announces too much, or is too slow with the rest.
pub async fn read_next(
    stream: &mut (impl AsyncRead + Unpin),
    buffer: &mut Vec<u8>,
    used: usize,
) -> io::Result<usize> {
    if used >= buffer.len() {
        read_some(stream, buffer).await?;
    } else {
        buffer.drain(..used);
    }
    match whole(buffer)? {
        Some(total) => Ok(total),
        None => tokio::time::timeout(FRAME_TIME, at_least(stream, buffer))
            .await
            .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?,
    }
}

/// The first bytes, in a buffer that was empty.
async fn read_some(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> io::Result<()> {
    if buffer.capacity() > KEPT_BYTES {
        *buffer = Vec::new();
    }
    buffer.clear();
    buffer.reserve(8 * 1024);
    match stream.read_buf(buffer).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

/// Length of the frame at the begin of the buffer, where all of it is there.
fn whole(buffer: &[u8]) -> io::Result<Option<usize>> {
    if buffer.len() < LENGTH_BYTES {
        return Ok(None);
    }
    let total = total(buffer)?;
    Ok((buffer.len() >= total).then_some(total))
}

async fn at_least(
    stream: &mut (impl AsyncRead + Unpin),
    buffer: &mut Vec<u8>,
) -> io::Result<usize> {
    loop {
        if let Some(total) = whole(buffer)? {
            return Ok(total);
        }
        let missing = match buffer.len() {
            0..LENGTH_BYTES => LENGTH_BYTES,
            length => total(buffer)? - length,
        };
        buffer.reserve(missing.min(STEP_BYTES));
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

async fn rest(stream: &mut (impl AsyncRead + Unpin), buffer: &mut Vec<u8>) -> io::Result<()> {
    while buffer.len() < LENGTH_BYTES {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let total = total(buffer)?;
    while buffer.len() < total {
        let missing = total - buffer.len();
        buffer.reserve(missing.min(STEP_BYTES));
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    if buffer.len() > total {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "bytes behind the frame",
        ));
    }
    Ok(())
}

/// Bytes of the whole frame whose prefix is in the buffer.
fn total(buffer: &[u8]) -> io::Result<usize> {
    let mut prefix = [0; LENGTH_BYTES];
    prefix.copy_from_slice(&buffer[..LENGTH_BYTES]);
    Ok(LENGTH_BYTES + length(prefix)?)
}

/// The body of a frame read by [`read`].
pub fn body(buffer: &[u8]) -> &[u8] {
    buffer.get(LENGTH_BYTES..).unwrap_or(&[])
}

/// Writes a finished frame.
pub async fn write(stream: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    tokio::time::timeout(FRAME_TIME, stream.write_all(frame))
        .await
        .map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}
