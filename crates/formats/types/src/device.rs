//! What a terminal can do.
//!
//! Not here: its definition, its data stream.

/// What a terminal can do, from its type name and its Query Reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Device {
    /// Name of the type, for example `IBM-3278-2-E`.
    pub name: String,
    /// Default screen: rows and columns.
    pub default_size: (u16, u16),
    /// Alternate screen: rows and columns; the default size when there is none.
    pub alternate_size: (u16, u16),
    /// Extended data stream: SFE, SA, structured fields.
    pub extended: bool,
    /// Colours.
    pub colour: bool,
    /// Blink, reverse, underscore.
    pub highlight: bool,
    /// Outlining.
    pub outline: bool,
    /// Validation attributes.
    pub validation: bool,
    /// Coded character set of the terminal, for example 37.
    pub ccsid: u32,
    /// A printer (LU type 3 or SCS).
    pub printer: bool,
}

impl Device {
    /// A 24 by 80 screen without extensions.
    pub fn model_2() -> Self {
        Self {
            name: "IBM-3278-2".into(),
            default_size: (24, 80),
            alternate_size: (24, 80),
            extended: false,
            colour: false,
            highlight: false,
            outline: false,
            validation: false,
            ccsid: 37,
            printer: false,
        }
    }
}
