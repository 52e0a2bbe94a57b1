//! Lines of workers on their way to the region's log.

use super::inner::{Inner, lock};
use super::start;
use super::supervisor::Supervisor;
use crate::config::MAX_LOG_LINE_BYTES;
use crate::shm::Kind;
use crate::worker::link;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::Ordering::Relaxed;
use transom_messages::{self as messages, Line, Severity, Source};

/// Log lines taken in one go, so that deaths are not kept waiting.
const LINES_AT_ONCE: usize = 1_000;

impl Inner {
    /// Lines that workers have said. False: there may be more.
    pub(super) fn read_lines(&self) -> bool {
        let lines = lock(&self.lines);
        lines
            .as_ref()
            .is_none_or(|from| self.tell_lines(from.as_raw_fd()))
    }

    fn tell_lines(&self, fd: RawFd) -> bool {
        let mut buffer = vec![0_u8; link::LOG_HEAD_BYTES + MAX_LOG_LINE_BYTES];
        for _ in 0..LINES_AT_ONCE {
            // SAFETY: a valid buffer for its length.
            let n = unsafe {
                let at = buffer.as_mut_ptr().cast();
                libc::recv(fd, at, buffer.len(), libc::MSG_DONTWAIT)
            };
            let Ok(n @ 1..) = usize::try_from(n) else {
                return true;
            };
            if n < link::LOG_HEAD_BYTES {
                continue;
            }
            if buffer[0] == link::DAMAGE {
                // A program can say anything here. What all tasks rely on the region looks at
                // itself, and ends by what it finds.
                let of_all = buffer[link::LOG_HEAD_BYTES..n] == [b'D'];
                self.doubted.fetch_or(of_all, Relaxed);
                self.segment.note_damage(Kind::Item);
                continue;
            }
            let source = match buffer[0] {
                link::LOG_COMMAND => Source::Command,
                link::LOG_DISPLAY => Source::Display,
                _ => Source::Region,
            };
            let task_number = u32::from_le_bytes([buffer[1], buffer[2], buffer[3], buffer[4]]);
            let text = String::from_utf8_lossy(&buffer[link::LOG_HEAD_BYTES..n]).into_owned();
            let who = link::read_who(&buffer[5..link::LOG_HEAD_BYTES]);
            let line = match source {
                Source::Display => Line::text(Severity::Information, text),
                _ => Line::heard(text),
            };
            let operator = self.config.operator.of(source);
            operator.tell(line.of_task(task_number).by(who));
        }
        false
    }
}

impl Supervisor {
    pub(super) fn read_raw(&mut self) {
        let Some(fd) = self.zygote.as_ref().map(|z| z.raw.as_raw_fd()) else {
            return;
        };
        let mut buffer = [0_u8; 4096];
        if !start::wait_readable(fd, 0) {
            return;
        }
        // SAFETY: a valid buffer; the descriptor has something to read.
        let n = unsafe { libc::read(fd, buffer.as_mut_ptr().cast(), buffer.len()) };
        self.raw
            .extend_from_slice(&buffer[..usize::try_from(n).unwrap_or(0)]);
        while let Some(end) = self.raw.iter().position(|b| *b == b'\n') {
            let line: Vec<u8> = self.raw.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            self.tell(messages::wk::said(&text));
        }
        if self.raw.len() > MAX_LOG_LINE_BYTES {
            self.raw.clear();
        }
    }

    pub(super) fn tell(&self, line: impl Into<Line>) {
        self.inner.config.operator.tell(line);
    }
}
