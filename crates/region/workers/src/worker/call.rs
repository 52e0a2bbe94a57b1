//! One EXEC CICS call as commands see it.

use super::edge::{self, Argument};
use crate::seam::{Address, Call};
use std::cell::Cell;
use transom_commands::abi::{FLAG_NOHANDLE, View};
use transom_commands::{CommandId, OptionId};

/// libcob's field types and flags (common.h of GnuCOBOL 3.1).
const TYPE_BINARY: i32 = 0x11;
const FLAG_SIGN: u32 = 1;
const FLAG_SWAP: u32 = 0x20;
const FLAG_REAL: u32 = 0x40;
const POINTER_BYTES: usize = 8;

/// Descriptor and arguments of a call; lives as long as the call.
pub(crate) struct ExecCall<'a> {
    pub(crate) view: View<'a>,
    pub(crate) arguments: &'a [Argument],
    /// A command used an argument whose storage is not there; the task ends with ASRA.
    pub(crate) bad_argument: Cell<bool>,
    /// 0 = the program of the level.
    pub(crate) caller: usize,
}

impl ExecCall<'_> {
    fn argument(&self, option: OptionId) -> Option<&Argument> {
        (0..self.view.argument_count().min(self.arguments.len()))
            .find(|i| self.view.argument(*i) == option)
            .map(|i| &self.arguments[i])
    }

    /// The part of an argument that can be used. A program may describe more than it was given (a
    /// DFHCOMMAREA of 32 KB for one of 100 bytes); only an argument without any storage is bad.
    fn usable(&self, argument: &Argument, write: bool) -> usize {
        let bytes = edge::reach(argument.data as usize, argument.size, write);
        if bytes == 0 && argument.size != 0 {
            self.bad_argument.set(true);
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

    fn nohandle(&self) -> bool {
        self.view.flags() & FLAG_NOHANDLE != 0
    }

    fn has(&self, option: OptionId) -> bool {
        (0..self.view.argument_count()).any(|i| self.view.argument(i) == option)
            || (0..self.view.keyword_count()).any(|i| self.view.keyword(i) == option)
            || self.label(option).is_some()
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
        if self.usable(argument, false) < argument.size {
            self.bad_argument.set(true);
            return None;
        }
        if let Some(value) = binary(argument) {
            return Some(value);
        }
        // SAFETY: the field libcob described for this call.
        unsafe { edge::get_number(argument.field) }
    }

    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        let argument = self.argument(option)?;
        match self.usable(argument, false) {
            0 => Some(&[]),
            // SAFETY: just touched; the program is stopped, so nobody writes to it while commands
            // read.
            bytes => Some(unsafe { std::slice::from_raw_parts(argument.data, bytes) }),
        }
    }

    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        let argument = *self.argument(option)?;
        match self.usable(&argument, true) {
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
        bytes
            .first_chunk::<POINTER_BYTES>()
            .map(|b| usize::from_le_bytes(*b))
    }

    fn set_number(&mut self, option: OptionId, value: i64) {
        let Some(argument) = self.argument(option).copied() else {
            return;
        };
        if argument.field.is_null() {
            return;
        }
        // SAFETY: the field libcob described for this call.
        let stored = unsafe { edge::set_number(argument.field, value) };
        if !stored {
            self.bad_argument.set(true);
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
        if let Some(to) = self.bytes_mut(option)
            && let Some(to) = to.first_chunk_mut::<POINTER_BYTES>()
        {
            *to = value.to_le_bytes();
        }
    }

    fn label(&self, option: OptionId) -> Option<u16> {
        (0..self.view.label_count())
            .map(|i| self.view.label(i))
            .find(|l| l.0 == option)
            .map(|l| l.1)
    }

    fn options(&self) -> Vec<OptionId> {
        let arguments = (0..self.view.argument_count()).map(|i| self.view.argument(i));
        let keywords = (0..self.view.keyword_count()).map(|i| self.view.keyword(i));
        let labels = (0..self.view.label_count()).map(|i| self.view.label(i).0);
        arguments.chain(keywords).chain(labels).collect()
    }
}

/// Integers in binary fields, without libcob.
fn binary(argument: &Argument) -> Option<i64> {
    if argument.kind != TYPE_BINARY || argument.scale != 0 || argument.size == 0 {
        return None;
    }
    // SAFETY: touched just before.
    let bytes = unsafe { std::slice::from_raw_parts(argument.data, argument.size) };
    let mut wide = [0_u8; 8];
    let n = bytes.len();
    if n > 8 {
        return None;
    }
    let (big, signed) = (
        argument.flags & FLAG_SWAP != 0,
        argument.flags & FLAG_SIGN != 0,
    );
    if !big && argument.flags & FLAG_REAL == 0 && n > 1 {
        return None;
    }
    let negative = signed && (if big { bytes[0] } else { bytes[n - 1] }) & 0x80 != 0;
    wide.fill(if negative { 0xFF } else { 0 });
    if big {
        wide[8 - n..].copy_from_slice(bytes);
        Some(i64::from_be_bytes(wide))
    } else {
        wide[..n].copy_from_slice(bytes);
        Some(i64::from_le_bytes(wide))
    }
}
