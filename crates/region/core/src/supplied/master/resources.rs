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
}

/// One attribute.
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
pub(super) struct Resource {
    pub name: &'static str,
    /// Other names.
    pub also: &'static [&'static str],
    pub key: OptionId,
    pub key_chars: usize,
    pub inquire: CommandId,
    pub set: Option<CommandId>,
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
    /// The same; keys are shown as hexadecimal digits.
    Units,
    /// INQUIRE TASK LIST.
    Tasks,
    /// There is one.
    One,
}

const fn text(label: &'static str, option: OptionId, chars: usize) -> Column {
    Column {
        label,
        option,
        kind: Kind::Text(chars),
        words: &[],
        number: false,
    }
}

const fn number(label: &'static str, option: OptionId, digits: usize) -> Column {
    Column {
        label,
        option,
        kind: Kind::Number(digits),
        words: &[],
        number: false,
    }
}

const fn set_number(label: &'static str, option: OptionId, digits: usize) -> Column {
    Column {
        label,
        option,
        kind: Kind::Number(digits),
        words: &[],
        number: true,
    }
}

const fn value(option: OptionId, words: &'static [&'static str]) -> Column {
    Column {
        label: "",
        option,
        kind: Kind::Value,
        words,
        number: false,
    }
}

const ABLE: &[&str] = &["ENABLED", "DISABLED"];

/// All kinds; an abbreviation means the first that fits.
#[rustfmt::skip]
pub(super) const RESOURCES: &[Resource] = &[
    Resource {
        name: "TASK", also: &[], key: opt::TASK, key_chars: 7,
        inquire: cmd::INQUIRE_TASK, set: Some(cmd::SET_TASK), list: List::Tasks,
        columns: &[
            text("Tra", opt::TRANSACTION, 4), value(opt::RUNSTATUS, &[]),
            text("Use", opt::USERID, 8), set_number("Pri", opt::PRIORITY, 3),
            text("Sta", opt::STARTCODE, 2), text("Hty", opt::SUSPENDTYPE, 8),
            text("Hva", opt::SUSPENDVALUE, 8),
        ],
        actions: &["PURGE", "FORCEPURGE", "KILL"],
    },
    Resource {
        name: "TRANSACTION", also: &[], key: opt::TRANSACTION, key_chars: 4,
        inquire: cmd::INQUIRE_TRANSACTION, set: Some(cmd::SET_TRANSACTION), list: List::Browse,
        columns: &[
            set_number("Pri", opt::PRIORITY, 3), text("Pro", opt::PROGRAM, 8),
            text("Tcl", opt::TRANCLASS, 8), value(opt::STATUS, ABLE),
            value(opt::PURGEABILITY, &["PURGEABLE", "NOTPURGEABLE"]),
            text("Prf", opt::PROFILE, 8),
        ],
        actions: &[],
    },
    Resource {
        name: "PROGRAM", also: &[], key: opt::PROGRAM, key_chars: 8,
        inquire: cmd::INQUIRE_PROGRAM, set: Some(cmd::SET_PROGRAM), list: List::Browse,
        columns: &[
            number("Len", opt::LENGTH, 9), value(opt::LANGUAGE, &[]),
            number("Res", opt::RESCOUNT, 3), number("Use", opt::USECOUNT, 9),
            value(opt::STATUS, ABLE), value(opt::CONCURRENCY, &[]),
        ],
        actions: &["NEWCOPY", "PHASEIN"],
    },
    Resource {
        name: "FILE", also: &["DATASET"], key: opt::FILE, key_chars: 8,
        inquire: cmd::INQUIRE_FILE, set: Some(cmd::SET_FILE), list: List::Browse,
        columns: &[
            value(opt::TYPE, &[]), value(opt::OPENSTATUS, &["OPEN", "CLOSED"]),
            value(opt::ENABLESTATUS, ABLE), value(opt::READ, &["READABLE", "NOTREADABLE"]),
            value(opt::UPDATE, &["UPDATABLE", "NOTUPDATABLE"]), value(opt::ADD, &["ADDABLE", "NOTADDABLE"]),
            value(opt::BROWSE, &["BROWSABLE", "NOTBROWSABLE"]),
            value(opt::DELETE, &["DELETABLE", "NOTDELETABLE"]), text("Dsn", opt::DSNAME, 20),
        ],
        actions: &[],
    },
    Resource {
        name: "TERMINAL", also: &[], key: opt::TERMINAL, key_chars: 4,
        inquire: cmd::INQUIRE_TERMINAL, set: Some(cmd::SET_TERMINAL), list: List::Browse,
        columns: &[
            text("Tra", opt::TRANSACTION, 4), value(opt::SERVSTATUS, &["INSERVICE", "OUTSERVICE"]),
            value(opt::ATISTATUS, &["ATI", "NOATI"]), value(opt::TTISTATUS, &["TTI", "NOTTI"]),
            text("Net", opt::NETNAME, 8), value(opt::ACQSTATUS, &["RELEASED"]),
            text("Use", opt::USERID, 8),
        ],
        actions: &["PURGE", "FORCEPURGE"],
    },
    Resource {
        name: "TSQUEUE", also: &["TSQNAME"], key: opt::TSQNAME, key_chars: 16,
        inquire: cmd::INQUIRE_TSQNAME, set: Some(cmd::SET_TSQNAME), list: List::Browse,
        columns: &[
            number("Num", opt::NUMITEMS, 5), number("Len", opt::FLENGTH, 9),
            value(opt::LOCATION, &[]), text("Tra", opt::TRANSID, 4), value(opt::RECOVSTATUS, &[]),
        ],
        actions: &["DELETE"],
    },
    Resource {
        name: "TDQUEUE", also: &["QUEUE"], key: opt::TDQUEUE, key_chars: 4,
        inquire: cmd::INQUIRE_TDQUEUE, set: Some(cmd::SET_TDQUEUE), list: List::Browse,
        columns: &[
            value(opt::TYPE, &[]), set_number("Tri", opt::TRIGGERLEVEL, 5),
            number("Num", opt::NUMITEMS, 7), text("Tra", opt::ATITRANID, 4),
            value(opt::ENABLESTATUS, ABLE), value(opt::OPENSTATUS, &["OPEN", "CLOSED"]),
            value(opt::RECOVSTATUS, &[]),
        ],
        actions: &[],
    },
    Resource {
        name: "UOW", also: &[], key: opt::UOW, key_chars: 16,
        inquire: cmd::INQUIRE_UOW, set: Some(cmd::SET_UOW), list: List::Units,
        columns: &[
            value(opt::UOWSTATE, &["COMMIT", "BACKOUT"]), value(opt::WAITSTATE, &[]),
            text("Tra", opt::TRANSID, 4), number("Tas", opt::TASKID, 7), number("Age", opt::AGE, 8),
            text("Use", opt::USERID, 8), value(opt::WAITCAUSE, &[]), text("Lin", opt::LINK, 8),
        ],
        actions: &["FORCE"],
    },
    Resource {
        name: "SYSTEM", also: &[], key: opt::SYSID, key_chars: 4,
        inquire: cmd::INQUIRE_SYSTEM, set: Some(cmd::SET_SYSTEM), list: List::One,
        columns: &[
            text("App", opt::APPLID, 8), set_number("Max", opt::MAXTASKS, 4),
            number("Cur", opt::CURRENTTASKS, 4), set_number("Run", opt::RUNAWAY, 7),
            text("Gmt", opt::GMMTRANID, 4), text("Dfl", opt::DFLTUSER, 8), value(opt::CICSSTATUS, &[]),
        ],
        actions: &[],
    },
];

/// The kind of a word, which may be cut short.
pub(super) fn resource(word: &str) -> Option<&'static Resource> {
    let fits = |r: &&Resource| {
        r.name.starts_with(word) || r.also.iter().any(|also| also.starts_with(word))
    };
    RESOURCES.iter().find(fits)
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
        let name =
            |column: &&Column| transom_commands::option_name(column.option).starts_with(typed);
        self.columns
            .iter()
            .filter(|column| column.number)
            .find(name)
    }
}
