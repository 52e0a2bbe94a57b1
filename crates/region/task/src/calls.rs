//! What a task asked for, call by call, for who follows it from outside.
//!
//! What: [`Calls`], a list with a bound: commands that go to files, queues, programs, terminals
//! and units of work, SQL, the end of the task's last unit of work. Why beside counts: a trace
//! shows when each call was, and what for. Why a list of its own and no trace entries: those are
//! for one region at a time, and fill a data set. Costs one comparison where nobody asks. Not
//! here: what becomes of it (`tools/otlp`).

use std::time::{Duration, Instant};
use transom_commands::CommandId;
use transom_types::Resp;
use transom_wire::monitoring::{Called, Doing};

/// First bytes of EIBFN whose commands are shown: terminal, file, transient data, temporary
/// storage, program, interval control, journals, syncpoints, BMS.
const GROUPS: [u8; 9] = [0x04, 0x06, 0x08, 0x0A, 0x0E, 0x10, 0x14, 0x16, 0x18];
/// Of those groups, what tells and sets alone: ASKTIME, RETURN, RELEASE, ABEND, HANDLE ABEND.
const QUIET: [[u8; 2]; 5] = [
    [0x10, 0x02],
    [0x0E, 0x08],
    [0x0E, 0x0A],
    [0x0E, 0x0C],
    [0x0E, 0x0E],
];

/// Calls of a task.
#[derive(Debug, Default)]
pub struct Calls {
    max: usize,
    since: Option<Instant>,
    all: Vec<Called>,
    /// Programs that were linked to and have not come back, by their places.
    open: Vec<usize>,
    lost: u32,
}

/// A call that has begun; its place in the list.
#[derive(Debug)]
pub struct Begun(Option<usize>);

impl Calls {
    /// A task begins, of which so many calls are wanted.
    pub fn begin(&mut self, max: u16) {
        *self = Self {
            max: max.into(),
            since: (max > 0).then(Instant::now),
            ..Self::default()
        };
    }

    /// Somebody asks.
    pub fn wanted(&self) -> bool {
        self.max > 0
    }

    /// A command with this EIBFN begins.
    pub fn command(&mut self, id: CommandId, function: [u8; 2]) -> Begun {
        let wanted = self.max > 0 && GROUPS.contains(&function[0]) && !QUIET.contains(&function);
        match wanted {
            true => self.begins(Doing::Command { id: id.0 }),
            false => Begun(None),
        }
    }

    /// Something begins.
    pub fn begins(&mut self, doing: Doing) -> Begun {
        if self.max == 0 {
            return Begun(None);
        }
        if self.all.len() >= self.max {
            self.lost = self.lost.saturating_add(1);
            return Begun(None);
        }
        self.all.push(Called {
            doing,
            resource: [b' '; 8],
            code: 0,
            at_ns: self.now_ns(),
            took_ns: 0,
            below: self.open.last().map_or(0, |place| *place as u16 + 1),
        });
        Begun(Some(self.all.len() - 1))
    }

    /// It has ended, with EIBRSRCE and RESP.
    pub fn ended(&mut self, begun: &Begun, resource: [u8; 8], resp: Resp) {
        self.ends_as(begun, || resource, i32::from(resp.0));
    }

    /// It has ended; `code`: RESP, or the SQLCODE. Nobody is asked for the resource of what is not
    /// in the list.
    pub fn ends_as(&mut self, Begun(place): &Begun, resource: impl FnOnce() -> [u8; 8], code: i32) {
        let Some(place) = *place else { return };
        let now = self.now_ns();
        if let Some(called) = self.all.get_mut(place) {
            called.took_ns = now.saturating_sub(called.at_ns);
            (called.resource, called.code) = (resource(), code);
        }
    }

    /// A program one level down runs for it from now on.
    pub fn links(&mut self, Begun(place): &Begun) {
        if self.max > 0 {
            // A level that is not shown ends, too.
            let above = self.open.last().copied();
            self.open.extend(place.or(above));
        }
    }

    /// That program came back.
    pub fn returned(&mut self) {
        let Some(place) = self.open.pop() else {
            return;
        };
        let (now, is_above) = (self.now_ns(), self.open.last() == Some(&place));
        if let Some(called) = self.all.get_mut(place).filter(|_| !is_above) {
            called.took_ns = now.saturating_sub(called.at_ns);
        }
    }

    /// Calls, and how many there was no room for. Programs that did not come back end now.
    pub fn take(&mut self) -> (Vec<Called>, u32) {
        while !self.open.is_empty() {
            self.returned();
        }
        (std::mem::take(&mut self.all), self.lost)
    }

    fn now_ns(&self) -> u64 {
        let since = self.since.map_or(Duration::ZERO, |since| since.elapsed());
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::cmd;

    const READ: [u8; 2] = [0x06, 0x02];
    const LINK: [u8; 2] = [0x0E, 0x02];

    #[test]
    fn calls_of_a_linked_program_are_below_it() {
        let mut calls = Calls::default();
        calls.begin(10);
        let link = calls.command(cmd::LINK, LINK);
        calls.links(&link);
        let read = calls.command(cmd::READ, READ);
        calls.ended(&read, *b"ACCOUNT ", Resp::NOTFND);
        calls.returned();
        let commit = calls.begins(Doing::Commit);
        calls.ended(&commit, [b' '; 8], Resp::NORMAL);
        let (all, lost) = calls.take();
        let below: Vec<u16> = all.iter().map(|called| called.below).collect();
        assert_eq!((below, lost), (vec![0, 1, 0], 0));
        assert_eq!((&all[1].resource, all[1].code), (b"ACCOUNT ", 13));
        assert!(all[0].took_ns >= all[1].took_ns);
    }

    #[test]
    fn what_there_is_no_room_for_is_counted_and_levels_still_match() {
        let mut calls = Calls::default();
        calls.begin(1);
        for _ in 0..2 {
            let link = calls.command(cmd::LINK, LINK);
            calls.links(&link);
        }
        let read = calls.command(cmd::READ, READ);
        calls.ended(&read, *b"ACCOUNT ", Resp::NORMAL);
        calls.returned();
        calls.returned();
        calls.returned();
        let (all, lost) = calls.take();
        assert_eq!((all.len(), lost), (1, 2));
    }

    #[test]
    fn nothing_is_kept_where_nobody_asks() {
        let mut calls = Calls::default();
        calls.begin(0);
        let read = calls.command(cmd::READ, READ);
        calls.links(&read);
        calls.ended(&read, *b"ACCOUNT ", Resp::NORMAL);
        assert_eq!(calls.take(), (Vec::new(), 0));
    }

    #[test]
    fn commands_that_tell_alone_are_none() {
        let mut calls = Calls::default();
        calls.begin(5);
        let asked = calls.command(cmd::ASKTIME, [0x10, 0x02]);
        calls.ended(&asked, [b' '; 8], Resp::NORMAL);
        assert_eq!(calls.take(), (Vec::new(), 0));
    }
}
