//! DISPLAY output, line by line to the region's log.

use super::link;
use crate::config::MAX_LOG_LINE_BYTES;
use crate::shm::Segment;
use crate::shm::groups::Groups;
use std::cell::{Cell, RefCell};

thread_local! {
    static LINES: RefCell<[Vec<u8>; 2]> = const { RefCell::new([Vec::new(), Vec::new()]) };
    static TASK: Cell<Option<(u32, &'static Segment)>> = const { Cell::new(None) };
}

/// Lines are those of this task from now on.
pub(crate) fn of(task_number: u32, segment: &'static Segment) {
    TASK.set(Some((task_number, segment)));
}

/// Takes bytes a program displayed (stream 1) or libcob warned about (stream 2).
pub(crate) fn write(stream: i32, bytes: &[u8]) {
    LINES.with_borrow_mut(|lines| {
        let line = &mut lines[usize::from(stream == 2)];
        for byte in bytes {
            if *byte == b'\n' || line.len() >= MAX_LOG_LINE_BYTES {
                send(line);
            }
            if *byte != b'\n' {
                line.push(*byte);
            }
        }
    });
}

/// End of task: what has no line end yet is a line.
pub(crate) fn flush() {
    LINES.with_borrow_mut(|lines| {
        for line in lines {
            if !line.is_empty() {
                send(line);
            }
        }
    });
}

/// Program data is ISO 8859-1.
fn send(line: &mut Vec<u8>) {
    let text: String = line.iter().map(|b| char::from(*b)).collect();
    let whose = match TASK.get() {
        Some((number, segment)) => (number, link::who(&Groups(segment), number)),
        None => (0, link::NOBODY),
    };
    link::log(link::LOG_DISPLAY, whose, text.trim_end());
    line.clear();
}
