//! Programs, transactions and what they run on.

use super::{ED, N4, N8, YN, a};
use crate::attribute::{Attribute, Rule::*};

const STATUS: Attribute = a("STATUS", ED, "ENABLED");

pub(super) const PROGRAM: &[Attribute] = &[
    a(
        "LANGUAGE",
        OneOf(&["ASSEMBLER", "C", "COBOL", "LE370", "N/A", "PLI", "JAVA"]),
        "",
    ),
    a("RELOAD", YN, "NO"),
    a("RESIDENT", YN, "NO"),
    a("USAGE", OneOf(&["NORMAL", "TRANSIENT"]), "NORMAL"),
    a("USELPACOPY", YN, "NO"),
    STATUS,
    a("RSL", Any, ""),
    a("CEDF", YN, "YES"),
    a("DATALOCATION", OneOf(&["ANY", "BELOW"]), "ANY"),
    a("EXECKEY", OneOf(&["USER", "CICS"]), "USER"),
    a(
        "CONCURRENCY",
        OneOf(&["QUASIRENT", "THREADSAFE", "REQUIRED"]),
        "QUASIRENT",
    ),
    a("API", OneOf(&["CICSAPI", "OPENAPI"]), "CICSAPI"),
    a("DYNAMIC", YN, "NO"),
    a("REMOTESYSTEM", N4, ""),
    a("REMOTENAME", N8, ""),
    a("TRANSID", CaseName(4), ""),
    a("EXECUTIONSET", OneOf(&["FULLAPI", "DPLSUBSET"]), "FULLAPI"),
    a("JVM", YN, "NO"),
    a("JVMCLASS", Path(255), ""),
    a("JVMSERVER", N8, ""),
    a("JVMPROFILE", CaseName(8), ""),
    a("HOTPOOL", YN, ""),
    a("OPERATION", Path(64), ""),
    a("ENTRYPOINT", Path(255), ""),
];

pub(super) const TRANSACTION: &[Attribute] = &[
    a("PROGRAM", N8, ""),
    a("TWASIZE", Number(0, 32_767), "0"),
    a("PROFILE", N8, "DFHCICST"),
    a("PARTITIONSET", Name(8), ""),
    STATUS,
    a("PRIMEDSIZE", Any, ""),
    a("TASKDATALOC", OneOf(&["BELOW", "ANY"]), "BELOW"),
    a("TASKDATAKEY", OneOf(&["USER", "CICS"]), "USER"),
    a("STORAGECLEAR", YN, "NO"),
    a("RUNAWAY", NumberOr(0, 2_700_000, &["SYSTEM"]), "SYSTEM"),
    a("SHUTDOWN", ED, "DISABLED"),
    a("ISOLATE", YN, "YES"),
    a("DYNAMIC", YN, "NO"),
    a("ROUTABLE", YN, "NO"),
    a("ROUTESTATUS", OneOf(&["ENABLED", "DISABLED"]), ""),
    a("REMOTESYSTEM", N4, ""),
    a("REMOTENAME", N8, ""),
    a("TRPROF", N8, ""),
    a("LOCALQ", YN, ""),
    a("PRIORITY", Number(0, 255), "1"),
    a("TRANCLASS", N8, "DFHTCL00"),
    a("TCLASS", NumberOr(1, 10, &["NO"]), ""),
    a("ALIAS", CaseName(4), ""),
    a("TASKREQ", Any, ""),
    a("XTRANID", Any, ""),
    a("TPNAME", Name(64), ""),
    a("XTPNAME", Any, ""),
    a("DTIMOUT", NumberOr(0, 6_800, &["NO"]), "NO"),
    a("RESTART", YN, "NO"),
    a("SPURGE", YN, "NO"),
    a("TPURGE", YN, "NO"),
    a("DUMP", YN, "YES"),
    a("TRACE", YN, "YES"),
    a("CONFDATA", YN, "NO"),
    a("OTSTIMEOUT", NumberOr(0, 240_000, &["NO"]), "NO"),
    a("ACTION", OneOf(&["BACKOUT", "COMMIT"]), "BACKOUT"),
    a("INDOUBT", OneOf(&["BACKOUT", "COMMIT", "WAIT"]), ""),
    a("WAIT", YN, "YES"),
    a("WAITTIME", Any, "0,0,0"),
    a("RESSEC", YN, "NO"),
    a("CMDSEC", YN, "NO"),
    a("EXTSEC", YN, ""),
    a("TRANSEC", Any, ""),
    a("RSL", Any, ""),
    a("BREXIT", N8, ""),
    a("FAILACTION", OneOf(&["BACKOUT", "COMMIT"]), ""),
    a("FACILITYLIKE", N4, ""),
];

pub(super) const TRANCLASS: &[Attribute] = &[
    a("MAXACTIVE", Number(0, 999), "1"),
    a("PURGETHRESH", NumberOr(1, 1_000_000, &["NO"]), "NO"),
    a("PURGEACTION", OneOf(&["ABEND", "DISCARD"]), "ABEND"),
];

pub(super) const MAPSET: &[Attribute] = &[
    a("RESIDENT", YN, "NO"),
    a("USAGE", OneOf(&["NORMAL", "TRANSIENT"]), "NORMAL"),
    a("USELPACOPY", YN, "NO"),
    STATUS,
    a("RSL", Any, ""),
];

pub(super) const PARTITIONSET: &[Attribute] = MAPSET;

pub(super) const BUNDLE: &[Attribute] = &[
    STATUS,
    a("BUNDLEDIR", Path(255), ""),
    a("BASESCOPE", Path(255), ""),
];

pub(super) const LIBRARY: &[Attribute] = &[
    a("RANKING", Number(1, 99), "50"),
    a("CRITICAL", YN, "NO"),
    STATUS,
    a("DSNAME01", Path(255), ""),
    a("DSNAME02", Path(255), ""),
    a("DSNAME03", Path(255), ""),
    a("DSNAME04", Path(255), ""),
    a("DSNAME05", Path(255), ""),
    a("DSNAME06", Path(255), ""),
    a("DSNAME07", Path(255), ""),
    a("DSNAME08", Path(255), ""),
    a("DSNAME09", Path(255), ""),
    a("DSNAME10", Path(255), ""),
    a("DSNAME11", Path(255), ""),
    a("DSNAME12", Path(255), ""),
    a("DSNAME13", Path(255), ""),
    a("DSNAME14", Path(255), ""),
    a("DSNAME15", Path(255), ""),
    a("DSNAME16", Path(255), ""),
];

pub(super) const JVMSERVER: &[Attribute] = &[
    STATUS,
    a("JVMPROFILE", CaseName(8), ""),
    a("LERUNOPTS", N8, "DFHAXRO"),
    a("THREADLIMIT", Number(1, 256), "15"),
];

pub(super) const ENQMODEL: &[Attribute] = &[
    STATUS,
    a("ENQSCOPE", N4, ""),
    a("ENQNAME", CaseName(255), ""),
];

pub(super) const PROCESSTYPE: &[Attribute] = &[
    STATUS,
    a("FILE", N8, ""),
    a("AUDITLOG", N8, ""),
    a(
        "AUDITLEVEL",
        OneOf(&["OFF", "PROCESS", "ACTIVITY", "FULL"]),
        "OFF",
    ),
];

pub(super) const DUMPCODE: &[Attribute] = &[
    a("OPTYPE", OneOf(&["SYSTEM", "TRANSACTION"]), "TRANSACTION"),
    a("SYSDUMP", YN, "NO"),
    a("TRANDUMP", YN, "NO"),
    a("SHUTDOWN", YN, "NO"),
    a("MAXIMUM", NumberOr(0, 998, &["NOLIMIT"]), "NOLIMIT"),
    a("DUMPSCOPE", OneOf(&["LOCAL", "RELATED"]), "LOCAL"),
    a("JOBLIST", Text(255), ""),
    a("DSPLIST", Text(255), ""),
    a("DAEOPTION", YN, ""),
    a("ACTION", OneOf(&["ADD", "REMOVE"]), "ADD"),
];
