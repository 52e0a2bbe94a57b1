//! File descriptors: as many as the process may have, and how many of them are for connections.
//!
//! Why: journals, dumps, databases and the restart of workers need descriptors too, and fail where
//! clients have taken all. Not here: listeners, which count their connections.

use super::{SystemDirectory, gateway};
use rustix::process::{Resource, getrlimit, setrlimit};
use transom_messages::{self as messages, Message};

/// Kept for what is no connection; a quarter where there are many.
const RESERVE: usize = 256;
/// Assumed where there is no limit.
const UNLIMITED: usize = 1 << 20;

/// What the process may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptors {
    pub(crate) limit: usize,
    pub(crate) reserve: usize,
}

impl Descriptors {
    /// Raises the soft limit to the hard one.
    pub(crate) fn raise() -> Self {
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
    pub(crate) fn connections(self) -> usize {
        self.limit - self.reserve
    }

    /// Lets listeners have no more connections together than there are descriptors for, each in the
    /// proportion it asks for. `true`: some have fewer than they asked for.
    pub(crate) fn share<const N: usize>(self, mut listeners: [&mut usize; N]) -> bool {
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

/// Bounds what listeners take by what the process may have; answers what is to be said of it.
pub(crate) fn bound(
    system: &mut SystemDirectory,
    gateway: Option<&mut gateway::Setup>,
) -> Option<Message> {
    let descriptors = Descriptors::raise();
    let table = &mut system.settings.terminals;
    let limits = gateway.map(|setup| &mut setup.config.limits);
    let mut http = limits.as_ref().map_or(0, |limits| limits.connections);
    let mut https = http;
    let asked = [&mut http, &mut https, &mut table.max_sessions];
    let few = descriptors.share(asked);
    if let Some(limits) = limits {
        limits.connections = http;
        limits.per_client = half(limits.per_client, http);
    }
    let most = table.max_sessions;
    table.max_sessions_per_client = half(table.max_sessions_per_client, most);
    few.then(|| messages::si::few_descriptors(descriptors.limit, http, https, most))
}

/// What one client may have when nothing is said, so that it keeps nobody else out.
fn half(said: usize, all: usize) -> usize {
    match said {
        0 => all.div_ceil(2),
        said => said,
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
