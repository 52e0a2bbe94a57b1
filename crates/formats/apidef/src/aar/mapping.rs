//! `mapping.xml` of one operation: its request map and its responses.

use crate::aar::condition::Condition;
use crate::aar::map::Mapping;
use crate::archive::Archive;
use crate::problem::Result;
use crate::xml::{self, Element};
use transom_messages as messages;
use transom_messages::Problem;

/// Response codes an API may answer with.
pub(crate) const CODES: std::ops::RangeInclusive<u16> = 100..=599;
/// Code of an operation that defines none.
pub(crate) const DEFAULT_CODE: u16 = 200;

/// The mapping of one operation.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceMapping {
    /// `serviceName`, when the file has one.
    pub service: Option<String>,
    /// Transforms of the request.
    pub request: Mapping,
    /// Responses in the order they are tried; the one without condition is last and always there.
    pub responses: Vec<ResponseRule>,
}

/// One response code with its condition and transforms.
#[derive(Debug, Clone, PartialEq)]
pub struct ResponseRule {
    /// HTTP status.
    pub code: u16,
    /// Text for the documentation.
    pub description: String,
    /// When it applies; `None` for the default.
    pub condition: Option<Condition>,
    /// Transforms of the response.
    pub mapping: Mapping,
}

impl ServiceMapping {
    /// Everything as it comes, response 200.
    pub fn passthrough() -> ServiceMapping {
        ServiceMapping {
            service: None,
            request: Mapping::default(),
            responses: vec![default_response()],
        }
    }

    pub(super) fn read(
        archive: &Archive,
        member: &str,
        notices: &mut Vec<Problem>,
    ) -> Result<ServiceMapping> {
        let file = archive.place(member);
        let root = xml::parse(&file, archive.text(member)?)?;
        let mut mapping = ServiceMapping {
            responses: Vec::new(),
            ..ServiceMapping::passthrough()
        };
        let mut default_code = DEFAULT_CODE;
        let mut defaults = Vec::new();
        for element in &root.children {
            match element.name.as_str() {
                "mappingContext" => {
                    mapping.service = element
                        .attr("serviceName")
                        .filter(|s| !s.is_empty())
                        .map(str::to_owned);
                    if let Some(text) = element.attr("defaultResponseCode") {
                        default_code = code(&file, element, text)?;
                    }
                }
                "requestMessage" | "requestMessages" => {
                    if let Some(map) = read_map(archive, &file, element)? {
                        mapping.request = map;
                    }
                }
                "responseMessages" | "responseMessage" => {
                    let rule = response(archive, &file, element)?;
                    if rule.condition.is_some() {
                        mapping.responses.push(rule)
                    } else {
                        defaults.push((rule, element))
                    }
                }
                other => notices.push(element.problem(
                    messages::ad::no_effect(format_args!("the element {other}")),
                    &file,
                )),
            }
        }
        let last = mapping.default_of(&file, defaults, default_code)?;
        mapping.responses.push(last);
        Ok(mapping)
    }

    /// The response that remains when no rule holds. A default with rules of its own is it, too.
    fn default_of(
        &self,
        file: &str,
        mut without_rules: Vec<(ResponseRule, &Element)>,
        code: u16,
    ) -> Result<ResponseRule> {
        let named = without_rules.iter().position(|(r, _)| r.code == code);
        let last = match named {
            Some(i) => without_rules.remove(i).0,
            None if without_rules.len() == 1 => without_rules.remove(0).0,
            None => match self.responses.iter().find(|r| r.code == code) {
                Some(rule) => ResponseRule {
                    condition: None,
                    ..rule.clone()
                },
                None => ResponseRule {
                    code,
                    ..default_response()
                },
            },
        };
        match without_rules.first() {
            Some((rule, element)) => Err(element.problem(
                messages::ad::response_rule(format_args!(
                    "response {} has no rule and is not the default",
                    rule.code
                )),
                file,
            )),
            None => Ok(last),
        }
    }
}

/// The response of an operation that defines none: 200, everything as it comes.
pub(crate) fn default_response() -> ResponseRule {
    ResponseRule {
        code: DEFAULT_CODE,
        description: "OK".to_owned(),
        condition: None,
        mapping: Mapping::default(),
    }
}

fn code(file: &str, element: &Element, text: &str) -> Result<u16> {
    text.trim()
        .parse()
        .ok()
        .filter(|c| CODES.contains(c))
        .ok_or_else(|| {
            element.problem(
                messages::ad::response_rule(format_args!(
                    "\"{text}\" is no response code between 100 and 599"
                )),
                file,
            )
        })
}

fn response(archive: &Archive, file: &str, element: &Element) -> Result<ResponseRule> {
    let text = element.attr("code").ok_or_else(|| {
        element.problem(
            messages::ad::response_rule("a response without a code"),
            file,
        )
    })?;
    Ok(ResponseRule {
        code: code(file, element, text)?,
        description: element.attr("description").unwrap_or_default().to_owned(),
        condition: Condition::of_element(file, element)?,
        mapping: read_map(archive, file, element)?.unwrap_or_default(),
    })
}

fn read_map(archive: &Archive, file: &str, element: &Element) -> Result<Option<Mapping>> {
    let Some(model) = element.find("mappingRootModel") else {
        return Ok(None);
    };
    let kind = model.attr("type").unwrap_or("MSL");
    if !kind.eq_ignore_ascii_case("MSL") {
        return Err(model.problem(
            messages::ad::transform_not_possible(format_args!(
                "maps of type {kind} are not supported"
            )),
            file,
        ));
    }
    let location = model.attr("location").ok_or_else(|| {
        model.problem(
            messages::ad::api_incomplete("mappingRootModel without location"),
            file,
        )
    })?;
    Mapping::parse(&archive.place(location), archive.text(location)?).map(Some)
}
