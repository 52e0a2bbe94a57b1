//! A connection on which both ends may speak.
//!
//! Why apart from `Stream`: a task may end while its terminal is asked, and the terminal's region
//! must hear of it. A frame is read to its end before another one is, so bytes of the next one
//! stay where they are. Not here: what is said (`relay`, `surrogate`).

use std::io;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use transom_intersystem::frame;
use transom_language::{Value, append, whole};

/// Bytes of the length.
const LENGTH_BYTES: usize = 4;

/// Reads one value; the reader comes back with it. Waits for its begin as long as it takes.
pub(super) async fn next<R, T>(mut reader: R) -> (R, io::Result<T>)
where
    R: AsyncRead + Unpin,
    T: Value,
{
    let read = frame_of(&mut reader).await;
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "not a frame of this protocol");
    let value = read.and_then(|bytes| whole(&bytes).ok_or_else(damaged));
    (reader, value)
}

async fn frame_of(reader: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut length = [0; LENGTH_BYTES];
    let (first, rest) = length.split_at_mut(1);
    reader.read_exact(first).await?;
    within(frame::FRAME_TIME, reader.read_exact(rest)).await?;
    let length = u32::from_le_bytes(length) as usize;
    if length > frame::FRAME_BYTES_MAX {
        let text = "the frame is too large";
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    // It grows as bytes come: a length alone reserves no memory.
    let mut bytes = Vec::new();
    let body = reader.take(length as u64);
    within(frame::FRAME_TIME, { body }.read_to_end(&mut bytes)).await?;
    match bytes.len() == length {
        true => Ok(bytes),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Writes one value; how many bytes that were.
pub(super) async fn send(
    writer: &mut (impl AsyncWrite + Unpin),
    value: &impl Value,
) -> io::Result<u64> {
    let mut buffer = Vec::new();
    frame::begin(&mut buffer);
    append(&mut buffer, value);
    frame::end(&mut buffer)?;
    frame::write(writer, &buffer).await?;
    Ok(buffer.len() as u64)
}

async fn within<T>(limit: Duration, doing: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    let done = tokio::time::timeout(limit, doing).await;
    done.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn two_frames_that_came_together_are_two() {
        let (mut there, here) = tokio::io::duplex(64);
        send(&mut there, &7u32).await.unwrap();
        send(&mut there, &8u32).await.unwrap();
        let (here, first) = next::<_, u32>(here).await;
        let (_, second) = next::<_, u32>(here).await;
        assert_eq!((first.unwrap(), second.unwrap()), (7, 8));
    }

    #[tokio::test]
    async fn a_frame_that_is_cut_or_too_long_is_none() {
        for (bytes, kind) in [
            (&[9, 0, 0, 0, 1][..], io::ErrorKind::UnexpectedEof),
            (&[9, 0], io::ErrorKind::UnexpectedEof),
            (&[0, 0, 0, 0x7F], io::ErrorKind::InvalidData),
            (&[1, 0, 0, 0, 1], io::ErrorKind::InvalidData),
        ] {
            let (_, read) = next::<_, u32>(bytes).await;
            assert_eq!(read.unwrap_err().kind(), kind, "{bytes:?}");
        }
    }
}
