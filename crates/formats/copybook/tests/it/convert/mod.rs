//! Conversion between records and JSON.

mod bad_input;
mod fixtures;
mod loose_types;
mod lossless;
mod numbers;
mod properties;
mod r1;
mod round_trip;
mod tables;
mod texts;

use transom_copybook::convert::{ConvertError, Decoder, Encoder};
use transom_copybook::shape::{
    CharVarying, Characters, LayoutOptions, Properties, RecordFormat, Redefinition, Shape,
};
use transom_copybook::{Layout, ParseOptions, Profile, parse};

/// The shape of a copybook with lower case names, `_` for `-`.
pub(crate) fn shape_of(source: &str, profile: Profile, redefines: Redefinition) -> Shape {
    let (copybook, problems) = parse(source, &ParseOptions::default());
    let errors: Vec<_> = problems.iter().filter(|p| p.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let layout = Layout::new(&copybook, profile).expect("layout");
    let names: Vec<String> = layout
        .fields
        .iter()
        .map(|f| f.name.to_lowercase().replace('-', "_"))
        .collect();
    let options = LayoutOptions {
        names: &names,
        include: &|_| true,
        redefines: &|_| redefines.clone(),
        wrap_simple_arrays: true,
        characters: Characters::Text(CharVarying::Collapse),
        values: false,
    };
    let record = layout
        .roots
        .first()
        .copied()
        .filter(|id| layout[*id].level == 1);
    Shape::from_layout(&layout, record, &options).expect("shape")
}

pub(crate) fn decode(
    shape: &Shape,
    properties: &Properties,
    format: &RecordFormat,
    record: &[u8],
) -> String {
    try_decode(shape, properties, format, record).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn try_decode(
    shape: &Shape,
    properties: &Properties,
    format: &RecordFormat,
    record: &[u8],
) -> Result<String, ConvertError> {
    let decoder = Decoder::compile(shape, properties, format).expect("compiles");
    let mut out = Vec::new();
    decoder.decode(record, &mut out)?;
    Ok(String::from_utf8(out).expect("UTF-8"))
}

pub(crate) fn encode(
    shape: &Shape,
    properties: &Properties,
    format: &RecordFormat,
    json: &str,
) -> Vec<u8> {
    try_encode(shape, properties, format, json.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn try_encode(
    shape: &Shape,
    properties: &Properties,
    format: &RecordFormat,
    json: &[u8],
) -> Result<Vec<u8>, ConvertError> {
    let encoder = Encoder::compile(shape, properties, format).expect("compiles");
    let mut out = Vec::new();
    encoder.encode(json, &[], &mut out)?;
    Ok(out)
}
