//! Interface and service files as the API toolkit writes them.

use crate::sar::interface::{Container, Field, Interface};
use crate::sar::manifest::Property;
use crate::xml::escape;
use std::fmt::Write;
use transom_copybook::shape::Literal;

/// Spaces per level.
const INDENT: usize = 4;

/// The text of a `.si` file.
pub(crate) fn interface(interface: &Interface) -> String {
    let kind = if interface.channel {
        "CICS_CHANNEL"
    } else {
        "CICS_COMM_AREA"
    };
    let name = escape(&interface.name);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n\
         <ns2:message xmlns:ns2=\"http://www.ibm.com/ims/Transaction\" transactionCode=\"\" messageName=\"{name}\" direction=\"0\" serviceType=\"{kind}\">\n    \
         <message id=\"1\" name=\"{name}\">\n"
    );
    for (i, container) in interface.containers.iter().enumerate() {
        segment(&mut out, i + 1, container, interface.channel);
    }
    out.push_str("    </message>\n</ns2:message>\n");
    out
}

fn segment(out: &mut String, id: usize, container: &Container, channel: bool) {
    let name = escape(&container.name);
    let json_name = escape(&container.json_name);
    line(
        out,
        2,
        &format!(
            "<segment id=\"{id}\" name=\"{json_name}\" originalName=\"{name}\"{}>",
            if channel {
                format!(
                    " containerType=\"{}\" required=\"{}\"",
                    if container.character { "CHAR" } else { "BIT" },
                    yes(container.required)
                )
            } else {
                String::new()
            }
        ),
    );
    if let Some(bytes) = container.bytes {
        line(out, 3, &format!("<bytes>{bytes}</bytes>"));
    }
    let mut counters = Vec::new();
    container
        .fields
        .iter()
        .for_each(|f| depended_on(f, &mut counters));
    for item in &container.fields {
        field(out, 3, item, "", &counters);
    }
    line(out, 2, "</segment>");
}

/// Paths of all counters.
fn depended_on<'a>(f: &'a Field, counters: &mut Vec<&'a str>) {
    counters.extend(f.depends_on.as_deref());
    f.children.iter().for_each(|c| depended_on(c, counters));
}

fn field(out: &mut String, depth: usize, f: &Field, path: &str, counters: &[&str]) {
    let path = if path.is_empty() {
        f.name.clone()
    } else {
        format!("{path}.{}", f.name)
    };
    let mut start = format!(
        "<field name=\"{}\" originalName=\"{}\" included=\"{}\"",
        escape(&f.name),
        escape(&f.original),
        yes(f.included)
    );
    let elementary = f.children.is_empty();
    if elementary {
        start.push_str(&default_attributes(f));
    }
    let _ = write!(start, " path=\"{}\"", escape(&path));
    if elementary && f.datatype == "CHAR" || f.converter.as_deref() == Some("ZONEDDECIMAL") {
        let _ = write!(start, " codepageConversion=\"{}\"", yes(f.converted));
    }
    if counters.contains(&path.as_str()) {
        start.push_str(" dependedOn=\"true\"");
    }
    if let Some(base) = &f.redefines {
        let _ = write!(start, " redefines=\"{}\"", escape(base));
    }
    if let Some(counter) = &f.depends_on {
        let last = counter.rsplit('.').next().unwrap_or(counter);
        let _ = write!(
            start,
            " dependsOn=\"{}\" dependsOnPath=\"{}\"",
            escape(last),
            escape(counter)
        );
    }
    if let Some((min, max)) = f.occurs {
        let _ = write!(start, " minOccurs=\"{min}\" maxOccurs=\"{max}\"");
    }
    line(out, depth, &format!("{start}>"));
    if let Some(at) = f.start {
        line(out, depth + 1, &format!("<startPos>{}</startPos>", at + 1));
    }
    line(out, depth + 1, &format!("<bytes>{}</bytes>", f.bytes));
    line(out, depth + 1, &format!("<maxBytes>{}</maxBytes>", f.bytes));
    marshaller(out, depth + 1, f);
    let mut datatype = format!("<applicationDatatype datatype=\"{}\"", f.datatype);
    if let Some(precision) = f.precision {
        let _ = write!(datatype, " precision=\"{precision}\"");
        if f.datatype == "DECIMAL" {
            let _ = write!(datatype, " scale=\"{}\"", f.scale);
        }
    }
    line(out, depth + 1, &format!("{datatype}/>"));
    for child in &f.children {
        field(out, depth + 1, child, &path, counters);
    }
    line(out, depth, "</field>");
}

fn marshaller(out: &mut String, depth: usize, f: &Field) {
    let mut attributes = String::new();
    if let Some(signed) = f.signed {
        let _ = write!(attributes, " isSigned=\"{}\"", yes(signed));
    }
    if f.converter.as_deref() == Some("ZONEDDECIMAL") {
        let (leading, separate) = (yes(f.sign_leading), yes(f.sign_separate));
        let _ = write!(
            attributes,
            " isSignLeading=\"{leading}\" isSignSeparate=\"{separate}\" isWCHAROnly=\"N\""
        );
    }
    if matches!(f.datatype.as_str(), "SHORT" | "INT" | "LONG")
        || f.converter.as_deref() == Some("BINARY")
    {
        let _ = write!(attributes, " isNativeInteger=\"{}\"", yes(f.native));
    }
    if let Some(encoding) = &f.encoding {
        let _ = write!(attributes, " encoding=\"{}\"", escape(encoding));
    }
    match &f.converter {
        Some(converter) => {
            line(out, depth, &format!("<marshaller{attributes}>"));
            line(
                out,
                depth + 1,
                &format!("<typeConverter>{}</typeConverter>", escape(converter)),
            );
            line(out, depth, "</marshaller>");
        }
        None if !attributes.is_empty() => line(out, depth, &format!("<marshaller{attributes}/>")),
        None => {}
    }
}

fn default_attributes(f: &Field) -> String {
    match &f.default {
        None => " defaultValue=\"\" isHex=\"false\"".to_owned(),
        Some(Literal::Text(text)) => format!(" defaultValue=\"{}\" isHex=\"false\"", escape(text)),
        Some(Literal::Bytes(bytes)) => {
            let hex: String = bytes.iter().map(|b| format!("{b:02X}")).collect();
            format!(" defaultValue=\"{hex}\" isHex=\"true\"")
        }
    }
}

/// The text of a `files/service/*.xml`.
pub(crate) fn service(
    name: &str,
    program: &str,
    ccsid: u16,
    files: (&str, &str),
    sides: (&Interface, &Interface),
    properties: &[Property],
) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<service xmlns:ns2=\"http://www.ibm.com/ims/Transaction\">\n",
    );
    let text = |out: &mut String, name: &str, value: &str| {
        line(out, 1, &format!("<{name}>{}</{name}>", escape(value)))
    };
    text(&mut out, "shallow", "true");
    text(&mut out, "serviceName", name);
    text(&mut out, "serviceType", "ims-rest");
    text(&mut out, "resourceType", "TRAN");
    side(&mut out, "serviceInputInterface", files.0, sides.0);
    side(&mut out, "serviceOutputInterface", files.1, sides.1);
    text(&mut out, "applicationDataStructureType", "Block");
    text(
        &mut out,
        "messageVisitorRuntimeType",
        if sides.0.channel {
            "CICS_CHANNEL"
        } else {
            "CICS_COMMAREA"
        },
    );
    text(&mut out, "ccsid", &format!("IBM{ccsid:03}"));
    text(&mut out, "trancodeOverride", program);
    for property in properties
        .iter()
        .filter(|p| p.kind == "BOOLEAN" || p.name.starts_with("omit"))
    {
        text(&mut out, &property.name, &property.value);
    }
    out.push_str("</service>\n");
    out
}

fn side(out: &mut String, element: &str, file: &str, interface: &Interface) {
    line(out, 1, &format!("<{element}>"));
    line(
        out,
        2,
        &format!("<metadataName>{}</metadataName>", escape(file)),
    );
    line(out, 2, "<serviceInterface>");
    line(out, 3, "<interface>");
    for container in &interface.containers {
        line(
            out,
            4,
            &format!("<segment segmentName=\"{}\">", escape(&container.name)),
        );
        for item in &container.fields {
            included(out, 5, item, "interfaceField");
        }
        line(out, 4, "</segment>");
    }
    line(out, 3, "</interface>");
    line(out, 2, "</serviceInterface>");
    line(out, 2, "<version>0</version>");
    line(out, 1, &format!("</{element}>"));
}

fn included(out: &mut String, depth: usize, f: &Field, element: &str) {
    let default = if f.children.is_empty() && f.default.is_some() {
        default_attributes(f)
    } else {
        String::new()
    };
    let start = format!(
        "<{element} included=\"{}\" fieldName=\"{}\"{default}",
        yes(f.included),
        escape(&f.name)
    );
    if f.children.is_empty() {
        return line(out, depth, &format!("{start}/>"));
    }
    line(out, depth, &format!("{start}>"));
    for child in &f.children {
        included(out, depth + 1, child, "field");
    }
    line(out, depth, &format!("</{element}>"));
}

fn line(out: &mut String, depth: usize, text: &str) {
    let _ = writeln!(out, "{:1$}{text}", "", depth * INDENT);
}

fn yes(flag: bool) -> &'static str {
    if flag { "Y" } else { "N" }
}
