//! An EXEC CICS call made inside the region: arguments that own their storage.
//!
//! What: [`InternalCall`], the `Call` of supplied programs. Why: CEMT, CECI and the others run
//! exactly the commands any program runs. Not here: reading a command from text
//! (`interpreter::command`).

use transom_commands::{ArgKind, Command, CommandId, DataKind, OptionId, OptionSpec, opt};
use transom_types::Resp;
use transom_workers::seam::{Address, Call};

/// Options whose values are never shown and stay nowhere.
pub(crate) const SECRETS: [OptionId; 4] =
    [opt::PASSWORD, opt::NEWPASSWORD, opt::PHRASE, opt::NEWPHRASE];
/// Bytes of an output area whose size nobody gave.
pub(crate) const AREA_BYTES_DEFAULT: usize = 4_096;
/// Packed decimal fields have at most this many bytes.
const PACKED_BYTES_MAX: usize = 16;

/// How the bytes of an argument are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A keyword without argument.
    Flag,
    /// Characters or any bytes.
    Text,
    /// Big-endian binary.
    Binary,
    /// Packed decimal.
    Packed,
    /// A pointer.
    Pointer,
}

impl Form {
    /// Form and size of a new field for an argument of this kind; a size of 0 is chosen by who
    /// fills it.
    pub(crate) fn of(kind: ArgKind) -> (Self, usize) {
        match kind {
            ArgKind::None | ArgKind::Label => (Self::Flag, 0),
            ArgKind::Name(bytes) => (Self::Text, usize::from(bytes)),
            ArgKind::PtrRef | ArgKind::PtrValue => (Self::Pointer, 8),
            ArgKind::Cvda | ArgKind::CvdaOut => (Self::Binary, 4),
            ArgKind::DataValue { kind } | ArgKind::DataArea { kind, .. } => match kind {
                DataKind::Halfword => (Self::Binary, 2),
                DataKind::Fullword => (Self::Binary, 4),
                DataKind::Doubleword => (Self::Binary, 8),
                DataKind::Char(bytes) => (Self::Text, usize::from(bytes)),
                DataKind::Packed(bytes) => (Self::Packed, usize::from(bytes).min(PACKED_BYTES_MAX)),
                DataKind::Bytes => (Self::Text, 0),
                DataKind::Pointer => (Self::Pointer, 8),
            },
        }
    }
}

/// One option of a call.
#[derive(Debug, Clone)]
pub(crate) struct Argument {
    pub option: OptionId,
    pub form: Form,
    pub storage: Vec<u8>,
    /// Task storage with the same bytes, for commands that work by address; 0: none.
    pub address: Address,
}

/// A call whose conditions never take the program elsewhere: it always has RESP and RESP2.
#[derive(Debug, Clone)]
pub(crate) struct InternalCall {
    command: CommandId,
    arguments: Vec<Argument>,
    resp: (i64, i64),
}

impl InternalCall {
    /// A call without options.
    pub(crate) fn new(command: CommandId) -> Self {
        Self {
            command,
            arguments: Vec::new(),
            resp: (0, 0),
        }
    }

    /// The command's row in the table.
    pub(crate) fn row(&self) -> Option<&'static Command> {
        transom_commands::command(self.command)
    }

    fn spec(&self, option: OptionId) -> Option<&'static OptionSpec> {
        self.row()?.option_by_id(option)
    }

    /// Adds an argument as it is.
    pub(crate) fn push(&mut self, option: OptionId, form: Form, storage: Vec<u8>) {
        self.arguments.push(Argument {
            option,
            form,
            storage,
            address: 0,
        });
    }

    /// Where the bytes of an argument lie, for commands that work by address.
    pub(crate) fn place(&mut self, option: OptionId, address: Address) {
        if let Some(argument) = self.argument_mut(option) {
            argument.address = address;
        }
    }

    /// A keyword.
    pub(crate) fn flag(mut self, option: OptionId) -> Self {
        self.push(option, Form::Flag, Vec::new());
        self
    }

    /// Characters; padded to the size the table gives.
    pub(crate) fn text(mut self, option: OptionId, value: impl AsRef<[u8]>) -> Self {
        let size = self.spec(option).map_or(0, |s| Form::of(s.argument).1);
        let mut storage = value.as_ref().to_vec();
        if size > 0 {
            storage.resize(size, b' ');
        }
        self.push(option, Form::Text, storage);
        self
    }

    /// A number.
    pub(crate) fn number(mut self, option: OptionId, value: i64) -> Self {
        let (form, size) = match self.spec(option).map(|s| Form::of(s.argument)) {
            Some((Form::Packed, size)) => (Form::Packed, size),
            Some((Form::Binary, size)) => (Form::Binary, size),
            _ => (Form::Binary, 4),
        };
        self.push(option, form, vec![0; size]);
        self.set_number(option, value);
        self
    }

    /// A CICS value by name; a name without number gives 0, which no command takes.
    pub(crate) fn cvda(self, option: OptionId, name: &str) -> Self {
        let value = transom_commands::dfhvalue(name).unwrap_or(0);
        self.number(option, i64::from(value))
    }

    /// An empty field of the table's kind for the command to fill.
    pub(crate) fn out(mut self, option: OptionId) -> Self {
        let kind = self.spec(option).map_or(ArgKind::None, |s| s.argument);
        let (form, size) = Form::of(kind);
        let storage = match (form, size) {
            (Form::Text, 0) => vec![b' '; AREA_BYTES_DEFAULT],
            (Form::Text, size) => vec![b' '; size],
            (_, size) => vec![0; size],
        };
        self.push(option, form, storage);
        self
    }

    /// The same for an area of this many bytes.
    pub(crate) fn out_bytes(mut self, option: OptionId, bytes: usize) -> Self {
        self.push(option, Form::Text, vec![b' '; bytes]);
        self
    }

    /// RESP and RESP2 after the command ran.
    pub(crate) fn response(&self) -> (Resp, u32) {
        let resp = u16::try_from(self.resp.0).unwrap_or(Resp::ERROR.0);
        (Resp(resp), u32::try_from(self.resp.1).unwrap_or(0))
    }

    /// RESP is NORMAL.
    pub(crate) fn is_normal(&self) -> bool {
        self.response().0 == Resp::NORMAL
    }

    /// All arguments, in source order.
    pub(crate) fn arguments(&self) -> &[Argument] {
        &self.arguments
    }

    /// All arguments, to be changed.
    pub(crate) fn arguments_mut(&mut self) -> &mut [Argument] {
        &mut self.arguments
    }

    fn argument(&self, option: OptionId) -> Option<&Argument> {
        self.arguments.iter().find(|a| a.option == option)
    }

    fn argument_mut(&mut self, option: OptionId) -> Option<&mut Argument> {
        self.arguments.iter_mut().find(|a| a.option == option)
    }

    /// Text of a field without trailing blanks and low values.
    pub(crate) fn got_text(&self, option: OptionId) -> String {
        let bytes = self.argument(option).map_or(&[][..], |a| &a.storage);
        let text: String = bytes.iter().map(|b| char::from(*b)).collect();
        text.trim_end_matches([' ', '\0']).to_owned()
    }

    /// Number in a field; 0 without it.
    pub(crate) fn got_number(&self, option: OptionId) -> i64 {
        Call::number(self, option).unwrap_or(0)
    }

    /// Name of the CICS value in a field; empty when it has none.
    pub(crate) fn got_cvda(&self, option: OptionId) -> &'static str {
        let value = i32::try_from(self.got_number(option)).unwrap_or(0);
        transom_commands::cvda_name(value).unwrap_or("")
    }
}

impl Argument {
    /// The value, where the form is numeric.
    pub(crate) fn as_number(&self) -> Option<i64> {
        match self.form {
            Form::Binary => {
                let negative = self.storage.first().is_some_and(|b| b & 0x80 != 0);
                let start = if negative { -1 } else { 0 };
                let fold = |value: i64, byte: &u8| (value << 8) | i64::from(*byte);
                Some(self.storage.iter().fold(start, fold))
            }
            Form::Packed => packed(&self.storage),
            Form::Text => {
                let text = std::str::from_utf8(&self.storage).ok()?;
                text.trim_matches([' ', '\0']).parse().ok()
            }
            Form::Flag | Form::Pointer => None,
        }
    }

    fn store_number(&mut self, value: i64) {
        match self.form {
            Form::Binary => {
                let bytes = value.to_be_bytes();
                let from = bytes.len().saturating_sub(self.storage.len());
                let low = bytes.get(from..).unwrap_or_default();
                for (to, byte) in self.storage.iter_mut().zip(low) {
                    *to = *byte;
                }
            }
            Form::Packed => pack(&mut self.storage, value),
            Form::Text => {
                let text = value.to_string();
                self.storage.fill(b' ');
                for (to, from) in self.storage.iter_mut().zip(text.bytes()) {
                    *to = from;
                }
            }
            Form::Flag | Form::Pointer => {}
        }
    }
}

fn packed(bytes: &[u8]) -> Option<i64> {
    let mut value: i64 = 0;
    for (i, byte) in bytes.iter().enumerate() {
        value = value.checked_mul(10)?.checked_add(i64::from(byte >> 4))?;
        if i + 1 < bytes.len() {
            value = value.checked_mul(10)?.checked_add(i64::from(byte & 15))?;
        }
    }
    let minus = bytes.last().is_some_and(|b| b & 15 == 13);
    Some(if minus { -value } else { value })
}

fn pack(bytes: &mut [u8], value: i64) {
    let mut rest = value.unsigned_abs();
    let mut digit = || {
        let digit = (rest % 10) as u8;
        rest /= 10;
        digit
    };
    let mut sign = Some(if value < 0 { 13 } else { 12 });
    for byte in bytes.iter_mut().rev() {
        let low = sign.take().unwrap_or_else(&mut digit);
        *byte = (digit() << 4) | low;
    }
}

impl Call for InternalCall {
    fn command(&self) -> CommandId {
        self.command
    }
    fn line(&self) -> u32 {
        0
    }
    fn nohandle(&self) -> bool {
        true
    }
    fn has(&self, option: OptionId) -> bool {
        self.argument(option).is_some()
    }
    fn number(&self, option: OptionId) -> Option<i64> {
        self.argument(option)?.as_number()
    }
    fn bytes(&self, option: OptionId) -> Option<&[u8]> {
        let argument = self.argument(option)?;
        (argument.form != Form::Flag).then_some(&argument.storage)
    }
    fn bytes_mut(&mut self, option: OptionId) -> Option<&mut [u8]> {
        let argument = self.argument_mut(option)?;
        (argument.form != Form::Flag).then_some(&mut argument.storage)
    }
    fn address_of(&self, option: OptionId) -> Option<Address> {
        self.argument(option).map(|a| a.address)
    }
    fn pointer(&self, option: OptionId) -> Option<Address> {
        let argument = self.argument(option)?;
        let bytes = argument.storage.as_slice().try_into().ok()?;
        (argument.form == Form::Pointer).then(|| u64::from_be_bytes(bytes) as Address)
    }
    fn set_number(&mut self, option: OptionId, value: i64) {
        match option {
            opt::RESP => self.resp.0 = value,
            opt::RESP2 => self.resp.1 = value,
            _ => {}
        }
        if let Some(argument) = self.argument_mut(option) {
            argument.store_number(value);
        }
    }
    fn set_text(&mut self, option: OptionId, value: &str) {
        if let Some(argument) = self.argument_mut(option).filter(|a| a.form == Form::Text) {
            argument.storage.fill(b' ');
            for (to, from) in argument.storage.iter_mut().zip(value.bytes()) {
                *to = from;
            }
        }
    }
    fn set_pointer(&mut self, option: OptionId, value: Address) {
        if let Some(argument) = self.argument_mut(option)
            && argument.form == Form::Pointer
        {
            argument.storage = (value as u64).to_be_bytes().to_vec();
        }
    }
    fn label(&self, option: OptionId) -> Option<u16> {
        self.argument(option).map(|_| 0)
    }
    fn options(&self) -> Vec<OptionId> {
        self.arguments.iter().map(|a| a.option).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::cmd;

    #[test]
    fn fields_have_the_kind_the_table_gives() {
        let mut call = InternalCall::new(cmd::INQUIRE_PROGRAM)
            .text(opt::PROGRAM, "PAY")
            .out(opt::USECOUNT)
            .cvda(opt::STATUS, "ENABLED");
        assert_eq!(call.bytes(opt::PROGRAM), Some(&b"PAY     "[..]));
        call.set_number(opt::USECOUNT, -7);
        assert_eq!(call.got_number(opt::USECOUNT), -7);
        assert_eq!(call.got_cvda(opt::STATUS), "ENABLED");
        call.set_number(opt::RESP, 27);
        assert_eq!(call.response().0, Resp::PGMIDERR);
    }

    #[test]
    fn packed_decimal() {
        let mut field = [0u8; 4];
        for value in [0, 1, -1, 1_234_567, -120_000] {
            pack(&mut field, value);
            assert_eq!(packed(&field), Some(value));
        }
        pack(&mut field, 120_000);
        assert_eq!(field, [0x01, 0x20, 0x00, 0x0C]);
    }
}
