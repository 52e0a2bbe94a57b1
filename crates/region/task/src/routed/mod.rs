//! LINKs of a task that a routing program routes.
//!
//! What: what is kept of a LINK to a dynamic program while its routing program runs, or the program
//! itself. Why a list: such a program may LINK to another one. Not here: what is done with them
//! (`region/commands::partner`).

pub mod block;
pub mod given;

use crate::condition::{Done, Fail};
use transom_types::{ChannelName, ProgramName, Resp, SysId, TransId};
use transom_workers::seam::{Address, Area};

/// What LINK brings.
#[derive(Debug, Clone, Copy)]
pub struct Linked {
    pub program: ProgramName,
    pub area: Area,
    pub channel: Option<ChannelName>,
}

/// Where a LINK goes.
pub enum Way {
    /// To this program of this region.
    Here(ProgramName),
    /// To the end of the command.
    Over(Done),
}

/// All of a task, outermost first.
#[derive(Debug, Default)]
pub struct RoutedLinks {
    pub all: Vec<RoutedLink>,
    /// The command of the last one is carried out once more.
    pub again: bool,
    /// Why there was no way to a region, as DYRERROR has it.
    pub error: u8,
}

/// One LINK.
#[derive(Debug)]
pub struct RoutedLink {
    /// Levels of the task at the LINK.
    pub level: usize,
    /// What the routing program is given.
    pub block: Address,
    /// The routing program.
    pub router: ProgramName,
    /// What was named in the command.
    pub program: ProgramName,
    /// What it was given first.
    pub given: Given,
    /// Where its definition has the program.
    pub place: Place,
    pub stage: Stage,
    /// Calls for selection.
    pub count: u32,
    /// Channel whose container DFHROUTE was given, and where.
    pub container: Option<(u32, Address, usize)>,
}

/// What the routing program found, to see what it changed.
#[derive(Debug)]
pub struct Given {
    pub netname: [u8; 8],
    pub transid: TransId,
    /// There is no system of that netname, and the program found this SYSID beside it.
    pub unknown: Option<SysId>,
}

/// Where a definition has a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Here, or anywhere.
    Here,
    /// REMOTESYSTEM names another region.
    Elsewhere,
    /// There is no definition.
    Undefined,
}

/// What the LINK waits for.
#[derive(Debug)]
pub enum Stage {
    /// The routing program selects a region.
    Select,
    /// The routing program hears that the command names this one.
    Notified(SysId),
    /// A region runs the program.
    Sent,
    /// The program runs here; the routing program wants to hear of its end.
    Here,
    /// The routing program hears of the end, and the LINK ends so.
    Over(Option<Fail>),
}

impl RoutedLinks {
    /// A program has ended, and so many levels are left: a LINK goes on there.
    pub fn goes_on(&mut self, levels: usize) -> bool {
        self.again = self.all.last().is_some_and(|link| link.level == levels);
        self.again
    }

    /// The one that another region runs now.
    pub fn sent(&self) -> Option<&RoutedLink> {
        let last = self.all.last();
        last.filter(|link| matches!(link.stage, Stage::Sent))
    }
}

/// DYRERROR of a LINK that ended with this condition; `None`: the program was run.
pub fn selection_error(resp: Resp, away: u8) -> Option<u8> {
    Some(match resp {
        Resp::SYSIDERR => away,
        Resp::LENGERR => b'6',
        Resp::PGMIDERR => b'7',
        Resp::INVREQ => b'8',
        Resp::NOTAUTH => b'9',
        Resp::TERMERR => b'A',
        Resp::ROLLEDBACK => b'B',
        _ => return None,
    })
}
