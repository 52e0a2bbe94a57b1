//! A figure that must not grow with the size.

use crate::figure::{self, Goal};

/// Most that a unit may cost at a hundred times the size.
const GROWTH_MAX: f64 = 1.2;

/// Prints what a unit costs at each size, and how it grows.
pub(super) fn flat(name: &str, unit: &str, costs: &[(usize, f64)]) {
    for (size, cost) in costs {
        figure::value(&format!("growth_{name}_{size}"), *cost, unit, Goal::None);
    }
    if let (Some((_, first)), Some((_, last))) = (costs.first(), costs.last()) {
        let growth = last / first.max(f64::MIN_POSITIVE);
        let goal = Goal::Most(GROWTH_MAX);
        figure::value(&format!("growth_{name}"), growth, "ratio", goal);
    }
}
