//! How long and how often a bench measures, which of its figures is printed, and whether a peer can
//! be compared with.

/// `QUICK=1`: shorter steps, fewer repetitions.
pub(crate) fn quick() -> bool {
    std::env::var_os("QUICK").is_some_and(|v| v == "1")
}

/// Repetitions whose median is printed.
pub(crate) fn repetitions() -> usize {
    if quick() { 1 } else { 5 }
}

/// The middle value; 0 for none.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Successive runs of a warm peer differ by so little, as a part of the greater.
const WARM: f64 = 0.1;
/// Runs a peer may take to become warm.
const WARMING_MAX: usize = 6;
/// Between the least and the greatest of the measured runs, as a part of the median.
const SPREAD_MAX: f64 = 0.25;

/// A peer's figures, and whether they say anything.
#[derive(Debug, Default)]
pub(crate) struct Peer {
    taken: Vec<f64>,
    /// Its last runs before it was measured, where no two agreed.
    restless: Option<Vec<f64>>,
}

impl Peer {
    /// Runs a peer until two runs in succession agree, as a compiler at run time, a cache or an
    /// allocator need.
    pub(crate) fn warmed(mut run: impl FnMut() -> Result<f64, String>) -> Result<Self, String> {
        let mut runs: Vec<f64> = Vec::new();
        for _ in 0..WARMING_MAX {
            let now = run()?;
            let agree = |before: &f64| (before - now).abs() <= WARM * before.max(now);
            if runs.last().is_some_and(agree) {
                return Ok(Self::default());
            }
            runs.push(now);
        }
        Ok(Self {
            taken: Vec::new(),
            restless: Some(runs),
        })
    }

    /// One more measured run.
    pub(crate) fn take(&mut self, value: f64) {
        self.taken.push(value);
    }

    /// The median, or why it says nothing.
    pub(crate) fn figure(self) -> Result<f64, String> {
        if let Some(runs) = self.restless {
            return Err(format!("the peer is not steady: it became {runs:.1?}"));
        }
        let least = self.taken.iter().copied().fold(f64::MAX, f64::min);
        let greatest = self.taken.iter().copied().fold(0.0, f64::max);
        let middle = median(self.taken.clone());
        match greatest - least > SPREAD_MAX * middle {
            false => Ok(middle),
            true => Err(format!("the peer is not steady: {:.1?}", self.taken)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_is_warmed_until_it_is_steady() {
        let mut runs = [756.0, 210.0, 100.0, 95.0].into_iter();
        let mut peer = Peer::warmed(|| Ok(runs.next().unwrap())).unwrap();
        assert_eq!(runs.next(), None);
        for value in [90.0, 100.0, 95.0] {
            peer.take(value);
        }
        assert_eq!(peer.figure(), Ok(95.0));
    }

    #[test]
    fn a_peer_that_is_not_steady_is_not_compared_with() {
        let mut next = 1.0;
        let doubled = || {
            next *= 2.0;
            Ok(next)
        };
        let peer = Peer::warmed(doubled).unwrap();
        assert!(peer.figure().unwrap_err().contains("not steady"));
        let mut peer = Peer::default();
        for value in [100.0, 100.0, 140.0] {
            peer.take(value);
        }
        assert!(peer.figure().unwrap_err().contains("140.0"));
    }
}
