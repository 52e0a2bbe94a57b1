//! Abend codes: four characters that programs and operators know.

use std::fmt;

/// A transaction abend code such as `ASRA`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AbendCode([u8; 4]);

impl AbendCode {
    /// Program check (S0C1, S0C4, S0C7, S0CB ...).
    pub const ASRA: Self = Self(*b"ASRA");
    /// An output option of a command has an address the task cannot write to.
    pub const AEYD: Self = Self(*b"AEYD");
    /// All threads of the DB2ENTRY are in use, and the transaction does not wait.
    pub const AD2P: Self = Self(*b"AD2P");
    /// The DB2ENTRY of the transaction is disabled.
    pub const AD2Q: Self = Self(*b"AD2Q");
    /// As many threads as TCBLIMIT allows are in use, and the transaction does not wait.
    pub const AD2Y: Self = Self(*b"AD2Y");
    /// All threads of the pool are in use, and the transaction does not wait.
    pub const AD3T: Self = Self(*b"AD3T");
    /// There is no connection to what the program calls, Db2 for instance.
    pub const AEY9: Self = Self(*b"AEY9");
    /// Operating-system abend: the worker process died.
    pub const ASRB: Self = Self(*b"ASRB");
    /// Runaway task.
    pub const AICA: Self = Self(*b"AICA");
    /// Purged while it waited longer than DTIMOUT allows.
    pub const AKCS: Self = Self(*b"AKCS");
    /// Purged or force-purged by the operator.
    pub const AKC3: Self = Self(*b"AKC3");
    /// First program of the transaction is not available.
    pub const APCT: Self = Self(*b"APCT");
    /// A called subprogram is not available.
    pub const APCN: Self = Self(*b"APCN");

    /// The code as a program passed it, blank padded.
    pub fn from_field(field: &[u8]) -> Self {
        let mut code = [b' '; 4];
        for (to, from) in code.iter_mut().zip(field) {
            *to = if *from == 0 { b' ' } else { *from };
        }
        Self(code)
    }

    /// The four bytes.
    pub fn as_bytes(&self) -> &[u8; 4] {
        &self.0
    }

    /// The code without trailing blanks.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("????").trim_end()
    }
}

impl fmt::Display for AbendCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for AbendCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AbendCode({})", self.as_str())
    }
}
