//! An installed PROFILE: how a transaction uses its terminal.

use super::{get, put};
use crate::codec::{Reader, Writer};
use crate::shared::{Shared, Space};
use transom_types::ProgramName;

/// An installed profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileEntry {
    /// Name.
    pub profile: ProgramName,
    /// UCTRAN(YES): input becomes upper case.
    pub upper_case: bool,
    /// SCRNSIZE(ALTERNATE): ERASE takes the alternate screen size.
    pub alternate: bool,
    /// RTIMOUT in milliseconds; 0: a conversational task waits for its terminal for ever.
    pub read_timeout_ms: u64,
    /// PRINTERCOMP(YES).
    pub printer_comp: bool,
}

impl ProfileEntry {
    /// A profile with CICS's defaults, DFHCICST among them.
    pub fn new(profile: ProgramName) -> Self {
        Self {
            profile,
            upper_case: false,
            alternate: false,
            read_timeout_ms: 0,
            printer_comp: false,
        }
    }

    /// Bytes for [`Space::Profile`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(24);
        out.raw(self.profile.as_bytes())
            .flag(self.upper_case)
            .flag(self.alternate)
            .u64(self.read_timeout_ms)
            .flag(self.printer_comp);
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            profile: ProgramName::from_field(from.raw(8)?),
            upper_case: from.flag()?,
            alternate: from.flag()?,
            read_timeout_ms: from.u64()?,
            printer_comp: from.flag()?,
        })
    }

    /// Installs or replaces the profile.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Profile,
            self.profile.as_bytes(),
            &self.encode(),
        )
    }

    /// The installed profile; without one, the defaults.
    pub fn find(shared: &dyn Shared, profile: ProgramName) -> Self {
        get(shared, Space::Profile, profile.as_bytes(), Self::decode)
            .unwrap_or_else(|| Self::new(profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_comes_back_as_it_went() {
        let mut profile = ProfileEntry::new(ProgramName::new("BIGSCRN").unwrap());
        profile.alternate = true;
        profile.read_timeout_ms = 90_000;
        assert_eq!(ProfileEntry::decode(&profile.encode()), Some(profile));
    }
}
