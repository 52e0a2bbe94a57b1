//! What a path names.

use transom_region_api::RestServiceName;

/// Longest path that is looked at, bytes.
const PATH_MAX: usize = 2_048;

/// A resource of this door.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// `/services`
    Services,
    /// `/services/DB2ServiceDiscover`
    Discover,
    /// `/services/DB2ServiceManager`
    Manager,
    /// `/services/COLLECTION/NAME` and `/services/COLLECTION/NAME/VERSION`
    Service(RestServiceName),
}

impl Target {
    /// Reads a path; `None`: there is nothing.
    pub(crate) fn of(path: &str) -> Option<Self> {
        if path.len() > PATH_MAX {
            return None;
        }
        let rest = path.strip_prefix("/services")?;
        let rest = match rest {
            "" | "/" => return Some(Self::Services),
            rest => rest.strip_prefix('/')?,
        };
        let mut parts = Vec::new();
        for part in rest.trim_end_matches('/').split('/') {
            parts.push(decoded(part).filter(|part| !part.is_empty())?);
        }
        let mut parts = parts.into_iter();
        let (first, second, third) = (parts.next()?, parts.next(), parts.next());
        let Some(name) = second else {
            return match first.as_str() {
                "DB2ServiceDiscover" => Some(Self::Discover),
                "DB2ServiceManager" => Some(Self::Manager),
                _ => None,
            };
        };
        if parts.next().is_some() {
            return None;
        }
        Some(Self::Service(RestServiceName {
            collection: first,
            name,
            version: third,
        }))
    }
}

/// The path of a service.
pub(crate) fn path_of(name: &RestServiceName) -> String {
    let mut path = format!(
        "/services/{}/{}",
        encoded(&name.collection),
        encoded(&name.name)
    );
    if let Some(version) = &name.version {
        path += "/";
        path += &encoded(version);
    }
    path
}

/// Without `%41`; `None`: an escape is none, or what it stands for is no text.
fn decoded(part: &str) -> Option<String> {
    if !part.contains('%') {
        return Some(part.to_owned());
    }
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(bytes.next())?, digit(bytes.next())?);
        out.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(out).ok()
}

fn encoded(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    for byte in part.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            byte => out += &format!("%{byte:02X}"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_services() {
        let name = |version: Option<&str>| RestServiceName {
            collection: "SYSIBMSERVICE".to_owned(),
            name: "employee#List".to_owned(),
            version: version.map(str::to_owned),
        };
        for (path, target) in [
            ("/services", Some(Target::Services)),
            ("/services/", Some(Target::Services)),
            ("/services/DB2ServiceDiscover", Some(Target::Discover)),
            ("/services/DB2ServiceManager", Some(Target::Manager)),
            (
                "/services/SYSIBMSERVICE/employee%23List",
                Some(Target::Service(name(None))),
            ),
            (
                "/services/SYSIBMSERVICE/employee%23List/V1",
                Some(Target::Service(name(Some("V1")))),
            ),
            ("/services/other", None),
            ("/services//x", None),
            ("/services/a/b/c/d", None),
            ("/services/a/%f", None),
            ("/services/a/%ff", None),
            ("/servicesX", None),
            ("/", None),
        ] {
            assert_eq!(Target::of(path), target, "{path}");
        }
        let there = path_of(&name(Some("V 1")));
        assert_eq!(there, "/services/SYSIBMSERVICE/employee%23List/V%201");
    }
}
