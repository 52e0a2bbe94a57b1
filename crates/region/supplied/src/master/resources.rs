//! What CEMT knows of each kind of resource: its commands, columns and words.

use transom_commands::{CommandId, OptionId, cmd, opt};

/// How a column is read and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Characters, at most this many.
    Text(usize),
    /// A number of at most so many digits.
    Number(usize),
    /// A CICS value, shown by its first letters.
    Value,
    /// So many bytes in hexadecimal.
    Hex(usize),
}

/// One attribute.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub label: &'static str,
    pub option: OptionId,
    pub kind: Kind,
    /// What may be typed over it: CICS values, or for a number nothing.
    pub words: &'static [&'static str],
    /// A number that may be changed.
    pub number: bool,
}

/// One kind of resource.
#[derive(Clone, Copy)]
pub(super) struct Resource {
    pub name: &'static str,
    /// Other names.
    pub also: &'static [&'static str],
    pub key: OptionId,
    pub key_chars: usize,
    pub inquire: CommandId,
    pub set: Option<CommandId>,
    pub discard: Option<CommandId>,
    /// How its members are found.
    pub list: List,
    pub columns: &'static [Column],
    /// Words of SET that no column shows.
    pub actions: &'static [&'static str],
}

/// How the members of a kind are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    /// START, NEXT, END.
    Browse,
    /// The same; the name is bytes. Its first eight are shown in hexadecimal, the rest is zero.
    Hex,
    /// INQUIRE TASK LIST.
    Tasks,
    /// There is one.
    One,
}

const fn column(label: &'static str, option: OptionId, kind: Kind) -> Column {
    Column {
        label,
        option,
        kind,
        words: &[],
        number: false,
    }
}

const fn text(label: &'static str, option: OptionId, chars: usize) -> Column {
    column(label, option, Kind::Text(chars))
}

const fn number(label: &'static str, option: OptionId, digits: usize) -> Column {
    column(label, option, Kind::Number(digits))
}

const fn set_number(label: &'static str, option: OptionId, digits: usize) -> Column {
    Column {
        number: true,
        ..number(label, option, digits)
    }
}

const fn value(option: OptionId, words: &'static [&'static str]) -> Column {
    Column {
        words,
        ..column("", option, Kind::Value)
    }
}

const fn kind(
    name: &'static str,
    key: OptionId,
    key_chars: usize,
    inquire: CommandId,
    columns: &'static [Column],
) -> Resource {
    Resource {
        name,
        also: &[],
        key,
        key_chars,
        inquire,
        set: None,
        discard: None,
        list: List::Browse,
        columns,
        actions: &[],
    }
}

impl Resource {
    const fn set(self, set: CommandId, actions: &'static [&'static str]) -> Self {
        Self {
            set: Some(set),
            actions,
            ..self
        }
    }

    const fn discard(self, discard: CommandId) -> Self {
        Self {
            discard: Some(discard),
            ..self
        }
    }

    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    const fn list(self, list: List) -> Self {
        Self { list, ..self }
    }
}

const ABLE: &[&str] = &["ENABLED", "DISABLED"];

const TERMINAL: &[Column] = &[
    text("Tra", opt::TRANSACTION, 4),
    value(opt::SERVSTATUS, &["INSERVICE", "OUTSERVICE"]),
    value(opt::ATISTATUS, &["ATI", "NOATI"]),
    value(opt::TTISTATUS, &["TTI", "NOTTI"]),
    text("Net", opt::NETNAME, 8),
    value(opt::ACQSTATUS, &["RELEASED"]),
    text("Use", opt::USERID, 8),
    text("Nex", opt::NEXTTRANSID, 4),
    value(opt::UCTRANST, &["UCTRAN", "NOUCTRAN", "TRANIDONLY"]),
];

const ENQUEUE: &[Column] = &[
    column("Uow", opt::UOW, Kind::Hex(8)),
    text("Tra", opt::TRANSID, 4),
    number("Tas", opt::TASKID, 7),
    value(opt::RELATION, &[]),
    value(opt::STATE, &[]),
    value(opt::TYPE, &[]),
    value(opt::DURATION, &[]),
];

/// All kinds; an abbreviation means the first that fits.
#[rustfmt::skip]
pub(super) const RESOURCES: &[Resource] = &[
    kind("TASK", opt::TASK, 7, cmd::INQUIRE_TASK, &[
        text("Tra", opt::TRANSACTION, 4), text("Fac", opt::FACILITY, 4), value(opt::RUNSTATUS, &[]),
        value(opt::FACILITYTYPE, &[]), set_number("Pri", opt::PRIORITY, 3), text("Sta", opt::STARTCODE, 2),
        text("Use", opt::USERID, 8), column("Uow", opt::UOW, Kind::Hex(8)), text("Hty", opt::SUSPENDTYPE, 8),
        text("Hva", opt::SUSPENDVALUE, 8), number("Hti", opt::SUSPENDTIME, 6),
    ]).set(cmd::SET_TASK, &["PURGE", "FORCEPURGE", "KILL"]).list(List::Tasks),
    kind("TRANSACTION", opt::TRANSACTION, 4, cmd::INQUIRE_TRANSACTION, &[
        set_number("Pri", opt::PRIORITY, 3), text("Pro", opt::PROGRAM, 8), text("Tcl", opt::TRANCLASS, 8),
        value(opt::STATUS, ABLE), value(opt::PURGEABILITY, &["PURGEABLE", "NOTPURGEABLE"]),
        text("Prf", opt::PROFILE, 8), value(opt::SHUTDOWN, &["SHUTENABLED", "SHUTDISABLED"]),
        value(opt::DUMPING, &["TRANDUMP", "NOTRANDUMP"]),
        value(opt::TRACING, &["STANTRACE", "SPRSTRACE"]), value(opt::CMDSEC, &[]), value(opt::RESSEC, &[]),
    ]).set(cmd::SET_TRANSACTION, &[]).discard(cmd::DISCARD_TRANSACTION),
    kind("PROGRAM", opt::PROGRAM, 8, cmd::INQUIRE_PROGRAM, &[
        number("Len", opt::LENGTH, 9), value(opt::LANGUAGE, &[]), value(opt::PROGTYPE, &[]),
        value(opt::STATUS, ABLE), value(opt::SHARESTATUS, &[]), value(opt::CEDFSTATUS, &["CEDF", "NOCEDF"]),
        number("Res", opt::RESCOUNT, 3), number("Use", opt::USECOUNT, 9), value(opt::DATALOCATION, &[]),
        value(opt::EXECKEY, &[]), value(opt::EXECUTIONSET, &["FULLAPI", "DPLSUBSET"]), value(opt::CONCURRENCY, &[]),
    ]).set(cmd::SET_PROGRAM, &["NEWCOPY", "PHASEIN"]).discard(cmd::DISCARD_PROGRAM),
    kind("FILE", opt::FILE, 8, cmd::INQUIRE_FILE, &[
        value(opt::ACCESSMETHOD, &[]), value(opt::TYPE, &[]), value(opt::OPENSTATUS, &["OPEN", "CLOSED"]),
        value(opt::ENABLESTATUS, ABLE), value(opt::READ, &["READABLE", "NOTREADABLE"]),
        value(opt::UPDATE, &["UPDATABLE", "NOTUPDATABLE"]), value(opt::ADD, &["ADDABLE", "NOTADDABLE"]),
        value(opt::BROWSE, &["BROWSABLE", "NOTBROWSABLE"]), value(opt::DELETE, &["DELETABLE", "NOTDELETABLE"]),
        value(opt::DISPOSITION, &[]), text("Dsn", opt::DSNAME, 44),
    ]).set(cmd::SET_FILE, &["EMPTYREQ"]).discard(cmd::DISCARD_FILE).also(&["DATASET"]),
    kind("TERMINAL", opt::TERMINAL, 4, cmd::INQUIRE_TERMINAL, TERMINAL)
        .set(cmd::SET_TERMINAL, &["PURGE", "FORCEPURGE"]),
    kind("SYSTEM", opt::SYSID, 4, cmd::INQUIRE_SYSTEM, &[
        text("App", opt::APPLID, 8), set_number("Max", opt::MAXTASKS, 4), number("Cur", opt::CURRENTTASKS, 4),
        set_number("Run", opt::RUNAWAY, 7), set_number("Prt", opt::PRTYAGING, 5), text("Gmt", opt::GMMTRANID, 4),
        text("Dfl", opt::DFLTUSER, 8), value(opt::CICSSTATUS, &[]), value(opt::SECURITYMGR, &[]),
        value(opt::DUMPING, &["SYSDUMP", "NOSYSDUMP"]), value(opt::PROGAUTOINST, &["AUTOACTIVE", "AUTOINACTIVE"]),
        text("Rel", opt::RELEASE, 4), text("Job", opt::JOBNAME, 8),
    ]).set(cmd::SET_SYSTEM, &[]).list(List::One),
    kind("TSQUEUE", opt::TSQNAME, 16, cmd::INQUIRE_TSQNAME, &[
        number("Num", opt::NUMITEMS, 5), number("Len", opt::FLENGTH, 9), number("Max", opt::MAXITEMLEN, 5),
        number("Min", opt::MINITEMLEN, 5), value(opt::LOCATION, &[]), value(opt::RECOVSTATUS, &[]),
        text("Tra", opt::TRANSID, 4), number("Las", opt::LASTUSEDINT, 9),
    ]).set(cmd::SET_TSQNAME, &["DELETE"]).also(&["TSQNAME"]),
    kind("TDQUEUE", opt::TDQUEUE, 4, cmd::INQUIRE_TDQUEUE, &[
        value(opt::TYPE, &[]), set_number("Tri", opt::TRIGGERLEVEL, 5), number("Num", opt::NUMITEMS, 7),
        text("Tra", opt::ATITRANID, 4), value(opt::ENABLESTATUS, ABLE), value(opt::OPENSTATUS, &["OPEN", "CLOSED"]),
        value(opt::RECOVSTATUS, &[]), value(opt::ATIFACILITY, &[]), text("Ter", opt::ATITERMID, 4),
        text("Ind", opt::INDIRECTNAME, 4), text("Ddn", opt::DDNAME, 8),
    ]).set(cmd::SET_TDQUEUE, &[]).discard(cmd::DISCARD_TDQUEUE).also(&["QUEUE"]),
    kind("TSMODEL", opt::TSMODEL, 8, cmd::INQUIRE_TSMODEL, &[
        text("Pre", opt::PREFIX, 16), value(opt::LOCATION, &[]), value(opt::RECOVSTATUS, &[]),
        number("Exp", opt::EXPIRYINT, 5),
    ]).discard(cmd::DISCARD_TSMODEL),
    kind("TRANCLASS", opt::TRANCLASS, 8, cmd::INQUIRE_TRANCLASS, &[
        set_number("Max", opt::MAXACTIVE, 3), number("Act", opt::ACTIVE, 4), set_number("Pur", opt::PURGETHRESH, 7),
        number("Que", opt::QUEUED, 5),
    ]).set(cmd::SET_TRANCLASS, &[]).also(&["TCLASS"]),
    kind("DSNAME", opt::DSNAME, 44, cmd::INQUIRE_DSNAME, &[
        value(opt::ACCESSMETHOD, &[]), value(opt::OBJECT, &[]), number("Fil", opt::FILECOUNT, 4),
        value(opt::VALIDITY, &[]), value(opt::RECOVSTATUS, &[]), value(opt::AVAILABILITY, &[]),
        text("Bas", opt::BASEDSNAME, 44),
    ]),
    kind("NETNAME", opt::NETNAME, 8, cmd::INQUIRE_NETNAME, TERMINAL),
    kind("UOW", opt::UOW, 16, cmd::INQUIRE_UOW, &[
        value(opt::UOWSTATE, &["COMMIT", "BACKOUT"]), value(opt::WAITSTATE, &[]), text("Tra", opt::TRANSID, 4),
        number("Tas", opt::TASKID, 7), number("Age", opt::AGE, 8), text("Use", opt::USERID, 8),
        value(opt::WAITCAUSE, &[]), text("Lin", opt::LINK, 8),
    ]).set(cmd::SET_UOW, &["FORCE"]).list(List::Hex),
    kind("UOWENQ", opt::RESOURCE, 32, cmd::INQUIRE_UOWENQ, ENQUEUE),
    kind("ENQ", opt::RESOURCE, 32, cmd::INQUIRE_ENQ, ENQUEUE),
    kind("JOURNALNAME", opt::JOURNALNAME, 8, cmd::INQUIRE_JOURNALNAME, &[
        value(opt::STATUS, ABLE), value(opt::TYPE, &[]), text("Str", opt::STREAMNAME, 26),
    ]).set(cmd::SET_JOURNALNAME, &["FLUSH", "RESET"]),
    kind("PROFILE", opt::PROFILE, 8, cmd::INQUIRE_PROFILE, &[]).discard(cmd::DISCARD_PROFILE),
    kind("STATISTICS", opt::RECORDING, 3, cmd::INQUIRE_STATISTICS, &[
        value(opt::RECORDING, &[]), number("Int", opt::INTERVALSECS, 6), number("End", opt::ENDOFDAYSECS, 6),
    ]).list(List::One),
    kind("AUTOINSTALL", opt::PROGRAM, 8, cmd::INQUIRE_AUTOINSTALL, &[
        value(opt::ENABLESTATUS, &[]), number("Cur", opt::CURREQS, 5), number("Max", opt::MAXREQS, 5),
    ]).list(List::One),
];

/// Kinds of CICS that no region of ours has any of.
pub(super) const NONE_OF: &[&str] = &[
    "BUNDLE",
    "CFDTPOOL",
    "CONNECTION",
    "DB2CONN",
    "DB2ENTRY",
    "DB2TRAN",
    "DOCTEMPLATE",
    "ENQMODEL",
    "EXCI",
    "IPCONN",
    "IRC",
    "JVMSERVER",
    "LIBRARY",
    "MODENAME",
    "MQCONN",
    "PARTNER",
    "PIPELINE",
    "PROCESSTYPE",
    "SYDUMPCODE",
    "TCPIP",
    "TCPIPSERVICE",
    "TRDUMPCODE",
    "TSPOOL",
    "UOWDSNFAIL",
    "UOWLINK",
    "URIMAP",
    "WEB",
    "WEBSERVICE",
];

/// The kind of a word, which may be cut short.
pub(super) fn resource(word: &str) -> Option<&'static Resource> {
    let whole = RESOURCES
        .iter()
        .find(|r| r.name == word || r.also.contains(&word));
    let fits = |r: &&Resource| {
        r.name.starts_with(word) || r.also.iter().any(|also| also.starts_with(word))
    };
    whole.or_else(|| RESOURCES.iter().find(fits))
}

impl Resource {
    /// A word of SET, which may be cut short.
    pub(super) fn word(&self, typed: &str) -> Option<&'static str> {
        let words = self.columns.iter().flat_map(|column| column.words);
        let mut all = words.chain(self.actions);
        all.find(|word| !typed.is_empty() && word.starts_with(typed))
            .copied()
    }

    /// A column whose number can be set, by its option's name, which may be cut short.
    pub(super) fn settable(&self, typed: &str) -> Option<&'static Column> {
        self.column(typed).filter(|column| column.number)
    }

    /// A column by its option's name or label, which may be cut short.
    pub(super) fn column(&self, typed: &str) -> Option<&'static Column> {
        let named = |c: &&Column| transom_commands::option_name(c.option).starts_with(typed);
        // TRANID is no option, but Tra( ) is on the screen.
        let labelled =
            |c: &&Column| !c.label.is_empty() && typed.starts_with(&c.label.to_ascii_uppercase());
        let mut columns = self.columns.iter();
        let found = columns.clone().find(named);
        found.or_else(|| columns.find(labelled))
    }
}

impl Column {
    /// Characters its values take.
    pub(super) fn chars(&self) -> usize {
        match self.kind {
            Kind::Text(chars) | Kind::Number(chars) => chars,
            Kind::Value if self.words.is_empty() => 7,
            Kind::Value => 5,
            Kind::Hex(bytes) => bytes * 2,
        }
    }
}
