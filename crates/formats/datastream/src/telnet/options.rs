//! Which telnet options are on, at either end.
//!
//! What: RFC 1143 in short: an answer is sent only if it changes something and was not asked for.
//! Why: two ends that answer answers talk for ever. Not here: what an option brings with it.

use super::{DO, DONT, IAC, WILL, WONT};

/// Whose option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Ours: DO and DONT of the peer.
    Local,
    /// The peer's: its WILL and WONT.
    Remote,
}

/// What a received option command changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    None,
    On(Side, u8),
    /// Switched off, or refused after we asked.
    Off(Side, u8),
}

/// State of options 0 to 63; all others are refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    local: Half,
    remote: Half,
}

#[derive(Debug, Clone, Copy, Default)]
struct Half {
    on: u64,
    asked: u64,
}

impl Options {
    pub fn is_on(&self, side: Side, option: u8) -> bool {
        self.half(side).on & bit(option) != 0
    }

    /// On, or asked for without an answer yet.
    pub fn is_wanted(&self, side: Side, option: u8) -> bool {
        let half = self.half(side);
        (half.on | half.asked) & bit(option) != 0
    }

    /// Sends WILL (local) or DO (remote), unless it is on or asked for already.
    pub fn ask(&mut self, side: Side, option: u8, out: &mut Vec<u8>) {
        if !self.is_wanted(side, option) && bit(option) != 0 {
            self.half_mut(side).asked |= bit(option);
            let verb = if side == Side::Local { WILL } else { DO };
            out.extend([IAC, verb, option]);
        }
    }

    /// Sends WONT (local) or DONT (remote) if it was on.
    pub fn stop(&mut self, side: Side, option: u8, out: &mut Vec<u8>) {
        if self.is_wanted(side, option) {
            let half = self.half_mut(side);
            half.on &= !bit(option);
            half.asked &= !bit(option);
            let verb = if side == Side::Local { WONT } else { DONT };
            out.extend([IAC, verb, option]);
        }
    }

    /// Takes DO, DONT, WILL or WONT and appends the answer, if one is due. `allowed` says which
    /// options the peer may switch on without being asked.
    pub fn receive(
        &mut self,
        verb: u8,
        option: u8,
        allowed: impl FnOnce(Side) -> bool,
        out: &mut Vec<u8>,
    ) -> Change {
        let (side, yes, no) = match verb {
            WILL | WONT => (Side::Remote, DO, DONT),
            _ => (Side::Local, WILL, WONT),
        };
        let bit = bit(option);
        let half = self.half_mut(side);
        let (was_on, was_asked) = (half.on & bit != 0, half.asked & bit != 0);
        half.asked &= !bit;
        if matches!(verb, WILL | DO) {
            if was_on {
                return Change::None;
            }
            if was_asked || bit != 0 && allowed(side) {
                half.on |= bit;
                if !was_asked {
                    out.extend([IAC, yes, option]);
                }
                return Change::On(side, option);
            }
            out.extend([IAC, no, option]);
            return Change::None;
        }
        half.on &= !bit;
        if was_on {
            out.extend([IAC, no, option]);
        }
        if was_on || was_asked {
            Change::Off(side, option)
        } else {
            Change::None
        }
    }

    fn half(&self, side: Side) -> &Half {
        match side {
            Side::Local => &self.local,
            Side::Remote => &self.remote,
        }
    }

    fn half_mut(&mut self, side: Side) -> &mut Half {
        match side {
            Side::Local => &mut self.local,
            Side::Remote => &mut self.remote,
        }
    }
}

fn bit(option: u8) -> u64 {
    1u64.checked_shl(u32::from(option)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_not_answered() {
        let mut options = Options::default();
        let mut out = Vec::new();
        options.ask(Side::Remote, 24, &mut out);
        assert_eq!(out, [IAC, DO, 24]);
        let change = options.receive(WILL, 24, |_| false, &mut out);
        assert_eq!((change, out.len()), (Change::On(Side::Remote, 24), 3));
        assert_eq!(options.receive(WILL, 24, |_| false, &mut out), Change::None);
        assert_eq!(out.len(), 3);
        assert_eq!(
            options.receive(WONT, 24, |_| false, &mut out),
            Change::Off(Side::Remote, 24)
        );
        assert_eq!(out[3..], [IAC, DONT, 24]);
    }

    #[test]
    fn unknown_options_are_refused() {
        let mut options = Options::default();
        let mut out = Vec::new();
        options.receive(DO, 200, |_| true, &mut out);
        options.receive(WILL, 31, |_| false, &mut out);
        assert_eq!(out, [IAC, WONT, 200, IAC, DONT, 31]);
    }
}
