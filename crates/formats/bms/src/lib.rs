//! BMS maps: DFHMSD/DFHMDI/DFHMDF source in, physical maps and symbolic copybooks out; data merged
//! into screens, received fields unpacked.
//!
//! What: [`read`] makes a [`Mapset`] of a source; [`copybook`] writes its symbolic copybook and
//! [`PhysicalMapset`] is what a region loads. [`merge`] and [`unpack`] are SEND MAP and RECEIVE MAP
//! without the terminal, [`PageBuilder`] is SEND MAP ACCUM, [`TextBuilder`] SEND TEXT. Why:
//! applications bring their maps as assembler source, and their programs are compiled against
//! exactly these structures. Not here: files, terminals, code pages (the caller's tables), the 3270
//! protocol beyond one write.
//!
//! ```
//! use transom_bms::{Device, Erase, ExtraSet, PhysicalMapset, SendOptions, copybook, merge, read};
//! use transom_datastream::ScreenSize;
//! let source = "\
//! HELLO   DFHMSD TYPE=&SYSPARM,MODE=INOUT,LANG=COBOL
//! SCREEN  DFHMDI SIZE=(24,80)
//!         DFHMDF POS=(1,1),LENGTH=5,INITIAL='Name:'
//! NAME    DFHMDF POS=(1,7),LENGTH=8,ATTRB=(UNPROT,IC)
//!         DFHMSD TYPE=FINAL
//! ";
//! let found = read("hello.bms", source);
//! assert!(found.problems.is_empty());
//! let text = copybook(&found.mapsets[0]).expect("LANG=COBOL");
//! assert!(text.contains("02  NAMEI  PIC X(8)."));
//!
//! let mapset = PhysicalMapset::from(&found.mapsets[0]);
//! let device = Device { size: ScreenSize::MODEL_2, extras: ExtraSet::default() };
//! let options = SendOptions { erase: Erase::Default, ..SendOptions::default() };
//! let storage = b"\0\0\0Ada\0\0\0\0\0"; // length, attribute, data
//! let write = merge(&mapset.maps[0], Some(storage), &options, &device).expect("fits");
//! assert_eq!(write.rows(&device)[0].trim_end(), " Name: Ada");
//! assert_eq!(write.cursor, Some(7));
//! ```

#![forbid(unsafe_code)]

mod attribute;
mod limits;
mod merge;
mod model;
mod page;
mod physical;
mod problem;
mod read;
mod scan;
mod screen;
mod symbolic;
mod table;
mod text;
mod unpack;
mod value;
mod wire;

pub use attribute::{
    BRIGHT, DARK, DETECTABLE, Extra, ExtraSet, Extras, MODIFIED, NUMERIC, PROTECTED,
    attribute_from_program, attribute_to_program, attribute_to_wire,
};
pub use limits::{
    MAX_CELLS, MAX_COLUMNS, MAX_FIELD_LENGTH, MAX_FIELDS, MAX_MAPS, MAX_PROBLEMS, MAX_ROWS,
    MAX_SOURCE_BYTES,
};
pub use merge::{SizeError, control, merge};
pub use model::{
    Controls, Field, Initial, Language, Map, Mapset, Mode, PrintLine, Spot, Vertical,
    picture_length,
};
pub use page::{PageBuilder, Placement};
pub use physical::{PhysicalField, PhysicalMap, PhysicalMapset};
pub use read::{Source, read};
pub use screen::{Content, Cursor, Device, Erase, Order, ScreenWrite, SendOptions};
pub use symbolic::{FieldArea, PREFIX_BYTES, copybook};
pub use table::macros_page;
pub use text::{Band, Justify, TextBuilder, TextError, TextOptions};
pub use unpack::{FLAG_CURSOR, FLAG_ERASED, Received, UnpackError, UnpackOptions, unpack};
pub use wire::{MAP_FILE_VERSION, MapFileError};
