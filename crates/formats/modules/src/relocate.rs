//! Moves a shared object to another address.
//!
//! What: the bytes of an ELF file with every address in it raised by one number, as the linker
//! would have written them with that text segment. Why: the loader of the system puts an object
//! where its first segment says, if that place is free, and anywhere else if it says 0; modules
//! must lie below 2 GiB, each instance at a place of its own. Not here: which place, and loading.

const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
const SECTION_HEADER: usize = 64;
const SYMBOL: usize = 24;
const RELA: usize = 24;

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const SHF_ALLOC: u64 = 2;
const STT_TLS: u8 = 6;
const SHN_UNDEF: u16 = 0;
const SHN_ABS: u16 = 0xfff1;

/// Entries of the dynamic section that are addresses: PLTGOT, HASH, STRTAB, SYMTAB, RELA, INIT,
/// FINI, JMPREL, INIT_ARRAY, FINI_ARRAY, GNU_HASH, VERSYM, VERDEF, VERNEED.
const ADDRESSES: &[u64] = &[
    3,
    4,
    5,
    6,
    7,
    12,
    13,
    23,
    25,
    26,
    0x6fff_fef5,
    0x6fff_fff0,
    0x6fff_fffc,
    0x6fff_fffe,
];
/// REL and RELR: relocations of other kinds, which no compiler of ours makes.
const OTHER_RELOCATIONS: &[u64] = &[17, 36];

#[cfg(target_arch = "x86_64")]
const RELATIVE: &[u32] = &[8, 37];
#[cfg(target_arch = "aarch64")]
const RELATIVE: &[u32] = &[1027, 1032];

/// A segment of the file that is loaded: address, place in the file, bytes there.
type Load = (u64, u64, u64);

/// What an object needs and where it may go.
pub struct Object {
    bytes: Vec<u8>,
    loads: Vec<Load>,
    /// Address behind its last segment.
    end: u64,
}

impl Object {
    /// Reads a file that was linked for address 0. `None`: it is another kind of file.
    pub fn read(bytes: Vec<u8>) -> Option<Self> {
        // 64 bits, little-endian, a shared object.
        if bytes.get(..6)? != b"\x7fELF\x02\x01" || half(&bytes, 16)? != 3 {
            return None;
        }
        let mut loads = Vec::new();
        let mut end = 0;
        for at in headers(&bytes)? {
            if word(&bytes, at)? == PT_LOAD {
                let address = long(&bytes, at + 16)?;
                loads.push((address, long(&bytes, at + 8)?, long(&bytes, at + 32)?));
                end = end.max(address.checked_add(long(&bytes, at + 40)?)?);
            }
        }
        (loads.first()?.0 == 0).then_some(Self { bytes, loads, end })
    }

    /// Bytes of addresses it takes.
    pub fn extent(&self) -> usize {
        self.end as usize
    }

    /// The file as if it had been linked for this address. `None`: it has something in it that
    /// cannot be moved.
    pub fn moved(mut self, base: u64) -> Option<Vec<u8>> {
        let mut dynamic = None;
        for at in headers(&self.bytes)? {
            let used = long(&self.bytes, at + 40)? != 0;
            if word(&self.bytes, at)? == PT_DYNAMIC {
                dynamic = Some((long(&self.bytes, at + 8)?, long(&self.bytes, at + 32)?));
            }
            if used {
                self.raise(at + 16, base)?;
                self.raise(at + 24, base)?;
            }
        }
        self.sections(base)?;
        let (at, bytes) = dynamic?;
        self.dynamic(at as usize, bytes as usize, base)?;
        Some(self.bytes)
    }

    fn sections(&mut self, base: u64) -> Option<()> {
        let first = long(&self.bytes, 40)? as usize;
        let count = usize::from(half(&self.bytes, 60)?);
        if first == 0 {
            return Some(());
        }
        for at in (0..count).map(|n| first + n * SECTION_HEADER) {
            if long(&self.bytes, at + 8)? & SHF_ALLOC != 0 {
                self.raise(at + 16, base)?;
            }
        }
        Some(())
    }

    fn dynamic(&mut self, first: usize, bytes: usize, base: u64) -> Option<()> {
        let mut table = std::collections::HashMap::new();
        for at in (first..first + bytes).step_by(16) {
            let tag = long(&self.bytes, at)?;
            if tag == 0 {
                break;
            }
            if OTHER_RELOCATIONS.contains(&tag) {
                return None;
            }
            table.insert(tag, long(&self.bytes, at + 8)?);
            if ADDRESSES.contains(&tag) {
                self.raise(at + 8, base)?;
            }
        }
        let symbols = self.place(*table.get(&6)?)?;
        let strings = self.place(*table.get(&5)?)?;
        // The linker puts the names right behind the symbols.
        let count = strings.checked_sub(symbols)? / SYMBOL;
        self.symbols(symbols, count, base)?;
        for (at, bytes) in [(7, 8), (23, 2)] {
            if let (Some(at), Some(bytes)) = (table.get(&at), table.get(&bytes)) {
                let at = self.place(*at)?;
                self.relocations(at, *bytes as usize, base)?;
            }
        }
        Some(())
    }

    fn symbols(&mut self, first: usize, count: usize, base: u64) -> Option<()> {
        for at in (1..count).map(|n| first + n * SYMBOL) {
            let section = half(&self.bytes, at + 6)?;
            let kind = self.bytes.get(at + 4)? & 15;
            if section != SHN_UNDEF && section != SHN_ABS && kind != STT_TLS {
                self.raise(at + 8, base)?;
            }
        }
        Some(())
    }

    fn relocations(&mut self, first: usize, bytes: usize, base: u64) -> Option<()> {
        for at in (first..first + bytes).step_by(RELA) {
            self.raise(at, base)?;
            if RELATIVE.contains(&word(&self.bytes, at + 8)?) {
                self.raise(at + 16, base)?;
            }
        }
        Some(())
    }

    /// Where an address lies in the file.
    fn place(&self, address: u64) -> Option<usize> {
        let load = self
            .loads
            .iter()
            .find(|(low, _, bytes)| (*low..low.saturating_add(*bytes)).contains(&address))?;
        usize::try_from(address - load.0 + load.1).ok()
    }

    fn raise(&mut self, at: usize, base: u64) -> Option<()> {
        let value = long(&self.bytes, at)?.checked_add(base)?;
        self.bytes
            .get_mut(at..at + 8)?
            .copy_from_slice(&value.to_le_bytes());
        Some(())
    }
}

/// Places of the program headers.
fn headers(bytes: &[u8]) -> Option<impl Iterator<Item = usize> + use<>> {
    let first = usize::try_from(long(bytes, 32)?).ok()?;
    let count = usize::from(half(bytes, 56)?);
    bytes.get(HEADER..first.checked_add(count * PROGRAM_HEADER)?)?;
    Some((0..count).map(move |n| first + n * PROGRAM_HEADER))
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_shared_object_is_refused() {
        assert!(Object::read(Vec::new()).is_none());
        assert!(Object::read(b"#!/bin/sh\nexit 0\n".to_vec()).is_none());
        let mut cut = vec![0; 200];
        cut[..6].copy_from_slice(b"\x7fELF\x02\x01");
        cut[16] = 3;
        cut[32] = 64;
        cut[56] = 9;
        assert!(Object::read(cut).is_none());
    }
}
