//! What the catalog must agree to when a file is opened.
//!
//! Not here: opening (`vsam`).

use super::places::{Place, Places, VsamFile};
use crate::answers::{Failed, Status};
use crate::questions::{Described, FileOrganization};
use transom_datasets::{Dataset, Entry, Load, Organization};

/// Characters of a DD name.
const DD_NAME: usize = 8;

/// No load has ended, and nothing else is known.
pub(super) fn never_loaded(from: &VsamFile, base: &Dataset) -> bool {
    match from.datasets.entry(&base.cluster().name) {
        Some(Entry::Cluster(cluster)) => matches!(cluster.extra.load, Load::Never | Load::Filling),
        _ => false,
    }
}

/// Whether SELECT and FD say of a data set what the catalog says; the error is status 39.
pub(super) fn agrees(base: &Dataset, file: &Described) -> Result<(), Failed> {
    let wrong = |why: String| Err(Failed(Status::ATTRIBUTES, why));
    let cluster = base.cluster();
    let organization = match file.organization {
        _ if base.through().is_some() => None,
        FileOrganization::Indexed => Some("INDEXED"),
        FileOrganization::Relative => Some("NUMBERED"),
        FileOrganization::Sequential => Some("NONINDEXED"),
        FileOrganization::LineSequential => None,
    };
    let is = match cluster.organization {
        Organization::Ksds { .. } => "INDEXED",
        Organization::Esds => "NONINDEXED",
        Organization::Rrds => "NUMBERED",
    };
    if organization != Some(is) {
        return wrong(format!(
            "the data set is {is}, which ORGANIZATION does not say"
        ));
    }
    let (max, most) = (cluster.max, file.record_max as usize);
    if max != most {
        return wrong(format!(
            "its records have up to {max} bytes, the FD says {most}"
        ));
    }
    let Organization::Ksds {
        key_offset,
        key_length,
    } = cluster.organization
    else {
        return Ok(());
    };
    let key = file.keys.first();
    let said = key.map(|key| (key.offset as usize, key.length as usize));
    match said == Some((key_offset, key_length)) {
        true => Ok(()),
        false => wrong(format!(
            "its key has {key_length} bytes from byte {key_offset}, which RECORD KEY has not"
        )),
    }
}

/// The paths of ALTERNATE RECORD KEYs: DD names with a number behind them.
pub(super) fn alternates(
    places: &mut dyn Places,
    file: &Described,
) -> Result<Vec<Dataset>, Failed> {
    let mut found = Vec::new();
    for (n, key) in file.keys.iter().enumerate().skip(1) {
        let number = n.to_string();
        let kept = file.dd.get(..DD_NAME - number.len()).unwrap_or(&file.dd);
        let dd = format!("{kept}{number}");
        let place = places.place(&dd);
        let place = place.map_err(|why| Failed(Status::NOT_AVAILABLE, why.to_string()))?;
        let Some(Place::Vsam(path)) = place else {
            let why = format!("there is no DD statement {dd} for the path of alternate key {n}");
            return Err(Failed(Status::NO_DD, why));
        };
        let dataset = path.datasets.dataset(&path.name)?;
        let index = dataset.through();
        // Whether keys may be alike says the catalog; a program without DUPLICATES is taken.
        let is = index.map(|index| (index.key_offset, index.key_length));
        let said = (key.offset as usize, key.length as usize);
        if is != Some(said) {
            let why = format!("{dd} is no path of alternate key {n} as the program describes it");
            return Err(Failed(Status::ATTRIBUTES, why));
        }
        found.push(dataset);
    }
    Ok(found)
}
