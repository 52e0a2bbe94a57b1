//! Random numbers: CEERAN0.
//!
//! What: the multiplicative congruential generator that Enterprise PL/I documents for RANDOM, whose
//! sequence COBOL's RANDOM on z/OS shows too: the same seed gives the same numbers. Not here:
//! FUNCTION RANDOM (`region/workers/edge/functions.c`).

use super::arguments::{Arguments, Condition};
use super::enclave::Task;
use std::time::{SystemTime, UNIX_EPOCH};

const MULTIPLIER: i64 = 950_706_376;
const MODULUS: i64 = 2_147_483_647;
const BAD_SEED: Condition = Condition::severe(2524);

/// CEERAN0: the next number, and the seed of the one after it. Seed 0: one from the clock.
pub(super) fn ceeran0(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let seed = i64::from(i32::from_be_bytes(of.bytes(0)));
    if !(0..MODULUS).contains(&seed) {
        of.store_seconds(1, -1.0);
        return Err(BAD_SEED);
    }
    let seed = match seed {
        0 => of_clock(),
        seed => seed,
    };
    let next = next(seed);
    of.store_number(0, next);
    of.store_seconds(1, next as f64 / MODULUS as f64);
    Ok(())
}

fn next(seed: i64) -> i64 {
    MULTIPLIER * seed % MODULUS
}

fn of_clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let micros = since.map_or(0, |since| since.as_micros() % (MODULUS as u128 - 1));
    i64::try_from(micros).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        // RANDOM of Enterprise COBOL on z/OS, in its first three values after RANDOM(1).
        let mut seed = 2;
        for wanted in [
            0.885_414_310_211_974,
            0.120_165_917_147_028,
            0.609_567_459_490_880,
        ] {
            seed = next(seed);
            let shown = seed as f64 / MODULUS as f64;
            assert!((shown - wanted).abs() < 1e-14, "{shown}");
        }
    }
}
