//! File descriptors: as many as the process may have, and how many of them are for connections.
//!
//! Why: journals, dumps, databases and the restart of workers need descriptors too, and fail where
//! clients have taken all. Not here: listeners, which count their connections.

use rustix::process::{Resource, getrlimit, setrlimit};

/// Kept for what is no connection; a quarter where there are many.
const RESERVE: usize = 256;
/// Assumed where there is no limit.
const UNLIMITED: usize = 1 << 20;

/// What the process may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptors {
    /// Descriptors.
    pub limit: usize,
    /// Of them for what is no connection.
    pub reserve: usize,
}

impl Descriptors {
    /// Raises the soft limit to the hard one.
    pub fn raise() -> Self {
        let mut limits = getrlimit(Resource::Nofile);
        if limits.current != limits.maximum {
            let (wanted, before) = (limits.maximum, limits.current);
            limits.current = wanted;
            if setrlimit(Resource::Nofile, limits).is_err() {
                limits.current = before;
            }
        }
        let limit = limits.current.and_then(|n| usize::try_from(n).ok());
        Self::of(limit.unwrap_or(UNLIMITED))
    }

    fn of(limit: usize) -> Self {
        // A limit below the reserve is divided.
        let reserve = RESERVE.max(limit / 4).min(limit / 2);
        Self { limit, reserve }
    }

    /// What is left for connections.
    pub fn connections(self) -> usize {
        self.limit - self.reserve
    }

    /// Lets listeners have no more connections together than there are descriptors for, each in the
    /// proportion it asks for. `true`: some have fewer than they asked for.
    pub fn share<const N: usize>(self, mut listeners: [&mut usize; N]) -> bool {
        let asked: usize = listeners.iter().map(|n| **n).sum();
        let there = self.connections();
        if asked <= there {
            return false;
        }
        for listener in &mut listeners {
            let share = **listener * there / asked;
            **listener = share.clamp(usize::from(**listener > 0), **listener);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_share_what_the_reserve_leaves() {
        let few = Descriptors::of(1_024);
        assert_eq!((few.reserve, few.connections()), (256, 768));
        let (mut http, mut https, mut terminals) = (20_000, 20_000, 10_000);
        assert!(few.share([&mut http, &mut https, &mut terminals]));
        assert_eq!((http, https, terminals), (307, 307, 153));
        let many = Descriptors::of(1 << 20);
        assert!(!many.share([&mut http, &mut https]));
        assert_eq!(Descriptors::of(100).connections(), 50);
        let raised = Descriptors::raise();
        assert_eq!(Descriptors::raise(), raised);
    }
}
