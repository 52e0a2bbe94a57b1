//! The parameters of each command with their abbreviations, as IBM's public *Access Method Services
//! Commands* names them.

/// What a parameter does here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    Used,
    /// Kept for LISTCAT and without any other effect.
    Listed(Shape),
    /// Says where or how data lies on a disk of the mainframe: nothing is lost without it.
    Silent,
    /// Accepted, and the user is told that it has no effect.
    Notice,
    /// The command would do something else without it.
    Refused,
}

/// The form of a value that is kept, with its name in LISTCAT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number.
    Number(&'static str),
    /// A word.
    Text(&'static str),
    /// SHAREOPTIONS(2 3)
    Share,
    /// FREESPACE(10 20)
    Free,
    /// The word itself; one of a group that exclude each other.
    Flag(&'static str),
}

/// One parameter.
#[derive(Debug)]
pub(crate) struct Keyword {
    pub(crate) name: &'static str,
    pub(crate) short: &'static [&'static str],
    pub(crate) effect: Effect,
}

const fn used(name: &'static str, short: &'static [&'static str]) -> Keyword {
    let effect = Effect::Used;
    Keyword {
        name,
        short,
        effect,
    }
}

const fn silent(name: &'static str, short: &'static [&'static str]) -> Keyword {
    let effect = Effect::Silent;
    Keyword {
        name,
        short,
        effect,
    }
}

const fn listed(name: &'static str, short: &'static [&'static str], shape: Shape) -> Keyword {
    let effect = Effect::Listed(shape);
    Keyword {
        name,
        short,
        effect,
    }
}

const fn notice(name: &'static str, short: &'static [&'static str]) -> Keyword {
    let effect = Effect::Notice;
    Keyword {
        name,
        short,
        effect,
    }
}

const fn refused(name: &'static str, short: &'static [&'static str]) -> Keyword {
    let effect = Effect::Refused;
    Keyword {
        name,
        short,
        effect,
    }
}

/// Command words; the second column is the full word.
pub(crate) const VERBS: &[(&str, &str)] = &[
    ("DEFINE", "DEFINE"),
    ("DEF", "DEFINE"),
    ("BLDINDEX", "BLDINDEX"),
    ("BIX", "BLDINDEX"),
    ("REPRO", "REPRO"),
    ("PRINT", "PRINT"),
    ("LISTCAT", "LISTCAT"),
    ("LISTC", "LISTCAT"),
    ("DELETE", "DELETE"),
    ("DEL", "DELETE"),
    ("VERIFY", "VERIFY"),
    ("VFY", "VERIFY"),
    ("ALTER", "ALTER"),
    ("EXAMINE", "EXAMINE"),
    ("EXPORT", "EXPORT"),
    ("EXP", "EXPORT"),
    ("IMPORT", "IMPORT"),
    ("IMP", "IMPORT"),
    ("IF", "IF"),
    ("ELSE", "ELSE"),
    ("THEN", "THEN"),
    ("DO", "DO"),
    ("END", "END"),
    ("SET", "SET"),
    ("PARM", "PARM"),
    ("CANCEL", "CANCEL"),
];

/// Commands of IDCAMS that have no counterpart.
pub(crate) const UNSUPPORTED: &[&str] = &[
    "ALLOCATE", "ALLOC", "CNVTCAT", "CNVTC", "CREATE", "DCOLLECT", "DIAGNOSE", "DIAG", "IMPORTRA",
    "EXPORTRA", "LISTDATA", "LDATA", "RECOVER", "SETCACHE", "SHCDS", "CHKLIST", "RESETCAT", "STOW",
    "FREE", "BINDDATA", "BDATA", "PUSH",
];

/// Space, volumes and other things of the disk that any DEFINE may have.
pub(crate) const SPACE: &[Keyword] = &[
    silent("CYLINDERS", &["CYL"]),
    silent("TRACKS", &["TRK"]),
    silent("RECORDS", &["REC"]),
    silent("KILOBYTES", &["KB"]),
    silent("MEGABYTES", &["MB"]),
    silent("VOLUMES", &["VOL", "VOLUME"]),
    listed("FREESPACE", &["FSPC"], Shape::Free),
    listed(
        "CONTROLINTERVALSIZE",
        &["CISZ", "CNVSZ"],
        Shape::Number("CISIZE"),
    ),
    listed(
        "BUFFERSPACE",
        &["BUFSP", "BUFSPC"],
        Shape::Number("BUFSPACE"),
    ),
    listed("SHAREOPTIONS", &["SHR"], Shape::Share),
    listed("SPEED", &[], Shape::Flag("SPEED")),
    listed("RECOVERY", &["RCVY"], Shape::Flag("SPEED")),
    silent("UNIQUE", &["UNQ"]),
    silent("SUBALLOCATION", &["SUBAL"]),
    silent("IMBED", &["IMBD"]),
    silent("NOIMBED", &["NIMBD"]),
    silent("REPLICATE", &["REPL"]),
    silent("NOREPLICATE", &["NREPL"]),
    silent("ORDERED", &["ORD"]),
    silent("UNORDERED", &["UNORD"]),
    listed("WRITECHECK", &["WCK"], Shape::Flag("WRITECHECK")),
    listed("NOWRITECHECK", &["NWCK"], Shape::Flag("WRITECHECK")),
    listed("STORAGECLASS", &["STORCLAS"], Shape::Text("STORAGECLASS")),
    listed(
        "MANAGEMENTCLASS",
        &["MGMTCLAS"],
        Shape::Text("MANAGEMENTCLASS"),
    ),
    listed("DATACLASS", &["DATACLAS"], Shape::Text("DATACLASS")),
    listed("ERASE", &["ERAS"], Shape::Flag("ERASE")),
    listed("NOERASE", &["NERAS"], Shape::Flag("ERASE")),
    listed("OWNER", &[], Shape::Text("OWNER-IDENT")),
    silent("CATALOG", &["CAT"]),
    silent("FILE", &[]),
    silent("ACCOUNT", &["ACCT"]),
    silent("RECATALOG", &["RCTLG"]),
    silent("NORECATALOG", &["NRCTLG"]),
    listed("BWO", &[], Shape::Text("BWO")),
    listed("LOGSTREAMID", &["LSID"], Shape::Text("LOGSTREAMID")),
    listed("FRLOG", &[], Shape::Text("FRLOG")),
    silent("KEYRANGES", &["KRNG"]),
    used("TO", &[]),
    used("FOR", &[]),
    notice("EXCEPTIONEXIT", &["EEXT"]),
    notice("ATTEMPTS", &["ATT"]),
    notice("AUTHORIZATION", &["AUTH"]),
    notice("CODE", &[]),
    notice("MASTERPW", &["MRPW"]),
    notice("CONTROLPW", &["CTLPW"]),
    notice("UPDATEPW", &["UPDPW"]),
    notice("READPW", &["RDPW"]),
    refused("MODEL", &[]),
];

/// What DATA and INDEX may have besides [`SPACE`].
pub(crate) const COMPONENT: &[Keyword] = &[
    used("NAME", &[]),
    used("KEYS", &[]),
    used("RECORDSIZE", &["RECSZ"]),
    used("SPANNED", &["SPND"]),
    used("NONSPANNED", &["NSPND"]),
    used("REUSE", &["RUS"]),
    used("NOREUSE", &["NRUS"]),
];

/// DEFINE CLUSTER, besides [`SPACE`] and [`COMPONENT`].
pub(crate) const CLUSTER: &[Keyword] = &[
    used("INDEXED", &["IXD"]),
    used("NONINDEXED", &["NIXD"]),
    used("NUMBERED", &["NUMD"]),
    refused("LINEAR", &["LIN"]),
    used("LOG", &[]),
];

/// DEFINE ALTERNATEINDEX, besides [`SPACE`] and [`COMPONENT`].
pub(crate) const AIX: &[Keyword] = &[
    used("RELATE", &["REL"]),
    used("UNIQUEKEY", &["UNQK"]),
    used("NONUNIQUEKEY", &["NUNQK"]),
    used("UPGRADE", &["UPG"]),
    used("NOUPGRADE", &["NUPG"]),
];

/// DEFINE PATH, besides [`SPACE`].
pub(crate) const PATH: &[Keyword] = &[
    used("NAME", &[]),
    used("PATHENTRY", &["PENT"]),
    used("UPDATE", &["UPD"]),
    used("NOUPDATE", &["NUPD"]),
];

/// DEFINE NONVSAM, GENERATIONDATAGROUP and ALIAS, besides [`SPACE`].
pub(crate) const OTHER: &[Keyword] = &[
    used("NAME", &[]),
    silent("DEVICETYPES", &["DEVT"]),
    silent("FILESEQUENCENUMBERS", &["FSEQN"]),
    silent("LIMIT", &["LIM"]),
    silent("SCRATCH", &["SCR"]),
    silent("NOSCRATCH", &["NSCR"]),
    silent("EMPTY", &["EMP"]),
    silent("NOEMPTY", &["NEMP"]),
    silent("EXTENDED", &["EXT"]),
    silent("FIFO", &[]),
    silent("LIFO", &[]),
    silent("PURGE", &["PRG"]),
    silent("NOPURGE", &["NPRG"]),
    silent("RELATE", &["REL"]),
    silent("SYMBOLICRELATE", &["SYMREL"]),
];

/// Where records come from and go to, and which.
pub(crate) const RECORDS: &[Keyword] = &[
    used("INFILE", &["IFILE"]),
    used("INDATASET", &["IDS"]),
    used("OUTFILE", &["OFILE"]),
    used("OUTDATASET", &["ODS"]),
    used("FROMKEY", &["FKEY"]),
    used("TOKEY", &[]),
    used("FROMADDRESS", &["FADDR"]),
    used("TOADDRESS", &["TADDR"]),
    used("FROMNUMBER", &["FNUM"]),
    used("TONUMBER", &["TNUM"]),
    used("SKIP", &[]),
    used("COUNT", &[]),
];

/// REPRO, besides [`RECORDS`].
pub(crate) const REPRO: &[Keyword] = &[
    used("REPLACE", &["REP"]),
    used("NOREPLACE", &["NREP"]),
    used("REUSE", &["RUS"]),
    used("NOREUSE", &["NRUS"]),
    used("ERRORLIMIT", &["ELIMIT"]),
    notice("ENVIRONMENT", &["ENV"]),
    silent("FILE", &[]),
    refused("MERGECAT", &["MRGC"]),
    refused("NOMERGECAT", &["NOMRGC"]),
    refused("ENCIPHER", &["ENCPHR"]),
    refused("DECIPHER", &["DECPHR"]),
    notice("DBCS", &[]),
];

/// PRINT, besides [`RECORDS`].
pub(crate) const PRINT: &[Keyword] = &[
    used("CHARACTER", &["CHAR"]),
    used("HEX", &[]),
    used("DUMP", &[]),
    notice("DBCS", &[]),
    notice("ENVIRONMENT", &["ENV"]),
];

/// BLDINDEX, besides the first four of [`RECORDS`].
pub(crate) const BLDINDEX: &[Keyword] = &[
    used("INFILE", &["IFILE"]),
    used("INDATASET", &["IDS"]),
    used("OUTFILE", &["OFILE"]),
    used("OUTDATASET", &["ODS"]),
    silent("INTERNALSORT", &["ISORT"]),
    silent("EXTERNALSORT", &["ESORT"]),
    silent("SORTCALL", &["SCALL"]),
    silent("NOSORTCALL", &["NOSCALL"]),
    silent("SORTDEVICETYPE", &["SORTDVT", "SDVT"]),
    silent("SORTFILENUMBER", &["SORTFN"]),
    silent("SORTMESSAGEDD", &["SORTMDD"]),
    silent("SORTMESSAGELEVEL", &["SORTML"]),
    silent("WORKFILES", &["WFILE"]),
    silent("CATALOG", &["CAT"]),
];

/// Types of entries, in LISTCAT and DELETE.
pub(crate) const TYPES: &[Keyword] = &[
    used("CLUSTER", &["CL"]),
    used("DATA", &[]),
    used("INDEX", &["IX"]),
    used("ALTERNATEINDEX", &["AIX"]),
    used("PATH", &[]),
    used("NONVSAM", &["NVSAM"]),
    used("GENERATIONDATAGROUP", &["GDG"]),
    used("ALIAS", &[]),
    used("USERCATALOG", &["UCAT"]),
    used("PAGESPACE", &["PGSPC"]),
    used("SPACE", &["SPC"]),
    used("LIBRARYENTRIES", &["LIBENTRIES"]),
    used("VOLUMEENTRIES", &["VOLENTRIES"]),
];

/// LISTCAT, besides [`TYPES`].
pub(crate) const LISTCAT: &[Keyword] = &[
    used("ENTRIES", &["ENT", "ENTRY"]),
    used("LEVEL", &["LVL"]),
    used("ALL", &[]),
    silent("NAME", &[]),
    used("HISTORY", &["HIST"]),
    silent("VOLUME", &["VOL"]),
    used("ALLOCATION", &["ALLOC"]),
    silent("CATALOG", &["CAT"]),
    silent("FILE", &[]),
    notice("OUTFILE", &["OFILE"]),
    used("CREATION", &["CREAT"]),
    used("EXPIRATION", &["EXPIR"]),
];

/// DELETE, besides [`TYPES`].
pub(crate) const DELETE: &[Keyword] = &[
    used("PURGE", &["PRG"]),
    used("NOPURGE", &["NPRG"]),
    silent("ERASE", &["ERAS"]),
    silent("NOERASE", &["NERAS"]),
    silent("FORCE", &["FRC"]),
    silent("NOFORCE", &["NFRC"]),
    silent("SCRATCH", &["SCR"]),
    silent("NOSCRATCH", &["NSCR"]),
    silent("CATALOG", &["CAT"]),
    silent("FILE", &[]),
    used("MASK", &[]),
    used("NOMASK", &[]),
    refused("RECOVERY", &["RCVRY"]),
    silent("NORECOVERY", &["NORCVRY"]),
    refused("TRUENAME", &["TNAME"]),
];

/// VERIFY.
pub(crate) const VERIFY: &[Keyword] = &[
    used("FILE", &[]),
    used("DATASET", &["DS"]),
    silent("RECOVER", &[]),
];

/// ALTER, besides [`SPACE`].
pub(crate) const ALTER: &[Keyword] = &[
    used("NEWNAME", &["NEWNM"]),
    used("UPGRADE", &["UPG"]),
    used("NOUPGRADE", &["NUPG"]),
    used("LOG", &[]),
    used("RECORDSIZE", &["RECSZ"]),
    silent("ADDVOLUMES", &["AVOL"]),
    silent("REMOVEVOLUMES", &["RVOL"]),
    used("INHIBIT", &["INH"]),
    used("UNINHIBIT", &["UNINH"]),
    used("NULLIFY", &["NULL"]),
    used("KEYS", &[]),
    used("REUSE", &["RUS"]),
    used("NOREUSE", &["NRUS"]),
    used("UNIQUEKEY", &["UNQK"]),
    used("NONUNIQUEKEY", &["NUNQK"]),
    used("UPDATE", &["UPD"]),
    used("NOUPDATE", &["NUPD"]),
    silent("LIMIT", &["LIM"]),
    silent("SCRATCH", &["SCR"]),
    silent("NOSCRATCH", &["NSCR"]),
    silent("EMPTY", &["EMP"]),
    silent("NOEMPTY", &["NEMP"]),
    silent("PURGE", &["PRG"]),
    silent("NOPURGE", &["NPRG"]),
    silent("EXTENDED", &["EXT"]),
    silent("FIFO", &[]),
    silent("LIFO", &[]),
    silent("ECSHARING", &["ECSHR"]),
    silent("NOECSHARING", &["NOECSHR"]),
    silent("RECLAIMCA", &[]),
    silent("NORECLAIMCA", &[]),
    silent("RLSQUIESCE", &["RLSQ"]),
    silent("RLSENABLE", &["RLSE"]),
    silent("LOGREPLICATE", &[]),
    silent("NOLOGREPLICATE", &[]),
    notice("BUFND", &["BFND"]),
    notice("BUFNI", &["BFNI"]),
    notice("STRNO", &[]),
    notice("CCSID", &[]),
    notice("LOCK", &[]),
    notice("UNLOCK", &["UNLCK"]),
    notice("FILEDATA", &[]),
    notice("ROLLIN", &["ROL"]),
    refused("TYPE", &[]),
];

/// EXAMINE.
pub(crate) const EXAMINE: &[Keyword] = &[
    used("NAME", &[]),
    used("INDEXTEST", &["ITEST"]),
    used("NOINDEXTEST", &["NOITEST"]),
    used("DATATEST", &["DTEST"]),
    used("NODATATEST", &["NODTEST"]),
    used("ERRORLIMIT", &["ERRLMT", "ELIMIT"]),
];

/// EXPORT.
pub(crate) const EXPORT: &[Keyword] = &[
    used("OUTFILE", &["OFILE"]),
    used("OUTDATASET", &["ODS"]),
    used("PERMANENT", &["PERM"]),
    used("TEMPORARY", &["TEMP"]),
    used("INHIBITSOURCE", &["INHS"]),
    used("NOINHIBITSOURCE", &["NINHS"]),
    used("INHIBITTARGET", &["INHT"]),
    used("NOINHIBITTARGET", &["NINHT"]),
    silent("INFILE", &["IFILE"]),
    silent("CIMODE", &["CIM"]),
    silent("RECORDMODE", &["RECM"]),
    silent("ERASE", &["ERAS"]),
    silent("NOERASE", &["NERAS"]),
    used("PURGE", &["PRG"]),
    used("NOPURGE", &["NPRG"]),
    refused("DISCONNECT", &["DCON"]),
];

/// IMPORT.
pub(crate) const IMPORT: &[Keyword] = &[
    used("INFILE", &["IFILE"]),
    used("INDATASET", &["IDS"]),
    used("OBJECTS", &["OBJ"]),
    used("INTOEMPTY", &["IEMPTY"]),
    silent("OUTFILE", &["OFILE"]),
    silent("OUTDATASET", &["ODS"]),
    silent("CATALOG", &["CAT"]),
    silent("ERASE", &["ERAS"]),
    silent("NOERASE", &["NERAS"]),
    silent("PURGE", &["PRG"]),
    silent("NOPURGE", &["NPRG"]),
    silent("SAVRAC", &[]),
    silent("NOSAVRAC", &[]),
    refused("CONNECT", &["CON"]),
];

/// One entry in OBJECTS of IMPORT.
pub(crate) const OBJECT: &[Keyword] = &[
    used("NEWNAME", &["NEWNM"]),
    silent("FILE", &[]),
    silent("VOLUMES", &["VOL", "VOLUME"]),
    silent("STORAGECLASS", &["STORCLAS"]),
    silent("MANAGEMENTCLASS", &["MGMTCLAS"]),
    silent("DATACLASS", &["DATACLAS"]),
    silent("OWNER", &[]),
];
