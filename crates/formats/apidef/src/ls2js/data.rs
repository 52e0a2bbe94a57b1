//! Copybooks as BAQLS2JS sees them: what it supports at which mapping level, and the shape that
//! comes out.

use crate::ls2js::parameters::{CharVaryingOption, Level, Parameters, ProgramInterface};
use crate::problem::Result;
use crate::sar::{Carrier, ContainerPlace, ServiceData};
use transom_copybook::layout::{FieldId, FieldKind};
use transom_copybook::naming::names;
use transom_copybook::shape::{
    Array, CharVarying, Characters, Count, Kind, LayoutOptions, Node, Redefinition, Shape, Text,
};
use transom_copybook::{Layout, NameStyle, ParseOptions, Profile, parse};
use transom_messages as messages;
use transom_messages::Problem;

/// Most decimal digits of a JSON integer in z/OS Connect (plus or minus 2 to the power of 63).
const INTEGER_DIGITS_MAX: u16 = 18;

/// Shape and carrier of one direction. Without a copybook the document has only its empty wrapper.
pub(super) fn build(
    parameters: &Parameters,
    copybook: Option<&str>,
    member: &str,
    wrapper: &str,
    profile: Profile,
) -> Result<ServiceData> {
    let shape = match copybook {
        None => Shape::new(Vec::new()),
        Some(text) => shape_of(parameters, text, member, profile)?,
    };
    let len = shape.max_len;
    let Kind::Object(members) = shape.root.kind else {
        return Err(Problem::new(
            messages::ad::copybook("the copybook describes no record"),
            member,
        ));
    };
    let carrier = match &parameters.interface {
        ProgramInterface::Commarea => Carrier::Commarea,
        ProgramInterface::Channel(name) => Carrier::Channel {
            name: String::new(),
            containers: vec![ContainerPlace {
                name: *name,
                offset: 0,
                bytes: len,
                character: false,
                required: true,
            }],
        },
    };
    Ok(ServiceData {
        shape: Shape::new(vec![Node::object(wrapper, 0, members)]).with_len(len),
        carrier,
    })
}

fn shape_of(parameters: &Parameters, text: &str, member: &str, profile: Profile) -> Result<Shape> {
    let told = |p: &Problem| {
        Problem::new(messages::ad::copybook(&p.message), p.place.clone()).in_file(member)
    };
    let (copybook, problems) = parse(text, &ParseOptions::default());
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        return Err(told(problem));
    }
    let layout = Layout::new(&copybook, profile).map_err(|p| told(&p))?;
    supported(parameters, &layout, member)?;
    let record = match layout.roots.as_slice() {
        [one] if layout[*one].level == 1 => Some(*one),
        _ => None,
    };
    let names = names(&layout, NameStyle::Ls2js);
    let options = LayoutOptions {
        names: &names,
        include: &|_| true,
        redefines: &|_| Redefinition::First,
        wrap_simple_arrays: parameters.level < Level::SIMPLE_ARRAYS,
        characters: match parameters.char_varying {
            CharVaryingOption::Text(varying) => Characters::Text(varying),
            CharVaryingOption::Binary => Characters::Binary,
        },
        values: false,
    };
    let mut shape = Shape::from_layout(&layout, record, &options).map_err(|p| told(&p))?;
    polish(&mut shape.root, parameters);
    Ok(shape)
}

/// JUSTIFIED is ignored by the utility; tables of single characters become texts when asked for.
fn polish(node: &mut Node, parameters: &Parameters) {
    let string = match &node.kind {
        Kind::Array(array) if parameters.char_occurs_string && is_character(array) => {
            Some(array.max)
        }
        _ => None,
    };
    if let Some(len) = string {
        let varying = match parameters.char_varying {
            CharVaryingOption::Text(varying) => varying,
            CharVaryingOption::Binary => CharVarying::No,
        };
        node.kind = Kind::Text(Text {
            varying,
            ..Text::new(len)
        });
    }
    match &mut node.kind {
        Kind::Text(text) => text.justified = false,
        Kind::Object(members) => members.iter_mut().for_each(|m| polish(m, parameters)),
        Kind::Array(array) => polish(&mut array.element, parameters),
        _ => {}
    }
}

/// A table of PIC X items of one character each, always full.
fn is_character(array: &Array) -> bool {
    let item = match &array.element.kind {
        Kind::Object(members) if members.len() == 1 => &members[0].kind,
        kind => kind,
    };
    array.stride == 1 && matches!(item, Kind::Text(_)) && matches!(array.count, Count::Fixed)
}

fn supported(parameters: &Parameters, layout: &Layout, member: &str) -> Result<()> {
    for id in layout.ids() {
        if let Some(why) = unsupported(parameters, layout, id) {
            let field = &layout[id];
            let name = if field.is_filler() {
                "FILLER"
            } else {
                &field.name
            };
            return Err(Problem::new(
                messages::ad::copybook(format_args!("{name}: {why}")),
                member,
            )
            .at(field.line, 1));
        }
    }
    if let Some(renames) = layout.renames.first() {
        return Err(Problem::new(
            messages::ad::copybook(format_args!(
                "{}: level 66 is not supported by BAQLS2JS",
                renames.name
            )),
            member,
        ));
    }
    Ok(())
}

fn unsupported(parameters: &Parameters, layout: &Layout, id: FieldId) -> Option<String> {
    let field = &layout[id];
    let level = parameters.level;
    let needs = |what: &str, needed: Level| {
        (level < needed).then(|| format!("{what} needs MAPPING-LEVEL={needed} or higher"))
    };
    if field.redefines.is_some() {
        return Some(
            "REDEFINES is not supported by BAQLS2JS; make a service archive to choose an arm"
                .to_owned(),
        );
    }
    if field.level == 77 {
        return Some("level 77 is not supported by BAQLS2JS".to_owned());
    }
    if let Some(occurs) = &field.occurs
        && occurs.is_variable()
    {
        if let Some(why) = needs("OCCURS DEPENDING ON", Level::VARIABLE_TABLES) {
            return Some(why);
        }
        if !parameters.data_truncation {
            return Some("OCCURS DEPENDING ON needs DATA-TRUNCATION=ENABLED".to_owned());
        }
        if field.offset + field.extent() < layout.max_bytes {
            return Some("only the last item may have OCCURS DEPENDING ON".to_owned());
        }
    }
    match &field.kind {
        FieldKind::Float4 | FieldKind::Float8 => {
            needs("COMP-1 and COMP-2", Level::SIGNS_AND_FLOATS)
        }
        FieldKind::Zoned {
            signed: true, sign, ..
        } if sign.is_leading() || sign.is_separate() => {
            needs("SIGN LEADING and SEPARATE", Level::SIGNS_AND_FLOATS)
        }
        FieldKind::Zoned { digits, scale, .. }
        | FieldKind::Packed { digits, scale, .. }
        | FieldKind::Binary { digits, scale, .. }
            if *scale <= 0 && *digits > INTEGER_DIGITS_MAX =>
        {
            Some(format!(
                "whole numbers have at most {INTEGER_DIGITS_MAX} digits"
            ))
        }
        FieldKind::NumericEdited { mask, .. } if mask.chars().any(|c| !matches!(c, '9' | 'Z')) => {
            Some("of edited numbers only 9 and Z are supported by BAQLS2JS".to_owned())
        }
        FieldKind::Pointer | FieldKind::Index => {
            Some("addresses and indexes are not supported by BAQLS2JS".to_owned())
        }
        _ => None,
    }
}
