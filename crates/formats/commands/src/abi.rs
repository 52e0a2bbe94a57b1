//! How translated COBOL calls the region: the descriptor in front of every EXEC CICS call.
//!
//! What: the byte layout that `translator` writes and `workers` reads. Why here: both sides must
//! agree and neither may depend on the other. Not here: meaning of options (see the table).
//!
//! A translated command is
//! `CALL 'TXMEXEC' USING descriptor argument... RETURNING branch`. Arguments are passed by
//! reference with the COBOL field description, so the runtime knows type, digits, scale and size of
//! each. A branch other than 0 is the label (1-based, in the program's own list) the program must
//! GO TO: a HANDLE CONDITION or HANDLE AID took the condition.
//!
//! The first statement of every program is `CALL 'TXMENTRY' USING name RETURNING branch`; a branch
//! other than 0 there resumes the program at a HANDLE ABEND label.

use crate::{CommandId, OptionId};

/// First bytes of a descriptor.
pub const MAGIC: [u8; 3] = [b'T', b'X', 1];
/// Flag: the command has RESP or NOHANDLE, so HANDLE and default actions do not apply.
pub const FLAG_NOHANDLE: u8 = 1;
/// Flag: the program does GOBACK when the branch is -1. A translator that sets it on RETURN spares
/// the run time a jump; without it the run time leaves the program by itself.
pub const FLAG_GOBACK: u8 = 2;
/// Bytes before the lists.
pub const HEADER_BYTES: usize = 14;

/// One EXEC CICS call as the translator saw it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Descriptor {
    /// Number in the command table.
    pub command: CommandId,
    /// [`FLAG_NOHANDLE`].
    pub flags: u8,
    /// Line of the EXEC in the user's own source file (the program or the copybook it is in).
    pub line: u32,
    /// Option of each argument, in parameter order.
    pub arguments: Vec<OptionId>,
    /// Options given without an argument.
    pub keywords: Vec<OptionId>,
    /// Options whose argument is a paragraph or section: option and 1-based label number.
    pub labels: Vec<(OptionId, u16)>,
}

impl Descriptor {
    /// The bytes: header `magic(3) flags(1) command(2) line(4) argc(1) kwc(1) labelc(1) 0`, then
    /// argc + kwc option numbers of 2 bytes, then labelc pairs of 2 + 2 bytes. Big-endian.
    /// More than 255 entries of a kind cannot be written: `None`.
    pub fn encode(&self) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(HEADER_BYTES + 32);
        out.extend_from_slice(&MAGIC);
        out.push(self.flags);
        out.extend_from_slice(&self.command.0.to_be_bytes());
        out.extend_from_slice(&self.line.to_be_bytes());
        out.push(u8::try_from(self.arguments.len()).ok()?);
        out.push(u8::try_from(self.keywords.len()).ok()?);
        out.push(u8::try_from(self.labels.len()).ok()?);
        out.push(0);
        for option in self.arguments.iter().chain(&self.keywords) {
            out.extend_from_slice(&option.0.to_be_bytes());
        }
        for (option, label) in &self.labels {
            out.extend_from_slice(&option.0.to_be_bytes());
            out.extend_from_slice(&label.to_be_bytes());
        }
        Some(out)
    }

    /// Reads a descriptor back. `None` when the bytes are not one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let view = View::new(bytes)?;
        Some(Self {
            command: view.command(),
            flags: view.flags(),
            line: view.line(),
            arguments: (0..view.argument_count())
                .map(|i| view.argument(i))
                .collect(),
            keywords: (0..view.keyword_count()).map(|i| view.keyword(i)).collect(),
            labels: (0..view.label_count()).map(|i| view.label(i)).collect(),
        })
    }
}

/// A descriptor read in place, without allocation, for the run-time path.
#[derive(Debug, Clone, Copy)]
pub struct View<'a>(&'a [u8]);

impl<'a> View<'a> {
    /// Checks magic and length once; the accessors below rely on it.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        if bytes.len() < HEADER_BYTES || bytes[..3] != MAGIC {
            return None;
        }
        let need = Self::total_bytes(bytes);
        (bytes.len() >= need).then(|| Self(&bytes[..need]))
    }

    /// Length of a whole descriptor from its header, which must be at least [`HEADER_BYTES`] long.
    pub fn total_bytes(header: &[u8]) -> usize {
        let (args, keywords, labels) = (header[10], header[11], header[12]);
        HEADER_BYTES + 2 * (usize::from(args) + usize::from(keywords)) + 4 * usize::from(labels)
    }

    fn u16_at(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.0[at], self.0[at + 1]])
    }

    /// Command number.
    pub fn command(&self) -> CommandId {
        CommandId(self.u16_at(4))
    }

    /// Flags.
    pub fn flags(&self) -> u8 {
        self.0[3]
    }

    /// Source line.
    pub fn line(&self) -> u32 {
        u32::from_be_bytes([self.0[6], self.0[7], self.0[8], self.0[9]])
    }

    /// Number of arguments after the descriptor.
    pub fn argument_count(&self) -> usize {
        usize::from(self.0[10])
    }

    /// Number of options without argument.
    pub fn keyword_count(&self) -> usize {
        usize::from(self.0[11])
    }

    /// Number of label options.
    pub fn label_count(&self) -> usize {
        usize::from(self.0[12])
    }

    /// Which argument an option is.
    pub fn argument_of(&self, option: OptionId) -> Option<usize> {
        let wanted = option.0.to_be_bytes();
        let all = &self.0[HEADER_BYTES..HEADER_BYTES + 2 * self.argument_count()];
        all.as_chunks().0.iter().position(|given| *given == wanted)
    }

    /// Options with an argument, then those without.
    pub fn arguments_and_keywords(&self) -> impl Iterator<Item = OptionId> {
        let count = self.argument_count() + self.keyword_count();
        let all = &self.0[HEADER_BYTES..HEADER_BYTES + 2 * count];
        let numbers = all.as_chunks().0.iter();
        numbers.map(|number| OptionId(u16::from_be_bytes(*number)))
    }

    /// Option of argument `i`.
    pub fn argument(&self, i: usize) -> OptionId {
        OptionId(self.u16_at(HEADER_BYTES + 2 * i))
    }

    /// Keyword `i`.
    pub fn keyword(&self, i: usize) -> OptionId {
        OptionId(self.u16_at(HEADER_BYTES + 2 * (self.argument_count() + i)))
    }

    /// Label option `i` and its label number.
    pub fn label(&self, i: usize) -> (OptionId, u16) {
        let at = HEADER_BYTES + 2 * (self.argument_count() + self.keyword_count()) + 4 * i;
        (OptionId(self.u16_at(at)), self.u16_at(at + 2))
    }
}
