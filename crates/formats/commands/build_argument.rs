//! Kinds of arguments, and the values of constants, as Rust expressions.

pub(crate) fn argument_kind(text: &str, at: &str) -> String {
    match text {
        "" => return "ArgKind::None".into(),
        "label" => return "ArgKind::Label".into(),
        "ptr" => return "ArgKind::PtrRef".into(),
        "ptrv" => return "ArgKind::PtrValue".into(),
        "cvda" => return "ArgKind::Cvda".into(),
        ">cvda" => return "ArgKind::CvdaOut".into(),
        _ => {}
    }
    if let Some(length) = text.strip_prefix('n').and_then(|n| n.parse::<u16>().ok()) {
        return format!("ArgKind::Name({length})");
    }
    let (flow, kind) = if let Some(kind) = text.strip_prefix("<>") {
        (Some("InOut"), kind)
    } else if let Some(kind) = text.strip_prefix('>') {
        (Some("Out"), kind)
    } else {
        (None, text)
    };
    let kind = data_kind(kind, at);
    match flow {
        Some(flow) => format!("ArgKind::DataArea {{ kind: {kind}, flow: Flow::{flow} }}"),
        None => format!("ArgKind::DataValue {{ kind: {kind} }}"),
    }
}

/// `none`: what is answered where there is nothing; `low`: binary zeros; else the value.
pub(crate) fn constant_value(argument: &str, value: &str, at: &str) -> String {
    let kind = argument.trim_start_matches(['<', '>']);
    let is_number = kind.starts_with(['h', 'f', 'd', 'p']) && kind != "ptr";
    match (kind, value) {
        (_, "low") => "Constant::Low".into(),
        ("ptr", "none") => "Constant::Null".into(),
        ("cvda", "none") => "Constant::Value(\"NOTAPPLIC\")".into(),
        ("cvda", name) => format!("Constant::Value({name:?})"),
        (_, "none") if is_number => "Constant::Number(0)".into(),
        (_, number) if is_number => {
            let number: i64 = number.parse().unwrap_or_else(|_| panic!("{at}: {number}"));
            format!("Constant::Number({number})")
        }
        (_, "none") => "Constant::Text(\"\")".into(),
        (_, text) => format!("Constant::Text({text:?})"),
    }
}

fn data_kind(text: &str, at: &str) -> String {
    let sized = |prefix: char| {
        text.strip_prefix(prefix)
            .and_then(|n| n.parse::<u16>().ok())
    };
    match text {
        "h" => "DataKind::Halfword".into(),
        "f" => "DataKind::Fullword".into(),
        "d" => "DataKind::Doubleword".into(),
        "b" => "DataKind::Bytes".into(),
        "ptr" => "DataKind::Pointer".into(),
        _ => match (sized('c'), sized('p')) {
            (Some(length), _) => format!("DataKind::Char({length})"),
            (_, Some(length)) => format!("DataKind::Packed({length})"),
            _ => panic!("{at}: unknown argument kind {text:?}"),
        },
    }
}
