//! One EXEC CICS call as commands see it.

use super::edge::{self, Argument};
use super::integers;
use crate::seam::{Address, Call};
use std::cell::Cell;
use transom_commands::abi::{FLAG_NOHANDLE, View};
use transom_commands::{CommandId, OptionId};

/// Bytes of a POINTER as programs have it, and of an address as cobc has it.
const POINTER_BYTES: usize = 4;
const ADDRESS_BYTES: usize = 8;

/// Descriptor and arguments of a call; lives as long as the call.
pub(crate) struct ExecCall<'a> {
    view: View<'a>,
    arguments: &'a [Argument],
    given: Given,
    /// A command used an argument whose storage is not there; the task ends.
    bad_argument: Cell<Option<Bad>>,
    /// 0 = the program of the level.
    caller: usize,
}

/// What a command does with an argument or address that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bad {
    /// Reads it.
    Input,
    /// Writes it, or may: the table of commands says so.
    Output,
}

/// A bit for each option of a call. Commands ask for all they know, of which most are not given: no
/// bit, no search. One register, for a call has few options; several numbers share a bit.
struct Given(u64);

impl Given {
    fn of(view: &View<'_>) -> Self {
        let labels = (0..view.label_count()).map(|i| view.label(i).0);
        let options = view.arguments_and_keywords().chain(labels);
        Self(options.fold(0, |given, option| given | Self::bit(option)))
    }

    fn bit(option: OptionId) -> u64 {
        1 << ((option.0 ^ option.0 >> 6) & 63)
    }

    fn may_have(&self, option: OptionId) -> bool {
        self.0 & Self::bit(option) != 0
    }
}

impl<'a> ExecCall<'a> {
    /// A call from the program of the level (0) or from one that it CALLed.
    pub(crate) fn new(view: View<'a>, arguments: &'a [Argument], caller: usize) -> Self {
        Self {
            given: Given::of(&view),
            view,
            arguments,
            bad_argument: Cell::new(None),
            caller,
        }
    }

    /// A command used an argument whose storage is not there.
    pub(crate) fn was_bad(&self) -> Option<Bad> {
        self.bad_argument.get()
    }

    /// The first bad argument of a command counts.
    fn is_bad(&self, option: OptionId, written: bool) {
        let written = written || self.is_output(option);
        self.note(if written { Bad::Output } else { Bad::Input });
    }

    fn note(&self, bad: Bad) {
        self.bad_argument.set(self.bad_argument.get().or(Some(bad)));
    }

    fn is_output(&self, option: OptionId) -> bool {
        let command = transom_commands::command(self.view.command());
        let spec = command.and_then(|c| c.options.iter().find(|spec| spec.id == option));
        spec.is_some_and(|spec| spec.argument.is_output())
    }

    fn argument(&self, option: OptionId) -> Option<&Argument> {
        if !self.given.may_have(option) {
            return None;
        }
        self.arguments.get(self.view.argument_of(option)?)
    }

    /// The part of an argument that can be used. A program may describe more than it was given (a
    /// DFHCOMMAREA of 32 KB for one of 100 bytes); only an argument without any storage is bad.
    fn usable(&self, option: OptionId, argument: &Argument, write: bool) -> usize {
        let bytes = edge::reach(argument.data as usize, argument.size, write);
        if bytes == 0 && argument.size != 0 {
            self.is_bad(option, write);
        }
        bytes
    }
}

impl Call for ExecCall<'_> {
    fn command(&self) -> CommandId {
        self.view.command()
    }

    fn line(&self) -> u32 {
        self.view.line()
    }

    fn caller(&self) -> usize {
        self.caller
    }

    fn repeats(&self) -> bool {
        true
    }

    fn nohandle(&self) -> bool {
        self.view.flags() & FLAG_NOHANDLE != 0
    }

    fn has(&self, option: OptionId) -> bool {
        self.given.may_have(option)
            && (self.view.arguments_and_keywords().any(|o| o == option)
                || self.label(option).is_some())
    }

    fn keyword_of(&self, options: &[OptionId]) -> Option<OptionId> {
        let mut keywords = (0..self.view.keyword_count()).map(|i| self.view.keyword(i));
        keywords.find(|keyword| options.contains(keyword))
    }

    fn number(&self, option: OptionId) -> Option<i64> {
        let argument = self.argument(option)?;
        if argument.field.is_null() {
            return self.pointer(option).map(|p| p as i64);
        }
        if self.usable(option, argument, false) < argument.size {
            self.is_bad(option, false);
            return None;
        }
        if integers::is_binary(argument) {
            // SAFETY: touched just before, and the program is stopped; as in `bytes`.
            let bytes = unsafe { std::slice::from_raw_parts(argument.data, argument.size) };
            return integers::read(argument, bytes);
        }
        // SAFETY: not null, and a field as the compiled program handed it to the edge with this
        // call; its storage was touched just before. A program that overwrites its own field
        // descriptors gets what libcob makes of them: a fault is its program check.
        unsafe { edge::get_number(argument.field) }
    }

    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        let argument = self.argument(option)?;
        match self.usable(option, argument, false) {
            0 => Some(&[]),
            // SAFETY: just touched, and the program is stopped. Only in storage that programs share
            // may another one store meanwhile: then bytes change between two looks, as they do when
            // two programs use it without ENQ; nothing is found by them that Rust relies on, and
            // whoever makes text of them copies them first.
            bytes => Some(unsafe { std::slice::from_raw_parts(argument.data, bytes) }),
        }
    }

    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        let argument = *self.argument(option)?;
        match self.usable(option, &argument, true) {
            0 => Some(&mut []),
            // SAFETY: as above, and writable.
            bytes => Some(unsafe { std::slice::from_raw_parts_mut(argument.data, bytes) }),
        }
    }

    fn address_of(&self, option: OptionId) -> Option<Address> {
        self.argument(option).map(|a| a.data as Address)
    }

    fn pointer(&self, option: OptionId) -> Option<Address> {
        let bytes = self.bytes(option)?;
        match bytes.len() {
            POINTER_BYTES..ADDRESS_BYTES => bytes
                .first_chunk::<POINTER_BYTES>()
                .map(|b| u32::from_be_bytes(*b) as Address),
            _ => bytes
                .first_chunk::<ADDRESS_BYTES>()
                .map(|b| Address::from_le_bytes(*b)),
        }
    }

    fn set_number(&mut self, option: OptionId, value: i64) {
        let Some(argument) = self.argument(option).copied() else {
            return;
        };
        if argument.field.is_null() {
            return;
        }
        if integers::may_store(&argument)
            && edge::reach(argument.data as usize, argument.size, true) == argument.size
        {
            // SAFETY: just touched for writing; the program is stopped.
            let bytes = unsafe { std::slice::from_raw_parts_mut(argument.data, argument.size) };
            if integers::store(&argument, bytes, value) {
                return;
            }
        }
        // SAFETY: as in `number`.
        let stored = unsafe { edge::set_number(argument.field, value) };
        if !stored {
            self.is_bad(option, true);
        }
    }

    fn set_text(&mut self, option: OptionId, value: &str) {
        let Some(to) = self.bytes_mut(option) else {
            return;
        };
        let from = value.as_bytes();
        let n = from.len().min(to.len());
        to[..n].copy_from_slice(&from[..n]);
        to[n..].fill(b' ');
    }

    fn set_pointer(&mut self, option: OptionId, value: Address) {
        let Some(to) = self.bytes_mut(option) else {
            return;
        };
        if let Some(to) = to.first_chunk_mut::<ADDRESS_BYTES>() {
            *to = value.to_le_bytes();
        } else if let Some(to) = to.first_chunk_mut::<POINTER_BYTES>() {
            match u32::try_from(value) {
                Ok(short) => *to = short.to_be_bytes(),
                // The area is there, but has no room for this address: no AEYD.
                Err(_) => self.note(Bad::Input),
            }
        }
    }

    fn label(&self, option: OptionId) -> Option<u16> {
        (0..self.view.label_count())
            .map(|i| self.view.label(i))
            .find(|l| l.0 == option)
            .map(|l| l.1)
    }

    fn options(&self) -> Vec<OptionId> {
        let labels = (0..self.view.label_count()).map(|i| self.view.label(i).0);
        self.view.arguments_and_keywords().chain(labels).collect()
    }
}
