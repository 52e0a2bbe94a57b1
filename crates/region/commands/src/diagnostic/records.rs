//! Storage of a program: what its source has, and what the translator added.
//!
//! For dumps and debuggers. Not here: where it lies (`Host::storage_of`), names of items
//! (`transom dump`).

use transom_types::ProgramName;
use transom_workers::seam::{Address, Area, Host};

/// A record, with the number that the compiler gave it.
type Record = (u32, Area);

/// What there is of a program.
#[derive(Debug, Default)]
pub struct Records {
    /// WORKING-STORAGE of its source.
    pub own: Vec<Record>,
    /// What the translator added, constants and the like, and behind these addresses of LINKAGE.
    /// None where another program runs.
    pub added: Vec<Record>,
    /// Where items of LINKAGE are that it was called with.
    pub parameters: Vec<(u32, Address)>,
    /// LOCAL-STORAGE.
    pub local: Option<Area>,
}

/// The storage of a program. `is_over`: a program check ended it.
pub fn records(host: &mut dyn Host, program: ProgramName, is_over: bool) -> Records {
    let storage = host.storage_of(is_over.then_some(program));
    let mut own = storage.records;
    let name = program.as_str().as_bytes();
    // The added ones begin with a number of four bytes and the name of the program.
    let begin = own.windows(2).position(|two| match two {
        [number, named] => {
            let (number, named) = (number.1, named.1);
            let there = number.bytes == 4
                && named.bytes == name.len()
                && host.reach(named.address, named.bytes, false) == named.bytes;
            there && host.memory(named.address, named.bytes) == name
        }
        _ => false,
    });
    let added = own.split_off(begin.unwrap_or(own.len()));
    Records {
        own,
        added,
        parameters: storage.parameters,
        local: storage.local,
    }
}
