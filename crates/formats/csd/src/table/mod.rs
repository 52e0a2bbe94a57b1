//! The kinds and their attributes, one row each.
//!
//! Source: the public CICS TS resource definition reference. Not here: how values are read
//! (`value.rs`), what a region does with them.

mod connect;
mod core;
mod data;
mod web;

use crate::attribute::{Attribute, ResourceKind, Rule};

/// One kind.
pub(crate) struct Row {
    pub(crate) kind: ResourceKind,
    pub(crate) keyword: &'static str,
    pub(crate) name_length: usize,
    pub(crate) attributes: &'static [Attribute],
}

/// An attribute with its rule and default.
const fn a(keyword: &'static str, rule: Rule, default: &'static str) -> Attribute {
    Attribute {
        keyword,
        rule,
        default,
    }
}

/// YES or NO.
const YN: Rule = Rule::OneOf(&["YES", "NO"]);
/// ENABLED or DISABLED.
const ED: Rule = Rule::OneOf(&["ENABLED", "DISABLED"]);
/// A name of eight characters.
const N8: Rule = Rule::Name(8);
/// A name of four characters.
const N4: Rule = Rule::Name(4);

pub(crate) const COMMON: &[Attribute] = &[
    a("DESCRIPTION", Rule::Text(58), ""),
    a("USERDATA1", Rule::Text(8), ""),
    a("USERDATA2", Rule::Text(8), ""),
    a("USERDATA3", Rule::Text(8), ""),
    a("DEFINETIME", Rule::Text(24), ""),
    a("CHANGETIME", Rule::Text(24), ""),
    a("CHANGEUSRID", N8, ""),
    a("CHANGEAGENT", Rule::Any, ""),
    a("CHANGEAGREL", Rule::Any, ""),
];

const fn row(
    kind: ResourceKind,
    keyword: &'static str,
    name_length: usize,
    attributes: &'static [Attribute],
) -> Row {
    Row {
        kind,
        keyword,
        name_length,
        attributes,
    }
}

/// In name order.
pub(crate) const KINDS: &[Row] = &[
    row(
        ResourceKind::AtomService,
        "ATOMSERVICE",
        8,
        web::ATOMSERVICE,
    ),
    row(ResourceKind::Bundle, "BUNDLE", 8, core::BUNDLE),
    row(
        ResourceKind::Connection,
        "CONNECTION",
        4,
        connect::CONNECTION,
    ),
    row(ResourceKind::Db2Conn, "DB2CONN", 8, data::DB2CONN),
    row(ResourceKind::Db2Entry, "DB2ENTRY", 8, data::DB2ENTRY),
    row(ResourceKind::Db2Tran, "DB2TRAN", 8, data::DB2TRAN),
    row(
        ResourceKind::DocTemplate,
        "DOCTEMPLATE",
        8,
        web::DOCTEMPLATE,
    ),
    row(ResourceKind::DumpCode, "DUMPCODE", 8, core::DUMPCODE),
    row(ResourceKind::EnqModel, "ENQMODEL", 8, core::ENQMODEL),
    row(ResourceKind::File, "FILE", 8, data::FILE),
    row(ResourceKind::IpConn, "IPCONN", 8, connect::IPCONN),
    row(
        ResourceKind::JournalModel,
        "JOURNALMODEL",
        8,
        data::JOURNALMODEL,
    ),
    row(ResourceKind::JvmServer, "JVMSERVER", 8, core::JVMSERVER),
    row(ResourceKind::Library, "LIBRARY", 8, core::LIBRARY),
    row(ResourceKind::LsrPool, "LSRPOOL", 8, data::LSRPOOL),
    row(ResourceKind::MapSet, "MAPSET", 8, core::MAPSET),
    row(ResourceKind::MqConn, "MQCONN", 8, data::MQCONN),
    row(ResourceKind::MqMonitor, "MQMONITOR", 8, data::MQMONITOR),
    row(
        ResourceKind::PartitionSet,
        "PARTITIONSET",
        8,
        core::PARTITIONSET,
    ),
    row(ResourceKind::Partner, "PARTNER", 8, connect::PARTNER),
    row(ResourceKind::Pipeline, "PIPELINE", 8, web::PIPELINE),
    row(
        ResourceKind::ProcessType,
        "PROCESSTYPE",
        8,
        core::PROCESSTYPE,
    ),
    row(ResourceKind::Profile, "PROFILE", 8, connect::PROFILE),
    row(ResourceKind::Program, "PROGRAM", 8, core::PROGRAM),
    row(ResourceKind::Sessions, "SESSIONS", 8, connect::SESSIONS),
    row(
        ResourceKind::TcpipService,
        "TCPIPSERVICE",
        8,
        web::TCPIPSERVICE,
    ),
    row(ResourceKind::TdQueue, "TDQUEUE", 4, data::TDQUEUE),
    row(ResourceKind::Terminal, "TERMINAL", 4, connect::TERMINAL),
    row(ResourceKind::TranClass, "TRANCLASS", 8, core::TRANCLASS),
    row(
        ResourceKind::Transaction,
        "TRANSACTION",
        4,
        core::TRANSACTION,
    ),
    row(ResourceKind::TsModel, "TSMODEL", 8, data::TSMODEL),
    row(ResourceKind::TypeTerm, "TYPETERM", 8, connect::TYPETERM),
    row(ResourceKind::UriMap, "URIMAP", 8, web::URIMAP),
    row(ResourceKind::WebService, "WEBSERVICE", 32, web::WEBSERVICE),
];

/// The row of a kind. Every kind has one (a test compares them), so the fallback never answers.
pub(crate) fn row_of(kind: ResourceKind) -> &'static Row {
    KINDS
        .iter()
        .find(|row| row.kind == kind)
        .unwrap_or(&KINDS[0])
}
