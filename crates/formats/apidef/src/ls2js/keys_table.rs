//! Names of the BAQLS2JS parameters.

/// Every parameter of the utility.
pub(crate) const KEYS: &[&str] = &[
    "LANG",
    "PDSLIB",
    "REQMEM",
    "RESPMEM",
    "PGMNAME",
    "PGMINT",
    "CONTID",
    "URI",
    "TRANSACTION",
    "USERID",
    "MAPPING-LEVEL",
    "MAPPING-OVERRIDES",
    "MINIMUM-RUNTIME-LEVEL",
    "CHAR-VARYING",
    "CHAR-OCCURS",
    "CCSID",
    "PDSCP",
    "STRUCTURE",
    "DATA-TRUNCATION",
    "DATETIME",
    "DATA-SCREENING",
    "TRUNCATE-NULL-ARRAYS",
    "TRUNCATE-NULL-ARRAY-VALUES",
    "WIDE-COMP3",
    "LOGFILE",
    "WSBIND",
    "JSON-SCHEMA-REQUEST",
    "JSON-SCHEMA-RESPONSE",
    "SERVICE-ARCHIVE",
    "SERVICE-NAME",
];

/// Parameters that are accepted and change nothing here.
pub(crate) const WITHOUT_EFFECT: &[&str] = &[
    "USERID",
    "MAPPING-OVERRIDES",
    "MINIMUM-RUNTIME-LEVEL",
    "PDSCP",
    "STRUCTURE",
    "DATETIME",
    "WIDE-COMP3",
];
