//! The control channel between region and zygote: small messages on a seqpacket socket.
//!
//! What: the messages, and sending and receiving them. Why not shared memory: the channel also
//! tells each side that the other is gone. Not here: tasks, which never pass through it.

use std::io;
use std::os::fd::RawFd;

/// Longest message: a module path or an error text.
pub(crate) const MAX_MESSAGE: usize = 16 * 1024;

/// A control message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Message {
    /// To the zygote: where the segment is, and where dumps go.
    Hello {
        base: u64,
        bytes: u64,
        dump_dir: String,
    },
    /// To the zygote: a folder of CALLed subprograms.
    Dir(String),
    /// To the zygote: a module to load before the first fork.
    Preload { program: String, path: String },
    /// To the zygote: start COBOL.
    Go,
    /// To the region: workers can be forked.
    Ready,
    /// To the region: COBOL does not start, or a module does not load; the text says why.
    Error(String),
    /// To the zygote: fork a worker for a slot.
    Spawn(u32),
    /// To the zygote: send a signal to the worker of a slot if it still has this process id.
    Signal { slot: u32, pid: u32, signal: u32 },
    /// To the region: forked.
    Spawned { slot: u32, pid: u32 },
    /// To the region: ended, with wait status.
    Died { slot: u32, pid: u32, status: u32 },
}

impl Message {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let words = |out: &mut Vec<u8>, words: &[u32]| {
            words
                .iter()
                .for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        };
        match self {
            Message::Hello {
                base,
                bytes,
                dump_dir,
            } => {
                out.push(b'H');
                out.extend_from_slice(&base.to_le_bytes());
                out.extend_from_slice(&bytes.to_le_bytes());
                out.extend_from_slice(dump_dir.as_bytes());
            }
            Message::Dir(dir) => {
                out.push(b'V');
                out.extend_from_slice(dir.as_bytes());
            }
            Message::Preload { program, path } => {
                out.push(b'M');
                out.extend_from_slice(format!("{program:8}").as_bytes());
                out.extend_from_slice(path.as_bytes());
            }
            Message::Go => out.push(b'G'),
            Message::Ready => out.push(b'R'),
            Message::Error(text) => {
                out.push(b'E');
                out.extend_from_slice(text.as_bytes());
            }
            Message::Spawn(slot) => {
                out.push(b'S');
                words(&mut out, &[*slot]);
            }
            Message::Signal { slot, pid, signal } => {
                out.push(b'K');
                words(&mut out, &[*slot, *pid, *signal]);
            }
            Message::Spawned { slot, pid } => {
                out.push(b'P');
                words(&mut out, &[*slot, *pid]);
            }
            Message::Died { slot, pid, status } => {
                out.push(b'D');
                words(&mut out, &[*slot, *pid, *status]);
            }
        }
        out.truncate(MAX_MESSAGE);
        out
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let word = |i: usize| {
            rest.get(4 * i..4 * i + 4)?
                .try_into()
                .ok()
                .map(u32::from_le_bytes)
        };
        let long = |i: usize| {
            rest.get(8 * i..8 * i + 8)?
                .try_into()
                .ok()
                .map(u64::from_le_bytes)
        };
        let text = |from: usize| {
            rest.get(from..)
                .map(|b| String::from_utf8_lossy(b).into_owned())
        };
        Some(match kind {
            b'H' => Message::Hello {
                base: long(0)?,
                bytes: long(1)?,
                dump_dir: text(16)?,
            },
            b'V' => Message::Dir(text(0)?),
            b'M' => {
                let program = String::from_utf8_lossy(rest.get(..8)?)
                    .trim_end()
                    .to_owned();
                Message::Preload {
                    program,
                    path: text(8)?,
                }
            }
            b'G' => Message::Go,
            b'R' => Message::Ready,
            b'E' => Message::Error(text(0)?),
            b'S' => Message::Spawn(word(0)?),
            b'K' => Message::Signal {
                slot: word(0)?,
                pid: word(1)?,
                signal: word(2)?,
            },
            b'P' => Message::Spawned {
                slot: word(0)?,
                pid: word(1)?,
            },
            b'D' => Message::Died {
                slot: word(0)?,
                pid: word(1)?,
                status: word(2)?,
            },
            _ => return None,
        })
    }
}

/// Sends a message; waits while the other side is behind.
pub(crate) fn send(fd: RawFd, message: &Message) -> io::Result<()> {
    let bytes = message.encode();
    loop {
        // SAFETY: a valid buffer for its length.
        let n = unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
        if n >= 0 {
            return Ok(());
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Receives a message. `Ok(None)`: the other side is gone.
pub(crate) fn receive(fd: RawFd) -> io::Result<Option<Message>> {
    let mut buffer = vec![0_u8; MAX_MESSAGE];
    loop {
        // SAFETY: a valid buffer for its length.
        let n = unsafe { libc::recv(fd, buffer.as_mut_ptr().cast(), buffer.len(), 0) };
        if n > 0 {
            let message = Message::decode(&buffer[..n as usize]);
            return message
                .map(Some)
                .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "control message"));
        }
        if n == 0 {
            return Ok(None);
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::Interrupted => {}
            io::ErrorKind::ConnectionReset => return Ok(None),
            _ => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back() {
        for message in [
            Message::Hello {
                base: 1 << 45,
                bytes: 7,
                dump_dir: "/dumps".into(),
            },
            Message::Preload {
                program: "ABC".into(),
                path: "/m/ABC.so".into(),
            },
            Message::Go,
            Message::Error("no".into()),
            Message::Signal {
                slot: 1,
                pid: 2,
                signal: 9,
            },
            Message::Died {
                slot: 3,
                pid: 4,
                status: 11,
            },
        ] {
            assert_eq!(Message::decode(&message.encode()), Some(message));
        }
        assert_eq!(Message::decode(b"Sab"), None);
        assert_eq!(Message::decode(b""), None);
    }
}
