//! `transom service build`: a copybook and a YAML file into a `.sar`.

use crate::archive::Archive;
use crate::problem::Result;
use crate::sar::{Container, Interface, Property, ServiceArchive, write};
use crate::toolkit::layout::{self, KEYS};
use crate::toolkit::places::placed;
use crate::yaml::{self, Keys, scalar};
use serde_json::{Value, json};
use transom_copybook::Profile;
use transom_messages as messages;
use transom_messages::Problem;

/// A service archive just built.
#[derive(Debug, Clone)]
pub struct BuiltService {
    /// Service name.
    pub name: String,
    /// The `.sar` file.
    pub bytes: Vec<u8>,
    /// The archive as it reads back.
    pub service: ServiceArchive,
}

const TOP_KEYS: &[&str] = &[
    "name",
    "version",
    "description",
    "provider",
    "program",
    "transid",
    "transidUsage",
    "connectionRef",
    "ccsid",
    "profile",
    "contextContainers",
    "request",
    "response",
    "properties",
];

/// Conversion properties with what the API toolkit writes for them.
const DEFAULTS: &[(&str, &str, &str)] = &[
    ("omitOutputFieldsByValueByte", "0x00", "STRING"),
    ("enforceMinArrayOccurrence", "false", "BOOLEAN"),
    ("omitOutputEmptyTags", "false", "BOOLEAN"),
    ("initializeInputFields", "false", "BOOLEAN"),
    ("escapeOutputControlCharacters", "false", "BOOLEAN"),
    ("trimOutputTrailingWhitespace", "true", "BOOLEAN"),
    ("trimOutputLeadingWhitespace", "false", "BOOLEAN"),
    ("omitOutputFieldsByValue", "false", "BOOLEAN"),
    ("enforceMinArrayOccurrenceResponse", "false", "BOOLEAN"),
];

/// Builds a service archive. `file` and `text` are the YAML, `copybook` gives the text of a
/// copybook by the name the YAML has.
///
/// # Errors
/// TXMAD0006E, 0050E and 0051E for the YAML, TXMAD0033E for copybooks, and what
/// [`ServiceArchive::read`] answers for the result.
pub fn build_service(
    file: &str,
    text: &str,
    copybook: impl Fn(&str) -> Option<String>,
) -> Result<BuiltService> {
    build(file, text, copybook).map_err(|problem| placed(problem, file, text))
}

fn build(
    file: &str,
    text: &str,
    copybook: impl Fn(&str) -> Option<String>,
) -> Result<BuiltService> {
    let value = yaml::parse(file, text)?;
    let keys = Keys::new(file, "", &value, TOP_KEYS)?;
    let name = service_name(&keys)?;
    let profile = profile(&keys)?;
    let request = side(&keys, "request", profile, &copybook)?
        .ok_or_else(|| keys.bad("request", "is missing"))?;
    let response = side(&keys, "response", profile, &copybook)?.unwrap_or_else(|| request.clone());
    if request.channel != response.channel {
        return Err(keys.bad(
            "response",
            "must be a COMMAREA or a channel like the request",
        ));
    }
    let properties = properties(&keys, &name, (&request.name, &response.name))?;
    let mut archive = Archive::new(&format!("{name}.sar"));
    let ccsid = keys.number("ccsid")?.unwrap_or(37);
    let (request_file, response_file) = (si_file(&request.name), si_file(&response.name));
    archive.put(
        &format!("files/interfaces/{request_file}"),
        write::interface(&request),
    );
    archive.put(
        &format!("files/interfaces/{response_file}"),
        write::interface(&response),
    );
    let service_xml = write::service(
        &name,
        &keys.need("program")?,
        ccsid,
        (&request_file, &response_file),
        (&request, &response),
        &properties,
    );
    archive.put(&format!("files/service/{name}.xml"), service_xml);
    archive.put("manifest.yml", manifest(&keys, &name, &properties, false)?);
    // Read once without schemas, which are then derived from what was read.
    let bare = ServiceArchive::from_archive(&archive)?;
    for (suffix, data) in [("Request", &bare.request), ("Response", &bare.response)] {
        archive.put(
            &format!("schemas/{name}{suffix}.json"),
            format!("{:#}", data.schema()),
        );
    }
    archive.put("manifest.yml", manifest(&keys, &name, &properties, true)?);
    let service = ServiceArchive::from_archive(&archive)?;
    Ok(BuiltService {
        name,
        bytes: archive.write()?,
        service,
    })
}

fn service_name(keys: &Keys<'_>) -> Result<String> {
    let name = keys.need("name")?;
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || !name.chars().all(allowed) {
        return Err(keys.bad("name", "may have letters, digits, _, - and ."));
    }
    Ok(name)
}

/// Whose storage the offsets are for: this region's, unless the archive is meant for z/OS.
fn profile(keys: &Keys<'_>) -> Result<Profile> {
    match keys.text("profile")?.as_deref() {
        None | Some("native") => Ok(Profile::Native),
        Some("host") => Ok(Profile::Host),
        Some(other) => Err(keys.bad(
            "profile",
            &format!("is \"{other}\"; it must be native or host"),
        )),
    }
}

fn si_file(name: &str) -> String {
    format!("{name}.si")
}

fn side(
    top: &Keys<'_>,
    key: &str,
    profile: Profile,
    copybook: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Interface>> {
    let Some(value) = top.get(key) else {
        return Ok(None);
    };
    let interface_name = format!(
        "{}{}",
        top.need("name")?,
        if key == "request" {
            "Request"
        } else {
            "Response"
        }
    );
    if !layout::is_channel(value) {
        let keys = Keys::new(top.file, key, value, KEYS)?;
        let container = layout::container(&keys, "COMMAREA", profile, copybook)?;
        return Ok(Some(interface(interface_name, vec![container], false)));
    }
    let keys = Keys::new(top.file, key, value, &["containers"])?;
    let mut containers = Vec::new();
    for (i, value) in keys.list("containers")?.iter().enumerate() {
        containers.push(channel_container(
            top,
            &format!("{key}.containers[{i}]"),
            value,
            profile,
            copybook,
        )?);
    }
    if containers.is_empty() {
        return Err(keys.bad("containers", "is empty"));
    }
    Ok(Some(interface(interface_name, containers, true)))
}

fn interface(name: String, containers: Vec<Container>, channel: bool) -> Interface {
    Interface {
        file: String::new(),
        name,
        containers,
        channel,
    }
}

fn channel_container(
    top: &Keys<'_>,
    at: &str,
    value: &Value,
    profile: Profile,
    copybook: &dyn Fn(&str) -> Option<String>,
) -> Result<Container> {
    let known: Vec<&str> = KEYS
        .iter()
        .copied()
        .chain(["name", "type", "required", "bytes"])
        .collect();
    let keys = Keys::new(top.file, at, value, &known)?;
    let name = keys.need("name")?;
    let character = match keys
        .text("type")?
        .map(|t| t.to_ascii_uppercase())
        .as_deref()
    {
        None | Some("BIT") => false,
        Some("CHAR") => true,
        Some(other) => {
            return Err(keys.bad("type", &format!("is \"{other}\"; it must be BIT or CHAR")));
        }
    };
    let required = keys
        .get("required")
        .and_then(Value::as_bool)
        .unwrap_or(true);
    let bytes = keys.number("bytes")?;
    let container = if keys.get("copybook").is_some() {
        layout::container(&keys, &name, profile, copybook)?
    } else {
        Container {
            json_name: name.clone(),
            name,
            character,
            required,
            bytes,
            fields: Vec::new(),
            line: 0,
        }
    };
    Ok(Container {
        character,
        required,
        ..container
    })
}

fn properties(keys: &Keys<'_>, name: &str, interfaces: (&str, &str)) -> Result<Vec<Property>> {
    let given = keys.pairs("properties")?;
    let mut all: Vec<Property> = Vec::new();
    let mut put = |name: &str, value: String, kind: &str| {
        all.push(Property {
            name: name.to_owned(),
            value,
            kind: kind.to_owned(),
        });
    };
    for (name, default, kind) in DEFAULTS {
        let value = given
            .iter()
            .find(|(k, _)| k == name)
            .map_or((*default).to_owned(), |(_, v)| v.clone());
        put(name, value, kind);
    }
    for (name, value) in given
        .iter()
        .filter(|(k, _)| !DEFAULTS.iter().any(|(d, _, _)| d == k))
    {
        put(name, value.clone(), "STRING");
    }
    for key in [
        "program",
        "connectionRef",
        "transid",
        "transidUsage",
        "ccsid",
    ] {
        if let Some(value) = keys.text(key)? {
            put(key, value, "STRING");
        }
    }
    if let Some(value) = keys.get("contextContainers") {
        put("useContextContainers", "true".to_owned(), "BOOLEAN");
        let headers: Vec<String> = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(scalar)
            .collect();
        put("contextContainerHttpHeaders", headers.join(","), "STRING");
    }
    put("dataXformType", "WALKER_VISITOR".to_owned(), "STRING");
    put("wvServiceFile", format!("files/service/{name}.xml"), "FILE");
    put(
        "wvRequestInterfaceFile",
        format!("files/interfaces/{}", si_file(interfaces.0)),
        "FILE",
    );
    put(
        "wvResponseInterfaceFile",
        format!("files/interfaces/{}", si_file(interfaces.1)),
        "FILE",
    );
    Ok(all)
}

fn manifest(keys: &Keys<'_>, name: &str, properties: &[Property], schemas: bool) -> Result<String> {
    let list: Vec<Value> = properties
        .iter()
        .map(|p| json!({"propertyName": p.name, "value": p.value, "type": p.kind}))
        .collect();
    let mut manifest = json!({
        "Manifest-Version": "1.0",
        "name": name,
        "provider": keys.text("provider")?.unwrap_or_else(|| "CICS-1.0".to_owned()),
        "factoryPid": "cics",
    });
    if schemas {
        manifest["requestSchema"] =
            json!({"value": format!("file:///schemas/{name}Request.json"), "type": "JSONSchema"});
        manifest["responseSchema"] =
            json!({"value": format!("file:///schemas/{name}Response.json"), "type": "JSONSchema"});
    }
    manifest["providerProperties"] = list.into();
    manifest["providerObjects"] = json!([]);
    manifest["version"] = keys
        .text("version")?
        .unwrap_or_else(|| "1.0.0".to_owned())
        .into();
    manifest["description"] = keys.text("description")?.unwrap_or_default().into();
    serde_norway::to_string(&manifest)
        .map_err(|e| Problem::new(messages::ad::manifest_not_written(e), keys.file))
}
