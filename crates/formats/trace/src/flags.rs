//! What of a region is traced, as one number that every worker looks at before it makes an entry.
//!
//! Not here: the flag of a task (SINGLESTATUS), which its worker keeps.

use crate::component::{COMPONENTS, Component};
use crate::entry::Point;

/// A bit for each component at level 1, from the lowest; then the switches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags(pub u64);

const INTERNAL: u64 = 1 << 60;
const AUXILIARY: u64 = 1 << 61;
const SYSTEM: u64 = 1 << 62;
const USER: u64 = 1 << 63;

impl Default for Flags {
    /// As CICS starts: internal trace, all components, system and user entries.
    fn default() -> Self {
        let all = (1 << COMPONENTS.len()) - 1;
        Self(all | INTERNAL | SYSTEM | USER)
    }
}

macro_rules! switches {
    ($($(#[$what:meta])* $name:ident $set:ident $bit:ident;)*) => {
        impl Flags {
            $(
                $(#[$what])*
                #[must_use]
                pub fn $name(self) -> bool {
                    self.0 & $bit != 0
                }

                /// The same, switched.
                #[must_use]
                pub fn $set(self, on: bool) -> Self {
                    self.with($bit, on)
                }
            )*
        }
    };
}

switches! {
    /// Entries are kept in memory (INTSTATUS).
    internal with_internal INTERNAL;
    /// They are written to a data set (AUXSTATUS).
    auxiliary with_auxiliary AUXILIARY;
    /// Entries of the system are made (SYSTEMSTATUS).
    system with_system SYSTEM;
    /// Entries of programs are made (USERSTATUS).
    user with_user USER;
}

impl Flags {
    fn with(self, bit: u64, on: bool) -> Self {
        match on {
            true => Self(self.0 | bit),
            false => Self(self.0 & !bit),
        }
    }

    /// Level 1 of a component is on.
    #[must_use]
    pub fn component(self, component: Component) -> bool {
        self.0 >> component.0 & 1 != 0
    }

    /// The same with level 1 of a component on or off.
    #[must_use]
    pub fn with_component(self, component: Component, on: bool) -> Self {
        self.with(1 << component.0.min(59), on)
    }

    /// An entry of this point is made; `single`: the task is traced (SINGLESTATUS). Exceptions are
    /// always recorded, wherever entries go.
    #[must_use]
    pub fn make(self, point: Point, component: Component, single: bool) -> bool {
        if point.is_exception() {
            return true;
        }
        let somewhere = self.0 & (INTERNAL | AUXILIARY) != 0;
        let wanted = match point {
            Point::User | Point::Data => self.user(),
            _ => self.system() && self.component(component),
        };
        somewhere && wanted && single
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_needs_a_place_its_switch_its_component_and_its_task() {
        let flags = Flags::default();
        let entry = |flags: Flags| flags.make(Point::CommandEntry, Component::EI, true);
        assert!(entry(flags));
        assert!(!flags.make(Point::CommandEntry, Component::EI, false));
        assert!(!entry(flags.with_component(Component::EI, false)));
        assert!(!entry(flags.with_system(false)));
        assert!(!entry(flags.with_internal(false)));
        assert!(entry(flags.with_internal(false).with_auxiliary(true)));
        let no_system = flags.with_system(false);
        assert!(no_system.make(Point::User, Component::AP, true));
        assert!(
            !no_system
                .with_user(false)
                .make(Point::User, Component::AP, true)
        );
        let nothing = Flags(0);
        assert!(nothing.make(Point::Abend, Component::AP, false));
    }
}
