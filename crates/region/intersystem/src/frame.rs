//! Frames on a stream: four bytes of length, little-endian, then that many bytes.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Largest frame, bytes without the length. Containers beyond it need another way.
pub const FRAME_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Bytes of the length.
pub(crate) const LENGTH_BYTES: usize = 4;
/// Frames are read in steps of at most this, so that a length alone reserves no memory.
const STEP_BYTES: usize = 256 * 1024;

/// Begins a frame in an empty buffer; the body is appended behind.
pub(crate) fn begin(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend_from_slice(&[0; LENGTH_BYTES]);
}

/// Fills in the length.
///
/// # Errors
/// The body is larger than [`FRAME_BYTES_MAX`].
pub(crate) fn end(buffer: &mut [u8]) -> io::Result<()> {
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

/// Reads one frame's body into `buffer`.
pub(crate) async fn read(
    stream: &mut (impl AsyncRead + Unpin),
    buffer: &mut Vec<u8>,
) -> io::Result<()> {
    // One read usually brings prefix and body together; what it brings too much cannot be: the peer
    // sends nothing before it has our answer.
    buffer.clear();
    buffer.reserve(8 * 1024);
    while buffer.len() < LENGTH_BYTES {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    let mut prefix = [0; LENGTH_BYTES];
    prefix.copy_from_slice(&buffer[..LENGTH_BYTES]);
    let total = LENGTH_BYTES + length(prefix)?;
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

/// The body of a frame read by [`read`].
pub(crate) fn body(buffer: &[u8]) -> &[u8] {
    buffer.get(LENGTH_BYTES..).unwrap_or(&[])
}

/// Writes a finished frame.
pub(crate) async fn write(stream: &mut (impl AsyncWrite + Unpin), frame: &[u8]) -> io::Result<()> {
    stream.write_all(frame).await
}
