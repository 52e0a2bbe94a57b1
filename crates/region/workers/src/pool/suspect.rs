//! What a look found wrong, and whether the next one finds the same.
//!
//! Why: what is on its way from one place to the next looks wrong for a moment, and somebody busy
//! is often on its way. Not here: what is wrong (`looks`).

/// What cannot be, and how many looks in a row found it so.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Suspect {
    looks: u8,
    mark: u64,
}

impl Suspect {
    /// One look more. Who went on since the last one, which changes the mark, is on its way: looks
    /// that find a busy one just there may follow each other.
    pub(super) fn looks(&mut self, can_be: bool, mark: u64) -> u8 {
        let same = std::mem::replace(&mut self.mark, mark) == mark;
        self.looks = match (can_be, same) {
            (true, _) => 0,
            (false, true) => self.looks.saturating_add(1),
            (false, false) => 1,
        };
        self.looks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_goes_on_is_no_suspect_however_often_it_looks_wrong() {
        let mut busy = Suspect::default();
        assert!((0..50).all(|mark| busy.looks(false, mark) == 1));
        let mut stuck = Suspect::default();
        let looks: Vec<u8> = (0..6).map(|n| stuck.looks(n == 3, 7)).collect();
        assert_eq!(looks, [1, 2, 3, 0, 1, 2]);
    }
}
