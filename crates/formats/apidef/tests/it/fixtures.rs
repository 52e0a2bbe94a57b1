//! Finds the outside test data beside the repository.

/// Bytes of an outside fixture; `None`, with a line on standard output, where it is absent.
pub(crate) fn outside(name: &str) -> Option<Vec<u8>> {
    transom_needed::fixture(&format!("zosconnect/{name}"))
}

/// Paths of all shown members below a node, in order.
pub(crate) fn shown(node: &transom_copybook::shape::Node, path: &str, out: &mut Vec<String>) {
    use transom_copybook::shape::{Kind, Presence};
    let members = match &node.kind {
        Kind::Object(members) => members,
        Kind::Array(array) => return shown(&array.element, path, out),
        _ => return,
    };
    for member in members.iter().filter(|m| m.presence == Presence::Shown) {
        let path = format!("{path}/{}", member.name);
        out.push(path.clone());
        shown(member, &path, out);
    }
}

/// Paths of all properties of a JSON schema, in order.
pub(crate) fn described(schema: &serde_json::Value, path: &str, out: &mut Vec<String>) {
    if let Some(items) = schema.get("items") {
        described(items, path, out);
    }
    let Some(properties) = schema.get("properties").and_then(|p| p.as_object()) else {
        return;
    };
    for (name, inner) in properties {
        let path = format!("{path}/{name}");
        out.push(path.clone());
        described(inner, &path, out);
    }
}
