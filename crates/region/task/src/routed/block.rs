//! What a dynamic routing program is given: the COMMAREA DFHDYPDS maps.
//!
//! Offsets and lengths are those IBM documents; of what lies behind the fields of BTS only names
//! and lengths are documented. Not here: when the program is called (`dynamic`, and the relay
//! program of `region/supplied`).

use transom_types::{AbendCode, ProgramName, SysId, TransId};
use transom_workers::seam::{Address, Area, Host};

/// Bytes of DFHDYPDS.
pub const BYTES: usize = 1_316;
/// DYRVER: DYRUAPTR has an address.
const VERSION: u16 = 7;

/// A field.
#[derive(Clone, Copy)]
pub struct Field(usize, usize);

/// DYRFUNC.
pub const FUNC: Field = Field(0, 1);
const COMP: Field = Field(1, 2);
/// DYRERROR.
pub const ERROR: Field = Field(4, 1);
/// DYROPTER.
pub const OPTER: Field = Field(5, 1);
/// DYRQUEUE.
pub const QUEUE: Field = Field(6, 1);
/// DYRRETC.
pub const RETC: Field = Field(8, 4);
/// DYRSYSID.
pub const SYSID: Field = Field(12, 4);
const VER: Field = Field(16, 2);
const TYPE: Field = Field(18, 1);
/// DYRTRAN.
pub const TRAN: Field = Field(20, 8);
/// DYRCOUNT.
pub const COUNT: Field = Field(28, 4);
const BPNTR: Field = Field(32, 4);
const BLGTH: Field = Field(36, 4);
const RTPRI: Field = Field(40, 1);
/// DYRNETNM.
pub const NETNM: Field = Field(44, 8);
/// DYRLPROG.
pub const LPROG: Field = Field(52, 8);
const DTRXN: Field = Field(60, 1);
const DTRRJ: Field = Field(61, 1);
/// DYRABCDE.
pub const ABCDE: Field = Field(72, 4);
/// DYRCABP.
pub const CABP: Field = Field(76, 1);
const ACMAA: Field = Field(80, 4);
const ACMAL: Field = Field(84, 4);
const UAPTR: Field = Field(88, 4);
const USERID: Field = Field(268, 8);
const CHANL: Field = Field(276, 16);
const USER: Field = Field(292, 1_024);

/// The storage of one.
#[derive(Debug, Clone, Copy)]
pub struct Block(pub Address);

/// What is routed: DYRTYPE as IBM documents it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Terminal input.
    Input = b'0' as isize,
    /// What a START or a queue began at a terminal, and nobody routes.
    Started = b'1' as isize,
    /// LINK without a channel.
    Link = b'4' as isize,
    /// LINK with a channel.
    LinkWithChannel = b'9' as isize,
}

/// What it begins with.
#[derive(Debug)]
pub struct First<'a> {
    /// DYRTYPE.
    pub kind: Kind,
    /// Where the definition has it; this system where it names none.
    pub system: SysId,
    /// Its name in the network.
    pub netname: [u8; 8],
    /// Transaction there.
    pub transid: TransId,
    /// Program that runs here or, of LINK, there.
    pub program: ProgramName,
    /// User of the task.
    pub userid: &'a [u8],
    /// Name of the channel.
    pub channel: &'a [u8],
    /// COMMAREA, or container DFHROUTE.
    pub commarea: Area,
    /// What was typed, as programs have it.
    pub input: &'a [u8],
}

impl Block {
    /// A new one; `None`: there is no storage.
    pub fn new(host: &mut dyn Host, first: &First<'_>) -> Option<Self> {
        let address = host.getmain(BYTES, Some(0))?;
        let block = Self(address);
        block.put(host, COMP, b"RT");
        block.put(host, ERROR, b" ");
        block.put(host, OPTER, b"N");
        block.put(host, QUEUE, b"Y");
        block.put(host, SYSID, first.system.as_bytes());
        block.put(host, VER, &VERSION.to_be_bytes());
        block.put(host, TYPE, &[first.kind as u8]);
        block.put(host, TRAN, first.transid.as_bytes());
        block.put(host, RTPRI, b"N");
        block.put(host, NETNM, &first.netname);
        block.put(host, LPROG, first.program.as_bytes());
        block.put(host, DTRXN, b"N");
        block.put(host, DTRRJ, b"N");
        block.put(host, ABCDE, b"");
        block.put(host, CABP, b"Y");
        block.put(host, USERID, first.userid);
        block.put(host, CHANL, first.channel);
        block.area(host, first.commarea);
        block.number(host, UAPTR, address + USER.0);
        if !first.input.is_empty() {
            let input = host.getmain(first.input.len(), None)?;
            let to = host.memory_mut(input, first.input.len());
            to.copy_from_slice(first.input);
            block.number(host, BPNTR, input);
            block.number(host, BLGTH, first.input.len());
        }
        Some(block)
    }

    /// The application's COMMAREA.
    pub fn area(self, host: &mut dyn Host, area: Area) {
        let address = if area.bytes == 0 { 0 } else { area.address };
        self.number(host, ACMAA, address);
        self.number(host, ACMAL, area.bytes);
    }

    /// Puts characters, padded with blanks.
    pub fn put(self, host: &mut dyn Host, field: Field, value: &[u8]) {
        let Field(at, bytes) = field;
        let to = host.memory_mut(self.0 + at, bytes);
        to.fill(b' ');
        to.iter_mut().zip(value).for_each(|(to, from)| *to = *from);
    }

    /// Puts a fullword; addresses of programs have four bytes.
    pub fn number(self, host: &mut dyn Host, field: Field, value: usize) {
        let value = u32::try_from(value).unwrap_or(u32::MAX).to_be_bytes();
        host.memory_mut(self.0 + field.0, 4).copy_from_slice(&value);
    }

    /// A fullword.
    pub fn read(self, host: &dyn Host, field: Field) -> u32 {
        let bytes = host.memory(self.0 + field.0, 4);
        bytes
            .first_chunk()
            .map_or(0, |bytes| u32::from_be_bytes(*bytes))
    }

    /// Characters.
    pub fn text(self, host: &dyn Host, field: Field) -> Vec<u8> {
        host.memory(self.0 + field.0, field.1).to_vec()
    }

    /// A field of one character has this one.
    pub fn is(self, host: &dyn Host, field: Field, value: u8) -> bool {
        self.text(host, field).first() == Some(&value)
    }

    /// The program is called for this.
    pub fn function(self, host: &mut dyn Host, function: u8) {
        self.put(host, FUNC, &[function]);
        self.number(host, RETC, 0);
    }

    /// The routed transaction abended.
    pub fn abended(self, host: &mut dyn Host, code: AbendCode) {
        self.put(host, ABCDE, code.to_string().as_bytes());
    }
}

#[cfg(test)]
mod tests {
    /// COBOL says where its fields lie: `cobol/copy/DFHDYPDS.cpy` and this page are one layout.
    #[test]
    fn the_copybook_has_this_layout() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../cobol/copy/DFHDYPDS.cpy"
        );
        let text = std::fs::read_to_string(path).unwrap();
        let mut at = 0;
        let mut found = std::collections::HashMap::new();
        for line in text.lines().filter(|line| line.get(6..7) == Some(" ")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let bytes = match words.as_slice() {
                ["01", "DYRUAREA."] => break,
                [_, _, "PIC", "S9(8)", "COMP."] | [_, _, "POINTER."] => 4,
                [_, _, "PIC", "S9(4)", "COMP."] => 2,
                [_, _, "PIC", picture] => {
                    let digits = picture.trim_matches(|c: char| !c.is_ascii_digit());
                    digits.parse().unwrap()
                }
                _ => 0,
            };
            if let Some(name) = words.get(1) {
                found.insert(name.trim_end_matches('.').to_owned(), (at, bytes));
            }
            at += bytes;
        }
        assert_eq!(at, super::BYTES);
        for (name, field) in [
            ("DYRFUNC", super::FUNC),
            ("DYRCOMP", super::COMP),
            ("DYRERROR", super::ERROR),
            ("DYROPTER", super::OPTER),
            ("DYRQUEUE", super::QUEUE),
            ("DYRRETC", super::RETC),
            ("DYRSYSID", super::SYSID),
            ("DYRVER", super::VER),
            ("DYRTYPE", super::TYPE),
            ("DYRTRAN", super::TRAN),
            ("DYRCOUNT", super::COUNT),
            ("DYRBPNTR", super::BPNTR),
            ("DYRBLGTH", super::BLGTH),
            ("DYRRTPRI", super::RTPRI),
            ("DYRNETNM", super::NETNM),
            ("DYRLPROG", super::LPROG),
            ("DYRDTRXN", super::DTRXN),
            ("DYRDTRRJ", super::DTRRJ),
            ("DYRABCDE", super::ABCDE),
            ("DYRCABP", super::CABP),
            ("DYRACMAA", super::ACMAA),
            ("DYRACMAL", super::ACMAL),
            ("DYRUAPTR", super::UAPTR),
            ("DYRUSERID", super::USERID),
            ("DYRCHANL", super::CHANL),
            ("DYRUSER", super::USER),
        ] {
            assert_eq!(found.get(name), Some(&(field.0, field.1)), "{name}");
        }
    }
}
