//! How many connections each client address has.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Connections by address.
#[derive(Debug, Default)]
pub struct Clients(Mutex<HashMap<IpAddr, usize>>);

/// A connection that counts; dropping it ends that.
#[derive(Debug)]
pub struct Counted {
    address: IpAddr,
    clients: Arc<Clients>,
    count: usize,
}

impl Counted {
    /// How many the address had with this one.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl Clients {
    /// Counts one more; `None`: the address has `max` already. 0 is no limit.
    pub fn enter(self: &Arc<Self>, address: IpAddr, max: usize) -> Option<Counted> {
        let mut clients = self.lock();
        let count = clients.entry(address).or_default();
        if max != 0 && *count >= max {
            return None;
        }
        *count += 1;
        let count = *count;
        drop(clients);
        let clients = self.clone();
        Some(Counted {
            address,
            clients,
            count,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut clients = self.clients.lock();
        if let Some(count) = clients.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                clients.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_its_own_share() {
        let clients = Arc::new(Clients::default());
        let (one, two) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let first = clients.enter(one, 1).unwrap();
        assert!(clients.enter(one, 1).is_none());
        assert!(clients.enter(two, 1).is_some());
        drop(first);
        assert!(clients.lock().is_empty());
        assert!(clients.enter(one, 0).is_some());
    }
}
