//! Copybooks that belong to the system and win over members of the same name.
//!
//! Why: an application's own copy of DFHAID may hold EBCDIC bytes or be damaged by a transfer.
//! The texts lie in `cobol/copy`, for reading; this is the table of them.

const MEMBERS: &[(&str, &str)] = &[
    (
        "CEEIGZCT",
        include_str!("../../../../cobol/copy/CEEIGZCT.cpy"),
    ),
    ("DFHAID", include_str!("../../../../cobol/copy/DFHAID.cpy")),
    (
        "DFHBMSCA",
        include_str!("../../../../cobol/copy/DFHBMSCA.cpy"),
    ),
    (
        "DFHEIBLK",
        include_str!("../../../../cobol/copy/DFHEIBLK.cpy"),
    ),
    ("SQLCA", include_str!("../../../../cobol/copy/SQLCA.cpy")),
];

/// A copybook of the system: the path it is shown with, and its text.
pub fn system_copybook(name: &str) -> Option<(String, &'static str)> {
    let name = name.to_ascii_uppercase();
    let (name, text) = MEMBERS.iter().find(|(known, _)| *known == name)?;
    Some((format!("cobol/copy/{name}.cpy"), text))
}

/// Whether a copybook of this path is one of the system.
pub(crate) fn is_system_path(path: &str) -> bool {
    let member = path.strip_prefix("cobol/copy/");
    let name = member.and_then(|member| member.strip_suffix(".cpy"));
    name.is_some_and(|name| MEMBERS.iter().any(|(known, _)| *known == name))
}
