//! The control channel between region and zygote: small messages on a seqpacket socket.
//!
//! What: the messages, and sending and receiving them. Why not shared memory: the channel also
//! tells each side that the other is gone. Not here: tasks, which never pass through it.

use std::io;
use std::os::fd::RawFd;
use transom_language::language;

/// Longest message: a module path or an error text.
pub(crate) const MAX_MESSAGE: usize = 16 * 1024;
/// Longest text of an error.
const TEXT_MAX: usize = MAX_MESSAGE - 64;

language! {
    /// A control message.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Message {
        /// To the zygote: where the segment is, and where dumps go.
        1 = Hello { base: u64, bytes: u64, dump_dir: String },
        /// To the zygote: a folder of CALLed subprograms.
        2 = Dir(dir: String),
        /// To the zygote: a module to load before the first fork.
        3 = Preload { program: String, path: String },
        /// To the zygote: start COBOL.
        4 = Go,
        /// To the region: workers can be forked.
        5 = Ready,
        /// To the region: COBOL does not start, or a module does not load; the text says why.
        6 = Error(text: String),
        /// To the zygote: fork a worker for a slot.
        7 = Spawn(slot: u32),
        /// To the zygote: send a signal to the worker of a slot if it still has this process id.
        8 = Signal { slot: u32, pid: u32, signal: u32 },
        /// To the region: forked.
        9 = Spawned { slot: u32, pid: u32 },
        /// To the region: ended, with wait status.
        10 = Died { slot: u32, pid: u32, status: u32 },
        /// To the zygote: a file or folder that workers read.
        11 = Reads(path: String),
    }
}

impl Message {
    /// [`Message::Error`] with as much of the text as a message holds.
    pub(crate) fn error(text: &str) -> Self {
        let mut ends = (0..=text.len().min(TEXT_MAX)).rev();
        let end = ends.find(|at| text.is_char_boundary(*at));
        Self::Error(text[..end.unwrap_or(0)].to_owned())
    }
}

/// Sends a message; waits while the other side is behind.
pub(crate) fn send(fd: RawFd, message: &Message) -> io::Result<()> {
    send_with(fd, message, libc::MSG_NOSIGNAL)
}

/// Sends a message, or not if the other side is behind: it may be stopped.
pub(crate) fn send_now(fd: RawFd, message: &Message) -> io::Result<()> {
    send_with(fd, message, libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
}

fn send_with(fd: RawFd, message: &Message, flags: libc::c_int) -> io::Result<()> {
    let bytes = message.encode();
    loop {
        // SAFETY: a valid buffer for its length.
        let n = unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), flags) };
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
    fn a_text_is_cut_to_what_a_message_holds() {
        let long = Message::error(&"é".repeat(MAX_MESSAGE));
        assert!(long.encode().len() <= MAX_MESSAGE);
        assert_eq!(Message::error("no"), Message::Error("no".into()));
    }
}
