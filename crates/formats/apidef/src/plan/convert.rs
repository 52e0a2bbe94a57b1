//! Compiled programs of a plan.

use crate::aar::ResponseRule;
use crate::plan::{Compiler, HeaderRule, Override, RequestPlan, ResponseCase};
use crate::problem::Result;
use crate::sar::{Carrier, ServiceData};
use transom_copybook::shape::Shape;

/// Why a document or record could not be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanError {
    /// `TXMCB06nnE` for records, `TXMCB07nnE` for documents.
    pub id: &'static str,
    /// Sentence with member, field and offset.
    pub text: String,
}

/// What is sent back beside the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status.
    pub code: u16,
    /// Headers in order.
    pub headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) struct RequestProgram {}

#[derive(Debug)]
pub(crate) struct ResponseProgram {}

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
        Ok(RequestPlan {
            shape,
            carrier: data.carrier.clone(),
            overrides,
            padded_len,
            program: RequestProgram {},
        })
    }

    pub(super) fn case(
        &self,
        _data: &ServiceData,
        rule: ResponseRule,
        shape: Shape,
        headers: Vec<HeaderRule>,
    ) -> Result<ResponseCase> {
        Ok(ResponseCase {
            code: rule.code,
            description: rule.description,
            condition: rule.condition,
            shape,
            headers,
            program: ResponseProgram {},
        })
    }
}
