//! EDF in shared memory: what is debugged from where, and what two tasks say to each other.
//!
//! What: a group for each terminal or transaction under EDF, with its [`Session`], the display
//! the debugged task wants shown and the key that came back. Why here: the task that is
//! debugged and the one that has the terminal of the displays run in workers of their own, and
//! nothing of it concerns the region process. Not here: what displays show (`region/supplied`).

use crate::language;
use crate::shared::{Group, Shared, Space};
use transom_types::{TermId, TransId, UserId};

/// The transaction that shows displays at another terminal than that of the task.
pub const DISPLAYS: [u8; 4] = *b"CEDF";
/// Sessions of a region; a CEDF beyond them is refused.
pub const SESSIONS_MAX: usize = 64;

/// Item with the session; those behind it are its tasks and what they say.
const SESSION: u32 = 0;
const TASK: u32 = 1;
const DISPLAY_TASK: u32 = 2;
const DISPLAY: u32 = 3;
const REPLY: u32 = 4;

language! {
    /// What is under EDF.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Target {
        /// Tasks of a terminal: CEDF.
        1 = Terminal(terminal: TermId),
        /// Tasks of a transaction: CEDX.
        2 = Transaction(transid: TransId),
    }

    /// Who debugs it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Session {
        /// The terminal with the displays.
        pub terminal: TermId,
        /// Who switched EDF on.
        pub user: UserId,
        /// CEDG and CEDY: nothing may be changed.
        pub read_only: bool,
    }

    /// A display, as a program sends it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Display {
        /// One more with each display of the task.
        pub number: u32,
        /// Write control character.
        pub control: u8,
        /// Orders and text; empty: the task has no more to show.
        pub stream: Vec<u8>,
    }

    /// The key that was pressed at a display, as a program receives it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Pressed {
        /// Number of the display.
        pub number: u32,
        pub aid: u8,
        pub cursor: u16,
        pub data: Vec<u8>,
    }
}

impl Target {
    /// All that is under EDF.
    pub fn all(shared: &dyn Shared) -> Vec<(Self, Session)> {
        let names = shared.group_names(Space::Edf);
        let read = |name: &Vec<u8>| {
            let target = Self::decode(name)?;
            Some((target, target.session(shared)?))
        };
        names.iter().filter_map(read).collect()
    }

    /// Who debugs it, if somebody does.
    pub fn session(self, shared: &dyn Shared) -> Option<Session> {
        self.read(shared, SESSION, Session::decode)
    }

    /// EDF is switched on. `false`: there are [`SESSIONS_MAX`] already, or no shared storage.
    #[must_use]
    pub fn begin(self, shared: &dyn Shared, session: &Session) -> bool {
        let names = shared.group_names(Space::Edf);
        if names.len() >= SESSIONS_MAX && !names.contains(&self.encode()) {
            return false;
        }
        self.write(shared, SESSION, &session.encode())
    }

    /// EDF is switched off. `false`: it was.
    pub fn end(self, shared: &dyn Shared) -> bool {
        let mut was = false;
        self.group(shared, &mut |group| {
            was = group.get(SESSION).is_some();
            // The session goes first: its removal is what others look at.
            group.remove(SESSION);
            group.remove_all();
        });
        was
    }

    /// The task is the one under EDF from now on, unless another one that runs is.
    pub fn claim(self, shared: &dyn Shared, task: u32, runs: &dyn Fn(u32) -> bool) -> bool {
        let other = self.number(shared, TASK);
        if other != 0 && other != task && runs(other) {
            return false;
        }
        let mut mine = false;
        self.group(shared, &mut |group| {
            if group.get(SESSION).is_some() && number(group.get(TASK)) == other {
                mine = group.put(TASK, &task.to_be_bytes());
                group.remove(DISPLAY);
                group.remove(REPLY);
            }
        });
        mine
    }

    /// The task under EDF; 0: none.
    pub fn task(self, shared: &dyn Shared) -> u32 {
        self.number(shared, TASK)
    }

    /// The task is over or goes on without EDF; answers who shows its displays, 0: nobody.
    pub fn release(self, shared: &dyn Shared, task: u32) -> u32 {
        let mut shows = 0;
        self.group(shared, &mut |group| {
            if number(group.get(TASK)) == task {
                shows = number(group.get(DISPLAY_TASK));
                for item in [TASK, DISPLAY_TASK, DISPLAY, REPLY] {
                    group.remove(item);
                }
            }
        });
        shows
    }

    /// Who shows its displays; 0: nobody.
    pub fn display_task(self, shared: &dyn Shared) -> u32 {
        self.number(shared, DISPLAY_TASK)
    }

    /// A task shows the displays from now on.
    #[must_use]
    pub fn attend(self, shared: &dyn Shared, task: u32) -> bool {
        self.write(shared, DISPLAY_TASK, &task.to_be_bytes())
    }

    /// It does so no more.
    pub fn leave(self, shared: &dyn Shared, task: u32) {
        self.group(shared, &mut |group| {
            if number(group.get(DISPLAY_TASK)) == task {
                group.remove(DISPLAY_TASK);
            }
        });
    }

    /// A display to show.
    #[must_use]
    pub fn show(self, shared: &dyn Shared, display: &Display) -> bool {
        self.write(shared, DISPLAY, &display.encode())
    }

    /// The newest display.
    pub fn display(self, shared: &dyn Shared) -> Option<Display> {
        self.read(shared, DISPLAY, Display::decode)
    }

    /// A key was pressed.
    #[must_use]
    pub fn press(self, shared: &dyn Shared, pressed: &Pressed) -> bool {
        self.write(shared, REPLY, &pressed.encode())
    }

    /// The newest key.
    pub fn pressed(self, shared: &dyn Shared) -> Option<Pressed> {
        self.read(shared, REPLY, Pressed::decode)
    }

    fn group(self, shared: &dyn Shared, f: &mut dyn FnMut(&mut dyn Group)) {
        shared.with_group(Space::Edf, &self.encode(), f);
    }

    fn number(self, shared: &dyn Shared, item: u32) -> u32 {
        let mut found = 0;
        self.group(shared, &mut |group| found = number(group.get(item)));
        found
    }

    fn read<T>(self, shared: &dyn Shared, item: u32, decode: fn(&[u8]) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.group(shared, &mut |group| {
            found = group.get(item).and_then(decode)
        });
        found
    }

    /// Only a session makes the group: what comes after its end is nobody's.
    fn write(self, shared: &dyn Shared, item: u32, bytes: &[u8]) -> bool {
        let mut stored = false;
        self.group(shared, &mut |group| {
            if item == SESSION || group.get(SESSION).is_some() {
                stored = group.put(item, bytes);
            }
        });
        stored
    }
}

fn number(item: Option<&[u8]>) -> u32 {
    item.and_then(|bytes| bytes.try_into().ok())
        .map_or(0, u32::from_be_bytes)
}
