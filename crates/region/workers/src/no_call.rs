//! A call without any option: for what ends a unit of work without a command.

use crate::seam::{Address, Call};
use transom_commands::{CommandId, OptionId, cmd};

/// Nothing was given.
#[derive(Debug, Clone, Copy)]
pub struct NoCall;

impl Call for NoCall {
    fn command(&self) -> CommandId {
        cmd::SYNCPOINT
    }
    fn line(&self) -> u32 {
        0
    }
    fn nohandle(&self) -> bool {
        true
    }
    fn has(&self, _: OptionId) -> bool {
        false
    }
    fn number(&self, _: OptionId) -> Option<i64> {
        None
    }
    fn bytes(&self, _: OptionId) -> Option<&[u8]> {
        None
    }
    fn bytes_mut(&mut self, _: OptionId) -> Option<&mut [u8]> {
        None
    }
    fn address_of(&self, _: OptionId) -> Option<Address> {
        None
    }
    fn pointer(&self, _: OptionId) -> Option<Address> {
        None
    }
    fn set_number(&mut self, _: OptionId, _: i64) {}
    fn set_text(&mut self, _: OptionId, _: &str) {}
    fn set_pointer(&mut self, _: OptionId, _: Address) {}
    fn label(&self, _: OptionId) -> Option<u16> {
        None
    }
    fn options(&self) -> Vec<OptionId> {
        Vec::new()
    }
}
