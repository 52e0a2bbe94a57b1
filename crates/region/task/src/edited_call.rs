//! A call whose constants were typed over at a display of EDF.
//!
//! What: the call with other values of some options, for this one execution. Why: a literal is no
//! storage of the program, and the next execution of the same command has it again. Not here: what
//! may be typed over.

use crate::debugging::Edited;
use transom_commands::{CommandId, OptionId};
use transom_workers::seam::{Address, Call};

/// The call.
pub struct EditedCall<'a> {
    call: &'a mut dyn Call,
    values: Vec<(OptionId, Edited)>,
}

impl<'a> EditedCall<'a> {
    pub fn new(call: &'a mut dyn Call, values: Vec<(OptionId, Edited)>) -> Self {
        Self { call, values }
    }

    fn value(&self, option: OptionId) -> Option<&Edited> {
        let mut values = self.values.iter();
        values.find(|(known, _)| *known == option).map(|v| &v.1)
    }
}

impl Call for EditedCall<'_> {
    fn command(&self) -> CommandId {
        self.call.command()
    }
    fn line(&self) -> u32 {
        self.call.line()
    }
    fn caller(&self) -> usize {
        self.call.caller()
    }
    fn repeats(&self) -> bool {
        self.call.repeats()
    }
    fn nohandle(&self) -> bool {
        self.call.nohandle()
    }
    fn has(&self, option: OptionId) -> bool {
        self.call.has(option)
    }
    fn keyword_of(&self, options: &[OptionId]) -> Option<OptionId> {
        self.call.keyword_of(options)
    }
    fn number(&self, option: OptionId) -> Option<i64> {
        match self.value(option) {
            Some(Edited::Number(number)) => Some(*number),
            _ => self.call.number(option),
        }
    }
    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        match self.value(option) {
            Some(Edited::Text(bytes)) => Some(bytes),
            _ => self.call.bytes(option),
        }
    }
    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        let mut values = self.values.iter_mut();
        match values.find(|(known, _)| *known == option) {
            Some((_, Edited::Text(bytes))) => Some(bytes),
            _ => self.call.bytes_mut(option),
        }
    }
    fn address_of(&self, option: OptionId) -> Option<Address> {
        match self.value(option) {
            Some(Edited::Text(bytes)) => Some(bytes.as_ptr() as Address),
            _ => self.call.address_of(option),
        }
    }
    fn pointer(&self, option: OptionId) -> Option<Address> {
        self.call.pointer(option)
    }
    fn set_number(&mut self, option: OptionId, value: i64) {
        if self.value(option).is_none() {
            self.call.set_number(option, value);
        }
    }
    fn set_text(&mut self, option: OptionId, value: &str) {
        if self.value(option).is_none() {
            self.call.set_text(option, value);
        }
    }
    fn set_pointer(&mut self, option: OptionId, value: Address) {
        self.call.set_pointer(option, value);
    }
    fn label(&self, option: OptionId) -> Option<u16> {
        self.call.label(option)
    }
    fn options(&self) -> Vec<OptionId> {
        self.call.options()
    }
}
