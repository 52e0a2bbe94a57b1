//! Devices as maps see them.

use transom_bms::{Device, Extra, ExtraSet};

/// Any device as maps see it.
pub fn device_of(facts: &transom_types::Device, alternate: bool) -> Device {
    let has = [
        (facts.colour, Extra::Color),
        (facts.highlight, Extra::Highlight),
        (facts.outline, Extra::Outline),
        (facts.validation, Extra::Validation),
    ];
    let known = has.iter().filter(|(has, _)| *has);
    Device {
        size: transom_wire::terminal::screen_size(facts, alternate),
        extras: known.fold(ExtraSet::default(), |set, (_, kind)| set.with(*kind)),
    }
}
