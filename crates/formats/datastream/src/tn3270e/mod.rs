//! TN3270E (RFC 2355): headers, device types, functions, BIND images.
//!
//! What: the values of the protocol and their bytes. Why: server, client and redirector need the
//! same. Not here: the order in which they are exchanged (`server`, `client`).

mod bind;
mod device;
mod header;

pub use bind::Bind;
pub use device::{DeviceKind, DeviceType};
pub use header::{DataType, Header, Outcome, RESPONSE_ALWAYS, RESPONSE_ERROR, RESPONSE_NONE};

/// Words of subnegotiations.
pub(crate) mod word {
    pub(crate) const ASSOCIATE: u8 = 0;
    pub(crate) const CONNECT: u8 = 1;
    pub(crate) const DEVICE_TYPE: u8 = 2;
    pub(crate) const FUNCTIONS: u8 = 3;
    pub(crate) const IS: u8 = 4;
    pub(crate) const REASON: u8 = 5;
    pub(crate) const REJECT: u8 = 6;
    pub(crate) const REQUEST: u8 = 7;
    pub(crate) const SEND: u8 = 8;
}

/// Why a device request is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RejectReason {
    /// The partner terminal of an ASSOCIATE is not connected.
    ConnPartner = 0,
    /// The LU is in use.
    DeviceInUse = 1,
    /// ASSOCIATE is not possible with this device type or partner.
    InvAssociate = 2,
    /// No such LU or resource name.
    InvName = 3,
    /// No such device type.
    InvDeviceType = 4,
    /// The LU is not of this device type.
    TypeNameError = 5,
    UnknownError = 6,
    /// The request is not supported.
    UnsupportedReq = 7,
}

impl RejectReason {
    pub fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::ConnPartner,
            1 => Self::DeviceInUse,
            2 => Self::InvAssociate,
            3 => Self::InvName,
            4 => Self::InvDeviceType,
            5 => Self::TypeNameError,
            7 => Self::UnsupportedReq,
            _ => Self::UnknownError,
        }
    }
}

/// A set of TN3270E functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Functions(u8);

impl Functions {
    pub const NONE: Self = Self(0);
    pub const BIND_IMAGE: Self = Self(1 << 0);
    /// Printers only.
    pub const DATA_STREAM_CTL: Self = Self(1 << 1);
    pub const RESPONSES: Self = Self(1 << 2);
    /// Printers only.
    pub const SCS_CTL_CODES: Self = Self(1 << 3);
    pub const SYSREQ: Self = Self(1 << 4);
    /// BIND-IMAGE, RESPONSES and SYSREQ: all a display can ask for. CONTENTION-RESOLUTION is never
    /// agreed.
    pub const DISPLAY: Self = Self(1 << 0 | 1 << 2 | 1 << 4);
    /// All of a printer.
    pub const PRINTER: Self = Self(0x1F);

    /// From the bytes of a FUNCTIONS list. Functions we have no meaning for make the second value
    /// true.
    pub fn from_list(list: &[u8]) -> (Self, bool) {
        let mut functions = Self::NONE;
        let mut unknown = false;
        for function in list {
            match function {
                0..=4 => functions.0 |= 1 << function,
                _ => unknown = true,
            }
        }
        (functions, unknown)
    }

    /// The bytes of a FUNCTIONS list, in ascending order.
    pub fn list(self) -> impl Iterator<Item = u8> {
        (0..5).filter(move |function| self.0 & 1 << function != 0)
    }

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_as_lists() {
        let (asked, unknown) = Functions::from_list(&[0, 2, 4, 5]);
        assert!(unknown && asked == Functions::DISPLAY);
        assert_eq!(asked.list().collect::<Vec<_>>(), [0, 2, 4]);
        assert!(Functions::PRINTER.contains(asked));
    }
}
