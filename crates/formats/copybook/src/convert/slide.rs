//! Brings a record with all tables at their largest sizes to the form in which short tables move
//! what follows.

use super::MAX_COUNTERS;
use super::leaf::Leaf;
use super::plan::Scope;

/// Moves what follows tables that are not full to the left, within the area of `scope` that starts
/// at `from`, the area itself to `to` (never right of `from`); returns where it ends.
pub(super) fn compact(
    scopes: &[Scope],
    scope: usize,
    from: usize,
    to: usize,
    counts: &mut [usize; MAX_COUNTERS],
    record: &mut [u8],
) -> usize {
    let here = &scopes[scope];
    // Nothing at or behind `from` has been overwritten yet, so counters are read at their full-size
    // places.
    for counter in &here.counters {
        if let Leaf::Number { number, .. } = &counter.leaf {
            let at = from + counter.offset;
            let value = number.read(&record[at..at + counter.len]);
            counts[counter.slot] =
                value.map_or(0, |value| usize::try_from(value.magnitude).unwrap_or(0));
        }
    }
    let (mut done, mut to) = (0, to);
    for table in &here.tables {
        record.copy_within(from + done..from + table.offset, to);
        to += table.offset - done;
        let count = table
            .slot
            .map_or(table.max, |slot| counts[slot].min(table.max));
        let start = from + table.offset;
        if table.walked {
            for index in 0..count {
                to = compact(
                    scopes,
                    table.element_scope,
                    start + index * table.stride,
                    to,
                    counts,
                    record,
                );
            }
        } else {
            record.copy_within(start..start + count * table.stride, to);
            to += count * table.stride;
        }
        done = table.end;
    }
    record.copy_within(from + done..from + here.len, to);
    to + here.len - done
}
