//! Inputs, replies and questions of tasks: in the task block, or in the heap when larger.
//!
//! What: storing them under a checksum over whose they are, and taking them when it fits. Why: a
//! program may have stored over them; a task must not run on, nor a client be told, what is another
//! one's or nobody's. Not here: what is in them.

use super::Segment;
use super::layout::{INLINE_BYTES, TEXT_BYTES, TaskBlock};
use super::seal::Seal;
use crate::config::MAX_PAYLOAD_BYTES;
use std::cell::RefCell;
use std::sync::atomic::Ordering::SeqCst;

/// What a copy of a payload has to spare: the vector goes on, and the next task's input ends with
/// more than a reply does.
const SPARE_BYTES: usize = 64;
/// Owners of blocks in the heap: payloads and questions by task block.
const PAYLOAD_OWNER: u64 = 1 << 62;
const ASK_OWNER: u64 = 1 << 61;

thread_local! {
    /// Room for the input of a task, used again by the next one.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// What the region says of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) number: u32,
    pub(crate) transid: u32,
    pub(crate) program: u64,
    pub(crate) userid: u64,
    pub(crate) quasirent: bool,
}

impl Facts {
    /// Of a task whose number and mode its worker took from the block when it began.
    pub(crate) fn of(block: &TaskBlock, number: u32, quasirent: bool) -> Self {
        Self {
            number,
            transid: block.transid.load(SeqCst),
            program: block.program.load(SeqCst),
            userid: block.userid.load(SeqCst),
            quasirent,
        }
    }
}

/// Whose a payload is: part of its checksum, by what its owner knows and not by what the block says
/// a moment later.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose<'a> {
    /// It goes with the task.
    Input(Facts),
    /// It goes with the end of the task with this number: abend code or 0, text.
    Reply(u32, u32, &'a [u8]),
}

impl Whose<'_> {
    fn seal(self) -> Seal {
        match self {
            Whose::Input(facts) => Seal::of(&[
                u64::from(facts.number) | u64::from(facts.transid) << 32,
                facts.program,
                facts.userid,
                facts.quasirent.into(),
            ]),
            Whose::Reply(number, code, text) => {
                let task = u64::from(number) | u64::from(code) << 32;
                Seal::of(&[task, text.len() as u64, 2]).add(text)
            }
        }
    }
}

/// Stores the payload of a task, the parts one behind the other; frees what was there. `false`: no
/// room, nothing stored.
pub(crate) fn store(
    segment: &Segment,
    block: &TaskBlock,
    whose: Whose<'_>,
    parts: &[&[u8]],
) -> bool {
    let bytes: usize = parts.iter().map(|part| part.len()).sum();
    let owner = PAYLOAD_OWNER | segment.index_of(block);
    let at = if bytes <= INLINE_BYTES {
        let mut to = block.inline.get().cast::<u8>();
        for part in parts {
            // SAFETY: all parts together fit into the cell, which is written by the owner of the
            // block alone; a program that stores there, too, changes bytes that are checked.
            unsafe {
                std::ptr::copy_nonoverlapping(part.as_ptr(), to, part.len());
                to = to.add(part.len());
            }
        }
        0
    } else {
        let Some(at) = segment.heap().allocate_for(segment, owner, bytes) else {
            return false;
        };
        let mut to = at;
        for part in parts {
            segment.write(to, part);
            to += part.len() as u64;
        }
        at
    };
    let old = block.payload_at.swap(at, SeqCst);
    block.payload_bytes.store(bytes as u32, SeqCst);
    let mut seal = whose.seal();
    for part in parts {
        seal = seal.add(part);
    }
    block.payload_seal.store(seal.end(), SeqCst);
    if old != 0 {
        segment.heap().free_of(segment, owner, old);
    }
    true
}

/// Shows the input of a task, once: who comes again was sent by a number that somebody stored over,
/// and a task that ran twice would do its work twice. `None`: it is not what the region stored for
/// this task, or it was taken already. What is checked and shown is a copy: a process may lose its
/// processor between the two.
pub(crate) fn take_input<T>(
    segment: &Segment,
    block: &TaskBlock,
    facts: Facts,
    show: impl FnOnce(&[u8]) -> T,
) -> Option<T> {
    INPUT.with_borrow_mut(|copy| {
        copy.clear();
        copy.extend_from_slice(bytes_of(segment, block)?);
        let sealed = Whose::Input(facts).seal().add(copy).end();
        let first = block
            .payload_seal
            .compare_exchange(sealed, 0, SeqCst, SeqCst);
        let shown = first.is_ok().then(|| show(copy));
        if copy.capacity() > INLINE_BYTES * 2 {
            *copy = Vec::new();
        }
        shown
    })
}

/// Stores the end of a task. `false`: no room, nothing stored.
pub(crate) fn store_reply(
    segment: &Segment,
    block: &TaskBlock,
    (number, code, text): (u32, u32, &str),
    parts: &[&[u8]],
) -> bool {
    set_text(&block.text, text);
    block.end_code.store(code, SeqCst);
    let whose = Whose::Reply(number, code, kept(text.as_bytes()));
    store(segment, block, whose, parts)
}

/// The end of a task: its abend code or 0, the text, a copy of the reply. `None`: they are not what
/// a worker stored for the task with this number.
pub(crate) fn reply(
    segment: &Segment,
    block: &TaskBlock,
    number: u32,
) -> Option<(u32, String, Vec<u8>)> {
    let text = kept_text(&block.text);
    let code = block.end_code.load(SeqCst);
    let bytes = bytes_of(segment, block)?;
    let mut copy = Vec::with_capacity(bytes.len() + SPARE_BYTES);
    copy.extend_from_slice(bytes);
    let whose = Whose::Reply(number, code, &text);
    let sealed = whose.seal().add(&copy).end();
    let text = String::from_utf8_lossy(&text).into_owned();
    (sealed == block.payload_seal.load(SeqCst)).then_some((code, text, copy))
}

fn bytes_of<'a>(segment: &'a Segment, block: &'a TaskBlock) -> Option<&'a [u8]> {
    let bytes = block.payload_bytes.load(SeqCst) as usize;
    match block.payload_at.load(SeqCst) {
        0 if bytes <= INLINE_BYTES => {
            // SAFETY: in the cell. The owner of the block is the only one who stores there while
            // it is looked at; what a program stores meanwhile is found by the checksum or stays
            // bytes of this task's own, as if its client had sent them.
            Some(unsafe { std::slice::from_raw_parts(block.inline.get().cast::<u8>(), bytes) })
        }
        0 => None,
        at => {
            let owner = PAYLOAD_OWNER | segment.index_of(block);
            let room = segment.heap().room_of(segment, owner, at)?;
            (bytes <= room.min(MAX_PAYLOAD_BYTES)).then(|| segment.slice(at, bytes))?
        }
    }
}

/// Stores a question or its answer. `false`: no room; the other side finds nothing then.
pub(crate) fn put_ask(segment: &Segment, block: &TaskBlock, number: u32, bytes: &[u8]) -> bool {
    let owner = ASK_OWNER | segment.index_of(block);
    let at = segment.heap().allocate_for(segment, owner, bytes.len());
    if let Some(at) = at {
        segment.write(at, bytes);
    }
    let bytes = at.map_or(&[][..], |_| bytes);
    let sealed = Seal::of(&[number.into()]).add(bytes).end();
    block.ask_at.store(at.unwrap_or(0), SeqCst);
    block.ask_bytes.store(bytes.len() as u32, SeqCst);
    block.ask_seal.store(sealed, SeqCst);
    at.is_some()
}

/// Takes it out; empty when there was no room. `None`: it is not what the other side stored.
pub(crate) fn take_ask(segment: &Segment, block: &TaskBlock, number: u32) -> Option<Vec<u8>> {
    let owner = ASK_OWNER | segment.index_of(block);
    let bytes = block.ask_bytes.load(SeqCst) as usize;
    let taken = match block.ask_at.swap(0, SeqCst) {
        0 => (bytes == 0).then(Vec::new)?,
        at => {
            let room = segment.heap().room_of(segment, owner, at)?;
            let copy = (bytes <= room).then(|| segment.slice(at, bytes))?;
            let copy = copy?.to_vec();
            segment.heap().free_of(segment, owner, at);
            copy
        }
    };
    let sealed = Seal::of(&[number.into()]).add(&taken).end();
    (sealed == block.ask_seal.load(SeqCst)).then_some(taken)
}

/// Gives back what the block has in the heap.
pub(crate) fn clear(segment: &Segment, block: &TaskBlock) {
    let index = segment.index_of(block);
    for (at, owner) in [
        (&block.payload_at, PAYLOAD_OWNER),
        (&block.ask_at, ASK_OWNER),
    ] {
        let at = at.swap(0, SeqCst);
        if at != 0 {
            segment.heap().free_of(segment, owner | index, at);
        }
    }
}

/// As much of a text as there is room for, up to its first zero.
fn kept(text: &[u8]) -> &[u8] {
    let text = &text[..text.len().min(TEXT_BYTES - 1)];
    let end = text.iter().position(|b| *b == 0);
    &text[..end.unwrap_or(text.len())]
}

/// Stores a zero-ended text, cut to the room there is.
pub(crate) fn set_text(cell: &std::cell::UnsafeCell<[u8; TEXT_BYTES]>, text: &str) {
    let text = kept(text.as_bytes());
    let n = text.len();
    // SAFETY: `n` fits. The owner of the block or slot calls this, and the region for a slot whose
    // worker it is about to end: what both or a program store there is a text that people read.
    unsafe {
        let to = cell.get().cast::<u8>();
        std::ptr::copy_nonoverlapping(text.as_ptr(), to, n);
        *to.add(n) = 0;
    }
}

/// Reads a zero-ended text.
pub(crate) fn text(cell: &std::cell::UnsafeCell<[u8; TEXT_BYTES]>) -> String {
    String::from_utf8_lossy(&kept_text(cell)).into_owned()
}

/// A copy of its bytes.
fn kept_text(cell: &std::cell::UnsafeCell<[u8; TEXT_BYTES]>) -> Vec<u8> {
    // SAFETY: bytes in mapped memory; the writer is done or dead, and what a program stores there
    // stays bytes.
    let bytes = unsafe { &*cell.get() };
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(TEXT_BYTES);
    bytes[..end].to_vec()
}
