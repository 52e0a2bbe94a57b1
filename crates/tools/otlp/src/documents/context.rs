//! Which trace something belongs to, as W3C Trace Context says it.

use core::fmt;

/// A span as others name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TraceContext {
    /// Of the whole trace; never 0.
    pub(crate) trace: u128,
    /// Of this span in it; never 0.
    pub(crate) span: u64,
    /// It is recorded.
    pub(crate) sampled: bool,
}

impl TraceContext {
    /// Reads a `traceparent`. A version that is not known is read as far as this one goes; `None`:
    /// it says nothing.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let (version, trace) = (hex(parts.next()?, 2)?, hex(parts.next()?, 32)?);
        let (span, flags) = (hex(parts.next()?, 16)?, hex(parts.next()?, 2)?);
        let more = parts.next().is_some();
        if version == 0xff || (version == 0 && more) || trace == 0 || span == 0 {
            return None;
        }
        Some(Self {
            trace,
            span: u64::try_from(span).ok()?,
            sampled: flags & 1 != 0,
        })
    }
}

/// Exactly so many small hexadecimal digits.
fn hex(text: &str, digits: usize) -> Option<u128> {
    let is_one = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    let good = text.len() == digits && text.bytes().all(is_one);
    u128::from_str_radix(text, 16).ok().filter(|_| good)
}

impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trace, span, flags) = (self.trace, self.span, u8::from(self.sampled));
        write!(f, "00-{trace:032x}-{span:016x}-{flags:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    #[test]
    fn a_traceparent_is_read_and_written() {
        let read = TraceContext::read(TEXT).unwrap();
        assert_eq!(read.trace, 0x4bf92f3577b34da6a3ce929d0e0e4736);
        assert_eq!((read.span, read.sampled), (0xf067aa0ba902b7, true));
        assert_eq!(read.to_string(), TEXT);
        let later = format!("cc{}-what-ever", &TEXT[2..]);
        assert_eq!(TraceContext::read(&later), Some(read));
        let unsampled = TEXT.replace("-01", "-02");
        assert!(!TraceContext::read(&unsampled).unwrap().sampled);
    }

    #[test]
    fn what_is_none_says_nothing() {
        for none in [
            "",
            "00",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceContext::read(none), None, "{none}");
        }
    }
}
