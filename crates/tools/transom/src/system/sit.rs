//! System initialization parameters: the keys of `[region]` in `transom.toml`.
//!
//! What: one table row per parameter with kind, bounds, default and explanation; the reference page
//! is printed from it. Names and ranges are those of the public CICS TS system initialization
//! reference. Not here: what a parameter does (`region/server`).

use super::config::{ConfigProblem, nearest};
use std::collections::BTreeMap;

/// What values a parameter takes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Whole number with bounds, both inclusive.
    Number(i64, i64),
    /// Name of at most this many characters.
    Name(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Up to this many names, separated by commas or as a TOML array.
    Names(usize),
    /// Free text of at most this many characters.
    Text(usize),
}

/// One parameter that the region acts on.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// Name as in the SIT.
    pub(crate) name: &'static str,
    /// Values.
    pub(crate) kind: Kind,
    /// Value when not given.
    pub(crate) default: &'static str,
    /// One line for the reference page: meaning, unit.
    pub(crate) text: &'static str,
}

#[rustfmt::skip]
pub(crate) const PARAMETERS: &[Parameter] = &[
    Parameter { name: "APPLID", kind: Kind::Name(8), default: "TRANSOM", text: "Application identifier of the region." },
    Parameter { name: "SYSIDNT", kind: Kind::Name(4), default: "TXM1", text: "System identifier of the region." },
    Parameter { name: "MXT", kind: Kind::Number(1, 2000), default: "120", text: "User tasks that may run at the same time. More wait in attach order by priority." },
    Parameter { name: "MXTQUEUE", kind: Kind::Number(0, 100_000), default: "10000", text: "Tasks that may wait because of MXT or a class limit; beyond it new work is refused as busy. Not a CICS name." },
    Parameter { name: "ICVR", kind: Kind::Number(0, 2_700_000), default: "5000", text: "Runaway limit in milliseconds of processor time without giving up control; 0 = no limit. Tasks over it end with AICA." },
    Parameter { name: "GRPLIST", kind: Kind::Names(4), default: "", text: "Lists of resource groups installed at start. Empty: every list of the decks in csd/, or every group where there is no list." },
    Parameter { name: "DFLTUSER", kind: Kind::Name(8), default: "CICSUSER", text: "User of tasks that nobody signed on for." },
    Parameter { name: "GMTEXT", kind: Kind::Text(246), default: "", text: "Good morning text." },
    Parameter { name: "GMTRAN", kind: Kind::Name(4), default: "CSGM", text: "Transaction that is started at a terminal when its session begins." },
    Parameter { name: "LOCALCCSID", kind: Kind::Number(1, 65_535), default: "819", text: "Coded character set of text inside programs." },
    Parameter { name: "WRKAREA", kind: Kind::Number(0, 3584), default: "512", text: "Bytes of the common work area (CWA)." },
    Parameter { name: "PGAIPGM", kind: Kind::Word(&["ACTIVE", "INACTIVE"]), default: "ACTIVE", text: "Program autoinstall: a program without definition is defined when its module exists." },
    Parameter { name: "EDSALIM", kind: Kind::Number(16, 1_048_576), default: "1024", text: "Megabytes of shared storage for queues, counters and large payloads. Pages are taken when used." },
    Parameter { name: "TSAUXMB", kind: Kind::Number(0, 1_048_576), default: "4096", text: "Megabytes on disk for items of auxiliary temporary storage that EDSALIM has no room for. Not a CICS name." },
    Parameter { name: "MINWORKERS", kind: Kind::Number(0, 2000), default: "2", text: "COBOL workers kept ready. Not a CICS name." },
    Parameter { name: "CONCURRENCY", kind: Kind::Word(&["QUASIRENT", "THREADSAFE"]), default: "QUASIRENT", text: "Concurrency of autoinstalled programs. Not a CICS name." },
    Parameter { name: "SEC", kind: Kind::Word(&["AUTO", "YES", "NO"]), default: "AUTO", text: "Checks of authority by the rules of [authority]. AUTO: YES once there are users." },
    Parameter { name: "CMDSEC", kind: Kind::Word(&["ASIS", "ALWAYS"]), default: "ASIS", text: "System programming commands are checked as CMDSEC of the transaction says, or always." },
    Parameter { name: "RESSEC", kind: Kind::Word(&["ASIS", "ALWAYS"]), default: "ASIS", text: "Resources are checked as RESSEC of the transaction says, or always." },
    Parameter { name: "PGRET", kind: Kind::Name(7), default: "P/", text: "Code in front of commands that show a page of a message, for example P/2." },
    Parameter { name: "PGPURGE", kind: Kind::Name(7), default: "T/", text: "Code in front of commands that forget a message, for example T/B." },
    Parameter { name: "PGCHAIN", kind: Kind::Name(7), default: "X/", text: "Code of page chaining, which is answered with a message." },
    Parameter { name: "PGCOPY", kind: Kind::Name(7), default: "C/", text: "Code of page copying, which is answered with a message." },
    Parameter { name: "SKRPA1", kind: Kind::Text(16), default: "", text: "Paging command of PA1 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPA2", kind: Kind::Text(16), default: "", text: "Paging command of PA2 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPA3", kind: Kind::Text(16), default: "", text: "Paging command of PA3 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF1", kind: Kind::Text(16), default: "", text: "Paging command of PF1 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF2", kind: Kind::Text(16), default: "", text: "Paging command of PF2 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF3", kind: Kind::Text(16), default: "", text: "Paging command of PF3 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF4", kind: Kind::Text(16), default: "", text: "Paging command of PF4 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF5", kind: Kind::Text(16), default: "", text: "Paging command of PF5 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF6", kind: Kind::Text(16), default: "", text: "Paging command of PF6 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF7", kind: Kind::Text(16), default: "", text: "Paging command of PF7 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF8", kind: Kind::Text(16), default: "", text: "Paging command of PF8 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF9", kind: Kind::Text(16), default: "", text: "Paging command of PF9 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF10", kind: Kind::Text(16), default: "", text: "Paging command of PF10 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF11", kind: Kind::Text(16), default: "", text: "Paging command of PF11 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF12", kind: Kind::Text(16), default: "", text: "Paging command of PF12 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF13", kind: Kind::Text(16), default: "", text: "Paging command of PF13 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF14", kind: Kind::Text(16), default: "", text: "Paging command of PF14 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF15", kind: Kind::Text(16), default: "", text: "Paging command of PF15 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF16", kind: Kind::Text(16), default: "", text: "Paging command of PF16 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF17", kind: Kind::Text(16), default: "", text: "Paging command of PF17 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF18", kind: Kind::Text(16), default: "", text: "Paging command of PF18 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF19", kind: Kind::Text(16), default: "", text: "Paging command of PF19 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF20", kind: Kind::Text(16), default: "", text: "Paging command of PF20 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF21", kind: Kind::Text(16), default: "", text: "Paging command of PF21 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF22", kind: Kind::Text(16), default: "", text: "Paging command of PF22 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF23", kind: Kind::Text(16), default: "", text: "Paging command of PF23 during a paging session, or what follows PGRET in it." },
    Parameter { name: "SKRPF24", kind: Kind::Text(16), default: "", text: "Paging command of PF24 during a paging session, or what follows PGRET in it." },
    Parameter { name: "DUMP", kind: Kind::Word(&["YES", "NO"]), default: "YES", text: "Transaction dumps are written." },
];

/// Parameters of IBM's SIT that are accepted and have no effect here.
#[rustfmt::skip]
const ACCEPTED: &[&str] = &[
    "ADI", "AIBRIDGE", "AICONS", "AIEXIT", "AILDELAY", "AIQMAX", "AIRDELAY", "AKPFREQ", "AUTCONN", "AUTODST", "AUTORESETTIME",
    "AUXTR", "AUXTRSW", "BMS", "BRMAXKEEPTIME", "CDSASZE", "CERTEXPIRYWARN", "CHKSTRM", "CHKSTSK", "CICSSVC", "CILOCK", "CLINTCP",
    "CLSDSTP", "CLT", "CMDPROT", "CONFDATA", "CONFTXT", "CPSMCONN", "CRLPROFILE", "CSDACC", "CSDBKUP", "CSDBUFND",
    "CSDBUFNI", "CSDDISP", "CSDDSN", "CSDFRLOG", "CSDINTEG", "CSDJID", "CSDLSRNO", "CSDRECOV", "CSDRLS", "CSDSTRNO", "CWAKEY",
    "DAE", "DATFORM", "DB2CONN", "DBCTLCON", "DCT", "DIP", "DISMACP", "DOCCODEPAGE", "DSALIM", "DSHIPIDL", "DSHIPINT",
    "DSRTPGM", "DTRPGM", "DTRTRAN", "DUMPDS", "DUMPSW", "DURETRY", "ECDSASZE", "EODI", "EPCDSASZE", "EPUDSASZE", "ERDSASZE",
    "ESDSASZE", "ESMEXITS", "EUDSASZE", "FCQRONLY", "FCT", "FEPI", "FIPS", "FLDSEP", "FLDSTRT", "FORCEQR", "FSSTAFF",
    "FTIMEOUT", "GNTRAN", "GRNAME", "GRPCRIT", "GTFTR", "HPO", "HTTPSERVERHDR", "HTTPUSRAGENTHDR", "ICP", "ICV", "ICVTSD",
    "INFOCENTER", "INITPARM", "INTRDRJOBUSER", "INTTR", "IRCSTRT", "ISC", "ISRDELAY", "JESDI", "JVMCCSIZE", "JVMPROFILEDIR",
    "KERBEROSUSER", "KEYRING", "LGDFINT", "LGNMSG", "LLACOPY", "LPA", "MAXJVMTCBS", "MAXOPENTCBS", "MAXSOCKETS", "MAXSSLTCBS",
    "MAXTLSLEVEL", "MAXXPTCBS", "MCT", "MINTLSLEVEL", "MN", "MNCONV", "MNEXC", "MNFREQ", "MNIDN", "MNPER", "MNRES", "MNSYNC", "MNTIME",
    "MQCONN", "MROBTCH", "MROFSE", "MROLRM", "MSGCASE", "MSGLVL", "NATLANG", "NCPLDFT", "NEWSIT", "NISTSP800131A", "NONRLSRECOV",
    "NQRNL", "OFFSITE", "OPERTIM", "OPNDLIM", "OTELTRACE", "PARMERR", "PCDSASZE", "PDI", "PDIR", "PGAICTLG", "PGAIEXIT",
    "PLTPI", "PLTPISEC", "PLTPIUSR", "PLTSD", "PRGDLAY", "PRINT", "PRTYAGE", "PRVMOD", "PSBCHK", "PSDINT",
    "PSTYPE", "PUDSASZE", "PVDELAY", "QUIESTIM", "RACFSYNC", "RAMAX", "RAPOOL", "RDSASZE", "RENTPGM", "RESOVERRIDES", "RESP",
    "RLS", "RLSTOLSR", "RMTRAN", "RRMS", "RST", "RSTSIGNOFF", "RSTSIGNTIME", "RUWAPOOL", "SDSASZE", "SDTMEMLIMIT", "SDTRAN",
    "SECPRFX", "SECPRFXID", "SIT", "SNPRESET", "SNSCOPE", "SOTUNING", "SPCTR", "SPOOL", "SRBSVC", "SRT",
    "SRVERCP", "SSLCACHE", "SSLDELAY", "START", "STARTER", "STATEOD", "STATINT", "STATRCD", "STGPROT", "STGRCVY", "STNTR", "SUBTSKS",
    "SUFFIX", "SYDUMAX", "SYSTR", "TAKEOVR", "TBEXITS", "TCP", "TCPIP", "TCSACTN", "TCSWAIT", "TCT", "TCTUAKEY", "TCTUALOC", "TD",
    "TDINTRA", "TRANISO", "TRAP", "TRDUMAX", "TRTABSZ", "TRTRANSZ", "TRTRANTY", "TS", "TSMAINLIMIT", "TST", "UDSASZE", "UOWNETQL",
    "USERTR", "USRDELAY", "USSCONFIG", "USSHOME", "VTAM", "VTPREFIX", "WEBDELAY", "WLMHEALTH", "XAPPC", "XCFGROUP", "XCMD", "XDB2",
    "XDCT", "XEJB", "XFCT", "XHFS", "XJCT", "XLT", "XPCT", "XPPT", "XPSB", "XPTKT", "XRES", "XRF", "XTRAN", "XTST", "XUSER",
    "ZOSMONINTERVAL", "ZOSSOS24STG", "ZOSSOS31STG", "ZOSSOS64STG",
];

/// Checked parameter values, defaults filled in.
#[derive(Debug, Clone)]
pub(crate) struct Sit {
    values: BTreeMap<&'static str, String>,
    /// Accepted parameters without effect, for one notice.
    pub(crate) ignored: Vec<String>,
}

impl Sit {
    /// All defaults.
    pub(crate) fn new() -> Self {
        let values = PARAMETERS
            .iter()
            .map(|p| (p.name, p.default.to_owned()))
            .collect();
        Self {
            values,
            ignored: Vec::new(),
        }
    }

    /// Takes one `name = value`; the text of the error names the bound or the nearest known name.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigProblem> {
        let upper = name.to_ascii_uppercase();
        if let Some(parameter) = PARAMETERS.iter().find(|p| p.name == upper) {
            let value = checked(parameter, value)?;
            self.values.insert(parameter.name, value);
            return Ok(());
        }
        if ACCEPTED.contains(&upper.as_str())
            || upper.starts_with("SPCTR")
            || upper.starts_with("STNTR")
        {
            self.ignored.push(upper);
            return Ok(());
        }
        let known = PARAMETERS
            .iter()
            .map(|p| p.name)
            .chain(ACCEPTED.iter().copied());
        Err(ConfigProblem::unknown(
            "[region]",
            name,
            nearest(&upper, known),
        ))
    }

    /// Text of a parameter of the table.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// Number of a parameter of the table; its bounds were checked when it was set.
    pub(crate) fn number(&self, name: &str) -> u32 {
        self.text(name).parse().unwrap_or(0)
    }

    /// Names of a list parameter.
    pub(crate) fn names(&self, name: &str) -> Vec<&str> {
        self.text(name)
            .split(',')
            .map(str::trim)
            .filter(|n| !n.is_empty())
            .collect()
    }
}

fn checked(parameter: &Parameter, value: &str) -> Result<String, ConfigProblem> {
    let name = parameter.name;
    let upper = value.trim().to_ascii_uppercase();
    let bad = |why: String| Err(ConfigProblem::value(name, value, why));
    match parameter.kind {
        Kind::Number(low, high) => match upper.parse::<i64>() {
            Ok(n) if (low..=high).contains(&n) => Ok(n.to_string()),
            _ => bad(format!("a whole number from {low} to {high} is needed")),
        },
        Kind::Name(max) if upper.is_empty() || upper.len() > max || !upper.is_ascii() => {
            bad(format!("1 to {max} characters are needed"))
        }
        Kind::Name(_) => Ok(upper),
        Kind::Word(words) if words.contains(&upper.as_str()) => Ok(upper),
        Kind::Word(words) => bad(format!("one of {} is needed", words.join(", "))),
        Kind::Names(max) => {
            let names: Vec<&str> = upper
                .trim_matches(['(', ')'])
                .split(',')
                .map(str::trim)
                .collect();
            if names.len() > max || names.iter().any(|n| n.len() > 8) {
                return bad(format!(
                    "at most {max} names of 1 to 8 characters are allowed"
                ));
            }
            Ok(names.join(","))
        }
        Kind::Text(max) if value.len() > max => {
            bad(format!("at most {max} characters are allowed"))
        }
        Kind::Text(_) => Ok(value.to_owned()),
    }
}

/// The `[region]` part of the configuration reference.
pub(crate) fn reference() -> String {
    let mut page =
        String::from("| parameter | values | default | meaning |\n| --- | --- | --- | --- |\n");
    for p in PARAMETERS {
        let values = match p.kind {
            Kind::Number(low, high) => format!("{low} to {high}"),
            Kind::Name(max) => format!("name, 1 to {max}"),
            Kind::Word(words) => words.join(", "),
            Kind::Names(max) => format!("up to {max} names"),
            Kind::Text(max) => format!("text, up to {max}"),
        };
        let default = if p.default.is_empty() { "-" } else { p.default };
        page += &format!("| `{}` | {values} | {default} | {} |\n", p.name, p.text);
    }
    page += "\nAccepted without effect, with one notice at start: ";
    page += &ACCEPTED.join(", ");
    page + ".\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_sit_names_and_bounds() {
        let mut sit = Sit::new();
        sit.set("mxt", "250").unwrap();
        assert_eq!(sit.number("MXT"), 250);
        let error = sit.set("MXT", "0").unwrap_err().to_string();
        assert!(error.contains("1 to 2000"), "{error}");
        sit.set("GRPLIST", "(XYZLIST,DFHLIST)").unwrap();
        assert_eq!(sit.names("GRPLIST"), ["XYZLIST", "DFHLIST"]);
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let error = Sit::new().set("MTX", "5").unwrap_err().to_string();
        assert!(
            error.contains("TXMSI0002E") && error.contains("MXT"),
            "{error}"
        );
    }

    #[test]
    fn other_sit_names_are_noted() {
        let mut sit = Sit::new();
        sit.set("AKPFREQ", "4000").unwrap();
        assert_eq!(sit.ignored, ["AKPFREQ"]);
    }
}
