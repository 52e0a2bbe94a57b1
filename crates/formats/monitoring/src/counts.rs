//! What a task has asked for so far, by field.
//!
//! Why fields and not names of their own: what counts where stands in one table ([`counter_of`]).
//!
//! [`counter_of`]: crate::counter_of

use crate::field;
use crate::kind::FieldId;

/// Counts of a task.
pub struct Counts {
    numbers: [u32; field::COUNT],
    /// A bit for each field that has counted, the first the lowest.
    counted: u128,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            numbers: [0; field::COUNT],
            counted: 0,
        }
    }
}

impl Counts {
    /// One more.
    pub fn count(&mut self, field: FieldId) {
        self.add(field, 1);
    }

    /// So many more.
    pub fn add(&mut self, field: FieldId, number: usize) {
        if let Some(count) = self.numbers.get_mut(usize::from(field.0)) {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            *count = count.saturating_add(number);
            self.counted |= 1 << field.0;
        }
    }

    /// One more in the first field, and these bytes in the second.
    pub fn count_bytes(&mut self, (field, of_bytes): (FieldId, FieldId), bytes: usize) {
        self.count(field);
        self.add(of_bytes, bytes);
    }

    /// One more in the first field if it is so, else in the second.
    pub fn count_either(&mut self, is_so: bool, (field, otherwise): (FieldId, FieldId)) {
        self.count(if is_so { field } else { otherwise });
    }

    /// What was counted in the first field belongs into the second.
    pub fn change(&mut self, (counted, rather): (FieldId, FieldId)) {
        if let Some(count) = self.numbers.get_mut(usize::from(counted.0)) {
            *count = count.saturating_sub(1);
        }
        self.count(rather);
    }

    /// What is not zero, in the order of the fields.
    pub fn all(&self) -> impl Iterator<Item = (FieldId, u64)> + '_ {
        let mut left = self.counted;
        let next = move || {
            let place = (left != 0).then(|| left.trailing_zeros() as u8)?;
            left &= left - 1;
            let count = self.numbers.get(usize::from(place))?;
            Some((FieldId(place), u64::from(*count)))
        };
        std::iter::from_fn(next).filter(|(_, count)| *count > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_zero_is_told() {
        let mut counts = Counts::default();
        counts.count(field::BMSMAPCT);
        counts.change((field::BMSMAPCT, field::BMSINCT));
        counts.count_bytes((field::TCMSGIN1, field::TCCHRIN1), 12);
        counts.count_either(false, (field::TSPUTMCT, field::TSPUTACT));
        let mut told: Vec<_> = counts.all().collect();
        told.sort();
        let mut expected = vec![
            (field::BMSINCT, 1),
            (field::TCMSGIN1, 1),
            (field::TCCHRIN1, 12),
            (field::TSPUTACT, 1),
        ];
        expected.sort();
        assert_eq!(told, expected);
    }
}
