//! `manifest.yml` of a service archive.

use crate::problem::Result;
use crate::sar::TransidUsage;
use crate::yaml::{parse, scalar};
use serde_json::Value;
use std::str::FromStr;
use transom_copybook::shape::Properties;
use transom_messages as messages;
use transom_messages::Problem;

/// One entry of `providerProperties`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// `propertyName`.
    pub name: String,
    /// `value` as text.
    pub value: String,
    /// `type`: STRING, BOOLEAN, FILE ...
    pub kind: String,
}

/// The manifest as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    file: String,
    /// Service name.
    pub name: String,
    /// Provider such as `CICS-1.0`.
    pub provider: String,
    /// Version of the service.
    pub version: String,
    /// One line of text.
    pub description: String,
    /// Member with the request schema.
    pub request_schema: Option<String>,
    /// Member with the response schema.
    pub response_schema: Option<String>,
    /// All properties in file order.
    pub properties: Vec<Property>,
    /// Top-level keys nobody here knows, kept for display.
    pub other: Vec<(String, Value)>,
}

const TOP_KEYS: &[&str] = &[
    "Manifest-Version",
    "name",
    "provider",
    "factoryPid",
    "requestSchema",
    "responseSchema",
    "providerProperties",
    "providerObjects",
    "version",
    "description",
];

/// Properties that are understood, in the names of the API toolkit.
const KNOWN_PROPERTIES: &[&str] = &[
    "program",
    "transid",
    "transidUsage",
    "connectionRef",
    "ccsid",
    "dataXformType",
    "wsbindFile",
    "wvServiceFile",
    "wvRequestInterfaceFile",
    "wvResponseInterfaceFile",
    "trimOutputTrailingWhitespace",
    "trimOutputLeadingWhitespace",
    "omitOutputFieldsByValue",
    "omitOutputFieldsByValueByte",
    "omitOutputEmptyTags",
    "escapeOutputControlCharacters",
    "initializeInputFields",
    "enforceMinArrayOccurrence",
    "enforceMinArrayOccurrenceResponse",
    "useContextContainers",
    "contextContainerHttpHeaders",
    "uri",
    "verb",
];

impl Manifest {
    /// Parses the text.
    ///
    /// # Errors
    /// TXMAD0006E for malformed YAML, TXMAD0010E for a manifest without name or provider or with
    /// odd properties.
    pub fn parse(file: &str, text: &str) -> Result<Manifest> {
        let value = parse(file, text)?;
        let bad = |text: String| Problem::new(messages::ad::manifest_not_usable(text), file);
        let map = value
            .as_object()
            .ok_or_else(|| bad("the manifest is not a mapping".to_owned()))?;
        let text_of = |key: &str| map.get(key).and_then(scalar).unwrap_or_default();
        let need = |key: &str| match text_of(key) {
            t if t.trim().is_empty() => Err(bad(format!("{key} is missing"))),
            t => Ok(t.trim().to_owned()),
        };
        let mut properties = Vec::new();
        match map.get("providerProperties") {
            None | Some(Value::Null) => {}
            Some(Value::Array(all)) => {
                for (i, entry) in all.iter().enumerate() {
                    let of = |key: &str| entry.get(key).and_then(scalar);
                    let name = of("propertyName").ok_or_else(|| {
                        bad(format!("providerProperties[{i}] has no propertyName"))
                    })?;
                    properties.push(Property {
                        name,
                        value: of("value").unwrap_or_default(),
                        kind: of("type").unwrap_or_default(),
                    });
                }
            }
            Some(_) => return Err(bad("providerProperties is not a list".to_owned())),
        }
        Ok(Manifest {
            file: file.to_owned(),
            name: need("name")?,
            provider: need("provider")?,
            version: text_of("version"),
            description: text_of("description"),
            request_schema: schema_member(map.get("requestSchema")),
            response_schema: schema_member(map.get("responseSchema")),
            properties,
            other: map
                .iter()
                .filter(|(k, _)| !TOP_KEYS.contains(&k.as_str()))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
        })
    }

    /// Value of a property; blank counts as absent.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.properties
            .iter()
            .find(|p| p.name == name)
            .map(|p| p.value.trim())
            .filter(|v| !v.is_empty())
    }

    /// Member name in a property of type FILE.
    pub fn file(&self, name: &str) -> Option<String> {
        self.value(name).map(member)
    }

    pub(super) fn bad(&self, property: &str, why: impl std::fmt::Display) -> Problem {
        Problem::new(messages::ad::property(property, &why), &self.file)
    }

    /// A property that is a resource name.
    pub(super) fn name_property<T: FromStr<Err: std::fmt::Display>>(
        &self,
        name: &str,
    ) -> Result<Option<T>> {
        self.value(name)
            .map(|v| {
                v.parse()
                    .map_err(|e| self.bad(name, format!("has the value \"{v}\": {e}")))
            })
            .transpose()
    }

    pub(super) fn transid_usage(&self) -> Result<Option<TransidUsage>> {
        self.value("transidUsage")
            .map(|v| match v.to_ascii_uppercase().as_str() {
                "EIB_ONLY" => Ok(TransidUsage::EibOnly),
                "EIB_AND_MIRROR" => Ok(TransidUsage::EibAndMirror),
                _ => Err(self.bad(
                    "transidUsage",
                    format!("is \"{v}\"; it must be EIB_ONLY or EIB_AND_MIRROR"),
                )),
            })
            .transpose()
    }

    pub(super) fn ccsid(&self) -> Result<Option<u16>> {
        self.value("ccsid")
            .map(|v| {
                ccsid(v)
                    .ok_or_else(|| self.bad("ccsid", format!("is \"{v}\", which is no code page")))
            })
            .transpose()
    }

    pub(super) fn context_containers(&self) -> Option<Vec<String>> {
        self.value("useContextContainers")
            .filter(|v| v.eq_ignore_ascii_case("true"))?;
        let headers = self
            .value("contextContainerHttpHeaders")
            .unwrap_or_default();
        Some(
            headers
                .split(',')
                .map(str::trim)
                .filter(|h| !h.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// One notice for each property that has no effect here.
    pub(super) fn notices(&self) -> Vec<Problem> {
        self.properties
            .iter()
            .filter(|p| !KNOWN_PROPERTIES.contains(&p.name.as_str()))
            .map(|p| {
                Problem::new(
                    messages::ad::kept_without_effect(format_args!("property {}", p.name)),
                    &self.file,
                )
            })
            .collect()
    }

    /// The conversion options. Absent ones have the toolkit's defaults.
    pub(super) fn conversion(&self) -> Result<Properties> {
        let default = Properties::default();
        let flag = |name: &str, default: bool| match self.value(name) {
            None => Ok(default),
            Some(v) if v.eq_ignore_ascii_case("true") => Ok(true),
            Some(v) if v.eq_ignore_ascii_case("false") => Ok(false),
            Some(v) => Err(self.bad(name, format!("is \"{v}\"; it must be true or false"))),
        };
        let omit_byte = match self.value("omitOutputFieldsByValueByte") {
            None => 0,
            Some(v) => {
                let hex = v
                    .strip_prefix("0x")
                    .or_else(|| v.strip_prefix("0X"))
                    .unwrap_or(v);
                u8::from_str_radix(hex, 16).map_err(|_| {
                    self.bad(
                        "omitOutputFieldsByValueByte",
                        format!("is \"{v}\"; it must be a byte such as 0x40"),
                    )
                })?
            }
        };
        Ok(Properties {
            trim_output_trailing_whitespace: flag(
                "trimOutputTrailingWhitespace",
                default.trim_output_trailing_whitespace,
            )?,
            trim_output_leading_whitespace: flag(
                "trimOutputLeadingWhitespace",
                default.trim_output_leading_whitespace,
            )?,
            omit_output_fields_by_value: flag("omitOutputFieldsByValue", false)?
                .then_some(omit_byte),
            omit_output_empty_tags: flag("omitOutputEmptyTags", default.omit_output_empty_tags)?,
            escape_output_control_characters: flag(
                "escapeOutputControlCharacters",
                default.escape_output_control_characters,
            )?,
            initialize_input_fields: flag(
                "initializeInputFields",
                default.initialize_input_fields,
            )?,
            enforce_min_array_occurrence: flag(
                "enforceMinArrayOccurrence",
                default.enforce_min_array_occurrence,
            )?,
            enforce_min_array_occurrence_response: flag(
                "enforceMinArrayOccurrenceResponse",
                default.enforce_min_array_occurrence_response,
            )?,
            ..default
        })
    }
}

/// `IBM037`, `IBM-037`, `CP500`, `037`, `1047` ... as a number.
pub(crate) fn ccsid(text: &str) -> Option<u16> {
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper
        .trim_start_matches(|c: char| c.is_ascii_alphabetic())
        .trim_start_matches(['-', '_', '0']);
    digits.parse().ok().filter(|n| *n != 0)
}

fn member(uri: &str) -> String {
    let path = uri
        .strip_prefix("file://")
        .unwrap_or(uri)
        .replace('\\', "/");
    path.trim_start_matches('/').to_owned()
}

fn schema_member(entry: Option<&Value>) -> Option<String> {
    let uri = match entry? {
        Value::String(s) => s.as_str(),
        other => other.get("value")?.as_str()?,
    };
    Some(member(uri)).filter(|m| !m.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: a\nprovider: CICS-1.0\nproviderProperties:\n- {propertyName: program, value: CABASIC, type: STRING}\n- {propertyName: omitOutputFieldsByValue, value: 'true'}\n- {propertyName: omitOutputFieldsByValueByte, value: '0x40'}\n- {propertyName: somethingNew, value: 1}\nextra: [1]\n";

    #[test]
    fn keeps_what_it_does_not_know() {
        let manifest = Manifest::parse("manifest.yml", TEXT).unwrap();
        assert_eq!(manifest.value("program"), Some("CABASIC"));
        assert_eq!(
            manifest.conversion().unwrap().omit_output_fields_by_value,
            Some(0x40)
        );
        assert_eq!(
            manifest.notices()[0].id_first().to_string(),
            "TXMAD0014W manifest.yml: property somethingNew is kept and has no effect"
        );
        assert_eq!(manifest.other[0].0, "extra");
    }

    #[test]
    fn refuses_values_that_make_no_sense() {
        let text = TEXT.replace("'0x40'", "'0xZZ'");
        let error = Manifest::parse("m", &text)
            .unwrap()
            .conversion()
            .unwrap_err();
        assert_eq!(
            (error.id(), error.words().contains("0xZZ")),
            ("TXMAD0010E", true)
        );
        assert_eq!(
            Manifest::parse("m", "name: a")
                .unwrap_err()
                .id_first()
                .to_string(),
            "TXMAD0010E m: provider is missing"
        );
    }

    #[test]
    fn code_pages_in_every_spelling() {
        for (text, number) in [
            ("IBM037", Some(37)),
            ("IBM-1047", Some(1047)),
            ("37", Some(37)),
            ("Cp500", Some(500)),
            ("x", None),
        ] {
            assert_eq!(ccsid(text), number, "{text}");
        }
    }
}
