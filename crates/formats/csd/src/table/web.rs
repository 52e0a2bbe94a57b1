//! Web, services and documents.

use super::{ED, N8, YN, a};
use crate::attribute::{Attribute, Rule, Rule::*};

const STATUS: Attribute = a("STATUS", ED, "ENABLED");
const CIPHERS: Attribute = a("CIPHERS", Path(255), "");
const CERTIFICATE: Attribute = a("CERTIFICATE", Text(56), "");
/// NO, 0 (close at once) or hhmmss.
const SOCKETCLOSE: Rule = NumberOr(0, 240_000, &["NO"]);

pub(super) const TCPIPSERVICE: &[Attribute] = &[
    a("URM", N8, "NONE"),
    a("PORTNUMBER", Number(1, 65_535), ""),
    a("STATUS", OneOf(&["OPEN", "CLOSED"]), "OPEN"),
    a(
        "PROTOCOL",
        OneOf(&["HTTP", "ECI", "IPIC", "USER", "IIOP"]),
        "HTTP",
    ),
    a("TRANSACTION", CaseName(4), ""),
    a("BACKLOG", NumberOr(0, 32_767, &["DEFAULT"]), "DEFAULT"),
    a("TSQPREFIX", Name(6), ""),
    a("HOST", Path(116), "ANY"),
    a("IPADDRESS", Path(39), ""),
    a("SPECIFTCPS", N8, ""),
    a("SOCKETCLOSE", SOCKETCLOSE, "NO"),
    a("MAXPERSIST", NumberOr(0, 65_535, &["NO"]), "NO"),
    a("MAXDATALEN", Number(3, 524_288), "32"),
    a(
        "SSL",
        OneOf(&["YES", "NO", "CLIENTAUTH", "ATTLSAWARE"]),
        "NO",
    ),
    CERTIFICATE,
    a(
        "PRIVACY",
        OneOf(&["NOTSUPPORTED", "REQUIRED", "SUPPORTED"]),
        "",
    ),
    CIPHERS,
    a(
        "AUTHENTICATE",
        OneOf(&[
            "NO",
            "BASIC",
            "CERTIFICATE",
            "AUTOREGISTER",
            "AUTOMATIC",
            "ASSERTED",
        ]),
        "NO",
    ),
    a("REALM", Text(56), ""),
    a("ATTACHSEC", OneOf(&["LOCAL", "VERIFY"]), "LOCAL"),
    a("DNSGROUP", Name(18), ""),
    a("GRPCRITICAL", YN, "NO"),
    a("OPTIONSPGM", N8, ""),
];

pub(super) const URIMAP: &[Attribute] = &[
    STATUS,
    a(
        "USAGE",
        OneOf(&["SERVER", "CLIENT", "PIPELINE", "ATOM", "JVMSERVER"]),
        "SERVER",
    ),
    a("SCHEME", OneOf(&["HTTP", "HTTPS"]), "HTTP"),
    a("PORT", NumberOr(1, 65_535, &["NO"]), "NO"),
    a("HOST", Path(120), "*"),
    a("PATH", Path(255), ""),
    a("MEDIATYPE", Path(56), ""),
    a("CHARACTERSET", Path(40), ""),
    a("HOSTCODEPAGE", Path(10), ""),
    a("TEMPLATENAME", CaseName(48), ""),
    a("HFSFILE", Path(255), ""),
    a("TCPIPSERVICE", N8, ""),
    a("ANALYZER", YN, "NO"),
    a("CONVERTER", N8, ""),
    a("TRANSACTION", CaseName(4), ""),
    a("PROGRAM", N8, ""),
    a("PIPELINE", N8, ""),
    a("WEBSERVICE", CaseName(32), ""),
    a("ATOMSERVICE", N8, ""),
    a("USERID", N8, ""),
    a(
        "REDIRECTTYPE",
        OneOf(&["NONE", "TEMPORARY", "PERMANENT"]),
        "NONE",
    ),
    a("LOCATION", Path(255), ""),
    a("SOCKETCLOSE", SOCKETCLOSE, "0"),
    a("AUTHENTICATE", OneOf(&["NO", "BASIC"]), "NO"),
    CERTIFICATE,
    CIPHERS,
];

pub(super) const PIPELINE: &[Attribute] = &[
    STATUS,
    a("RESPWAIT", NumberOr(0, 9_999, &["DEFT"]), "DEFT"),
    a("CONFIGFILE", Path(255), ""),
    a("SHELF", Path(255), "/var/cicsts/"),
    a("WSDIR", Path(255), ""),
];

pub(super) const WEBSERVICE: &[Attribute] = &[
    a("PIPELINE", N8, ""),
    a("WSBIND", Path(255), ""),
    a("WSDLFILE", Path(255), ""),
    a("ARCHIVEFILE", Path(255), ""),
    a("VALIDATION", YN, "NO"),
];

pub(super) const ATOMSERVICE: &[Attribute] = &[
    STATUS,
    a("CONFIGFILE", Path(255), ""),
    a("RESOURCENAME", CaseName(16), ""),
    a(
        "RESOURCETYPE",
        OneOf(&["FILE", "TSQUEUE", "PROGRAM", "NONE"]),
        "",
    ),
    a("BINDFILE", Path(255), ""),
    a(
        "ATOMTYPE",
        OneOf(&["CATEGORY", "COLLECTION", "FEED", "SERVICE"]),
        "",
    ),
];

pub(super) const DOCTEMPLATE: &[Attribute] = &[
    a("TEMPLATENAME", CaseName(48), ""),
    a("FILE", N8, ""),
    a("TSQUEUE", CaseName(16), ""),
    a("TDQUEUE", Name(4), ""),
    a("PROGRAM", N8, ""),
    a("EXITPGM", N8, ""),
    a("DDNAME", N8, "DFHHTML"),
    a("MEMBERNAME", N8, ""),
    a("HFSFILE", Path(255), ""),
    a("APPENDCRLF", YN, "YES"),
    a("TYPE", OneOf(&["EBCDIC", "BINARY"]), "EBCDIC"),
];
