//! The map file: a physical mapset as bytes.
//!
//! Why a form of its own: it is loaded by every worker at its first SEND MAP, so it is read in one
//! pass without any text. Layout: magic, version, checksum, then mapset, maps and fields, integers
//! big-endian, texts with their length in front. What is read is checked as if a stranger had
//! written it. Not here: files.

mod form;
mod read;
mod write;

pub use form::MapFileError;

use crate::MAX_MAPS;
use crate::physical::PhysicalMapset;
use form::{Result, error};
use read::Reader;
use write::Writer;

const MAGIC: &[u8; 6] = b"TXMMAP";
/// Version of the form; others are refused.
pub const MAP_FILE_VERSION: u16 = 1;
/// Magic, version, checksum.
const HEADER_BYTES: usize = 16;

impl PhysicalMapset {
    /// The mapset as a map file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        out.text(self.name.as_bytes());
        out.0.push(self.suffix.map_or(0, |c| c as u8));
        out.u16(self.maps.len());
        for map in &self.maps {
            out.map(map);
        }
        let mut file = Vec::with_capacity(HEADER_BYTES + out.0.len());
        file.extend_from_slice(MAGIC);
        file.extend(MAP_FILE_VERSION.to_be_bytes());
        file.extend(checksum(&out.0).to_be_bytes());
        file.extend(out.0);
        file
    }

    /// A mapset from a map file.
    ///
    /// # Errors
    /// The file is of another kind or version, damaged, or says what no map can be.
    pub fn from_bytes(file: &[u8]) -> Result<Self> {
        let mut reader = Reader(file);
        if reader.take(MAGIC.len())? != MAGIC {
            return error("it is no map file");
        }
        if reader.u16()? != MAP_FILE_VERSION {
            return error("it is of another version");
        }
        let mut sum = [0; 8];
        sum.copy_from_slice(reader.take(8)?);
        if u64::from_be_bytes(sum) != checksum(reader.0) {
            return error("it is damaged");
        }
        let name = reader.name(8)?;
        let suffix = match reader.u8()? {
            0 => None,
            c if c.is_ascii_alphanumeric() => Some(char::from(c)),
            _ => return error("its suffix is no character"),
        };
        let count = usize::from(reader.u16()?);
        if count > MAX_MAPS {
            return error("it has too many maps");
        }
        let maps = (0..count).map(|_| reader.map()).collect::<Result<_>>()?;
        if !reader.0.is_empty() {
            return error("it is longer than its maps");
        }
        Ok(Self { name, suffix, maps })
    }
}

/// FNV-1a: finds damage, not malice.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
