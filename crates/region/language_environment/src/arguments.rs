//! Arguments of services, and the conditions they end with.
//!
//! Not here: reaching the arguments (`region/workers/edge/services.c`).

use transom_dates::DateProblem;

/// `CEE` as condition tokens have it, also where programs compare with hexadecimal literals.
pub(super) const FACILITY: [u8; 3] = [0xC3, 0xC5, 0xC5];
/// Longest VSTRING.
const TEXT_MAX: usize = 255;

/// What a service has to tell: a condition of Language Environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) severity: u8,
    pub(super) message: u16,
}

impl Condition {
    /// Severity 3.
    pub(super) const fn severe(message: u16) -> Self {
        Self {
            severity: 3,
            message,
        }
    }
}

impl From<DateProblem> for Condition {
    fn from(problem: DateProblem) -> Self {
        Self {
            severity: problem.severity(),
            message: problem as u16,
        }
    }
}

/// As the program gave them.
pub(super) struct Arguments<'a>(pub(super) &'a [*mut u8]);

impl Arguments<'_> {
    /// The text of a VSTRING.
    pub(super) fn text(&self, n: usize) -> Vec<u8> {
        let at = self.0[n];
        // SAFETY: the edge has reached the halfword and as many bytes as it said. In storage that
        // programs share it may say more by now: what is read then is bytes of this process, or
        // the fault ends it, which the region expects of every worker.
        unsafe {
            let length = usize::from(u16::from_be_bytes([*at, *at.add(1)]));
            std::slice::from_raw_parts(at.add(2), length.min(TEXT_MAX)).to_vec()
        }
    }

    pub(super) fn bytes<const N: usize>(&self, n: usize) -> [u8; N] {
        // SAFETY: the edge has reached as many bytes as this argument has.
        unsafe { *self.0[n].cast::<[u8; N]>() }
    }

    pub(super) fn store(&self, n: usize, bytes: &[u8]) {
        let at = self.0[n];
        if !at.is_null() {
            // SAFETY: as above, for writing.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
        }
    }

    pub(super) fn store_number(&self, n: usize, number: i64) {
        self.store(n, &(number as i32).to_be_bytes());
    }

    pub(super) fn store_seconds(&self, n: usize, seconds: f64) {
        self.store(n, &seconds.to_ne_bytes());
    }
}
