//! What plumbing hands over of one call of a program: an EXEC CICS command, an EXEC SQL statement,
//! a file statement of a step.
//!
//! Not here: what the worker does for whoever carries it out (`Host`).

use transom_commands::{CommandId, OptionId, sql};
use transom_sql::Item;

/// An address in the worker's own memory. 0 is null.
pub type Address = usize;

/// What a command sees of one EXEC CICS call. Options not given answer `None` / `false`;
/// setting an option that was not given does nothing.
pub trait Call {
    /// The command.
    fn command(&self) -> CommandId;
    /// Line in the user's source.
    fn line(&self) -> u32;
    /// Tells the programs of one LINK level apart: 0 is the level's own, anything else one it
    /// CALLed. Labels of HANDLE mean something only in the program that gave them.
    fn caller(&self) -> usize {
        0
    }
    /// It can be carried out once more when a program that it ran has come back.
    fn repeats(&self) -> bool {
        false
    }
    /// RESP or NOHANDLE was given.
    fn nohandle(&self) -> bool;
    /// The option was given, with or without argument.
    fn has(&self, option: OptionId) -> bool;
    /// The first of these options without argument that was given.
    fn keyword_of(&self, options: &[OptionId]) -> Option<OptionId> {
        options.iter().copied().find(|option| self.has(*option))
    }
    /// Numeric argument of any COBOL type, truncated to an integer.
    fn number(&self, option: OptionId) -> Option<i64>;
    /// Bytes of the argument as they lie in storage.
    fn bytes(&self, option: OptionId) -> Option<&[u8]>;
    /// The same, writable.
    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]>;
    /// Address of the argument's storage.
    fn address_of(&self, option: OptionId) -> Option<Address>;
    /// Value of a POINTER argument.
    fn pointer(&self, option: OptionId) -> Option<Address>;
    /// Stores into a numeric argument of any COBOL type (truncating as MOVE does).
    fn set_number(&mut self, option: OptionId, value: i64);
    /// Stores text: blank padded or cut on the right.
    fn set_text(&mut self, option: OptionId, value: &str);
    /// Stores into a POINTER argument (`SET(ADDRESS OF x)`, `SET(ptr)`).
    fn set_pointer(&mut self, option: OptionId, value: Address);
    /// Label number of a label option: `Some(0)` when the option was given without a label.
    fn label(&self, option: OptionId) -> Option<u16>;
    /// All options given, in source order, for commands that are lists (HANDLE CONDITION).
    fn options(&self) -> Vec<OptionId>;
}

/// What commands see of one EXEC SQL call. Items are in the order of the descriptor's roles.
pub trait SqlCall {
    /// The statement.
    fn statement(&self) -> sql::View<'_>;
    /// What each item is for.
    fn roles(&self) -> Vec<sql::Role>;
    /// What an item is.
    fn item(&self, n: usize) -> Item;
    /// Its bytes as they lie in storage; none where there is no storage, which ends the task.
    fn bytes(&self, n: usize) -> &[u8];
    /// The same, writable.
    fn bytes_mut(&mut self, n: usize) -> &mut [u8];
}

/// One file statement of COBOL. What it is lies in the first item, in the layout of the edge that
/// made it; the others are areas of the program.
pub trait FileCall {
    /// Bytes of an item as they lie in storage; none where there is none, which ends the task.
    fn bytes(&self, n: usize) -> &[u8];
    /// The same, writable.
    fn bytes_mut(&mut self, n: usize) -> &mut [u8];
}
