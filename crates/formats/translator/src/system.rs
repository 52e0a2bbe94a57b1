//! Copybooks that are supplied.
//!
//! What: the texts of `cobol/copy`, used where the user's libraries have no member of the name, and
//! why other members of IBM are not supplied. Not here: members of the user's own that have the
//! name of a supplied one (`transferred`).

pub(crate) const MEMBERS: &[(&str, &str)] = &[
    (
        "CEEIGZCT",
        include_str!("../../../../cobol/copy/CEEIGZCT.cpy"),
    ),
    (
        "DFHA06DS",
        include_str!("../../../../cobol/copy/DFHA06DS.cpy"),
    ),
    (
        "DFHA14DS",
        include_str!("../../../../cobol/copy/DFHA14DS.cpy"),
    ),
    (
        "DFHA17DS",
        include_str!("../../../../cobol/copy/DFHA17DS.cpy"),
    ),
    (
        "DFHD2GDS",
        include_str!("../../../../cobol/copy/DFHD2GDS.cpy"),
    ),
    (
        "DFHD2RDS",
        include_str!("../../../../cobol/copy/DFHD2RDS.cpy"),
    ),
    ("DFHAID", include_str!("../../../../cobol/copy/DFHAID.cpy")),
    (
        "DFHBMSCA",
        include_str!("../../../../cobol/copy/DFHBMSCA.cpy"),
    ),
    (
        "DFHDSGDS",
        include_str!("../../../../cobol/copy/DFHDSGDS.cpy"),
    ),
    (
        "DFHDYPDS",
        include_str!("../../../../cobol/copy/DFHDYPDS.cpy"),
    ),
    (
        "DFHEIBLK",
        include_str!("../../../../cobol/copy/DFHEIBLK.cpy"),
    ),
    (
        "DFHISRDS",
        include_str!("../../../../cobol/copy/DFHISRDS.cpy"),
    ),
    (
        "DFHLDRDS",
        include_str!("../../../../cobol/copy/DFHLDRDS.cpy"),
    ),
    (
        "DFHLGRDS",
        include_str!("../../../../cobol/copy/DFHLGRDS.cpy"),
    ),
    (
        "DFHMNGDS",
        include_str!("../../../../cobol/copy/DFHMNGDS.cpy"),
    ),
    (
        "DFHNQGDS",
        include_str!("../../../../cobol/copy/DFHNQGDS.cpy"),
    ),
    (
        "DFHRMGDS",
        include_str!("../../../../cobol/copy/DFHRMGDS.cpy"),
    ),
    (
        "DFHSMSDS",
        include_str!("../../../../cobol/copy/DFHSMSDS.cpy"),
    ),
    (
        "DFHTQRDS",
        include_str!("../../../../cobol/copy/DFHTQRDS.cpy"),
    ),
    (
        "DFHTSGDS",
        include_str!("../../../../cobol/copy/DFHTSGDS.cpy"),
    ),
    (
        "DFHXMCDS",
        include_str!("../../../../cobol/copy/DFHXMCDS.cpy"),
    ),
    (
        "DFHXMGDS",
        include_str!("../../../../cobol/copy/DFHXMGDS.cpy"),
    ),
    (
        "DFHXMRDS",
        include_str!("../../../../cobol/copy/DFHXMRDS.cpy"),
    ),
    (
        "DFHXMRSO",
        include_str!("../../../../cobol/copy/DFHXMRSO.cpy"),
    ),
    ("SQLCA", include_str!("../../../../cobol/copy/SQLCA.cpy")),
    ("SQLDA", include_str!("../../../../cobol/copy/SQLDA.cpy")),
];

/// Members that IBM documents and that describe something that is not here; the first that a name
/// begins with counts.
const NOT_SUPPLIED: &[(&str, &str)] = &[
    ("DFHMSRCA", "there are no magnetic slot readers"),
    ("DFHXMRS", "what DFHREST is passed is in DFHXMRSO"),
    ("DFHPGAC", "program autoinstall calls no control program"),
    ("DFHTCUD", "terminal autoinstall calls no control program"),
    ("DFHDYP", "what a routing program is passed is in DFHDYPDS"),
    ("DFHSNG", "there is no good night program"),
    ("DFHSNP", "there is no interface program for sign-on"),
    ("DFHPCOM", "there is no program error program DFHPEP"),
    ("DFHNEP", "there is no node error program"),
    ("DFHBR", "there is no bridge"),
    ("DFHWB", "web support has no programs of its own"),
    ("DFHXC", "there is no external CICS interface"),
    ("DFHCPL", "there is no CICSPlex SM"),
    ("EYU", "there is no CICSPlex SM"),
    ("DFH", "what it describes is not there"),
    ("CEEIGZ", "what it describes is not there"),
];

/// Files of supplied copybooks are shown in this folder, which is none of a system directory.
const FOLDER: &str = "supplied/";

/// A supplied copybook: the path it is shown with, and its text.
pub fn system_copybook(name: &str) -> Option<(String, &'static str)> {
    let name = name.to_ascii_uppercase();
    let (name, text) = MEMBERS.iter().find(|(known, _)| *known == name)?;
    Some((format!("{FOLDER}{name}.cpy"), text))
}

/// Whether a copybook of this path is a supplied one.
pub(crate) fn is_system_path(path: &str) -> bool {
    path.starts_with(FOLDER)
}

/// Why a member of IBM is not supplied.
pub(crate) fn not_supplied(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase();
    let known = NOT_SUPPLIED.iter().find(|(key, _)| name.starts_with(key));
    known.map(|(_, why)| *why)
}
