//! A TERMINAL with its TYPETERM, as decks define it.
//!
//! Not here: deck syntax (`transom_csd`), sessions (`region/server`).

use super::{TerminalDefinition, TerminalKind, UpperCase};
use transom_csd::{Definition, ResourceKind};
use transom_datastream::ScreenSize;
use transom_types::{TermId, TransId, UserId};

impl TerminalDefinition {
    /// A TERMINAL; `None`: a model for autoinstall, or of another region.
    pub fn from_definition(definition: &Definition, all: &[Definition]) -> Option<Self> {
        let text = |keyword| definition.get(keyword).filter(|text| !text.is_empty());
        if text("AUTINSTMODEL") == Some("ONLY") || text("REMOTESYSTEM").is_some() {
            return None;
        }
        let id = TermId::from_field(definition.name.as_bytes());
        let mut entry = Self::new(id, text("NETNAME").unwrap_or(&definition.name));
        entry.in_service = text("INSERVICE") != Some("NO");
        entry.user = text("USERID").map(|name| UserId::from_field(name.as_bytes()));
        entry.transaction = text("TRANSACTION").map(|name| TransId::from_field(name.as_bytes()));
        let of_type = |d: &&Definition| {
            d.kind == ResourceKind::TypeTerm && text("TYPETERM") == Some(d.name.as_str())
        };
        let printer = |keyword| text(keyword).map(|name| TermId::from_field(name.as_bytes()));
        entry.printers = [printer("PRINTER"), printer("ALTPRINTER")];
        entry.priority = text("TERMPRIORITY")
            .and_then(|n| n.parse().ok())
            .unwrap_or(0);
        entry.natlang = text("NATLANG").and_then(|code| code.chars().next());
        if let Some(typeterm) = all.iter().find(of_type) {
            entry.kind = kind(typeterm.get("DEVICE").unwrap_or(""));
            entry.create_session = typeterm.is_yes("CREATESESS");
            let length = typeterm.get("USERAREALEN").and_then(|n| n.parse().ok());
            entry.user_area_bytes = length.unwrap_or(0);
            if entry.kind.is_printer() {
                entry.page_size = typeterm.get("PAGESIZE").and_then(page_size);
            }
            entry.ati = typeterm.is_yes("ATI");
            entry.tti = typeterm.is_yes("TTI");
            entry.upper_case = match typeterm.get("UCTRAN") {
                Some("YES") => UpperCase::Yes,
                Some("TRANID") => UpperCase::TransactionId,
                _ => UpperCase::No,
            };
            entry.suffix = typeterm.get("ALTSUFFIX").and_then(|s| s.chars().next());
        }
        Some(entry)
    }
}

/// What a DEVICE is; those nobody makes any more are taken for displays.
fn kind(device: &str) -> TerminalKind {
    match device {
        "SCSPRINT" => TerminalKind::ScsPrinter,
        "LUTYPE3" | "3270P" | "L3284" | "L3286" | "3284" | "3286" | "3287" | "3790-3270P" => {
            TerminalKind::Printer
        }
        _ => TerminalKind::Display,
    }
}

/// Rows and columns that a 3270 buffer can have, from `rows,columns`.
fn page_size(text: &str) -> Option<(u16, u16)> {
    let (rows, columns) = text.split_once(',')?;
    let number = |text: &str| text.trim().parse::<u8>().ok();
    let size = ScreenSize::new(number(rows)?, number(columns)?)?;
    Some((size.rows() as u16, size.columns() as u16))
}

#[cfg(test)]
mod tests {
    use super::super::{ProfileEntry, TransactionEntry};
    use super::*;
    use transom_csd::Csd;

    #[test]
    fn a_printer_and_the_display_it_belongs_to() {
        let mut csd = Csd::new();
        let problems = csd.parse_deck(
            "deck",
            " DEFINE TYPETERM(PRT) GROUP(G) DEVICE(SCSPRINT) PAGESIZE(60,132)\n ATI(YES)\n \
             DEFINE TYPETERM(LU2) GROUP(G) DEVICE(LUTYPE2) USERAREALEN(100)\n \
             DEFINE TERMINAL(P001) GROUP(G) TYPETERM(PRT) NETNAME(PRT00001)\n \
             DEFINE TERMINAL(T001) GROUP(G) TYPETERM(LU2) PRINTER(P001)\n NETNAME(LU000001)\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let all = csd.install_all();
        let of = |name| all.iter().find(|d| d.name == name).unwrap();
        let printer = TerminalDefinition::from_definition(of("P001"), &all).unwrap();
        assert_eq!(printer.kind, TerminalKind::ScsPrinter);
        assert_eq!(printer.page_size, Some((60, 132)));
        let display = TerminalDefinition::from_definition(of("T001"), &all).unwrap();
        assert_eq!(display.printers[0], Some(printer.terminal));
        assert_eq!(display.user_area_bytes, 100);
    }

    #[test]
    fn a_terminal_takes_what_its_typeterm_says() {
        let mut csd = Csd::new();
        let problems = csd.parse_deck(
            "deck",
            " DEFINE TYPETERM(DFHLU2) GROUP(G) DEVICE(LUTYPE2)\n UCTRAN(TRANID) ATI(YES)\n \
             DEFINE TERMINAL(T001) GROUP(G) TYPETERM(DFHLU2) NETNAME(LU000001)\n \
             DEFINE PROFILE(MYPROF) GROUP(G) UCTRAN(YES) RTIMOUT(0130)\n \
             DEFINE TRANSACTION(KEY1) GROUP(G) PROGRAM(P) TASKREQ(PF5)\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let all = csd.install_all();
        let of = |kind| all.iter().find(|d| d.kind == kind).unwrap();
        let found = TerminalDefinition::from_definition(of(ResourceKind::Terminal), &all).unwrap();
        assert_eq!(found.netname, "LU000001");
        assert_eq!(found.upper_case, UpperCase::TransactionId);
        assert!(found.ati && found.kind == TerminalKind::Display);
        let found = ProfileEntry::of_attributes(of(ResourceKind::Profile));
        assert!(found.upper_case);
        assert_eq!(found.read_timeout_ms, 90_000);
        let key = TransactionEntry::key(of(ResourceKind::Transaction));
        assert_eq!(key, Some(Ok(0xF5)));
    }
}
