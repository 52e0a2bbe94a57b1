//! Numbers and byte strings, below every declaration.
//!
//! What: big-endian numbers, length-prefixed bytes. Why: one bounds-checked reader for everything
//! that is declared. Not here: what the bytes mean.

/// Appends values to a byte vector.
pub struct Writer(pub Vec<u8>);

impl Writer {
    pub fn with_capacity(bytes: usize) -> Self {
        Self(Vec::with_capacity(bytes))
    }

    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.0.push(value);
        self
    }

    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    pub fn flag(&mut self, value: bool) -> &mut Self {
        self.u8(u8::from(value))
    }

    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    /// Four bytes of length, then the bytes.
    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX))
            .raw(bytes)
    }
}

/// Takes values off the front of a byte slice; `None` when they are not there.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn raw(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(head)
    }

    pub fn u8(&mut self) -> Option<u8> {
        Some(self.raw(1)?[0])
    }

    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_be_bytes(self.raw(2)?.try_into().ok()?))
    }

    pub fn u32(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.raw(4)?.try_into().ok()?))
    }

    pub fn u64(&mut self) -> Option<u64> {
        Some(u64::from_be_bytes(self.raw(8)?.try_into().ok()?))
    }

    pub fn flag(&mut self) -> Option<bool> {
        Some(self.u8()? != 0)
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = self.u32()?;
        self.raw(usize::try_from(len).ok()?)
    }

    pub fn text(&mut self) -> Option<String> {
        let bytes = self.bytes()?;
        // What another process wrote is text; the check alone is much cheaper than the repair.
        let text = std::str::from_utf8(bytes).map(str::to_owned);
        Some(text.unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned()))
    }
}
