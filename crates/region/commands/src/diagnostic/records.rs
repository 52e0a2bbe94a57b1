//! Records of a program: those of its source, and those the translator added.
//!
//! For dumps and debuggers. Not here: where they lie (`Host::working_storage`), their names
//! (`transom dump`).

use transom_types::ProgramName;
use transom_workers::seam::{Area, Host};

/// A record, with the number that the compiler gave it.
type Record = (u32, Area);

/// Records of the program's source, and those the translator added: constants and the like. The
/// second are none where another program runs. `is_over`: a program check ended it.
pub fn records(
    host: &mut dyn Host,
    program: ProgramName,
    is_over: bool,
) -> (Vec<Record>, Vec<Record>) {
    let mut records = host.working_storage(is_over.then_some(program));
    let name = program.as_str().as_bytes();
    // The added ones begin with a number of four bytes and the name of the program.
    let own = records.windows(2).position(|two| match two {
        [number, named] => {
            let (number, named) = (number.1, named.1);
            let there = number.bytes == 4
                && named.bytes == name.len()
                && host.reach(named.address, named.bytes, false) == named.bytes;
            there && host.memory(named.address, named.bytes) == name
        }
        _ => false,
    });
    let added = records.split_off(own.unwrap_or(records.len()));
    (records, added)
}
