//! The statistics records there are. Names of records and fields, and what they count, are those of
//! the public reference of CICS statistics.

use super::layout::{Layout, Means, Repeated, StatisticsField};
use Means::{Before, Count, Now, Peak, Text};

const fn field(name: &'static str, means: Means, title: &'static str) -> StatisticsField {
    StatisticsField { name, means, title }
}

/// All records, in the order in which they are shown.
pub static ALL: [&Layout; 18] = [
    &TRANSACTION_MANAGER,
    &TRANSACTION_CLASS,
    &TRANSACTION,
    &PROGRAM,
    &FILE,
    &TRANSIENT_DATA,
    &MONITORING,
    &DISPATCHER,
    &STORAGE,
    &TEMPORARY_STORAGE,
    &ENQUEUE,
    &TERMINAL,
    &RECOVERY,
    &JOURNAL,
    &DB2_CONNECTION,
    &DB2_ENTRY,
    &CONNECTION,
    &IP_CONNECTION,
];

#[rustfmt::skip]
pub static TRANSACTION_MANAGER: Layout = Layout {
    name: "DFHXMGDS", length: "XMGLEN", title: "transaction manager", option: "TRANSACTION", of_resource: false,
    fields: &[
        field("XMGNUM", Count, "Transactions attached"),
        field("XMGMXT", Now, "MXT"),
        field("XMGCAT", Now, "Active"),
        field("XMGCQT", Now, "Queued for MXT"),
        field("XMGTAMXT", Count, "Times MXT was reached"),
        field("XMGPAT", Peak, "Most active"),
        field("XMGPQT", Peak, "Most queued for MXT"),
        field("XMGTAT", Count, "Transactions that became active"),
        field("XMGTDT", Count, "Transactions MXT delayed, without those queued now"),
        field("XMGTNUM", Before, "Transactions attached before the last reset"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static TRANSACTION_CLASS: Layout = Layout {
    name: "DFHXMCDS", length: "XMCLEN", title: "transaction class", option: "TRANCLASS", of_resource: true,
    fields: &[
        field("XMCTCL", Text(8), "Class"),
        field("XMCTAT", Count, "Attach requests"),
        field("XMCPI", Count, "Purged at once: threshold"),
        field("XMCTQ", Count, "Queued, without those queued now"),
        field("XMCAI", Count, "Accepted at once"),
        field("XMCAAQ", Count, "Accepted after queuing"),
        field("XMCMXT", Now, "MAXACTIVE"),
        field("XMCTH", Now, "PURGETHRESH"),
        field("XMCPAT", Peak, "Most active"),
        field("XMCPQT", Peak, "Most queued"),
        field("XMCTAMA", Count, "Times MAXACTIVE was reached"),
        field("XMCTAPT", Count, "Times PURGETHRESH was reached"),
        field("XMCCAT", Now, "Active"),
        field("XMCCQT", Now, "Queued"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static TRANSACTION: Layout = Layout {
    name: "DFHXMRDS", length: "XMRLEN", title: "transaction", option: "TRANSACTION", of_resource: true,
    fields: &[
        field("XMRTI", Text(4), "Transaction"),
        field("XMRPN", Text(8), "First program"),
        field("XMRTCL", Text(8), "Class"),
        field("XMRPRTY", Now, "Priority"),
        field("XMRAC", Count, "Times attached"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static PROGRAM: Layout = Layout {
    name: "DFHLDRDS", length: "LDRLEN", title: "program", option: "PROGRAM", of_resource: true,
    fields: &[
        field("LDRPNAME", Text(8), "Program"),
        field("LDRTU", Count, "Times used"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static FILE: Layout = Layout {
    name: "DFHA17DS", length: "A17LEN", title: "file", option: "FILE", of_resource: true,
    fields: &[
        field("A17FNAM", Text(8), "File"),
        field("A17DSNAM", Text(44), "Data set"),
        field("A17DSRD", Count, "READ"),
        field("A17DSGU", Count, "READ UPDATE"),
        field("A17DSBR", Count, "READNEXT and READPREV"),
        field("A17DSWRA", Count, "WRITE"),
        field("A17DSWRU", Count, "REWRITE"),
        field("A17DSDEL", Count, "DELETE"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static TRANSIENT_DATA: Layout = Layout {
    name: "DFHTQRDS", length: "TQRLEN", title: "transient data queue", option: "TDQUEUE", of_resource: true,
    fields: &[
        field("TQRQID", Text(4), "Queue"),
        field("TQRWRITE", Count, "WRITEQ TD"),
        field("TQRREAD", Count, "READQ TD"),
        field("TQRDELET", Count, "DELETEQ TD"),
        field("TQRTRIGL", Now, "Trigger level"),
        field("TQRATRAN", Text(4), "Transaction of its trigger"),
        field("TQRTRIGN", Count, "Tasks started by its trigger"),
        field("TQRCNITM", Now, "Records in it"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static MONITORING: Layout = Layout {
    name: "DFHMNGDS", length: "MNGLEN", title: "monitoring", option: "MONITOR", of_resource: false,
    fields: &[
        field("MNGPR", Count, "Performance records"),
        field("MNGSMFE", Count, "Records that could not be written"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static DISPATCHER: Layout = Layout {
    name: "DFHDSGDS", length: "DSGLEN", title: "dispatcher", option: "DISPATCHER", of_resource: false,
    fields: &[
        field("DSGCNT", Now, "Tasks"),
        field("DSGPNT", Peak, "Most tasks"),
        field("DSGPSIZE", Now, "Pools"),
    ],
    repeated: Some(Repeated {
        name: "DSGTCBP", times: 1,
        fields: &[
            field("DSGTCBPN", Text(4), "Pool: OPEN, the worker processes"),
            field("DSGMXTCB", Now, "Most workers: MXT"),
            field("DSGCNUAT", Now, "Workers"),
            field("DSGPNUAT", Peak, "Most workers"),
            field("DSGCNUUS", Now, "Workers with a task"),
            field("DSGPNUUS", Peak, "Most workers with a task"),
        ],
    }),
};

#[rustfmt::skip]
pub static STORAGE: Layout = Layout {
    name: "DFHSMSDS", length: "SMSLEN", title: "storage manager", option: "STORAGE", of_resource: false,
    fields: &[
        field("SMSEDSALIMIT", Now, "EDSALIM, bytes"),
        field("SMSEDSATOTAL", Now, "Shared storage in use, bytes"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static TEMPORARY_STORAGE: Layout = Layout {
    name: "DFHTSGDS", length: "TSGLEN", title: "temporary storage", option: "TSQUEUE", of_resource: false,
    fields: &[
        field("TSGSTA5F", Count, "WRITEQ TS, main storage"),
        field("TSGNMG", Count, "READQ TS, main storage"),
        field("TSGSTA7F", Count, "WRITEQ TS, auxiliary storage"),
        field("TSGNAG", Count, "READQ TS, auxiliary storage"),
        field("TSGSTA3F", Count, "Queues made"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static ENQUEUE: Layout = Layout {
    name: "DFHNQGDS", length: "NQGLEN", title: "enqueue", option: "ENQUEUE", of_resource: false,
    fields: &[
        field("NQGNPOOL", Now, "Pools"),
    ],
    repeated: Some(Repeated {
        name: "NQGBODY", times: 2,
        fields: &[
            field("NQGPOOL", Text(8), "EXECSTRN, ENQ with LENGTH; EXECADDR, without"),
            field("NQGTNQSI", Count, "ENQ"),
            field("NQGTNQSW", Count, "ENQ that waited, without those waiting now"),
            field("NQGCNQSW", Now, "ENQ that wait"),
            field("NQGTIRJB", Count, "ENQBUSY at once"),
            field("NQGTWPOP", Count, "Purged while waiting"),
            field("NQGTWPTO", Count, "DTIMOUT passed while waiting"),
        ],
    }),
};

#[rustfmt::skip]
pub static TERMINAL: Layout = Layout {
    name: "DFHA06DS", length: "A06LEN", title: "terminal", option: "TERMINAL", of_resource: true,
    fields: &[
        field("A06TETI", Text(4), "Terminal"),
        field("A06LUNAM", Text(8), "LU"),
        field("A06LENI", Count, "Records that came"),
        field("A06LENO", Count, "Records sent"),
        field("A06TEOT", Count, "Transactions"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static RECOVERY: Layout = Layout {
    name: "DFHRMGDS", length: "RMGLEN", title: "recovery manager", option: "RECOVERY", of_resource: false,
    fields: &[
        field("RMGSYFWD", Count, "Units of work with changes, committed"),
        field("RMGSYBWD", Count, "Units of work with changes, backed out"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static JOURNAL: Layout = Layout {
    name: "DFHLGRDS", length: "LGRLEN", title: "journal", option: "JOURNALNAME", of_resource: true,
    fields: &[
        field("LGRJNLNAME", Text(8), "Journal"),
        field("LGRSTREAM", Text(26), "File it is written to, without .jnl; blank: none"),
        field("LGRWRITES", Count, "Records written to that file"),
        field("LGRBUFLSH", Count, "Times that file was flushed"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static DB2_CONNECTION: Layout = Layout {
    name: "DFHD2GDS", length: "D2G-LENGTH", title: "connection to Db2", option: "DB2CONN", of_resource: false,
    fields: &[
        field("D2G-TCB-LIMIT", Now, "TCBLIMIT"),
        field("D2G-TCB-CURRENT", Now, "Units of work that use SQL, pool and entries together"),
        field("D2G-TCB-HWM", Now, "Most of them since the start of the region"),
        field("D2G-TCB-READYQ-CURRENT", Now, "Tasks that wait for a thread"),
        field("D2G-POOL-THREAD-LIMIT", Now, "THREADLIMIT of the pool"),
        field("D2G-DB2CONN-NAME", Text(8), "DB2CONN"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static DB2_ENTRY: Layout = Layout {
    name: "DFHD2RDS", length: "D2RLEN", title: "entry of Db2", option: "DB2ENTRY", of_resource: true,
    fields: &[
        field("D2R-DB2ENTRY-NAME", Text(8), "DB2ENTRY"),
        field("D2R-PLAN-NAME", Text(8), "PLAN"),
        field("D2R-PLANEXIT-NAME", Text(8), "PLANEXITNAME"),
        field("D2R-AUTHID", Text(8), "AUTHID"),
        field("D2R-THREAD-WAIT-OR-OVERFL", Count, "Tasks that waited, or had a thread of the pool instead"),
        field("D2R-THREAD-LIMIT", Now, "THREADLIMIT"),
        field("D2R-THREAD-CURRENT", Now, "Units of work that use SQL by its threads"),
        field("D2R-THREAD-HWM", Now, "Most of them since the start of the region"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static CONNECTION: Layout = Layout {
    name: "DFHA14DS", length: "A14LEN", title: "connection to another region", option: "CONNECTION", of_resource: true,
    fields: &[
        field("A14CNTN", Text(4), "Connection"),
        field("A14ESID", Text(8), "APPLID of the other region"),
        field("A14ESTAS", Count, "Sessions wanted"),
        field("A14ESTAQ", Now, "Tasks that wait for a session"),
        field("A14ESTAF", Count, "Not got: released, out of service, not reached"),
        field("A14ESTAO", Count, "Not got: all are in use"),
    ],
    repeated: None,
};

#[rustfmt::skip]
pub static IP_CONNECTION: Layout = Layout {
    name: "DFHISRDS", length: "ISRDS-LEN", title: "connection over TCP/IP", option: "IPCONN", of_resource: true,
    fields: &[
        field("ISR-IPCONN-NAME", Text(8), "IPCONN"),
        field("ISR-APPLID", Text(8), "APPLID of the other region"),
        field("ISR-NETWORK-ID", Text(8), "NETWORKID"),
        field("ISR-HOST-NAME", Text(116), "HOST"),
        field("ISR-PORT-NUMBER", Now, "PORT; 0: NO"),
        field("ISR-TCPIP-SERVICE", Text(8), "TCPIPSERVICE"),
        field("ISR-SEND-SESSIONS", Now, "SENDCOUNT"),
        field("ISR-CURRENT-SEND-SESSIONS", Now, "Send sessions in use"),
        field("ISR-RECEIVE-SESSIONS", Now, "RECEIVECOUNT"),
        field("ISR-TOTAL-ALLOCATES", Count, "Sessions wanted"),
        field("ISR-CURRENT-QUEUED-ALLOCATES", Now, "Tasks that wait for a session"),
        field("ISR-ALLOCATES-FAILED-LINK", Count, "Not got: released, out of service, not reached"),
        field("ISR-ALLOCATES-FAILED-OTHER", Count, "Not got: all are in use"),
    ],
    repeated: None,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Counted, Value};

    #[test]
    fn the_copybooks_that_are_supplied_are_those_of_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../cobol/copy");
        for layout in ALL {
            let path = format!("{folder}/{}.cpy", layout.name);
            let kept = std::fs::read_to_string(&path).unwrap_or_default();
            assert_eq!(kept, layout.copybook(), "{path}");
        }
    }

    #[test]
    fn a_program_sees_length_names_and_binary_numbers() {
        let values = vec![
            Value::Text(b"PAY1".to_vec()),
            Value::Text(b"PAYPROG".to_vec()),
            Value::Text(Vec::new()),
            Value::Number(7),
            Value::Number(u64::MAX),
        ];
        let bytes = Counted::new(&TRANSACTION, values).bytes();
        assert_eq!(bytes[..2], [0, 30]);
        assert_eq!(&bytes[2..22], b"PAY1PAYPROG         ");
        assert_eq!(bytes[22..], [0, 0, 0, 7, 0x7F, 0xFF, 0xFF, 0xFF]);
    }

    #[test]
    fn a_record_before_counts_the_first_count() {
        for layout in ALL {
            let is = |means| layout.all().position(|f| f.means == means);
            assert!(is(Means::Before).is_none() || is(Means::Count).is_some());
            assert_eq!(
                layout.of_resource,
                matches!(layout.fields[0].means, Means::Text(_)),
                "{}",
                layout.name
            );
        }
    }
}
