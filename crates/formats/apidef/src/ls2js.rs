//! BAQLS2JS: copybooks and parameter lines into a bind file and two JSON schemas, and the bind file
//! back into a service.
//!
//! The bind files of z/OS Connect are an opaque binary format; this one is text that says which
//! parameters and copybooks it was made from, so it can be read, compared and kept in version
//! control. Services made here have the wrappers `<PGMNAME>Operation` and
//! `<PGMNAME>OperationResponse`.

mod bind;
mod data;
mod keys_table;
mod parameters;

pub use bind::{Bind, MAGIC};
pub use parameters::{CharVaryingOption, Level, Parameters, ProgramInterface};
use transom_messages as messages;

use crate::problem::Result;
use crate::schema;
use serde_json::{Value, json};
use transom_copybook::Profile;
use transom_messages::Problem;

/// What a run of the utility writes.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The bind file.
    pub bind: Bind,
    /// Text of the bind file, for the file named by WSBIND.
    pub bind_text: String,
    /// Schema for the file named by JSON-SCHEMA-REQUEST.
    pub request_schema: Value,
    /// Schema for the file named by JSON-SCHEMA-RESPONSE.
    pub response_schema: Value,
    /// The service archive, when SERVICE-ARCHIVE asks for one.
    pub archive: Option<Vec<u8>>,
    /// What was accepted and has no effect.
    pub notices: Vec<Problem>,
}

/// Runs the utility. `member` gives the text of a copybook by the name in REQMEM or RESPMEM.
///
/// # Errors
/// TXMAD0030E to 0032E for the parameters, TXMAD0033E for copybooks that cannot be read or
/// described at the mapping level asked for.
pub fn generate(
    file: &str,
    parameters: &str,
    member: impl Fn(&str) -> Option<String>,
) -> Result<Generated> {
    let parameters = Parameters::parse(file, parameters)?;
    let copybook = |name: &Option<String>| match name {
        None => Ok(None),
        Some(name) => member(name).map(Some).ok_or_else(|| {
            Problem::new(
                messages::ad::copybook(format_args!("the copybook {name} is not found")),
                file,
            )
        }),
    };
    let bind = Bind {
        request_copybook: copybook(&parameters.request_member)?,
        response_copybook: copybook(&parameters.response_member)?,
        parameters,
    };
    let service = bind.service(bind.service_name(), Profile::Host)?;
    let describe = |kind: &str, inner: Value| {
        let mut all = json!({
            "$schema": "http://json-schema.org/draft-04/schema#",
            "description": format!("{kind} schema for the {} JSON interface", bind.parameters.program),
        });
        let required: Vec<String> = inner["properties"]
            .as_object()
            .map(|p| p.keys().cloned().collect())
            .unwrap_or_default();
        if let (Some(all), Value::Object(inner)) = (all.as_object_mut(), inner) {
            all.extend(inner);
            all.insert("required".into(), required.into());
        }
        all
    };
    let request_schema = describe("Request", schema::of_shape(&service.request.shape));
    let response_schema = describe("Response", schema::of_shape(&service.response.shape));
    let bind_text = bind.to_text();
    let archive = match &bind.parameters.service_archive {
        Some(_) => Some(bind.archive(&bind_text, &request_schema, &response_schema)?),
        None => None,
    };
    Ok(Generated {
        bind_text,
        request_schema,
        response_schema,
        archive,
        notices: bind.parameters.notices.clone(),
        bind,
    })
}
