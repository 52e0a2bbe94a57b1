//! Terminals, profiles and keys of the decks, as a region installs them.
//!
//! What: TERMINAL with its TYPETERM, PROFILE, TASKREQ of a TRANSACTION. Not here: deck syntax
//! (`transom_csd`), sessions (`region/core`).

use super::sit::Sit;
use transom_csd::{Definition, ResourceKind};
use transom_datastream::Aid;
use transom_region_core::definitions::{ProfileEntry, TerminalDefinition, UpperCase};
use transom_region_core::region::PagingConfig;
use transom_types::{ProgramName, TermId, TransId, UserId};

/// Milliseconds of RTIMOUT, minutes and seconds in four digits.
fn timeout_ms(mmss: &str) -> u64 {
    let number: u64 = mmss.parse().unwrap_or(0);
    (number / 100 * 60 + number % 100) * 1_000
}

/// A PROFILE.
pub(crate) fn profile(definition: &Definition) -> ProfileEntry {
    let mut entry = ProfileEntry::new(ProgramName::from_field(definition.name.as_bytes()));
    entry.upper_case = definition.is_yes("UCTRAN");
    entry.alternate = definition.get("SCRNSIZE") == Some("ALTERNATE");
    entry.read_timeout_ms = definition.get("RTIMOUT").map_or(0, timeout_ms);
    entry.printer_comp = definition.is_yes("PRINTERCOMP");
    entry
}

/// A TERMINAL; `None`: a model for autoinstall, or of another region.
pub(crate) fn terminal(definition: &Definition, all: &[Definition]) -> Option<TerminalDefinition> {
    let text = |keyword| definition.get(keyword).filter(|text| !text.is_empty());
    if text("AUTINSTMODEL") == Some("ONLY") || text("REMOTESYSTEM").is_some() {
        return None;
    }
    let id = TermId::from_field(definition.name.as_bytes());
    let mut entry = TerminalDefinition::new(id, text("NETNAME").unwrap_or(&definition.name));
    entry.in_service = text("INSERVICE") != Some("NO");
    entry.user = text("USERID").map(|name| UserId::from_field(name.as_bytes()));
    entry.transaction = text("TRANSACTION").map(|name| TransId::from_field(name.as_bytes()));
    let of_type = |d: &&Definition| {
        d.kind == ResourceKind::TypeTerm && text("TYPETERM") == Some(d.name.as_str())
    };
    if let Some(typeterm) = all.iter().find(of_type) {
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

/// TASKREQ of a TRANSACTION: the key that starts it.
pub(crate) fn key(definition: &Definition) -> Option<Result<(u8, TransId), String>> {
    let name = definition.get("TASKREQ").filter(|text| !text.is_empty())?;
    let transid = TransId::from_field(definition.name.as_bytes());
    Some(match Aid::from_name(name) {
        Some(aid) => Ok((aid.0, transid)),
        None => Err(format!(
            "{}:{}: TXMSI0021W TASKREQ({name}) is no key a terminal sends",
            definition.deck, definition.line
        )),
    })
}

/// Paging commands: PGRET, PGPURGE, PGCHAIN, PGCOPY and SKRxxxx.
pub(crate) fn paging(sit: &Sit) -> PagingConfig {
    let pa = (1..=3).map(|n| format!("PA{n}"));
    let pf = (1..=24).map(|n| format!("PF{n}"));
    let keys = pa.chain(pf).filter_map(|name| {
        let command = sit.text(&format!("SKR{name}")).trim();
        let aid = Aid::from_name(&name).filter(|_| !command.is_empty())?;
        Some((aid.0, command.to_owned()))
    });
    PagingConfig {
        retrieve: sit.text("PGRET").to_owned(),
        purge: sit.text("PGPURGE").to_owned(),
        chain: sit.text("PGCHAIN").to_owned(),
        copy: sit.text("PGCOPY").to_owned(),
        keys: keys.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_csd::Csd;

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
        let found = terminal(of(ResourceKind::Terminal), &all).unwrap();
        assert_eq!(found.netname, "LU000001");
        assert_eq!(found.upper_case, UpperCase::TransactionId);
        assert!(found.ati);
        let found = profile(of(ResourceKind::Profile));
        assert!(found.upper_case);
        assert_eq!(found.read_timeout_ms, 90_000);
        let (aid, transid) = key(of(ResourceKind::Transaction)).unwrap().unwrap();
        assert_eq!((aid, transid.as_str()), (0xF5, "KEY1"));
    }

    #[test]
    fn paging_keys_come_from_the_system_initialization() {
        let mut sit = Sit::new();
        sit.set("SKRPF8", "P/N").unwrap();
        sit.set("PGPURGE", "Q/").unwrap();
        let paging = paging(&sit);
        assert_eq!(paging.keys, [(0xF8, "P/N".to_owned())]);
        assert_eq!(
            (paging.retrieve.as_str(), paging.purge.as_str()),
            ("P/", "Q/")
        );
    }
}
