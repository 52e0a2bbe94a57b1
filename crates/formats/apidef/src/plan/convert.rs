//! Compiled programs of a plan, and running them.
//!
//! What: one direction of a plan, made from a shape that has its mapping applied. Why: documents
//! are converted without looking at descriptions. Not here: mappings (`apply`).

use crate::aar::{Comparison, Condition, ResponseRule, Test};
use crate::plan::apply::resolve;
use crate::plan::mapped::{HeaderRule, HeaderSource, Override};
use crate::problem::Result;
use crate::sar::{Carrier, ServiceData};
use transom_copybook::convert::{self, ConvertError, Decoder, Encoder, Extractor, Given};
use transom_copybook::shape::{
    Kind, Node, Op, OverrideId, Presence, Properties, RecordFormat, Shape,
};
use transom_messages as messages;
use transom_messages::Problem;

/// Document, path, query and headers of a request into the record a program gets.
#[derive(Debug)]
pub struct RequestPlan {
    /// Document and record, mapping applied.
    pub shape: Shape,
    /// How the record travels.
    pub carrier: Carrier,
    /// Values from outside the body. The index of an entry is its [`OverrideId`].
    pub overrides: Vec<Override>,
    /// Bytes the record is padded to with X'00' (COMMAREA only; 0 = not padded).
    pub padded_len: usize,
    encoder: Encoder,
}

/// The record a program left into status, headers and document.
#[derive(Debug)]
pub struct ResponsePlan {
    /// How the record travels.
    pub carrier: Carrier,
    /// Record length with all tables full, in bytes.
    pub record_len: usize,
    /// Tried in order; the last has no condition.
    pub cases: Vec<ResponseCase>,
}

/// One response code.
#[derive(Debug)]
pub struct ResponseCase {
    /// HTTP status.
    pub code: u16,
    /// Text for the documentation.
    pub description: String,
    /// When it applies; `None` for the default.
    pub condition: Option<Condition>,
    /// Document and record, mapping applied.
    pub shape: Shape,
    /// Headers the mapping sets.
    pub headers: Vec<HeaderRule>,
    program: ResponseProgram,
}

/// What is sent back beside the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub code: u16,
    /// Headers in the order of the mapping.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug)]
struct ResponseProgram {
    condition: Option<Check>,
    headers: Vec<Option<Extractor>>,
    decoder: Decoder,
}

/// A compiled condition.
#[derive(Debug)]
enum Check {
    Compare(convert::Condition),
    Text {
        extractor: Extractor,
        op: Comparison,
        value: String,
    },
    All(Vec<Check>),
    Any(Vec<Check>),
}

impl RequestPlan {
    /// Appends the record of a request to `record`: the JSON document `body` (white space only
    /// counts as `{}`) and the values from path, query and headers, decoded, under the ids of
    /// [`RequestPlan::overrides`]. A COMMAREA is padded to [`RequestPlan::padded_len`]. On an error
    /// nothing is appended.
    ///
    /// # Errors
    /// Those of [`Encoder::encode`], all the client's fault.
    pub fn encode(
        &self,
        body: &[u8],
        values: &[(OverrideId, &str)],
        record: &mut Vec<u8>,
    ) -> std::result::Result<Given, ConvertError> {
        let start = record.len();
        let given = self.encoder.encode(body, values, record)?;
        if record.len() - start < self.padded_len {
            record.resize(start + self.padded_len, 0);
        }
        Ok(given)
    }

    /// Names of the members a body has, ", " between them; empty where all comes from elsewhere.
    pub fn body_members(&self) -> String {
        let Kind::Object(members) = &self.shape.root.kind else {
            return String::new();
        };
        let shown: Vec<&str> = members
            .iter()
            .flat_map(|member| match &member.kind {
                Kind::Select(select) => select.arms.iter().map(|arm| &arm.node).collect(),
                _ => vec![member],
            })
            .filter(|member| takes_value(member))
            .map(|member| member.name.as_str())
            .collect();
        shown.join(", ")
    }
}

/// Whether a member can be given in a body, itself or something in it.
fn takes_value(node: &Node) -> bool {
    node.presence == Presence::Shown
        && node.assign.is_none()
        && match &node.kind {
            Kind::Object(members) => members.iter().any(takes_value),
            _ => true,
        }
}

impl ResponsePlan {
    /// Appends the JSON document of the record a program left to `out` and says which status and
    /// headers go with it. On an error nothing is appended.
    ///
    /// # Errors
    /// Those of [`Decoder::decode`]: the program left data that does not fit its description.
    pub fn decode(
        &self,
        record: &[u8],
        out: &mut Vec<u8>,
    ) -> std::result::Result<Reply, ConvertError> {
        // The last case has no condition, so one is always found; an empty list answers an empty
        // object.
        let mut chosen = None;
        for case in &self.cases {
            let applies = match &case.program.condition {
                Some(check) => check.holds(record)?,
                None => true,
            };
            if applies {
                chosen = Some(case);
                break;
            }
        }
        let Some(case) = chosen else {
            out.extend_from_slice(b"{}");
            return Ok(Reply {
                code: 200,
                headers: Vec::new(),
            });
        };
        let mut headers = Vec::with_capacity(case.headers.len());
        for (rule, extractor) in case.headers.iter().zip(&case.program.headers) {
            let value = match (&rule.value, extractor) {
                (HeaderSource::Constant(text), _) => text.clone(),
                (HeaderSource::Field(_), Some(extractor)) => {
                    let mut value = String::new();
                    extractor.extract(record, &mut value)?;
                    value
                }
                (HeaderSource::Field(_), None) => continue,
            };
            headers.push((rule.name.clone(), value));
        }
        case.program.decoder.decode(record, out)?;
        Ok(Reply {
            code: case.code,
            headers,
        })
    }
}

impl Check {
    fn holds(&self, record: &[u8]) -> std::result::Result<bool, ConvertError> {
        match self {
            Check::Compare(condition) => condition.holds(record),
            Check::Text {
                extractor,
                op,
                value,
            } => {
                let mut text = String::new();
                extractor.extract(record, &mut text)?;
                let text = text.trim_end_matches(' ');
                Ok(match op {
                    Comparison::StartsWith => text.starts_with(value),
                    Comparison::EndsWith => text.ends_with(value),
                    _ => text.contains(value),
                })
            }
            Check::All(all) => {
                for check in all {
                    if !check.holds(record)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Check::Any(any) => {
                for check in any {
                    if check.holds(record)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }
}

/// Compiles the programs of one service or operation.
pub(super) struct Compiler<'a> {
    /// For messages.
    pub(super) name: &'a str,
    pub(super) conversion: &'a Properties,
    pub(super) format: &'a RecordFormat,
    pub(super) commarea_len: usize,
}

impl Compiler<'_> {
    pub(super) fn request(
        &self,
        data: &ServiceData,
        shape: Shape,
        overrides: Vec<Override>,
    ) -> Result<RequestPlan> {
        let padded_len = if matches!(data.carrier, Carrier::Commarea) {
            self.commarea_len
        } else {
            0
        };
        let encoder =
            Encoder::compile(&shape, self.conversion, self.format).map_err(|p| self.bad(&p))?;
        Ok(RequestPlan {
            shape,
            carrier: data.carrier.clone(),
            overrides,
            padded_len,
            encoder,
        })
    }

    pub(super) fn case(
        &self,
        data: &ServiceData,
        rule: ResponseRule,
        shape: Shape,
        headers: Vec<HeaderRule>,
    ) -> Result<ResponseCase> {
        let decoder =
            Decoder::compile(&shape, self.conversion, self.format).map_err(|p| self.bad(&p))?;
        let condition = rule
            .condition
            .as_ref()
            .map(|c| self.check(&data.shape, c))
            .transpose()?;
        let extractors = headers.iter().map(|h| match &h.value {
            HeaderSource::Field(path) => self.extractor(&data.shape, path).map(Some),
            HeaderSource::Constant(_) => Ok(None),
        });
        let program = ResponseProgram {
            condition,
            headers: extractors.collect::<Result<_>>()?,
            decoder,
        };
        Ok(ResponseCase {
            code: rule.code,
            description: rule.description,
            condition: rule.condition,
            shape,
            headers,
            program,
        })
    }

    fn check(&self, shape: &Shape, condition: &Condition) -> Result<Check> {
        let each = |all: &[Condition]| {
            all.iter()
                .map(|c| self.check(shape, c))
                .collect::<Result<Vec<_>>>()
        };
        match condition {
            Condition::And(all) => each(all).map(Check::All),
            Condition::Or(any) => each(any).map(Check::Any),
            Condition::Test(test) => self.test(shape, test),
        }
    }

    fn test(&self, shape: &Shape, test: &Test) -> Result<Check> {
        let path = resolve(shape, &test.field).map_err(|why| {
            Problem::new(
                messages::ad::mapping_does_not_fit(format_args!(
                    "response rule on {}: {why}",
                    test.field
                )),
                self.name,
            )
        })?;
        let number = shape.find(&path).is_some_and(|n| n.kind.is_number());
        if number
            && !matches!(
                test.op,
                Comparison::StartsWith | Comparison::EndsWith | Comparison::Contains
            )
            && test.value.trim().parse::<f64>().is_err()
        {
            return Err(Problem::new(
                messages::ad::response_rule(format_args!(
                    "response rule on {path}: \"{}\" is no number",
                    test.value
                )),
                self.name,
            ));
        }
        let extractor = self.extractor(shape, &path)?;
        let op = match test.op {
            Comparison::Eq => Op::Eq,
            Comparison::Ne => Op::Ne,
            Comparison::Lt => Op::Lt,
            Comparison::Le => Op::Le,
            Comparison::Gt => Op::Gt,
            Comparison::Ge => Op::Ge,
            op @ (Comparison::StartsWith | Comparison::EndsWith | Comparison::Contains) => {
                return Ok(Check::Text {
                    extractor,
                    op,
                    value: test.value.clone(),
                });
            }
        };
        Ok(Check::Compare(convert::Condition::new(
            extractor,
            op,
            test.value.clone(),
        )))
    }

    fn extractor(&self, shape: &Shape, path: &str) -> Result<Extractor> {
        if shape
            .find(path)
            .is_some_and(|n| matches!(n.kind, Kind::Object(_) | Kind::Array(_) | Kind::Select(_)))
        {
            return Err(Problem::new(
                messages::ad::mapping_does_not_fit(format_args!(
                    "{path} is a group or an array where one value is needed"
                )),
                self.name,
            ));
        }
        Extractor::compile(shape, self.conversion, self.format, path).map_err(|p| {
            Problem::new(
                messages::ad::mapping_does_not_fit(format_args!("{path}: {}", p.place_first())),
                self.name,
            )
        })
    }

    fn bad(&self, problem: &Problem) -> Problem {
        Problem::new(
            messages::ad::data_not_convertible(problem.place_first()),
            self.name,
        )
    }
}
