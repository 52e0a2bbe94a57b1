//! The order of characters of a system directory: what transom.toml asks for, what the store
//! remembers, what programs are compiled for and what keys of data sets hold.
//!
//! Not here: the order itself (formats/copybook), keys in the store (datasets), COBOL (translator).

use super::SystemDirectory;
use super::library::Library;
use super::page;
use super::store;
use std::path::Path;
use transom_copybook::{FieldId, FieldKind, Layout, ParseOptions, Profile};
use transom_datasets::{
    Collating, Datasets, KeyException, KeyHolds, KeyPart, OrderError, PartHolds, ReadOnlyStore,
};
use transom_messages::{Message, si};
use transom_recovery::{UowStore, wait};
use transom_translator::HexLiterals;

/// Items of a record that are looked at for its keys.
const PARTS_MAX: usize = 100_000;

/// What transom.toml asks for.
pub(crate) fn wanted(system: &SystemDirectory) -> Option<Collating> {
    Collating::by_name(system.settings.region.collating)
}

/// The record store and its catalog.
pub(crate) struct OpenStore {
    pub(crate) opened: store::Opened,
    pub(crate) datasets: Datasets,
}

/// Opens the record store and agrees with it on the order of characters.
pub(crate) fn open_store(system: &mut SystemDirectory) -> Result<OpenStore, String> {
    let failed = |why: &dyn std::fmt::Display| {
        let data = &system.settings.data;
        let place = match data.postgresql {
            Some(_) => "[data] postgresql".to_owned(),
            None => data.path(&system.root).display().to_string(),
        };
        si::store_not_opened(&place, why).to_string()
    };
    let opened = store::open(system, false).map_err(|e| failed(&e))?;
    let mut datasets = wait(Datasets::open(opened.store.clone())).map_err(|e| failed(&e))?;
    let collating = settle(system, &mut datasets)?;
    compile_for(system, collating);
    Ok(OpenStore { opened, datasets })
}

/// Agrees with the store; programs are compiled for what came out.
pub(crate) fn settle(
    system: &SystemDirectory,
    datasets: &mut Datasets,
) -> Result<Collating, String> {
    let rules = exceptions(system)?;
    let dir = system.root.display();
    wait(datasets.settle(wanted(system), rules)).map_err(|error| match error {
        OrderError::Store { has, wanted } => {
            si::other_collating(&dir, has.name(), wanted.name()).to_string()
        }
        OrderError::DataSet(name) => si::other_keys(&dir, name).to_string(),
        OrderError::Condition(condition) => si::store_not_opened(&dir, condition).to_string(),
    })
}

/// The order without opening the store for changes: a region may run on it. Where it cannot be
/// seen it is that of a new store; the start will know better.
pub(crate) fn seen(system: &SystemDirectory) -> Collating {
    let of_store = || {
        if system.settings.data.postgresql.is_some() {
            let opened = store::open(system, true).ok()?;
            return wait(Datasets::collating_of(&*opened.store)).ok()?;
        }
        let folder = system.settings.data.path(&system.root);
        let store = ReadOnlyStore::open(Some(folder).filter(|f| has_store(f))?.as_path()).ok()?;
        let store: &dyn UowStore = &store;
        wait(Datasets::collating_of(store)).ok()?
    };
    let wanted = wanted(system);
    wanted.or_else(of_store).unwrap_or(Collating::Ebcdic037)
}

fn has_store(folder: &Path) -> bool {
    folder.join("data.mdb").is_file()
}

/// Translates sources for an order.
pub(crate) fn compile_for(system: &mut SystemDirectory, collating: Collating) {
    let ebcdic = collating == Collating::Ebcdic037;
    system.translation.ebcdic_order = ebcdic;
    if system.settings.cobol.hex_literals == "AUTO" && ebcdic {
        system.translation.hex_literals = HexLiterals::Ebcdic;
    }
}

/// What transom.toml says of the keys of data sets.
pub(crate) fn exceptions(system: &SystemDirectory) -> Result<Vec<KeyException>, Message> {
    let library = Library::open(&system.root, page(system.settings.cobol.source_codepage));
    let one = |known: &transom_settings::DataSet| {
        let holds = match &known.settings.copybook {
            Some(member) => KeyHolds::Record(
                parts_of(&library, member)
                    .map_err(|why| si::keys_not_known(member, &known.name, why))?,
            ),
            None if known.settings.keys == "BINARY" => KeyHolds::Numbers,
            None => KeyHolds::Characters,
        };
        Ok(KeyException {
            name: known.name.clone(),
            holds,
        })
    };
    system.settings.data_sets.iter().map(one).collect()
}

/// What the record of a copybook holds where it is not in order by its bytes.
fn parts_of(library: &Library, member: &str) -> Result<Vec<KeyPart>, String> {
    let (_, text) = library
        .text(member)
        .ok_or_else(|| "there is no such copybook".to_owned())?;
    let (copybook, problems) = transom_copybook::parse(&text, &ParseOptions::default());
    if let Some(problem) = problems.iter().find(|problem| problem.is_error()) {
        return Err(problem.place_first().to_string());
    }
    let layout = Layout::new(&copybook, Profile::Native);
    let layout = layout.map_err(|problem| problem.place_first().to_string())?;
    let mut parts = Vec::new();
    if let Some(root) = layout.roots.first() {
        collect(&layout, *root, 0, &mut parts)?;
    }
    Ok(parts)
}

/// Items in their order, each occurrence; `moved` is what occurrences before the first of their
/// table are moved by. Items that redefine others are passed over: the first description counts.
fn collect(
    layout: &Layout,
    id: FieldId,
    moved: usize,
    parts: &mut Vec<KeyPart>,
) -> Result<(), String> {
    let field = &layout[id];
    let holds = match &field.kind {
        FieldKind::Group => None,
        FieldKind::Alphanumeric { .. }
        | FieldKind::AlphanumericEdited { .. }
        | FieldKind::NumericEdited { .. }
        | FieldKind::Zoned { .. } => Some(PartHolds::Characters),
        FieldKind::Binary { native: true, .. } | FieldKind::Float4 | FieldKind::Float8 => {
            Some(PartHolds::Reversed)
        }
        FieldKind::Index => Some(PartHolds::NoOrder(format!("the INDEX item {}", field.name))),
        // In order by their bytes, which are those of z/OS.
        FieldKind::Packed { .. }
        | FieldKind::Binary { .. }
        | FieldKind::National { .. }
        | FieldKind::NationalEdited { .. }
        | FieldKind::Dbcs { .. }
        | FieldKind::Pointer => return Ok(()),
    };
    for number in 0..field.extent() / field.len.max(1) {
        // No key begins there.
        if parts.len() > PARTS_MAX {
            return Ok(());
        }
        let moved = moved + number * field.len;
        match &holds {
            None => {
                for child in &field.children {
                    if layout[*child].redefines.is_none() {
                        collect(layout, *child, moved, parts)?;
                    }
                }
            }
            Some(holds) => parts.push(KeyPart {
                start: field.offset + moved,
                end: field.offset + moved + field.len,
                holds: holds.clone(),
            }),
        }
    }
    Ok(())
}
