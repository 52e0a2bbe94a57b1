//! What a task tells the region about pages it built for later, and the bytes of it.
//!
//! Not here: pages while they are built (`message`), what the region does with them
//! (`region/server/terminal::paging`).

use crate::codec::{Reader, Writer};
use transom_types::TermId;

/// A request about the task's logical message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRequest {
    /// More pages for one kind of terminal.
    Keep(u16, Vec<Vec<u8>>),
    /// The message is complete.
    Deliver(Delivery),
    /// The message is given up.
    Purge,
    /// A paging command a user typed behind CSPG.
    Command(Vec<u8>),
}

/// Where and how a message goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// When the task's own user sees it.
    pub when: When,
    /// OPERPURGE: only a purge command ends the session.
    pub operator_purges: bool,
    /// TITLE of ROUTE, in the code page of programs.
    pub title: Vec<u8>,
    /// Milliseconds until it is delivered.
    pub delay_ms: u64,
    /// Kind of terminal, as in [`PageRequest::Keep`], and terminal.
    pub targets: Vec<(u16, TermId)>,
}

/// When the first page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// When the terminal is free.
    Free = 0,
    /// At once; the task ends (RELEASE).
    Release = 1,
    /// At once; the task goes on when the user has seen it (RETAIN).
    Retain = 2,
}

impl PageRequest {
    pub fn encode(&self, out: &mut Writer) {
        match self {
            Self::Keep(group, pages) => {
                out.u8(1).u16(*group).u32(pages.len() as u32);
                for page in pages {
                    out.bytes(page);
                }
            }
            Self::Deliver(delivery) => {
                out.u8(2)
                    .u8(delivery.when as u8)
                    .flag(delivery.operator_purges)
                    .bytes(&delivery.title)
                    .u64(delivery.delay_ms)
                    .u32(delivery.targets.len() as u32);
                for (group, terminal) in &delivery.targets {
                    out.u16(*group).raw(terminal.as_bytes());
                }
            }
            Self::Purge => drop(out.u8(3)),
            Self::Command(text) => drop(out.u8(4).bytes(text)),
        }
    }

    pub fn decode(from: &mut Reader<'_>) -> Option<Self> {
        Some(match from.u8()? {
            1 => {
                let group = from.u16()?;
                let count = from.u32()?;
                let pages = (0..count).map(|_| Some(from.bytes()?.to_vec()));
                Self::Keep(group, pages.collect::<Option<_>>()?)
            }
            2 => {
                let when = match from.u8()? {
                    0 => When::Free,
                    1 => When::Release,
                    2 => When::Retain,
                    _ => return None,
                };
                let operator_purges = from.flag()?;
                let title = from.bytes()?.to_vec();
                let delay_ms = from.u64()?;
                let count = from.u32()?;
                let target = |_| Some((from.u16()?, TermId::from_field(from.raw(4)?)));
                Self::Deliver(Delivery {
                    when,
                    operator_purges,
                    title,
                    delay_ms,
                    targets: (0..count).map(target).collect::<Option<_>>()?,
                })
            }
            3 => Self::Purge,
            4 => Self::Command(from.bytes()?.to_vec()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        let delivery = Delivery {
            when: When::Retain,
            operator_purges: true,
            title: b"STOCK".to_vec(),
            delay_ms: 5_000,
            targets: vec![(1, TermId::new("T001").unwrap())],
        };
        for request in [
            PageRequest::Keep(2, vec![vec![1, 2], vec![]]),
            PageRequest::Deliver(delivery),
            PageRequest::Purge,
            PageRequest::Command(b"P/2".to_vec()),
        ] {
            let mut out = Writer::with_capacity(8);
            request.encode(&mut out);
            assert_eq!(PageRequest::decode(&mut Reader(&out.0)), Some(request));
        }
    }
}
