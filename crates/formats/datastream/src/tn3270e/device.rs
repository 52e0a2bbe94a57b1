//! Terminal type names, of TN3270E and of basic telnet.
//!
//! What: which names are displays and printers, and what screen they have. Why: old hosts that
//! refused a name lost users; all known ones are taken. Not here: which LU a device gets.

use crate::address::ScreenSize;

/// What a device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// A display with this alternate screen size.
    Display(ScreenSize),
    /// IBM-DYNAMIC: a display whose Query Reply says its size.
    Dynamic,
    /// A printer.
    Printer,
}

/// A device type as a client names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DeviceType {
    /// Upper case, as it must be echoed: `IBM-3278-2-E`.
    pub name: String,
    pub kind: DeviceKind,
    /// The name ends in `-E` (or is one that implies it): extended data stream.
    pub extended: bool,
    /// A 3279: a colour display by name. The Query Reply knows better.
    pub colour: bool,
}

impl DeviceType {
    /// `None` for names that are no 3270 device.
    pub fn parse(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_uppercase();
        let rest = name.strip_prefix("IBM-")?;
        let (rest, extended) = match rest.strip_suffix("-E") {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let (machine, model) = rest.split_once('-').unwrap_or((rest, ""));
        if model.len() > 2 || !model.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let kind = match (machine, model) {
            ("DYNAMIC", "") => DeviceKind::Dynamic,
            ("3278" | "3279", model) => {
                DeviceKind::Display(ScreenSize::of_model(model.parse().ok()?)?)
            }
            ("3277", "2" | "") | ("3178" | "3179" | "3276" | "3472", _) => {
                DeviceKind::Display(ScreenSize::MODEL_2)
            }
            // 3180 and 3290 have all sizes; without a model their query says which.
            ("3180" | "3290", model) => match model.parse().ok().and_then(ScreenSize::of_model) {
                Some(size) => DeviceKind::Display(size),
                None => DeviceKind::Dynamic,
            },
            ("3284" | "3286" | "3287" | "3812", _) => DeviceKind::Printer,
            _ => return None,
        };
        Some(Self {
            extended: extended || kind == DeviceKind::Dynamic,
            colour: machine == "3279",
            name,
            kind,
        })
    }

    /// Alternate screen size before any query.
    pub fn alternate(&self) -> ScreenSize {
        match self.kind {
            DeviceKind::Display(size) => size,
            _ => ScreenSize::MODEL_2,
        }
    }

    pub fn is_printer(&self) -> bool {
        self.kind == DeviceKind::Printer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_that_clients_use() {
        for machine in ["3278", "3279"] {
            for (model, columns) in [("2", 80), ("3", 80), ("4", 80), ("5", 132)] {
                for end in ["", "-E"] {
                    let name = format!("IBM-{machine}-{model}{end}");
                    let device = DeviceType::parse(&name).expect("known");
                    assert_eq!(device.alternate().columns(), columns);
                    assert_eq!(device.extended, end == "-E");
                }
            }
        }
        for name in [
            "IBM-3277-2",
            "IBM-3179-2",
            "ibm-3180-2",
            "IBM-3290-2",
            "IBM-DYNAMIC",
        ] {
            assert!(
                DeviceType::parse(name).is_some_and(|d| !d.is_printer()),
                "{name}"
            );
        }
        assert!(DeviceType::parse("IBM-3287-1").is_some_and(|d| d.is_printer()));
        for name in ["XTERM", "IBM-3278-9", "IBM-", "VT100", ""] {
            assert_eq!(DeviceType::parse(name), None, "{name}");
        }
    }
}
