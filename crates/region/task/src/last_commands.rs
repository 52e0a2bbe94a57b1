//! The last commands of a task, which its dump shows.
//!
//! What: a ring of [`COMMANDS_KEPT`], filled as commands begin and end. Why always: the dump is
//! wanted of the task that failed, and nobody knew that it would; an entry is some words, kept in
//! memory that serves task after task. Not here: EXEC SQL.

use transom_commands::CommandId;
use transom_types::{ProgramName, Resp};

/// Commands that are kept.
pub const COMMANDS_KEPT: usize = 50;

/// One command.
#[derive(Debug, Clone, Copy)]
pub struct LastCommand {
    /// How many the task had begun with it.
    pub number: u64,
    pub command: CommandId,
    pub program: ProgramName,
    /// Line of the source.
    pub line: u32,
    /// EIBRSRCE, RESP and RESP2 at its end; `None`: it has not ended.
    pub ended: Option<([u8; 8], Resp, u32)>,
}

/// The ring.
#[derive(Debug, Default)]
pub struct LastCommands {
    entries: Vec<LastCommand>,
    begun: u64,
}

impl LastCommands {
    /// A task begins.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.begun = 0;
    }

    /// A command begins; answers its number.
    pub fn begin(&mut self, command: CommandId, program: ProgramName, line: u32) -> u64 {
        self.begun += 1;
        let entry = LastCommand {
            number: self.begun,
            command,
            program,
            line,
            ended: None,
        };
        let place = place(self.begun);
        match self.entries.get_mut(place) {
            Some(oldest) => *oldest = entry,
            None => self.entries.push(entry),
        }
        self.begun
    }

    /// The command with this number has ended.
    pub fn end(&mut self, number: u64, resource: [u8; 8], (resp, resp2): (Resp, u32)) {
        let entry = self.entries.get_mut(place(number));
        if let Some(entry) = entry.filter(|entry| entry.number == number) {
            entry.ended = Some((resource, resp, resp2));
        }
    }

    /// How many the task has begun.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    /// Those that are kept, oldest first.
    pub fn in_order(&self) -> impl Iterator<Item = &LastCommand> {
        let from = match self.entries.len() < COMMANDS_KEPT {
            true => 0,
            false => place(self.begun + 1),
        };
        let (newer, older) = self.entries.split_at(from.min(self.entries.len()));
        older.iter().chain(newer)
    }
}

fn place(number: u64) -> usize {
    ((number - 1) % COMMANDS_KEPT as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::cmd;

    #[test]
    fn the_newest_are_kept_in_their_order() {
        let mut last = LastCommands::default();
        for line in 1..=COMMANDS_KEPT as u32 + 7 {
            let number = last.begin(cmd::READ, ProgramName::BLANK, line);
            last.end(number, *b"FILE    ", (Resp::NORMAL, 0));
        }
        let long_ago = 3;
        last.end(long_ago, *b"OTHER   ", (Resp::INVREQ, 9));
        let lines: Vec<u32> = last.in_order().map(|entry| entry.line).collect();
        assert_eq!((lines[0], lines[49], lines.len()), (8, 57, 50));
        let is_normal = |entry: &LastCommand| entry.ended == Some((*b"FILE    ", Resp::NORMAL, 0));
        assert!(last.in_order().all(is_normal));
        last.clear();
        assert_eq!(last.in_order().count(), 0);
    }
}
