//! `.map` files of an API that is built from YAML.

use crate::problem::Result;
use crate::xml::escape;
use crate::yaml::Keys;
use std::fmt::Write;

/// The transforms of a request.
pub(super) fn request_map(
    operation: &str,
    method: &str,
    root: &str,
    keys: &Keys<'_>,
) -> Result<String> {
    let mut updates = String::new();
    for (kind, element) in [
        ("path", "PathParameters"),
        ("query", "QueryParameters"),
        ("header", "Headers"),
    ] {
        for (name, field) in keys.pairs(kind)? {
            let from = format!(
                "<input httpIn=\"{kind}\" path=\"{element}/{}\"/>",
                escape(&name)
            );
            push(
                &mut updates,
                "move",
                &format!("{from}{}", body(root, "output", &field)),
            );
        }
    }
    common(keys, root, &mut updates)?;
    Ok(map(operation, method, root, &updates, true))
}

/// The transforms of a response.
pub(super) fn response_map(
    operation: &str,
    method: &str,
    root: &str,
    keys: &Keys<'_>,
) -> Result<String> {
    let mut updates = String::new();
    for (name, field) in keys.pairs("headers")? {
        let to = format!(
            "<output httpIn=\"header\" path=\"Headers/{}\"/>",
            escape(&name)
        );
        match field.strip_prefix('=') {
            Some(constant) => {
                push_with(&mut updates, "assign", "value", constant, &to);
            }
            None => push(
                &mut updates,
                "move",
                &format!("{}{to}", body(root, "input", &field)),
            ),
        }
    }
    common(keys, root, &mut updates)?;
    Ok(map(operation, method, root, &updates, false))
}

fn map(operation: &str, method: &str, root: &str, updates: &str, request: bool) -> String {
    let root = escape(root);
    let (input, output, from, to) = if request {
        (
            "$rootInput/HTTPRequest".to_owned(),
            format!("$rootOutput/{root}"),
            format!("Body/{root}"),
            ".".to_owned(),
        )
    } else {
        (
            format!("$rootInput/{root}"),
            "$rootOutput/HTTPResponse".to_owned(),
            ".".to_owned(),
            format!("Body/{root}"),
        )
    };
    let name = escape(operation);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <mappingRoot xmlns=\"http://www.ibm.com/2008/ccl/Mapping\" domainID=\"com.ibm.msl.mapping.xml\" domainIDExtension=\"zosconnect\" \
         jsonWrapped=\"false\" targetNamespace=\"http://www.ibm.com/zosConnect/2.0/mapping/{method}\" version=\"8.0.5.0\">\n    \
         <mappingDeclaration name=\"{name}\">\n        \
         <input path=\"{input}\"/>\n        <output path=\"{output}\"/>\n        \
         <passthrough>\n            <input path=\"{from}\"/>\n            <output path=\"{to}\"/>\n            \
         <updates>\n{updates}            </updates>\n        </passthrough>\n    </mappingDeclaration>\n</mappingRoot>\n"
    )
}

fn common(keys: &Keys<'_>, root: &str, updates: &mut String) -> Result<()> {
    for (field, value) in keys.pairs("assign")? {
        push_with(
            updates,
            "assign",
            "value",
            &value,
            &body(root, "output", &field),
        );
    }
    for field in keys.texts("remove")? {
        push(updates, "remove", &body(root, "output", &field));
    }
    for (from, to) in keys.pairs("move")? {
        push(
            updates,
            "move",
            &format!(
                "{}{}",
                body(root, "input", &from),
                body(root, "output", &to)
            ),
        );
    }
    for (group, names) in keys.lists("order")? {
        push_with(
            updates,
            "reorder",
            "names",
            &names.join(","),
            &body(root, "output", &group),
        );
    }
    for (field, name) in keys.pairs("rename")? {
        push_with(
            updates,
            "rename",
            "name",
            &name,
            &body(root, "output", &field),
        );
    }
    Ok(())
}

/// A field, as a path below the service's outermost member.
fn body(root: &str, side: &str, field: &str) -> String {
    let field = field.trim_matches('/');
    let below = field
        .strip_prefix(root)
        .and_then(|f| f.strip_prefix('/'))
        .unwrap_or(field);
    format!("<{side} httpIn=\"body\" path=\"{}\"/>", escape(below))
}

fn push(updates: &mut String, element: &str, inner: &str) {
    let _ = writeln!(updates, "                <{element}>{inner}</{element}>");
}

fn push_with(updates: &mut String, element: &str, attribute: &str, value: &str, inner: &str) {
    let value = escape(value);
    let _ = writeln!(
        updates,
        "                <{element} {attribute}=\"{value}\">{inner}</{element}>"
    );
}
