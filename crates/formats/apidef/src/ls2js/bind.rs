//! Bind files: parameters and copybooks of one service, as text.
//!
//! The first line is [`MAGIC`]; what follows is YAML. Reading builds the service again from the
//! copybooks, so a bind file can be edited and never disagrees with itself.

use crate::archive::Archive;
use crate::ls2js::data;
use crate::ls2js::keys_table::KEYS;
use crate::ls2js::parameters::Parameters;
use crate::problem::Result;
use crate::sar::{Provider, ServiceArchive};
use crate::yaml::{self, Keys};
use serde_json::{Map, Value, json};
use transom_copybook::Profile;
use transom_copybook::shape::Properties;
use transom_messages as messages;
use transom_messages::Problem;

/// First line of a bind file; the number is the version of the format.
pub const MAGIC: &str = "#%TRANSOM-BIND 1";
/// What every version's first line begins with.
const MAGIC_START: &str = "#%TRANSOM-BIND ";
/// Longest bind file, in bytes.
pub(crate) const BIND_BYTES_MAX: usize = 1024 * 1024;

/// A bind file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bind {
    /// The parameters it was made with.
    pub parameters: Parameters,
    /// Text of the copybook of REQMEM.
    pub request_copybook: Option<String>,
    /// Text of the copybook of RESPMEM.
    pub response_copybook: Option<String>,
}

impl Bind {
    /// Reads a bind file. `file` is only for messages.
    ///
    /// # Errors
    /// TXMAD0034E for a binary bind file of z/OS Connect or anything else that is none of ours, or
    /// a newer version; TXMAD0036E when its content is damaged; TXMAD0030E to 0032E for its
    /// parameters.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Bind> {
        if bytes.len() > BIND_BYTES_MAX {
            return Err(Problem::new(
                messages::ad::limit_passed(format_args!("more than {BIND_BYTES_MAX} bytes")),
                file,
            ));
        }
        if !bytes.starts_with(MAGIC_START.as_bytes()) {
            return Err(Problem::new(messages::ad::bind_file_foreign(), file));
        }
        let text = std::str::from_utf8(bytes).map_err(|_| {
            Problem::new(
                messages::ad::bind_file_damaged("the bind file is not UTF-8 text"),
                file,
            )
        })?;
        if text.lines().next().map(str::trim_end) != Some(MAGIC) {
            return Err(Problem::new(messages::ad::bind_file_version(), file));
        }
        let value = yaml::parse(file, text)?;
        let keys = Keys::new(
            file,
            "",
            &value,
            &["parameters", "requestCopybook", "responseCopybook"],
        )?;
        let lines = keys.pairs("parameters")?;
        let text: String = lines.iter().map(|(k, v)| format!("{k}={v}\n")).collect();
        Ok(Bind {
            parameters: Parameters::parse(file, &text)?,
            request_copybook: keys.text("requestCopybook")?,
            response_copybook: keys.text("responseCopybook")?,
        })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let mut parameters = Map::new();
        for key in KEYS {
            if let Some((_, value)) = self.parameters.lines.iter().find(|(k, _)| k == key) {
                parameters.insert((*key).to_owned(), value.clone().into());
            }
        }
        let mut all = Map::new();
        all.insert("parameters".to_owned(), parameters.into());
        for (key, copybook) in [
            ("requestCopybook", &self.request_copybook),
            ("responseCopybook", &self.response_copybook),
        ] {
            if let Some(text) = copybook {
                all.insert(key.to_owned(), text.clone().into());
            }
        }
        // A mapping of texts can always be written.
        let body = serde_norway::to_string(&all).unwrap_or_default();
        format!("{MAGIC}\n{body}")
    }

    /// Name of the service when nobody gives it another: SERVICE-NAME or else PGMNAME.
    pub fn service_name(&self) -> &str {
        self.parameters
            .service_name
            .as_deref()
            .unwrap_or(self.parameters.program.as_str())
    }

    /// The service, ready to be planned. `profile` says how the machine the program runs on lays
    /// its data out.
    ///
    /// # Errors
    /// TXMAD0033E for copybooks that cannot be read or described.
    pub fn service(&self, name: &str, profile: Profile) -> Result<ServiceArchive> {
        let p = &self.parameters;
        let program = p.program.as_str();
        let member = |name: &Option<String>| name.clone().unwrap_or_default();
        let request = data::build(
            p,
            self.request_copybook.as_deref(),
            &member(&p.request_member),
            &format!("{program}Operation"),
            profile,
        )?;
        let response = data::build(
            p,
            self.response_copybook.as_deref(),
            &member(&p.response_member),
            &format!("{program}OperationResponse"),
            profile,
        )?;
        Ok(ServiceArchive {
            rest: None,
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            description: String::new(),
            provider: Provider::Wola,
            program: Some(p.program),
            transid: p.transid,
            transid_usage: None,
            connection_ref: None,
            ccsid: p.ccsid,
            context_containers: None,
            conversion: Properties {
                data_truncation: p.data_truncation,
                data_screening: p.data_screening,
                truncate_null_arrays: p.truncate_null_arrays.clone(),
                ..Properties::default()
            },
            properties: Vec::new(),
            request,
            response,
            request_schema: None,
            response_schema: None,
            not_supported: None,
            notices: p.notices.clone(),
        })
    }

    /// A service archive around the bind file.
    pub(super) fn archive(&self, text: &str, request: &Value, response: &Value) -> Result<Vec<u8>> {
        let name = self.service_name();
        let mut archive = Archive::new(&format!("{name}.sar"));
        let (request_file, response_file) = (
            format!("schemas/{name}Request.json"),
            format!("schemas/{name}Response.json"),
        );
        let bind_file = format!("files/{name}.wsbind");
        let manifest = json!({
            "Manifest-Version": "1.0",
            "name": name,
            "provider": "WOLA-1.0",
            "requestSchema": {"value": format!("file:///{request_file}"), "type": "JSONSchema"},
            "responseSchema": {"value": format!("file:///{response_file}"), "type": "JSONSchema"},
            "providerProperties": [
                {"propertyName": "program", "value": self.parameters.program.as_str(), "type": "STRING"},
                {"propertyName": "wsbindFile", "value": bind_file, "type": "FILE"},
            ],
            "version": "1.0.0",
        });
        archive.put(
            "manifest.yml",
            serde_norway::to_string(&manifest).unwrap_or_default(),
        );
        archive.put(&bind_file, text);
        archive.put(&request_file, format!("{request:#}"));
        archive.put(&response_file, format!("{response:#}"));
        archive.write()
    }
}
