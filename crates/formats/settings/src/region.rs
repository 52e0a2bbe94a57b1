//! `[region]`: system initialization parameters.
//!
//! Names and ranges are those of the public CICS TS system initialization reference. Keys are in
//! upper or lower case. Not here: what a parameter does.

use crate::accepted::is_accepted;
use crate::initparm::InitParms;
use crate::kind::{
    Kind, Languages, Name, Names, NationalName, Number, Text, TimeOfDay, Trimmed, Umask, Word,
};
use crate::problem::SettingProblem;
use crate::table::{Field, Row, Table};
use std::collections::BTreeMap;
use transom_types::nearest;

/// What a paging key may stand for.
const SKR_TEXT: Text = Text(16);

settings! {
    /// System initialization parameters under their CICS names.
    pub struct RegionSettings in "[region]" {
        /// Application identifier of the region.
        applid: String = "TRANSOM".into(), Name(8);
        /// System identifier of the region.
        sysidnt: String = "TXM1".into(), Name(4);
        /// User tasks that may run at the same time. More wait in attach order by priority.
        mxt: u32 = 120, number(1, 2000);
        /// Tasks that may wait because of MXT or a class limit; beyond it new work is refused as
        /// busy. Not a CICS name.
        mxtqueue: usize = 10_000, number(0, 100_000);
        /// Runaway limit in milliseconds of processor time without giving up control; 0 = no limit.
        /// Tasks over it end with AICA.
        icvr: u64 = 5000, number(0, 2_700_000);
        /// Lists of resource groups installed at start. Empty: every list of the decks in csd/, or
        /// every group where there is no list.
        grplist: Vec<String> = Vec::new(), Names(4);
        /// User of tasks that nobody signed on for.
        dfltuser: String = "CICSUSER".into(), Name(8);
        /// Good morning text.
        gmtext: String = String::new(), Text(246);
        /// How the region names messages at terminals that have the number of a CICS message, for
        /// scripts that look for it. DFH: DFHAC2001. TXM: TXMAC2001E. Not a CICS name.
        msgprefix: &'static str = "TXM", Word(&["TXM", "DFH"]);
        /// Transaction that is started at a terminal when its session begins.
        gmtran: String = "CSGM".into(), Name(4);
        /// Dynamic routing program: where a transaction with DYNAMIC(YES) runs. DFHDYP without a
        /// program of this name: as REMOTESYSTEM says. EYU9XLOP without one: the region of
        /// `[routing]` with the least work.
        dtrpgm: String = "DFHDYP".into(), Name(8);
        /// Coded character set of text inside programs.
        localccsid: u32 = 819, number(1, 65_535);
        /// Order of characters in programs and keys, {values}: as on z/OS or by ISO 8859-1. A store
        /// remembers it; another one needs `transom rebuild`. Not a CICS name.
        collating: &'static str = "" => "that of the store; EBCDIC037 for a new one",
            Word(&["EBCDIC037", "ASCII"]);
        /// Account that a region, and every command on its directory, goes on as when root starts
        /// it. Not a CICS name.
        user: String = String::new() => "owner of the system directory", Text(32);
        /// YES: programs may CALL all routines of libcob and of the C library, `SYSTEM` for
        /// example, and workers may open files and connections and start processes. NO: such a
        /// CALL is abend APCN. Not a CICS name.
        system_calls: &'static str = "NO", Word(&["YES", "NO"]);
        /// Bytes of the common work area (CWA).
        wrkarea: u32 = 512, number(0, 3584);
        /// Storage protection. YES: CWAKEY acts; other storage has no key. NO: it does not.
        stgprot: &'static str = "YES", Word(&["YES", "NO"]);
        /// Storage key of the CWA. CICS: a program without EXECKEY(CICS) that stores there ends
        /// with ASRA. USER: all programs may.
        cwakey: &'static str = "USER", Word(&["USER", "CICS"]);
        /// Program autoinstall: a program without definition is defined when its module exists.
        pgaipgm: &'static str = "ACTIVE", Word(&["ACTIVE", "INACTIVE"]);
        /// Megabytes of shared storage for queues, counters and large payloads. Pages are taken
        /// when used.
        edsalim: usize = 1024, number(16, 1_048_576);
        /// Megabytes on disk for items of auxiliary temporary storage that EDSALIM has no room for.
        /// Not a CICS name.
        tsauxmb: u64 = 4096, number(0, 1_048_576);
        /// Megabytes of memory for records of intrapartition transient data queues that are not
        /// recoverable, all together; beyond it WRITEQ TD raises NOSPACE. Not a CICS name.
        tdmainmb: u64 = 64, number(1, 1_048_576);
        /// COBOL workers kept ready. Not a CICS name.
        minworkers: usize = 2, number(0, 2000);
        /// Installed programs that every worker finds loaded; others are loaded by each worker that
        /// runs them, and take its memory. Not a CICS name.
        preload: usize = 200, number(0, 4000);
        /// Concurrency of autoinstalled programs. Not a CICS name.
        concurrency: &'static str = "QUASIRENT", Word(&["QUASIRENT", "THREADSAFE"]);
        /// Checks of authority by the rules of [authority]. AUTO: YES once there are users.
        sec: &'static str = "AUTO", Word(&["AUTO", "YES", "NO"]);
        /// System programming commands are checked as CMDSEC of the transaction says, or always.
        cmdsec: &'static str = "ASIS", Word(&["ASIS", "ALWAYS"]);
        /// Resources are checked as RESSEC of the transaction says, or always.
        ressec: &'static str = "ASIS", Word(&["ASIS", "ALWAYS"]);
        /// Code in front of commands that show a page of a message, for example P/2.
        pgret: String = "P/".into(), Name(7);
        /// Code in front of commands that forget a message, for example T/B.
        pgpurge: String = "T/".into(), Name(7);
        /// Code of page chaining, which is answered with a message.
        pgchain: String = "X/".into(), Name(7);
        /// Code of page copying, which is answered with a message.
        pgcopy: String = "C/".into(), Name(7);
        /// Paging command of {key} during a paging session, or what follows PGRET in it.
        skr: PagingKeys = PagingKeys::default(), SKR_TEXT;
        /// Record level sharing. YES: NONRLSRECOV counts. Files with RLSACCESS(YES) are shared
        /// with either value.
        rls: &'static str = "NO", Word(&["YES", "NO"]);
        /// With RLS=YES, where files without RLSACCESS(YES) take their recovery from. VSAMCAT: LOG
        /// of the catalog where it is set, else the FILE definition. FILEDEF: the definition.
        nonrlsrecov: &'static str = "VSAMCAT", Word(&["VSAMCAT", "FILEDEF"]);
        /// Form of DATE, FULLDATE and DATEFORM of FORMATTIME.
        datform: &'static str = "MMDDYY", Word(&["MMDDYY", "DDMMYY", "YYMMDD"]);
        /// National languages by their codes of one character; the first is that of tasks whose
        /// terminal has no NATLANG. Texts of the region are English.
        natlang: String = "E".into(), Languages;
        /// The address of an option that a command writes is checked: a bad one is abend AEYD, not
        /// ASRA.
        cmdprot: &'static str = "YES", Word(&["YES", "NO"]);
        /// System dumps (PERFORM DUMP) are written. Transaction dumps are a matter of the
        /// TRANSACTION.
        dump: &'static str = "YES", Word(&["YES", "NO"]);
        /// Milliseconds in which the priority of a task that waits for a place rises by one; 0 =
        /// priorities do not rise.
        prtyage: u64 = 1000, number(0, 65_535);
        /// AUTO: warm after an orderly end, else emergency. COLD and INITIAL empty temporary
        /// storage, transient data and START requests and forget what CREATE and CEDA INSTALL have
        /// installed, never a data set or a named counter; INITIAL is refused while units of work
        /// are in doubt, unless `--back-out-in-doubt` is given; COLD leaves them, and their changes
        /// come with the decision, those of queues too.
        /// `transom run --start` is for one start.
        start: &'static str = "AUTO", Word(&["AUTO", "COLD", "INITIAL"]);
        /// Permissions that files of extrapartition output and their folder do not get, {values}:
        /// 027 lets the group of the region's user read them. Everything else of a system is for
        /// its user alone. Not a CICS name.
        umask: u32 = 0o077 => "077", Umask;
        /// What ASSIGN INITPARM answers in programs, for example (PAY='TRACE=ON',TAX='2026').
        initparm: Vec<(String, String)> = Vec::new(), InitParms;
        /// Program list table whose programs run at the start: a suffix, I1 for
        /// plt/DFHPLTI1.plt, or a whole name. YES: DFHPLT. NO: none.
        pltpi: String = "NO".into(), NationalName(8);
        /// Program list table whose programs run at an end that is not immediate, as PLTPI has it;
        /// PERFORM SHUTDOWN can name another one.
        pltsd: String = "NO".into(), NationalName(8);
        /// User of the programs of PLTPI. Empty: DFLTUSER.
        pltpiusr: String = String::new(), Name(8);
        /// Checks of authority in programs of PLTPI: of system programming commands, of resources,
        /// of both.
        pltpisec: &'static str = "NONE", Word(&["NONE", "CMDSEC", "RESSEC", "ALL"]);
        /// Monitoring at the start; SET MONITOR changes it.
        mn: &'static str = "OFF", Word(&["ON", "OFF"]);
        /// Performance records, one for each task that ends, where monitoring is on; SET MONITOR
        /// changes it.
        mnper: &'static str = "OFF", Word(&["ON", "OFF"]);
        /// Monitoring control table: user event monitoring points and fields that records go
        /// without. A suffix, A1 for mct/DFHMCTA1.mct, or a whole name. YES: DFHMCT. NO: none.
        mct: String = "NO".into(), NationalName(8);
        /// Internal trace, the last entries of each worker in memory; SET TRACEDEST changes it.
        inttr: &'static str = "ON", Word(&["ON", "OFF"]);
        /// Auxiliary trace, to the data sets in trace/; SET TRACEDEST changes it.
        auxtr: &'static str = "OFF", Word(&["ON", "OFF"]);
        /// What happens when a data set of the auxiliary trace is full: NO: the trace stops. NEXT:
        /// it goes on in the other one, once. ALL: each time.
        auxtrsw: &'static str = "NO", Word(&["NO", "NEXT", "ALL"]);
        /// Trace entries of the system; SET TRACEFLAG changes it.
        systr: &'static str = "ON", Word(&["ON", "OFF"]);
        /// Trace entries of programs (ENTER TRACENUM); SET TRACEFLAG changes it.
        usertr: &'static str = "ON", Word(&["ON", "OFF"]);
        /// Statistics are recorded at intervals; SET STATISTICS changes it. At the end of the day
        /// and of the region they are in any case.
        statrcd: &'static str = "OFF", Word(&["ON", "OFF"]);
        /// Interval of statistics, hhmmss, {values}; SET STATISTICS changes it.
        statint: u32 = 3_600 => "010000", TimeOfDay(60, 86_400);
        /// End of the day for statistics, hhmmss of local time, {values}; SET STATISTICS changes
        /// it.
        stateod: u32 = 0 => "000000", TimeOfDay(0, 86_399);
        /// Seconds a request to a file with RLSACCESS(YES) waits for a record, where the
        /// transaction has no DTIMOUT; then the task ends with AFCV.
        ftimeout: u64 = 30, number(1, 4080);
    }
}

/// SKRxxxx: paging commands by the name of the key, `PA1` to `PF24`.
#[derive(Debug, Clone, Default)]
pub struct PagingKeys(BTreeMap<String, String>);

impl PagingKeys {
    /// Names of all keys that can have a paging command.
    pub fn names() -> impl Iterator<Item = String> {
        let pa = (1..=3).map(|n| format!("PA{n}"));
        pa.chain((1..=24).map(|n| format!("PF{n}")))
    }

    /// The paging command of a key; empty: none.
    pub fn command(&self, key: &str) -> &str {
        self.0.get(key).map_or("", String::as_str)
    }
}

impl Field for PagingKeys {
    type Value = String;

    /// One command for all keys.
    fn put(&mut self, value: String) {
        self.0 = Self::names().map(|key| (key, value.clone())).collect();
    }

    fn shown(&self) -> String {
        "-".to_owned()
    }

    fn rows(&self, row: Row) -> Vec<Row> {
        let of_key = |key: String| Row {
            key: format!("{}{key}", row.key),
            meaning: row.meaning.replace("{key}", &key),
            ..row.clone()
        };
        Self::names().map(of_key).collect()
    }
}

const fn number<T>(low: T, high: T) -> Trimmed<Number<T>>
where
    T: Copy,
{
    Trimmed(Number(low, high))
}

impl RegionSettings {
    /// LOG of the catalog counts for files without RLSACCESS(YES) too.
    pub fn recovery_of_catalog(&self) -> bool {
        self.rls == "YES" && self.nonrlsrecov == "VSAMCAT"
    }

    /// Takes one `name = value`; answers a name that is accepted and has no effect.
    pub(crate) fn set_parameter(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<Option<String>, SettingProblem> {
        let upper = name.to_ascii_uppercase();
        let taken = match upper.strip_prefix("SKR") {
            Some(key) => PagingKeys::names().any(|known| known == key).then(|| {
                let command = SKR_TEXT.check(value)?;
                self.skr.0.insert(key.to_owned(), command);
                Ok(())
            }),
            None => self.take(&upper.to_ascii_lowercase(), value),
        };
        match taken {
            Some(Ok(())) => Ok(None),
            Some(Err(why)) => Err(SettingProblem::value(&upper, value, why)),
            None if is_accepted(&upper) => Ok(Some(upper)),
            None => {
                let rows = parameters();
                let known = rows.iter().map(|row| row.key.as_str());
                let near = nearest(&upper, known.chain(crate::accepted::NAMES.iter().copied()));
                Err(SettingProblem::unknown(Self::NAME, name, near))
            }
        }
    }
}

/// All parameters under their CICS names.
pub(crate) fn parameters() -> Vec<Row> {
    let rows = RegionSettings::rows().into_iter();
    let upper = |row: Row| Row {
        key: row.key.to_ascii_uppercase(),
        ..row
    };
    rows.map(upper).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_sit_names_and_bounds() {
        let mut sit = RegionSettings::default();
        sit.set_parameter("mxt", " 250 ").unwrap();
        assert_eq!(sit.mxt, 250);
        let error = sit.set_parameter("MXT", "0").unwrap_err().to_string();
        assert_eq!(
            error,
            "TXMSI0003E MXT cannot be \"0\": a whole number from 1 to 2000 is needed"
        );
        sit.set_parameter("GRPLIST", "(XYZLIST,DFHLIST)").unwrap();
        assert_eq!(sit.grplist, ["XYZLIST", "DFHLIST"]);
        sit.set_parameter("sec", "yes").unwrap();
        assert_eq!(sit.sec, "YES");
    }

    #[test]
    fn a_key_has_a_paging_command() {
        let mut sit = RegionSettings::default();
        sit.set_parameter("SKRPF8", "P/N").unwrap();
        assert_eq!(
            (sit.skr.command("PF8"), sit.skr.command("PF7")),
            ("P/N", "")
        );
        assert!(sit.set_parameter("SKRPF8", "12345678901234567").is_err());
        let error = sit.set_parameter("SKR", "P/N").unwrap_err().to_string();
        assert!(error.contains("TXMSI0002E"), "{error}");
    }

    #[test]
    fn unknown_names_get_the_nearest() {
        let mut sit = RegionSettings::default();
        let error = sit.set_parameter("MTX", "5").unwrap_err().to_string();
        let expected = "TXMSI0002E [region] has no key MTX; the nearest known one is MXT";
        assert_eq!(error, expected);
    }

    #[test]
    fn other_sit_names_are_noted() {
        let mut sit = RegionSettings::default();
        let noted = sit.set_parameter("akpfreq", "4000").unwrap();
        assert_eq!(noted.as_deref(), Some("AKPFREQ"));
    }
}
