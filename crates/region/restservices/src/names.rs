//! Names of services, collections and versions.

use transom_region_api::{RestFailure, RestServiceName};

/// Collection of services that name none.
pub(crate) const DEFAULT_COLLECTION: &str = "SYSIBMSERVICE";
/// Version of the first service that names none.
pub(crate) const FIRST_VERSION: &str = "V1";
/// Longest name of a collection or service, characters.
const NAME_MAX: usize = 128;
/// Longest version.
const VERSION_MAX: usize = 64;

/// What can be a part of a URL and of the name of a package.
pub(crate) fn check(name: &RestServiceName) -> Result<(), RestFailure> {
    part("collectionID", &name.collection, NAME_MAX)?;
    part("serviceName", &name.name, NAME_MAX)?;
    match &name.version {
        Some(version) => part("version", version, VERSION_MAX),
        None => Ok(()),
    }
}

fn part(what: &str, text: &str, most: usize) -> Result<(), RestFailure> {
    let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '#' | '@' | '$');
    if text.is_empty() || text.chars().count() > most || !text.chars().all(good) {
        return Err(RestFailure::Refused(format!(
            "{what} has 1 to {most} letters, digits and characters of _-.#@$"
        )));
    }
    Ok(())
}
