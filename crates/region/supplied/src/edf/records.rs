//! Records of a program: those of its source, and those the translator added.
//!
//! Not here: where they lie (`Host::working_storage`), showing them (`storage`).

use transom_types::ProgramName;
use transom_workers::seam::{Area, Host};

/// Records of the program's source, and those the translator added: constants and the like.
pub(super) fn records(host: &mut dyn Host, program: ProgramName) -> (Vec<Area>, Vec<Area>) {
    let mut records = host.working_storage();
    let name = program.as_str().as_bytes();
    // The added ones begin with a number of four bytes and the name of the program.
    let own = records.windows(2).position(|two| match two {
        [number, named] => {
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
